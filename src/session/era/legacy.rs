//! The handshake era, 2024-11-05 to 2025-11-25: `initialize`, the HTTP wire session (`Mcp-Session-Id`), the standing
//! GET stream. "Session" as a wire term exists only in this file.

use super::modern::MAY_ASK;
use super::revision::Revision;
use super::{Encoded, Era, Letter, Reading, Server, VERSION, client_info};
use crate::failure::{Failure, Result};
use crate::jsonrpc::{self, Raw};
use crate::search::has;
use crate::transport::{Headers, Verb, header};
use serde_json::{Map, Value, json};

const SESSION: &str = "Mcp-Session-Id";

/// The state of a handshake-era connection.
#[derive(Debug)]
pub(crate) struct Legacy {
    /// `None` before the handshake is done.
    negotiated: Option<&'static Revision>,
    session: Option<String>,
}

impl Legacy {
    /// Before the handshake: requests carry neither version nor session.
    pub(crate) fn opening() -> Self {
        Legacy { negotiated: None, session: None }
    }

    /// The params of `initialize`.
    pub(crate) fn initialize(revision: &Revision, capabilities: Value) -> Value {
        json!({
            "protocolVersion": revision.date,
            "capabilities": capabilities,
            "clientInfo": client_info(),
        })
    }

    /// Reads the result of `initialize`: the state to go on with, the server, and what was odd. A loose
    /// handshake connects all the same; only a result without any plausible version does not.
    ///
    /// # Errors
    /// `connect`, when the result is no handshake.
    pub(crate) fn opened(
        result: &Raw,
        headers: &Headers,
        asked: &'static Revision,
    ) -> Result<(Self, Server, Vec<String>)> {
        let Value::Object(mut object) = result.readable() else {
            if let Err(why) = result.value() {
                return Err(bad_handshake(&format!("result of initialize: {why}"), result));
            }
            return Err(bad_handshake("result of initialize is not an object", result));
        };
        let mut odd = Vec::new();
        let revision = match object.get("protocolVersion") {
            Some(Value::String(date)) => match Revision::find(date).filter(|revision| !revision.is_modern) {
                Some(revision) => revision,
                None if looks_like_date(date) => {
                    odd.push(format!(
                        "the server answers with protocol version {date}, which has no handshake here; going on as {}",
                        asked.date
                    ));
                    asked
                }
                None => {
                    return Err(bad_handshake(
                        &format!("the server answered protocol version `{date}`, which is none"),
                        result,
                    ));
                }
            },
            Some(other) => return Err(bad_handshake(&format!("protocolVersion is not a string: {other}"), result)),
            None => {
                odd.push(format!("the server named no protocol version; going on as {}", asked.date));
                asked
            }
        };
        let info = object.remove("serverInfo");
        let name = info.as_ref().and_then(|info| info.get("name")).and_then(Value::as_str).map(str::to_owned);
        if name.is_none() {
            odd.push("the server gave no serverInfo.name".into());
        }
        let capabilities = match object.remove("capabilities") {
            Some(Value::Object(capabilities)) => capabilities,
            Some(other) => {
                odd.push(format!("the server's capabilities are not an object: {other}"));
                Map::new()
            }
            None => Map::new(),
        };
        let session = header(headers, SESSION).map(str::to_owned);
        let server = Server { name, capabilities, told: Some(result.clone()) };
        Ok((Legacy { negotiated: Some(revision), session }, server, odd))
    }

    fn headers(&self) -> Headers {
        let mut headers = Headers::new();
        if let Some(revision) = self.negotiated.filter(|revision| revision.version_header) {
            headers.push((VERSION.into(), revision.date.into()));
        }
        if let Some(session) = &self.session {
            headers.push((SESSION.into(), session.clone()));
        }
        headers
    }
}

impl Era for Legacy {
    fn name(&self) -> &'static str {
        "legacy"
    }

    fn date(&self) -> Option<&'static str> {
        self.negotiated.map(|revision| revision.date)
    }

    fn encode(&self, letter: &Letter<'_>) -> Option<Encoded> {
        let (verb, body) = match letter {
            Letter::Request { number, method, params, .. } => {
                let params = match *method {
                    // The handshake carries no progress token: nothing may come before its reply.
                    "initialize" => params.cloned(),
                    _ => Some(with_progress_token(*number, *params)),
                };
                let params = params.map(|params| params.to_string());
                (Verb::Post, jsonrpc::request(*number, method, params.as_deref()))
            }
            Letter::Notification { method, params } => (Verb::Post, jsonrpc::notification(method, *params)),
            Letter::Response { id, outcome } => (Verb::Post, jsonrpc::response(id, *outcome)),
            Letter::Listen => (Verb::Listen, String::new()),
            Letter::End if self.session.is_some() => (Verb::End, String::new()),
            Letter::End => return None,
        };
        let headers = self.headers();
        Some(Encoded { verb, body, resume: Some(headers.clone()), headers })
    }

    fn is_open(&self) -> bool {
        self.negotiated.is_some()
    }

    fn has_wire_session(&self) -> bool {
        self.session.is_some()
    }

    fn has_back_channel(&self) -> bool {
        true
    }

    /// A server that asks as 2026-07-28 has it is told from one that answers; the text is looked through first, since a
    /// result may be large.
    fn read(&self, method: &str, result: &Raw) -> Result<Reading, String> {
        let asks = MAY_ASK.contains(&method)
            && has("input_required", result.get())
            && result
                .members(&["resultType"])
                .is_ok_and(|[kind]| kind.is_some_and(|kind| kind.get() == r#""input_required""#));
        match asks {
            true => Err("asks for input as 2026-07-28 has it (--protocol modern may work)".into()),
            false => Ok(Reading::Complete),
        }
    }
}

/// Every request carries a progress token, since a timeout starts again with progress (2025-11-25 utilities/progress).
/// A token the user gave in `_meta` stays.
fn with_progress_token(number: u64, params: Option<&Value>) -> Value {
    let mut params = params.cloned().unwrap_or_else(|| json!({}));
    if let Value::Object(object) = &mut params {
        let meta = object.entry("_meta").or_insert_with(|| json!({}));
        if let Value::Object(meta) = meta {
            meta.entry("progressToken").or_insert_with(|| number.into());
        }
    }
    params
}

fn bad_handshake(what: &str, result: &Raw) -> Failure {
    Failure::connect(format!("handshake failed: {what}")).detail(result.excerpt())
}

fn looks_like_date(text: &str) -> bool {
    text.len() == 10
        && text.char_indices().all(|(at, c)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(result: &str, headers: &[(&str, &str)]) -> Result<(Legacy, Server, Vec<String>)> {
        let headers = headers.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Legacy::opened(&Raw::new(result.into()), &headers, Revision::newest(false))
    }

    #[test]
    fn a_loose_handshake_connects_with_a_warning() {
        let cases = [
            (
                r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#,
                0,
                "2025-06-18",
            ),
            (r#"{"protocolVersion":"2024-11-05","capabilities":{}}"#, 1, "2024-11-05"),
            (r#"{"protocolVersion":"2099-01-01","capabilities":[],"serverInfo":{"name":"s"}}"#, 2, "2025-11-25"),
            (r#"{}"#, 2, "2025-11-25"),
        ];
        for (result, n_odd, date) in cases {
            let (legacy, _, odd) = opened(result, &[]).unwrap();
            assert_eq!(odd.len(), n_odd, "{result}: {odd:?}");
            assert_eq!(legacy.negotiated.unwrap().date, date, "{result}");
        }
        for result in [r#"[]"#, r#"{"protocolVersion":7}"#, r#"{"protocolVersion":"latest"}"#] {
            assert_eq!(opened(result, &[]).unwrap_err().kind, crate::failure::Kind::Connect, "{result}");
        }
    }

    #[test]
    fn version_and_session_go_with_everything_after_the_handshake() {
        let result = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}"#;
        let (legacy, ..) = opened(result, &[("mcp-session-id", "s1")]).unwrap();
        for letter in [Letter::Listen, Letter::End, Letter::Notification { method: "n", params: None }] {
            let encoded = legacy.encode(&letter).unwrap();
            assert_eq!(encoded.headers, [(VERSION.into(), "2025-11-25".into()), (SESSION.into(), "s1".into())]);
        }
        let opening = Legacy::opening();
        let request = Letter::Request { number: 1, method: "initialize", params: Some(&json!({})), retry: None };
        let encoded = opening.encode(&request).unwrap();
        assert!(encoded.headers.is_empty() && !encoded.body.contains("progressToken"));
        assert!(opening.encode(&Letter::End).is_none());
    }

    #[test]
    fn a_progress_token_of_the_user_stays() {
        let params = json!({"_meta": {"progressToken": "mine"}, "name": "t"});
        assert_eq!(with_progress_token(4, Some(&params)), params);
        assert_eq!(with_progress_token(4, None), json!({"_meta": {"progressToken": 4}}));
    }
}
