//! Content blocks as text: text as it is, everything else as one line that says what it is.

use serde_json::Value;

/// A content block as text.
pub(crate) fn block(block: &Value) -> String {
    let field = |key: &str| block.get(key).and_then(Value::as_str);
    match field("type") {
        Some("text") => match field("text") {
            Some(text) => text.to_owned(),
            None => block.to_string(),
        },
        Some(kind @ ("image" | "audio")) => match field("data") {
            Some(data) => stub(kind, field("mimeType"), data),
            None => block.to_string(),
        },
        Some("resource_link") => match (field("uri"), field("title").or(field("name"))) {
            (Some(uri), Some(name)) => format!("[link] {name} {uri}"),
            (Some(uri), None) => format!("[link] {uri}"),
            (None, _) => block.to_string(),
        },
        Some("resource") => resource(block.get("resource").unwrap_or(&Value::Null)),
        // A kind of content from the future is shown, not dropped.
        _ => block.to_string(),
    }
}

/// The contents of a resource as text.
pub(crate) fn resource(contents: &Value) -> String {
    let field = |key: &str| contents.get(key).and_then(Value::as_str);
    match (field("text"), field("blob")) {
        (Some(text), _) => text.to_owned(),
        (None, Some(blob)) => stub("resource", field("mimeType"), blob),
        (None, None) => contents.to_string(),
    }
}

/// Whether a block is text for reading.
pub(crate) fn is_text(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "text") || block.pointer("/resource/text").is_some()
}

fn stub(kind: &str, mime: Option<&str>, base64: &str) -> String {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=').count();
    let bytes = (base64.len() / 4 * 3).saturating_sub(padding);
    format!("[{kind}] {} ({bytes} bytes)", mime.unwrap_or("unknown type"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_block_has_a_text() {
        let cases = [
            (json!({"type": "text", "text": "hi"}), "hi"),
            (json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}), "[image] image/png (5 bytes)"),
            (json!({"type": "audio", "data": "aGVsbG9v"}), "[audio] unknown type (6 bytes)"),
            (json!({"type": "resource_link", "uri": "file:///a", "name": "a"}), "[link] a file:///a"),
            (json!({"type": "resource", "resource": {"uri": "x:y", "text": "body"}}), "body"),
            (
                json!({"type": "resource", "resource": {"uri": "x:y", "blob": "AAAA", "mimeType": "a/b"}}),
                "[resource] a/b (3 bytes)",
            ),
            (json!({"type": "hologram", "x": 1}), r#"{"type":"hologram","x":1}"#),
            (json!({"type": "text"}), r#"{"type":"text"}"#),
            (json!(7), "7"),
        ];
        for (value, text) in cases {
            assert_eq!(block(&value), text);
        }
    }
}
