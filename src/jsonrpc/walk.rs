//! Goes through JSON text that is known to be sound, since it was read before: members of an object and items of an array,
//! each as its text. Strings are stepped over a register at a time, so that a large result may be looked into again.

use super::pick::text;
use crate::complexity::behind_string;

/// Some members of an object, the last of each name; `None` when it is no object.
pub(super) fn members<'a, const N: usize>(json: &'a str, names: &[&str; N]) -> Option<[Option<&'a str>; N]> {
    let mut found = [None; N];
    let mut walk = Walk::into(json, b'{')?;
    while walk.goes_on(b'}') {
        let key = walk.value();
        walk.step_over(b':');
        let value = walk.value();
        let is_this = |name: &&str| match key.contains('\\') {
            false => key.get(1..key.len().saturating_sub(1)) == Some(*name),
            true => text(key).is_some_and(|key| key == *name),
        };
        if let Some(at) = names.iter().position(is_this) {
            found[at] = Some(value);
        }
    }
    Some(found)
}

/// The items of an array; `None` when it is none.
pub(super) fn items(json: &str) -> Option<Vec<&str>> {
    let mut items = Vec::new();
    let mut walk = Walk::into(json, b'[')?;
    while walk.goes_on(b']') {
        items.push(walk.value());
    }
    Some(items)
}

/// A place in a text. Whatever the text is, it gets to its end.
struct Walk<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    fn into(json: &'a str, open: u8) -> Option<Self> {
        let mut walk = Walk { json, at: 0 };
        walk.blanks();
        (walk.byte() == Some(open)).then(|| Walk { at: walk.at + 1, ..walk })
    }

    fn byte(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Whether there is another member or item before the end.
    fn goes_on(&mut self, close: u8) -> bool {
        self.step_over(b',');
        self.byte().is_some_and(|byte| byte != close)
    }

    fn step_over(&mut self, separator: u8) {
        self.blanks();
        if self.byte() == Some(separator) {
            self.at += 1;
            self.blanks();
        }
    }

    /// Steps over a value.
    fn value(&mut self) -> &'a str {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.byte() {
            match byte {
                b'"' => self.string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' | b' ' | b'\n' | b'\t' | b'\r' if depth > 0 => self.at += 1,
                // A number or a word.
                _ => {
                    let ends = |byte: &u8| b",:]}\" \n\t\r".contains(byte);
                    let rest = &self.json.as_bytes()[self.at..];
                    self.at += rest.iter().position(ends).unwrap_or(rest.len()).max(1);
                }
            }
            if depth == 0 {
                break;
            }
        }
        self.json.get(start..self.at).unwrap_or_default()
    }

    fn string(&mut self) {
        let rest = self.json.as_bytes().get(self.at + 1..).unwrap_or_default();
        self.at = self.json.len() - behind_string(rest).len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Raw;
    use super::*;

    #[test]
    fn what_is_walked_over_is_what_is_read() {
        let values = [
            "null",
            "true",
            "-1.5E+3",
            r#""""#,
            r#""a\"}\\""#,
            r#""\\""#,
            "[]",
            "{}",
            r#"[1, "]", [ {"a":"}"} ] ]"#,
            "{ \"a\" : [ 1 ,2 ] , \"b\":{} }",
            r#""é\u00e9🙂""#,
            "0",
        ];
        for value in values {
            for blank in ["", " ", "\r\n\t"] {
                let object = format!(
                    "{blank}{{{blank}\"x\"{blank}:{blank}{value}{blank},{blank}\"\\u0061\":1{blank},\"y\":{value}{blank}}}{blank}"
                );
                let read = Raw::new(object.clone()).members(&["x", "y", "a", "z"]).unwrap();
                let walked = members(&object, &["x", "y", "a", "z"]).unwrap();
                assert_eq!(
                    walked.map(|found| found.map(str::to_owned)),
                    read.map(|raw| raw.map(|raw| raw.get().to_owned()))
                );
                assert_eq!(walked, [Some(value), Some(value), Some("1"), None]);

                let array = format!("{blank}[{blank}{value}{blank},{blank}{value}{blank}]{blank}");
                assert_eq!(items(&array).unwrap(), [value, value]);
            }
            assert!(items(&format!("{{\"a\":{value}}}")).is_none() && members(&format!("[{value}]"), &["a"]).is_none());
        }
        assert_eq!(items(" [ ] "), Some(vec![]));
        assert_eq!(members(r#"{"a":1,"a":[2]}"#, &["a"]), Some([Some("[2]")]));
    }

    #[test]
    fn what_is_not_sound_ends() {
        for text in [
            "{",
            "[",
            "{\"a",
            "[\"\\",
            "{\"a\":",
            "[,,,]",
            "[}]",
            "{]}",
            "[1 2",
            "{\"a\" \"b\"}",
            "[[[[",
            "{:::}",
            "[\"é",
        ] {
            for end in 0..=text.len() {
                let Some(text) = text.get(..end) else { continue };
                let _ = (items(text), members(text, &["a"]));
            }
        }
    }
}
