//! Where in a file something stands: serde_json gives line and column for syntax alone, so the text of a value that it
//! has read is walked once more. Of the crates that keep places, `json-spanned-value` and `spanned_json_parser` have
//! been left for years, and `jsonc-parser` reads more than JSON; this is less than what would join one of them to
//! serde_json's numbers.

use std::collections::HashMap;

/// A place for people: both count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Position {
    /// The place of a byte; the end of the text, when it is beyond.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        // Every character has one byte that is no continuation.
        let column = 1 + before[start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Position { line, column }
    }
}

/// Where a value stands, and the key before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The quote that begins its key; an item of a list has none.
    pub(crate) key: Option<usize>,
    /// Its first byte.
    pub(crate) value: usize,
}

/// The places of all values of a text.
#[derive(Debug, Default)]
pub(crate) struct Places {
    spans: HashMap<String, Span>,
    /// Keys that stood in their object before: the pointer, where the first begins, and where this one does.
    pub(crate) repeated: Vec<(String, usize, usize)>,
}

impl Places {
    /// Walks a text that serde_json has read.
    pub(crate) fn of(text: &str) -> Self {
        let mut walk = Walk { text, at: 0, pointer: String::new(), is_repeated: false, places: Places::default() };
        walk.value(None);
        walk.places
    }

    /// Where a pointer leads; where there is nothing, its nearest parent.
    pub(crate) fn find(&self, pointer: &str) -> Span {
        let mut pointer = pointer;
        loop {
            match (self.spans.get(pointer), pointer.rfind('/')) {
                (Some(span), _) => return *span,
                (None, Some(at)) => pointer = &pointer[..at],
                (None, None) => return Span { key: None, value: 0 },
            }
        }
    }
}

/// A step of a JSON pointer.
pub(crate) fn step(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The walk. It never goes back, and no deeper than serde_json, which stops at 128.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    pointer: String,
    is_repeated: bool,
    places: Places,
}

impl Walk<'_> {
    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.text.as_bytes().get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.text.as_bytes().get(self.at).copied()
    }

    fn value(&mut self, key: Option<usize>) {
        let first = self.peek();
        let span = Span { key, value: self.at };
        let outer = self.is_repeated;
        if let Some(earlier) = self.places.spans.insert(self.pointer.clone(), span) {
            let at = |span: &Span| span.key.unwrap_or(span.value);
            // What is below is there again too, and no mistake of its own.
            if !outer {
                self.places.repeated.push((self.pointer.clone(), at(&earlier), at(&span)));
            }
            self.is_repeated = true;
        }
        match first {
            Some(b'{') => self.items(b'}', |walk, _| {
                let (start, key) = (walk.at, walk.string());
                walk.peek();
                // The colon.
                walk.at += 1;
                walk.below(&step(&key), Some(start));
            }),
            Some(b'[') => self.items(b']', |walk, index| walk.below(&format!("/{index}"), None)),
            Some(b'"') => drop(self.string()),
            // A number or a word ends where a blank or a sign does.
            _ => {
                let rest = &self.text.as_bytes()[self.at..];
                let length = rest.iter().position(|byte| b" \t\r\n,]}".contains(byte));
                self.at += length.unwrap_or(rest.len());
            }
        }
        self.is_repeated = outer;
    }

    /// What stands between two brackets, one by one.
    fn items(&mut self, end: u8, one: impl Fn(&mut Self, usize)) {
        self.at += 1;
        let mut index = 0;
        while self.peek().is_some_and(|byte| byte != end) {
            one(self, index);
            index += 1;
            if self.peek() == Some(b',') {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn below(&mut self, step: &str, key: Option<usize>) {
        let length = self.pointer.len();
        self.pointer.push_str(step);
        self.value(key);
        self.pointer.truncate(length);
    }

    /// A string, unescaped.
    fn string(&mut self) -> String {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                break;
            }
        }
        serde_json::from_str(self.text.get(start..self.at).unwrap_or_default()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_value_is_found_where_it_stands() {
        let text = "{\r\n  \"a\": [ 1,\t-2.5e+3 , {\"\u{e9}\u{1f600}\" : \"x\\\"}\\\\\", \"c/d~e\": null}],\r\n \"\\u0062\":{}, \"\": true }";
        let value: Value = serde_json::from_str(text).unwrap();
        let places = Places::of(text);
        let cases = [
            ("", "{\r\n"),
            ("/a", "[ 1"),
            ("/a/0", "1,"),
            ("/a/1", "-2.5e+3"),
            ("/a/2", "{\"\u{e9}"),
            ("/a/2/\u{e9}\u{1f600}", "\"x\\\"}"),
            ("/a/2/c~1d~0e", "null}"),
            ("/b", "{}"),
            ("/", "true"),
        ];
        for (pointer, start) in cases {
            assert!(value.pointer(pointer).is_some(), "{pointer}");
            let span = places.find(pointer);
            assert!(text[span.value..].starts_with(start), "{pointer}: {}", &text[span.value..]);
            let key = pointer.rsplit('/').next().unwrap();
            let is_member = !pointer.is_empty() && key.parse::<usize>().is_err();
            assert_eq!(span.key.map(|at| &text[at..=at]), is_member.then_some("\""), "{pointer}");
        }
        assert_eq!(places.spans.len(), cases.len());
        assert!(places.repeated.is_empty());
        // What is not there is looked for at its parent.
        assert_eq!(places.find("/a/2/none/of/this"), places.find("/a/2"));
    }

    #[test]
    fn a_key_that_stands_twice_is_found_whatever_its_spelling() {
        let text = r#"{"a": {"x": 1}, "b": [{"y": 1, "\u0079": 2}], "a": {"x": 1}, "c": {"x": 1}}"#;
        let repeated = Places::of(text).repeated;
        assert_eq!(repeated, [("/b/0/y".to_owned(), 23, 31), ("/a".to_owned(), 1, 46)]);
    }

    #[test]
    fn lines_and_columns_count_characters_from_1() {
        let text = "\u{e9}\u{1f600}x\r\n\n  y";
        for (what, line, column) in [("\u{e9}", 1, 1), ("\u{1f600}", 1, 2), ("x", 1, 3), ("y", 3, 3)] {
            assert_eq!(Position::of(text, text.find(what).unwrap()), Position { line, column }, "{what}");
        }
        assert_eq!(Position::of(text, 1000), Position { line: 3, column: 4 });
        assert_eq!(Position::of("", 0), Position { line: 1, column: 1 });
    }

    #[test]
    fn a_large_text_takes_no_longer_than_it_is_long() {
        let text = format!("[{}]", vec![r#"{"a": [1, "b"]}"#; 50_000].join(","));
        let begin = std::time::Instant::now();
        assert_eq!(Places::of(&text).spans.len(), 1 + 4 * 50_000);
        assert!(begin.elapsed() < std::time::Duration::from_secs(5));
        let deep = format!("{}{}", "[".repeat(127), "]".repeat(127));
        assert_eq!(Places::of(&deep).spans.len(), 127);
    }
}
