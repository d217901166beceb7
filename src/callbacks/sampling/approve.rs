//! The human in the loop: a person sees what a server wants a model to read, and what goes back, and may say no to
//! either or change the reply (client/sampling, "User Interaction Model").

use super::{Sampling, Source, blocks};
use crate::callbacks::Spoken;
use crate::callbacks::desk::Turn;
use crate::session::host::{Ask, Reply, RpcError};
use crate::terminal::prompter::{Choose, Edit, Leave, Line, Said};
use crate::terminal::sanitize::one_line;
use serde_json::Value;

/// How much of one text is shown.
const TEXT: usize = 2000;
/// How much of a block that is no text is shown.
const MENTION: usize = 100;

impl Sampling {
    /// Answers with what the source says, both ways under a person's eyes.
    pub(super) async fn by_person(&self, ask: &Ask, source: &Source) -> Spoken {
        let Some(mut turn) = self.desk.turn(ask, &request(&ask.params)).await else { return self.nobody(ask) };
        turn.terminal.say(&terms(&ask.params));
        let is_command = matches!(source, Source::Command(_));
        let allowed = if is_command { may_be_read(&mut turn).await } else { Ok(()) };
        // While a command runs others may ask, the call's time runs, and ^C is to end the run.
        let kept = (!is_command).then_some(turn);
        if let Err(how) = allowed {
            return self.refused(how).await;
        }
        let made = match self.make(ask, source).await {
            Ok(made) => made,
            Err(error) => return self.failed(error),
        };
        // Others may have asked meanwhile: say again what this is about.
        let turn = match kept {
            Some(turn) => Some(turn),
            None => self.desk.turn(ask, &one_line(&request(&ask.params), MENTION)).await,
        };
        let Some(mut turn) = turn else { return self.nobody(ask) };
        let reviewed = may_be_sent(&mut turn, made).await;
        drop(turn);
        match reviewed {
            Ok(result) => {
                self.desk.answered();
                Spoken::by_person(Reply::Result(result))
            }
            Err(how) => self.refused(how).await,
        }
    }

    async fn refused(&self, how: Leave) -> Spoken {
        self.desk.left(how).await;
        Spoken::by_person(Reply::Error(RpcError::new(-1, "User rejected sampling request")))
    }
}

async fn may_be_read(turn: &mut Turn<'_>) -> Result<(), Leave> {
    let options = ["Send to the command", "Refuse: tell the server no"].map(str::to_owned);
    let choose =
        Choose { label: "Send this to the sampling command?", help: "", options: &options, at: 0, can_go_back: false };
    match turn.terminal.choose(choose).await {
        Said::Given(0) => Ok(()),
        Said::Given(_) | Said::Back => Err(Leave::Decline),
        Said::Left(how) => Err(how),
    }
}

/// The reply as the person lets it pass. A reply of one text can be written anew.
async fn may_be_sent(turn: &mut Turn<'_>, mut made: Value) -> Result<Value, Leave> {
    turn.terminal.say("The reply:");
    turn.terminal.quote(&content(made.get("content")));
    let text = made.get("content").filter(|block| block["type"] == "text").and_then(|block| block["text"].as_str());
    let text = text.map(str::to_owned);
    let send = "Send".to_owned();
    let edit = "Edit it".to_owned();
    let refuse = "Refuse: tell the server no".to_owned();
    let options = if text.is_some() { vec![send, edit, refuse] } else { vec![send, refuse] };
    loop {
        let choose = Choose { label: "Send this reply?", help: "", options: &options, at: 0, can_go_back: false };
        match (turn.terminal.choose(choose).await, &text) {
            (Said::Given(0), _) => return Ok(made),
            (Said::Given(1), Some(text)) => match anew(turn, text).await {
                Said::Given(text) => {
                    made["content"]["text"] = text.into();
                    return Ok(made);
                }
                Said::Back => {}
                Said::Left(how) => return Err(how),
            },
            (Said::Given(_) | Said::Back, _) => return Err(Leave::Decline),
            (Said::Left(how), _) => return Err(how),
        }
    }
}

/// The reply as the person writes it: in a line, or, where it has several, in the editor.
async fn anew(turn: &mut Turn<'_>, text: &str) -> Said<String> {
    let check = |text: &str| if text.trim().is_empty() { Err("a reply has a text".to_owned()) } else { Ok(()) };
    let (label, help, initial, can_go_back) = ("Reply", "", text, true);
    if text.contains('\n') {
        turn.terminal.edit(Edit { label, help, initial, extension: "txt", check: &check, can_go_back }).await
    } else {
        let in_editor = Some("txt");
        turn.terminal
            .line(Line { label, help, initial, check: &check, enter: "send", can_go_back, in_editor, is_secret: false })
            .await
    }
}

/// What the model is to read: who says what, further lines of a text indented.
fn request(params: &Value) -> String {
    let said = |role: &str, text: &str| format!("{}: {}", one_line(role, MENTION), text.replace('\n', "\n  "));
    let system = params.get("systemPrompt").and_then(Value::as_str).map(|text| said("system", &cut(text)));
    let messages = match params.get("messages") {
        Some(Value::Array(messages)) => messages.as_slice(),
        _ => &[],
    };
    let messages = messages.iter().map(|message| {
        let role = message.get("role").and_then(Value::as_str).unwrap_or("(nobody)");
        said(role, &content(message.get("content")))
    });
    let lines: Vec<String> = system.into_iter().chain(messages).collect();
    if lines.is_empty() { "(no messages)".into() } else { lines.join("\n") }
}

/// The limits of the request, in one line of ours.
fn terms(params: &Value) -> String {
    let tokens = params.get("maxTokens").filter(|n| n.is_number());
    let hints = params.pointer("/modelPreferences/hints").and_then(Value::as_array).into_iter().flatten();
    let hints: Vec<&str> = hints.filter_map(|hint| hint.get("name")?.as_str()).collect();
    let tools = params.get("tools").and_then(Value::as_array).into_iter().flatten();
    let tools: Vec<&str> = tools.filter_map(|tool| tool.get("name")?.as_str()).collect();
    let mut line = tokens.map_or_else(|| "  No limit given".to_owned(), |n| format!("  At most {n} tokens"));
    for (what, names) in [("model", hints), ("tools", tools)] {
        if !names.is_empty() {
            line.push_str(&format!("; {what}: {}", one_line(&names.join(", "), 2 * MENTION)));
        }
    }
    let more = ["temperature", "stopSequences", "includeContext", "toolChoice", "metadata"];
    let more: Vec<&str> =
        more.into_iter().filter(|key| params.get(key).is_some_and(|value| !value.is_null())).collect();
    if !more.is_empty() {
        line.push_str(&format!("; also goes out: {}", more.join(", ")));
    }
    line.push('\n');
    line
}

/// Blocks as text: what is no text is mentioned.
fn content(content: Option<&Value>) -> String {
    blocks(content).iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(block: &Value) -> String {
    let field = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or("?");
    let mention = |text: &str| format!("[{}]", one_line(text, MENTION));
    match field("type") {
        "text" => cut(field("text")),
        kind @ ("image" | "audio") => {
            mention(&format!("{kind} {}, {} characters of base64", field("mimeType"), field("data").len()))
        }
        "tool_use" => {
            let input = block.get("input").map(Value::to_string).unwrap_or_default();
            mention(&format!("uses the tool {} with {input}", field("name")))
        }
        "tool_result" => mention(&format!("result of {}: {}", field("toolUseId"), content(block.get("content")))),
        _ => mention(&block.to_string()),
    }
}

fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let shown: String = chars.by_ref().take(TEXT).collect();
    match chars.count() {
        0 => shown,
        more => format!("{shown}\n[{more} more characters are not shown]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_is_shown_in_words() {
        let params = json!({
            "systemPrompt": "Be brief.\nBe kind.",
            "messages": [
                { "role": "user", "content": { "type": "text", "text": "x".repeat(TEXT + 5) } },
                { "role": "assistant", "content": [
                    { "type": "image", "mimeType": "image/png", "data": "AAAA" },
                    { "type": "tool_use", "id": "1", "name": "add", "input": {"a": 1} },
                    { "type": "odd", "x": 1 } ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "toolUseId": "1", "content": [{ "type": "text", "text": "2\n3" }] } ] },
            ],
            "maxTokens": 50,
            "modelPreferences": { "hints": [{ "name": "small" }, {}] },
            "tools": [{ "name": "add" }],
        });
        let long = "x".repeat(TEXT);
        let lines = [
            "system: Be brief.",
            "  Be kind.",
            &format!("user: {long}"),
            "  [5 more characters are not shown]",
            "assistant: [image image/png, 4 characters of base64]",
            "  [uses the tool add with {\"a\":1}]",
            "  [{\"type\":\"odd\",\"x\":1}]",
            "user: [result of 1: 2\\n3]",
        ];
        assert_eq!(request(&params), lines.join("\n"));
        assert_eq!(terms(&params), "  At most 50 tokens; model: small; tools: add\n");
        for odd in [json!({}), json!({"messages": 1})] {
            assert_eq!((request(&odd).as_str(), terms(&odd).as_str()), ("(no messages)", "  No limit given\n"));
        }
    }
}
