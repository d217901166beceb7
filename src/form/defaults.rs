//! The defaults of a form's fields, as they can be sent. Pure.

use super::field::{Field, Kind};
use super::lint::Notes;
use super::value;
use crate::schema::{self, Checker};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Gives every field what checks it, and then its default.
pub(super) fn finish(
    field: &mut Field,
    checker: Option<&Arc<Checker>>,
    defaults: &HashMap<String, (Value, String)>,
    notes: &mut Notes,
) {
    field.children_mut().for_each(|child| finish(child, checker, defaults, notes));
    field.checker = checker.cloned();
    if let Some((default, at)) = defaults.get(&field.key).filter(|_| !field.key.is_empty()) {
        field.default = usable_default(field, default, at, notes);
    }
}

/// A default as it can be sent. `null` on an optional field is how pydantic says "none", so it is left out.
pub(super) fn usable_default(field: &Field, default: &Value, at: &str, notes: &mut Notes) -> Option<Value> {
    if default.is_null() {
        return (field.required && field.nullable).then_some(Value::Null);
    }
    let mut note = |text: String| notes.others.push(format!("default of {}: {text}", schema::one_line(at)));
    let value = match (&field.kind, default) {
        (Kind::Choices { .. } | Kind::List { .. }, Value::Array(_)) => default.clone(),
        (Kind::Choices { .. } | Kind::List { .. }, one) => Value::Array(vec![one.clone()]),
        _ => default.clone(),
    };
    match value::settle(field, &value) {
        Ok(value) => {
            // `3.0` becoming `3` is no news.
            if value != *default && !default.is_number() {
                note(format!("`{}` is taken as `{value}`", schema::one_line(&default.to_string())));
            }
            Some(value)
        }
        Err(reason) => {
            note(format!("`{}` {reason}, so it is ignored", schema::one_line(&default.to_string())));
            None
        }
    }
}
