//! The result of a call on stdout: as text, or byte for byte as the server wrote it.

use super::{Stdout, content};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use serde_json::Value;

/// Prints a `CallToolResult`; the text of a tool's failure is its result too.
///
/// # Errors
/// When stdout cannot be written.
pub(crate) fn call(stdout: Stdout, result: &Raw, json: bool) -> Result<()> {
    if json {
        return stdout.json(result.get());
    }
    // Nested too deep to be read: what the server wrote is the best there is.
    let Ok(value) = result.value() else { return stdout.json(result.get()) };
    stdout.text(&text(&value))
}

/// Whether the tool said that it failed. Lenient as everything a server sends: only `true` is true.
pub(crate) fn is_error(result: &Raw) -> bool {
    result.value().is_ok_and(|value| value.get("isError") == Some(&Value::Bool(true)))
}

/// What is odd about a result, each the predicate of a sentence. A future kind of content is not odd.
///
/// # Errors
/// `protocol`, when it is no object: that is no result of a tool.
pub(crate) fn oddities(result: &Raw) -> Result<Vec<&'static str>> {
    if !result.get().trim_start().starts_with('{') {
        return Err(Failure::protocol("tools/call: the result is not an object").detail(result.excerpt()));
    }
    let Ok(value) = result.value() else { return Ok(Vec::new()) };
    let mut odd = Vec::new();
    match value.get("content") {
        None if value.get("structuredContent").is_none() => odd.push("has neither content nor structuredContent"),
        None | Some(Value::Array(_)) => {}
        Some(_) => odd.push("has content that is not a list"),
    }
    if value.get("isError").is_some_and(|is_error| !is_error.is_boolean()) {
        odd.push("has an isError that is neither true nor false; it is taken for false");
    }
    Ok(odd)
}

/// The failure that `isError: true` means.
pub(crate) fn tool_failure(tool: &str) -> Failure {
    Failure::new(Kind::Tool, format!("tool {tool} reported an error"))
}

/// Text blocks in order, other blocks as one line each; without any text, `structuredContent`.
pub(crate) fn text(result: &Value) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut has_text = false;
    match result.get("content") {
        Some(Value::Array(blocks)) => {
            for block in blocks {
                has_text |= content::is_text(block);
                lines.push(content::block(block));
            }
        }
        None | Some(Value::Null) => {}
        // Not a list: shown all the same.
        Some(other) => lines.push(other.to_string()),
    }
    match result.get("structuredContent") {
        Some(structured) if !has_text => lines.push(pretty(structured)),
        None if result.get("content").is_none() => lines.push(pretty(result)),
        _ => {}
    }
    join(&lines)
}

/// Lines joined so that each begins on a line of its own and none gains an empty one.
fn join(lines: &[String]) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(line);
    }
    text
}

/// Indented JSON.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_blocks_else_structured_content() {
        let cases = [
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b\n"}, {"type": "text", "text": "c"}]}),
                "a\nb\nc",
            ),
            (json!({"content": [{"type": "text", "text": "a"}], "structuredContent": {"x": 1}}), "a"),
            (json!({"content": [], "structuredContent": {"x": 1}}), "{\n  \"x\": 1\n}"),
            (json!({"structuredContent": null}), "null"),
            (json!({"content": "odd"}), "\"odd\""),
            (json!({"content": []}), ""),
            (json!({"other": 1}), "{\n  \"other\": 1\n}"),
            (
                json!({"content": [{"type": "image", "data": "", "mimeType": "image/png"}], "structuredContent": [1]}),
                "[image] image/png (0 bytes)\n[\n  1\n]",
            ),
        ];
        for (value, expected) in cases {
            assert_eq!(text(&value), expected, "{value}");
        }
    }
}
