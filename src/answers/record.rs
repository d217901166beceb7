//! Answers that were given, written down as an answer file: an entry for each question, in the order asked, each to be
//! used once. Pure: what a question and its reply become is their kind's business, what goes into the file stays here.

use super::matching::Pattern;
use crate::sync::lock;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

/// What an entry needs to know of a question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The tool whose call it belongs to.
    pub(crate) tool: Option<&'a str>,
    /// The params of the question.
    pub(crate) params: &'a Value,
}

/// What was said to it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Said<'a> {
    /// A result.
    Result(&'a Value),
    /// A refusal.
    Error {
        /// The JSON-RPC code.
        code: i64,
        /// The words.
        message: &'a str,
    },
}

/// How a kind of question becomes entries.
pub(crate) struct Scribe {
    /// The method of the question.
    pub(crate) method: &'static str,
    /// The question in a few words.
    pub(crate) gist: fn(&Value) -> String,
    /// An entry that says this to such a question; without it, one to fill in. `None` when no entry could.
    pub(crate) draft: fn(&Asked<'_>, Option<Said<'_>>) -> Option<Draft>,
}

/// An entry as its kind makes it, in which strings stand for themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// The entry.
    pub(crate) entry: Map<String, Value>,
    /// What of its `content` is not to be written down, as JSON pointers.
    pub(crate) secrets: Vec<String>,
    /// The key of the question in its round, if it has one.
    pub(crate) key: Option<String>,
}

impl Draft {
    /// An entry of this kind, with what it matches.
    pub(crate) fn new(on: &str, matching: Map<String, Value>) -> Self {
        let mut entry = Map::from_iter([("on".to_owned(), Value::from(on))]);
        if !matching.is_empty() {
            entry.insert("match".into(), matching.into());
        }
        Draft { entry, secrets: Vec::new(), key: None }
    }

    /// Adds a key.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.entry.insert(key.to_owned(), value.into());
        self
    }

    /// Adds the refusal.
    pub(crate) fn refusing(self, code: i64, message: &str) -> Self {
        self.with("error", json!({ "code": code, "message": message }))
    }
}

/// The pattern that fits this text and no other: the text, unless it would be read as a regular expression.
pub(crate) fn exactly(text: &str) -> Value {
    match Pattern::read(&text.into()) {
        Ok(pattern) if !pattern.is_regex() => text.into(),
        _ => format!("/^{}$/", regex::escape(text)).into(),
    }
}

/// The pattern that fits a text by its beginning, where it is long.
pub(crate) fn beginning(text: &str, max: usize) -> Value {
    if text.chars().nth(max).is_none() {
        return exactly(text);
    }
    let start: String = text.chars().take(max / 2).collect();
    format!("/^{}/", regex::escape(&start)).into()
}

/// A draft as an entry to paste, and the variables that stand in it for secrets.
pub(crate) fn entry(draft: Draft) -> (Value, Vec<String>) {
    let mut names = Names::default();
    let entry = names.settle(draft);
    (entry, names.in_order)
}

/// Drafts as an answer file, and the variables that stand in it for secrets.
pub(crate) fn file(drafts: impl IntoIterator<Item = Draft>) -> (String, Vec<String>) {
    let mut names = Names::default();
    let mut drafts: Vec<Draft> = drafts.into_iter().collect();
    tell_apart(&mut drafts);
    let entries: Vec<Value> = drafts.into_iter().map(|draft| names.settle(draft)).collect();
    let file = json!({ "version": 1, "answers": entries });
    let text = serde_json::to_string_pretty(&file).unwrap_or_else(|_| file.to_string());
    (text + "\n", names.in_order)
}

/// Entries that would fit each other's questions get the keys of theirs: the questions of a round have no order.
fn tell_apart(drafts: &mut [Draft]) {
    let looks = |draft: &Draft| ["on", "match"].map(|key| draft.entry.get(key).map(Value::to_string));
    let mut keys: HashMap<_, HashSet<Option<String>>> = HashMap::new();
    for draft in drafts.iter() {
        keys.entry(looks(draft)).or_default().insert(draft.key.clone());
    }
    for draft in drafts {
        let is_mistakable = keys.get(&looks(draft)).is_some_and(|keys| keys.len() > 1);
        let Some(key) = draft.key.as_ref().filter(|_| is_mistakable) else { continue };
        let key = exactly(key);
        let matching = draft.entry.entry("match").or_insert_with(|| json!({}));
        if let Value::Object(matching) = matching {
            matching.insert("key".into(), key);
        }
    }
}

/// The variables of one file: a secret said twice has one, two secrets of one field have two.
#[derive(Default)]
struct Names {
    in_order: Vec<String>,
    taken: HashSet<String>,
    known: HashMap<(String, String), String>,
    /// The last number behind a name.
    last: HashMap<String, usize>,
}

impl Names {
    fn settle(&mut self, mut draft: Draft) -> Value {
        let mut secrets = Vec::new();
        if let Some(Value::Object(content)) = draft.entry.get_mut("content") {
            let content = Value::from(content.clone());
            for place in draft.secrets {
                if let Some(value) = content.pointer(&place).filter(|value| !value.is_null()) {
                    let name = self.variable(&name_of(&place), value);
                    secrets.push((place, name));
                }
            }
        }
        let mut entry = escape(draft.entry.into());
        for (place, name) in secrets {
            if let Some(value) = entry.pointer_mut(&format!("/content{place}")) {
                *value = format!("${{{name}}}").into();
            }
        }
        entry
    }

    fn variable(&mut self, field: &str, value: &Value) -> String {
        let stem: String =
            field.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        let stem = if stem.starts_with(|c: char| c.is_ascii_alphabetic()) { stem } else { format!("FIELD_{stem}") };
        let key = (stem.clone(), value.to_string());
        if let Some(name) = self.known.get(&key) {
            return name.clone();
        }
        let last = self.last.entry(stem.clone()).or_default();
        let name = loop {
            *last += 1;
            let name = if *last == 1 { stem.clone() } else { format!("{stem}_{last}") };
            if self.taken.insert(name.clone()) {
                break name;
            }
        };
        self.in_order.push(name.clone());
        self.known.insert(key, name.clone());
        name
    }
}

/// The name of the field at a place: that of its list, for an item.
fn name_of(place: &str) -> String {
    let mut names = place.strip_prefix('/').unwrap_or(place).split('/');
    let is_name = |name: &&str| !name.bytes().all(|byte| byte.is_ascii_digit());
    let name = names.clone().rfind(is_name).or(names.next_back()).unwrap_or_default();
    name.replace("~1", "/").replace("~0", "~")
}

/// Keeps every `${` from being taken for a variable.
fn escape(value: Value) -> Value {
    match value {
        Value::String(text) => text.replace("${", "$${").into(),
        Value::Array(items) => items.into_iter().map(escape).collect(),
        Value::Object(object) => {
            object.into_iter().map(|(key, item)| (key, escape(item))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// What has been answered so far, in the order asked, whatever the order of the answers.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    slots: Mutex<Vec<(String, Option<Draft>)>>,
}

impl Recording {
    /// A question was asked; `id` names it. Its place is kept until it is answered.
    pub(crate) fn asked(&self, id: String) -> usize {
        let mut slots = self.slots();
        slots.push((id, None));
        slots.len() - 1
    }

    /// The question at this place was answered.
    pub(crate) fn answered(&self, at: usize, draft: Option<Draft>) {
        self.slots()[at].1 = draft;
    }

    /// What was said last to the question of this name came to be an action without content.
    pub(crate) fn amend(&self, id: &str, action: &str) {
        let mut slots = self.slots();
        if let Some((_, Some(draft))) = slots.iter_mut().rev().find(|(other, _)| other == id) {
            draft.entry.insert("action".into(), action.into());
            draft.entry.shift_remove("content");
        }
    }

    /// The answers so far.
    pub(crate) fn drafts(&self) -> Vec<Draft> {
        self.slots().iter().filter_map(|(_, draft)| draft.clone()).collect()
    }

    fn slots(&self) -> MutexGuard<'_, Vec<(String, Option<Draft>)>> {
        lock(&self.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(content: Value, secrets: &[&str]) -> Draft {
        let secrets = secrets.iter().map(|name| (*name).to_owned()).collect();
        Draft { secrets, ..Draft::new("elicitation", Map::new()).with("action", "accept").with("content", content) }
    }

    #[test]
    fn questions_of_a_round_that_look_alike_are_told_by_their_keys() {
        let draft = |key: &str, message: &str| Draft {
            key: Some(key.to_owned()),
            ..Draft::new("elicitation", Map::from_iter([("message".to_owned(), message.into())]))
        };
        let (text, _) = file([draft("debit", "Amount?"), draft("credit", "Amount?"), draft("name", "Name?")]);
        let file: Value = serde_json::from_str(&text).unwrap();
        let keys = [0, 1, 2].map(|at| file["answers"][at]["match"]["key"].clone());
        assert_eq!(keys, [json!("debit"), json!("credit"), Value::Null]);
    }

    #[test]
    fn what_would_be_a_variable_or_an_expression_stands_for_itself() {
        let message = "/a.b/i costs ${X} and $${Y}";
        for text in [message, "/a.b/", "/(/", "plain", "/usr/bin", ""] {
            let pattern = Pattern::read(&exactly(text)).unwrap();
            assert!(pattern.fits(text) && !pattern.fits(&format!("{text}!")), "{text}");
        }
        let draft = accepted(json!({ "a": message, "b": [{ "c": "${" }], "n": 1 }), &[]);
        let (entry, variables) = entry(draft);
        let expected = json!({ "a": "/a.b/i costs $${X} and $$${Y}", "b": [{ "c": "$${" }], "n": 1 });
        assert_eq!((&entry["content"], variables.len()), (&expected, 0));
    }

    #[test]
    fn a_long_text_is_matched_by_its_beginning() {
        assert_eq!(beginning("a.b", 3), json!("a.b"));
        assert_eq!(beginning("a.bc", 3), json!("/^a/"));
        assert_eq!(beginning("a.b.é.", 4), json!("/^a\\./"));
    }

    #[test]
    fn secrets_become_variables_each_with_a_name_of_its_own() {
        let drafts = [
            accepted(json!({ "user": "ada", "api key": "k1", "pin": 1 }), &["/api key", "/pin", "/absent"]),
            accepted(json!({ "api key": "k2" }), &["/api key"]),
            accepted(json!({ "API-KEY": "k1", "pin": null, "2fa": "x" }), &["/API-KEY", "/pin", "/2fa"]),
            accepted(json!({ "a": { "b/c": "k3" }, "keys": ["k1", "k4"] }), &["/a/b~1c", "/keys/0", "/keys/1"]),
        ];
        let (text, variables) = file(drafts);
        assert_eq!(variables, ["API_KEY", "PIN", "API_KEY_2", "FIELD_2FA", "B_C", "KEYS", "KEYS_2"]);
        let file: Value = serde_json::from_str(&text).unwrap();
        let contents: Vec<&Value> = (0..4).map(|at| &file["answers"][at]["content"]).collect();
        assert_eq!(
            contents,
            [
                &json!({ "user": "ada", "api key": "${API_KEY}", "pin": "${PIN}" }),
                &json!({ "api key": "${API_KEY_2}" }),
                &json!({ "API-KEY": "${API_KEY}", "pin": null, "2fa": "${FIELD_2FA}" }),
                &json!({ "a": { "b/c": "${B_C}" }, "keys": ["${KEYS}", "${KEYS_2}"] }),
            ]
        );
    }

    #[test]
    fn the_order_is_that_of_the_questions() {
        let recording = Recording::default();
        let (first, second, third) =
            (recording.asked("1".into()), recording.asked("2".into()), recording.asked("3".into()));
        recording.answered(third, Some(accepted(json!({ "at": 3 }), &[])));
        recording.answered(first, Some(accepted(json!({ "at": 1 }), &[])));
        recording.answered(second, None);
        recording.amend("3", "cancel");
        recording.amend("2", "cancel");
        let (text, _) = file(recording.drafts());
        let file: Value = serde_json::from_str(&text).unwrap();
        let expected = json!([
            { "on": "elicitation", "action": "accept", "content": { "at": 1 } },
            { "on": "elicitation", "action": "cancel" },
        ]);
        assert_eq!(file["answers"], expected);
    }
}
