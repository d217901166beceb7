//! Whether a server is there, and how soon it says so.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;

each_peer!([python_v2_stdio, python_v2_http, python_v1_http, rust_http, everything_http] fn an_answer_is_timed(server) {
    let output = mcpcall(["ping", "-q"]).on(server).stdout_has(" answered in ").check();
    snapshot!("an_answer", output_with_one_address(&output.stdout));
    let json = mcpcall(["ping", "--json", "-q"]).on(server).stdout_has("{").check().json();
    assert!(json["ms"].as_f64().is_some_and(|ms| ms > 0.0 && ms < 60_000.0), "{json}");
    assert_eq!((&json["method"], json["result"].is_object()), (&"ping".into(), true), "{json}");
});

/// A line whose server is told in the same way whatever it is.
struct Line(String);

impl Line {
    fn block(&self) -> &str {
        &self.0
    }
}

fn output_with_one_address(stdout: &str) -> Line {
    let (_, rest) = stdout.split_once(" answered").unwrap();
    Line(format!("SERVER answered{rest}"))
}

each_peer!([rounds_python_modern_http, rounds_node_modern_http, rounds_python_modern_stdio] fn what_has_no_ping_is_asked_to_describe_itself(server) {
    let note = "mcpcall: 2026-07-28 has no ping; server/discover is asked instead\n";
    let output = mcpcall(["ping", "--json"]).on(server).stdout_has("server/discover").stderr_has(note).check();
    assert!(output.json()["result"]["supportedVersions"].is_array(), "{}", output.stdout);
});

each_peer!([rust_stdio] fn it_goes_on_as_often_as_is_said(server) {
    let begin = std::time::Instant::now();
    let output = mcpcall(["ping", "--count", "2"]).on(server).stdout_has("answered").check();
    assert_eq!(output.stdout.lines().count(), 2, "{}", output.stdout);
    assert!(begin.elapsed() >= std::time::Duration::from_secs(1));
    mcpcall(["ping", "--count", "0"]).on(server).code(2).stderr_has("--count").check();
});

#[test]
fn a_server_that_is_not_there_is_4() {
    mcpcall(["ping"])
        .url("http://127.0.0.1:1/mcp")
        .code(4)
        .stderr_has("cannot connect to http://127.0.0.1:1/mcp")
        .check();
}

#[test]
fn silence_is_124_also_where_nothing_else_would_time_out() {
    let server = || {
        let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
        script.step("POST ping", Reply::silence()).always("POST notifications/cancelled", Reply::status(202)).start()
    };
    mcpcall(["ping", "--timeout", "0.3"])
        .url(&server().url())
        .code(124)
        .stderr_has("no answer to ping within 0.3 s")
        .check();
    let second = server();
    let run = mcpcall(["ping", "--timeout", "0", "--connect-timeout", "0.3"]).url(&second.url()).code(124);
    run.stderr_has("no answer to ping within 0.3 s").check();
}

#[test]
fn what_is_selected_has_to_be_there_and_a_ping_is_a_line() {
    let server = || {
        let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
        script.always("POST ping", Reply::result("{\n  \"a\": \"b c\",\n  \"n\": 1.0\n}")).start()
    };
    let [first, second, third] = [server(), server(), server()];
    let run = mcpcall(["ping", "--select", "/result/b"]).url(&first.url()).code(8);
    run.stderr_has("--select /result/b: there is no such value").check();
    mcpcall(["ping", "--select", "/result/a"]).url(&second.url()).stdout("b c\n").check();
    let run = mcpcall(["ping", "--json"]).url(&third.url()).stdout_has(r#""result":{"a":"b c","n":1.0}}"#);
    let output = run.check();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
}

#[test]
fn what_gives_no_files_takes_no_folder_for_them() {
    for verb in ["ping", "info", "list", "listen"] {
        let run = mcpcall([verb, "--out", "kept"]).url("http://127.0.0.1:1/").code(2);
        let output = run.stderr_has(&format!("--out does not go with {verb}")).check();
        assert!(output.files().is_empty());
        let help = mcpcall([verb, "--help"]).stdout_has("--json").check().stdout;
        assert!(!help.contains("--out ") && !help.contains("--show-images"), "{help}");
    }
    mcpcall(["--show-images", "ping"])
        .url("http://127.0.0.1:1/")
        .code(2)
        .stderr_has("--show-images does not go")
        .check();
}
