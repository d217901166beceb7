//! What a line of a batch asks for: a call in short, the params of a `tools/call`, or any request.

use crate::failure::Result;
use serde_json::{Map, Value};

/// A line, read.
#[derive(Debug, PartialEq)]
pub(super) struct Asked {
    /// Given back with the result.
    pub(super) id: Option<Value>,
    pub(super) what: Result<What, String>,
}

/// What to send.
#[derive(Debug, PartialEq)]
pub(super) enum What {
    /// A tool call, checked by the tool's schema.
    Call {
        /// The tool.
        tool: String,
        /// The params of `tools/call`.
        params: Map<String, Value>,
    },
    /// Any request, as it is.
    Request {
        /// The method.
        method: String,
        /// Its params.
        params: Option<Value>,
    },
}

impl Asked {
    /// Reads a line. Its id is kept where what it asks for is wrong.
    pub(super) fn read(line: &[u8]) -> Asked {
        let mut object = match serde_json::from_slice(line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Asked { id: None, what: Err("is no JSON object".into()) },
            Err(e) => return Asked { id: None, what: Err(format!("is not JSON: {}", place(&e))) },
        };
        let id = object.shift_remove("id");
        Asked { id, what: what(object) }
    }
}

/// What is wrong with the JSON, and the column; there is only one line.
fn place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    format!("{what}, at column {}", error.column())
}

fn what(mut object: Map<String, Value>) -> Result<What, String> {
    let kinds = ["tool", "name", "method"].map(|key| object.shift_remove(key).map(|value| (key, value)));
    let mut kinds = kinds.into_iter().flatten();
    let (Some((kind, value)), None) = (kinds.next(), kinds.next()) else {
        return Err("needs one of \"tool\", \"name\" (with \"arguments\") and \"method\" (with \"params\")".into());
    };
    let Value::String(named) = value else { return Err(format!("has a \"{kind}\" that is not a string")) };
    let known: &[&str] = if kind == "method" { &["params", "jsonrpc"] } else { &["arguments", "_meta"] };
    if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("has an unknown key \"{key}\" (beside \"{kind}\": id, {})", known.join(", ")));
    }
    for key in ["arguments", "params"] {
        if object.get(key).is_some_and(|value| !value.is_object()) {
            return Err(format!("has \"{key}\" that is no JSON object"));
        }
    }
    if kind == "method" {
        return Ok(What::Request { method: named, params: object.shift_remove("params") });
    }
    let mut params = Map::from_iter([("name".to_owned(), Value::String(named.clone()))]);
    let arguments = object.shift_remove("arguments").unwrap_or_else(|| Value::Object(Map::new()));
    params.insert("arguments".into(), arguments);
    params.extend(object);
    Ok(What::Call { tool: named, params })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn params(line: &str) -> String {
        match Asked::read(line.as_bytes()).what {
            Ok(What::Call { params, .. }) => Value::Object(params).to_string(),
            Ok(What::Request { method, params }) => format!("{method} {}", params.unwrap_or_default()),
            Err(why) => why,
        }
    }

    #[test]
    fn a_line_is_a_call_or_a_request_or_says_what_is_wrong() {
        let cases = [
            (
                r#"{"tool":"t","arguments":{"a":1.50,"b":12345678901234567890}}"#,
                r#"{"name":"t","arguments":{"a":1.50,"b":12345678901234567890}}"#,
            ),
            (r#"{"arguments":{},"name":"t","_meta":{"k":1}}"#, r#"{"name":"t","arguments":{},"_meta":{"k":1}}"#),
            (r#"{"tool":"t"}"#, r#"{"name":"t","arguments":{}}"#),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "ping null"),
            (r#"{"method":"m","params":{"a":1}}"#, r#"m {"a":1}"#),
            ("[1]", "is no JSON object"),
            (r#"{"id":1}"#, "needs one of \"tool\", \"name\" (with \"arguments\") and \"method\" (with \"params\")"),
            (
                r#"{"tool":"a","name":"b"}"#,
                "needs one of \"tool\", \"name\" (with \"arguments\") and \"method\" (with \"params\")",
            ),
            (r#"{"tool":7}"#, "has a \"tool\" that is not a string"),
            (r#"{"tool":"t","args":{}}"#, "has an unknown key \"args\" (beside \"tool\": id, arguments, _meta)"),
            (r#"{"tool":"t","arguments":[]}"#, "has \"arguments\" that is no JSON object"),
            (r#"{"method":"m","params":[]}"#, "has \"params\" that is no JSON object"),
        ];
        for (line, expected) in cases {
            assert_eq!(params(line), expected, "{line}");
        }
        assert!(params("{").starts_with("is not JSON: "));
        assert_eq!(Asked::read(br#"{"id":{"a":1},"tool":7}"#).id, Some(json!({"a":1})));
    }
}
