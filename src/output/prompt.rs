//! The messages of a prompt, as a dialogue.

use super::content::{self, Block, What, compact};
use crate::jsonrpc::Raw;
use crate::terminal::sanitize::{Lines, visible};

/// The messages of a result; `None` where it has no list of them.
pub(crate) fn messages(result: &Raw) -> Option<Vec<Raw>> {
    let [messages] = result.members(&["messages"]).ok()?;
    messages?.items().ok()
}

/// Each message behind its role. What is no message is shown as it is.
pub(crate) fn blocks(messages: &[Raw]) -> Vec<Block> {
    messages.iter().enumerate().flat_map(|(at, message)| read(message, &format!("messages/{at}"))).collect()
}

fn read(message: &Raw, place: &str) -> Vec<Block> {
    let (role, blocks) = parts(message, place).unwrap_or_else(|| {
        let whole = Block::new(place, What::Words(compact(message)));
        (String::new(), vec![whole])
    });
    [vec![Block::new(place, What::Message(role))], blocks].concat()
}

/// The role and what is said; `None` when one of them is missing.
fn parts(message: &Raw, place: &str) -> Option<(String, Vec<Block>)> {
    let [Some(role), Some(content)] = message.members(&["role", "content"]).ok()? else { return None };
    let place = format!("{place}/content");
    let blocks = match content.is_text() {
        true => vec![Block::new(place, What::Text(content))],
        false => content::blocks(&content, &place, content::block),
    };
    // It leads a line of ours.
    Some((visible(&role.text()?, Lines::One).into_owned(), blocks)).filter(|(_, blocks)| !blocks.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn messages_are_a_dialogue() {
        let text_of = |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
        let cases: [(Value, &[&str]); 5] = [
            (
                json!({"messages": [text_of("user", "Hello\nthere"), text_of("assistant", "Hi")]}),
                &["user", "Hello\nthere", "assistant", "Hi"],
            ),
            (
                json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image", "data": ""}]}]}),
                &["user", "a", "[image] unknown type (0 bytes)"],
            ),
            (
                json!({"messages": [{"role": "user", "content": "bare"}, 7, {"role": "user", "content": []}, {"content": "x"}]}),
                &["user", "bare", "", "7", "", r#"{"role":"user","content":[]}"#, "", r#"{"content":"x"}"#],
            ),
            (json!({"messages": []}), &[]),
            (json!({"messages": [text_of("a\nuser: b\u{1b}[2J", "c")]}), &["a\\nuser: b\\u{1b}[2J", "c"]),
        ];
        for (result, expected) in cases {
            let blocks = blocks(&messages(&Raw::new(result.to_string())).unwrap());
            assert_eq!(blocks.iter().map(Block::to_text).collect::<Vec<_>>(), expected, "{result}");
        }
        for odd in ["null", "{}", "[]", r#"{"messages": "x"}"#, r#"{"messages": null}"#] {
            assert!(messages(&Raw::new(odd.to_owned())).is_none(), "{odd}");
        }
    }
}
