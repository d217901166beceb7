//! `mcpcall info`: what a server is and which versions it answers in, told without changing anything on it.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::peers::{Eras, Running, Sdk, Server, Transport};
use crate::support::run::mcpcall;
use serde_json::{Value, json};

const DATES: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Whether the peer speaks 2026-07-28, and the handshake.
fn eras(server: &Running) -> (bool, bool) {
    let Server::Rounds(_, eras) = server.peer.server else { return (false, true) };
    (eras != Eras::Legacy, eras != Eras::Modern)
}

each_peer!([
    rounds_python_stdio, rounds_python_http, rounds_node_stdio, rounds_node_http,
    rounds_python_modern_stdio, rounds_python_modern_http, rounds_node_modern_stdio, rounds_node_modern_http,
    rounds_python_legacy_stdio, rounds_python_legacy_http, rounds_node_legacy_stdio, rounds_node_legacy_http,
] fn each_version_is_tried(server) {
    let (modern, legacy) = eras(server);
    let output = mcpcall(["info", "--connect-timeout", "30"]).on(server).stdout_has("rounds 2.").stdout_has("(Rounds)").check();
    output.nothing_left_running();
    for date in DATES {
        let line = output.stdout.lines().find(|line| line.trim_start().starts_with(date)).unwrap();
        let answers = if date == DATES[0] { modern } else { legacy };
        assert_eq!(line.ends_with(" yes"), answers, "{}", output.report());
        assert_eq!(line.contains(" no: "), !answers, "{}", output.report());
    }
    assert!(output.stdout.contains("Start with `ask`. Everything else asks too."), "{}", output.report());
    assert_eq!(output.stdout.matches("Start with").count(), 1, "{}", output.report());

    let output = mcpcall(["info", "--json", "--connect-timeout", "30"]).on(server).any_stdout().check();
    output.nothing_left_running();
    let told = output.json();
    let transport = if server.peer.transport == Transport::Stdio { "stdio" } else { "Streamable HTTP" };
    assert_eq!(told["transport"], transport);
    for date in DATES {
        let answers = if date == DATES[0] { modern } else { legacy };
        assert_eq!(told["protocols"][date]["answers"], answers, "{told}");
        assert_eq!(told["protocols"][date].get("reason").is_some(), !answers, "{told}");
    }
    assert_eq!(told["protocols"].as_object().unwrap().keys().collect::<Vec<_>>(), DATES, "the newest comes first");
    // The server's own words.
    assert_eq!((told["legacy"].is_object(), told["modern"].is_object()), (legacy, modern), "{told}");
    if legacy {
        assert_eq!(told["legacy"]["serverInfo"]["title"], "Rounds");
    }
    if modern {
        assert_eq!(told["modern"]["supportedVersions"], json!(["2026-07-28"]));
    }
    // Nothing but openings.
    let harmless = ["initialize", "notifications/initialized", "server/discover"];
    let log = server.log();
    assert!(log.iter().all(|e| e["method"].as_str().is_none_or(|method| harmless.contains(&method))), "{log:?}");
});

each_peer!([rounds_python_http] fn it_reads_well(server) {
    snapshot!(mcpcall(["info"]).on(server).run());
});

each_peer!([rounds_node_modern_http] fn what_is_not_spoken_reads_well(server) {
    snapshot!(mcpcall(["info"]).on(server).run());
});

each_peer!([python_v1_sse] fn the_old_transport_is_told(server) {
    let output = mcpcall(["info"]).on(server).stdout_has(", HTTP+SSE\n").check();
    assert!(output.stdout.contains("2024-11-05  yes"), "{}", output.report());
    let told = mcpcall(["info", "--json"]).on(server).any_stdout().check().json();
    assert_eq!(told["transport"], "HTTP+SSE");
    assert_eq!(told["protocols"]["2024-11-05"]["answers"], true);
    assert_eq!(told["protocols"]["2026-07-28"]["answers"], false);
    assert_eq!(told["legacy"]["serverInfo"]["name"], "Library");
});

#[test]
fn a_server_that_cannot_be_reached_is_a_failure() {
    let address = "http://127.0.0.1:1/mcp";
    mcpcall(["info"]).url(address).code(4).stderr_has("error: cannot connect to").check();
    let output = mcpcall(["info", "--json"]).url(address).code(4).any_stderr().check();
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "connect");
    mcpcall(["info", "--", "sh", "-c", "exit 3"]).code(4).stderr_has("exited with status 3").check();
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_again_and_again() {
    // It outlives each attempt but for the end of its stdin.
    let script = "echo $$ >>started; exec cat >/dev/null";
    let run = mcpcall(["info", "--timeout", "0.5", "--connect-timeout", "0.5", "--", "sh", "-c", script]).code(124);
    let output = run.stderr_has("no answer to initialize within 0.5 s").check();
    output.nothing_left_running();
    assert_eq!(output.file("started").lines().count(), 2, "once for each era");
}

#[test]
fn a_server_that_wants_credentials_is_a_failure_of_its_own() {
    let refused = Reply::status(401).header("WWW-Authenticate", "Bearer");
    let server =
        HttpScript::new().always("POST initialize", refused.clone()).always("POST server/discover", refused).start();
    mcpcall(["info"]).on(&server).code(3).stderr_has("wants authorization: HTTP 401").check();
    assert_eq!(server.requests().len(), DATES.len());
}

#[test]
fn a_server_that_answers_with_another_version_is_told_so() {
    let result = r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"7"}}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .always("POST server/discover", Reply::status(400))
        .always("POST initialize", Reply::result(result))
        .always("POST notifications/initialized", Reply::status(202))
        .start();
    let output = mcpcall(["info"]).on(&server).stdout_has("s 7\n").stdout_has("Capabilities\n  none\n").check();
    for (date, answer) in
        DATES.iter().zip(["no: ", "no: answers with 2025-06-18", "yes", "no: answers with 2025-06-18"])
    {
        assert!(output.stdout.contains(&format!("  {date}  {answer}")), "{date}: {}", output.report());
    }
}

#[test]
fn what_a_server_says_of_itself_is_harmless_on_a_terminal() {
    let result = r#"{"protocolVersion":"2025-11-25","capabilities":{"a\u001b[31m":{}},"serverInfo":{"name":"s\u001b]0;x\u0007\n2026-07-28  yes","version":"7"},"instructions":"one\u001b[2J\ntwo"}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .always("POST server/discover", Reply::status(400))
        .always("POST initialize", Reply::result(result))
        .always("POST notifications/initialized", Reply::status(202))
        .start();
    let output = mcpcall(["info"]).on(&server).stdout_has("Instructions\n  one").stdout_has("\n  two\n").check();
    assert!(!output.stdout.contains('\u{1b}') && !output.stdout.contains('\u{7}'), "{}", output.report());
    assert!(!output.stdout.contains("\n2026-07-28  yes"), "{}", output.report());
}

each_peer!([rounds_python_stdio] fn one_of_several_servers_is_heard(server) {
    // Each version is tried on a process of its own; one of them may speak.
    let script = "echo here I am >&2; exec \"$@\"";
    let words = [vec!["sh".to_owned(), "-c".into(), script.into(), "sh".into()], server.stdio_command()].concat();
    let output = mcpcall(["info", "--"]).args(words).any_stdout().stderr("[server] here I am\n").check();
    output.nothing_left_running();
    assert_eq!(server.peer.server, Server::Rounds(Sdk::Python, Eras::Both));
});
