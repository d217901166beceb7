//! The HTTP headers of 2026-07-28 that repeat parts of a request's body: `Mcp-Name`, and `Mcp-Param-*` from the
//! `x-mcp-header` annotations of a tool's `inputSchema` (2026-07-28 basic/transports/streamable-http). Pure.

use crate::transport::Headers;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

const ANNOTATION: &str = "x-mcp-header";

/// An argument that a tool wants repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Param {
    /// The property names that lead to it, from the root of the arguments.
    path: Vec<String>,
    /// `Mcp-Param-` and the name that the annotation gives.
    header: String,
}

/// What a tool's schema wants repeated.
///
/// # Errors
/// One line that says which annotation breaks the rules: such a tool is not to be offered.
pub(crate) fn params(tool: &Value) -> Result<Vec<Param>, String> {
    let mut found = Vec::new();
    if let Some(schema) = tool.get("inputSchema") {
        walk(schema, Some(&[]), &mut found)?;
    }
    for (at, param) in found.iter().enumerate() {
        if found[..at].iter().any(|other| other.header.eq_ignore_ascii_case(&param.header)) {
            let name = param.header.trim_start_matches(PREFIX);
            return Err(format!("{ANNOTATION} \"{name}\" is there twice"));
        }
    }
    Ok(found)
}

const PREFIX: &str = "Mcp-Param-";

/// Keywords that hold plain data, in which the annotation's name means nothing, and those that hold schemas by name.
const DATA: &[&str] = &["const", "default", "enum", "examples", "example", "required", "dependentRequired"];
const BY_NAME: &[&str] = &["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/// Collects the annotations; `path` is `None` where something else than `properties` has led to.
fn walk(schema: &Value, path: Option<&[String]>, found: &mut Vec<Param>) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return schema.as_array().into_iter().flatten().try_for_each(|item| walk(item, None, found));
    };
    if let Some(annotation) = schema.get(ANNOTATION) {
        let Some(path) = path else {
            return Err(format!("{ANNOTATION} {annotation} is not reached by properties alone"));
        };
        let place = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
        found.push(annotated(annotation, schema, path).map_err(|why| format!("{place}{why}"))?);
    }
    for (key, value) in schema.iter().filter(|(key, _)| !DATA.contains(&key.as_str()) && *key != ANNOTATION) {
        let Some(schemas) = value.as_object().filter(|_| BY_NAME.contains(&key.as_str())) else {
            walk(value, None, found)?;
            continue;
        };
        for (name, schema) in schemas {
            let below = path.filter(|_| key == "properties").map(|path| [path, std::slice::from_ref(name)].concat());
            walk(schema, below.as_deref(), found)?;
        }
    }
    Ok(())
}

fn annotated(annotation: &Value, schema: &Map<String, Value>, path: &[String]) -> Result<Param, String> {
    let name = annotation.as_str().ok_or_else(|| format!("{ANNOTATION} is not a string: {annotation}"))?;
    if name.is_empty() || !name.chars().all(is_token) {
        return Err(format!("{ANNOTATION} {annotation} cannot be part of a header's name"));
    }
    if path.is_empty() {
        return Err(format!("{ANNOTATION} stands at the root, not at a property"));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => {}
        _ => {
            let kind = schema.get("type").map_or_else(|| "none".to_owned(), Value::to_string);
            return Err(format!("{ANNOTATION} goes with a string, integer or boolean, not with type {kind}"));
        }
    }
    Ok(Param { path: path.to_vec(), header: format!("{PREFIX}{name}") })
}

/// The characters of a header's name (RFC 9110, token).
fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

/// The headers for these arguments; what is absent or null has none.
pub(crate) fn param_headers(params: &[Param], arguments: &Value) -> Headers {
    let headers = params.iter().filter_map(|param| {
        let value = param.path.iter().try_fold(arguments, |value, name| value.get(name))?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(_) => value.to_string(),
            Value::Number(number) => integer(&number.to_string()),
            // The server says what it thinks of arguments that break its schema.
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some((param.header.clone(), encode(&text)))
    });
    headers.collect()
}

/// `42.0` and `42e0` are the integer 42 (JSON Schema), and go out as such.
fn integer(text: &str) -> String {
    match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|digit| digit == b'0') => return whole.to_owned(),
        _ => {}
    }
    let is_spelled_out = !text.contains(['e', 'E']);
    let value: Option<f64> = text.parse().ok().filter(|value: &f64| value.fract() == 0.0 && value.abs() < 1e15);
    value.filter(|_| !is_spelled_out).map_or_else(|| text.to_owned(), |value| format!("{value}"))
}

/// A value as a header carries it: as it is where that is visible ASCII without blanks at the ends, else in Base64 between
/// markers; a value that looks like the latter too.
pub(crate) fn encode(text: &str) -> String {
    let is_visible = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let has_blank_ends = text.starts_with(' ') || text.ends_with(' ');
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    let is_plain = is_visible && !has_blank_ends && !looks_encoded;
    if is_plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(properties: Value) -> Result<Vec<Param>, String> {
        params(&json!({ "name": "t", "inputSchema": { "type": "object", "properties": properties } }))
    }

    #[test]
    fn arguments_are_repeated_as_the_annotations_say() {
        let params = of(json!({
            "s": { "type": "string", "x-mcp-header": "S" },
            "i": { "type": "integer", "x-mcp-header": "Method" },
            "o": { "type": "object", "properties": { "b": { "type": "boolean", "x-mcp-header": "B" } } },
            "plain": { "type": "string" },
        }))
        .unwrap();
        let rows = [
            (json!({ "s": "a b", "i": -7, "o": { "b": true }, "plain": "x" }), "S=a b,Method=-7,B=true"),
            (json!({ "s": "", "i": null }), "S="),
            (json!({ "i": 42.0 }), "Method=42"),
            (json!({ "i": 1e2 }), "Method=100"),
            (json!({ "i": 9007199254740993_u64 }), "Method=9007199254740993"),
            (json!({ "s": "größe" }), "S==?base64?Z3LDtsOfZQ==?="),
            (json!({ "o": 7 }), ""),
            (json!({}), ""),
        ];
        for (arguments, expected) in rows {
            let headers = param_headers(&params, &arguments);
            let shown: Vec<String> =
                headers.iter().map(|(k, v)| format!("{}={v}", k.strip_prefix("Mcp-Param-").unwrap())).collect();
            assert_eq!(shown.join(","), expected, "{arguments}");
        }
    }

    #[test]
    fn an_annotation_against_the_rules_is_told() {
        let bad = [
            json!({ "a": { "type": "string", "x-mcp-header": "" } }),
            json!({ "a": { "type": "string", "x-mcp-header": 7 } }),
            json!({ "a": { "type": "string", "x-mcp-header": "a b" } }),
            json!({ "a": { "type": "string", "x-mcp-header": "a:" } }),
            json!({ "a": { "type": "string", "x-mcp-header": "ü" } }),
            json!({ "a": { "type": "string", "x-mcp-header": "a\n" } }),
            json!({ "a": { "type": "number", "x-mcp-header": "a" } }),
            json!({ "a": { "type": ["string", "null"], "x-mcp-header": "a" } }),
            json!({ "a": { "x-mcp-header": "a" } }),
            json!({ "a": { "type": "object", "x-mcp-header": "a" } }),
            json!({ "a": { "type": "string", "x-mcp-header": "A" }, "b": { "type": "string", "x-mcp-header": "a" } }),
            json!({ "a": { "type": "array", "items": { "type": "string", "x-mcp-header": "a" } } }),
            json!({ "a": { "anyOf": [{ "type": "string", "x-mcp-header": "a" }] } }),
            json!({ "a": { "anyOf": [{ "properties": { "b": { "type": "string", "x-mcp-header": "a" } } }] } }),
        ];
        for properties in bad {
            let why = of(properties.clone()).expect_err(&properties.to_string());
            assert!(why.contains("x-mcp-header"), "{why}");
        }
        // A property of that name, and data that has it, are no annotations.
        for properties in [
            json!({ "x-mcp-header": { "type": "string" } }),
            json!({ "a": { "type": "object", "default": { "x-mcp-header": "a b" } } }),
            json!({ "a": { "type": "array", "items": { "properties": { "x-mcp-header": { "type": "string" } } } } }),
            json!({ "a": { "type": "array", "items": { "enum": [{ "x-mcp-header": "a b" }] } } }),
        ] {
            assert_eq!(of(properties), Ok(Vec::new()));
        }
        assert!(params(&json!({ "inputSchema": { "x-mcp-header": "a" } })).is_err());
        assert_eq!(params(&json!({ "name": "t" })), Ok(Vec::new()));
    }

    #[test]
    fn values_are_encoded_where_a_header_could_not_carry_them() {
        for (value, expected) in [
            ("weather.get", "weather.get"),
            ("file:///a%20b?id=1", "file:///a%20b?id=1"),
            ("a b", "a b"),
            (" a", "=?base64?IGE=?="),
            ("a\t", "=?base64?YQk=?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
            ("=?base64?x", "=?base64?x"),
            ("", ""),
        ] {
            assert_eq!(encode(value), expected, "{value:?}");
        }
    }
}
