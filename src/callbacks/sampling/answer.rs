//! What an `"on": "sampling"` entry of an answer file says, and which requests it fits.

use super::command::Program;
use super::{blocks, check};
use crate::answers::matching::MatchKey;
use crate::answers::mistake::Wrong;
use crate::answers::record::{self, Asked, Draft, Said, Scribe, beginning, exactly};
use crate::answers::{Entry, KindSpec};
use crate::callbacks::desk::subject;
use crate::session::host::Ask;
use serde_json::{Map, Value};

/// The keys of this kind.
pub(crate) const SPEC: KindSpec = KindSpec {
    on: "sampling",
    match_keys: &[MatchKey::Pattern("text")],
    clause_keys: &["text", "model", "result", "command"],
    check: check_entry,
};

/// The longest text that a stub matches as a whole; of a longer one the beginning has to do.
const STUB: usize = 200;
/// The same for an entry that records.
const WHOLE: usize = 4000;

/// What an entry replies with, when it is no error.
pub(super) enum Clause<'a> {
    /// A text.
    Text(&'a str),
    /// A whole result.
    Result(&'a Map<String, Value>),
    /// What a program prints.
    Command(Program),
}

fn check_entry(entry: &mut Entry) -> Result<(), Wrong> {
    let given: Vec<&str> = ["text", "result", "command"].into_iter().filter(|key| has(entry, key)).collect();
    let whole = |why: String| Err(Wrong::new("", why));
    match (given.as_slice(), &entry.error) {
        ([], None) => return whole("needs \"text\", \"result\", \"command\" or \"error\"".into()),
        ([], Some(_)) if has(entry, "model") => {
            return Err(Wrong::new("/model", "goes with a reply, not with \"error\""));
        }
        ([], Some(_)) => {}
        ([_], None) => drop(clause(entry)?),
        ([one], Some(_)) => return whole(format!("has \"{one}\" and \"error\"; one of them")),
        ([one, other, ..], _) => return whole(format!("has \"{one}\" and \"{other}\"; one of them")),
    }
    match entry.clause.get("model").is_some_and(|model| !model.is_string()) {
        true => Err(Wrong::new("/model", "is not a string")),
        false => Ok(()),
    }
}

fn has(entry: &Entry, key: &str) -> bool {
    entry.clause.contains_key(key)
}

/// What the entry replies with.
pub(super) fn clause(entry: &Entry) -> Result<Clause<'_>, Wrong> {
    let get = |key: &str| entry.clause.get(key);
    if let Some(text) = get("text") {
        return text.as_str().map(Clause::Text).ok_or_else(|| Wrong::new("/text", "is not a string"));
    }
    if let Some(result) = get("result") {
        let result = result.as_object().ok_or_else(|| Wrong::new("/result", "is not an object"))?;
        // Which protocol version will be spoken is not known yet.
        check::result(result.clone(), "", None).map_err(|why| Wrong::new("/result", why))?;
        return Ok(Clause::Result(result));
    }
    let words =
        |list: &Vec<Value>| list.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let why = match get("command") {
        Some(Value::String(line)) if !line.trim().is_empty() => {
            return Ok(Clause::Command(Program::Shell(line.clone())));
        }
        Some(Value::Array(list)) => match words(list) {
            Some(words) if words.first().is_some_and(|word| !word.is_empty()) => {
                return Ok(Clause::Command(Program::Words(words)));
            }
            _ => "is not a list of a program and its arguments",
        },
        _ => "is neither a shell command nor a list of words",
    };
    Err(Wrong::new("/command", why))
}

/// Whether an entry fits a request.
pub(super) fn fits(entry: &Entry, ask: &Ask, text: &str) -> bool {
    entry.matching.fits(subject(ask, Some(text))) && entry.matching.holds("text", Some(text))
}

/// The text of a request: that of all text blocks of its messages, a line break between them.
pub(super) fn text_of(params: &Value) -> String {
    let messages = params.get("messages").and_then(Value::as_array);
    let blocks = messages.into_iter().flatten().flat_map(|message| blocks(message.get("content")));
    let texts: Vec<&str> = blocks.filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
    texts.join("\n")
}

/// An entry, ready to paste, for a request that nobody answered.
pub(super) fn stub(tool: Option<&str>, text: &str) -> Value {
    record::entry(unanswered(tool, text)).0
}

fn unanswered(tool: Option<&str>, text: &str) -> Draft {
    Draft::new(SPEC.on, matching(tool, text, STUB)).with("text", "")
}

/// What an entry for this very request matches; of a text longer than `max` the beginning.
fn matching(tool: Option<&str>, text: &str, max: usize) -> Map<String, Value> {
    let mut matching = Map::new();
    if let Some(tool) = tool {
        matching.insert("tool".into(), exactly(tool));
    }
    if !text.is_empty() {
        matching.insert("text".into(), beginning(text, max));
    }
    matching
}

/// How sampling requests are written down.
pub(crate) const SCRIBE: Scribe = Scribe { method: "sampling/createMessage", gist: text_of, draft };

fn draft(asked: &Asked<'_>, said: Option<Said<'_>>) -> Option<Draft> {
    let text = text_of(asked.params);
    let Some(said) = said else { return Some(unanswered(asked.tool, &text)) };
    let draft = Draft::new(SPEC.on, matching(asked.tool, &text, WHOLE));
    let result = match said {
        Said::Error { code, message } => return Some(draft.refusing(code, message)),
        Said::Result(result) => result,
    };
    let said = |pointer: &str| result.pointer(pointer).and_then(Value::as_str);
    Some(match (said("/content/text"), said("/model")) {
        // All there is to say about a text in the least words.
        (Some(text), Some(model)) if super::text_reply(text, model) == *result => {
            draft.with("text", text).with("model", model)
        }
        _ => draft.with("result", result.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::load;
    use serde_json::json;

    fn read(entry: &Value) -> Result<(), String> {
        let file = json!({ "answers": [entry] }).to_string();
        match load("a.json", &file, &[SPEC], &|_| None) {
            Ok(_) => Ok(()),
            Err(mistakes) => Err(mistakes[0].to_string().split_once(": /answers/0").unwrap().1.to_owned()),
        }
    }

    #[test]
    fn a_mistake_in_an_entry_is_named() {
        let error = json!({"code": 1, "message": ""});
        for (entry, message) in [
            (json!({}), ": needs \"text\", \"result\", \"command\" or \"error\""),
            (json!({"text": 1}), "/text: is not a string"),
            (json!({"text": "a", "command": "b"}), ": has \"text\" and \"command\"; one of them"),
            (json!({"text": "a", "error": error}), ": has \"text\" and \"error\"; one of them"),
            (json!({"model": "m", "error": error}), "/model: goes with a reply, not with \"error\""),
            (json!({"text": "a", "model": 1}), "/model: is not a string"),
            (json!({"result": "a"}), "/result: is not an object"),
            (json!({"result": {"role": "assistant"}}), "/result: content is missing"),
            (json!({"command": " "}), "/command: is neither a shell command nor a list of words"),
            (json!({"command": []}), "/command: is not a list of a program and its arguments"),
            (json!({"command": ["a", 1]}), "/command: is not a list of a program and its arguments"),
            (json!({"text": "a", "match": {"text": 1}}), "/match/text: 1 is not a string"),
        ] {
            let mut whole = json!({ "on": "sampling" });
            whole.as_object_mut().unwrap().extend(entry.as_object().cloned().unwrap());
            assert_eq!(read(&whole).unwrap_err(), message, "{entry}");
        }
    }

    #[test]
    fn the_text_is_that_of_every_block() {
        let params = json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": "a"}},
            {"role": "user", "content": [{"type": "image", "data": ""}, {"type": "text", "text": "b"}]},
            {"role": "user"}, 7]});
        assert_eq!(text_of(&params), "a\nb");
        for odd in [json!({}), json!({"messages": "x"}), Value::Null] {
            assert_eq!(text_of(&odd), "");
        }
    }

    #[test]
    fn an_entry_says_what_was_said() {
        let params = json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi" } }] });
        let asked = Asked { tool: Some("t"), params: &params };
        let drafted = |said| {
            let (mut entry, _) = record::entry(draft(&asked, said).unwrap());
            read(&entry).unwrap();
            assert_eq!(entry["match"], json!({ "tool": "t", "text": "Hi" }));
            entry.as_object_mut().unwrap().retain(|key, _| !matches!(key.as_str(), "on" | "match"));
            entry
        };
        let plain = super::super::text_reply("Yo", "m");
        assert_eq!(drafted(Some(Said::Result(&plain))), json!({ "text": "Yo", "model": "m" }));
        let mut odd = plain.clone();
        odd["stopReason"] = "maxTokens".into();
        assert_eq!(drafted(Some(Said::Result(&odd))), json!({ "result": odd }));
        let refused = drafted(Some(Said::Error { code: -1, message: "no" }));
        assert_eq!(refused, json!({ "error": { "code": -1, "message": "no" } }));
        assert_eq!(drafted(None), json!({ "text": "" }));
    }
}
