//! What a report hides in messages: what people and flags put into secret fields, and these values wherever they come back.

use crate::form::{Form, secrets};
use crate::output::mask;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Shorter ones are looked for in their own places only: they are words and numbers that may mean anything.
const SHORTEST: usize = 6;
/// How many schemas and values are remembered.
const MOST: usize = 10_000;

/// What has been learnt of secrets so far.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    values: Vec<String>,
    /// The schemas of forms that were asked, by request or by key of a round.
    asked: HashMap<String, Value>,
    /// The schemas of tools.
    tools: HashMap<String, Value>,
}

impl Secrets {
    /// Begins with the values that are known.
    pub(super) fn new(values: Vec<String>) -> Self {
        let mut secrets = Secrets::default();
        values.iter().for_each(|value| secrets.learn(value));
        secrets
    }

    /// A text without the values that are known.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut shown = text.to_owned();
        for value in &self.values {
            shown = shown.replace(value.as_str(), "***");
            let in_json = Value::from(value.as_str()).to_string();
            let in_json = &in_json[1..in_json.len() - 1];
            if in_json != value {
                shown = shown.replace(in_json, "***");
            }
        }
        shown
    }

    /// A message as it may be shown; as it is, to the byte, where there is nothing to hide.
    pub(super) fn message(&mut self, is_sent: bool, text: &str) -> String {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else { return self.hide(&mask::text(text)) };
        let mut changed = false;
        for message in each(&mut message) {
            if is_sent {
                for place in self.sent(message) {
                    if let Some(value) = message.pointer_mut(&place) {
                        match value.take() {
                            Value::String(secret) => self.learn(&secret),
                            other => self.learn(&other.to_string()),
                        }
                        *value = "***".into();
                        changed = true;
                    }
                }
            } else {
                self.received(message);
            }
        }
        if changed { self.hide(&message.to_string()) } else { self.hide(text) }
    }

    fn learn(&mut self, value: &str) {
        if value.len() >= SHORTEST && self.values.len() < MOST && !self.values.iter().any(|known| known == value) {
            self.values.push(value.to_owned());
            // What holds another goes first.
            self.values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        }
    }

    fn received(&mut self, message: &Value) {
        let schema = |ask: &Value| ask.pointer("/params/requestedSchema").cloned();
        if let (Some(id), Some(schema)) = (message.get("id"), schema(message)) {
            remember(&mut self.asked, format!("id {id}"), schema);
        }
        let rounds = message.pointer("/result/inputRequests").and_then(Value::as_object);
        for (key, ask) in rounds.into_iter().flatten() {
            if let Some(schema) = schema(ask) {
                remember(&mut self.asked, format!("key {key}"), schema);
            }
        }
        let tools = message.pointer("/result/tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            if let (Some(name), Some(schema)) = (tool.get("name").and_then(Value::as_str), tool.get("inputSchema")) {
                remember(&mut self.tools, name.to_owned(), schema.clone());
            }
        }
    }

    /// Where secrets stand in what we send.
    fn sent(&self, message: &Value) -> Vec<String> {
        let mut places = Vec::new();
        let mut look = |at: String, schema: Option<&Value>, values: Option<&Map<String, Value>>| {
            if let Some(values) = values {
                let found = hidden(schema, values);
                places.extend(found.into_iter().map(|place| format!("{at}{place}")));
            }
        };
        let object = |at: &str| message.pointer(at).and_then(Value::as_object);
        if let Some(id) = message.get("id") {
            look("/result/content".into(), self.asked.get(&format!("id {id}")), object("/result/content"));
        }
        let tool = message.pointer("/params/name").and_then(Value::as_str).unwrap_or_default();
        look("/params/arguments".into(), self.tools.get(tool), object("/params/arguments"));
        for (key, response) in object("/params/inputResponses").into_iter().flatten() {
            let at = format!("{}/content", crate::schema::pointer("/params/inputResponses", key));
            let content = response.get("content").and_then(Value::as_object);
            look(at, self.asked.get(&format!("key {key}")), content);
        }
        places
    }
}

/// Where secrets stand in values that go with a schema, if it is known: what it says, and what their names say.
pub(super) fn hidden(schema: Option<&Value>, values: &Map<String, Value>) -> Vec<String> {
    let mut places = secrets(&Form::new(&Value::Object(Map::new())), values);
    if let Some(schema) = schema {
        let more = secrets(&Form::new(schema), values);
        places.extend(more.into_iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
    }
    places
}

fn remember(known: &mut HashMap<String, Value>, name: String, schema: Value) {
    if known.len() < MOST {
        known.insert(name, schema);
    }
}

fn each(message: &mut Value) -> &mut [Value] {
    match message {
        Value::Array(batch) => batch,
        one => std::slice::from_mut(one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_fields_are_hidden_and_so_is_their_echo() {
        let mut secrets = Secrets::default();
        let ask = r#"{"id":"e","method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{"word":{"type":"string","format":"password"},"user":{"type":"string"}}}}}"#;
        assert_eq!(secrets.message(false, ask), ask);
        let answer = r#"{"id":"e","result":{"action":"accept","content":{"word":"hun\"ter2","user":"ada"}}}"#;
        let shown = r#"{"id":"e","result":{"action":"accept","content":{"word":"***","user":"ada"}}}"#;
        assert_eq!(secrets.message(true, answer), shown);
        assert_eq!(secrets.message(false, r#"{"id":1,"result":"is hun\"ter2"}"#), r#"{"id":1,"result":"is ***"}"#);
        assert_eq!(secrets.hide("hun\"ter2!"), "***!");
    }

    #[test]
    fn arguments_are_hidden_by_name_and_by_schema_and_rounds_are_forms() {
        let mut secrets = Secrets::default();
        secrets.message(false, r#"{"id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"type":"string","writeOnly":true}}}}]}}"#);
        let call = r#"{"id":2,"params":{"name":"t","arguments":{"api_key":"abcdefg","x":"y","n":1.50}},"method":"tools/call"}"#;
        let shown =
            r#"{"id":2,"params":{"name":"t","arguments":{"api_key":"***","x":"***","n":1.50}},"method":"tools/call"}"#;
        assert_eq!(secrets.message(true, call), shown);
        secrets.message(false, r#"[{"id":2,"result":{"inputRequests":{"a/b":{"params":{"requestedSchema":{"type":"object","properties":{"p":{"type":"string","format":"password"}}}}}}}}]"#);
        let again = r#"{"id":3,"params":{"inputResponses":{"a/b":{"action":"accept","content":{"p":"1234"}}}}}"#;
        assert_eq!(secrets.message(true, again), again.replace("1234", "***"));
    }

    #[test]
    fn what_holds_no_secret_stays_to_the_byte() {
        let mut secrets = Secrets::default();
        for text in [r#"{ "id" : 1.0,"a":1,"a":2 }"#, "no json", "[", &"[".repeat(500)] {
            assert_eq!(secrets.message(true, text), text);
        }
        assert_eq!(secrets.message(false, "/messages/?session_id=1"), "/messages/?session_id=***");
    }
}
