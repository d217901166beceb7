//! The lines of a server over stdio, and the messages in them.

use super::is_magic;
use crate::jsonrpc::pick::{self, Piece, Steps};
use crate::jsonrpc::{self, Glance, Message, Outcome, Raw};
use crate::transport::lines::{Line, Overlong, Splitter};
use crate::transport::stdio::decoded;
use serde_json::Value;
use serde_json::value::RawValue;

/// Lines come out the same however they are cut; what is read of a message is what serde_json reads of it.
pub(super) fn check(data: &[u8]) {
    let &[step, limit, ref stream @ ..] = data else { return };
    let step = usize::from(step).max(1);
    for (limit, overlong) in [
        (usize::from(limit), Overlong::Drop),
        (usize::from(limit).max(1), Overlong::Cut),
        (stream.len(), Overlong::Drop),
    ] {
        let whole = split(stream, stream.len().max(1), limit, overlong);
        let short = |line: &Line| matches!(line, Line::Whole(bytes) if bytes.len() <= limit);
        assert!(whole.iter().all(|line| short(line) || matches!(line, Line::TooLarge(_))));
        for step in [1, step] {
            let cut = split(stream, step, limit, overlong);
            let is_same = |(one, other): (&Line, &Line)| one == other || !short(one) && !short(other);
            assert!(cut.len() == whole.len() && cut.iter().zip(&whole).all(is_same), "{whole:?} {step} {cut:?}");
        }
    }
    for line in split(stream, stream.len().max(1), stream.len(), Overlong::Drop) {
        let Line::Whole(line) = line else { panic!("no line is longer than the whole") };
        if let Some((text, _)) = decoded(line) {
            message(&text);
        }
    }
}

pub(super) fn split(stream: &[u8], step: usize, limit: usize, overlong: Overlong) -> Vec<Line> {
    let mut splitter = Splitter::new(limit, overlong);
    let mut lines: Vec<Line> = stream.chunks(step).flat_map(|chunk| splitter.push(chunk)).collect();
    lines.extend(splitter.finish());
    lines
}

/// One text, as the engine gets it.
fn message(text: &str) {
    let raw = Raw::new(text.to_owned());
    if let Some(Glance { method, said }) = jsonrpc::glance(text, "level") {
        let Some(Ok(Message::Notification { method: read, params: Some(params) })) = jsonrpc::parse(&raw).next() else {
            panic!("at a glance a notification: {text}")
        };
        let [level] = params.members(&["level"]).unwrap_or_default();
        assert!(read == method && level.as_ref().and_then(Raw::text).as_deref() == said, "{text}");
    }
    let mut messages = jsonrpc::parse(&raw).peekable();
    assert!(messages.peek().is_some() && raw.excerpt().chars().count() <= 300);
    for message in messages {
        match message {
            Err(none) => assert!(!none.why.is_empty() && !none.why.contains('\n'), "{none:?}"),
            Ok(Message::Request { id, params, .. }) => {
                let echo = jsonrpc::response(&id, Ok(&Value::Null));
                assert!(serde_json::from_str::<&RawValue>(&echo).is_ok(), "{echo}");
                params.iter().for_each(part);
            }
            Ok(Message::Notification { params, .. }) => params.iter().for_each(part),
            Ok(Message::Response { id, outcome, odd }) => {
                let _ = id.as_ref().map(|id| id.as_ours());
                assert!(odd.iter().all(|note| !note.contains('\n')));
                match outcome {
                    Outcome::Result(raw) | Outcome::Nothing(raw) => part(&raw),
                    Outcome::Error(error) => assert!(error.to_value().is_object()),
                }
            }
        }
    }
    part(&raw);
}

/// What is found in a text without reading it is what is there.
fn part(raw: &Raw) {
    let text = raw.get();
    let shown = raw.readable();
    if serde_json::from_str::<&RawValue>(text).is_err() || is_magic(text) && text.contains("private") {
        return;
    }
    assert_eq!(shown, Raw::new(raw.on_one_line().into_owned()).readable(), "on one line it says something else");
    let Ok(value) = raw.value() else {
        assert!(text.trim() == "null" || !shown.is_null(), "JSON that cannot be shown: {text}");
        return;
    };
    assert_eq!(shown, value);
    assert_eq!(raw.text().as_deref(), value.as_str());
    if let Some(known) = value.as_str() {
        let mut said = String::new();
        for piece in Raw::new(text.trim().to_owned()).pieces() {
            match piece {
                Piece::Plain(text) => said.push_str(text),
                Piece::Char(c) => said.push(c),
                Piece::Broken => panic!("broken: {text}"),
            }
        }
        assert_eq!(said, known);
    }
    let steps: Vec<String> = match (pick::steps(text), &value) {
        (Steps::Names(names), Value::Object(object)) => {
            assert!(names.iter().all(|name| object.contains_key(name)) && object.len() <= names.len());
            names
        }
        (Steps::Items(n), Value::Array(items)) => {
            assert_eq!((n, raw.items().map_or(0, |raws| raws.len())), (items.len(), items.len()));
            (0..n).map(|n| n.to_string()).collect()
        }
        (Steps::None, Value::Object(_) | Value::Array(_)) => panic!("nowhere to go: {text}"),
        _ => Vec::new(),
    };
    for step in steps.into_iter().take(8) {
        let found = pick::at(text, std::slice::from_ref(&step))
            .map_err(|_| "astray")
            .and_then(|found| serde_json::from_str::<Value>(found).map_err(|_| "not JSON"));
        let known = value.get(&step).or_else(|| value.get(step.parse::<usize>().ok()?));
        assert_eq!(found.as_ref().ok(), known, "{step} in {text}");
    }
}
