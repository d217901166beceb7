//! Answer files: what every callback kind shares. Which entry answers a question is decided here; what an entry
//! says is its kind's business (`callbacks/<kind>/answer.rs`).

pub(crate) mod ledger;
pub(crate) mod matching;

use crate::failure::{Failure, Result};
use matching::Matching;
use serde_json::{Map, Value};

/// What a callback kind allows in its entries.
pub(crate) struct KindSpec {
    /// The value of `on`.
    pub(crate) on: &'static str,
    /// Keys of `match` that only this kind has.
    pub(crate) match_keys: &'static [&'static str],
    /// Keys of the entry that only this kind has.
    pub(crate) clause_keys: &'static [&'static str],
    /// Checks what the entry says; the error is one line.
    pub(crate) check: fn(&Entry) -> std::result::Result<(), String>,
}

/// An answer file.
#[derive(Debug, Clone)]
pub(crate) enum Answers {
    /// The short form: values for every form whose required fields they cover.
    Short(Map<String, Value>),
    /// The ordered list.
    List(Vec<Entry>),
}

/// One entry of the list.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The callback kind it answers.
    pub(crate) on: String,
    /// Which questions it fits.
    pub(crate) matching: Matching,
    /// How often it may be used; `None` without end.
    pub(crate) times: Option<u64>,
    /// A JSON-RPC error to refuse with: `code` and `message`.
    pub(crate) error: Option<(i64, String)>,
    /// How long to wait before answering, in milliseconds.
    pub(crate) delay_ms: u64,
    /// The keys its kind owns.
    pub(crate) clause: Map<String, Value>,
}

/// Reads an answer file; `name` is for messages, `env` expands `${NAME}` in strings.
///
/// # Errors
/// `usage`, naming the file and the place in it.
pub(crate) fn load(
    name: &str,
    text: &str,
    kinds: &[KindSpec],
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Answers> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|e| Failure::usage(format!("{name}: not JSON: {e}")))?;
    let Value::Object(mut file) = expand(value, env).map_err(|e| Failure::usage(format!("{name}: {e}")))? else {
        return Err(Failure::usage(format!("{name}: an answer file is a JSON object")));
    };
    if !file.get("answers").is_some_and(Value::is_array) {
        return Ok(Answers::Short(file));
    }
    let place = |place: String, why: String| Failure::usage(format!("{name}: {place}: {why}"));
    if let Some(version) = file.remove("version").filter(|version| version.as_u64() != Some(1)) {
        return Err(place("/version".into(), format!("is {version}, but only version 1 is known")));
    }
    let entries = file.remove("answers").and_then(|entries| entries.as_array().cloned()).unwrap_or_default();
    if let Some(key) = file.keys().next() {
        return Err(place(format!("/{key}"), "unknown key (known: version, answers)".into()));
    }
    let entries = entries
        .into_iter()
        .enumerate()
        .map(|(at, entry)| Entry::read(entry, kinds).map_err(|(path, why)| place(format!("/answers/{at}{path}"), why)));
    Ok(Answers::List(entries.collect::<Result<_>>()?))
}

type Place = (String, String);

impl Entry {
    fn read(value: Value, kinds: &[KindSpec]) -> std::result::Result<Self, Place> {
        let here = |why: &str| (String::new(), why.to_owned());
        let Value::Object(mut clause) = value else { return Err(here("an answer is an object")) };
        let known_kinds = || kinds.iter().map(|kind| kind.on).collect::<Vec<_>>().join(", ");
        let on = match clause.remove("on") {
            Some(Value::String(on)) => on,
            Some(_) => return Err(("/on".into(), "is not a string".into())),
            None => return Err(here(&format!("has no \"on\" (one of: {})", known_kinds()))),
        };
        let Some(kind) = kinds.iter().find(|kind| kind.on == on) else {
            return Err(("/on".into(), format!("`{on}` is unknown (known: {})", known_kinds())));
        };
        let matching = Matching::read(clause.remove("match"), kind.match_keys)
            .map_err(|(path, why)| (format!("/match{path}"), why))?;
        let times = match clause.remove("times") {
            None => Some(1),
            Some(Value::String(any)) if any == "any" => None,
            Some(n) => Some(
                n.as_u64()
                    .filter(|n| *n > 0)
                    .ok_or_else(|| ("/times".to_owned(), format!("{n} is neither a count nor \"any\"")))?,
            ),
        };
        let error = clause.remove("error").map(read_error).transpose().map_err(|why| ("/error".to_owned(), why))?;
        let delay_ms = match clause.remove("delay_ms") {
            None => 0,
            Some(ms) => {
                ms.as_u64().ok_or_else(|| ("/delay_ms".to_owned(), format!("{ms} is not a number of milliseconds")))?
            }
        };
        if let Some(key) = clause.keys().find(|key| !kind.clause_keys.contains(&key.as_str())) {
            let common = ["on", "match", "times", "error", "delay_ms"];
            let known: Vec<&str> = common.iter().chain(kind.clause_keys).copied().collect();
            return Err((format!("/{key}"), format!("unknown key (known: {})", known.join(", "))));
        }
        let entry = Entry { on, matching, times, error, delay_ms, clause };
        (kind.check)(&entry).map_err(|why| (String::new(), why))?;
        Ok(entry)
    }
}

fn read_error(value: Value) -> std::result::Result<(i64, String), String> {
    let code = value.get("code").and_then(Value::as_i64).ok_or("needs an integer \"code\"")?;
    let message = value.get("message").and_then(Value::as_str).ok_or("needs a string \"message\"")?;
    match value.as_object().and_then(|object| object.keys().find(|key| !matches!(key.as_str(), "code" | "message"))) {
        Some(key) => Err(format!("unknown key `{key}` (known: code, message)")),
        None => Ok((code, message.to_owned())),
    }
}

/// Expands `${NAME}` in every string; `$${` is a literal `${`.
fn expand(value: Value, env: &dyn Fn(&str) -> Option<String>) -> std::result::Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(expand_text(&text, env)?),
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| expand(item, env)).collect::<std::result::Result<_, _>>()?)
        }
        Value::Object(object) => {
            let pairs = object.into_iter().map(|(key, item)| Ok((key, expand(item, env)?)));
            Value::Object(pairs.collect::<std::result::Result<_, String>>()?)
        }
        other => other,
    })
}

fn expand_text(text: &str, env: &dyn Fn(&str) -> Option<String>) -> std::result::Result<String, String> {
    let (mut expanded, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("${") {
        if rest[..start].ends_with('$') {
            expanded.push_str(&rest[..start]);
            expanded.push('{');
            rest = &rest[start + 2..];
            continue;
        }
        let Some(length) = rest[start + 2..].find('}') else { break };
        let name = &rest[start + 2..start + 2 + length];
        expanded.push_str(&rest[..start]);
        expanded.push_str(&env(name).ok_or_else(|| format!("${{{name}}} is not set in the environment"))?);
        rest = &rest[start + 3 + length..];
    }
    Ok(expanded + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: &[KindSpec] = &[KindSpec {
        on: "elicitation",
        match_keys: &["fields"],
        clause_keys: &["action", "content"],
        check: |_| Ok(()),
    }];

    fn load_text(text: &str) -> std::result::Result<Answers, String> {
        let env = |name: &str| (name == "WHO").then(|| "Ada".to_owned());
        load("a.json", text, KINDS, &env).map_err(|failure| failure.message)
    }

    #[test]
    fn a_plain_object_is_the_short_form() {
        let Ok(Answers::Short(values)) = load_text(r#"{"name": "${WHO} L", "n": 1.50}"#) else { panic!() };
        assert_eq!(Value::Object(values).to_string(), r#"{"name":"Ada L","n":1.50}"#);
    }

    #[test]
    fn the_list_form_is_read() {
        let text = r#"{"version": 1, "answers": [
            {"on": "elicitation", "match": {"tool": "t", "fields": ["a"]}, "times": "any", "action": "accept"},
            {"on": "elicitation", "error": {"code": -1, "message": "no"}, "delay_ms": 5}]}"#;
        let Ok(Answers::List(entries)) = load_text(text) else { panic!() };
        assert_eq!((entries[0].times, entries[1].times), (None, Some(1)));
        assert_eq!(entries[1].error, Some((-1, "no".into())));
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let cases = [
            (r#"{"answers": 1"#, "a.json: not JSON: EOF while parsing an object at line 1 column 13"),
            ("[]", "a.json: an answer file is a JSON object"),
            (r#"{"version": 2, "answers": []}"#, "a.json: /version: is 2, but only version 1 is known"),
            (r#"{"anwsers": [], "answers": []}"#, "a.json: /anwsers: unknown key (known: version, answers)"),
            (r#"{"answers": [{}]}"#, "a.json: /answers/0: has no \"on\" (one of: elicitation)"),
            (
                r#"{"answers": [{"on": "sampling"}]}"#,
                "a.json: /answers/0/on: `sampling` is unknown (known: elicitation)",
            ),
            (
                r#"{"answers": [{"on": "elicitation", "contents": {}}]}"#,
                "a.json: /answers/0/contents: unknown key (known: on, match, times, error, delay_ms, action, content)",
            ),
            (
                r#"{"answers": [{"on": "elicitation", "match": {"mesage": "x"}}]}"#,
                "a.json: /answers/0/match/mesage: unknown key (known: tool, message, key, round, fields)",
            ),
            (
                r#"{"answers": [{"on": "elicitation", "times": 0}]}"#,
                "a.json: /answers/0/times: 0 is neither a count nor \"any\"",
            ),
            (r#"{"name": "${NOBODY}"}"#, "a.json: ${NOBODY} is not set in the environment"),
        ];
        for (text, message) in cases {
            assert_eq!(load_text(text).unwrap_err(), message, "{text}");
        }
    }

    #[test]
    fn environment_is_expanded_and_can_be_escaped() {
        let env = |name: &str| (name == "A").then(|| "1".to_owned());
        for (text, expanded) in [("${A}${A}", "11"), ("x$${A}", "x${A}"), ("$A ${", "$A ${"), ("", "")] {
            assert_eq!(expand_text(text, &env).unwrap(), expanded);
        }
    }
}
