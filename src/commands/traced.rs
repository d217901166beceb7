//! The questions of a run and what was said to them, read from its trace (`--trace-file`). Pure.

use crate::answers::record::{Asked, Said};
use crate::callbacks::desk::REFUSALS;
use serde_json::Value;
use std::collections::HashMap;

/// A question of the server, and the reply it got.
#[derive(Debug)]
pub(super) struct Question {
    /// What kind of question.
    pub(super) method: String,
    tool: Option<String>,
    params: Value,
    /// A result, or an error.
    reply: Option<Result<Value, Value>>,
}

impl Question {
    /// What an entry needs to know of it.
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked { tool: self.tool.as_deref(), params: &self.params }
    }

    /// What was said to it. A refusal for want of an answer is none.
    pub(super) fn said(&self) -> Option<Said<'_>> {
        match self.reply.as_ref()? {
            Ok(result) => Some(Said::Result(result)),
            Err(error) => {
                let code = error.get("code")?.as_i64().filter(|code| !REFUSALS.contains(code))?;
                Some(Said::Error { code, message: error.get("message")?.as_str()? })
            }
        }
    }
}

/// Reads a trace, one JSON object a line.
///
/// # Errors
/// One line that names the place, when it is no such thing.
pub(super) fn questions(trace: &str) -> Result<Vec<Question>, String> {
    let mut reader = Reader::default();
    for (at, line) in trace.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let record: Value = match serde_json::from_str(line) {
            Ok(record @ Value::Object(_)) => record,
            _ => return Err(format!("line {} is no record of a trace", at + 1)),
        };
        let messages = match record.get("message") {
            Some(Value::Array(batch)) => batch.as_slice(),
            Some(message) => std::slice::from_ref(message),
            None => &[],
        };
        for message in messages {
            match record["dir"].as_str() {
                Some("sent") => reader.sent(message),
                Some("received") => reader.received(message),
                _ => {}
            }
        }
    }
    Ok(reader.questions)
}

#[derive(Default)]
struct Reader {
    questions: Vec<Question>,
    /// The requests under way, by their id as JSON text: the tool they call, if they do.
    open: HashMap<String, Option<String>>,
    /// The questions that wait for a reply, by their id, or by their key where they belong to a round.
    waiting: HashMap<(Asks, String), usize>,
}

/// How a question was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asks {
    ByRequest,
    InRound,
}

impl Reader {
    fn sent(&mut self, message: &Value) {
        let id = message.get("id").map(Value::to_string);
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            let reply = message.get("result").cloned().map(Ok).or(message.get("error").cloned().map(Err));
            if let (Some(id), Some(reply)) = (id, reply) {
                self.answered(Asks::ByRequest, id, reply);
            }
            return;
        };
        let responses = message.pointer("/params/inputResponses").and_then(Value::as_object);
        for (key, response) in responses.into_iter().flatten() {
            self.answered(Asks::InRound, key.clone(), Ok(response.clone()));
        }
        if let Some(id) = id {
            let tool = message.pointer("/params/name").and_then(Value::as_str).filter(|_| method == "tools/call");
            self.open.insert(id, tool.map(str::to_owned));
        }
    }

    fn received(&mut self, message: &Value) {
        let id = message.get("id").map(Value::to_string);
        if let Some(method) = message.get("method").and_then(Value::as_str) {
            if let Some(id) = id {
                let mut tools = self.open.values().flatten();
                let tool = tools.next().cloned().filter(|_| tools.next().is_none());
                self.asked(method, tool, message.get("params"), Some((Asks::ByRequest, id)));
            }
            return;
        }
        let tool = id.and_then(|id| self.open.remove(&id)).flatten();
        let requests = message.pointer("/result/inputRequests").and_then(Value::as_object);
        for (key, request) in requests.into_iter().flatten() {
            let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
            self.asked(method, tool.clone(), request.get("params"), Some((Asks::InRound, key.clone())));
        }
        // What is asked with an error is never answered: the call is made again, or not.
        if message.pointer("/error/code").is_some_and(|code| *code == URL_REQUIRED) {
            let wanted = message.pointer("/error/data/elicitations").and_then(Value::as_array);
            for params in wanted.into_iter().flatten() {
                self.asked("elicitation/create", tool.clone(), Some(params), None);
            }
        }
    }

    fn asked(&mut self, method: &str, tool: Option<String>, params: Option<&Value>, name: Option<(Asks, String)>) {
        let (method, params) = (method.to_owned(), params.cloned().unwrap_or_default());
        if let Some(name) = name {
            self.waiting.insert(name, self.questions.len());
        }
        self.questions.push(Question { method, tool, params, reply: None });
    }

    fn answered(&mut self, asks: Asks, name: String, reply: Result<Value, Value>) {
        if let Some(at) = self.waiting.remove(&(asks, name)) {
            self.questions[at].reply = Some(reply);
        }
    }
}

/// The error of a server that needs URLs visited first.
const URL_REQUIRED: i64 = -32042;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn trace(messages: &[(&str, Value)]) -> String {
        let line = |(dir, message): &(&str, Value)| json!({ "t": 0.1, "dir": dir, "message": message }).to_string();
        messages.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn call(id: u64, tool: &str) -> Value {
        json!({ "id": id, "method": "tools/call", "params": { "name": tool } })
    }

    #[test]
    fn requests_of_the_server_are_questions_and_our_responses_their_replies() {
        let text = trace(&[
            ("sent", json!({ "id": 1, "method": "initialize" })),
            ("received", json!({ "id": 1, "result": {} })),
            ("sent", call(2, "t")),
            (
                "received",
                json!([{ "id": "a", "method": "elicitation/create", "params": { "message": "A" } },
                { "id": 2, "method": "roots/list" }]),
            ),
            ("sent", json!({ "id": 2, "error": { "code": -32603, "message": "nobody answered" } })),
            ("sent", json!({ "id": "a", "result": { "action": "decline" } })),
            ("received", json!({ "id": "b", "method": "elicitation/create", "params": { "message": "B" } })),
            ("received", json!({ "id": 2, "result": { "content": [] } })),
            ("stderr", json!("x")),
        ]);
        let found = questions(&format!("{text}\n\n")).unwrap();
        let methods: Vec<&str> = found.iter().map(|question| question.method.as_str()).collect();
        assert_eq!(methods, ["elicitation/create", "roots/list", "elicitation/create"]);
        assert!(found.iter().all(|question| question.tool.as_deref() == Some("t")));
        assert!(matches!(found[0].said(), Some(Said::Result(result)) if result["action"] == "decline"));
        assert!(found[1].said().is_none() && found[2].said().is_none());
    }

    #[test]
    fn a_round_has_questions_too_and_the_next_call_their_replies() {
        let ask = |message: &str| json!({ "method": "elicitation/create", "params": { "message": message } });
        let mut again = call(8, "t");
        again["params"]["inputResponses"] = json!({ "k": { "action": "cancel" } });
        let text = trace(&[
            ("sent", call(7, "t")),
            (
                "received",
                json!({ "id": 7, "result": { "resultType": "input_required", "inputRequests": { "k": ask("A") } } }),
            ),
            ("sent", again),
            (
                "received",
                json!({ "id": 8, "result": { "resultType": "input_required", "inputRequests": { "k": ask("B") } } }),
            ),
        ]);
        let found = questions(&text).unwrap();
        assert_eq!((found.len(), found[0].tool.as_deref(), found[1].tool.as_deref()), (2, Some("t"), Some("t")));
        assert!(matches!(found[0].said(), Some(Said::Result(result)) if result["action"] == "cancel"));
        assert!(found[1].said().is_none());
    }

    #[test]
    fn urls_that_an_error_wants_visited_are_questions() {
        let error = json!({ "code": -32042, "data": { "elicitations": [{ "mode": "url" }] } });
        let found =
            questions(&trace(&[("sent", call(1, "t")), ("received", json!({ "id": 1, "error": error }))])).unwrap();
        assert_eq!((found.len(), &found[0].params), (1, &json!({ "mode": "url" })));
    }

    #[test]
    fn what_is_no_trace_is_named_with_its_line() {
        assert_eq!(questions("{}\n[]").unwrap_err(), "line 2 is no record of a trace");
        assert_eq!(questions("x").unwrap_err(), "line 1 is no record of a trace");
        assert!(questions("").unwrap().is_empty());
    }
}
