//! `mcpcall listen`: the server's notifications as lines, in both generations of the protocol.

use crate::support::Target;
use crate::support::http_script::{HttpScript, Reply};
use crate::support::peers::Peer;
use crate::support::process::{self, Capture, Process};
use crate::support::run::{Run, Stdin, mcpcall};
use crate::support::scripted::case;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

/// What the stdio case tells, in the handshake era and twice.
const UPDATED: &str = "notifications/resources/updated {\"uri\": \"res://a\"}\n";

fn listen<'a>(words: &[&str]) -> Run<'a> {
    mcpcall(["listen"]).args(words)
}

// 2026-07-28 over HTTP.

each_peer!([rounds_python_http, rounds_node_http] fn what_another_client_causes_is_heard(server) {
    let run = listen(&["res://touched", "--count", "2", "--protocol", "modern", "--trace"]).on(server).any_stdout();
    let listening = run.any_stderr().start();
    listening.wait_for_stderr("subscriptions/acknowledged");
    mcpcall(["touch", "--protocol", "modern"]).on(server).stdout("touched\n").check();
    let output = listening.check();
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", output.report());
    assert!(lines[0].starts_with("notifications/tools/list_changed {"), "{}", output.report());
    assert!(lines[1].starts_with("notifications/resources/updated {"), "{}", output.report());
    assert!(lines[1].contains(r#""uri":"res://touched""#), "{}", output.report());
    let asked = server.log().into_iter().find(|entry| entry["method"] == "subscriptions/listen").unwrap();
    let wanted = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["res://touched"] });
    assert_eq!(asked["params"]["notifications"], wanted);
});

each_peer!([rounds_python_http, rounds_node_http] fn json_is_one_object_a_line(server) {
    let run = listen(&["res://touched", "--count", "2", "--json", "--protocol", "modern", "--trace"]).on(server);
    let listening = run.any_stdout().any_stderr().start();
    listening.wait_for_stderr("subscriptions/acknowledged");
    mcpcall(["touch", "--protocol", "modern"]).on(server).stdout("touched\n").check();
    let output = listening.check();
    let told: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told[0]["method"], "notifications/tools/list_changed", "{}", output.report());
    assert_eq!((&told[1]["method"], &told[1]["params"]["uri"]), (&json!("notifications/resources/updated"), &json!("res://touched")));
    assert_eq!(told.len(), 2, "{}", output.report());
});

each_peer!([rounds_python_http, rounds_node_http] fn control_c_ends_it(server) {
    // Without --count that is its end; with it something is missing.
    for (count, code) in [(&[][..], 0), (&["--count", "3"], 130)] {
        let run = listen(&["res://touched", "--protocol", "modern", "--trace"]).args(count).on(server).code(code);
        let listening = run.any_stdout().any_stderr().start();
        listening.wait_for_stderr("subscriptions/acknowledged");
        mcpcall(["touch", "--protocol", "modern"]).on(server).stdout("touched\n").check();
        listening.wait_for_stdout("res://touched").signal(Signal::INT);
        let output = listening.check();
        output.nothing_left_running();
        assert_eq!(output.stdout.lines().count(), 2, "{}", output.report());
        assert_eq!(output.stderr.contains("mcpcall: error: interrupted"), code != 0, "{}", output.report());
    }
});

each_peer!([rounds_python_http] fn term_ends_it_too(server) {
    let listening = listen(&["--protocol", "modern", "--trace"]).on(server).code(143).any_stderr().start();
    listening.wait_for_stderr("subscriptions/acknowledged").signal(Signal::TERM);
    listening.check();
});

#[test]
fn a_server_that_dies_ends_it() {
    for peer in ["rounds_python_http", "rounds_node_http"] {
        let Some(mut server) = Peer::named(peer).start() else { return };
        let address = server.args().pop().unwrap();
        let run = listen(&["--protocol", "modern", "--trace"]).url(&address).code(4).any_stderr();
        let listening = run.start();
        listening.wait_for_stderr("subscriptions/acknowledged");
        server.kill();
        let output = listening.check();
        assert!(output.stderr.contains("mcpcall: error: subscriptions/listen: "), "{}", output.report());
    }
}

const DISCOVERED: &str =
    r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}"#;

/// The bytes of a notification on an event stream.
fn event(method: &str, params: &str) -> String {
    format!("data: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{method}\",\"params\":{params}}}\n\n")
}

/// A modern server that answers the subscription with this.
fn modern(reply: Reply) -> HttpScript {
    HttpScript::new().step("POST server/discover", Reply::result(DISCOVERED)).step("POST subscriptions/listen", reply)
}

#[test]
fn what_is_not_acknowledged_is_told() {
    let (updated, changed) = (event("resources/updated", r#"{"uri":"res://a"}"#), event("tools/list_changed", "{}"));
    for (honoured, warned) in [
        (r#"{"toolsListChanged":true,"resourceSubscriptions":["res://a"]}"#, &["res://b"][..]),
        (r#"{"resourceSubscriptions":["res://b","res://a"]}"#, &[]),
        (r#"{"toolsListChanged":true}"#, &["res://a", "res://b"]),
        ("{}", &["res://a", "res://b"]),
        ("7", &["res://a", "res://b"]),
    ] {
        let acknowledged = event("subscriptions/acknowledged", &format!(r#"{{"notifications":{honoured}}}"#));
        let events = format!("{acknowledged}{updated}{changed}");
        let server = modern(Reply::events(&events).stays_open()).start();
        let warnings: String = warned
            .iter()
            .map(|uri| format!("mcpcall: warning: the server will not tell of changes of {uri}\n"))
            .collect();
        // The acknowledgement is no news, and does not count.
        let run = listen(&["res://a", "res://b", "--count", "2", "--protocol", "modern"]).on(&server).stderr(warnings);
        run.stdout("notifications/resources/updated {\"uri\":\"res://a\"}\nnotifications/tools/list_changed {}\n")
            .check();
    }
}

#[test]
fn a_subscription_that_ends_is_a_failure() {
    let acknowledged = event("subscriptions/acknowledged", r#"{"notifications":{}}"#);
    let result = "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\"}}\n\n";
    let cancelled = event("cancelled", r#"{"requestId":2}"#);
    for (rest, words) in [
        (result, "the server ended the subscription"),
        (cancelled.as_str(), "the server ended the subscription"),
        ("", "the server ended its response without an answer"),
    ] {
        let server = modern(Reply::events(&format!("{acknowledged}{rest}"))).start();
        listen(&["--protocol", "modern"]).on(&server).code(4).stderr_has(words).check();
    }
    for (reply, code, words) in [
        (Reply::status(404), 4, "HTTP 404"),
        (Reply::status(503), 4, "HTTP 503"),
        (
            Reply::body(404, "application/json", r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}"#),
            6,
            "-32601",
        ),
        (Reply::result("{}"), 4, "the server ended the subscription"),
    ] {
        let server = modern(reply).start();
        listen(&["--protocol", "modern"]).on(&server).code(code).stderr_has(words).check();
    }
}

#[test]
fn silence_for_as_long_as_the_timeout_says_ends_it() {
    let acknowledged = event("subscriptions/acknowledged", r#"{"notifications":{}}"#);
    let server = modern(Reply::events(&acknowledged).stays_open()).start();
    let run = listen(&["--timeout", "0.5", "--protocol", "modern"]).on(&server).code(124);
    run.stderr("mcpcall: error: nothing was heard for as long as --timeout says\n").check();
    let Some(server) = case("stdio_listen", &["quiet"]) else { return };
    let run = listen(&["--timeout", "0.5", "--protocol", "modern"]).on(&server).code(124);
    run.stderr_has("nothing was heard").check().nothing_left_running();
}

#[test]
fn a_reader_that_has_gone_ends_it() {
    let Some(server) = case("stdio_listen", &["modern"]) else { return };
    let program = env!("CARGO_BIN_EXE_mcpcall");
    let words = shell_words::join(server.args());
    // The one reader of the pipe is gone before there is anything to write.
    let line =
        format!("mkfifo p; (: <p) & exec 4>p; wait; '{program}' listen res://a --protocol modern {words} >&4; echo $?");
    let dir = tempfile::tempdir().unwrap();
    let mut command = process::tethered("bash");
    command.args(["-c", &line]).current_dir(dir.path()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let output = Capture::of(child.stdout.take().unwrap());
    let mut process = Process::watch(child, None);
    let status = process.wait(Duration::from_secs(20));
    assert!(status.is_some(), "it goes on: {}", output.text());
    assert!(output.wait_for("0\n", Duration::from_secs(2)), "{}", output.text());
}

#[test]
fn a_count_of_nothing_is_a_mistake() {
    for count in ["0", "-1", "x"] {
        let run = listen(&[&format!("--count={count}"), "--", "sh", "-c", "exit 9"]).code(2);
        run.stderr_has("--count").check();
    }
}

// The handshake era.

/// A server that tells of res://a once it is subscribed to.
fn legacy(get: Reply) -> HttpScript {
    HttpScript::new().handshake().always("GET", get)
}

#[test]
fn resources_are_subscribed_to_and_heard_on_the_standing_stream() {
    let updated = event("resources/updated", r#"{"uri":"res://a"}"#);
    let told = format!("id: 1\n{updated}: still here\n\n{updated}");
    let server = legacy(Reply::events(&told).after("POST resources/subscribe").stays_open())
        .step("POST resources/subscribe", Reply::result("{}"))
        // Enough may be heard before that is answered, and then it is called off.
        .always("POST notifications/cancelled", Reply::status(202))
        .start();
    let run = listen(&["res://a", "--count", "2"]).on(&server);
    run.stdout("notifications/resources/updated {\"uri\":\"res://a\"}\n".repeat(2)).check();
    let requests = server.requests();
    let of = |name: &str| requests.iter().find(|request| request.name == name).unwrap();
    assert_eq!(of("POST resources/subscribe").body["params"]["uri"], "res://a");
    for name in ["GET", "DELETE"] {
        assert_eq!(of(name).header("mcp-session-id"), Some("s1"));
        assert_eq!(of(name).header("mcp-protocol-version"), Some("2025-11-25"));
    }
}

#[test]
fn lists_are_heard_without_a_subscription() {
    let changed = event("tools/list_changed", "{}");
    let server = legacy(Reply::events(&changed).stays_open()).start();
    let run = listen(&["--count", "1", "--protocol", "legacy"]).on(&server);
    run.stdout("notifications/tools/list_changed {}\n").check();
}

#[test]
fn a_server_without_a_stream_is_told() {
    for status in [405, 404, 501] {
        let server = legacy(Reply::status(status)).start();
        let words = format!("offers no stream to listen on: HTTP {status}");
        listen(&[]).on(&server).code(4).stderr_has(&words).check();
        let server = legacy(Reply::status(status)).step("POST resources/subscribe", Reply::result("{}")).start();
        listen(&["res://a", "--count", "1"]).on(&server).code(4).stderr_has(&words).check();
    }
    let Some(server) = case("http_get_stream", &["405"]) else { return };
    listen(&[]).on(&server).code(4).stderr_has("offers no stream to listen on: HTTP 405").check();
}

#[test]
fn a_subscription_that_is_refused_is_told() {
    let error = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no"}}"#;
    let server = legacy(Reply::events("").stays_open())
        .step("POST resources/subscribe", Reply::body(200, "application/json", error))
        .start();
    let run = listen(&["res://a"]).on(&server).code(6);
    run.stderr_has("resources/subscribe: the server answered error -32601: no").check();
    let Some(server) = case("stdio_listen", &["deaf"]) else { return };
    let run = listen(&["res://a"]).on(&server).code(6).stderr_has("resources/subscribe");
    run.check().nothing_left_running();
}

#[test]
fn control_c_ends_it_in_the_handshake_era_too() {
    for (count, code) in [(&[][..], 0), (&["--count", "3"], 130)] {
        let changed = event("tools/list_changed", "{}");
        let server = legacy(Reply::events(&changed).stays_open()).start();
        let listening = listen(&[]).args(count).on(&server).code(code).any_stderr().any_stdout().start();
        listening.wait_for_stdout("list_changed").signal(Signal::INT);
        let output = listening.check();
        assert_eq!(output.stdout, "notifications/tools/list_changed {}\n");
        assert!(server.requests().iter().any(|request| request.name == "DELETE"), "the session is ended");
    }
}

// stdio.

#[test]
fn stdio_servers_tell_on_the_way_they_tell_all_else() {
    let Some(server) = case("stdio_listen", &["legacy"]) else { return };
    listen(&["res://a", "--count", "2"]).on(&server).stdout(UPDATED.repeat(2)).check().nothing_left_running();
    // It may be heard enough before the subscription is answered, which is then called off.
    let methods = server.methods();
    assert_eq!(methods[..3], ["initialize", "notifications/initialized", "resources/subscribe"]);
    let Some(server) = case("stdio_listen", &["modern"]) else { return };
    let run = listen(&["res://a", "--count", "2", "--json", "--protocol", "modern"]).on(&server);
    let output = run.any_stdout().check();
    output.nothing_left_running();
    let told: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.iter().map(|told| &told["params"]["uri"]).collect::<Vec<_>>(), ["res://a", "res://a"]);
    assert_eq!(server.methods()[..2], ["server/discover", "subscriptions/listen"]);
}

#[test]
fn each_ending_over_stdio_is_told() {
    for (mode, code, words) in [
        ("ends", 4, "the server ended the subscription"),
        ("cancels", 4, "the server ended the subscription"),
        ("dies", 4, "exited with status 3"),
        ("refuses", 6, "-32601"),
    ] {
        let Some(server) = case("stdio_listen", &[mode]) else { return };
        let run = listen(&["res://a", "--protocol", "modern"]).on(&server).code(code).stderr_has(words);
        run.check().nothing_left_running();
    }
    let Some(server) = case("stdio_listen", &["less"]) else { return };
    let run = listen(&["res://a", "--count", "1", "--protocol", "modern"]).on(&server).any_stdout();
    run.stderr("mcpcall: warning: the server will not tell of changes of res://a\n").check();
}

#[test]
fn control_c_over_stdio_cancels_the_subscription() {
    for mode in ["modern", "quiet"] {
        let Some(server) = case("stdio_listen", &[mode]) else { return };
        let run = listen(&["res://a", "--protocol", "modern"]).on(&server).any_stdout();
        run.signal_after_log("subscriptions/listen", Signal::INT).check().nothing_left_running();
        let got = server.received();
        let asked = got.iter().find(|message| message["method"] == "subscriptions/listen").unwrap();
        let cancelled = got.iter().find(|message| message["method"] == "notifications/cancelled");
        assert_eq!(cancelled.map(|message| &message["params"]["requestId"]), Some(&asked["id"]), "{mode}: {got:?}");
    }
}

#[test]
fn control_c_while_it_connects_is_an_interruption() {
    let run = listen(&["--", "sh", "-c", "echo up >&2; exec cat >/dev/null"]).stdin(Stdin::Null);
    let output = run.signal_after_stderr("up", Signal::INT).any_stderr().run();
    output.nothing_left_running();
    assert_eq!((output.code, output.stdout.as_str()), (130, ""), "{}", output.report());
}
