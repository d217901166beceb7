//! What a schema without its wrappers is about: the type it names or implies, its alternatives, its range. Pure.

use super::field::{Bound, Choice, Field, Kind};
use super::value;
use crate::schema;
use serde_json::{Map, Value};

/// What a schema says of the type.
pub(super) enum Type<'a> {
    Named(&'a str),
    Several(Vec<Value>),
    Unknown,
}

/// The type by name, by what the other keywords are about, or as alternatives.
pub(super) fn type_of(schema: &Map<String, Value>) -> Type<'_> {
    let has = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
    match schema.get("type") {
        Some(Value::String(name)) => Type::Named(name),
        Some(Value::Array(names)) => {
            let whole_too = names.iter().any(|name| name == "number");
            let names = names.iter().filter(|name| !(whole_too && *name == "integer"));
            let branches: Vec<Value> = names.map(|name| of_type(schema, name)).collect();
            if branches.len() > 1 { Type::Several(branches) } else { Type::Unknown }
        }
        Some(_) => Type::Unknown,
        None => match alternatives(schema) {
            Some(branches) if !has(&["properties"]) => Type::Several(branches.to_vec()),
            _ if has(&["$ref"]) => Type::Unknown,
            _ if has(&["minLength", "maxLength", "pattern", "format"]) => Type::Named("string"),
            _ if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => {
                Type::Named("number")
            }
            _ if has(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]) => Type::Named("array"),
            _ if has(&["properties", "additionalProperties", "required", "patternProperties"]) => Type::Named("object"),
            _ => Type::Unknown,
        },
    }
}

/// The schema narrowed to one of its types; what it says for people belongs to the whole.
pub(super) fn of_type(schema: &Map<String, Value>, name: &Value) -> Value {
    let words = ["title", "description", "default", "examples"];
    let mut narrow: Map<_, _> = schema.clone().into_iter().filter(|(key, _)| !words.contains(&key.as_str())).collect();
    narrow.insert("type".into(), name.clone());
    narrow.into()
}

/// The branches of a union that is none of constants alone.
pub(super) fn alternatives(schema: &Map<String, Value>) -> Option<&[Value]> {
    let branches = ["oneOf", "anyOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array())?;
    // `anyOf` of `required` alone is a rule about the fields, not a way to fill them in.
    let describes = |branch: &Value| {
        let words = ["type", "$ref", "properties", "enum", "const", "items", "anyOf", "oneOf", "allOf", "format"];
        branch.as_object().is_some_and(|branch| words.iter().any(|word| branch.contains_key(*word)))
    };
    (branches.len() > 1 && branches.iter().all(describes)).then_some(branches)
}

/// Whether a schema has something to it that could have been fields.
pub(super) fn has_parts(schema: &Map<String, Value>) -> bool {
    ["properties", "items", "additionalProperties", "anyOf", "oneOf"].iter().any(|word| schema.contains_key(*word))
        || schema.get("type").is_some_and(|name| name == "object" || name == "array" || name.is_array())
}

/// What to call an alternative that has no title.
pub(super) fn sort(branch: &Field) -> String {
    match &branch.kind {
        Kind::Text { format: Some(format), .. } => schema::format_name(format),
        Kind::Text { .. } => "a text".into(),
        Kind::Integer { .. } => "a whole number".into(),
        Kind::Number { .. } => "a number".into(),
        Kind::Boolean => "yes or no".into(),
        Kind::Choice { options } => schema::list(options.iter().map(Choice::label)),
        Kind::Choices { .. } => "some of a list".into(),
        Kind::Group { fields, .. } => match fields.iter().find_map(Field::only_value) {
            Some(tag) => value::show(tag),
            None => schema::list(fields.iter().map(|field| field.label().to_owned())),
        },
        Kind::List { .. } => "a list".into(),
        Kind::Either { .. } => "one of several".into(),
        Kind::Raw { blank: Value::Object(_) } => "a JSON object".into(),
        Kind::Raw { blank: Value::Array(_) } => "a JSON array".into(),
        Kind::Raw { .. } => "JSON".into(),
    }
}

pub(super) fn bound(schema: &Map<String, Value>, inclusive: &str, exclusive: &str) -> Option<Bound> {
    let limit = |key: &str| schema.get(key).and_then(Value::as_number).cloned();
    match limit(exclusive) {
        Some(value) => Some(Bound { value, exclusive: true }),
        // Draft 4 spelled it as a flag beside the limit.
        None => Some(Bound { value: limit(inclusive)?, exclusive: schema.get(exclusive) == Some(&Value::Bool(true)) }),
    }
}
