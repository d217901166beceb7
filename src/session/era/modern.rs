//! 2026-07-28: no handshake and no session; every request says who asks, in which version, and what can be answered
//! (`_meta`). The server asks by ending a request with `resultType: "input_required"`.

use super::headers::{self, Param};
use super::revision::Revision;
use super::round::{Retry, Round};
use super::{Encoded, Era, Letter, Reading, VERSION, client_info};
use crate::jsonrpc::{self, Raw};
use crate::sync::lock;
use crate::transport::{Headers, Verb};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What our keys of `_meta` begin with.
const KEY: &str = "io.modelcontextprotocol/";

/// The requests that a server may answer with questions (2026-07-28 basic/patterns/mrtr).
pub(super) const MAY_ASK: &[&str] = &["tools/call", "prompts/get", "resources/read"];

/// The parameter that `Mcp-Name` repeats, by method.
const NAMES: &[(&str, &str)] = &[
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
];

/// What goes with every request.
#[derive(Debug)]
pub(crate) struct Modern {
    revision: &'static Revision,
    capabilities: Map<String, Value>,
    log_level: Mutex<Option<&'static str>>,
    is_http: bool,
    /// The server has answered as only this era does.
    proven: AtomicBool,
    /// What the tools that were listed want repeated in headers.
    tools: Mutex<HashMap<String, Vec<Param>>>,
}

impl Modern {
    /// An era that the server has yet to show (`prove`) it speaks.
    pub(crate) fn new(
        revision: &'static Revision,
        capabilities: Map<String, Value>,
        log_level: Option<&'static str>,
        is_http: bool,
    ) -> Self {
        let (proven, tools, log_level) = (AtomicBool::new(false), Mutex::default(), Mutex::new(log_level));
        Modern { revision, capabilities, log_level, is_http, proven, tools }
    }

    /// The version.
    pub(crate) fn revision(&self) -> &'static Revision {
        self.revision
    }

    /// Asks for logs of this level with every request from here on.
    pub(crate) fn ask_logs(&self, level: &'static str) {
        *lock(&self.log_level) = Some(level);
    }

    /// The server has shown that it speaks this era.
    pub(crate) fn prove(&self) {
        self.proven.store(true, Ordering::Relaxed);
    }

    /// Params with everything of ours; what the user gave in `_meta` stays.
    fn params(&self, number: u64, params: Option<&Value>, retry: Option<&Retry>) -> Value {
        let mut params = params.cloned().unwrap_or_else(|| json!({}));
        let Value::Object(object) = &mut params else { return params };
        if retry.is_some() {
            Retry::KEYS.iter().for_each(|key| drop(object.remove(*key)));
        }
        let Value::Object(meta) = object.entry("_meta").or_insert_with(|| json!({})) else { return params };
        let mut add = |key: String, value: Value| {
            meta.entry(key).or_insert(value);
        };
        add(format!("{KEY}protocolVersion"), self.revision.date.into());
        add(format!("{KEY}clientInfo"), client_info());
        add(format!("{KEY}clientCapabilities"), self.capabilities.clone().into());
        if let Some(level) = *lock(&self.log_level) {
            add(format!("{KEY}logLevel"), level.into());
        }
        add("progressToken".into(), number.into());
        params
    }

    fn headers(&self, method: &str, params: &Value) -> Headers {
        let mut headers = Headers::new();
        if !self.is_http {
            return headers;
        }
        // What the user put into `_meta` is what both have to say.
        let version = params["_meta"].get(format!("{KEY}protocolVersion")).and_then(Value::as_str);
        headers.push((VERSION.into(), version.unwrap_or(self.revision.date).into()));
        headers.push(("Mcp-Method".into(), headers::encode(method)));
        let name = NAMES.iter().find(|(known, _)| *known == method).and_then(|(_, key)| params.get(key)?.as_str());
        if let Some(name) = name {
            headers.push(("Mcp-Name".into(), headers::encode(name)));
        }
        if let (Some(name), "tools/call") = (name, method)
            && let Some(wanted) = self.tools().get(name)
        {
            headers.extend(headers::param_headers(wanted, params.get("arguments").unwrap_or(&Value::Null)));
        }
        headers
    }

    fn tools(&self) -> MutexGuard<'_, HashMap<String, Vec<Param>>> {
        lock(&self.tools)
    }
}

impl Era for Modern {
    fn name(&self) -> &'static str {
        "modern"
    }

    fn encode(&self, letter: &Letter<'_>) -> Option<Encoded> {
        let (headers, body) = match letter {
            Letter::Request { number, method, params, retry } => {
                let params = self.params(*number, *params, *retry);
                let headers = self.headers(method, &params);
                let text = retry.map_or_else(|| params.to_string(), |retry| retry.join(&params));
                (headers, jsonrpc::request(*number, method, Some(&text)))
            }
            // Over HTTP closing the stream says it (2026-07-28 basic/patterns/cancellation).
            Letter::Notification { method, params } if !self.is_http => {
                (Headers::new(), jsonrpc::notification(method, *params))
            }
            Letter::Notification { .. } | Letter::Response { .. } | Letter::Listen | Letter::End => return None,
        };
        // A broken stream is lost with its request: nothing to resume.
        Some(Encoded { verb: Verb::Post, body, headers, resume: None })
    }

    fn is_open(&self) -> bool {
        self.proven.load(Ordering::Relaxed)
    }

    fn date(&self) -> Option<&'static str> {
        Some(self.revision.date)
    }

    fn has_back_channel(&self) -> bool {
        false
    }

    /// A result without `resultType` is complete; one with an unknown type is nothing (2026-07-28 basic).
    fn read(&self, method: &str, result: &Raw) -> Result<Reading, String> {
        let Ok([kind]) = result.members(&["resultType"]) else { return Ok(Reading::Complete) };
        let Some(kind) = kind.map(|raw| raw.readable()).filter(|kind| !kind.is_null()) else {
            return Ok(Reading::Complete);
        };
        match kind.as_str() {
            Some("complete") => {}
            Some("input_required") if MAY_ASK.contains(&method) => {
                self.prove();
                return Round::read(result).map(|round| Reading::InputRequired(Box::new(round)));
            }
            Some("input_required") => return Err("asks for input, which only a call, a prompt or a read may".into()),
            _ => return Err(format!("has the unknown resultType {kind}")),
        }
        self.prove();
        Ok(Reading::Complete)
    }

    fn learn_tool(&self, tool: &Value) -> Result<(), String> {
        // Only HTTP has headers to fill.
        if !self.is_http {
            return Ok(());
        }
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        // The latest list counts, also where it takes the tool away.
        self.tools().remove(name);
        let params = headers::params(tool)?;
        self.tools().insert(name.to_owned(), params);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modern(is_http: bool) -> Modern {
        let capabilities = json!({ "roots": {} }).as_object().cloned().unwrap();
        Modern::new(Revision::newest(true), capabilities, Some("info"), is_http)
    }

    fn request(modern: &Modern, method: &str, params: Option<&Value>, retry: Option<&Retry>) -> (Value, Headers) {
        let encoded = modern.encode(&Letter::Request { number: 7, method, params, retry }).unwrap();
        assert!(encoded.resume.is_none() && encoded.verb == Verb::Post);
        (serde_json::from_str(&encoded.body).unwrap(), encoded.headers)
    }

    #[test]
    fn every_request_says_everything() {
        let (body, headers) = request(&modern(true), "tools/list", None, None);
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "mcpcall", "version": env!("CARGO_PKG_VERSION") },
            "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
            "io.modelcontextprotocol/logLevel": "info",
            "progressToken": 7,
        });
        assert_eq!(body, json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": meta } }));
        assert_eq!(headers, [(VERSION.into(), "2026-07-28".into()), ("Mcp-Method".into(), "tools/list".into())]);
        assert!(request(&modern(false), "tools/list", None, None).1.is_empty());
    }

    #[test]
    fn names_and_annotated_arguments_stand_in_headers_too() {
        let modern = modern(true);
        let properties = json!({ "region": { "type": "string", "x-mcp-header": "Region" } });
        modern.learn_tool(&json!({ "name": "größe", "inputSchema": { "properties": properties } })).unwrap();
        let params = json!({ "name": "größe", "arguments": { "region": "eu" } });
        let (_, headers) = request(&modern, "tools/call", Some(&params), None);
        let rest: Vec<_> = headers[2..].iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(rest, [("Mcp-Name", "=?base64?Z3LDtsOfZQ==?="), ("Mcp-Param-Region", "eu")]);
        let (_, headers) = request(&modern, "resources/read", Some(&json!({ "uri": "a:b" })), None);
        assert_eq!(headers[2], ("Mcp-Name".into(), "a:b".into()));
    }

    #[test]
    fn what_the_user_says_in_meta_stays() {
        let params =
            json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "1999-01-01", "progressToken": "p" } });
        let (body, headers) = request(&modern(true), "tools/list", Some(&params), None);
        assert_eq!(body["params"]["_meta"]["progressToken"], "p");
        assert_eq!(headers[0].1, "1999-01-01");
    }

    #[test]
    fn nothing_but_requests_is_sent_over_http() {
        let cancelled = Letter::Notification { method: "notifications/cancelled", params: None };
        assert!(modern(true).encode(&cancelled).is_none());
        assert!(modern(false).encode(&cancelled).is_some());
        let id = jsonrpc::RequestId::from(&json!(1));
        let response = Letter::Response { id: &id, outcome: Ok(&Value::Null) };
        for letter in [response, Letter::Listen, Letter::End] {
            assert!(modern(false).encode(&letter).is_none());
        }
    }

    #[test]
    fn results_are_read_by_their_type() {
        let read = |method: &str, text: &str| modern(true).read(method, &Raw::new(text.into()));
        for text in ["{}", r#"{"resultType":null}"#, r#"{"resultType":"complete"}"#, "[]"] {
            assert!(matches!(read("tools/call", text), Ok(Reading::Complete)), "{text}");
        }
        let asks = r#"{"resultType":"\u0069nput_required","requestState":"s"}"#;
        assert!(matches!(read("tools/call", asks), Ok(Reading::InputRequired(_))));
        for (method, text) in [
            ("tools/list", asks),
            ("tools/call", r#"{"resultType":"task"}"#),
            ("tools/call", r#"{"resultType":7}"#),
            ("tools/call", r#"{"resultType":"input_required"}"#),
        ] {
            assert!(read(method, text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_an_answer_of_this_era_proves_it() {
        let modern = modern(true);
        modern.read("tools/list", &Raw::new(r#"{"tools":[]}"#.into())).unwrap();
        assert!(!modern.is_open());
        modern.read("tools/list", &Raw::new(r#"{"tools":[],"resultType":"complete"}"#.into())).unwrap();
        assert!(modern.is_open());
    }
}
