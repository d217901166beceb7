//! The result of a tool, read no further than it takes: its parts stay the text that the server wrote.

use super::content::{self, Block, What, compact};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use serde_json::Value;

/// The parts of a `CallToolResult`.
pub(crate) struct ToolResult {
    whole: Raw,
    content: Option<Raw>,
    /// `structuredContent`; `null` is one.
    pub(crate) structured: Option<Raw>,
    is_error: Option<Raw>,
}

impl ToolResult {
    /// Takes a result apart.
    ///
    /// # Errors
    /// `protocol`, when it is no object: that is no result of a tool.
    pub(crate) fn read(whole: &Raw) -> Result<Self> {
        let members = whole.members(&["content", "structuredContent", "isError"]);
        let [content, structured, is_error] = members
            .map_err(|_| Failure::protocol("tools/call: the result is not an object").detail(whole.excerpt()))?;
        Ok(ToolResult { whole: whole.clone(), content, structured, is_error })
    }

    /// Whether the tool said that it failed. Lenient as everything a server sends: only `true` is true.
    pub(crate) fn is_error(&self) -> bool {
        self.is_error.as_ref().is_some_and(|is_error| is_error.get() == "true")
    }

    /// What is odd about it, each the predicate of a sentence. A future kind of content is not odd.
    pub(crate) fn oddities(&self) -> Vec<&'static str> {
        let mut odd = Vec::new();
        match &self.content {
            None if self.structured.is_none() => odd.push("has neither content nor structuredContent"),
            None => {}
            Some(content) if content.get().starts_with('[') => {}
            Some(_) => odd.push("has content that is not a list"),
        }
        if self.is_error.as_ref().is_some_and(|is_error| !matches!(is_error.get(), "true" | "false")) {
            odd.push("has an isError that is neither true nor false; it is taken for false");
        }
        odd
    }

    /// Its blocks in order; without any text, `structuredContent` too.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = match &self.content {
            // Not a list: shown all the same.
            Some(content) if !matches!(content.get().as_bytes().first(), Some(b'[' | b'n')) => {
                vec![words("content", compact(content))]
            }
            Some(content) => content::blocks(content, "content", content::block),
            None => Vec::new(),
        };
        match &self.structured {
            Some(structured) if !blocks.iter().any(Block::is_text) => {
                blocks.push(words("structuredContent", pretty_raw(structured)));
            }
            None if self.content.is_none() => blocks.push(words("", pretty_raw(&self.whole))),
            _ => {}
        }
        blocks
    }
}

fn words(place: &str, words: String) -> Block {
    Block::new(place, What::Words(words))
}

/// Whether the tool said that it failed.
pub(crate) fn is_error(result: &Raw) -> bool {
    ToolResult::read(result).is_ok_and(|result| result.is_error())
}

/// The failure that `isError: true` means.
pub(crate) fn tool_failure(tool: &str) -> Failure {
    Failure::new(Kind::Tool, format!("tool {tool} reported an error"))
}

/// A result as one text, as a call prints it.
pub(crate) fn text(result: &Raw) -> String {
    let Ok(read) = ToolResult::read(result) else { return result.get().to_owned() };
    let mut text = String::new();
    for block in read.blocks() {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&block.to_text());
    }
    text
}

/// Indented JSON.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

/// Indented JSON; nested too deep to be read, what the server wrote is the best there is.
pub(crate) fn pretty_raw(raw: &Raw) -> String {
    raw.value().map_or_else(|_| raw.get().to_owned(), |value| pretty(&value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_blocks_else_structured_content() {
        for (json, expected) in [
            (
                r#"{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b\n"}, {"type": "text", "text": "c"}]}"#,
                "a\nb\nc",
            ),
            (r#"{"content": [{"type": "text", "text": "a"}], "structuredContent": {"x": 1}}"#, "a"),
            (r#"{"content": [], "structuredContent": {"x": 1}}"#, "{\n  \"x\": 1\n}"),
            (r#"{"structuredContent": null}"#, "null"),
            (r#"{"content": null, "structuredContent": 1.0}"#, "1.0"),
            (r#"{"content": null}"#, ""),
            (r#"{"content": "odd"}"#, "\"odd\""),
            (r#"{"content": {"type": "text", "text": "odd"}}"#, r#"{"type":"text","text":"odd"}"#),
            (r#"{"content": []}"#, ""),
            (r#"{"other": 1}"#, "{\n  \"other\": 1\n}"),
            (
                r#"{"content": [{"type": "image", "data": "", "mimeType": "image/png"}], "structuredContent": [1]}"#,
                "[image] image/png (0 bytes)\n[\n  1\n]",
            ),
        ] {
            assert_eq!(text(&Raw::new(json.to_owned())), expected, "{json}");
        }
    }
}
