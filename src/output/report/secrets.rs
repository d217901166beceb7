//! What a report hides in messages: what people and flags put into secret fields, and these values wherever they come back.

use crate::complexity;
use crate::form::{Form, secrets};
use crate::secrets::known::{Known, MOST};
use crate::secrets::{prose_masked, text_masked};
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many schemas of forms of one name are.
const ALIKE: usize = 16;

/// What has been learnt of secrets so far.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    known: Known,
    /// The schemas of forms that were asked, by request, or by state and key of a round; the oldest first, which goes when
    /// there are many.
    asked: VecDeque<(u64, Value)>,
    /// The schemas of tools.
    tools: HashMap<String, Value>,
    /// The headers beside the last message that repeat an argument that is a secret, in lower case; `None`: any may.
    headers: Option<Vec<String>>,
}

impl Secrets {
    /// Begins with the values that are known.
    pub(super) fn new(values: &[String]) -> Self {
        Secrets { known: Known::new(values), ..Secrets::default() }
    }

    /// A text without the values that are known.
    pub(super) fn hide(&self, text: &str) -> String {
        self.known.hide(text)
    }

    /// A message as it may be shown; as it is, to the byte, where there is nothing to hide.
    pub(super) fn message(&mut self, is_sent: bool, text: &str) -> String {
        self.headers = Some(Vec::new());
        let Ok(mut message) = complexity::read(text) else { return self.hide(&text_masked(text)) };
        let mut changed = false;
        for message in each(&mut message) {
            if is_sent {
                for place in self.sent(message) {
                    if let Some(value) = message.pointer_mut(&place) {
                        match value.take() {
                            Value::String(secret) => self.known.learn(&secret),
                            other => self.known.learn(&other.to_string()),
                        }
                        *value = "***".into();
                        changed = true;
                    }
                }
            } else {
                self.received(message);
            }
            changed |= mask_addresses(message);
        }
        if changed { self.hide(&message.to_string()) } else { self.hide(text) }
    }

    /// Whether a header that goes with the last message repeats (`x-mcp-header`) an argument that is a secret.
    pub(super) fn is_hidden_header(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        name.starts_with(PARAM) && self.headers.as_ref().is_none_or(|hidden| hidden.contains(&name))
    }

    fn received(&mut self, message: &Value) {
        let schema = |ask: &Value| ask.pointer("/params/requestedSchema").cloned();
        if let (Some(id), Some(schema)) = (message.get("id"), schema(message)) {
            self.ask(by_id(id), schema);
        }
        let rounds = message.pointer("/result/inputRequests").and_then(Value::as_object);
        for (key, ask) in rounds.into_iter().flatten() {
            if let Some(schema) = schema(ask) {
                self.ask(by_key(message.pointer("/result/requestState"), key), schema);
            }
        }
        let tools = message.pointer("/result/tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            if let (Some(name), Some(schema)) = (tool.get("name").and_then(Value::as_str), tool.get("inputSchema"))
                && (self.tools.len() < MOST || self.tools.contains_key(name))
            {
                self.tools.insert(name.to_owned(), schema.clone());
            }
        }
    }

    /// A form stays known once it is answered: the answer may have to be sent again.
    fn ask(&mut self, id: u64, schema: Value) {
        self.asked.retain(|(known, other)| *known != id || *other != schema);
        let mut alike = self.asked.iter().enumerate().filter(|(_, (known, _))| *known == id).map(|(at, _)| at);
        let oldest_alike = alike.next().filter(|_| alike.count() + 1 >= ALIKE);
        if let Some(at) = oldest_alike.or((self.asked.len() >= MOST).then_some(0)) {
            self.asked.remove(at);
        }
        self.asked.push_back((id, schema));
    }

    /// The schemas that an answer may belong to: calls and connections may use the same names.
    fn schemas(&self, id: u64) -> Vec<Value> {
        self.asked.iter().filter(|(known, _)| *known == id).map(|(_, schema)| schema.clone()).collect()
    }

    /// Where secrets stand in what we send.
    fn sent(&mut self, message: &Value) -> Vec<String> {
        let mut places = Vec::new();
        let mut look = |at: &str, schemas: &[Value]| {
            let values = message.pointer(at).and_then(Value::as_object);
            let found = values.map(|values| hidden(schemas, values)).unwrap_or_default();
            places.extend(found.into_iter().map(|place| format!("{at}{place}")));
        };
        if let (Some(id), None) = (message.get("id"), message.get("method")) {
            look("/result/content", &self.schemas(by_id(id)));
        }
        let responses = message.pointer("/params/inputResponses").and_then(Value::as_object);
        for key in responses.into_iter().flat_map(Map::keys) {
            let at = format!("{}/content", crate::schema::pointer("/params/inputResponses", key));
            look(&at, &self.schemas(by_key(message.pointer("/params/requestState"), key)));
        }
        let tool = message.pointer("/params/name").and_then(Value::as_str).and_then(|name| self.tools.get(name));
        look("/params/arguments", tool.map(std::slice::from_ref).unwrap_or_default());
        self.headers = tool.map(|schema| headers(schema, &places));
        places
    }
}

/// How a header begins that repeats an argument.
const PARAM: &str = "mcp-param-";

/// The headers that repeat the arguments at these places of a call.
fn headers(schema: &Value, places: &[String]) -> Vec<String> {
    let header = |place: &String| {
        let place = place.strip_prefix("/params/arguments")?.replace('/', "/properties/");
        Some(format!("{PARAM}{}", schema.pointer(&place)?.get("x-mcp-header")?.as_str()?.to_ascii_lowercase()))
    };
    places.iter().filter_map(header).collect()
}

fn by_id(id: &Value) -> u64 {
    name_of(&("id", id.to_string()))
}

/// A state is a call's own; calls without one may share the names of what they ask.
fn by_key(state: Option<&Value>, key: &str) -> u64 {
    name_of(&("key", state.map(Value::to_string), key))
}

/// Names may be long, and many are kept.
fn name_of(parts: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Where secrets stand in values that go with schemas, as far as they are known: what these say, and what names say.
fn hidden(schemas: &[Value], values: &Map<String, Value>) -> Vec<String> {
    let mut places = secrets(&Form::new(&Value::Object(Map::new())), values);
    for schema in schemas {
        let more = secrets(&Form::new(schema), values);
        places.extend(more.into_iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
    }
    places
}

/// Masks addresses in all texts; says whether there was anything to mask.
fn mask_addresses(value: &mut Value) -> bool {
    match value {
        Value::String(text) if text.contains("://") => {
            let masked = prose_masked(text);
            let is_other = masked != *text;
            *text = masked;
            is_other
        }
        Value::Array(items) => items.iter_mut().fold(false, |changed, item| mask_addresses(item) | changed),
        Value::Object(members) => members.values_mut().fold(false, |changed, item| mask_addresses(item) | changed),
        _ => false,
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

    const FORM: &str = r#"{"type":"object","properties":{"word":{"type":"string","format":"password"}}}"#;

    #[test]
    fn forms_are_remembered_for_as_long_as_they_are_asked() {
        let mut secrets = Secrets::default();
        let shown = |secrets: &mut Secrets, n: u64| {
            let answer = format!(r#"{{"id":{n},"result":{{"action":"accept","content":{{"word":"{n}"}}}}}}"#);
            secrets.message(true, &answer).contains("\"***\"")
        };
        let ask = |secrets: &mut Secrets, n: u64| {
            let ask = format!(r#"{{"id":{n},"method":"elicitation/create","params":{{"requestedSchema":{FORM}}}}}"#);
            secrets.message(false, &ask);
        };
        for n in 0..MOST as u64 + 10 {
            ask(&mut secrets, n);
            assert!(shown(&mut secrets, n), "{n}");
        }
        // It may be sent twice.
        assert!(shown(&mut secrets, MOST as u64 + 9) && secrets.asked.len() == MOST);
    }

    #[test]
    fn rounds_of_many_calls_are_told_apart() {
        let plain = r#"{"type":"object","properties":{"word":{"type":"string"}}}"#;
        let asked = |id: u64, state: &str, form: &str| {
            format!(
                r#"{{"id":{id},"result":{{{state}"inputRequests":{{"k":{{"params":{{"requestedSchema":{form}}}}}}}}}}}"#
            )
        };
        let answer = |state: &str| {
            format!(r#"{{"id":9,"params":{{{state}"inputResponses":{{"k":{{"content":{{"word":"1234"}}}}}}}}}}"#)
        };
        for (one, other) in [(r#""requestState":"1","#, r#""requestState":"2","#), ("", "")] {
            let mut secrets = Secrets::default();
            secrets.message(false, &asked(1, one, FORM));
            secrets.message(false, &asked(2, other, plain));
            let has_state = !one.is_empty();
            assert_eq!(secrets.message(true, &answer(other)).contains("1234"), has_state);
            assert!(!secrets.message(true, &answer(one)).contains("1234"));
        }
    }

    #[test]
    fn headers_that_repeat_a_secret_are_known() {
        let mut secrets = Secrets::default();
        secrets.message(false, r#"{"id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a/b":{"type":"object","properties":{"word":{"type":"string","writeOnly":true,"x-mcp-header":"Word"}}},"x":{"type":"string","x-mcp-header":"X"}}}}]}}"#);
        let call = r#"{"id":2,"method":"tools/call","params":{"name":"t","arguments":{"a/b":{"word":"p"},"x":"y"}}}"#;
        secrets.message(true, call);
        let hidden = |secrets: &Secrets| {
            ["Mcp-Param-Word", "mcp-param-x", "mcp-name"].map(|name| secrets.is_hidden_header(name))
        };
        assert_eq!(hidden(&secrets), [true, false, false]);
        // Nothing is known of this one.
        secrets.message(true, &call.replace("\"t\"", "\"u\""));
        assert_eq!(hidden(&secrets), [true, true, false]);
    }

    #[test]
    fn addresses_in_messages_are_masked() {
        let mut secrets = Secrets::default();
        let ask = r#"{"id":1,"params":{"url":"https://u:p@h/a?token=1&x=2","all":["see http://h/?code=1"]}}"#;
        let shown = r#"{"id":1,"params":{"url":"https://***@h/a?token=***&x=2","all":["see http://h/?code=***"]}}"#;
        assert_eq!(secrets.message(false, ask), shown);
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
