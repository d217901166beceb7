//! What stands on stdout and stderr.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;

/// A server with one tool that gives this result.
fn server(result: &str) -> crate::support::http_script::Scripted {
    HttpScript::new()
        .always("GET", Reply::status(405))
        .always("DELETE", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#))
        .step("POST tools/call", Reply::result(result))
        .start()
}

#[test]
fn json_is_the_servers_text_byte_for_byte() {
    let result = r#"{ "z":1.10, "content":[ {"type":"text","text":"é \u00e9"} ],"a":{"x" : 1E400}, "_meta":{"future":[18446744073709551616]},"isError":false}"#;
    let server = server(result);
    mcpcall(["t", "--json"]).url(&server.url()).stdout(format!("{result}\n")).check();
}

#[test]
fn text_blocks_come_in_order_and_others_as_a_line() {
    let server = server(
        r#"{"content":[{"type":"text","text":"one"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"},
            {"type":"text","text":"two\n"},{"type":"resource_link","uri":"file:///a","name":"a"},{"type":"hologram","x":1}]}"#,
    );
    let expected = "one\n[image] image/png (5 bytes)\ntwo\n[link] a file:///a\n{\"type\":\"hologram\",\"x\":1}\n";
    mcpcall(["t"]).url(&server.url()).stdout(expected).check();
}

#[test]
fn structured_content_is_printed_where_there_is_no_text() {
    let server = server(r#"{"content":[],"structuredContent":{"n":9007199254740993}}"#);
    mcpcall(["t"]).url(&server.url()).stdout("{\n  \"n\": 9007199254740993\n}\n").check();
}

#[test]
fn a_result_nested_too_deep_to_read_is_printed_as_it_is() {
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let result = format!(r#"{{"content":[],"structuredContent":{deep}}}"#);
    let server = server(&result);
    mcpcall(["t"]).url(&server.url()).stdout(format!("{result}\n")).check();
}

#[test]
fn escape_sequences_reach_no_terminal() {
    let server = server(r#"{"content":[{"type":"text","text":"\u001b[31mred\u001b[0m \u202etxt"}]}"#);
    let output = mcpcall(["t"]).url(&server.url()).stdout_has("\u{1b}[31m").check();
    assert!(output.stderr.is_empty());
    let failing =
        HttpScript::new().step("POST initialize", Reply::body(502, "text/html", "<b>\u{1b}[2Jgone\u{7}</b>")).start();
    let output = mcpcall(["t"]).url(&failing.url()).code(4).stderr_has("\\u{1b}[2Jgone").check();
    assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
}

#[test]
fn a_closed_stdout_is_a_quiet_end() {
    let big = format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, "x".repeat(1 << 20));
    let server = server(&big);
    let program = env!("CARGO_BIN_EXE_mcpcall");
    let line = format!("'{program}' t --url '{}' | head -c 1; exit ${{PIPESTATUS[0]}}", server.url());
    let output = std::process::Command::new("bash").args(["-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (b"x".as_slice(), b"".as_slice()));
}

#[test]
fn the_trace_shows_both_directions_and_masks_secrets() {
    let server = server(r#"{"content":[{"type":"text","text":"ok"}]}"#);
    let run = mcpcall([
        "t",
        "--trace",
        "-H",
        "Authorization: Bearer SECRET-1",
        "-H",
        "X-Api-Key: SECRET-2",
        "-H",
        "X-Plain: seen",
    ]);
    let output = run.url(&server.url()).stdout("ok\n").stderr_has("x-plain: seen").check();
    assert!(!output.stderr.contains("SECRET"), "{}", output.stderr);
    for words in [
        "> ",
        "< ",
        "POST http://127.0.0.1",
        "authorization: ***",
        "x-api-key: ***",
        r#""method":"tools/call""#,
        r#""text":"ok""#,
    ] {
        assert!(output.stderr.contains(words), "{words} in {}", output.stderr);
    }
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer SECRET-1"));
    assert_eq!(server.requests()[0].header("x-api-key"), Some("SECRET-2"));
}

each_peer!([everything_stdio] fn quiet_leaves_errors_only(server) {
    mcpcall(["echo", "message=hi", "-q"]).on(server).stdout("Echo: hi\n").check();
    mcpcall(["echo", "message=hi"]).on(server).stdout("Echo: hi\n").stderr_has("[server] ").check();
});

each_peer!([rust_stdio] fn failures_read_well(server) {
    assert!(server.stdio_command().len() > 1);
    snapshot!("unknown_argument", mcpcall(["add", "a=1", "c=2"]).on(server).run());
    snapshot!("nobody_answered", mcpcall(["issue_card"]).on(server).run());
});

each_peer!([rust_stdio] fn the_list_reads_well(server) {
    snapshot!("list", mcpcall(["list"]).on(server).run());
});

#[test]
fn a_json_failure_parses_whatever_the_server_said() {
    let body =
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"\u200fشلوم\u007f\u001b[31m","data":["\u202e"]}}"#;
    let server = HttpScript::new().step("POST initialize", Reply::body(200, "application/json", body)).start();
    let output = mcpcall(["t", "--json"]).url(&server.url()).code(4).stderr_has("{").check();
    let error: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().contains("\u{200f}شلوم\u{7f}\u{1b}"), "{error}");
}
