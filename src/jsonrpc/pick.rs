//! Parts of a JSON text, found without reading the rest and without copying: items of lists, texts, and what a JSON
//! pointer (RFC 6901) leads to.

use super::{Raw, members, walk};
use crate::complexity;
use crate::search::find;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

impl Raw {
    /// The items of an array, each as its text.
    ///
    /// # Errors
    /// serde_json's one-line reason, when it is no array.
    pub(crate) fn items(&self) -> Result<Vec<Raw>, serde_json::Error> {
        if self.is_sound
            && let Some(items) = walk::items(self.get())
        {
            if items.len() > complexity::limit() {
                return Err(complexity::too_many("items"));
            }
            return Ok(items.into_iter().map(|item| self.slice(item)).collect());
        }
        Ok(items(self.get())?.into_iter().map(|item| self.slice(item.get())).collect())
    }

    /// What a JSON string says; `None` when it is no string, or not one that Unicode has.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        text(self.get())
    }

    /// Whether it is a string that says something.
    pub(crate) fn is_text(&self) -> bool {
        self.get().starts_with('"') && self.pieces().all(|piece| !matches!(piece, Piece::Broken))
    }

    /// What a JSON string says, piece by piece: nothing of it is copied, however long it is.
    pub(crate) fn pieces(&self) -> Pieces<'_> {
        Pieces(self.get().strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default())
    }
}

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// As it stands there.
    Plain(&'a str),
    /// Behind an escape.
    Char(char),
    /// An escape for half of a character.
    Broken,
}

/// The pieces of what stands between the quotes of a JSON string.
pub(crate) struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let bytes = self.0.as_bytes();
        let end = find(b'\\', bytes).unwrap_or(bytes.len());
        if end > 0 {
            let (plain, rest) = self.0.split_at(end);
            self.0 = rest;
            return Some(Piece::Plain(plain));
        }
        let (length, piece) = match bytes.get(1)? {
            b'u' => unicode(bytes),
            b'n' => (2, Piece::Char('\n')),
            b't' => (2, Piece::Char('\t')),
            b'r' => (2, Piece::Char('\r')),
            b'b' => (2, Piece::Char('\u{8}')),
            b'f' => (2, Piece::Char('\u{c}')),
            // The quote, the slash and the backslash stand for themselves: as text that goes on to the next escape.
            b'"' | b'/' | b'\\' => {
                let end = find(b'\\', &bytes[2..]).map_or(bytes.len(), |end| end + 2);
                (end, Piece::Plain(&self.0[1..end]))
            }
            _ => (2, Piece::Broken),
        };
        self.0 = self.0.get(length..)?;
        Some(piece)
    }
}

/// How long a `\uXXXX` is and what it stands for. Surrogates come in pairs, each with an escape of its own.
fn unicode<'a>(escape: &[u8]) -> (usize, Piece<'a>) {
    let unit = |at: usize| {
        let digits = escape.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
    };
    let (high, low) = (0xD800..0xDC00, 0xDC00..0xE000);
    let (length, code) = match (unit(0), unit(6)) {
        (None, _) => return (2, Piece::Broken),
        (Some(first), Some(second)) if high.contains(&first) && low.contains(&second) => {
            (12, 0x10000 + ((first - high.start) << 10) + (second - low.start))
        }
        (Some(only), _) => (6, only),
    };
    (length, char::from_u32(code).map_or(Piece::Broken, Piece::Char))
}

/// What a JSON string says, without a copy where it has no escapes.
pub(crate) fn text(json: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str(json).ok().map(|Text(text)| text)
}

/// The items of an array.
pub(super) fn items(json: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::from_str(json).map(|Items(items)| items)
}

/// How many items an array has, and one of them. None is held but that.
fn each(json: &str, wanted: Option<usize>) -> Result<(usize, Option<&RawValue>), serde_json::Error> {
    struct Each(Option<usize>);
    impl<'de> Visitor<'de> for Each {
        type Value = (usize, Option<&'de RawValue>);
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let (mut n, mut found) = (0, None);
            while let Some(item) = seq.next_element::<&RawValue>()? {
                if self.0 == Some(n) {
                    found = Some(item);
                }
                n += 1;
            }
            Ok((n, found))
        }
    }
    serde_json::Deserializer::from_str(json).deserialize_seq(Each(wanted))
}

/// The items of an array, as far as there are not too many: each takes room.
struct Items<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Items<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Items<'de>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == complexity::limit() {
                        return Err(A::Error::custom(complexity::too_many("items")));
                    }
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(Collect)
    }
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
            Some(b'[') => index(step).and_then(|index| each(at, Some(index)).ok()?.1),
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
        Some(b'[') => each(json, None).map_or(Steps::None, |(n, _)| Steps::Items(n)),
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
    fn the_pieces_of_a_text_are_the_text() {
        for json in [
            r#""""#,
            r#""plain""#,
            r#""a\n\"b\"\\\u00e9\/""#,
            r#""\b\f\r\t\\\\n\"\"\/é\u0000""#,
            r#""\ud83d\ude00é\uD83D\uDE00x""#,
        ] {
            let raw = Raw::new(json.to_owned());
            let mut joined = String::new();
            for piece in raw.pieces() {
                match piece {
                    Piece::Plain(text) => joined.push_str(text),
                    Piece::Char(c) => joined.push(c),
                    Piece::Broken => panic!("{json}"),
                }
            }
            assert!(raw.is_text() && Some(joined.as_str()) == raw.text().as_deref(), "{json}");
        }
        for json in [r#""\ud800""#, r#""\ud800\ud800""#, r#""a\udc00b""#, r#""\ud83dx\ude00""#, "7", "null"] {
            assert!(!Raw::new(json.to_owned()).is_text(), "{json}");
        }
    }

    #[test]
    fn texts_are_not_copied_without_need() {
        assert!(matches!(text(r#""plain é""#), Some(Cow::Borrowed("plain é"))));
        assert_eq!(text(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert!(text(r#""\ud800""#).is_none() && text("7").is_none());
    }
}
