//! The messages of a prompt, as a dialogue.

use super::content::{self, Block, What};
use super::result::pretty;
use crate::jsonrpc::Raw;
use serde_json::Value;

/// Each message with its role before it, an empty line between two of them.
pub(crate) fn text(result: &Value) -> String {
    let Some(messages) = result.get("messages").and_then(Value::as_array) else { return pretty(result) };
    messages.iter().map(message).collect::<Vec<_>>().join("\n\n")
}

fn message(message: &Value) -> String {
    let (Some(role), Some(content)) = (message.get("role").and_then(Value::as_str), message.get("content")) else {
        return message.to_string();
    };
    let text = match content {
        Value::Array(blocks) => blocks.iter().map(block).collect::<Vec<_>>().join("\n"),
        Value::String(text) => text.clone(),
        other => block(other),
    };
    format!("{role}: {}", text.trim_end())
}

/// The same as blocks, for those that are kept or drawn: each role on a line of its own.
pub(crate) fn blocks(result: &Raw) -> Vec<Block> {
    let messages = result.members(&["messages"]).ok().and_then(|[messages]| messages?.items().ok());
    let mut blocks = Vec::new();
    for (at, message) in messages.unwrap_or_default().iter().enumerate() {
        let Ok([role, Some(content)]) = message.members(&["role", "content"]) else { continue };
        let place = format!("messages/{at}/content");
        if let Some(role) = role.as_ref().and_then(Raw::text) {
            blocks.push(Block { place: place.clone(), what: What::Words(format!("{role}:")), notes: String::new() });
        }
        blocks.extend(content::blocks(&content, &place, content::block));
    }
    blocks
}

/// A content block as text, as a call shows it.
fn block(block: &Value) -> String {
    let block = content::block(&Raw::new(block.to_string()), String::new());
    match block.what {
        What::Text(text) => text.text().unwrap_or_default().into_owned(),
        What::Bytes(bytes) => bytes.line(&block.notes, None),
        What::Words(words) => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_a_dialogue() {
        let text_of = |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
        let cases = [
            (
                json!({"messages": [text_of("user", "Hello\nthere\n"), text_of("assistant", "Hi")]}),
                "user: Hello\nthere\n\nassistant: Hi",
            ),
            (
                json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image", "data": ""}]}]}),
                "user: a\n[image] unknown type (0 bytes)",
            ),
            (json!({"messages": [{"role": "user", "content": "bare"}, 7]}), "user: bare\n\n7"),
            (json!({"messages": []}), ""),
            (json!({"odd": 1}), "{\n  \"odd\": 1\n}"),
        ];
        for (result, expected) in cases {
            assert_eq!(text(&result), expected);
        }
    }
}
