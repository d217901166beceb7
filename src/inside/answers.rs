//! Answer files.

use crate::answers::matching::Subject;
use crate::answers::mistake::failure;
use crate::answers::place::{Places, Position, step};
use crate::answers::{Answers, load};
use crate::callbacks::KINDS;
use serde_json::Value;

/// A file is read or all that is wrong with it has a place in it; places are where values stand.
pub(super) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let env = |name: &str| name.starts_with('A').then(|| name.to_lowercase());
    match load("file", text, KINDS, &env) {
        Err(mistakes) => {
            assert!(!mistakes.is_empty() && !failure(&mistakes).message.is_empty());
            let end = Position::of(text, text.len());
            for mistake in mistakes {
                let position = mistake.position();
                assert!(position.line >= 1 && position.line <= end.line && position.column >= 1, "{mistake}");
                assert!(position.line < end.line || position.column <= end.column, "{mistake}");
            }
        }
        Ok(file) => {
            if let Answers::List(entries) = &file.answers {
                for entry in entries {
                    let subject = Subject { tool: Some("t"), message: Some(text), key: Some("k"), round: Some(1) };
                    let _ = entry.matching.fits(subject);
                    assert!(entry.matching.covers(&entry.matching) && entry.times != Some(0));
                }
            }
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(text)
        && !super::is_magic(text)
    {
        let places = Places::of(text);
        if places.repeated.is_empty() {
            at_its_place(text, &value, "", &places);
        }
    }
}

fn at_its_place(text: &str, value: &Value, pointer: &str, places: &Places) {
    let span = places.find(pointer);
    let (found, _) = super::first_value(&text.as_bytes()[span.value..]).unwrap_or_default();
    assert_eq!(found, *value, "{pointer}");
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let pointer = format!("{pointer}{}", step(name));
                let at = places.find(&pointer).key.unwrap_or_default();
                let (key, _) = super::first_value(&text.as_bytes()[at..]).unwrap_or_default();
                assert_eq!(key, *name, "{pointer}");
                at_its_place(text, member, &pointer, places);
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                at_its_place(text, item, &format!("{pointer}/{n}"), places);
            }
        }
        _ => {}
    }
}
