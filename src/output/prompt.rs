//! The messages of a prompt, as a dialogue.

use super::content;
use super::result::pretty;
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
        Value::Array(blocks) => blocks.iter().map(content::block).collect::<Vec<_>>().join("\n"),
        Value::String(text) => text.clone(),
        block => content::block(block),
    };
    format!("{role}: {}", text.trim_end())
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
