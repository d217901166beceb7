//! What is read of `expect`, and what is said of a call.

use super::watch::{End, Watch};
use super::*;
use crate::answers::KindSpec;
use serde_json::json;

const fn spec(on: &'static str) -> KindSpec {
    KindSpec { on, match_keys: &[], clause_keys: &[], check: |_| Ok(()) }
}

const KINDS: &[KindSpec] = &[spec("elicitation"), spec("roots"), spec("sampling")];

fn read(value: &Value) -> Result<Expect, String> {
    let mut wrongs = Vec::new();
    let expect = Expect::read(value.clone(), "", KINDS, &mut wrongs);
    let lines: Vec<String> = wrongs.iter().map(|wrong| format!("{}: {}", wrong.path, wrong.why)).collect();
    if lines.is_empty() { Ok(expect) } else { Err(lines.join("; ")) }
}

/// A call in which much happened, and how it ended.
fn watch(expect: &Value, end: End) -> Watch {
    let watch = Watch::new(read(expect).unwrap());
    watch.asked("elicitation", "What name should go on the card?");
    watch.asked("elicitation", "Delete all?");
    watch.asked("roots", "");
    watch.round(1);
    watch.round(2);
    for params in [
        json!({"level": "info", "logger": "db", "data": "started"}),
        json!({"level": "error", "data": {"took": 3}}),
        Value::Null,
    ] {
        watch.log(&params);
    }
    watch.ended(end);
    watch
}

/// "name: expected X, was Y" of all that failed.
fn failed(expect: &Value, end: End) -> Vec<String> {
    let judged = watch(expect, end).judge().unwrap();
    let line =
        |judged: &watch::Judged| Some(format!("{}: {} != {}", judged.name, judged.expected, judged.was.as_ref()?));
    judged.iter().filter_map(line).collect()
}

fn result() -> End {
    End::Result(json!({
        "content": [{"type": "text", "text": "Card issued to Ada."}],
        "structuredContent": {"n": 5, "big": 9007199254740993_u64, "list": [1, {"a": null}]},
    }))
}

#[test]
fn what_holds_is_passed() {
    for expect in [
        json!({}),
        json!({"elicitations": 2, "samplings": 0, "roots": {"min": 1}, "rounds": {"min": 1, "max": 2}}),
        json!({"elicitations": {"max": 2}, "roots": 1.0}),
        json!({"isError": false}),
        json!({"result": {"/content/0/text": "/issued/", "/structuredContent/n": 5.0, "/content/0/type": "text"}}),
        json!({"result": {"/structuredContent/list": [1.0, {"a": null}], "/structuredContent/big": 9007199254740993_u64}}),
        json!({"result": {"/structuredContent/list/1/a": null}}),
        json!({"logs": ["started", "/START/i", {"level": "info"}, {"logger": "/^d/", "text": "/art/"}, "/took\":3/"]}),
        json!({"logs": [{"level": "error", "text": "{\"took\":3}"}, {}]}),
        json!({"never": ["sampling", "/format the disk/i"]}),
    ] {
        assert_eq!(failed(&expect, result()), Vec::<String>::new(), "{expect}");
    }
}

#[test]
fn what_does_not_hold_is_told_with_what_was_instead() {
    for (expect, line) in [
        (json!({"elicitations": 1}), "elicitations: 1 != 2"),
        (json!({"samplings": {"min": 1}}), "samplings: at least 1 != 0"),
        (json!({"roots": {"max": 0}}), "roots: 0 != 1"),
        (json!({"rounds": {"min": 3, "max": 4}}), "rounds: 3 to 4 != 2"),
        (json!({"rounds": {"max": 1}}), "rounds: at most 1 != 2"),
        (json!({"isError": true}), "isError: true != false"),
        (json!({"error": {}}), "error: a JSON-RPC error != a result"),
        (
            json!({"result": {"/content/0/text": "/refused/"}}),
            "result /content/0/text: /refused/ != \"Card issued to Ada.\"",
        ),
        (json!({"result": {"/content/0/text": "Card"}}), "result /content/0/text: \"Card\" != \"Card issued to Ada.\""),
        (json!({"result": {"/structuredContent/n": "/5/"}}), "result /structuredContent/n: /5/ != 5"),
        (json!({"result": {"/structuredContent/n": "5"}}), "result /structuredContent/n: \"5\" != 5"),
        (
            json!({"result": {"/structuredContent/big": 9007199254740992_u64}}),
            "result /structuredContent/big: 9007199254740992 != 9007199254740993",
        ),
        (json!({"result": {"/nothing/0": null}}), "result /nothing/0: null != nothing"),
        (json!({"logs": ["start"]}), "logs: a log \"start\" != not among 3 logs"),
        (
            json!({"logs": [{"level": "error", "logger": "db", "text": "/x/"}]}),
            "logs: a log of level error of logger \"db\" /x/ != not among 3 logs",
        ),
        (json!({"never": ["elicitation"]}), "never: no elicitation request != 2"),
        (json!({"never": ["/delete/i"]}), "never: no question /delete/i != \"Delete all?\""),
    ] {
        assert_eq!(failed(&expect, result()), [line], "{expect}");
    }
}

#[test]
fn errors_of_the_tool_and_of_the_protocol_can_be_expected() {
    let tool = || End::Result(json!({"content": [], "isError": true}));
    let error = || End::Error { code: Some(json!(-32602)), message: "no such card".into() };
    assert!(failed(&json!({"isError": true}), tool()).is_empty());
    assert_eq!(failed(&json!({"isError": false}), tool()), ["isError: false != true"]);
    assert_eq!(failed(&json!({"error": {}}), tool()), ["error: a JSON-RPC error != a result with isError"]);
    for (expect, fails) in [
        (json!({"error": {}}), None),
        (json!({"error": {"code": -32602, "message": "/card/"}}), None),
        (json!({"error": {"code": -1}}), Some("error: a JSON-RPC error -1")),
        (json!({"error": {"message": "card"}}), Some("error: a JSON-RPC error \"card\"")),
        (json!({"isError": true}), Some("isError: true")),
        (json!({"result": {"": {}}}), Some("result: {}")),
    ] {
        let expected = fails.map(|words| format!("{words} != a JSON-RPC error -32602 \"no such card\""));
        assert_eq!(failed(&expect, error()), Vec::from_iter(expected), "{expect}");
    }
    let without = End::Error { code: None, message: "m".into() };
    assert_eq!(failed(&json!({"error": {"code": 1}}), without).len(), 1);
    let expect = read(&json!({"error": {}})).unwrap();
    assert!(expect.judges_error() && !expect.judges_is_error());
    assert!(read(&json!({"isError": false})).unwrap().judges_is_error());
}

#[test]
fn nothing_is_said_of_a_call_that_did_not_end() {
    assert_eq!(Watch::new(read(&json!({"roots": 0})).unwrap()).judge(), None);
}

#[test]
fn the_lowest_level_of_the_logs_is_asked_for() {
    for (expect, level) in [
        (json!({"roots": 1}), None),
        (json!({"logs": ["x"]}), Some("debug")),
        (json!({"logs": [{"level": "error"}, {"level": "notice"}]}), Some("notice")),
        (json!({"logs": [{"level": "error"}, {"text": "x"}]}), Some("debug")),
    ] {
        assert_eq!(read(&expect).unwrap().log_level(), level, "{expect}");
    }
}

#[test]
fn what_makes_no_sense_is_a_mistake() {
    for (value, words) in [
        (json!(1), ": expect is an object, not 1"),
        (
            json!({"elicitation": 1}),
            "/elicitation: unknown key, did you mean elicitations? \
             (known: elicitations, samplings, roots, rounds, isError, error, result, logs, never)",
        ),
        (json!({"rounds": -1}), "/rounds: -1 is neither a count nor {\"min\", \"max\"}"),
        (json!({"rounds": {}}), "/rounds: needs \"min\" or \"max\""),
        (json!({"rounds": {"mn": 1}}), "/rounds/mn: unknown key, did you mean min? (known: min, max)"),
        (json!({"rounds": {"min": 1.5}}), "/rounds/min: 1.5 is not a count"),
        (json!({"rounds": {"min": 2, "max": 1}}), "/rounds: min 2 is more than max 1"),
        (json!({"isError": "no"}), "/isError: \"no\" is not true or false"),
        (json!({"error": true}), "/error: error is an object, not true"),
        (json!({"error": {"code": 1.5}}), "/error/code: 1.5 is not an integer"),
        (json!({"error": {"msg": "x"}}), "/error/msg: unknown key (known: code, message)"),
        (
            json!({"error": {}, "isError": true}),
            "/error: goes without isError and result: a call that ends with an error has neither",
        ),
        (json!({"result": []}), "/result: result is an object, not a list"),
        (json!({"result": {"content": 1}}), "/result/content: is no JSON pointer, which begins with /"),
        (json!({"result": {"/a": "/(/"}}), "/result/~1a: `/(/` is no regular expression: unclosed group"),
        (json!({"logs": "x"}), "/logs: \"x\" is not a list"),
        (json!({"logs": [1]}), "/logs/0: a log is an object, not 1"),
        (
            json!({"logs": [{"level": "warn"}]}),
            "/logs/0/level: unknown level (known: debug, info, notice, warning, error, critical, alert, emergency)",
        ),
        (json!({"logs": ["a", "/(/"]}), "/logs/1: `/(/` is no regular expression: unclosed group"),
        (json!({"never": [1]}), "/never/0: 1 is not a string"),
        (
            json!({"never": ["samplings"]}),
            "/never/0: is neither a kind of question, did you mean sampling? (elicitation, roots, sampling) \
             nor a /regular expression/ for messages",
        ),
    ] {
        assert_eq!(read(&value).unwrap_err(), words, "{value}");
    }
}
