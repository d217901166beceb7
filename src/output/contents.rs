//! The contents of a resource on stdout: text as it is, binary data as its bytes. `print` is for
//! those that are kept or drawn.

use super::Stdout;
use super::save::decode;
use crate::failure::{Failure, Result};
use serde_json::Value;

/// Prints `contents` in order. Texts are told apart by a line break where the first does not end with one; nothing
/// else is added, so that a file is what the resource is.
///
/// # Errors
/// `usage`, when there is binary data and stdout is a terminal; `protocol`, when it is not base64.
pub(crate) fn show(stdout: &Stdout, contents: &[Value]) -> Result<()> {
    let parts = contents.iter().map(Part::of).collect::<Result<Vec<_>>>()?;
    let binary = parts.iter().find_map(|part| match part {
        Part::Binary(what, _) => Some(what),
        Part::Text(_) => None,
    });
    if let (Some(what), true) = (binary, stdout.is_terminal) {
        return Err(Failure::usage(format!("{what}, which is not for a terminal"))
            .hint("`> FILE` or `| PROGRAM` takes the bytes, --out DIR keeps them as a file, --json shows what came"));
    }
    if stdout.is_terminal {
        return stdout.text(&String::from_utf8_lossy(&joined(&parts)));
    }
    stdout.bytes(&joined(&parts))
}

enum Part {
    Text(String),
    /// What it is, and its bytes.
    Binary(String, Vec<u8>),
}

impl Part {
    fn of(contents: &Value) -> Result<Part> {
        let field = |key: &str| contents.get(key).and_then(Value::as_str);
        let blob = match (field("text"), field("blob")) {
            (Some(text), _) => return Ok(Part::Text(text.to_owned())),
            (None, Some(blob)) => blob,
            // What it is from the future is shown, not dropped.
            (None, None) => return Ok(Part::Text(contents.to_string())),
        };
        let uri = field("uri").unwrap_or("the resource");
        let bytes = decode(blob).map_err(|e| Failure::protocol(format!("the blob of {uri} is not base64: {e}")))?;
        let mime = field("mimeType").unwrap_or("no type given");
        Ok(Part::Binary(format!("{uri} is binary ({mime}, {} bytes)", bytes.len()), bytes))
    }
}

fn joined(parts: &[Part]) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut was_text = false;
    for part in parts {
        let is_text = matches!(part, Part::Text(_));
        if was_text && is_text && bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        match part {
            Part::Text(text) => bytes.extend_from_slice(text.as_bytes()),
            Part::Binary(_, blob) => bytes.extend_from_slice(blob),
        }
        was_text = is_text;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(contents: &[Value]) -> std::result::Result<Vec<u8>, String> {
        let parts = contents.iter().map(Part::of).collect::<Result<Vec<_>>>();
        parts.map(|parts| joined(&parts)).map_err(|failure| failure.message)
    }

    #[test]
    fn contents_are_what_they_are() {
        let cases: [(Vec<Value>, &[u8]); 6] = [
            (vec![json!({"uri": "a:b", "text": "no line break"})], b"no line break"),
            (vec![json!({"text": "a"}), json!({"text": "b\n"}), json!({"text": "c"})], b"a\nb\nc"),
            (vec![json!({"blob": "AAH/"}), json!({"blob": "/wA"})], b"\x00\x01\xff\xff\x00"),
            (vec![json!({"blob": "AA\r\nH/"}), json!({"text": "x"})], b"\x00\x01\xffx"),
            (vec![json!({"uri": "a:b", "hologram": 1}), json!(7)], b"{\"uri\":\"a:b\",\"hologram\":1}\n7"),
            (vec![], b""),
        ];
        for (contents, expected) in cases {
            assert_eq!(read(&contents).unwrap(), expected, "{contents:?}");
        }
        assert!(read(&[json!({"uri": "a:b", "blob": "!"})]).unwrap_err().contains("the blob of a:b is not base64"));
    }
}
