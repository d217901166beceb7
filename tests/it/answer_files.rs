//! Answer files as files: what is right and what is wrong with them, for the program and for its JSON Schema alike.

use crate::support::answers::schema;
use crate::support::output::Output;
use crate::support::run::mcpcall;
use crate::support::scripted::case;
use serde_json::{Value, json};

/// What `answers check` says of a file, and whether the schema takes it.
fn look(text: &str) -> (Output, Option<bool>) {
    let output = mcpcall(["answers", "check", "a.json"]).file("a.json", text).env("WHO", "Ada").run();
    let schema = serde_json::from_str(text).ok().map(|value: Value| schema().is_valid(&value));
    (output, schema)
}

/// A list with one entry.
fn entry(entry: Value) -> String {
    json!({ "answers": [entry] }).to_string()
}

fn elicitation(more: Value) -> String {
    with(json!({ "on": "elicitation", "action": "accept" }), more)
}

fn roots(more: Value) -> String {
    with(json!({ "on": "roots", "roots": [] }), more)
}

/// An entry with more members; null takes one away.
fn with(mut base: Value, more: Value) -> String {
    for (key, value) in more.as_object().unwrap() {
        match value {
            Value::Null => drop(base.as_object_mut().unwrap().remove(key)),
            value => base[key] = value.clone(),
        }
    }
    entry(base)
}

fn expect(expect: Value) -> String {
    json!({ "expect": expect }).to_string()
}

#[test]
fn what_the_program_takes_the_schema_takes_too() {
    let design = r#"{ "version": 1,
      "answers": [
        { "on": "elicitation", "match": { "tool": "issue_card", "message": "/name/i", "fields": ["name"] },
          "action": "accept", "content": { "name": "Ada Lovelace" }, "fill": "defaults" },
        { "on": "elicitation", "match": { "mode": "url", "host": "pay.example.com" }, "action": "accept" },
        { "on": "elicitation", "match": { "key": "confirm", "round": 2 }, "action": "decline" },
        { "on": "sampling", "match": { "text": "/summar/i" }, "text": "A short summary.", "model": "canned", "times": "any" },
        { "on": "roots", "roots": ["file:///repo"] } ],
      "expect": { "elicitations": 2, "rounds": 2, "isError": false, "result": { "/content/0/text": "/issued/" } } }"#;
    for (text, words) in [
        (design.to_owned(), "5 answers, 4 expectations"),
        ("{}".into(), "the short form with 0 values"),
        (r#"{"name": "${WHO}"}"#.into(), "the short form with 1 value"),
        (r#"{"answers": "yes", "tags": ["a"]}"#.into(), "the short form with 2 values"),
        (r#"{"$schema": "x", "version": 1.0, "answers": []}"#.into(), "0 answers"),
        (elicitation(json!({"match": {"url": "/x/", "mode": "url", "key": "k", "round": 1.0}})), "1 answer"),
        (elicitation(json!({"times": 3, "delay_ms": 0, "invalid": false})), "1 answer"),
        (elicitation(json!({"action": "cancel", "match": {"fields": []}})), "1 answer"),
        (elicitation(json!({"action": null, "error": {"code": -1, "message": ""}})), "1 answer"),
        (elicitation(json!({"content": {}, "match": {"mode": "form"}})), "1 answer"),
        (entry(json!({"on": "sampling", "command": "cat"})), "1 answer"),
        (entry(json!({"on": "sampling", "command": ["cat", ""], "match": {"message": "x"}})), "1 answer"),
        (
            entry(json!({"on": "sampling", "result": {"role": "assistant", "content": {"type": "text", "text": ""}}})),
            "1 answer",
        ),
        (entry(json!({"on": "sampling", "error": {"code": 1, "message": "no"}})), "1 answer"),
        (
            roots(json!({"roots": [{"uri": "file:///x", "name": "ex"}, "file:///y"], "match": {"tool": "t"}})),
            "1 answer",
        ),
        (expect(json!({})), "0 answers"),
        (
            expect(json!({"elicitations": {"min": 1, "max": 2}, "samplings": 0, "roots": {"max": 0}, "isError": true})),
            "0 answers, 4 expectations",
        ),
        (expect(json!({"error": {"code": -32602, "message": "/re/"}})), "0 answers, 1 expectation"),
        (expect(json!({"result": {"": {}, "/a": [1], "/b": "/usr/bin"}})), "0 answers, 3 expectations"),
        (
            expect(json!({"logs": ["/started/", {"level": "info", "text": "/x/", "logger": "db"}, {}]})),
            "0 answers, 3 expectations",
        ),
        (expect(json!({"never": ["sampling", "/delete/i", "/a\nb/"]})), "0 answers, 3 expectations"),
    ] {
        let (output, schema) = look(&text);
        assert_eq!(output.stdout, format!("a.json: ok, {words}\n"), "{text}\n{}", output.report());
        assert_eq!((output.code, output.stderr.as_str(), schema), (0, "", Some(true)), "{text}");
    }
}

#[test]
fn what_the_program_refuses_the_schema_refuses_too() {
    let cases = [
        ("[]".into(), "1:1: an answer file is an object, not a list"),
        (r#"{"version": 2, "answers": []}"#.into(), "1:13: /version: is 2"),
        (r#"{"version": 1, "answers": "x"}"#.into(), "1:27: /answers: \"x\" is not a list"),
        (r#"{"version": 1, "expect": "x"}"#.into(), "1:26: /expect: expect is an object"),
        (r#"{"anwsers": [{"on": "roots"}]}"#.into(), "1:2: /anwsers: unknown key, did you mean answers?"),
        (r#"{"answers": [], "expects": {}}"#.into(), "1:17: /expects: unknown key, did you mean expect?"),
        (entry(json!("x")), "/answers/0: an answer is an object"),
        (entry(json!({"action": "accept"})), "/answers/0: has no \"on\""),
        (entry(json!({"on": 1})), "/answers/0/on: 1 is not a string"),
        (entry(json!({"on": "elicit"})), "/answers/0/on: unknown kind"),
        (elicitation(json!({"match": "x"})), "/answers/0/match: match is an object"),
        (elicitation(json!({"match": {"mesage": "x"}})), "/answers/0/match/mesage: unknown key, did you mean message?"),
        (elicitation(json!({"match": {"server": "x"}})), "/answers/0/match/server: unknown key"),
        (elicitation(json!({"match": {"text": "x"}})), "/answers/0/match/text: unknown key"),
        (elicitation(json!({"match": {"tool": 1}})), "/answers/0/match/tool: 1 is not a string"),
        (elicitation(json!({"match": {"message": null}})), "/answers/0/match/message: null is not a string"),
        (elicitation(json!({"match": {"key": []}})), "/answers/0/match/key: a list is not a string"),
        (elicitation(json!({"match": {"round": 0}})), "/answers/0/match/round: 0 is not a number from 1"),
        (elicitation(json!({"match": {"mode": "forms"}})), "/answers/0/match/mode: \"forms\" is none of form, url"),
        (elicitation(json!({"match": {"fields": "x"}})), "/answers/0/match/fields: is not a list of names"),
        (elicitation(json!({"match": {"host": 1}})), "/answers/0/match/host: 1 is not a string"),
        (elicitation(json!({"action": "reject"})), "/answers/0/action: \"reject\" is none of"),
        (elicitation(json!({"action": null})), "/answers/0: needs \"action\""),
        (elicitation(json!({"error": {"code": 1, "message": ""}})), "/answers/0: has \"action\" and \"error\""),
        (
            elicitation(json!({"action": null, "error": {"code": "1", "message": ""}})),
            "/answers/0/error: needs an integer",
        ),
        (elicitation(json!({"action": null, "error": {"code": 1}})), "/answers/0/error: needs a string \"message\""),
        (elicitation(json!({"content": []})), "/answers/0/content: is not an object"),
        (elicitation(json!({"contnet": {}})), "/answers/0/contnet: unknown key, did you mean content?"),
        (
            elicitation(json!({"action": "decline", "content": {}})),
            "/answers/0/content: goes with \"action\": \"accept\" only",
        ),
        (
            elicitation(json!({"content": {}, "match": {"mode": "url"}})),
            "/answers/0/content: is for forms, but match/mode",
        ),
        (elicitation(json!({"fill": true})), "/answers/0/fill: can only be \"defaults\""),
        (elicitation(json!({"invalid": 1})), "/answers/0/invalid: is not true or false"),
        (elicitation(json!({"times": 0})), "/answers/0/times: 0 is neither a count nor \"any\""),
        (elicitation(json!({"times": "all"})), "/answers/0/times: \"all\" is neither"),
        (elicitation(json!({"delay_ms": 1.5})), "/answers/0/delay_ms: 1.5 is not a number of milliseconds"),
        (elicitation(json!({"text": "x"})), "/answers/0/text: unknown key"),
        (entry(json!({"on": "sampling"})), "/answers/0: needs \"text\""),
        (entry(json!({"on": "sampling", "text": 1})), "/answers/0/text: is not a string"),
        (entry(json!({"on": "sampling", "text": "", "command": "x"})), "/answers/0: has \"text\" and \"command\""),
        (entry(json!({"on": "sampling", "result": {"role": "assistant"}})), "/answers/0/result: content is missing"),
        (entry(json!({"on": "sampling", "command": " "})), "/answers/0/command: is neither"),
        (entry(json!({"on": "sampling", "command": [""]})), "/answers/0/command: is not a list"),
        (
            entry(json!({"on": "sampling", "model": "m", "error": {"code": 1, "message": ""}})),
            "/answers/0/model: goes with a reply",
        ),
        (entry(json!({"on": "sampling", "text": "", "match": {"fields": []}})), "/answers/0/match/fields: unknown key"),
        (roots(json!({"match": {"message": "x"}})), "/answers/0/match/message: never holds"),
        (roots(json!({"roots": "file:///x"})), "/answers/0/roots: is not a list"),
        (roots(json!({"roots": ["/x"]})), "/answers/0/roots/0: `/x` is no file:// URI"),
        (roots(json!({"roots": [{"name": "x"}]})), "/answers/0/roots/0: needs a string \"uri\""),
        (roots(json!({"roots": [{"uri": "file:///", "nme": "x"}]})), "/answers/0/roots/0/nme: unknown key"),
        (roots(json!({"roots": null})), "/answers/0: needs \"roots\""),
        (expect(json!({"elicitation": 1})), "/expect/elicitation: unknown key, did you mean elicitations?"),
        (expect(json!({"rounds": "2"})), "/expect/rounds: \"2\" is neither a count"),
        (expect(json!({"rounds": {}})), "/expect/rounds: needs"),
        (expect(json!({"rounds": {"least": 1}})), "/expect/rounds/least: unknown key"),
        (expect(json!({"isError": 0})), "/expect/isError: 0 is not true or false"),
        (expect(json!({"error": {"code": "x"}})), "/expect/error/code: \"x\" is not an integer"),
        (expect(json!({"error": {}, "isError": true})), "/expect/error: goes without isError"),
        (expect(json!({"error": {}, "result": {}})), "/expect/error: goes without isError"),
        (expect(json!({"result": {"content": 1}})), "/expect/result/content: is no JSON pointer"),
        (expect(json!({"logs": [{"level": "warn"}]})), "/expect/logs/0/level: unknown level"),
        (expect(json!({"logs": {}})), "/expect/logs: an object is not a list"),
        (
            expect(json!({"never": ["samplings"]})),
            "/expect/never/0: is neither a kind of question, did you mean sampling?",
        ),
    ];
    for (text, words) in cases {
        let (output, schema) = look(&text);
        assert!(output.stderr.contains(words), "{text}\nnot {words}\n{}", output.report());
        assert!(output.stderr.starts_with("mcpcall: error: a.json:1:"), "{}", output.report());
        assert_eq!((output.code, output.stdout.as_str(), schema), (2, "", Some(false)), "{text}");
    }
    // What no schema can say.
    for (text, words) in [
        ("{\n  \"name\" 1\n}".to_owned(), "a.json:2:10: not JSON: expected `:`"),
        (r#"{"a": 1, "a": 2}"#.to_owned(), "a.json:1:10: /a: stands twice in its object (first at 1:2)"),
        (r#"{"a": "${NOT_SET}"}"#.to_owned(), "a.json:1:7: /a: ${NOT_SET} is not set in the environment"),
        (elicitation(json!({"match": {"message": "/(/"}})), "/answers/0/match/message: `/(/` is no regular expression"),
        (expect(json!({"rounds": {"min": 2, "max": 1}})), "/expect/rounds: min 2 is more than max 1"),
    ] {
        mcpcall(["answers", "check", "a.json"]).file("a.json", text).code(2).stderr_has(words).check();
    }
}

#[test]
fn all_mistakes_of_all_files_are_told_and_the_others_praised() {
    let wrong = "{\r\n  \"answers\": [\r\n    { \"on\": \"roots\", \"rots\": [], \"times\": 0 }\r\n  ]\r\n}\r\n";
    let run = || {
        let run = mcpcall(["answers", "check", "good.json", "bad.json", "worse.json"]);
        run.file("good.json", r#"{"a": 1}"#).file("bad.json", wrong).file("worse.json", "{")
    };
    let stderr = "mcpcall: error: bad.json:3:22: /answers/0/rots: unknown key, did you mean roots? (known: on, match, times, error, delay_ms, roots)\n    \
        bad.json:3:43: /answers/0/times: 0 is neither a count nor \"any\"\n    \
        worse.json:1:2: not JSON: EOF while parsing an object\n";
    run().code(2).stdout("good.json: ok, the short form with 1 value\n").stderr(stderr).check();
    let output = run().args(["--json"]).code(2).any_stdout().stderr_has("{").check();
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    let mistakes = &error["error"]["data"]["mistakes"];
    assert_eq!(mistakes.as_array().unwrap().len(), 3);
    assert_eq!(
        mistakes[0],
        json!({"file": "bad.json", "line": 3, "column": 22, "pointer": "/answers/0/rots",
               "message": "unknown key, did you mean roots? (known: on, match, times, error, delay_ms, roots)"})
    );
    mcpcall(["answers", "check", "none.json"]).code(2).stderr_has("none.json: No such file").check();
    mcpcall(["answers", "check"]).code(2).stderr_has("FILE").check();
    mcpcall(["answers"]).code(2).stderr_has("requires a subcommand").check();
}

#[test]
fn entries_that_can_never_be_used_are_doubted() {
    let file = "{ \"answers\": [\n  { \"on\": \"elicitation\", \"action\": \"decline\", \"times\": \"any\" },\n  \
                { \"on\": \"elicitation\", \"match\": { \"message\": \"/name/\" }, \"action\": \"accept\" },\n  \
                { \"on\": \"sampling\", \"text\": \"x\" } ] }";
    let run = || mcpcall(["answers", "check", "a.json"]).file("a.json", file).stdout("a.json: ok, 3 answers\n");
    let words = "/answers/1: is never reached: /answers/0 takes every question that it fits";
    run().stderr(format!("mcpcall: warning: a.json:3:3: {words}\n")).check();
    run().args(["-q"]).check();
    // What is for forms leaves the URLs to others.
    let file = json!({ "answers": [
        { "on": "elicitation", "action": "accept", "fill": "defaults", "times": "any" },
        { "on": "elicitation", "action": "decline" },
        { "on": "elicitation", "match": { "mode": "form" }, "action": "decline" } ] });
    let run = mcpcall(["answers", "check", "a.json"]).file("a.json", file.to_string());
    run.stdout("a.json: ok, 3 answers\n").stderr_has("/answers/2: is never reached: /answers/0").check();
}

#[test]
fn a_mistake_is_exit_2_before_anything_is_started() {
    let file = "{ \"answers\": [\n  { \"on\": \"elicitation\", \"action\": \"accept\",\n    \"match\": { \"mesage\": \"x\" } } ] }";
    let run = mcpcall(["t", "--auto-answer", "a.json", "--", "/nope"]).file("a.json", file);
    let words = "a.json:3:16: /answers/0/match/mesage: unknown key, did you mean message? (known: tool, message, key, round, fields, mode, host, url)";
    run.code(2).stderr(format!("mcpcall: error: {words}\n")).check();
}

#[test]
fn every_key_of_match_is_held_against_the_question() {
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}).to_string();
    let Some(form) = case("stdio_form", &[&schema]) else { return };
    let Some(text) = case("stdio_sampling", &["zoo"]) else { return };
    let cases = [
        (&form, "elicitation", json!({"tool": "t"}), true),
        (&form, "elicitation", json!({"tool": "u"}), false),
        (&form, "elicitation", json!({"message": "/^fill in/i"}), true),
        (&form, "elicitation", json!({"message": "Fill"}), false),
        (&form, "elicitation", json!({"mode": "form"}), true),
        (&form, "elicitation", json!({"mode": "url"}), false),
        (&form, "elicitation", json!({"fields": ["name"]}), true),
        (&form, "elicitation", json!({"fields": ["name", "age"]}), false),
        (&form, "elicitation", json!({"host": "/./"}), false),
        (&form, "elicitation", json!({"url": "/./"}), false),
        // It belongs to no round.
        (&form, "elicitation", json!({"key": "/./"}), false),
        (&form, "elicitation", json!({"round": 1}), false),
        (&text, "sampling", json!({"text": "/Look at this/"}), true),
        (&text, "sampling", json!({"message": "/Look at this/", "tool": "t"}), true),
        (&text, "sampling", json!({"text": "Look at this"}), false),
    ];
    for (server, on, matching, fits) in cases {
        let error = json!({ "code": -7, "message": "it fits" });
        let file = entry(json!({ "on": on, "match": matching, "error": error }));
        let output = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file).on(server).any_stderr().run();
        let used = output.stdout.contains("it fits") || output.stderr.contains("it fits");
        assert_eq!(used, fits, "{matching}\n{}", output.report());
        assert_eq!(output.code == 7, !fits, "{matching}\n{}", output.report());
    }
}

each_peer!([rounds_python_stdio] fn keys_and_numbers_of_rounds_are_held_against_the_question(server) {
    for (matching, fits) in [
        (json!({"round": 1}), true),
        (json!({"round": 2}), false),
        (json!({"key": "/./"}), true),
        (json!({"key": "no such key"}), false),
    ] {
        let entry = json!({ "on": "elicitation", "match": matching, "action": "accept", "content": { "name": "Ada" } });
        let file = json!({ "answers": [entry] }).to_string();
        let run = mcpcall(["ask", "--protocol", "modern", "--auto-answer", "a.json"]).file("a.json", file).on(server);
        match fits {
            true => drop(run.stdout("Hello, Ada!\n").check()),
            false => drop(run.code(7).stderr_has("nobody answered").check()),
        }
    }
});

#[test]
fn urls_are_matched_by_host_and_address() {
    for (matching, fits) in [
        (json!({"mode": "url"}), true),
        (json!({"host": "/example/"}), true),
        (json!({"url": "/^https:/"}), true),
        (json!({"host": "elsewhere.example"}), false),
        (json!({"mode": "form"}), false),
        (json!({"fields": ["name"]}), false),
    ] {
        let Some(server) = case("stdio_url", &["https://pay.example.com/x"]) else { return };
        let file =
            json!({ "answers": [{ "on": "elicitation", "match": matching, "action": "decline", "times": "any" }] });
        let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file.to_string()).on(&server);
        let output = run.any_stderr().run();
        assert_eq!(output.code == 7, !fits, "{matching}\n{}", output.report());
    }
}

each_peer!([python_v2_stdio, rust_stdio] fn every_kind_may_wait_and_refuse(server) {
    let rust = server.peer.server == crate::support::peers::Server::Rust;
    let tools: [(&str, &[&str]); 3] = match rust {
        true => [("elicitation", &["issue_card"]), ("sampling", &["summarize", "text=x"]), ("roots", &["shelves"])],
        false => [("elicitation", &["issue_card"]), ("sampling", &["sample"]), ("roots", &["list_roots"])],
    };
    for (on, tool) in tools {
        let file = json!({ "answers": [{ "on": on, "error": { "code": -7001, "message": "not now" }, "delay_ms": 300 }] });
        let begin = std::time::Instant::now();
        let output = mcpcall(tool).args(["--auto-answer", "a.json"]).file("a.json", file.to_string()).on(server).run();
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(said.contains("not now") && matches!(output.code, 5 | 6), "{}", output.report());
        assert!(begin.elapsed().as_millis() >= 300, "{}", output.report());
    }
});
