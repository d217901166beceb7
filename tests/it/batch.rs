//! `mcpcall batch`: many calls on one connection, a line each.

use crate::support::peers::Running;
use crate::support::run::{Stdin, mcpcall};
use crate::support::scripted::case;
use rustix::process::Signal;
use serde_json::{Value, json};

fn rows(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn lines(lines: impl IntoIterator<Item = Value>) -> String {
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

/// `add` N times; the sums tell the lines apart.
fn sums(n: usize) -> String {
    lines((1..=n).map(|i| json!({ "tool": "add", "arguments": { "a": i, "b": 1 }, "id": i })))
}

#[track_caller]
fn sums_are_in_order(stdout: &str, n: usize) {
    let rows = rows(stdout);
    assert_eq!(rows.len(), n);
    for (at, row) in rows.iter().enumerate() {
        let expected = [json!(at + 1), json!(at + 1), json!(0), json!(at + 2)];
        let got = [&row["line"], &row["id"], &row["exit"], &row["result"]["structuredContent"]["sum"]];
        assert_eq!(got, expected.each_ref(), "{row}");
    }
}

fn calls(server: &Running) -> usize {
    server.log().iter().filter(|entry| entry.get("call").is_some()).count()
}

/// The most calls that were under way at once, as the server saw it.
fn most_at_once(server: &Running) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for entry in server.log() {
        now += usize::from(entry.get("call").is_some());
        now -= usize::from(entry.get("returned").is_some());
        most = most.max(now);
    }
    most
}

each_peer!([python_v2_stdio, python_v1_stdio] fn a_thousand_calls_on_one_server_come_in_order(server) {
    let run = mcpcall(["batch", "calls.ndjson", "--trace-file", "trace"]).file("calls.ndjson", sums(1000)).on(server);
    let output = run.any_stdout().check();
    sums_are_in_order(&output.stdout, 1000);
    assert_eq!(calls(server), 1000);
    // One handshake, and the tools are listed once.
    for method in ["\"initialize\"", "\"tools/list\""] {
        assert_eq!(output.file("trace").matches(&format!("\"method\":{method}")).count(), 1, "{method}");
    }
});

each_peer!([python_v2_stdio, python_v2_http, python_v1_http] fn eight_jobs_are_under_way_and_no_more(server) {
    let slow = |seconds: f64| json!({ "tool": "slow", "arguments": { "seconds": seconds } });
    // The first is the last to end.
    let calls = lines((0..20).map(|i| slow(if i == 0 { 1.5 } else { 0.3 })));
    let run = mcpcall(["batch", "-", "--jobs", "8"]).stdin(Stdin::Text(calls)).on(server);
    let output = run.any_stdout().check();
    assert_eq!(most_at_once(server), 8);
    let numbers: Vec<Value> = rows(&output.stdout).iter().map(|row| row["line"].clone()).collect();
    assert_eq!(numbers, (1..=20).map(Value::from).collect::<Vec<_>>());
});

each_peer!([python_v2_stdio] fn one_call_is_under_way_unless_more_are_asked_for(server) {
    let slow = json!({ "tool": "slow", "arguments": { "seconds": 0.1 } });
    mcpcall(["batch", "-"]).stdin(Stdin::Text(lines(vec![slow; 4]))).on(server).any_stdout().check();
    assert_eq!(most_at_once(server), 1);
});

each_peer!(fn a_line_that_fails_loses_no_other_and_tells_in_the_exit_code(server) {
    let calls = [
        r#"{"tool": "add", "arguments": {"a": 1, "b": 1}, "id": "first"}"#,
        "",
        r#"{"tool": "fail", "id": [1.50]}"#,
        r#"{"tool": "add", "arguments": {"a": "x", "b": 1}}"#,
        "{not json",
        r#"{"name": "add", "arguments": {"a": 2, "b": 1}}"#,
        r#"{"method": "ping"}"#,
        r#"{"method": "no/such"}"#,
        r#"{"tool": "add", "args": {}}"#,
        r#"{"tool": "add", "arguments": {"a": 3, "b": 1}}"#,
    ];
    let run = mcpcall(["batch", "calls.ndjson"]).file("calls.ndjson", calls.join("\n")).on(server).code(5);
    let output = run.any_stdout().stderr_has("5 of 9 lines failed, first line 3: tool fail reported an error").check();
    let rows = rows(&output.stdout);
    let seen: Vec<(u64, u64)> =
        rows.iter().map(|row| (row["line"].as_u64().unwrap(), row["exit"].as_u64().unwrap())).collect();
    assert_eq!(seen, [(1, 0), (3, 5), (4, 2), (5, 2), (6, 0), (7, 0), (8, 6), (9, 2), (10, 0)]);
    assert_eq!((&rows[0]["id"], rows[1]["id"].to_string().as_str()), (&json!("first"), "[1.50]"));
    assert_eq!(rows[1]["result"]["isError"], true);
    assert_eq!(rows[2]["error"]["message"], "argument a is not an integer");
    assert_eq!(rows[3]["error"]["message"], "the line is not JSON: key must be a string, at column 2");
    assert_eq!(rows[5]["result"], json!({}));
    assert_eq!(rows[6]["error"]["kind"], "protocol");
    assert_eq!(rows[8]["result"]["structuredContent"]["sum"], 4);
});

each_peer!([python_v2_stdio, rust_stdio] fn a_line_is_answered_before_the_next_is_written(server) {
    let mut run = mcpcall(["batch", "-"]).on(server).any_stdout().start();
    for a in 1..4 {
        run.write(&format!("{{\"tool\":\"add\",\"arguments\":{{\"a\":{a},\"b\":10}}}}\n"));
        run.wait_for_stdout(&format!("\"sum\":{}", a + 10));
    }
    run.end_stdin();
    assert_eq!(rows(&run.check().stdout).len(), 3);
});

each_peer!([python_v2_stdio] fn flags_say_what_is_checked_and_what_fails(server) {
    let calls = lines([json!({ "tool": "fail" }), json!({ "tool": "add", "arguments": { "a": "x", "b": 1 } })]);
    let run = |flags: &[&str]| {
        let run = mcpcall(["batch", "-", "--trace-file", "trace"]).args(flags).stdin(Stdin::Text(calls.clone()));
        run.on(server).any_stdout().any_stderr().run()
    };
    let output = run(&["--ignore-tool-error"]);
    assert_eq!(output.code, 2, "{}", output.report());
    let output = run(&["--ignore-tool-error", "--no-validate"]);
    // The server has an opinion of its own on the arguments, as a tool's error.
    assert_eq!((output.code, rows(&output.stdout).len()), (0, 2), "{}", output.report());
    assert!(!output.file("trace").contains("tools/list"), "nothing needs the schemas");
    let output = mcpcall(["--ignore-tool-error", "--no-validate", "batch", "-"]).stdin(Stdin::Text(calls.clone())).on(server).run();
    assert_eq!(output.code, 0, "flags before the verb count too: {}", output.report());
});

each_peer!([python_v2_stdio, python_v1_stdio, rust_stdio] fn one_ledger_of_answers_serves_all_lines(server) {
    let answers = json!({ "version": 1, "answers": [
        { "on": "elicitation", "action": "accept", "content": { "name": "Ada" } },
        { "on": "elicitation", "action": "decline" } ] });
    let run = |n: usize| {
        let run = mcpcall(["batch", "-", "--auto-answer", "a.json"]).file("a.json", answers.to_string());
        run.stdin(Stdin::Text(lines(vec![json!({ "tool": "issue_card" }); n]))).on(server)
    };
    let output = run(2).any_stdout().check();
    let texts: Vec<Value> = rows(&output.stdout).iter().map(|row| row["result"]["content"][0]["text"].clone()).collect();
    assert_eq!(texts, ["Card issued to Ada.", "No card issued."]);
    run(1).code(8).any_stdout().stderr_has("answers left unused: /answers/1").check();
    let output = run(3).code(7).any_stdout().stderr_has("1 of 3 lines failed, first line 3: ").stderr_has("\"on\":\"elicitation\"").check();
    let last = &rows(&output.stdout)[2];
    assert_eq!((&last["exit"], &last["error"]["kind"]), (&json!(7), &json!("unanswered")));
});

each_peer!([python_v2_http, python_v1_http] fn questions_of_calls_under_way_know_their_tool(server) {
    let answer = |tool: &str, content: Value| {
        json!({ "on": "elicitation", "match": { "tool": tool }, "action": "accept", "content": content, "times": "any" })
    };
    let answers = json!({ "version": 1, "answers": [
        answer("issue_card", json!({ "name": "Ada" })), answer("two_fields", json!({ "name": "Grace", "copies": 2 })) ] });
    let calls = (0..12).map(|i| json!({ "tool": if i % 2 == 0 { "issue_card" } else { "two_fields" } }));
    let run = mcpcall(["batch", "-", "--jobs", "6", "--auto-answer", "a.json"]).file("a.json", answers.to_string());
    let output = run.stdin(Stdin::Text(lines(calls))).on(server).any_stdout().check();
    for (at, row) in rows(&output.stdout).iter().enumerate() {
        let expected = if at % 2 == 0 { "Card issued to Ada." } else { "2 cards for Grace." };
        assert_eq!(row["result"]["content"][0]["text"], expected, "{row}");
    }
});

/// A call that asks, one that does not, and a line that never gets to the server, all under way at once.
fn asked_of_one_of_three(server: &Running) -> (Vec<Value>, String) {
    let calls = [r#"{"tool": "slow", "arguments": {"seconds": 1.0}}"#, r#"{"tool": "issue_card"}"#, "garbage"];
    let run =
        mcpcall(["batch", "-", "--jobs", "3", "--no-input"]).stdin(Stdin::Text(calls.join("\n"))).on(server).code(7);
    let output = run.any_stdout().any_stderr().check();
    (rows(&output.stdout), output.stderr.clone())
}

each_peer!([python_v2_http, python_v1_http] fn a_question_that_nobody_answered_fails_its_line_alone(server) {
    let (rows, stderr) = asked_of_one_of_three(server);
    let exits: Vec<&Value> = rows.iter().map(|row| &row["exit"]).collect();
    assert_eq!(exits, [0, 7, 2], "{rows:?}");
    assert!(rows[2]["error"]["message"].as_str().is_some_and(|why| why.contains("not JSON")), "{rows:?}");
    assert!(stderr.contains("2 of 3 lines failed, first line 2: "), "{stderr}");
    // Lines of one tool are told apart as well: what was issued is not the one that nobody answered.
    let answers = json!({ "version": 1, "answers": [
        { "on": "elicitation", "action": "accept", "content": { "name": "Ada" }, "times": 4 } ] });
    let calls = lines(vec![json!({ "tool": "issue_card" }); 8]);
    let run = mcpcall(["batch", "-", "--jobs", "8", "--no-input", "--auto-answer", "a.json"]);
    let run = run.file("a.json", answers.to_string()).stdin(Stdin::Text(calls)).on(server).code(7);
    let output = run.any_stdout().any_stderr().check();
    let mut n_issued = 0;
    for row in self::rows(&output.stdout) {
        let is_issued = row["result"]["content"][0]["text"] == "Card issued to Ada.";
        assert_eq!(row["exit"], if is_issued { 0 } else { 7 }, "{row}");
        n_issued += usize::from(is_issued);
    }
    assert_eq!(n_issued, 4, "{}", output.report());
});

each_peer!([python_v2_stdio, python_v1_stdio] fn a_question_of_which_nobody_knows_whose_it_is_fails_the_batch(server) {
    let (rows, stderr) = asked_of_one_of_three(server);
    // On stdio nothing says which call asks; its own tool failed over it.
    let exits: Vec<u64> = rows.iter().filter_map(|row| row["exit"].as_u64()).collect();
    assert!(matches!(exits[..], [0, 5 | 6, 2]), "{rows:?}");
    assert!(stderr.contains("2 of 3 lines failed, first line 2: "), "{stderr}");
    assert!(stderr.contains("--jobs 1 tells"), "{stderr}");
    assert!(stderr.contains("nobody answered: ") && stderr.contains(r#""on":"elicitation""#), "{stderr}");
});

each_peer!([python_v2_stdio] fn what_is_answered_is_recorded_once_for_all_lines(server) {
    let run = mcpcall(["batch", "-", "--answer", "name=Ada", "--record-answers", "r.json"]);
    let calls = lines(vec![json!({ "tool": "issue_card" }); 2]);
    let output = run.stdin(Stdin::Text(calls)).on(server).any_stdout().check();
    let recorded: Value = serde_json::from_str(&output.file("r.json")).unwrap();
    assert_eq!(recorded["answers"].as_array().map(Vec::len), Some(2), "{recorded}");
});

#[test]
fn a_server_that_dies_fails_the_lines_that_are_left() {
    let Some(server) = case("stdio_exit_early", &["call"]) else { return };
    let calls = lines(vec![json!({ "tool": "t" }); 5]);
    let run = mcpcall(["batch", "-"]).stdin(Stdin::Text(calls)).on(&server).code(4).any_stdout();
    let output = run.stderr_has("lines failed, first line 1: ").check();
    let rows = rows(&output.stdout);
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row["exit"] == 4), "{}", output.report());
}

each_peer!([python_v2_stdio, python_v2_http] fn control_c_ends_a_batch(server) {
    let calls = lines([json!({ "tool": "add", "arguments": { "a": 1, "b": 1 } }), json!({ "tool": "slow" }), json!({ "tool": "fail" })]);
    let run = mcpcall(["batch", "calls"]).file("calls", calls).on(server).code(130).any_stdout();
    let output = run.signal_after_log("\"call\": \"slow\"", Signal::INT).stderr_has("mcpcall: error: interrupted\n").check();
    assert_eq!(rows(&output.stdout).len(), 1, "{}", output.report());
    output.nothing_left_running();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
    // While it waits for a line, too.
    let mut run = mcpcall(["batch", "-"]).on(server).code(130).any_stdout().stderr("mcpcall: error: interrupted\n").start();
    run.write("{\"tool\":\"add\",\"arguments\":{\"a\":4,\"b\":1}}\n").wait_for_stdout("\"sum\":5");
    run.signal(Signal::INT);
    run.check().nothing_left_running();
});

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_any_length_takes_no_more_memory_than_it_may() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let big = tempfile::NamedTempFile::new().unwrap();
    big.as_file().set_len(700 << 20).unwrap();
    let script = format!("ulimit -v 700000; exec mcpcall batch {} --max-message-size 64K \"$@\"", big.path().display());
    // At a terminal, since lines are counted for a bar.
    let end = mcpcall(["-c", &script, "sh"]).within("sh").on(&server).terminal().finish();
    assert!(end.code == 2 && end.screen.contains("more than 65536 bytes in a line"), "{}", end.screen);
}

#[test]
fn what_is_for_one_call_is_no_flag_of_a_batch() {
    let no_server = ["--", "sh", "-c", "exit 9"];
    let expect = r#"{"version": 1, "answers": [], "expect": {"isError": false}}"#;
    let run = mcpcall(["batch", "-", "--auto-answer", "a.json"]).file("a.json", expect).args(no_server).code(2);
    run.stderr_has("\"expect\" of the answer file is for one call, and a batch makes many").check();
    for flags in [
        &["--junit", "r.xml"][..],
        &["--matrix"],
        &["--yes-twice"],
        &["--stop-on-input"],
        &["--save-state", "s"],
        &["--check"],
        &["--select", "/a"],
        &["--out", "o"],
        &["--show-images"],
    ] {
        let run = mcpcall(flags.iter().chain(&["batch", "-"])).args(no_server).code(2);
        run.stderr_has(&format!("{} is for one call, and a batch makes many", flags[0])).check();
    }
    let help = mcpcall(["batch", "--help"]).any_stdout().check().stdout;
    assert!(
        help.contains("--trace") && !["--select", "--out", "--show-images"].iter().any(|flag| help.contains(flag)),
        "{help}"
    );
    mcpcall(["batch", "-", "--protocol", "both"]).args(no_server).code(2).stderr_has("--protocol both").check();
    mcpcall(["batch", "no.ndjson"]).args(no_server).code(2).stderr_has("no.ndjson: No such file").check();
    mcpcall(["batch", "."]).args(no_server).code(2).stderr_has(".: is a folder").check();
    // stdin is read only for `-`.
    mcpcall(["batch"]).args(no_server).code(2).stderr_has("FILE|-").check();
    for jobs in ["0", "x", "1001"] {
        mcpcall(["batch", "-", "--jobs", jobs]).args(no_server).code(2).stderr_has("--jobs").check();
    }
}

each_peer!([python_v2_stdio] fn a_line_that_is_too_long_is_a_failure_of_its_own(server) {
    let long = format!("{{\"method\":\"ping\",\"id\":\"{}\"}}\n", "x".repeat(70_000));
    let calls = format!("{{\"method\":\"ping\"}}\n{long}{{\"method\":\"ping\"}}");
    let run = mcpcall(["batch", "-", "--max-message-size", "64K"]).stdin(Stdin::Text(calls)).on(server).code(2);
    let output = run.any_stdout().stderr_has("more than 65536 bytes in a line").check();
    let exits: Vec<Value> = rows(&output.stdout).iter().map(|row| row["exit"].clone()).collect();
    assert_eq!(exits, [0, 2, 0]);
});

each_peer!([python_v2_stdio] fn a_bar_shows_how_far_it_is(server) {
    let calls = format!("{}{}", sums(3), lines([json!({ "tool": "slow", "arguments": { "seconds": 60 } })]));
    let mut terminal = mcpcall(["batch", "calls"]).file("calls", &calls).on(server).terminal();
    terminal.wait_for("[###############-----] 3/4").signal(Signal::INT);
    let end = terminal.finish();
    assert_eq!(end.code, 130);
    assert!(!end.screen.contains("3/4"), "it is gone at the end: {}", end.screen);
    let terminal = mcpcall(["batch", "calls", "-q"]).file("calls", sums(3)).on(server).terminal();
    let end = terminal.finish();
    assert!(end.code == 0 && end.screen.is_empty(), "{}", end.screen);
});

each_peer!([python_v2_http] fn the_same_without_a_handshake(server) {
    let run = mcpcall(["batch", "-", "--jobs", "4", "--protocol", "modern"]).stdin(Stdin::Text(sums(20))).on(server);
    sums_are_in_order(&run.any_stdout().check().stdout, 20);
});
