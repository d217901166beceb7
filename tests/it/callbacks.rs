//! What all kinds of callbacks share: what is declared, many questions at once, the trace of it all.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::ENTER;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The records of a run's trace file.
fn trace(output: &crate::support::output::Output) -> Vec<Value> {
    output.file("trace").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn declared(output: &crate::support::output::Output) -> Value {
    let sent = trace(output).into_iter().find(|record| record["message"]["method"] == "initialize").unwrap();
    sent["message"]["params"]["capabilities"].clone()
}

each_peer!([rust_stdio, python_v2_http, python_v1_stdio] fn the_table_of_capabilities_is_what_is_sent(server) {
    let elicitation = json!({"form": {}, "url": {}});
    let cases: [(&[&str], Value); 9] = [
        (&[], json!({})),
        (&["--answer", "a=b"], json!({ "elicitation": elicitation })),
        (&["--root", "/"], json!({ "roots": { "listChanged": true } })),
        (&["--answer", "a=b", "--root", "/"], json!({ "elicitation": elicitation, "roots": { "listChanged": true } })),
        (&["--sampling-text", "x"], json!({ "sampling": {} })),
        (&["--sampling-text", "x", "--sampling-tools", "--sampling-context"], json!({ "sampling": { "tools": {}, "context": {} } })),
        (
            &["--answer", "a=b", "--sampling-cmd", "true", "--root", "/"],
            json!({ "elicitation": elicitation, "sampling": {}, "roots": { "listChanged": true } }),
        ),
        (&["--answer", "a=b", "--no-cap", "elicitation"], json!({})),
        (&["--cap", "elicitation=form", "--cap", "tasks=list,cancel"], json!({ "elicitation": { "form": {} }, "tasks": { "list": {}, "cancel": {} } })),
    ];
    for (args, expected) in cases {
        // An older server may know nothing of `tasks`; what counts is what was sent.
        let run = mcpcall(["client_features", "--trace-file", "trace"]).args(args).on(server).any_stderr();
        assert_eq!(declared(&run.run()), expected, "{args:?}");
    }
});

each_peer!([rust_stdio, python_v2_stdio] fn a_capability_declared_without_a_handler_is_answered_with_an_error(server) {
    let run = mcpcall(["issue_card", "--cap", "elicitation=form"]).on(server).code(7).any_stdout();
    run.stderr_has("nobody answered: What name").check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["error"]["code"], -32603);
});

each_peer!([rust_stdio] fn a_capability_can_be_held_back_though_there_is_an_answer(server) {
    let run = mcpcall(["issue_card", "--answer", "name=Ada", "--no-cap", "elicitation"]).on(server).code(7).any_stdout();
    run.stderr_has("nobody answered").check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["error"]["code"], -32600);
});

#[test]
fn a_contradiction_is_exit_2() {
    let run = mcpcall(["t", "--cap", "roots", "--no-cap", "roots", "--", "/nope"]);
    run.code(2).stderr_has("--cap roots: not NAME[=SUB,...], or --no-cap says the opposite").check();
    mcpcall(["t", "--trace-file", "/no/such/dir/x", "--", "/nope"])
        .code(2)
        .stderr_has("--trace-file /no/such/dir/x: ")
        .check();
}

each_peer!([python_v2_http, rust_http] fn the_trace_file_has_both_directions_with_headers_and_masks_secrets(server) {
    let run = mcpcall(["issue_card", "--answer", "name=Ada", "--trace-file", "trace", "-H", "Authorization: Bearer SECRET"]);
    let output = run.on(server).stdout("Card issued to Ada.\n").check();
    let records = trace(&output);
    assert!(!output.file("trace").contains("SECRET"));
    let methods: Vec<&str> = records.iter().filter_map(|record| record["message"]["method"].as_str()).collect();
    for method in ["initialize", "notifications/initialized", "tools/list", "tools/call", "elicitation/create"] {
        assert!(methods.contains(&method), "{method} in {methods:?}");
    }
    let ask = records.iter().find(|record| record["message"]["method"] == "elicitation/create").unwrap();
    assert_eq!((ask["dir"].as_str(), ask["era"].as_str()), (Some("received"), Some("legacy")));
    let posts: Vec<_> = records.iter().filter(|record| record["line"].as_str().is_some_and(|line| line.starts_with("POST "))).collect();
    assert!(posts.iter().all(|post| post["headers"]["authorization"] == "***" && post["t"].is_number()), "{posts:?}");
    assert!(posts[1..].iter().all(|post| post["headers"]["mcp-session-id"] == "***"));
});

#[test]
fn the_trace_file_has_the_servers_stderr() {
    let run = mcpcall(["t", "--trace-file", "trace", "-q", "--", "sh", "-c", "echo last words >&2; exit 3"]);
    let output = run.code(4).any_stderr().check();
    assert!(trace(&output).iter().any(|record| record["dir"] == "stderr" && record["text"] == "last words"));
}

each_peer!([python_v2_stdio, rust_http] fn ten_questions_at_once_are_asked_one_by_one_and_numbered(server) {
    let (tool, field) = match server.peer.server {
        crate::support::peers::Server::Rust => ("ask_many", "Question "),
        _ => ("parallel", "Name of reader "),
    };
    let mut terminal = mcpcall([tool, "n=10"]).on(server).terminal_of_size(60, 80);
    for n in 1..=10 {
        terminal.wait_until("the next question", |screen| {
            let text = screen.contents();
            text.matches(field).count() == n && text.contains("Enter: send")
        });
        // Answer with the number that was asked for, whatever the order.
        let screen = terminal.screen();
        let asked = screen.rsplit(field).next().unwrap().split(|c: char| !c.is_ascii_digit()).next().unwrap().to_owned();
        terminal.send(&format!("r{asked}")).wait_for(&format!(": r{asked}")).send(ENTER);
    }
    let end = terminal.finish();
    assert_eq!(end.stdout, "r1, r2, r3, r4, r5, r6, r7, r8, r9, r10\n", "{}", end.screen);
    // How many wait when a question is put depends on how fast they come; that they are counted does not.
    assert!(end.screen.contains(", question "), "{}", end.screen);
});

#[test]
fn a_ping_is_answered_while_a_question_stands() {
    let Some(server) = case("stdio_ping", &[]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal();
    terminal.wait_for("Enter: send");
    let start = Instant::now();
    server.tell("ping");
    let pong = server.wait_for_entry(|entry| entry["pong_after"].is_number());
    assert!(start.elapsed() < Duration::from_secs(5) && pong["pong_after"].as_f64().unwrap() < 1.0, "{pong}");
    terminal.send("Ada").send(ENTER);
    assert_eq!(terminal.finish().code, 0);
}

each_peer!([rust_stdio, python_v2_http] fn progress_is_a_bar_at_a_terminal(server) {
    let args: &[&str] = match server.peer.server {
        crate::support::peers::Server::Rust => &["count", "to=4", "delay_ms=300"],
        _ => &["count", "n=4"],
    };
    let mut terminal = mcpcall(args.iter().copied()).on(server).terminal();
    if args.len() == 3 {
        terminal.wait_for("[##########----------] 2.0/4.0");
    }
    let end = terminal.finish();
    assert_eq!(end.stdout, "counted to 4\n", "{}", end.screen);
    assert!(!end.screen.contains('#') && !end.screen.contains("[progress"), "{}", end.screen);
});

each_peer!([rust_stdio] fn a_trace_file_that_takes_no_more_is_told_once(server) {
    if std::path::Path::new("/dev/full").exists() {
        let run = mcpcall(["add", "a=1", "b=1", "--trace-file", "/dev/full"]).on(server).stdout("{\"sum\":2}\n");
        run.stderr("mcpcall: warning: the trace file takes no more: No space left on device (os error 28)\n").check();
    }
});
