//! The schemas that most tools and forms have, told without compiling anything: types, properties, options and limits. To
//! compile a schema takes a hundred times longer than to look at it, and the crate compiles that of schemas first.
//!
//! Only what is sure counts. What is not plain may be as good, and what does not fit here may fit: then the crate decides.

use serde_json::{Map, Number, Value};
use std::collections::HashSet;

/// The dialects in which the keywords below mean the same.
const DIALECTS: &[&str] = &[
    "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-07/schema",
];

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object", "null"];

/// More comparisons than this are left to the crate.
const MAX_COMPARED: usize = 1_000_000;

/// Whether all that a schema says is known here and well said.
pub(super) fn is_plain(schema: &Value) -> bool {
    match schema {
        Value::Bool(_) => true,
        Value::Object(keywords) => keywords.iter().all(|(keyword, value)| is_well_said(keyword, value)),
        _ => false,
    }
}

fn is_well_said(keyword: &str, value: &Value) -> bool {
    match (keyword, value) {
        ("title" | "description" | "format", Value::String(_)) | ("default", _) => true,
        ("$schema", Value::String(dialect)) => DIALECTS.contains(&dialect.as_str()),
        ("type", Value::String(one)) => TYPES.contains(&one.as_str()),
        ("type", Value::Array(many)) => {
            !many.is_empty() && distinct(many).is_some_and(|names| names.iter().all(|name| TYPES.contains(name)))
        }
        ("properties", Value::Object(properties)) => properties.values().all(is_plain),
        ("required", Value::Array(names)) => distinct(names).is_some(),
        ("items" | "additionalProperties", _) => is_plain(value),
        ("enum", Value::Array(options)) => !options.is_empty() && distinct(options).is_some(),
        ("const", Value::String(_)) => true,
        ("anyOf", Value::Array(branches)) => !branches.is_empty() && branches.iter().all(is_plain),
        ("oneOf", Value::Array(branches)) => !branches.is_empty() && constants(branches).is_some(),
        ("minLength" | "maxLength" | "minItems" | "maxItems", Value::Number(limit)) => limit.is_u64(),
        ("minimum" | "maximum", Value::Number(_)) => true,
        _ => false,
    }
}

/// Texts that differ.
fn distinct(texts: &[Value]) -> Option<HashSet<&str>> {
    let set: HashSet<&str> = texts.iter().map(Value::as_str).collect::<Option<_>>()?;
    (set.len() == texts.len()).then_some(set)
}

/// The texts of which one is to be chosen, where that is all that the branches say.
fn constants(branches: &[Value]) -> Option<HashSet<&str>> {
    let set: HashSet<&str> = branches.iter().map(constant).collect::<Option<_>>()?;
    (set.len() == branches.len()).then_some(set)
}

fn constant(branch: &Value) -> Option<&str> {
    let known = |(key, value): (&String, &Value)| {
        matches!((key.as_str(), value), ("const" | "title" | "description", Value::String(_)))
    };
    branch.as_object()?.iter().all(known).then_some(())?;
    branch.get("const")?.as_str()
}

/// Whether a value is surely what a plain schema asks for.
pub(super) fn fits(schema: &Value, value: &Value) -> bool {
    match schema {
        Value::Bool(fits) => *fits,
        Value::Object(keywords) => keywords.iter().all(|(keyword, said)| holds(keyword, said, keywords, value)),
        _ => false,
    }
}

fn holds(keyword: &str, said: &Value, schema: &Map<String, Value>, value: &Value) -> bool {
    match (keyword, said, value) {
        ("title" | "description" | "default" | "$schema", ..) => true,
        ("type", Value::String(one), _) => is_of(one, value),
        ("type", Value::Array(many), _) => many.iter().filter_map(Value::as_str).any(|one| is_of(one, value)),
        ("properties", Value::Object(known), Value::Object(members)) => {
            members.iter().all(|(name, member)| known.get(name).is_none_or(|schema| fits(schema, member)))
        }
        ("required", Value::Array(names), Value::Object(members)) => {
            names.iter().filter_map(Value::as_str).all(|name| members.contains_key(name))
        }
        ("additionalProperties", rest, Value::Object(members)) => {
            let known = schema.get("properties").and_then(Value::as_object);
            let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
            is_quick(rest, members.len()) && members.iter().all(|(name, member)| is_known(name) || fits(rest, member))
        }
        ("items", each, Value::Array(items)) => {
            is_quick(each, items.len()) && items.iter().all(|item| fits(each, item))
        }
        ("enum", Value::Array(options), _) => options.contains(value),
        ("const", constant, _) => constant == value,
        ("anyOf", Value::Array(branches), _) => branches.iter().any(|branch| fits(branch, value)),
        ("oneOf", Value::Array(branches), Value::String(text)) => {
            branches.iter().any(|branch| constant(branch) == Some(text))
        }
        ("minLength" | "maxLength", Value::Number(limit), Value::String(text)) => {
            within(keyword, limit, text.chars().count())
        }
        ("minItems" | "maxItems", Value::Number(limit), Value::Array(items)) => within(keyword, limit, items.len()),
        ("minimum" | "maximum", Value::Number(limit), Value::Number(number)) => {
            match (number.as_i64(), limit.as_i64()) {
                (Some(number), Some(limit)) => {
                    if keyword == "minimum" {
                        number >= limit
                    } else {
                        number <= limit
                    }
                }
                _ => false,
            }
        }
        // Each format has rules of its own.
        ("format", _, Value::String(_)) => false,
        // These say nothing of values of other types.
        (
            "properties"
            | "required"
            | "additionalProperties"
            | "items"
            | "minLength"
            | "maxLength"
            | "minItems"
            | "maxItems"
            | "minimum"
            | "maximum"
            | "format",
            ..,
        ) => true,
        _ => false,
    }
}

/// Whether so many values can be compared with the options one by one; the crate sorts them first.
fn is_quick(each: &Value, n: usize) -> bool {
    let options = each.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
    n.saturating_mul(options) <= MAX_COMPARED
}

fn within(keyword: &str, limit: &Number, n: usize) -> bool {
    let (n, limit) = (n as u64, limit.as_u64());
    limit.is_some_and(|limit| if keyword.starts_with("min") { n >= limit } else { n <= limit })
}

fn is_of(name: &str, value: &Value) -> bool {
    match value {
        Value::String(_) => name == "string",
        Value::Number(number) => name == "number" || name == "integer" && (number.is_i64() || number.is_u64()),
        Value::Bool(_) => name == "boolean",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Null => name == "null",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::compile;
    use crate::schema::cost::Names;
    use serde_json::json;

    const TEXTS: &[&str] = &["", "a", "free", "é🙂", "2026-11-30", "a@b.c"];

    /// All kinds of values, nested a little.
    fn values() -> Vec<Value> {
        let mut values = vec![json!(null), json!(true), json!([]), json!({}), json!(["a", 1]), json!([["a"]])];
        values.extend(TEXTS.iter().map(|text| json!(text)));
        for number in ["0", "3", "-3", "3.0", "2.5", "1e2", "18446744073709551616", "1E400"] {
            values.push(serde_json::from_str(number).unwrap());
        }
        let members = values.clone();
        values.extend(members.iter().map(|member| json!({ "p": member })));
        values.extend(members.iter().map(|member| json!({ "q": member, "p": "free" })));
        values.extend(members.iter().map(|member| json!([member, "a"])));
        values
    }

    #[test]
    fn what_fits_here_fits_by_the_crate() {
        let mut schemas = vec![
            json!(true),
            json!(false),
            json!({}),
            json!({ "enum": ["free", "a"] }),
            json!({ "const": "free" }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            json!({ "oneOf": [{ "const": "free", "title": "Free" }, { "const": "a" }] }),
            json!({ "minLength": 1, "maxLength": 2 }),
            json!({ "minItems": 1, "maxItems": 1 }),
            json!({ "minimum": 3, "maximum": 3 }),
            json!({ "minimum": -0.5 }),
            json!({ "format": "date", "default": 7, "title": "t", "description": "d" }),
            json!({ "type": ["string", "null"] }),
        ];
        schemas.extend(TYPES.iter().map(|name| json!({ "type": name })));
        for parts in schemas.clone() {
            schemas.push(json!({ "$schema": DIALECTS[0], "type": "object", "properties": { "p": parts } }));
            schemas.push(json!({ "properties": { "p": {} }, "additionalProperties": parts, "required": ["p"] }));
            schemas.push(json!({ "$schema": DIALECTS[1], "items": parts }));
        }
        let (mut n_fit, mut n_misfit) = (0, 0);
        for schema in &schemas {
            assert!(is_plain(schema), "{schema}");
            let validator = compile(schema, &Names::of(schema)).unwrap();
            for value in values() {
                match (fits(schema, &value), validator.is_valid(&value)) {
                    (true, valid) => {
                        assert!(valid, "{schema} {value}");
                        n_fit += 1;
                    }
                    (false, false) => n_misfit += 1,
                    // Not sure.
                    (false, true) => {}
                }
            }
        }
        assert!(n_fit > 1000 && n_misfit > 1000, "{n_fit} {n_misfit}");
    }

    #[test]
    fn what_is_badly_said_is_not_plain() {
        for schema in [
            json!(7),
            json!({ "type": "str" }),
            json!({ "type": [] }),
            json!({ "type": ["null", "null"] }),
            json!({ "properties": [] }),
            json!({ "properties": { "p": 7 } }),
            json!({ "required": "p" }),
            json!({ "required": ["p", "p"] }),
            json!({ "enum": [] }),
            json!({ "enum": [1, 1.0] }),
            json!({ "anyOf": [] }),
            json!({ "oneOf": [{ "type": "string" }] }),
            json!({ "oneOf": [{ "const": "a" }, { "const": "a" }] }),
            json!({ "minLength": -1 }),
            json!({ "minimum": "1" }),
            json!({ "$schema": "https://example.com/own" }),
            json!({ "pattern": "(" }),
            json!({ "$ref": "#/nowhere" }),
        ] {
            assert!(!is_plain(&schema), "{schema}");
        }
    }
}
