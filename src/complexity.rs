//! How much work a server may make (`--max-complexity`). A message of 256 MB can be a list of 128 million numbers: as text it is
//! held once, as values it would take fifty times the memory, and a schema of that size ages to compile. So what has more
//! values than the limit is not taken apart, and stays the text that it is.

use crate::search::find_either;
use serde::de::Error as _;
use serde_json::{Error, Value};
use std::sync::OnceLock;

/// What is said to whoever meets the limit.
pub(crate) const REMEDY: &str = "--max-complexity raises the limit";

/// The limit where nobody says otherwise.
pub(crate) const DEFAULT: usize = 1_000_000;

static LIMIT: OnceLock<usize> = OnceLock::new();

/// Sets the limit; the first one counts.
pub(crate) fn allow(limit: usize) {
    let _ = LIMIT.set(limit);
}

/// How many values a text may have that is taken apart.
pub(crate) fn limit() -> usize {
    *LIMIT.get().unwrap_or(&DEFAULT)
}

/// Reads a text as a value.
///
/// # Errors
/// serde_json's, or that it has more values than the limit.
pub(crate) fn read(json: &str) -> Result<Value, Error> {
    // Every value but the first has a separator before it.
    if json.len() / 2 >= limit() && values(json) > limit() {
        return Err(too_many("values"));
    }
    serde_json::from_str(json)
}

/// That there is more of something than the limit.
pub(crate) fn too_many(what: &str) -> Error {
    Error::custom(format!("it has more than {} {what}; {REMEDY}", limit()))
}

/// How many values a JSON text has, the names of members among them: what stands behind a comma, a colon or a bracket. A
/// little high, since `[]` counts as two.
pub(crate) fn values(json: &str) -> usize {
    let (mut n, mut rest) = (1, json.as_bytes());
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        match first {
            b',' | b':' | b'[' | b'{' => n += 1,
            b'"' => rest = behind_string(rest),
            _ => {}
        }
    }
    n
}

/// What comes after a JSON string, of which the opening quote has been read; nothing, where it does not end.
pub(crate) fn behind_string(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = find_either(b'"', b'\\', rest) {
        if rest[at] == b'"' {
            return &rest[at + 1..];
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_texts_not_looked_into() {
        for (json, n) in [
            ("7", 1),
            ("[1,2,3]", 4),
            (r#"{"a":1,"b":[2]}"#, 6),
            (r#""a,b:[{\",""#, 1),
            (r#"["\\","x,y"]"#, 3),
            ("\"open", 1),
            ("\"open\\", 1),
        ] {
            assert_eq!(values(json), n, "{json}");
        }
    }

    #[test]
    fn what_is_too_much_is_refused_by_its_values_alone() {
        let text = format!("\"{}\"", ",".repeat(3 * DEFAULT));
        assert!(read(&text).is_ok());
        let list = format!("[{}7]", "7,".repeat(DEFAULT));
        assert_eq!(
            read(&list).unwrap_err().to_string(),
            "it has more than 1000000 values; --max-complexity raises the limit"
        );
    }
}
