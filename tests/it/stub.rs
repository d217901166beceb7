//! `mcpcall answers stub`: an answer file from a trace.

use crate::support::run::{Stdin, mcpcall};
use crate::support::scripted::case;
use serde_json::{Value, json};

each_peer!([python_v2_stdio, python_v2_http, rust_stdio] fn a_trace_becomes_an_answer_file(server) {
    let traced = |answers: &[&str]| {
        let run = mcpcall(["issue_card", "--trace-file", "trace"]).args(answers).on(server).any_stdout().any_stderr();
        run.run().file("trace")
    };
    // Not answered: an entry to fill in. Answered: what was said.
    for (answers, content, code) in [(&[][..], "", 7), (&["--answer", "name=Ada"], "Ada", 0)] {
        let trace = traced(answers);
        let output = mcpcall(["answers", "stub", "t.ndjson"]).file("t.ndjson", &trace).any_stdout().check();
        let entry = &output.json()["answers"][0];
        assert_eq!(entry["content"], json!({ "name": content }), "{code}");
        let same = mcpcall(["answers", "stub", "-"]).stdin(Stdin::Text(trace)).any_stdout().check();
        assert_eq!(same.stdout, output.stdout);
        let run = mcpcall(["issue_card", "--auto-answer", "a.json", "--no-input"]).file("a.json", &output.stdout).on(server);
        run.stdout(format!("Card issued to {content}.\n")).check();
    }
});

each_peer!(rounds fn the_questions_of_rounds_are_found_too(server) {
    let args = ["several", "--protocol", "modern", "--answer", "name=Ada", "--root", "/", "--sampling-text", "A summary.", "--trace-file", "trace"];
    let output = mcpcall(args).on(server).any_stdout().check();
    let stub = mcpcall(["answers", "stub", "t"]).file("t", output.file("trace")).any_stdout().check();
    let kinds: Vec<Value> = stub.json()["answers"].as_array().unwrap().iter().map(|entry| entry["on"].clone()).collect();
    assert_eq!(kinds.len(), 3);
    let run = mcpcall(["several", "--protocol", "modern", "--auto-answer", "a.json", "--no-input"]).file("a.json", &stub.stdout);
    run.on(server).stdout(output.stdout.clone()).check();
});

#[test]
fn a_trace_without_questions_and_what_is_no_trace() {
    let Some(server) = case("stdio_noise", &["all"]) else { return };
    let trace = mcpcall(["t", "--trace-file", "t"]).on(&server).any_stdout().any_stderr().check().file("t");
    let run =
        mcpcall(["answers", "stub", "t"]).file("t", trace).stderr("mcpcall: warning: the trace has no questions\n");
    assert_eq!(run.any_stdout().check().json(), json!({ "version": 1, "answers": [] }));
    let wrong = "mcpcall: error: t: line 2 is no record of a trace\n  --trace-file writes one\n";
    mcpcall(["answers", "stub", "t"]).file("t", "{}\nhello\n").code(2).stderr(wrong).check();
    mcpcall(["answers", "stub", "none"]).code(2).stderr_has("none: No such file").check();
}

#[test]
fn secrets_of_a_trace_do_not_come_out() {
    let schema = r#"{"type": "object", "properties": {"password": {"type": "string"}}, "required": ["password"]}"#;
    let Some(server) = case("stdio_form", &[schema]) else { return };
    let run = mcpcall(["t", "--trace-file", "t", "--answer", "password=hush"]).on(&server).any_stdout();
    let trace = run.check().file("t");
    let stub = mcpcall(["answers", "stub", "t"]).file("t", trace).any_stdout();
    let output = stub.stderr("[answers] it needs these variables set: PASSWORD\n").check();
    assert!(output.stdout.contains("${PASSWORD}") && !output.stdout.contains("hush"), "{}", output.stdout);
}
