//! The options of a choice, in all their spellings. Pure.

use super::field::Choice;
use serde_json::{Map, Value};

/// `enum`, `enum` + `enumNames`, `const`, `oneOf`/`anyOf` of constants; `None` where it is no choice.
pub(super) fn options(schema: &Map<String, Value>) -> Option<Vec<Choice>> {
    let choice = |value: &Value, title: Option<&Value>| Choice {
        value: value.clone(),
        title: title.and_then(Value::as_str).map(str::to_owned),
    };
    let found: Vec<Choice> = if let Some(Value::Array(values)) = schema.get("enum") {
        let names = schema.get("enumNames").and_then(Value::as_array);
        values.iter().enumerate().map(|(i, value)| choice(value, names.and_then(|names| names.get(i)))).collect()
    } else if let Some(value) = schema.get("const") {
        vec![choice(value, None)]
    } else {
        let branches = ["oneOf", "anyOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array())?;
        let constants = branches.iter().map(|branch| {
            let branch = branch.as_object()?;
            Some(choice(constant(branch)?, branch.get("title")))
        });
        constants.collect::<Option<_>>()?
    };
    (!found.is_empty()).then_some(found)
}

/// The one value that a schema allows.
pub(super) fn constant(schema: &Map<String, Value>) -> Option<&Value> {
    match schema.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => Some(only),
        _ => schema.get("const"),
    }
}
