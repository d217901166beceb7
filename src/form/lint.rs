//! What a server's author may want to know of a form: where its schema leaves the protocol's subset (a flat object of
//! strings, numbers, booleans and options), and where it contradicts itself. Pure; it changes nothing.

use super::field::{Bound, Kind};
use crate::schema;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Keywords of JSON Schema that no field of the protocol's forms has. `pattern` stands in its pages, not in its schema.
const BEYOND: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "not",
    "if",
    "const",
    "pattern",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "prefixItems",
    "contains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
];

/// Keywords that a form as a whole does not have.
const BEYOND_FORM: &[&str] = &[
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
];

/// More notes than this help nobody.
const MAX_NOTES: usize = 20;

const FORMATS: &[&str] = &["email", "uri", "date", "date-time"];

/// The lines of `Form::notes`, one a place.
#[derive(Default)]
pub(super) struct Notes {
    places: Vec<String>,
    pub(super) others: Vec<String>,
}

impl Notes {
    pub(super) fn add(&mut self, place: &str, what: Vec<String>) {
        if !what.is_empty() {
            self.places.push(format!("{}: {}", schema::one_line(place), what.join("; ")));
        }
    }

    pub(super) fn lines(mut self) -> Vec<String> {
        let n_more = self.places.len().saturating_sub(MAX_NOTES);
        self.places.truncate(MAX_NOTES);
        if n_more > 0 {
            self.places.push(format!("{n_more} more places leave the protocol's forms"));
        }
        self.places.extend(self.others);
        self.places
    }
}

/// What is odd about the whole: `root` as sent, `form` without its wrappers.
pub(super) fn form(root: &Value, form: &Map<String, Value>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut beyond: Vec<String> =
        BEYOND_FORM.iter().filter(|word| root.get(**word).is_some()).map(|word| format!("`{word}`")).collect();
    if form.get("additionalProperties").is_some_and(|more| *more != false) {
        beyond.push("`additionalProperties`".into());
    }
    if form.get("type").is_none_or(|name| name != "object") {
        beyond.push("`type` is not \"object\"".into());
    }
    notes.extend(outside(&beyond));
    notes
}

/// What of a field the protocol's forms do not have: `property` as sent, `schema` without its wrappers.
pub(super) fn beyond_subset(property: &Value, schema: &Map<String, Value>, kind: &Kind) -> Vec<String> {
    let Some(sent) = property.as_object() else { return outside(&["it is no schema object".into()]) };
    let is_text = |value: &Value| value.is_string();
    let mut beyond: Vec<String> =
        BEYOND.iter().filter(|word| sent.contains_key(**word)).map(|word| format!("`{word}`")).collect();
    match sent.get("type") {
        None if !["$ref", "allOf", "anyOf"].iter().any(|word| sent.contains_key(*word)) => {
            beyond.push("no `type`".into());
        }
        Some(Value::Array(_)) => beyond.push("several types".into()),
        _ => {}
    }
    match kind {
        Kind::Group { .. } => beyond.push("an object in the form".into()),
        Kind::List { .. } => beyond.push("a list of something else than options".into()),
        Kind::Either { .. } => beyond.push("a union".into()),
        Kind::Raw { .. } => beyond.push("no kind of field".into()),
        Kind::Choice { options } | Kind::Choices { options, .. }
            if !options.iter().all(|option| is_text(&option.value)) =>
        {
            beyond.push("options that are no strings".into());
        }
        Kind::Text { format: Some(format), .. } if !FORMATS.contains(&format.as_str()) => {
            beyond.push(format!("`format` {:?}", schema::one_line(format)));
        }
        _ => {}
    }
    if matches!(kind, Kind::Choices { .. }) && schema.get("items").is_some_and(|items| items.get("$ref").is_some()) {
        beyond.push("`$ref` in `items`".into());
    }
    outside(&beyond)
}

fn outside(beyond: &[String]) -> Vec<String> {
    let line = format!("beyond the protocol's forms: {}", beyond.join(", "));
    if beyond.is_empty() { Vec::new() } else { vec![line] }
}

/// What nothing, or not everything, can satisfy.
pub(super) fn contradictions(schema: &Map<String, Value>, kind: &Kind) -> Vec<String> {
    let mut notes = Vec::new();
    let mut above = |low: &str, high: &str, is_above: bool| {
        if is_above {
            notes.push(format!("contradictory: `{low}` is above `{high}`"));
        }
    };
    match kind {
        Kind::Text { min: Some(min), max: Some(max), .. } => above("minLength", "maxLength", min > max),
        Kind::Integer { min: Some(min), max: Some(max) } | Kind::Number { min: Some(min), max: Some(max) } => {
            above("minimum", "maximum", nothing_between(min, max));
        }
        Kind::Choices { min_items: Some(min), max_items: Some(max), .. } => above("minItems", "maxItems", min > max),
        Kind::List { min_items, max_items: Some(max), .. } => above("minItems", "maxItems", min_items > max),
        _ => {}
    }
    if let (Some(Value::Array(values)), Some(Value::Array(names))) = (schema.get("enum"), schema.get("enumNames"))
        && values.len() != names.len()
    {
        notes.push(format!("contradictory: {} `enumNames` for {} values", names.len(), values.len()));
    }
    if let Kind::Choice { options } | Kind::Choices { options, .. } = kind {
        let type_name = if matches!(kind, Kind::Choice { .. }) { schema.get("type") } else { None };
        let fits = |value: &Value| type_name.and_then(Value::as_str).is_none_or(|name| is_of_type(value, name));
        if let Some(other) = options.iter().find(|option| !fits(&option.value)) {
            let type_name = type_name.and_then(Value::as_str).unwrap_or_default();
            notes.push(format!("contradictory: the option {} is no {type_name}", other.value));
        }
        let mut known = HashSet::new();
        if let Some(option) = options.iter().find(|option| !known.insert(option.value.to_string())) {
            notes.push(format!("contradictory: the option {} is there twice", option.value));
        }
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        notes.push("contradictory: `enum` without a value".into());
    }
    notes
}

fn nothing_between(min: &Bound, max: &Bound) -> bool {
    match (min.value.as_f64(), max.value.as_f64()) {
        (Some(low), Some(high)) => low > high || low == high && (min.exclusive || max.exclusive),
        _ => false,
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|n| n.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
