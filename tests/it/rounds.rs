//! Rounds of 2026-07-28: a call that ends with questions is made again with their answers, until it ends for good. The
//! Rounds server, on two SDKs and over two transports, says what it got.

use std::collections::HashSet;

use crate::support::peers::{Running, Sdk, Server, Transport};
use crate::support::run::{Run, Stdin, mcpcall};
use crate::support::scripted::{Case, case};
use crate::support::terminal::keys::{CTRL_C, ENTER};
use rustix::process::Signal;
use serde_json::{Value, json};

const PARCEL: &str = r#"{"city": "Oslo", "street": "Kirkeveien", "number": 7}"#;

/// A call of this tool in the modern era.
fn modern<'a>(server: &'a Running, words: &[&str]) -> Run<'a> {
    mcpcall(words).args(["--protocol", "modern"]).on(server)
}

/// The params of each call that reached the server, in order.
fn calls(server: &Running) -> Vec<Value> {
    server
        .log()
        .into_iter()
        .filter(|entry| entry["method"] == "tools/call")
        .map(|entry| entry["params"].clone())
        .collect()
}

fn is_python(server: &Running) -> bool {
    matches!(server.peer.server, Server::Rounds(Sdk::Python, _))
}

each_peer!(rounds fn a_question_is_answered_and_the_call_made_again(server) {
    modern(server, &["ask", "--answer", "name=Ada"]).stdout("Hello, Ada!\n").check().nothing_left_running();
    let calls = calls(server);
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0].get("inputResponses").is_none() && calls[0].get("requestState").is_none(), "{}", calls[0]);
    let responses: Vec<&Value> = calls[1]["inputResponses"].as_object().unwrap().values().collect();
    assert_eq!(responses, [&json!({ "action": "accept", "content": { "name": "Ada" } })]);
    assert!(calls[1]["requestState"].is_string(), "{}", calls[1]);
    // All else is repeated, and under another id.
    for key in ["name", "arguments"] {
        assert_eq!(calls[0][key], calls[1][key]);
    }
    for key in ["protocolVersion", "clientInfo", "clientCapabilities"] {
        let key = format!("io.modelcontextprotocol/{key}");
        assert!(calls[0]["_meta"].get(&key).is_some(), "{key}");
        assert_eq!(calls[0]["_meta"][&key], calls[1]["_meta"][&key]);
    }
    let sent = server.log();
    let ids: HashSet<String> = sent.iter().filter(|e| e["method"] == "tools/call").map(|e| e["id"].to_string()).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
});

each_peer!([rounds_python_http, rounds_node_http] fn a_retry_has_the_headers_of_the_call(server) {
    modern(server, &["ask", "--answer", "name=Ada"]).stdout("Hello, Ada!\n").check();
    let sent = server.log();
    let headers: Vec<&Value> = sent.iter().filter(|e| e["method"] == "tools/call").map(|e| &e["headers"]).collect();
    let expected = json!({ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "ask" });
    assert_eq!(headers, [&expected, &expected]);
});

each_peer!(rounds fn a_person_may_say_no(server) {
    modern(server, &["ask", "--on-elicit", "decline"]).stdout("declined\n").check();
    modern(server, &["ask", "--on-elicit", "cancel"]).stdout("cancelled\n").check();
});

each_peer!(rounds fn nobody_there_ends_the_call(server) {
    modern(server, &["ask", "--on-elicit", "fail", "--answer", "other=x"]).code(7).stderr_has("name").check();
    assert_eq!(calls(server).len(), 1);
});

each_peer!(rounds fn every_round_is_answered_in_turn(server) {
    let run = modern(server, &["wizard", "--auto-answer", "a.json"]);
    let entries = json!({ "version": 1, "answers": [
        { "on": "elicitation", "match": { "message": "Which number in Kirkeveien, Oslo?" }, "action": "accept", "content": { "number": 7 } },
        { "on": "elicitation", "match": { "message": "/street in oslo/i" }, "action": "accept", "content": { "street": "Kirkeveien" } },
        { "on": "elicitation", "match": { "fields": ["city"] }, "action": "accept", "content": { "city": "Oslo" } },
    ] });
    run.file("a.json", entries.to_string()).stdout("Parcel for Kirkeveien 7, Oslo.\n").check();
    // Each carries the answers to the latest questions alone.
    let answered: Vec<usize> =
        calls(server).iter().map(|call| call["inputResponses"].as_object().map_or(0, serde_json::Map::len)).collect();
    assert_eq!(answered, [0, 1, 1, 1]);
});

each_peer!(rounds fn verbose_tells_of_each_round(server) {
    let run = modern(server, &["wizard", "-v", "--answer", "city=Oslo", "--answer", "street=Kirkeveien", "--answer", "number=7"]);
    let output = run.stdout("Parcel for Kirkeveien 7, Oslo.\n").any_stderr().check();
    for round in ["round 1", "round 2", "round 3"] {
        assert_eq!(output.stderr.lines().filter(|line| line.contains(round)).count(), 1, "{}", output.report());
    }
});

each_peer!(rounds fn a_text_answers_sampling(server) {
    modern(server, &["sample", "--sampling-text", "A summary."]).stdout("A summary.\n").check();
    let sent = &calls(server)[1]["inputResponses"];
    let response = sent.as_object().unwrap().values().next().unwrap();
    assert_eq!((&response["role"], &response["content"]), (&json!("assistant"), &json!({ "type": "text", "text": "A summary." })));
});

each_peer!(rounds fn roots_are_told(server) {
    modern(server, &["roots", "--root", "/", "--root", "file:///repo"]).any_stderr().stdout("file:///\nfile:///repo\n").check();
});

each_peer!(rounds fn a_round_may_ask_several_things_under_odd_keys(server) {
    let run = modern(server, &["several", "--answer", "name=Ada", "--root", "/", "--sampling-text", "A summary."]);
    run.stdout("name: Ada\nroots: file:///\nmodel: A summary.\n").check();
    let odd = if is_python(server) { "__proto__" } else { "constructor" };
    let calls = calls(server);
    let keys: HashSet<&str> = calls[1]["inputResponses"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, HashSet::from(["na\"me \\ é\u{2028}", odd, "9007199254740993"]));
});

each_peer!(rounds fn a_round_may_ask_nothing(server) {
    modern(server, &["state_only"]).stdout("After 2 rounds.\n").check();
    assert!(calls(server).iter().all(|call| call.get("inputResponses").is_none()));
});

each_peer!(rounds fn the_state_goes_back_byte_for_byte(server) {
    modern(server, &["tampered", "--answer", "name=Ada"]).stdout("Untouched, Ada.\n").check();
});

each_peer!(rounds fn no_state_goes_back_where_none_was_sent(server) {
    modern(server, &["no_state", "--answer", "name=Ada"]).stdout("Hello, Ada!\n").check();
    assert!(calls(server)[2].get("requestState").is_none());
});

each_peer!(rounds fn rounds_have_a_limit(server) {
    modern(server, &["endless", "--max-rounds", "2"]).code(6).stderr_has("rounds").check();
    assert_eq!(calls(server).len(), 3);
    let run = modern(server, &["endless", "ask=true", "--auto-answer", "a.json"]);
    let forever = json!({ "version": 1, "answers": [
        { "on": "elicitation", "action": "accept", "content": { "name": "Ada" }, "times": "any" }] });
    run.file("a.json", forever.to_string()).code(6).stderr_has("10").stderr_has("--max-rounds").check();
    assert_eq!(calls(server).len(), 3 + 11);
});

each_peer!(rounds fn a_refusal_that_has_no_form_ends_the_call(server) {
    modern(server, &["sample", "--sampling-cmd", "echo not today >&2; false"]).code(7).stderr_has("sampling").stderr_has("not today").check();
    assert_eq!(calls(server).len(), 1);
    let refuse = json!({ "version": 1, "answers": [{ "on": "roots", "error": { "code": -1, "message": "not today" } }] });
    let run = modern(server, &["roots", "--auto-answer", "a.json"]).file("a.json", refuse.to_string());
    run.code(7).stderr_has("roots").stderr_has("not today").check();
    assert_eq!(calls(server).len(), 2);
});

each_peer!(rounds fn what_was_not_declared_is_not_answered(server) {
    modern(server, &["undeclared", "kind=sampling"]).code(7).stderr_has("sampling").check();
    modern(server, &["undeclared", "kind=roots"]).code(7).stderr_has("roots").check();
    modern(server, &["undeclared", "kind=elicitation"]).code(7).stderr_has("elicitation").check();
    let run = modern(server, &["undeclared", "kind=sampling_tools", "--sampling-text", "x"]);
    run.code(7).stderr_has("tools").check();
    let run = modern(server, &["undeclared", "kind=roots", "--root", "/", "--no-cap", "roots"]);
    run.code(7).stderr_has("roots").any_stderr().check();
    assert!(calls(server).iter().all(|call| call.get("inputResponses").is_none()));
});

each_peer!(rounds fn a_round_that_is_not_well_made_is_told_in_a_line(server) {
    for how in ["list", "empty", "nothing", "unknown_method", "no_method", "not_an_object"] {
        let output = modern(server, &["bad_round", &format!("how={how}"), "--answer", "name=Ada"]).run();
        assert_eq!((output.code, output.stdout.as_str()), (6, ""), "{how}: {}", output.report());
        let told: Vec<&str> = output.stderr.lines().filter(|line| line.starts_with("mcpcall: ")).collect();
        assert!(told.len() == 1 && told[0].starts_with("mcpcall: error: tools/call: "), "{how}: {}", output.report());
    }
    assert_eq!(calls(server).len(), 6);
});

each_peer!(rounds fn a_result_without_type_is_complete_and_an_unknown_type_is_an_error(server) {
    modern(server, &["no_result_type"]).stdout("No type.\n").any_stderr().check();
    modern(server, &["odd_result_type"]).code(6).stderr_has("postponed").check();
});

each_peer!(rounds fn a_capability_that_is_needed_is_named_with_its_flag(server) {
    let run = modern(server, &["needs_sampling", "--sampling-text", "Rain."]);
    run.code(6).stderr_has("-32021").stderr_has("--sampling-tools").check();
    modern(server, &["needs_sampling", "--sampling-text", "Rain.", "--sampling-tools"]).stdout("Rain.\n").check();
});

each_peer!(rounds fn logs_come_in_every_round_that_asked_for_them(server) {
    let output = modern(server, &["log", "ask=true", "--answer", "name=Ada", "--log-level", "info"]).any_stderr().stdout("logged\n").check();
    for line in ["before the round", "after the round", "first half", "second half"] {
        assert!(output.stderr.contains(line), "{line}: {}", output.report());
    }
    assert!(!output.stderr.contains("a detail"), "{}", output.report());
    let levels: Vec<Value> = calls(server).iter().map(|call| call["_meta"]["io.modelcontextprotocol/logLevel"].clone()).collect();
    assert_eq!(levels, ["info", "info"]);
    let output = modern(server, &["log"]).any_stderr().stdout("logged\n").check();
    assert!(!output.stderr.contains("working"), "{}", output.report());
});

each_peer!(rounds fn a_tool_that_asks_the_old_way_has_a_hint(server) {
    let output = modern(server, &["push", "--answer", "name=Ada", "--lenient-answers"]).any_stdout().any_stderr().run();
    assert_eq!(output.code, if is_python(server) { 6 } else { 5 }, "{}", output.report());
    assert!(output.stderr.contains("--protocol legacy"), "{}", output.report());
    mcpcall(["push", "--answer", "name=Ada", "--protocol", "legacy"]).on(server).stdout("Hello, Ada!\n").check();
});

each_peer!(rounds fn prompts_and_resources_have_rounds_too(server) {
    let prompt = r#"{"name": "asked", "arguments": {"topic": "tea"}}"#;
    let run = modern(server, &["request", "prompts/get", prompt, "--answer", "name=Ada"]);
    run.stdout_has("Write about tea for Ada.").check();
    let resource = r#"{"uri": "res://asked/tea"}"#;
    modern(server, &["request", "resources/read", resource, "--answer", "name=Ada"]).stdout_has("tea, for Ada").check();
});

each_peer!(rounds fn a_call_stops_at_its_questions_and_is_taken_up_again(server) {
    let output = modern(server, &["wizard", "--stop-on-input", "--save-state", "state.json"]).code(7).any_stderr().check();
    assert_eq!(calls(server).len(), 1);
    let state = output.file("state.json");
    // The state knows the server.
    let resume = || mcpcall(["resume", "state.json", "--auto-answer", "a.json"]).file("state.json", &state).file("a.json", PARCEL);
    resume().stdout("Parcel for Kirkeveien 7, Oslo.\n").any_stderr().check();
    assert_eq!(calls(server).len(), 1 + 3);
    // It may be given again.
    resume().on(server).stdout("Parcel for Kirkeveien 7, Oslo.\n").any_stderr().check();
});

each_peer!(rounds fn a_call_taken_up_again_may_stop_again(server) {
    let output = modern(server, &["wizard", "--stop-on-input", "--save-state", "1.json"]).code(7).any_stderr().check();
    let stop = ["resume", "1.json", "--answer", "city=Oslo", "--stop-on-input", "--save-state", "2.json"];
    let output = mcpcall(stop).file("1.json", output.file("1.json")).code(7).any_stderr().check();
    let resume = ["resume", "2.json", "--answer", "street=Kirkeveien", "--answer", "number=7"];
    mcpcall(resume).file("2.json", output.file("2.json")).stdout("Parcel for Kirkeveien 7, Oslo.\n").any_stderr().check();
});

each_peer!(rounds fn control_c_is_told_to_the_server(server) {
    let run = modern(server, &["slow", "--log-level", "info"]).signal_after_stderr("sleeping", Signal::INT);
    run.code(130).any_stderr().check().nothing_left_running();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
    if server.peer.transport == Transport::Stdio {
        let call = server.log().into_iter().find(|entry| entry["method"] == "tools/call").unwrap();
        let told = server.wait_for_entry(|entry| entry["method"] == "notifications/cancelled");
        assert_eq!(told["params"]["requestId"], call["id"]);
    }
});

each_peer!(rounds fn a_call_that_takes_too_long_is_called_off(server) {
    modern(server, &["slow", "--timeout", "2"]).code(124).any_stderr().check().nothing_left_running();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
});

each_peer!(rounds fn a_big_result_comes_whole(server) {
    let output = modern(server, &["big", "megabytes=9"]).any_stdout().check();
    assert_eq!(output.stdout.len(), 9 << 20);
});

each_peer!(rounds fn a_call_is_made_once(server) {
    modern(server, &["count"]).stdout("1\n").check();
    assert_eq!(server.log().iter().filter(|entry| entry.get("counted").is_some()).count(), 1);
});

each_peer!(rounds fn a_person_answers_at_the_terminal(server) {
    let mut terminal = modern(server, &["ask"]).terminal();
    terminal.wait_for("What is your name?").wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Hello, Ada!\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
});

each_peer!(rounds fn a_person_is_led_through_the_rounds(server) {
    let mut terminal = modern(server, &["wizard"]).terminal();
    terminal.wait_for("Which city?").wait_for("Enter: send").send("Oslo").send(ENTER);
    terminal.wait_for("Which street in Oslo?").wait_for("Enter: send").send("Kirkeveien").send(ENTER);
    terminal.wait_for("Which number in Kirkeveien, Oslo?").wait_for("Enter: send").send("7").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Parcel for Kirkeveien 7, Oslo.\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
});

each_peer!([rounds_python_stdio, rounds_node_http] fn control_c_at_a_question_cancels_it(server) {
    let mut terminal = modern(server, &["ask"]).terminal();
    terminal.wait_for("Enter: send").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "cancelled\n"), "{}", end.screen);
});

each_peer!(rounds fn a_page_is_shown_and_the_call_made_again(server) {
    let entry = json!({ "version": 1, "answers": [
        { "on": "elicitation", "match": { "mode": "url", "host": "pay.example.com" }, "action": "accept" }] });
    let run = modern(server, &["url", "--auto-answer", "a.json", "--open", "never"]).file("a.json", entry.to_string());
    run.stdin(Stdin::Null).stdout("Page: accept.\n").any_stderr().check();
});

// How the version is agreed on.

each_peer!(rounds fn the_era_is_the_one_asked_for(server) {
    modern(server, &["differs"]).stdout("modern\n").check();
    mcpcall(["differs", "--protocol", "2026-07-28"]).on(server).stdout("modern\n").check();
    mcpcall(["differs", "--protocol", "legacy"]).on(server).stdout("legacy\n").check();
    mcpcall(["differs"]).on(server).stdout("legacy\n").check();
});

each_peer!([rounds_python_modern_stdio, rounds_python_modern_http, rounds_node_modern_stdio, rounds_node_modern_http]
fn a_modern_server_is_spoken_to_as_such(server) {
    mcpcall(["differs"]).on(server).stdout("modern\n").any_stderr().check();
    modern(server, &["differs"]).stdout("modern\n").check();
    mcpcall(["differs", "--protocol", "legacy"]).on(server).code(4).stderr_has("2026-07-28").check();
});

each_peer!([rounds_python_legacy_stdio, rounds_python_legacy_http, rounds_node_legacy_stdio, rounds_node_legacy_http]
fn an_old_server_is_not_called_in_the_new_way(server) {
    mcpcall(["differs"]).on(server).stdout("legacy\n").check();
    modern(server, &["count"]).code(4).stderr_has("does not speak 2026-07-28").stderr_has("--protocol legacy").check();
    assert!(server.log().iter().all(|entry| entry.get("counted").is_none()));
});

each_peer!([rounds_python_http, rounds_node_http, rounds_python_stdio, rounds_node_stdio] fn info_tells_what_the_server_is(server) {
    let run = mcpcall(["info"]).on(server).stdout_has("Rounds").stdout_has("2026-07-28").stdout_has("2025-11-25");
    run.stdout_has("Start with `ask`.").any_stderr().check();
});

// A server that counts every broken rule.

/// A call of the strict server, with all that it asks for.
fn strict<'a>(server: &'a Case, more: &[&str]) -> Run<'a> {
    let answers = ["t", "--answer", "name=Ada", "--root", "/srv", "--sampling-cmd", "cat >/dev/null; echo hi"];
    mcpcall(answers).args(more).on(server)
}

#[test]
fn every_rule_of_the_rounds_is_kept() {
    for protocol in ["modern", "2026-07-28"] {
        let Some(server) = case("stdio_modern_mrtr", &[]) else { return };
        let run = strict(&server, &["--protocol", protocol]).stdout("verdict: []\n").any_stderr();
        run.check().nothing_left_running();
        assert_eq!(server.methods(), [["server/discover", "tools/list"].as_slice(), &["tools/call"; 4]].concat());
        // Sampling with the tools of a newer flag declares more, and changes nothing else.
        let Some(server) = case("stdio_modern_mrtr", &[]) else { return };
        strict(&server, &["--protocol", protocol, "--sampling-tools"]).stdout("verdict: []\n").any_stderr().check();
    }
}

#[test]
fn auto_finds_the_strict_server_after_its_handshake_was_refused() {
    let Some(server) = case("stdio_modern_mrtr", &[]) else { return };
    let run = strict(&server, &[]).code(5).stdout("verdict: ['initialize sent']\n").any_stderr();
    run.check().nothing_left_running();
}

#[test]
fn rounds_without_end_have_an_end() {
    // One of the rounds asks nothing but to be called again, which is counted apart.
    for (more, n_calls) in [(&[][..], 12), (&["--max-rounds", "4"], 6)] {
        let Some(server) = case("stdio_modern_mrtr", &["endless"]) else { return };
        let run = strict(&server, &["--protocol", "modern"]).args(more).code(6).stderr_has("--max-rounds");
        run.check().nothing_left_running();
        assert_eq!(server.methods().iter().filter(|method| *method == "tools/call").count(), n_calls);
    }
}
