//! JSON-RPC 2.0 messages as values: enough is read to route a message, everything else stays the text the
//! server sent. Parsing is tolerant: what is odd is noted, never lost, and a reply always stays a reply.

mod glance;
mod id;
mod mend;
pub(crate) mod pick;
mod walk;

use crate::complexity;
pub(crate) use glance::{Glance, glance};
pub(crate) use id::RequestId;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A piece of a received text, shared and not copied: a 50 MB result is held once.
#[derive(Clone)]
pub(crate) struct Raw {
    whole: Arc<String>,
    range: Range<usize>,
    /// It has been read as JSON, as a part of something larger.
    is_sound: bool,
}

impl Raw {
    /// Takes a whole text.
    pub(crate) fn new(text: String) -> Self {
        let range = 0..text.len();
        Raw { whole: Arc::new(text), range, is_sound: false }
    }

    /// The text exactly as sent.
    pub(crate) fn get(&self) -> &str {
        &self.whole[self.range.clone()]
    }

    /// The piece as a value.
    ///
    /// # Errors
    /// One line why not, for instance that it is nested more than 128 levels deep, or has too many values.
    pub(crate) fn value(&self) -> Result<Value, serde_json::Error> {
        complexity::read(self.get())
    }

    /// The piece as a value to be shown to people: of what serde_json does not read, halves of characters are U+FFFD, and
    /// what is nested too deep, or has too many values, is null.
    pub(crate) fn readable(&self) -> Value {
        self.value().or_else(|_| complexity::read(&mend::mended(self.get()))).unwrap_or_default()
    }

    /// The beginning, for messages.
    pub(crate) fn excerpt(&self) -> String {
        self.get().chars().take(300).collect()
    }

    /// The text on one line: where it has several, the blanks between its tokens are left out.
    pub(crate) fn on_one_line(&self) -> Cow<'_, str> {
        let text = self.get();
        if !text.contains(['\n', '\r']) {
            return text.into();
        }
        let (mut in_string, mut is_escaped) = (false, false);
        let kept = text.chars().filter(|c| {
            let is_kept = in_string || !c.is_ascii_whitespace();
            match c {
                '"' if !is_escaped => in_string = !in_string,
                _ => {}
            }
            is_escaped = in_string && *c == '\\' && !is_escaped;
            is_kept
        });
        kept.collect::<String>().into()
    }

    /// Some members of an object, each as its text; `None` where there is none. The rest is not read, so that a large
    /// result costs one pass and no copy.
    ///
    /// # Errors
    /// serde_json's one-line reason, when it is no object.
    pub(crate) fn members<const N: usize>(&self, names: &[&str; N]) -> Result<[Option<Raw>; N], serde_json::Error> {
        if self.is_sound
            && let Some(found) = walk::members(self.get(), names)
        {
            return Ok(found.map(|member| member.map(|text| self.slice(text))));
        }
        Ok(members(self.get(), names)?.map(|member| member.map(|raw| self.slice(raw.get()))))
    }

    /// The sub-text that `part`, a slice of `self.get()`, stands for: a value that has been read.
    fn slice(&self, part: &str) -> Raw {
        let start = part.as_ptr() as usize - self.whole.as_ptr() as usize;
        Raw { whole: self.whole.clone(), range: start..start + part.len(), is_sound: true }
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// The error object of a reply, read leniently.
#[derive(Debug, Clone)]
pub(crate) struct RpcError {
    /// `code` as sent; usually an integer.
    pub(crate) code: Value,
    /// `message`, or the text of an error that was no object.
    pub(crate) message: String,
    /// `data`, when there is some.
    pub(crate) data: Option<Value>,
}

impl RpcError {
    /// An error of ours.
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        RpcError { code: code.into(), message: message.into(), data: None }
    }

    fn read(raw: &Raw) -> (Self, Option<String>) {
        let Ok([code, message, data]) = raw.members(&["code", "message", "data"]) else {
            let message = raw.text().map_or_else(|| raw.get().to_owned(), Cow::into_owned);
            return (Self { code: Value::Null, message, data: None }, Some("an error that is not an object".into()));
        };
        // One by one: data that cannot be read costs no message.
        let [code, message, data] = [code, message, data].map(|member| member.map(|raw| raw.readable()));
        let (message, odd) = match message {
            Some(Value::String(text)) => (text, None),
            Some(other) => (other.to_string(), Some("an error whose message is not a string".to_owned())),
            None => ("no message".to_owned(), Some("an error without message".to_owned())),
        };
        (Self { code: code.unwrap_or_default(), message, data }, odd)
    }

    /// The wire form.
    pub(crate) fn to_value(&self) -> Value {
        let mut object = Map::new();
        object.insert("code".into(), self.code.clone());
        object.insert("message".into(), self.message.clone().into());
        if let Some(data) = &self.data {
            object.insert("data".into(), data.clone());
        }
        Value::Object(object)
    }
}

/// What a reply carries.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// `result`, untouched.
    Result(Raw),
    /// `error`.
    Error(RpcError),
    /// Neither: a reply that says nothing. The raw text is kept for the person.
    Nothing(Raw),
}

/// One JSON-RPC message.
#[derive(Debug, Clone)]
pub(crate) enum Message {
    /// The server asks.
    Request {
        /// To be echoed.
        id: RequestId,
        /// The method.
        method: String,
        /// `params`, when present and not null.
        params: Option<Raw>,
    },
    /// The server tells.
    Notification {
        /// The method.
        method: String,
        /// `params`, when present and not null.
        params: Option<Raw>,
    },
    /// The server replies.
    Response {
        /// `None` when the id is null or missing.
        id: Option<RequestId>,
        /// What it says.
        outcome: Outcome,
        /// What was odd about it, each a noun phrase.
        odd: Vec<String>,
    },
}

/// Reads one text: a message, or a batch of them (2025-03-26 basic/index: receivers must accept arrays). What is no
/// message is an error that says why; in a batch it does not lose the others.
pub(crate) fn parse(whole: &Raw) -> impl Iterator<Item = Result<Message, NoMessage>> {
    let trimmed = whole.get().trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let (items, why) = match trimmed.starts_with('[').then(|| pick::items(trimmed)) {
        None => (vec![trimmed], None),
        Some(Err(error)) => (Vec::new(), Some(not_json(&error))),
        Some(Ok(items)) if items.is_empty() => (Vec::new(), Some("an empty batch".to_owned())),
        Some(Ok(items)) => (items.into_iter().map(RawValue::get).collect(), None),
    };
    let no_message = move |text| move |why| NoMessage { text: whole.slice(text), why };
    let broken = why.map(no_message(trimmed)).map(Err);
    items.into_iter().map(move |text| one(whole, text).map_err(no_message(text))).chain(broken)
}

/// What is no message.
#[derive(Debug)]
pub(crate) struct NoMessage {
    /// What came instead.
    pub(crate) text: Raw,
    /// Why it is none, in one line.
    pub(crate) why: String,
}

fn one(whole: &Raw, text: &str) -> Result<Message, String> {
    if !text.trim_start().starts_with('{') {
        return Err("not a JSON-RPC message".into());
    }
    let keys = ["jsonrpc", "id", "method", "params", "result", "error"];
    let [jsonrpc, id, method, params, result, error] = members(text, &keys).map_err(|e| not_json(&e))?;
    let part = |raw: &RawValue| whole.slice(raw.get());
    let id = id.filter(|raw| raw.get() != "null").map(|raw| RequestId::from(&part(raw)));
    let params = params.filter(|raw| raw.get() != "null").map(part);

    let mut odd = Vec::new();
    // Some servers spell every member of a message, `null` where there is none.
    let method = method.filter(|raw| raw.get() != "null");
    let is_reply = result.is_some() || error.is_some_and(|raw| raw.get() != "null");
    if method.is_some() && is_reply {
        odd.push("a method".to_owned());
    }
    if let Some(method) = method.filter(|_| !is_reply) {
        let method: String =
            serde_json::from_str(method.get()).map_err(|_| "a method that is not a string".to_owned())?;
        return Ok(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        });
    }

    if jsonrpc.is_none_or(|raw| raw.get() != "\"2.0\"") {
        odd.push("no \"jsonrpc\": \"2.0\"".to_owned());
    }
    // `"error": null` beside a result, and the reverse, are how some servers spell "none".
    let error = error.filter(|raw| raw.get() != "null");
    let outcome = match (result, error) {
        (result, Some(error)) => {
            if result.is_some_and(|raw| raw.get() != "null") {
                odd.push("result and error both".to_owned());
            }
            let (error, note) = RpcError::read(&part(error));
            odd.extend(note);
            Outcome::Error(error)
        }
        (Some(result), None) => Outcome::Result(part(result)),
        (None, None) if id.is_some() && jsonrpc.is_some() => Outcome::Nothing(whole.slice(text)),
        (None, None) => return Err("not a JSON-RPC message".into()),
    };
    Ok(Message::Response { id, outcome, odd })
}

fn not_json(error: &serde_json::Error) -> String {
    // Else it is JSON, and too much of it.
    if error.is_data() { error.to_string() } else { format!("not JSON ({error})") }
}

/// The text of a request; `params` is JSON text.
pub(crate) fn request(id: u64, method: &str, params: Option<&str>) -> String {
    with_params(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{}"#, Value::from(method)), params)
}

/// The text of a notification.
pub(crate) fn notification(method: &str, params: Option<&Value>) -> String {
    let params = params.map(Value::to_string);
    with_params(format!(r#"{{"jsonrpc":"2.0","method":{}"#, Value::from(method)), params.as_deref())
}

/// The text of a reply to the server's request `id`.
pub(crate) fn response(id: &RequestId, outcome: Result<&Value, &RpcError>) -> String {
    let (key, value) = match outcome {
        Ok(result) => ("result", result.to_string()),
        Err(error) => ("error", error.to_value().to_string()),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{},"{key}":{value}}}"#, id.as_json())
}

fn with_params(mut message: String, params: Option<&str>) -> String {
    if let Some(params) = params {
        message.push_str(",\"params\":");
        message.push_str(params);
    }
    message.push('}');
    message
}

/// Picks some members of a JSON object out of its text, the others unread; of duplicates the last counts, as most servers'
/// parsers have it.
struct Members<'n, const N: usize>(&'n [&'n str; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Members<'_, N> {
    type Value = [Option<&'de RawValue>; N];
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
    type Value = [Option<&'de RawValue>; N];
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = [None; N];
        while let Some(found) = map.next_key_seed(Which(self.0))? {
            match found {
                // Not `Option<&RawValue>`: that would turn `null` into "absent".
                Some(at) => members[at] = Some(map.next_value::<&RawValue>()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(members)
    }
}

/// Which of some names a key is; no key is copied for that.
struct Which<'n>(&'n [&'n str]);

impl<'de> DeserializeSeed<'de> for Which<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Which<'_> {
    type Value = Option<usize>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}

fn members<'a, const N: usize>(
    text: &'a str,
    names: &[&str; N],
) -> Result<[Option<&'a RawValue>; N], serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = Members(names).deserialize(&mut deserializer)?;
    deserializer.end().map(|()| members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn single(text: &str) -> Message {
        parse(&Raw::new(text.to_owned())).next().unwrap().unwrap()
    }

    #[test]
    fn replies_are_matched_leniently() {
        for (id, ours) in [
            ("3", Some(3)),
            ("\"3\"", Some(3)),
            ("3.0", Some(3)),
            ("30e-1", Some(3)),
            ("\" 3\"", Some(3)),
            ("\"x\"", None),
            ("-1", None),
            ("3.5", None),
            ("1e400", None),
            ("99999999999999999999", None),
            ("true", None),
        ] {
            let Message::Response { id: Some(got), .. } =
                single(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))
            else {
                panic!("not a response: {id}")
            };
            assert_eq!(got.as_ours(), ours, "{id}");
        }
    }

    #[test]
    fn odd_replies_stay_replies_and_are_noted() {
        let cases = [
            (r#"{"id":1,"result":{}}"#, "no \"jsonrpc\": \"2.0\""),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1}}"#, "an error without message"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, "a method"),
            (r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, "an error that is not an object"),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"},"result":{}}"#, "result and error both"),
        ];
        for (text, note) in cases {
            let Message::Response { odd, .. } = single(text) else { panic!("{text}") };
            assert_eq!(odd, [note], "{text}");
        }
        assert!(matches!(
            single(r#"{"jsonrpc":"2.0","id":1}"#),
            Message::Response { outcome: Outcome::Nothing(_), .. }
        ));
        assert!(matches!(
            single(r#"{"jsonrpc":"2.0","id":1,"result":null}"#),
            Message::Response { outcome: Outcome::Result(_), .. }
        ));
        assert!(matches!(
            single(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}"#),
            Message::Response { id: None, .. }
        ));
    }

    #[test]
    fn noise_is_told_from_messages() {
        for text in
            ["42", "null", "[1,2]", "[]", r#"{"level":"info"}"#, r#"{"jsonrpc":"2.0"}"#, "{not json", "Starting…"]
        {
            assert!(parse(&Raw::new(text.to_owned())).all(|read| read.is_err()), "{text}");
        }
    }

    #[test]
    fn members_are_picked_as_their_text() {
        let raw = Raw::new(r#"{"a": 1.50, "b":{"a":2}, "a":"\ud800", "n":null}"#.into());
        let [a, n, absent] = raw.members(&["a", "n", "x"]).unwrap();
        assert_eq!(a.unwrap().get(), r#""\ud800""#);
        assert_eq!(n.unwrap().get(), "null");
        assert!(absent.is_none());
        for text in ["[]", "7", "{} x"] {
            assert!(Raw::new(text.into()).members(&["a"]).is_err(), "{text}");
        }
    }

    #[test]
    fn a_result_keeps_its_text() {
        let result = r#"{"b":1.10, "a":[1E400,18446744073709551616],"a":null}"#;
        let Message::Response { outcome: Outcome::Result(raw), .. } =
            single(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result},"x":{{}}}}"#))
        else {
            panic!()
        };
        assert_eq!(raw.get(), result);
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let Message::Response { outcome: Outcome::Result(raw), .. } =
            single(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{deep}}}"#))
        else {
            panic!()
        };
        assert!(raw.value().is_err());
    }

    #[test]
    fn batches_are_unpacked_and_one_bad_item_loses_no_other() {
        let batch = r#"[{"jsonrpc":"2.0","id":"a","method":"ping"},7,{"jsonrpc":"2.0","method":"n"}]"#;
        let batch = Raw::new(batch.to_owned());
        let mut batch: Vec<_> = parse(&batch).collect();
        assert!(batch.len() == 3 && batch[1].is_err() && batch[2].is_ok());
        let Ok(Message::Request { id, .. }) = batch.remove(0) else { panic!() };
        // An id goes back as it came.
        assert_eq!(response(&id, Ok(&json!({}))), r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    }

    #[test]
    fn null_members_are_absent_members() {
        let reply = r#"{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{},"error":null}"#;
        assert!(matches!(single(reply), Message::Response { outcome: Outcome::Result(_), .. }));
    }
}
