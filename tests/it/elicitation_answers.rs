//! Questions answered without a person: files, flags, policies, and strict accounting.

use crate::support::run::mcpcall;
use serde_json::{Value, json};

fn answers(entries: Value) -> String {
    json!({ "version": 1, "answers": entries }).to_string()
}

each_peer!([python_v2_stdio, python_v2_http] fn entries_are_matched_by_what_is_asked(server) {
    // In the order of the file neither would come first by chance.
    let file = answers(json!([
        { "on": "elicitation", "match": { "message": "/copies/i" }, "action": "accept", "content": { "copies": 3 } },
        { "on": "elicitation", "match": { "tool": "other" }, "action": "cancel", "times": "any" },
        { "on": "elicitation", "match": { "tool": "ask_twice", "message": "What name should go on the card?" },
          "action": "accept", "content": { "name": "Ada" } },
    ]));
    mcpcall(["ask_twice", "--auto-answer", "a.json", "--lenient-answers"])
        .file("a.json", file)
        .on(server)
        .stdout("3 cards for Ada.\n")
        .check();
});

each_peer!([python_v2_stdio, rust_stdio] fn fields_tell_questions_apart(server) {
    let tool = if server.stdio_command().iter().any(|word| word.ends_with("library")) { "reserve_book" } else { "two_fields" };
    let file = answers(json!([
        { "on": "elicitation", "match": { "fields": ["nothing"] }, "action": "cancel" },
        { "on": "elicitation", "match": { "fields": ["copies"] }, "action": "decline" },
    ]));
    let run = mcpcall([tool, "--auto-answer", "a.json"]).file("a.json", file).on(server);
    run.code(8).stdout_has("No ").stderr("mcpcall: error: answers left unused: /answers/0\n  --lenient-answers lets them be\n").check();
});

each_peer!([python_v2_stdio] fn strings_in_answers_take_the_fields_type_and_titles_become_values(server) {
    let run = mcpcall(["two_fields", "--answer", "name=Ada", "--answer", "copies=2"]).on(server);
    run.stdout("2 cards for Ada.\n").check();
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["answer"]["content"], json!({"name": "Ada", "copies": 2}));
});

each_peer!([python_v2_stdio, python_v1_http] fn defaults_are_filled_in(server) {
    let expected = json!({"nickname": "Ada", "books": 3, "rating": 4.5, "shelf": "fiction", "newsletter": true});
    let run = mcpcall(["elicit_zoo", "--on-elicit", "defaults"]).on(server).run();
    assert_eq!((run.code, run.json()), (0, expected));
    let file = answers(json!([{ "on": "elicitation", "action": "accept", "content": { "books": 9 }, "fill": "defaults" }]));
    let run = mcpcall(["elicit_zoo", "--auto-answer", "a.json"]).file("a.json", file).on(server).run();
    assert_eq!(run.json()["books"], 9);
});

each_peer!([python_v2_stdio] fn an_answer_that_does_not_fit_is_never_sent(server) {
    let file = answers(json!([{ "on": "elicitation", "action": "accept", "content": { "name": "A", "copies": 9 } }]));
    mcpcall(["two_fields", "--auto-answer", "a.json"])
        .file("a.json", file)
        .on(server)
        .code(2)
        .stderr_has("entry 0 of the answer file (/answers/0) does not fit the form: name ")
        .stderr_has("copies ")
        .check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["error"]["code"], -32603);
});

each_peer!([python_v2_stdio] fn a_wrong_answer_can_be_sent_on_purpose(server) {
    let entry = json!({ "on": "elicitation", "action": "accept", "content": { "copies": "many" }, "invalid": true });
    let run = mcpcall(["two_fields", "--auto-answer", "a.json"]).file("a.json", answers(json!([entry]))).on(server);
    run.code(5).stdout_has("two_fields").any_stderr().check();
    let refused = server.wait_for_entry(|entry| entry["ask"] == "elicitation")["error"]["text"].to_string();
    assert!(refused.contains("does not match the requested schema"), "{refused}");
});

each_peer!([python_v2_stdio, rust_http] fn an_entry_can_refuse_with_an_error(server) {
    let entry = json!({ "on": "elicitation", "error": { "code": -32001, "message": "not today" }, "delay_ms": 1 });
    let run = mcpcall(["issue_card", "--auto-answer", "a.json"]).file("a.json", answers(json!([entry]))).on(server);
    run.code(6).stderr_has("-32001").stderr_has("not today").check();
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio, rust_http] fn parallel_questions_get_their_own_answers(server) {
    let tool = if server.peer.server == crate::support::peers::Server::Rust { "ask_many" } else { "parallel" };
    let field = if tool == "parallel" { "name" } else { "answer" };
    let entries: Vec<Value> = (1..=10)
        .rev()
        .map(|i| json!({ "on": "elicitation", "match": { "message": format!("/(reader|Question) {i}\\b/") },
                         "action": "accept", "content": { field: format!("r{i}") } }))
        .collect();
    mcpcall([tool, "n=10", "--auto-answer", "a.json"])
        .file("a.json", answers(json!(entries)))
        .on(server)
        .stdout("r1, r2, r3, r4, r5, r6, r7, r8, r9, r10\n")
        .check();
});

#[test]
fn a_file_that_is_not_there_and_a_flag_that_says_nothing_are_exit_2() {
    mcpcall(["t", "--auto-answer", "none.json", "--", "/nope"])
        .code(2)
        .stderr_has("--auto-answer none.json: No such file")
        .check();
    mcpcall(["t", "--answer", "name", "--", "/nope"]).code(2).stderr_has("--answer name: not FIELD=VALUE").check();
}

each_peer!([python_v2_stdio] fn environment_is_expanded_in_answers(server) {
    mcpcall(["issue_card", "--auto-answer", "a.json"])
        .file("a.json", r#"{"name": "${WHO} Lovelace"}"#)
        .env("WHO", "Ada")
        .on(server)
        .stdout("Card issued to Ada Lovelace.\n")
        .check();
});

each_peer!([rust_stdio] fn a_version_without_elicitation_declares_none(server) {
    let run = mcpcall(["issue_card", "--answer", "name=Ada", "--protocol", "2025-03-26"]).on(server);
    run.code(7).stderr_has("nobody answered: What name").check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["error"]["code"], -32600);
});
