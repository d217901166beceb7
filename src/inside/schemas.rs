//! Schemas and values, made of the bytes of a fuzzer.

use super::dice::Dice;
use serde_json::{Map, Value, json};

/// A form within the protocol's subset, that can be filled in.
pub(super) fn subset(dice: &mut Dice<'_>) -> Value {
    let mut properties = Map::new();
    for n in 0..dice.below(5) {
        properties.insert(format!("{n}{}", dice.text()), primitive(dice));
    }
    let required: Vec<&String> = properties.keys().filter(|_| !dice.one_in(3)).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn primitive(dice: &mut Dice<'_>) -> Value {
    let mut schema = match dice.below(7) {
        0 => json!({ "type": "string" }),
        1 => {
            let min = dice.below(20);
            json!({ "type": "string", "minLength": min, "maxLength": min + dice.below(20) })
        }
        2 => json!({ "type": "string", "format": dice.pick(&["email", "uri", "date", "date-time"]) }),
        3 => {
            let min = dice.below(256).cast_signed() - 128;
            let max = min + dice.below(9).cast_signed();
            json!({ "type": dice.pick(&["integer", "number"]), "minimum": min, "maximum": max })
        }
        4 => json!({ "type": "boolean" }),
        5 => {
            let options: Vec<String> = (0..1 + dice.below(4)).map(|n| format!("{n}{}", dice.text())).collect();
            json!({ "type": "string", "enum": options })
        }
        _ => {
            let options: Vec<Value> =
                (0..1 + dice.below(4)).map(|n| json!({ "const": format!("{n}"), "title": dice.text() })).collect();
            let items = if dice.one_in(2) {
                json!({ "anyOf": options })
            } else {
                json!({ "type": "string", "oneOf": options })
            };
            let min = dice.below(options.len() + 1);
            if dice.one_in(2) { items } else { json!({ "type": "array", "items": items, "minItems": min }) }
        }
    };
    if dice.one_in(3) {
        schema["title"] = dice.text().into();
    }
    if dice.one_in(4) {
        schema["description"] = dice.text().into();
    }
    if dice.one_in(3) {
        schema["default"] = value(dice, 2);
    }
    schema
}

/// Keywords that take a schema, a list of schemas, schemas by name, and anything.
const ONE: &[&str] = &["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED: &[&str] = &["properties", "$defs", "patternProperties", "dependentSchemas"];
const PLAIN: &[&str] = &[
    "type",
    "enum",
    "const",
    "required",
    "default",
    "title",
    "description",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "enumNames",
    "$ref",
    "examples",
    "writeOnly",
    "multipleOf",
    "minProperties",
    "$anchor",
    "$id",
    "dependentRequired",
];
const TYPES: &[&str] = &["object", "string", "integer", "number", "boolean", "array", "null"];

/// Any schema.
pub(super) fn any(dice: &mut Dice<'_>, depth: usize) -> Value {
    if depth > 8 || dice.is_over() {
        return json!({ "type": "string" });
    }
    let mut schema = Map::new();
    if !dice.one_in(4) {
        let name = if depth == 0 { "object" } else { dice.pick(TYPES) };
        schema.insert("type".into(), name.into());
    }
    if depth == 0 || dice.one_in(3) {
        schema.insert("properties".into(), named(dice, depth));
    }
    for _ in 0..dice.below(5) {
        let (keyword, value) = match dice.below(8) {
            0 => (dice.pick(ONE), any(dice, depth + 1)),
            1 | 2 => {
                let keyword = dice.pick(LISTS);
                (keyword, (0..1 + dice.below(3)).map(|_| any(dice, depth + 1)).collect())
            }
            3 => (dice.pick(NAMED), named(dice, depth)),
            _ => {
                let keyword = dice.pick(PLAIN);
                (keyword, plain(dice, keyword))
            }
        };
        schema.insert(keyword.into(), value);
    }
    schema.into()
}

fn named(dice: &mut Dice<'_>, depth: usize) -> Value {
    (0..1 + dice.below(4)).map(|_| (dice.text(), any(dice, depth + 1))).collect::<Map<_, _>>().into()
}

fn plain(dice: &mut Dice<'_>, keyword: &str) -> Value {
    match keyword {
        _ if dice.one_in(12) => value(dice, 0),
        "type" => json!([dice.pick(TYPES), dice.pick(TYPES)]),
        "required" => (0..1 + dice.below(3)).map(|_| Value::from(dice.text())).collect(),
        "enum" | "examples" | "enumNames" => (0..1 + dice.below(4)).map(|_| value(dice, 2)).collect(),
        "const" | "default" => value(dice, 0),
        "$ref" => {
            let to = dice.pick(&["", "/$defs/a", "/properties/a", "/properties/b", "/$defs/name", "a", "/items"]);
            format!("#{to}").into()
        }
        "title" | "description" | "$anchor" | "$id" => dice.text().into(),
        "format" => dice.pick(&["email", "uri", "date", "date-time", "password", "time", "uuid", "regex", "x"]).into(),
        "pattern" => dice.pick(&["^a+$", "(a+)+$", ".", "[", "(?=a)", "\\d{3}", "^\\S+@\\S+$", "a{1000}"]).into(),
        "uniqueItems" | "writeOnly" => dice.one_in(2).into(),
        "dependentRequired" => json!({ dice.text(): [dice.text()] }),
        "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => match dice.below(3) {
            0 => json!(0.1),
            1 => json!(9_007_199_254_740_993_u64),
            _ => (dice.below(256).cast_signed() - 128).into(),
        },
        _ => dice.below(9).into(),
    }
}

/// Any value.
pub(super) fn value(dice: &mut Dice<'_>, depth: usize) -> Value {
    match dice.below(if depth > 3 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => dice.one_in(2).into(),
        2 => (dice.below(256).cast_signed() - 128).into(),
        3 => json!(1.5),
        4 | 5 => dice.text().into(),
        6 => (0..dice.below(4)).map(|_| value(dice, depth + 1)).collect(),
        _ => (0..dice.below(4)).map(|_| (dice.text(), value(dice, depth + 1))).collect::<Map<_, _>>().into(),
    }
}
