//! The wire form of rounds (2026-07-28 basic/patterns/mrtr): what a result of type `input_required` asks, and what the request
//! that answers it carries. Pure.

use crate::jsonrpc::Raw;
use serde_json::{Map, Value};

/// What a server wants to know before it goes on.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// The questions, in the server's order.
    pub(crate) questions: Vec<Question>,
    /// `requestState` as its JSON text, which goes back as it is.
    pub(crate) state: Option<Raw>,
    /// The whole result, as sent.
    pub(crate) raw: Raw,
}

/// One entry of `inputRequests`.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// Its key.
    pub(crate) key: String,
    /// One of `KINDS`.
    pub(crate) method: String,
    /// Its params, or null.
    pub(crate) params: Value,
}

/// The kinds of question a round may hold, in the order in which they are put: first what needs nobody, last what costs.
pub(crate) const KINDS: &[&str] = &["roots/list", "elicitation/create", "sampling/createMessage"];

impl Round {
    /// Reads a result of type `input_required`.
    ///
    /// # Errors
    /// One line, when it breaks the rules.
    pub(crate) fn read(result: &Raw) -> Result<Round, String> {
        let [requests, state] = result
            .members(&["inputRequests", "requestState"])
            .map_err(|e| e.to_string())?
            .map(|member| member.filter(|raw| raw.get() != "null"));
        if state.as_ref().is_some_and(|state| !state.get().starts_with('"')) {
            return Err("has a requestState that is not a string".into());
        }
        let requests = requests.as_ref().map_or(Ok(Value::Null), Raw::value);
        let questions = match requests.map_err(|e| format!("has inputRequests that cannot be read: {e}"))? {
            Value::Null => Vec::new(),
            Value::Object(requests) => {
                requests.into_iter().map(|(key, request)| Question::read(key, request)).collect::<Result<_, _>>()?
            }
            other => return Err(format!("has inputRequests that are not an object: {other}")),
        };
        if questions.is_empty() && state.is_none() {
            return Err("asks for input, but has neither inputRequests nor requestState".into());
        }
        Ok(Round { questions, state, raw: result.clone() })
    }

    /// Whether it asks nothing but to be called again.
    pub(crate) fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// What is asked, in a few words.
    pub(crate) fn gist(&self) -> String {
        let asked: Vec<String> =
            self.questions.iter().map(|question| format!("{} ({})", question.method, question.key)).collect();
        if asked.is_empty() { "nothing, only to be called again".to_owned() } else { asked.join(", ") }
    }
}

impl Question {
    fn read(key: String, request: Value) -> Result<Self, String> {
        let Some(method) = request.get("method").and_then(Value::as_str) else {
            return Err(format!("has an input request without method: {key}"));
        };
        if !KINDS.contains(&method) {
            return Err(format!("has an input request of unknown method: {key} ({method})"));
        }
        let (method, params) = (method.to_owned(), request.get("params").cloned().unwrap_or_default());
        Ok(Question { key, method, params })
    }
}

/// What a request carries when it answers a round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Retry {
    /// Answers by key; absent when nothing was asked.
    pub(crate) responses: Option<Map<String, Value>>,
    /// The state as JSON text.
    pub(crate) state: Option<Raw>,
}

impl Retry {
    /// The params that only a retry has.
    pub(crate) const KEYS: [&str; 2] = ["inputResponses", "requestState"];

    /// The text of these params with ours put in; the state stays byte for byte what it was.
    pub(crate) fn join(&self, params: &Value) -> String {
        let mut text = params.to_string();
        let Some('}') = text.pop() else { return params.to_string() };
        let responses = self.responses.as_ref().map(|responses| Value::from(responses.clone()).to_string());
        let members = [responses.as_deref(), self.state.as_ref().map(Raw::get)];
        for (key, member) in Self::KEYS.iter().zip(members) {
            if let Some(member) = member {
                let comma = if text == "{" { "" } else { "," };
                // One line, whatever the blanks between tokens were: an edited file may have had them.
                text.push_str(&format!("{comma}\"{key}\":{}", member.replace(['\n', '\r'], " ")));
            }
        }
        text + "}"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Round, String> {
        Round::read(&Raw::new(text.to_owned()))
    }

    #[test]
    fn a_round_is_read_or_refused() {
        let round = read(
            r#"{"requestState":"s","inputRequests":{"b":{"method":"roots/list"},"a":{"method":"elicitation/create","params":{"message":"?"}}}}"#,
        )
        .unwrap();
        assert_eq!(round.gist(), "roots/list (b), elicitation/create (a)");
        assert!(read(r#"{"inputRequests":{},"requestState":"s"}"#).is_ok());
        for text in [
            "{}",
            r#"{"inputRequests":{}}"#,
            r#"{"inputRequests":null,"requestState":null}"#,
            r#"{"inputRequests":[],"requestState":"s"}"#,
            r#"{"requestState":7}"#,
            r#"{"inputRequests":{"a":{}}}"#,
            r#"{"inputRequests":{"a":7}}"#,
            r#"{"inputRequests":{"a":{"method":"ping"}}}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_state_goes_back_byte_for_byte() {
        let state = r#""\ud800 \u00e9 é \/ 9007199254740993""#;
        let round = read(&format!(r#"{{"requestState":{state}}}"#)).unwrap();
        let responses = json!({ "k": { "roots": [] } }).as_object().cloned();
        let retry = Retry { responses, state: round.state };
        let expected = format!(r#"{{"name":"t","inputResponses":{{"k":{{"roots":[]}}}},"requestState":{state}}}"#);
        assert_eq!(retry.join(&json!({ "name": "t" })), expected);
        assert_eq!(Retry::default().join(&json!({})), "{}");
    }
}
