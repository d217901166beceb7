//! `expect` of an answer file: what CI is told of a call, on stderr, in the exit code, and in a JUnit report.

use crate::support::output::Output;
use crate::support::peers::{Running, Server};
use crate::support::run::{Run, mcpcall};
use crate::support::scripted::case;
use crate::support::{on_path, setup};
use serde_json::{Value, json};

const NAME: &str = "What name should go on the card?";

/// A file with one answer, for the name on a card, and these expectations.
fn card(expect: Value) -> String {
    let entry = json!({ "on": "elicitation", "action": "accept", "content": { "name": "Ada" } });
    json!({ "version": 1, "answers": [entry], "expect": expect }).to_string()
}

fn only(expect: Value) -> String {
    json!({ "expect": expect }).to_string()
}

fn call<'a>(server: &'a Running, words: &[&str], file: String) -> Run<'a> {
    mcpcall(words).args(["--auto-answer", "a.json"]).file("a.json", file).on(server)
}

fn error(output: &Output) -> Value {
    serde_json::from_str::<Value>(output.stderr.lines().last().unwrap()).unwrap()["error"].clone()
}

each_peer!(fn what_holds_leaves_the_result_alone(server) {
    let expect = json!({ "elicitations": 1, "samplings": 0, "roots": { "max": 0 }, "rounds": 0, "isError": false,
        "result": { "/content/0/text": "/^Card issued/", "/content/0/type": "text" }, "never": ["sampling", "/delete/i"] });
    call(server, &["issue_card"], card(expect)).stdout("Card issued to Ada.\n").check();
});

each_peer!([python_v2_stdio, python_v1_http, rust_http] fn what_does_not_hold_is_a_line_each_and_exit_8(server) {
    let expect = json!({ "elicitations": { "min": 2 }, "rounds": 0, "isError": true,
        "result": { "/content/0/text": "/refused/", "/content/7": 1 }, "never": ["elicitation", "/what NAME/i"] });
    let stderr = format!("mcpcall: error: 6 of 7 expectations failed\n    \
        elicitations: expected at least 2, was 1\n    \
        isError: expected true, was false\n    \
        result /content/0/text: expected /refused/, was \"Card issued to Ada.\"\n    \
        result /content/7: expected 1, was nothing\n    \
        never: expected no elicitation request, was 1\n    \
        never: expected no question /what NAME/i, was \"{NAME}\"\n");
    call(server, &["issue_card"], card(expect.clone())).code(8).stdout("Card issued to Ada.\n").stderr(&*stderr).check();
    call(server, &["issue_card", "-q"], card(expect.clone())).code(8).any_stdout().stderr(&*stderr).check();
    let output = call(server, &["issue_card", "--json"], card(expect)).code(8).any_stdout().any_stderr().check();
    let error = error(&output);
    assert_eq!((&error["kind"], &error["exit"]), (&json!("expectation"), &json!(8)));
    assert_eq!(error["data"]["failed"][0], json!({ "name": "elicitations", "expected": "at least 2", "was": "1" }));
    assert_eq!((error["data"]["failed"].as_array().unwrap().len(), &error["data"]["unused"]), (6, &json!([])));
});

each_peer!([python_v2_http, rust_stdio] fn a_tool_error_that_is_expected_is_a_success(server) {
    call(server, &["fail"], only(json!({ "isError": true }))).any_stdout().check();
    let output = call(server, &["fail"], only(json!({ "isError": false }))).code(8).any_stdout().any_stderr().check();
    assert_eq!(output.stderr, "mcpcall: error: 1 of 1 expectation failed\n    isError: expected false, was true\n");
    // Where nothing is said of it, it is what it ever was, and what else failed is told too.
    let expect = only(json!({ "result": { "/content/0/text": "/fine/" }, "elicitations": 0 }));
    let output = call(server, &["fail"], expect.clone()).code(5).any_stdout().any_stderr().check();
    let [first, second] = output.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{}", output.report()) };
    assert!(first.starts_with("mcpcall: warning: expectation failed: result /content/0/text: expected /fine/, was"), "{first}");
    assert_eq!(second, "mcpcall: error: tool fail reported an error");
    call(server, &["fail", "--ignore-tool-error"], expect).code(8).any_stdout().any_stderr().check();
});

each_peer!([python_v2_stdio, rust_http] fn a_protocol_error_that_is_expected_is_a_success(server) {
    let file = |expect: Value| {
        let entry = json!({ "on": "elicitation", "error": { "code": -32001, "message": "not today" } });
        json!({ "answers": [entry], "expect": expect }).to_string()
    };
    for expect in [json!({}), json!({ "code": -32001 }), json!({ "code": -32001, "message": "/today/" })] {
        call(server, &["issue_card"], file(json!({ "error": expect }))).check();
    }
    let run = call(server, &["issue_card"], file(json!({ "error": { "code": -32002 }, "elicitations": 1 }))).code(8);
    run.stderr_has("1 of 2 expectations failed\n    error: expected a JSON-RPC error -32002, was a JSON-RPC error -32001 \"").check();
    // A result is none, and an error says nothing of isError.
    let run = call(server, &["issue_card"], card(json!({ "error": {} }))).code(8).any_stdout();
    run.stderr_has("error: expected a JSON-RPC error, was a result\n").check();
    let run = call(server, &["issue_card"], file(json!({ "isError": true }))).code(6);
    run.stderr_has("warning: expectation failed: isError: expected true, was a JSON-RPC error -32001").check();
});

each_peer!([python_v2_stdio, python_v1_http, rust_stdio] fn logs_are_asked_for_and_not_shown(server) {
    let tool = if server.peer.server == Server::Rust { "log" } else { "log_all" };
    let expect = json!({ "logs": ["/./", { "level": "debug" }, { "level": "emergency", "text": "/./" }, { "logger": "library" }] });
    call(server, &[tool], only(expect)).stdout("logged\n").check();
    let expect = json!({ "logs": [{ "level": "debug" }, { "level": "error", "text": "/no such thing/" }] });
    let stderr = "mcpcall: error: 1 of 2 expectations failed\n    \
        logs: expected a log of level error /no such thing/, was not among 8 logs\n";
    call(server, &[tool], only(expect)).code(8).stdout("logged\n").stderr(stderr).check();
});

#[test]
fn logs_are_asked_for_in_2026_07_28_too() {
    let Some(server) = case("stdio_logging", &["modern"]) else { return };
    let expect = only(json!({ "logs": [{ "level": "warning", "logger": "m", "text": "modern warning" }] }));
    let run = mcpcall(["t", "--protocol", "modern", "--auto-answer", "a.json"]).file("a.json", expect).on(&server);
    run.stdout("logged\n").check();
    server.wait_for_entry(|entry| entry["method"] == "tools/call" && entry["level"] == "warning");
}

each_peer!([python_v2_stdio, rust_stdio] fn what_must_not_be_asked_is_told_though_it_was_answered(server) {
    let tool: &[&str] = if server.peer.server == Server::Rust { &["summarize", "text=Emma"] } else { &["sample"] };
    let pattern = if server.peer.server == Server::Rust { "/Emma/" } else { "/catalogue/" };
    let run = mcpcall(tool).args(["--sampling-text", "fine", "--auto-answer", "a.json"]).on(server);
    let run = run.file("a.json", only(json!({ "never": ["roots", "sampling", pattern], "samplings": 1 })));
    let stderr_has = "2 of 4 expectations failed\n    never: expected no sampling request, was 1\n    never: expected no question /";
    run.code(8).any_stdout().stderr_has(stderr_has).check();
});

each_peer!([rounds_python_stdio, rounds_node_http] fn rounds_are_counted_from_the_beginning_of_the_call(server) {
    let expect = only(json!({ "rounds": 3, "elicitations": 3, "result": { "/content/0/text": "/Oslo/" } }));
    let answers = ["--answer", "city=Oslo", "--answer", "street=Kirkeveien", "--answer", "number=7"];
    let words = [&["wizard", "--protocol", "modern"], &answers[..]].concat();
    call(server, &words, expect.clone()).stdout("Parcel for Kirkeveien 7, Oslo.\n").check();
    // Put down after the first, the call goes on in another process, which is asked all three.
    let stop = ["wizard", "--protocol", "modern", "--stop-on-input", "--save-state", "state.json"];
    let output = call(server, &stop, expect.clone()).code(7).any_stderr().check();
    assert!(!output.stderr.contains("expectation"), "{}", output.stderr);
    let state = output.file("state.json");
    let words = [&["resume", "state.json"], &answers[..]].concat();
    call(server, &words, expect).file("state.json", &state).stdout("Parcel for Kirkeveien 7, Oslo.\n").check();
    let run = call(server, &words, only(json!({ "rounds": { "max": 2 } }))).file("state.json", &state);
    run.code(8).any_stdout().stderr_has("rounds: expected at most 2, was 3\n").check();
});

each_peer!([python_v2_stdio] fn what_goes_before_an_expectation_keeps_its_exit_code(server) {
    // Nobody answered: that is the cause of whatever else is wrong.
    let output = call(server, &["issue_card"], only(json!({ "elicitations": 0 }))).code(7).any_stdout().any_stderr().check();
    let words = "mcpcall: warning: expectation failed: elicitations: expected 0, was 1\nmcpcall: error: ";
    assert!(output.stderr.starts_with(words), "{}", output.stderr);
    // A call without an end is not judged.
    let run = call(server, &["slow", "seconds=60", "--timeout", "5"], only(json!({ "elicitations": 1, "isError": true })));
    let output = run.code(124).any_stderr().check();
    assert!(!output.stderr.contains("expectation"), "{}", output.stderr);
    // An unused answer is told with the rest.
    let run = call(server, &["add", "a=2", "b=3"], card(json!({ "result": { "/structuredContent/sum": 6 } })));
    let stderr = "mcpcall: error: 1 of 1 expectation failed; answers left unused: /answers/0\n  \
        --lenient-answers lets them be\n    result /structuredContent/sum: expected 6, was 5\n";
    run.code(8).any_stdout().stderr(stderr).check();
    // One call is what is expected of.
    let run = call(server, &["add", "a=2", "b=3", "--protocol", "both"], only(json!({ "roots": 0 })));
    run.code(2).stderr_has("\"expect\" of the answer file is for one call").check();
    let run = call(server, &["list"], only(json!({ "isError": false }))).any_stdout();
    run.stderr_has("warning: \"expect\" of the answer file is for calls: it was not checked").check();
});

/// What a real reader makes of a report: `name|class|outcome|message` of each case, after the counts.
fn read_report(output: &Output, name: &str) -> Option<Vec<String>> {
    let python = setup::or_skip(on_path("python3").ok_or_else(|| "there is no python3 on PATH".to_owned()))?;
    let script = "import sys, xml.etree.ElementTree as tree\n\
        suite = tree.fromstring(sys.stdin.buffer.read()).find('testsuite')\n\
        print(*(suite.get(k) for k in ('name', 'tests', 'failures', 'errors', 'skipped')))\n\
        for case in suite:\n    below = list(case)\n    \
        print(case.get('name'), case.get('classname'), *(f'{b.tag}: {b.get(\"message\")}' for b in below), sep='|')\n";
    let mut child = std::process::Command::new(python);
    child.args(["-c", script]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = child.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), output.file(name).as_bytes()).unwrap();
    let read = child.wait_with_output().unwrap();
    assert!(read.status.success(), "{}", output.file(name));
    Some(String::from_utf8(read.stdout).unwrap().lines().map(str::to_owned).collect())
}

each_peer!([python_v2_stdio] fn a_junit_report_has_a_case_for_the_call_and_each_expectation(server) {
    let expect = json!({ "elicitations": 1, "isError": false, "result": { "/content/0/text": "/<refused> & \"gone\"/" } });
    let run = call(server, &["issue_card", "--junit", "r.xml"], card(expect.clone())).code(8).any_stdout().any_stderr();
    let Some(report) = read_report(&run.check(), "r.xml") else { return };
    assert_eq!(report, [
        "mcpcall 5 1 0 0",
        "call|issue_card",
        "elicitations: 1|issue_card",
        "isError: false|issue_card",
        "result /content/0/text: /<refused> & \"gone\"/|issue_card|failure: result /content/0/text: expected /<refused> & \"gone\"/, was \"Card issued to Ada.\"",
        "answers are used|issue_card",
    ]);
    // Without a file there is the call.
    let run = mcpcall(["fail", "--junit", "r.xml"]).on(server).code(5).any_stdout().any_stderr();
    assert_eq!(read_report(&run.check(), "r.xml").unwrap(), ["mcpcall 1 1 0 0", "call|fail|failure: tool fail reported an error"]);
    // One that never ended: nothing else can be said.
    let run = call(server, &["slow", "seconds=60", "--timeout", "5", "--junit", "r.xml"], card(expect));
    let report = read_report(&run.code(124).any_stderr().check(), "r.xml").unwrap();
    assert_eq!(report[..2], ["mcpcall 5 0 1 4", "call|slow|error: no answer to tools/call within 5 s"]);
    assert!(report[2].ends_with("|skipped: the call did not come to its end"), "{report:?}");
    mcpcall(["fail", "--junit", "/no/such/dir/r.xml"]).on(server).code(2).stderr_has("--junit /no/such/dir/r.xml: ").check();
    assert!(server.log().iter().filter(|entry| entry["call"] == "fail").count() == 1);
});

#[test]
fn what_a_server_wrote_cannot_break_the_report() {
    let Some(server) = case("stdio_sampling", &["control"]) else { return };
    let expect = only(json!({ "never": ["/red/"], "samplings": 1 }));
    let run = mcpcall(["t", "--sampling-text", "x", "--auto-answer", "a.json", "--junit", "r.xml"]);
    let output = run.file("a.json", expect).on(&server).code(8).any_stdout().any_stderr().check();
    assert!(!output.file("r.xml").contains('\u{1b}') && !output.stderr.contains('\u{1b}'));
    let Some(report) = read_report(&output, "r.xml") else { return };
    assert_eq!(report[0], "mcpcall 3 1 0 0");
}

#[test]
fn files_that_would_overwrite_each_other_are_a_mistake() {
    for (first, second) in [
        (["--record-answers", "x"], ["--junit", "./x"]),
        (["--auto-answer", "a.json"], ["--junit", "a.json"]),
        (["--trace-file", "t"], ["--record-answers", "t"]),
    ] {
        let run = mcpcall(["t"]).args(first).args(second).file("a.json", "{}").args(["--", "/nope"]).code(2);
        run.stderr_has("name the same file").check();
    }
}
