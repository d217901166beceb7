//! Arguments on their way from the command line to the server.

use crate::support::run::{Stdin, mcpcall};
use crate::support::scripted::{Case, case};
use serde_json::{Value, json};

/// The arguments that the server got.
fn echoed(args: &[&str]) -> Option<Value> {
    let server = case("stdio_args", &[])?;
    mcpcall(["t"])
        .args(args)
        .file("text", "007\n")
        .file("list.json", "[1, \"2\",\n {\"x\": null}]\n")
        .file("base.json", r#"{"id": "base", "n": 1}"#)
        .stdin(Stdin::Text(r#"{"id": "stdin", "n": 2}"#.into()))
        .on(&server)
        .run();
    Some(serde_json::from_str(&raw_arguments(&server)).unwrap())
}

/// The text of the arguments that the server got.
fn raw_arguments(server: &Case) -> String {
    let log = server.log();
    let raw = log.iter().find_map(|entry| entry["arguments_raw"].as_str());
    raw.unwrap_or_else(|| panic!("no call in {log:?}")).to_owned()
}

#[test]
fn the_schema_decides_the_type_and_digits_survive() {
    let Some(server) = case("stdio_args", &[]) else { return };
    let args = "id=2003886907 pin=000123 n=-5 big=9223372036854775808 f=1e3 b=true s=true nul=null empty= eq=a=b uni=é";
    let args = args.split(' ').chain([r#"arr=[1,"2"]"#, r#"obj={"a": {"b": 1}}"#]);
    let output = mcpcall(["t"]).args(args).args(["--json"]).on(&server).stdout_has("content").any_stderr().check();
    for digits in ["1915883588174806058", "18446744073709551616", "0.10"] {
        assert!(output.stdout.contains(digits), "{digits} in {}", output.stdout);
    }
    let mut arguments: Value = serde_json::from_str(&raw_arguments(&server)).unwrap();
    let expected = json!({
        "id": "2003886907", "pin": "000123", "n": -5, "big": 9_223_372_036_854_775_808_u64, "b": true, "s": "true",
        "nul": null, "empty": "", "eq": "a=b", "uni": "é", "arr": [1, "2"], "obj": {"a": {"b": 1}}
    });
    assert_eq!(arguments.as_object_mut().unwrap().remove("f").unwrap().as_f64(), Some(1000.0));
    assert_eq!(arguments, expected);
}

#[test]
fn a_base_object_arrives_digit_for_digit() {
    let Some(server) = case("stdio_args", &[]) else { return };
    let base = r#"{"id":"007","huge":123456789012345678901234567890,"fl":1.10,"e":1E400,"n":9007199254740993}"#;
    mcpcall(["t", base, "--no-validate"]).on(&server).any_stdout().any_stderr().check();
    let raw = raw_arguments(&server);
    for digits in ["123456789012345678901234567890", "1.10", "9007199254740993"] {
        assert!(raw.contains(digits), "{digits} in {raw}");
    }
}

#[test]
fn files_and_stdin_are_read_where_they_are_named() {
    let Some(got) = echoed(&["id=@text", "n:=3"]) else { return };
    assert_eq!(got, json!({"id": "007\n", "n": 3}));
    let list = json!({"arr": [1, "2", {"x": null}]});
    assert_eq!(echoed(&["arr:=@list.json"]), Some(list));
    assert_eq!(echoed(&["obj:=@base.json"]), Some(json!({"obj": {"id": "base", "n": 1}})));
    assert_eq!(echoed(&["@base.json", "n=5"]), Some(json!({"id": "base", "n": 5})));
    assert_eq!(echoed(&["-"]), Some(json!({"id": "stdin", "n": 2})));
    assert_eq!(echoed(&["id=@@text"]), Some(json!({"id": "@text"})));
}

#[test]
fn a_mistake_is_named_before_a_server_is_started() {
    let cases = [
        ("novalue", "not an argument: `novalue`"),
        ("k:=nojson", "not JSON"),
        ("{a:1}", "received `{a:1}`"),
        ("k=@none.txt", "k=@none.txt: No such file"),
        ("k:=@none.txt", "k:=@none.txt: No such file"),
        ("=x", "no name"),
    ];
    for (arg, words) in cases {
        mcpcall(["t", arg, "--", "/nope"]).code(2).stderr_has(words).check();
    }
}

each_peer!([python_v2_stdio, rust_http] fn an_argument_that_cannot_be_is_refused_with_its_name(server) {
    let output = mcpcall(["add", "a=abc", "b=1"]).on(server).code(2).stderr_has("argument a").check();
    assert!(output.stderr.contains("abc"), "{}", output.stderr);
    mcpcall(["add", "a=1", "b=2", "bb=1"]).on(server).code(2).stderr_has("unknown argument `bb`, did you mean `b`?").check();
    mcpcall(["add"]).on(server).code(2).stderr_has("missing required arguments: a, b").check();
});

#[test]
fn a_read_from_stdin_can_be_interrupted() {
    // Nothing is ever written to this stdin.
    let run = mcpcall(["t", "-", "--", "/nope"]);
    let output = run.signal_when_started(rustix::process::Signal::TERM).run();
    assert_eq!(output.code, -15, "{}", output.report());
}
