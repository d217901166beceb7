//! Each way to end has its code, on every peer; stdout never holds anything but the result.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use std::net::TcpListener;
use std::time::{Duration, Instant};

each_peer!(fn a_tool_that_fails_is_5(server) {
    let words = if server.peer.server == crate::support::peers::Server::Rust { "The library is closed." } else { "the shelf is empty" };
    let failed = "mcpcall: error: tool fail reported an error\n";
    mcpcall(["fail"]).on(server).code(5).stdout(format!("{words}\n")).stderr(failed).check();
    mcpcall(["fail", "--ignore-tool-error"]).on(server).stdout(format!("{words}\n")).check();
});

each_peer!(fn an_unknown_tool_is_6_whatever_the_server_makes_of_it(server) {
    mcpcall(["isue_card"]).on(server).code(6).any_stdout().stderr_has("did you mean issue_card?").check();
});

each_peer!(fn bad_arguments_are_2_and_nothing_is_called(server) {
    for (args, message) in [
        (["add", "a=x", "b=3"], "argument a: `x` is not an integer"),
        (["add", "a=2", "c=3"], "unknown argument `c` (known: a, b); missing required argument: b"),
        (["add", "a=2", "a=3"], "missing required argument: b"),
    ] {
        let stderr = format!("mcpcall: error: {message}\n  --no-validate sends it anyway\n");
        mcpcall(args).on(server).code(2).stderr(stderr).check();
    }
    // The log would tell of a call: it tells of this one.
    mcpcall(["add", "a=2", "b=3"]).on(server).stdout_has("5").check();
    server.wait_for_entry(|entry| entry["call"] == "add");
    let calls: Vec<_> = server.log().into_iter().filter(|entry| entry.get("call").is_some()).collect();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0]["arguments"], serde_json::json!({"a": 2, "b": 3}));
});

each_peer!([python_v2_stdio, python_v1_http] fn unchecked_arguments_can_be_sent_on_purpose(server) {
    mcpcall(["add", "a=2", "--no-validate"]).on(server).code(5).stdout_has("b").any_stderr().check();
});

#[test]
fn nothing_listening_is_4_at_once() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = Instant::now();
    let run = mcpcall(["t"]).url(&format!("http://127.0.0.1:{port}/mcp"));
    run.code(4).stderr_has(&format!("cannot connect to http://127.0.0.1:{port}/mcp")).stderr_has("refused").check();
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_missing_program_is_4() {
    mcpcall(["t", "--", "/nope/server"])
        .code(4)
        .stderr("mcpcall: error: cannot start /nope/server: there is no such file\n")
        .check();
    mcpcall(["t", "--stdio", "no-such-program-7"]).code(4).stderr_has("there is no such program in PATH").check();
    mcpcall(["t", "--cwd", "/nope", "--", "sh"]).code(4).stderr_has("working directory /nope does not exist").check();
}

#[test]
fn a_wrong_command_line_is_2() {
    let cases: [(&[&str], &str); 10] = [
        (&["t"], "which server?"),
        (&[], "which tool?"),
        (&["t", "--url", "http://127.0.0.1:1/", "--", "srv"], "more than one server"),
        (&["t", "--no-such-flag", "--url", "http://127.0.0.1:1/"], "--no-such-flag"),
        (&["t", "--timeout", "soon", "--url", "http://127.0.0.1:1/"], "not a number of seconds"),
        (&["t", "-H", "nocolon", "--url", "http://127.0.0.1:1/"], "not NAME: VALUE"),
        (&["t", "-e", "X=1", "--url", "http://127.0.0.1:1/"], "not with one at a URL"),
        (&["t", "--url", "ftp://127.0.0.1/"], "ftp"),
        (&["t", "--protocol", "1999-01-01", "--", "srv"], "known: auto, legacy, modern, both, 2026-07-28, 2025-11-25"),
        (&["t", "list", "--", "srv"], "two things to do"),
    ];
    for (args, words) in cases {
        mcpcall(args.iter().copied()).code(2).stderr_has(words).check();
    }
}

#[test]
fn a_failure_can_be_one_line_of_json() {
    let output = mcpcall(["t", "--json", "--", "/nope"]).code(4).stderr_has("{").check();
    let error: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "connect");
    assert_eq!(error["error"]["exit"], 4);
}

each_peer!([rust_stdio, python_v2_http] fn a_protocol_error_keeps_its_code_in_json(server) {
    let output = mcpcall(["issue_card", "--json", "--auto-answer", "a.json"])
        .file("a.json", r#"{"answers": [{"on": "elicitation", "error": {"code": -32007, "message": "no"}}]}"#)
        .on(server)
        .code(6)
        .stderr_has("-32007")
        .check();
    let error: serde_json::Value = serde_json::from_str(output.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(error["error"]["code"], -32007);
});

each_peer!(fn a_slow_tool_times_out_and_is_cancelled(server) {
    // The limit holds for each request, so it must leave a loaded machine time for the handshake too.
    let run = mcpcall(["slow", "seconds=60", "--timeout", "5", "-q"]).on(server);
    run.code(124).stderr("mcpcall: error: no answer to tools/call within 5 s\n  --timeout SECONDS waits longer\n").check();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
});

#[test]
fn a_question_nobody_answered_comes_before_the_timeout_it_led_to() {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
    let Some(server) = case("stdio_form", &[schema, "hang"]) else { return };
    let run = mcpcall(["t", "--timeout", "4"]).on(&server).code(7).stderr_has("nobody answered: Fill in");
    run.check().nothing_left_running();
    // It did hang: the call was given up, not answered.
    let given_up = server.wait_for_entry(|entry| entry["got"]["method"] == "notifications/cancelled");
    assert_eq!(given_up["got"]["params"]["reason"], "timed out");
    // Without a question the same is a timeout.
    let Some(server) = case("stdio_form", &[schema, "hang"]) else { return };
    mcpcall(["t", "--timeout", "4", "--answer", "name=Ada"]).on(&server).code(124).any_stderr().check();
}

#[test]
fn a_fault_inside_is_1_and_says_where() {
    // With so few files at hand the runtime, which is not ours, gives up in the middle of things.
    let run = || mcpcall(["ping", "--url", "http://127.0.0.1:9/mcp"]).under(r#"ulimit -n 7; exec "$@""#).code(1);
    let output = run().stderr_has("mcpcall: error: a fault in mcpcall at ").stderr_has("RUST_BACKTRACE=1").check();
    assert_eq!(output.stderr.lines().count(), 2, "{}", output.stderr);
    let output = run().args(["--json"]).stderr_has("{").check();
    let error: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "internal");
    run().env("RUST_BACKTRACE", "1").stderr_has(" panicked at ").stderr_has("a fault in mcpcall").check();
}
