//! What is read of an answer file, and what is said of a wrong one.

use super::*;
use serde_json::json;

const KINDS: &[KindSpec] = &[
    KindSpec {
        on: "elicitation",
        match_keys: &[MatchKey::Names("fields")],
        clause_keys: &["action", "content"],
        check: |_| Ok(()),
    },
    KindSpec { on: "sampling", match_keys: &[], clause_keys: &[], check: |_| Err(Wrong::new("/text", "is missing")) },
];

fn load_text(text: &str) -> Result<File, Vec<String>> {
    let env = |name: &str| (name == "WHO").then(|| "Ada".to_owned());
    load("a.json", text, KINDS, &env).map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

fn entries(text: &str) -> Vec<Entry> {
    match load_text(text) {
        Ok(File { answers: Answers::List(entries), .. }) => entries,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_plain_object_is_the_short_form() {
    for (text, values) in [
        (r#"{"name": "${WHO} L", "n": 1.50}"#, r#"{"name":"Ada L","n":1.50}"#),
        (r#"{"$schema": "https://example.com/x", "name": "A"}"#, r#"{"name":"A"}"#),
        // A form may have fields of these names.
        (r#"{"answers": "yes", "expect": 3}"#, r#"{"answers":"yes","expect":3}"#),
        (r#"{"version": 2, "tags": [{"a": 1}, "on"]}"#, r#"{"version":2,"tags":[{"a":1},"on"]}"#),
        ("\u{feff}{}", "{}"),
    ] {
        match load_text(text) {
            Ok(File { answers: Answers::Short(read), expect, .. }) => {
                assert_eq!(Value::Object(read).to_string(), values);
                assert!(expect.is_empty());
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_list_form_is_read() {
    let entries = entries(
        r#"{"$schema": "x", "version": 1, "answers": [
            {"on": "elicitation", "match": {"tool": "t", "fields": ["a"]}, "times": "any", "action": "accept"},
            {"on": "elicitation", "error": {"code": -1, "message": "no ${WHO}"}, "delay_ms": 5},
            {"on": "elicitation", "times": 2.0}]}"#,
    );
    assert_eq!(entries.iter().map(|entry| entry.times).collect::<Vec<_>>(), [None, Some(1), Some(2)]);
    assert_eq!(entries[1].error, Some((-1, "no Ada".into())));
    assert_eq!(entries[1].delay_ms, 5);
    assert_eq!(entries[0].clause, json!({"action": "accept"}).as_object().cloned().unwrap());
}

#[tokio::test(start_paused = true)]
async fn an_entry_begins_with_its_delay_and_its_error() {
    let entries = entries(
        r#"{"answers": [{"on": "elicitation", "delay_ms": 1500, "error": {"code": 3, "message": "m"}}, {"on": "elicitation"}]}"#,
    );
    let begin = tokio::time::Instant::now();
    assert_eq!(entries[1].begin().await, Ok(()));
    assert_eq!(begin.elapsed().as_millis(), 0);
    assert_eq!(entries[0].begin().await, Err((3, "m".into())));
    assert_eq!(begin.elapsed().as_millis(), 1500);
}

#[test]
fn expectations_may_stand_alone() {
    let file = load_text(r#"{"expect": {"isError": false, "elicitations": {"max": 3}}}"#).unwrap();
    assert_eq!(file.expect.checks.len(), 2);
    assert!(matches!(file.answers, Answers::List(entries) if entries.is_empty()));
}

#[test]
fn a_mistake_is_named_with_its_place() {
    let cases = [
        (r#"{"answers": 1"#, "1:14: not JSON: EOF while parsing an object"),
        ("[]", "1:1: an answer file is an object, not a list"),
        (r#"{"version": 2, "answers": []}"#, "1:13: /version: is 2, but only version 1 is known"),
        (r#"{"version": 1, "answers": {}}"#, "1:27: /answers: an object is not a list"),
        (
            r#"{"version": 1, "anwsers": [{"on": "elicitation"}]}"#,
            "1:16: /anwsers: unknown key, did you mean answers? (known: $schema, version, answers, expect)",
        ),
        (r#"{"answers": [7]}"#, "1:14: /answers/0: an answer is an object, not 7"),
        (r#"{"answers": [{}]}"#, "1:14: /answers/0: has no \"on\" (one of: elicitation, sampling)"),
        (r#"{"answers": [{"on": 1}]}"#, "1:21: /answers/0/on: 1 is not a string"),
        (
            r#"{"answers": [{"on": "elicitations"}]}"#,
            "1:21: /answers/0/on: unknown kind, did you mean elicitation? (known: elicitation, sampling)",
        ),
        (
            "{\"answers\": [\n  {\"on\": \"elicitation\",\n   \"contents\": {}}]}",
            "3:4: /answers/0/contents: unknown key, did you mean content? \
             (known: on, match, times, error, delay_ms, action, content)",
        ),
        (
            "{\"answers\": [{\"on\": \"elicitation\",\r\n\"match\": {\"mesage\": \"x\"}}]}",
            "2:11: /answers/0/match/mesage: unknown key, did you mean message? \
             (known: tool, message, key, round, fields)",
        ),
        (
            r#"{"answers": [{"on": "elicitation", "times": 0}]}"#,
            "1:45: /answers/0/times: 0 is neither a count nor \"any\"",
        ),
        (
            r#"{"answers": [{"on": "elicitation", "delay_ms": "1"}]}"#,
            "1:48: /answers/0/delay_ms: \"1\" is not a number of milliseconds",
        ),
        (
            r#"{"answers": [{"on": "elicitation", "error": {"code": "1", "message": "m"}}]}"#,
            "1:45: /answers/0/error: needs an integer \"code\"",
        ),
        (
            r#"{"answers": [{"on": "elicitation", "error": {"code": 1, "message": "m", "dta": 1}}]}"#,
            "1:73: /answers/0/error/dta: unknown key (known: code, message)",
        ),
        (
            r#"{"answers": [{"on": "elicitation", "match": {"message": "/(/"}}]}"#,
            "1:57: /answers/0/match/message: `/(/` is no regular expression: unclosed group",
        ),
        (
            r#"{"answers": [{"on": "sampling", "text": 1}]}"#,
            "1:33: /answers/0/text: unknown key (known: on, match, times, error, delay_ms)",
        ),
        (r#"{"answers": [{"on": "sampling"}]}"#, "1:14: /answers/0/text: is missing"),
        (r#"{"name": "${NOBODY}"}"#, "1:10: /name: ${NOBODY} is not set in the environment"),
        (r#"{"né": {"a/b": ["${NOBODY}"]}}"#, "1:17: /né/a~1b/0: ${NOBODY} is not set in the environment"),
        (r#"{"a": 1, "\u0061": 2}"#, "1:10: /a: stands twice in its object (first at 1:2)"),
        (
            r#"{"answers": [{"on": "elicitation", "on": "elicitation"}]}"#,
            "1:36: /answers/0/on: stands twice in its object (first at 1:15)",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(load_text(text).unwrap_err(), [format!("a.json:{message}")], "{text}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = r#"{"answers": [{"on": "elicitation", "tmes": 1, "times": -1, "match": {"tol": "t"}}, {"on": "elicitation"}, {"on": "x"}],
        "expct": 1, "expect": {"isEror": true}}"#;
    let mistakes = load_text(text).unwrap_err();
    let pointers: Vec<&str> = mistakes.iter().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(
        pointers,
        ["/answers/0/tmes", "/answers/0/times", "/answers/0/match/tol", "/answers/2/on", "/expct", "/expect/isEror"]
    );
}

#[test]
fn an_entry_behind_one_that_takes_all_is_doubted() {
    for (entries, doubts) in [
        (json!([{}, {"match": {"tool": "t"}}]), json!([])),
        (json!([{"times": "any"}, {"match": {"tool": "t"}}, {}]), json!([[1, 0], [2, 0]])),
        (
            json!([{"match": {"tool": "t"}, "times": "any"}, {"match": {"tool": "t"}}, {"match": {"tool": "u"}}]),
            json!([[1, 0]]),
        ),
        (json!([{"match": {"tool": "t"}, "times": 9}, {"match": {"tool": "t"}}]), json!([])),
        (json!([{"match": {"tool": "t"}}, {"times": "any"}]), json!([])),
    ] {
        let mut file = json!({ "answers": entries });
        for entry in file["answers"].as_array_mut().unwrap() {
            entry["on"] = "elicitation".into();
        }
        let read = load_text(&file.to_string()).unwrap();
        let found: Vec<String> = read.doubts.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), doubts.as_array().unwrap().len(), "{entries}: {found:?}");
        for (line, pair) in found.iter().zip(doubts.as_array().unwrap()) {
            let words = format!(
                ": /answers/{}: is never reached: /answers/{} takes every question that it fits",
                pair[0], pair[1]
            );
            assert!(line.ends_with(&words), "{line}");
        }
    }
}
