//! Parts of a JSON text, found without reading the rest and without copying: items of lists, texts, and what a JSON
//! pointer (RFC 6901) leads to.

use super::{Raw, members};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

impl Raw {
    /// The items of an array, each as its text.
    ///
    /// # Errors
    /// serde_json's one-line reason, when it is no array.
    pub(crate) fn items(&self) -> Result<Vec<Raw>, serde_json::Error> {
        Ok(items(self.get())?.into_iter().map(|item| self.slice(item.get())).collect())
    }

    /// What a JSON string says; `None` when it is no string, or not one that Unicode has.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        text(self.get())
    }
}

/// What a JSON string says, without a copy where it has no escapes.
pub(crate) fn text(json: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str(json).ok().map(|Text(text)| text)
}

fn items(json: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::from_str(json)
}

/// Where a pointer goes astray.
#[derive(Debug)]
pub(crate) struct Astray<'a> {
    /// How many of its steps lead somewhere.
    pub(crate) depth: usize,
    /// What they lead to.
    pub(crate) at: &'a str,
}

/// What the steps of a pointer lead to, as its text.
///
/// # Errors
/// Where there is no going on.
pub(crate) fn at<'a>(json: &'a str, steps: &[String]) -> Result<&'a str, Astray<'a>> {
    let mut at = json.trim();
    for (depth, step) in steps.iter().enumerate() {
        let next = match at.as_bytes().first() {
            Some(b'{') => members(at, &[step]).ok().and_then(|[member]| member),
            Some(b'[') => index(step).and_then(|index| items(at).ok()?.into_iter().nth(index)),
            _ => None,
        };
        at = next.ok_or(Astray { depth, at })?.get();
    }
    Ok(at)
}

/// An index as RFC 6901 has it: no sign, no leading zero.
fn index(step: &str) -> Option<usize> {
    let is_number = step.bytes().all(|byte| byte.is_ascii_digit()) && (step == "0" || !step.starts_with('0'));
    if is_number { step.parse().ok() } else { None }
}

/// What can be stepped to from here.
pub(crate) enum Steps {
    /// The members of an object.
    Names(Vec<String>),
    /// The items of an array: how many.
    Items(usize),
    /// Nothing: it is neither.
    None,
}

/// What can be stepped to from the value that is this text.
pub(crate) fn steps(json: &str) -> Steps {
    match json.trim_start().as_bytes().first() {
        Some(b'{') => serde_json::from_str(json).map_or(Steps::None, |Names(names)| Steps::Names(names)),
        Some(b'[') => items(json).map_or(Steps::None, |items| Steps::Items(items.len())),
        _ => Steps::None,
    }
}

/// The names of an object's members.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Names;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_of(pointer: &str) -> Vec<String> {
        pointer.split('/').skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn a_pointer_leads_to_the_text_as_it_was_written() {
        let json = r#" {"a": [ 1.50, {"b" : 1E400} ], "": {"": null}, "x/y": "\ud800", "a": [2.0, {"b":[ ]}]} "#;
        for (pointer, found) in [("/a/0", "2.0"), ("/a/1/b", "[ ]"), ("//", "null"), ("/a", r#"[2.0, {"b":[ ]}]"#)] {
            assert_eq!(at(json, &steps_of(pointer)).unwrap(), found, "{pointer}");
        }
        assert_eq!(at(json, &["x/y".to_owned()]).unwrap(), r#""\ud800""#);
        assert_eq!(at(json, &[]).unwrap(), json.trim());
    }

    #[test]
    fn where_it_goes_astray_is_told() {
        let json = r#"{"a":[1,{"b":"text"}]}"#;
        for (pointer, depth, place) in [
            ("/x", 0, json),
            ("/a/2", 1, r#"[1,{"b":"text"}]"#),
            ("/a/-", 1, r#"[1,{"b":"text"}]"#),
            ("/a/01", 1, r#"[1,{"b":"text"}]"#),
            ("/a/+1", 1, r#"[1,{"b":"text"}]"#),
            ("/a/", 1, r#"[1,{"b":"text"}]"#),
            ("/a/1/b/c", 3, r#""text""#),
            ("/a/99999999999999999999999", 1, r#"[1,{"b":"text"}]"#),
        ] {
            let astray = at(json, &steps_of(pointer)).unwrap_err();
            assert_eq!((astray.depth, astray.at), (depth, place), "{pointer}");
        }
        assert!(matches!(steps(json), Steps::Names(names) if names == ["a"]));
        assert!(matches!(steps(" [1,2]"), Steps::Items(2)));
        assert!(matches!(steps("7"), Steps::None));
    }

    #[test]
    fn texts_are_not_copied_without_need() {
        assert!(matches!(text(r#""plain é""#), Some(Cow::Borrowed("plain é"))));
        assert_eq!(text(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert!(text(r#""\ud800""#).is_none() && text("7").is_none());
    }
}
