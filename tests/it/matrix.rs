//! `--matrix`: a tool called once for each way to answer its first question.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use serde_json::{Value, json};

const ORDER: &str = r#"{"type": "object", "required": ["name", "copies"], "properties": {
    "name": {"type": "string", "minLength": 2}, "copies": {"type": "integer", "minimum": 1, "maximum": 5}}}"#;

/// The doubts of a table, by way.
fn doubts(table: &Value) -> Vec<(String, String)> {
    let rows = table["ways"].as_array().unwrap().iter();
    rows.filter_map(|row| Some((row["way"].as_str()?.to_owned(), row["doubt"].as_str()?.to_owned()))).collect()
}

#[test]
fn a_careful_server_stands_the_test() {
    let Some(server) = case("stdio_ask", &["Who, and how many?", ORDER]) else { return };
    let table = "\
t asks: Who, and how many?

  accept                  result: issued Ada 1
  without name            tool error: name is missing
  without copies          tool error: copies is missing
  name of a wrong type    tool error: name is no string
  name too short          tool error: name has a bad length
  copies of a wrong type  tool error: copies is no integer
  copies too small        tool error: copies is out of range
  copies too large        tool error: copies is out of range
  copies not whole        tool error: copies is no integer
  decline                 result: nothing issued
  cancel                  result: nothing issued
  refuse                  result: nothing issued
";
    mcpcall(["t", "--matrix", "--yes", "--answer", "name=Ada"])
        .on(&server)
        .stdout(table)
        .check()
        .nothing_left_running();
    // Each way had a process of its own.
    let n_opened = server.methods().iter().filter(|method| *method == "initialize").count();
    assert_eq!(n_opened, 12);
}

#[test]
fn a_server_that_takes_a_no_for_a_yes_is_found_out() {
    let Some(server) = case("stdio_ask", &["Who, and how many?", ORDER, "careless"]) else { return };
    let output = mcpcall(["t", "--matrix", "--yes"]).on(&server).code(8).any_stdout().any_stderr().check();
    let declined =
        "! decline                 result: issued\n                          (the same as for a valid answer)\n";
    assert!(output.stdout.contains(declined), "{}", output.report());
    let told = "mcpcall: error: 11 of 12 ways look wrong: without name, ";
    assert!(output.stderr.starts_with(told), "{}", output.report());
    let output = mcpcall(["t", "--matrix", "--yes", "--json"]).on(&server).code(8).any_stdout().any_stderr().check();
    let table = output.json();
    let doubts = doubts(&table);
    assert_eq!(doubts.len(), 11);
    assert_eq!(doubts[0], ("without name".into(), "taken as if it were valid".into()));
    assert_eq!(doubts[10], ("refuse".into(), "the same as for a valid answer".into()));
    assert_eq!((&table["tool"], &table["protocol"]), (&json!("t"), &json!("2025-11-25")));
    assert_eq!(table["ways"][9]["sent"], json!({ "action": "decline" }));
    assert_eq!(table["ways"][0]["result"]["content"][0]["text"], "issued");
    let failure: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(failure["error"]["kind"], "expectation");
}

#[test]
fn each_way_is_a_case_of_a_report() {
    let Some(server) = case("stdio_ask", &["Who, and how many?", ORDER, "hang"]) else { return };
    let args = ["t", "--matrix", "--yes", "--junit", "r.xml", "--timeout", "3"];
    let report = mcpcall(args).on(&server).code(8).any_stdout().any_stderr().check().file("r.xml");
    let counts = r#"<testsuite name="t" tests="12" failures="1" errors="0" skipped="0" time=""#;
    assert!(report.contains(counts), "{report}");
    assert!(report.contains(r#"<testcase classname="t" name="without name" time=""#), "{report}");
    let (_, failed) = report.split_once(r#"<testcase classname="t" name="decline" time=""#).expect(&report);
    let (_, failed) = failed.split_once('\n').unwrap();
    assert!(failed.starts_with("      <failure message=\"the call never ended\">no answer</failure>"), "{report}");
    // A call that comes to no question is one that failed.
    let args = ["t", "--matrix", "--yes", "--junit", "r.xml", "--", "/nope"];
    let report = mcpcall(args).code(4).any_stderr().check().file("r.xml");
    assert!(report.contains(r#"tests="1" failures="0" errors="1""#), "{report}");
}

#[test]
fn hanging_and_dying_are_told_and_asking_again_is_fine() {
    let Some(server) = case("stdio_ask", &["Who, and how many?", ORDER, "hang,crash,again"]) else { return };
    let run = mcpcall(["t", "--matrix", "--yes", "--timeout", "3", "--json"]).on(&server).code(8);
    let output = run.any_stdout().any_stderr().check();
    output.nothing_left_running();
    let table = output.json();
    let expected = [("decline", "the call never ended"), ("cancel", "the server is gone")];
    assert_eq!(doubts(&table), expected.map(|(way, doubt)| (way.to_owned(), doubt.to_owned())));
    let again = &table["ways"][1];
    assert_eq!((&again["asked_again"], &again["outcome"]), (&json!(1), &json!("result")), "{again}");
}

#[test]
fn nothing_is_called_without_yes() {
    let stderr = "mcpcall: error: --matrix calls t many times, once for each way to answer its first question\n  --yes allows it\n";
    mcpcall(["t", "--matrix", "--", "/nope"]).code(2).stderr(stderr).check();
    for (flags, told) in [
        (&["--protocol", "both"][..], "--matrix does not go with --protocol both"),
        (&["--stop-on-input"], "--matrix does not go with --stop-on-input"),
        (&["--record-answers", "r"], "--matrix does not go with --record-answers"),
    ] {
        mcpcall(["t", "--matrix", "--yes"]).args(flags).args(["--", "/nope"]).code(2).stderr_has(told).check();
    }
    let run = mcpcall(["t", "--matrix", "--yes", "--auto-answer", "a.json", "--", "/nope"]).code(2);
    let told = "\"expect\" of the answer file is for one call, and --matrix makes many";
    run.file("a.json", r#"{"expect": {"elicitations": 1}}"#).stderr_has(told).check();
}

#[test]
fn a_call_that_comes_to_no_question_has_no_matrix() {
    let Some(server) = case("stdio_noise", &["all"]) else { return };
    mcpcall(["t", "--matrix", "--yes"]).on(&server).code(8).stderr_has("t asked nothing").check();
    mcpcall(["t", "--matrix", "--yes", "--", "/nope"]).code(4).stderr_has("cannot start /nope").check();
    let Some(server) = case("stdio_ask", &["?", ORDER]) else { return };
    let run = mcpcall(["t", "--matrix", "--yes", "--answer", "name=A"]).on(&server).code(2);
    run.stderr_has("no valid answer to the first question: name ").check();
}

// Over HTTP where a server is slow to start: there are many connections.

each_peer!([python_v2_http, rust_stdio] fn the_sdks_check_what_comes(server) {
    let output = mcpcall(["issue_card", "--matrix", "--yes", "--answer", "name=Ada", "--json"]).on(server).any_stdout().check();
    let table = output.json();
    let outcome = |way: &str| {
        let row = table["ways"].as_array().unwrap().iter().find(|row| row["way"] == way).unwrap();
        row["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!([outcome("accept"), outcome("decline"), outcome("cancel")], ["result"; 3], "{table}");
    assert_ne!(outcome("without name"), "result");
});

each_peer!([rounds_python_http, rounds_node_http] fn rounds_have_a_matrix_too(server) {
    let run = mcpcall(["wizard", "--matrix", "--yes", "--protocol", "modern", "--json"]).on(server);
    let output = run.args(["--answer", "street=Kirkeveien"]).any_stdout().any_stderr().run();
    let table = output.json();
    let ways: Vec<&str> = table["ways"].as_array().unwrap().iter().map(|row| row["way"].as_str().unwrap()).collect();
    // A refusal cannot be told there.
    assert_eq!(ways, ["accept", "without city", "city of a wrong type", "decline", "cancel"], "{}", output.report());
    let text = &table["ways"][0]["result"]["content"][0]["text"];
    assert_eq!(text, "Parcel for Kirkeveien 1, example.", "{}", output.report());
});

each_peer!([python_v2_http] fn later_questions_get_the_given_answers(server) {
    let file = json!({ "answers": [
        { "on": "elicitation", "match": { "fields": ["copies"] }, "action": "accept", "content": { "copies": 4 } },
        { "on": "elicitation", "match": { "fields": ["name"] }, "action": "accept", "content": { "name": "Ada" } },
    ] });
    let run = mcpcall(["ask_twice", "--matrix", "--yes", "--auto-answer", "a.json"]).file("a.json", file.to_string());
    run.on(server).stdout_has("  accept                result: 4 cards for Ada.\n").check();
});
