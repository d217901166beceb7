//! `--protocol both`: the same call in each generation of the protocol, and what differs.

use crate::support::peers::Running;
use crate::support::run::{Run, mcpcall};
use crate::support::terminal::keys::ENTER;
use serde_json::{Value, json};

/// A call of this tool in both eras.
fn both<'a>(server: &'a Running, words: &[&str]) -> Run<'a> {
    mcpcall(words).args(["--protocol", "both"]).on(server)
}

/// How often `count` ran.
fn counted(server: &Running) -> usize {
    server.log().iter().filter(|entry| entry.get("counted").is_some()).count()
}

/// The version of each call that reached the server: none in the handshake era.
fn versions(server: &Running) -> Vec<Value> {
    let log = server.log().into_iter().filter(|entry| entry["method"] == "tools/call");
    log.map(|entry| entry["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].clone()).collect()
}

each_peer!(rounds fn a_tool_that_only_reads_is_called_in_both(server) {
    let output = both(server, &["greet", "name=Ada"]).stdout_has("The results are the same.\n").check();
    output.nothing_left_running();
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["2025-11-25", "|", "2026-07-28"]);
    assert_eq!(lines[2].split(" | ").map(str::trim).collect::<Vec<_>>(), ["Hello, Ada!", "Hello, Ada!"]);
    assert_eq!(versions(server), [Value::Null, json!("2026-07-28")]);
});

each_peer!(rounds fn a_tool_that_may_change_something_is_not_called_at_all(server) {
    let run = both(server, &["count"]).code(2).stderr_has("runs count twice, and it does not say that it only reads");
    run.stderr_has("--yes-twice allows it").check().nothing_left_running();
    assert_eq!(counted(server), 0);
    assert!(versions(server).is_empty());
    let output = both(server, &["count", "--json"]).code(2).any_stderr().check();
    assert_eq!(serde_json::from_str::<Value>(&output.stderr).unwrap()["error"]["kind"], "usage");
    assert_eq!(counted(server), 0);
});

each_peer!(rounds fn it_is_called_where_the_user_allows_it(server) {
    let output = both(server, &["count", "--yes-twice"]).any_stdout().any_stderr().run();
    assert_eq!(counted(server), 2, "{}", output.report());
    // Over stdio each era has a process of its own, which counts from 1.
    let is_same = output.stdout.contains("The results are the same.");
    assert_eq!(output.code, if is_same { 0 } else { 8 }, "{}", output.report());
});

each_peer!(rounds fn what_differs_is_told(server) {
    let run = both(server, &["differs", "--yes-twice"]).code(8).stderr("mcpcall: error: the results differ in 1 place\n");
    run.stdout_has("The results differ:\n  /content/0/text: \"legacy\" | \"modern\"\n").check();
    let run = both(server, &["differs", "--yes-twice", "--json"]).code(8).any_stdout().any_stderr();
    let output = run.check();
    let told = output.json();
    assert_eq!(told["differs"], json!([{ "at": "/content/0/text", "legacy": "legacy", "modern": "modern" }]));
    assert_eq!(told["legacy"]["content"][0]["text"], "legacy");
    // As they came.
    assert_eq!(told["modern"]["resultType"], "complete");
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!((&error["error"]["kind"], &error["error"]["exit"]), (&json!("expectation"), &json!(8)));
});

each_peer!([rounds_python_http] fn the_difference_reads_well(server) {
    snapshot!(both(server, &["differs", "--yes-twice"]).run());
});

each_peer!(rounds fn a_question_gets_the_same_answer_in_both(server) {
    let run = both(server, &["ask", "--yes-twice", "--answer", "name=Ada"]).stdout_has("The results are the same.\n");
    let output = run.stdout_has("Hello, Ada!").check();
    assert_eq!(output.stdout.matches("Hello, Ada!").count(), 2, "{}", output.report());
    let run = both(server, &["ask", "--yes-twice", "--on-elicit", "decline"]).stdout_has("The results are the same.\n");
    run.stdout_has("declined").check();
    // An entry that is used up by the first call serves the second too.
    let once = json!({ "version": 1, "answers": [
        { "on": "elicitation", "action": "accept", "content": { "name": "Ada" }, "times": 1 }] });
    let run = both(server, &["ask", "--yes-twice", "--auto-answer", "a.json"]).file("a.json", once.to_string());
    run.stdout_has("The results are the same.\n").check();
});

each_peer!(rounds fn a_person_is_asked_once(server) {
    let mut terminal = both(server, &["ask", "--yes-twice"]).terminal();
    terminal.wait_for("What is your name?").wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}\n{}", end.screen, end.stdout);
    assert_eq!(end.stdout.matches("Hello, Ada!").count(), 2, "{}", end.stdout);
    let asked = String::from_utf8_lossy(&end.raw).matches("(Rounds)").count();
    assert_eq!(end.screen.matches("What is your name?").count(), 1, "{asked}: {}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
});

each_peer!([rounds_python_stdio, rounds_node_http] fn a_wizard_is_gone_through_once(server) {
    let mut terminal = both(server, &["wizard", "--yes-twice"]).terminal();
    terminal.wait_for("Which city?").wait_for("Enter: send").send("Oslo").send(ENTER);
    terminal.wait_for("Which street in Oslo?").wait_for("Enter: send").send("Kirkeveien").send(ENTER);
    terminal.wait_for("Which number in Kirkeveien, Oslo?").wait_for("Enter: send").send("7").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}\n{}", end.screen, end.stdout);
    assert!(end.stdout.contains("The results are the same."), "{}", end.stdout);
});

each_peer!([rounds_python_legacy_stdio, rounds_python_legacy_http, rounds_node_legacy_stdio, rounds_node_legacy_http]
fn a_server_of_the_handshake_era_is_told(server) {
    let run = both(server, &["greet"]).code(4).any_stdout().stderr_has("does not speak 2026-07-28");
    run.stderr_has("--protocol legacy may work").check().nothing_left_running();
    // Never in an era that is not spoken, and never twice.
    both(server, &["count"]).code(4).any_stdout().any_stderr().check();
    assert!(counted(server) <= 1, "{:?}", server.log());
    assert!(versions(server).iter().all(Value::is_null), "{:?}", server.log());
});

each_peer!([rounds_python_modern_stdio, rounds_python_modern_http, rounds_node_modern_stdio, rounds_node_modern_http]
fn a_server_without_a_handshake_is_told(server) {
    let run = both(server, &["greet"]).code(4).any_stdout().stderr_has("handshake failed");
    run.stderr_has("--protocol modern may work").check().nothing_left_running();
    let output = both(server, &["greet", "--json"]).code(4).any_stdout().any_stderr().check();
    let told = output.json();
    assert_eq!(told["legacy"]["error"]["kind"], "connect");
    assert_eq!(told["modern"]["content"][0]["text"], "Hello, World!");
});

each_peer!([rounds_python_stdio, rounds_node_http] fn a_tool_of_the_old_way_fails_in_one_only(server) {
    let run = both(server, &["push", "--yes-twice", "--answer", "name=Ada"]).any_stdout().any_stderr();
    let output = run.run();
    assert!([5, 6, 8].contains(&output.code), "{}", output.report());
    assert!(output.stdout.contains("Hello, Ada!") && output.stdout.contains("The results differ:"), "{}", output.report());
});

#[test]
fn it_goes_with_a_call_only() {
    for args in [&["list"][..], &["listen"], &["request", "ping"]] {
        let run = mcpcall(args).args(["--protocol", "both", "--", "sh", "-c", "touch started; cat"]);
        run.code(2).stderr("mcpcall: error: --protocol both goes with a call only\n").check();
    }
}

#[test]
fn a_server_that_cannot_be_reached_is_one_failure() {
    let run = mcpcall(["t", "--protocol", "both", "--url", "http://127.0.0.1:1/mcp"]).code(4);
    let output = run.stderr_has("cannot connect").check();
    assert_eq!(output.stderr.lines().filter(|line| line.contains("error:")).count(), 1, "{}", output.report());
}
