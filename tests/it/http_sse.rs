//! HTTP+SSE, the transport of 2024-11-05, against the Python SDK 1.x that still serves it.

use crate::support::Target;
use crate::support::peers::Peer;
use crate::support::run::mcpcall;
use crate::support::terminal::keys::{CTRL_C, ENTER};
use rustix::process::Signal;
use serde_json::json;

each_peer!([python_v1_sse] fn a_scripted_answer_makes_the_round_trip(server) {
    let run = mcpcall(["issue_card", "--answer", "name=Ada"]).on(server);
    run.stdout("Card issued to Ada.\n").check();
    let answer = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(answer["answer"], json!({ "action": "accept", "content": { "name": "Ada" } }));
    let file = r#"{ "version": 1, "answers": [{ "on": "elicitation", "action": "decline" }] }"#;
    let run = mcpcall(["issue_card", "--auto-answer", "a.json"]).file("a.json", file).on(server);
    run.stdout("No card issued.\n").check();
    mcpcall(["issue_card"]).on(server).code(7).any_stdout().any_stderr().check();
});

each_peer!([python_v1_sse] fn a_person_answers_at_the_terminal(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("What name should go on the card?").wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("Enter: send").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "No card issued.\n"), "{}", end.screen);
});

each_peer!([python_v1_sse] fn the_other_kinds_are_answered_too(server) {
    mcpcall(["sample", "--sampling-text", "A summary."]).on(server).stdout_has(": A summary.\n").check();
    mcpcall(["sample", "--sampling-cmd", "echo made"]).on(server).any_stderr().stdout_has(": made\n").check();
    let run = mcpcall(["list_roots", "--root", "/", "--root", "file:///repo"]).on(server);
    run.stdout_has("file:///\n").stdout_has("file:///repo\n").any_stderr().check();
    mcpcall(["parallel", "n=3", "--answer", "name=Ada"]).on(server).stdout("Ada, Ada, Ada\n").any_stderr().check();
});

each_peer!([python_v1_sse] fn progress_is_shown(server) {
    let output = mcpcall(["count", "n=3", "-v"]).on(server).stdout_has("counted to 3\n").any_stderr().check();
    for step in ["book 1", "book 2", "book 3"] {
        assert!(output.stderr.contains(step), "{step}: {}", output.report());
    }
});

each_peer!([python_v1_sse] fn the_version_is_one_of_the_handshake_era(server) {
    mcpcall(["add", "a=2", "b=3", "--protocol", "2024-11-05"]).on(server).stdout_has("5").check();
    mcpcall(["list"]).on(server).stdout_has("issue_card").check();
    // 2026-07-28 never had this transport.
    let run = mcpcall(["fail", "--protocol", "modern"]).on(server).code(4).stderr_has("does not speak 2026-07-28");
    run.stderr_has("--protocol legacy may work").check();
    assert!(server.log().iter().all(|entry| entry["call"] != "fail"));
});

each_peer!([python_v1_sse] fn a_dead_path_tells_all_that_was_tried(server) {
    let address = server.args().pop().unwrap();
    let address = address.replace("/sse", "/nothing");
    let run = mcpcall(["add", "a=2", "b=3"]).url(&address).code(4);
    run.stderr_has("is no MCP endpoint: HTTP 404").stderr_has("tried too: ").stderr_has("HTTP+SSE of 2024-11-05").check();
});

each_peer!([python_v1_sse] fn control_c_is_told_to_the_server(server) {
    let run = mcpcall(["slow", "seconds=60"]).on(server).signal_after_log("\"call\": \"slow\"", Signal::INT);
    run.code(130).any_stderr().check();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
});

#[test]
fn a_server_that_dies_during_the_call_ends_it() {
    let Some(mut server) = Peer::named("python_v1_sse").start() else { return };
    let address = server.args().pop().unwrap();
    let calling = mcpcall(["slow", "seconds=60"]).url(&address).code(4).stderr_has("mcpcall: error: ").start();
    server.wait_for_entry(|entry| entry["call"] == "slow");
    server.kill();
    calling.check();
    // And while a question stands.
    let Some(mut server) = Peer::named("python_v1_sse").start() else { return };
    let address = server.args().pop().unwrap();
    let mut terminal = mcpcall(["issue_card"]).url(&address).terminal();
    terminal.wait_for("Enter: send");
    server.kill();
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (4, ""), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}
