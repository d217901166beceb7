//! What is wrong with an answer file, and where: every mistake names file, line, column and JSON pointer.

use super::place::{Places, Position, step};
use crate::failure::Failure;
use crate::words::nearest;
use serde_json::{Map, Value, json};
use std::fmt;

/// Something wrong, before its place in the text is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// A JSON pointer, below whatever the reader was given.
    pub(crate) path: String,
    /// What of that place.
    pub(crate) part: Part,
    /// One line.
    pub(crate) why: String,
}

/// A key, or what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Key,
    Value,
}

impl Wrong {
    /// A wrong value.
    pub(crate) fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        Wrong { path: path.into(), part: Part::Value, why: why.into() }
    }

    /// The same, seen from further up.
    pub(crate) fn below(mut self, pointer: &str) -> Self {
        self.path.insert_str(0, pointer);
        self
    }
}

/// A mistake in its place.
#[derive(Debug, Clone)]
pub(crate) struct Mistake {
    file: String,
    position: Position,
    pointer: String,
    why: String,
}

impl Mistake {
    /// A text that is no JSON.
    pub(super) fn syntax(file: &str, text: &str, error: &serde_json::Error) -> Self {
        // serde_json counts bytes, and names the last one where the text ends too soon.
        let line = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let offset = if error.is_eof() { text.trim_end().len() } else { line + error.column().saturating_sub(1) };
        let words = error.to_string();
        let why = format!("not JSON: {}", words.rsplit_once(" at line ").map_or(words.as_str(), |(why, _)| why));
        Mistake { file: file.to_owned(), position: Position::of(text, offset), pointer: String::new(), why }
    }

    /// A wrong key or value of this text.
    pub(super) fn at(file: &str, text: &str, places: &Places, wrong: Wrong) -> Self {
        let span = places.find(&wrong.path);
        let offset = match wrong.part {
            Part::Key => span.key.unwrap_or(span.value),
            Part::Value => span.value,
        };
        let position = Position::of(text, offset);
        Mistake { file: file.to_owned(), position, pointer: wrong.path, why: wrong.why }
    }

    /// Where it stands.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    fn to_json(&self) -> Value {
        let Position { line, column } = self.position;
        json!({ "file": self.file, "line": line, "column": column, "pointer": self.pointer, "message": self.why })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        let space = if self.pointer.is_empty() { "" } else { ": " };
        write!(f, "{}:{line}:{column}{space}{}: {}", self.file, self.pointer, self.why)
    }
}

/// The failure that these are: exit 2.
pub(crate) fn failure(mistakes: &[Mistake]) -> Failure {
    let mut lines = mistakes.iter().map(Mistake::to_string);
    let mut failure = Failure::usage(lines.next().unwrap_or_default());
    failure.data = Some(json!({ "mistakes": mistakes.iter().map(Mistake::to_json).collect::<Vec<_>>() }));
    let rest: Vec<String> = lines.collect();
    if rest.is_empty() { failure } else { failure.detail(rest.join("\n")) }
}

/// An object being read: what nobody takes is unknown.
pub(super) struct Reader<'a> {
    object: Map<String, Value>,
    known: Vec<&'static str>,
    pointer: String,
    /// What has been found wrong so far.
    pub(super) wrongs: &'a mut Vec<Wrong>,
}

impl<'a> Reader<'a> {
    /// `None`, and a mistake, when the value is no object.
    pub(super) fn new(value: Value, pointer: String, what: &str, wrongs: &'a mut Vec<Wrong>) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Reader { object, known: Vec::new(), pointer, wrongs }),
            other => {
                wrongs.push(Wrong::new(pointer, format!("{what} is an object, not {}", kind(&other))));
                None
            }
        }
    }

    /// The place of one of its members.
    pub(super) fn pointer(&self, key: &str) -> String {
        format!("{}{}", self.pointer, step(key))
    }

    /// Looks at a member.
    pub(super) fn peek(&self, key: &str) -> Option<&Value> {
        self.object.get(key)
    }

    /// Its members that have not been taken.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.object.values()
    }

    /// The keys of those.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.object.keys().map(String::as_str)
    }

    /// All that has not been taken, whatever it is.
    pub(super) fn all(self) -> Map<String, Value> {
        self.object
    }

    /// Takes a member as it is.
    pub(super) fn value(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.object.remove(key)
    }

    /// Takes a member that is to be read; the reason why it cannot be is a mistake.
    pub(super) fn take<T>(&mut self, key: &'static str, read: impl FnOnce(Value) -> Result<T, String>) -> Option<T> {
        let read = read(self.value(key)?);
        read.map_err(|why| self.wrong(key, why)).ok()
    }

    /// Notes a mistake in a member.
    pub(super) fn wrong(&mut self, key: &str, why: impl Into<String>) {
        self.wrongs.push(Wrong::new(self.pointer(key), why));
    }

    /// Notes that a key is wrong.
    pub(super) fn wrong_key(&mut self, key: &str, why: impl Into<String>) {
        self.wrongs.push(Wrong { path: self.pointer(key), part: Part::Key, why: why.into() });
    }

    /// Notes a mistake in the whole.
    pub(super) fn lacks(&mut self, why: impl Into<String>) {
        self.wrongs.push(Wrong::new(self.pointer.clone(), why));
    }

    /// What is left, of which these keys are known too.
    pub(super) fn rest(mut self, known: &[&'static str]) -> Map<String, Value> {
        self.known.extend(known);
        for key in self.object.keys().filter(|key| !known.contains(&key.as_str())) {
            let path = format!("{}{}", self.pointer, step(key));
            self.wrongs.push(Wrong { path, part: Part::Key, why: unknown("key", key, &self.known) });
        }
        self.object
    }
}

/// "unknown key, did you mean message? (known: tool, message)".
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!(", did you mean {near}?"));
    format!("unknown {what}{near} (known: {})", known.join(", "))
}

/// What a value is, in a message.
pub(super) fn kind(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::String(text) if text.chars().count() > 40 => "a string".into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn syntax(text: &str) -> String {
        let error = serde_json::from_str::<Value>(text).unwrap_err();
        Mistake::syntax("a.json", text, &error).to_string()
    }

    #[test]
    fn a_mistake_in_the_syntax_is_where_it_stands() {
        for (text, words) in [
            ("", "a.json:1:1: not JSON: EOF while parsing a value"),
            ("{", "a.json:1:2: not JSON: EOF while parsing an object"),
            ("{\"a\": 1,\n", "a.json:1:9: not JSON: EOF while parsing a value"),
            ("{\n  \"a\" 1\n}", "a.json:2:7: not JSON: expected `:`"),
            ("{\r\n  \"\u{e9}\u{1f600}\" 1}", "a.json:2:8: not JSON: expected `:`"),
            ("{\"a\": 1,}", "a.json:1:9: not JSON: trailing comma"),
            ("{} x", "a.json:1:4: not JSON: trailing characters"),
            ("{'a': 1}", "a.json:1:2: not JSON: key must be a string"),
        ] {
            assert_eq!(syntax(text), words, "{text:?}");
        }
    }
}
