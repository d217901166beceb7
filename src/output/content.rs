//! What a result has for people, block by block: text as it is, pictures and other bytes as what can be kept or drawn,
//! everything else as one line that says what it is. Nothing odd that a server sends loses a block.

use crate::jsonrpc::Raw;
use crate::terminal::sanitize::{Lines, one_line, visible};
use serde_json::Value;
use std::borrow::Cow;

/// The longest name, description or type that a line shows.
const WORDS: usize = 200;

/// A piece of what a server gave.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Where it stands in the result: `content/0`.
    pub(crate) place: String,
    /// What it is.
    pub(crate) what: What,
    /// Whom it is for and the like, in words; empty where nothing is said.
    pub(crate) notes: String,
}

/// What a block is.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// Text for reading: a JSON string.
    Text(Raw),
    /// Bytes.
    Bytes(Bytes),
    /// Anything else, in words.
    Words(String),
    /// Here a message begins: who says it. Nothing where that is not told.
    Message(String),
}

/// Bytes, in base64.
#[derive(Debug, Clone)]
pub(crate) struct Bytes {
    /// `image`, `audio` or `resource`.
    pub(crate) kind: &'static str,
    /// What the server says they are.
    pub(crate) mime: Option<String>,
    /// A JSON string.
    pub(crate) base64: Raw,
    /// What they are the contents of.
    pub(crate) uri: Option<String>,
}

/// The blocks that stand under `key` of a result: of a list, its items; else the one that is there. `place` leads to the
/// result.
pub(crate) fn blocks(list: &Raw, place: &str, read: fn(&Raw, String) -> Block) -> Vec<Block> {
    match list.items() {
        Ok(items) => items.iter().enumerate().map(|(at, item)| read(item, format!("{place}/{at}"))).collect(),
        Err(_) if list.get() == "null" => Vec::new(),
        Err(_) if list.get().starts_with('{') => vec![read(list, place.to_owned())],
        Err(_) => vec![words(place.to_owned(), compact(list))],
    }
}

/// All the blocks of any result: of a tool, of a prompt, or a resource's contents.
pub(crate) fn of_any(result: &Raw) -> Vec<Block> {
    let Ok([content, contents, messages]) = result.members(&["content", "contents", "messages"]) else {
        return Vec::new();
    };
    let mut found = content.map_or_else(Vec::new, |content| blocks(&content, "content", block));
    found.extend(contents.iter().flat_map(|contents| blocks(contents, "contents", resource)));
    // Also of a message that nobody is said to speak.
    let messages = messages.and_then(|messages| messages.items().ok()).unwrap_or_default();
    for (at, message) in messages.iter().enumerate() {
        if let Ok([Some(content)]) = message.members(&["content"]) {
            found.extend(blocks(&content, &format!("messages/{at}/content"), block));
        }
    }
    found
}

/// Reads a content block.
pub(crate) fn block(raw: &Raw, place: String) -> Block {
    let names =
        ["type", "text", "data", "mimeType", "uri", "name", "title", "description", "size", "resource", "annotations"];
    let Ok(members) = raw.members(&names) else { return words(place, compact(raw)) };
    let [kind, text, data, mime, uri, name, title, description, size, inner, annotations] = members;
    let string = |member: &Option<Raw>| member.as_ref()?.text().map(|text| text.into_owned());
    let notes = notes(annotations.as_ref());
    let kind = string(&kind).unwrap_or_default();
    let what = match (kind.as_str(), text, data, string(&uri), inner) {
        ("text", Some(text), ..) if text.is_text() => What::Text(text),
        ("image" | "audio", _, Some(data), ..) if data.is_text() => {
            let kind = if kind == "image" { "image" } else { "audio" };
            What::Bytes(Bytes { kind, mime: string(&mime), base64: data, uri: None })
        }
        ("resource_link", _, _, Some(uri), _) => {
            let about = description.as_ref().and_then(Raw::text).and_then(|text| first_line(&text));
            let size = size.filter(|size| size.get().starts_with(|c: char| c.is_ascii_digit()));
            let details = [string(&mime), size.map(|size| format!("{} bytes", size.get())), Some(notes.clone())];
            let name = string(&title).or(string(&name)).map_or_else(String::new, |name| format!("{name} "));
            let line = format!("[link] {}{}", one_line(&name, WORDS), visible(&uri, Lines::One));
            What::Words(format!(
                "{line}{}{}",
                bracketed(details),
                about.map_or_else(String::new, |about| format!(": {about}"))
            ))
        }
        ("resource", _, _, _, Some(inner)) => {
            let Block { what, notes: own, .. } = resource(&inner, place.clone());
            return Block { place, what, notes: if notes.is_empty() { own } else { notes } };
        }
        // A kind of content from the future is shown, not dropped.
        _ => What::Words(compact(raw)),
    };
    Block { place, what, notes }
}

/// Reads the contents of a resource.
pub(crate) fn resource(raw: &Raw, place: String) -> Block {
    let Ok([uri, mime, text, blob, annotations]) = raw.members(&["uri", "mimeType", "text", "blob", "annotations"])
    else {
        return words(place, compact(raw));
    };
    let string = |member: Option<Raw>| member?.text().map(|text| text.into_owned());
    let is_string = |member: &Raw| member.is_text();
    let what = match (text.filter(is_string), blob.filter(is_string)) {
        (Some(text), _) => What::Text(text),
        (None, Some(base64)) => What::Bytes(Bytes { kind: "resource", mime: string(mime), base64, uri: string(uri) }),
        (None, None) => What::Words(compact(raw)),
    };
    Block { place, what, notes: notes(annotations.as_ref()) }
}

fn words(place: String, words: String) -> Block {
    Block::new(place, What::Words(words))
}

/// JSON without white space; as it came where it cannot be read.
pub(crate) fn compact(raw: &Raw) -> String {
    raw.value().map_or_else(|_| raw.get().to_owned(), |value| value.to_string())
}

impl Block {
    /// One of which nothing more is said.
    pub(crate) fn new(place: impl Into<String>, what: What) -> Self {
        Block { place: place.into(), what, notes: String::new() }
    }

    /// What people see of it, as one text.
    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match &self.what {
            What::Text(text) => text.text().unwrap_or_default(),
            What::Bytes(bytes) => bytes.line(&self.notes, None).into(),
            What::Words(words) | What::Message(words) => words.into(),
        }
    }

    /// Whether it is text for reading.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.what, What::Text(_))
    }
}

impl Bytes {
    /// What they are, in one line; `kept` is where they are now, or what is wrong with them.
    pub(crate) fn line(&self, notes: &str, kept: Option<&str>) -> String {
        let mime = one_line(self.mime.as_deref().unwrap_or("unknown type"), WORDS);
        let kept = kept.map_or_else(String::new, |kept| format!(" -> {kept}"));
        let uri = self.uri.as_ref().map_or_else(String::new, |uri| format!("{} ", one_line(uri, WORDS)));
        format!("[{}] {uri}{mime}{}{kept}", self.kind, bracketed([Some(self.size()), Some(notes.to_owned())]))
    }

    /// How many there are, by the length of their text.
    fn size(&self) -> String {
        let base64 = self.base64.text().unwrap_or_default();
        let n = base64.bytes().filter(|byte| *byte != b'=' && !byte.is_ascii_whitespace()).count();
        // Three for four, without room for overflow.
        format!("{} bytes", n - n.div_ceil(4))
    }
}

/// " (a, b)", of those that say something.
fn bracketed<const N: usize>(details: [Option<String>; N]) -> String {
    let details: Vec<String> = details.into_iter().flatten().filter(|detail| !detail.is_empty()).collect();
    if details.is_empty() { String::new() } else { format!(" ({})", one_line(&details.join(", "), 2 * WORDS)) }
}

/// Annotations in words: "for user, priority 0.9, modified 2025-01-12". What is odd in them is passed over.
fn notes(annotations: Option<&Raw>) -> String {
    let Some(Value::Object(given)) = annotations.and_then(|raw| raw.value().ok()) else { return String::new() };
    let audience = match given.get("audience") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" and "),
        _ => String::new(),
    };
    let priority = given.get("priority").filter(|priority| priority.is_number());
    let modified = given.get("lastModified").and_then(Value::as_str);
    let words = [
        (!audience.is_empty()).then(|| format!("for {audience}")),
        priority.map(|priority| format!("priority {priority}")),
        modified.map(|modified| format!("modified {modified}")),
    ];
    one_line(&words.into_iter().flatten().collect::<Vec<_>>().join(", "), WORDS)
}

fn first_line(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(|line| one_line(line, WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str) -> String {
        block(&Raw::new(json.to_owned()), "content/0".into()).to_text().into_owned()
    }

    #[test]
    fn every_kind_of_block_has_a_text() {
        for (json, text) in [
            (r#"{"type": "text", "text": "h\u00e9"}"#, "hé"),
            (r#"{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}"#, "[image] image/png (5 bytes)"),
            (r#"{"type": "audio", "data": "aGVsbG9v"}"#, "[audio] unknown type (6 bytes)"),
            (r#"{"type": "resource_link", "uri": "file:///a", "name": "a"}"#, "[link] a file:///a"),
            (r#"{"type": "resource", "resource": {"uri": "x:y", "text": "body"}}"#, "body"),
            (
                r#"{"type": "resource", "resource": {"uri": "x:y", "blob": "AAAA", "mimeType": "a/b"}}"#,
                "[resource] x:y a/b (3 bytes)",
            ),
            (r#"{"type": "hologram", "x": 1}"#, r#"{"type":"hologram","x":1}"#),
            (r#"{"type": "text"}"#, r#"{"type":"text"}"#),
            (r#"{"type": "image", "data": 7}"#, r#"{"type":"image","data":7}"#),
            (r#"{"type": "resource", "resource": 7}"#, "7"),
            (r#"{"type": "text", "text": "\ud800"}"#, r#"{"type": "text", "text": "\ud800"}"#),
            ("7", "7"),
        ] {
            assert_eq!(shown(json), text);
        }
    }

    #[test]
    fn what_is_said_of_a_block_stands_on_its_line() {
        for (json, text) in [
            (
                r#"{"type": "resource_link", "uri": "file:///a", "name": "a", "title": "A", "mimeType": "text/plain", "size": 12,
                    "description": "\n Read me\nmore", "annotations": {"audience": ["user", "assistant"], "priority": 0.90,
                    "lastModified": "2025-01-12T15:00:58Z"}}"#,
                "[link] A file:///a (text/plain, 12 bytes, for user and assistant, priority 0.90, modified 2025-01-12T15:00:58Z): Read me",
            ),
            (
                r#"{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png", "annotations": {"audience": "user", "priority": "high"}}"#,
                "[image] image/png (5 bytes, for user)",
            ),
            (
                r#"{"type": "resource_link", "uri": "file:///a\n[link] b", "size": "big", "description": 7, "annotations": [1]}"#,
                "[link] file:///a\\n[link] b",
            ),
            (
                r#"{"type": "resource", "annotations": {"priority": 1}, "resource": {"blob": ""}}"#,
                "[resource] unknown type (0 bytes, priority 1)",
            ),
        ] {
            assert_eq!(shown(json), text);
        }
    }

    #[test]
    fn any_result_has_its_blocks_found() {
        let places = |json: &str| -> Vec<String> {
            of_any(&Raw::new(json.to_owned())).into_iter().map(|block| block.place).collect()
        };
        assert_eq!(places(r#"{"content": [1, 2]}"#), ["content/0", "content/1"]);
        assert_eq!(places(r#"{"contents": [{"blob": ""}]}"#), ["contents/0"]);
        let messages = r#"{"messages": [{"role": "user", "content": {"type": "text"}}, 7, {"content": [1]}]}"#;
        assert_eq!(places(messages), ["messages/0/content", "messages/2/content/0"]);
        assert_eq!(places("[]"), [""; 0]);
    }
}
