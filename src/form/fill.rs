//! What an answer gave → the `content` to send, complete and checked. Pure; it decides nothing about defaults or
//! about accepting: the caller does.

use super::{Form, value};
use crate::schema::{self, Problem};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The content `given` makes of `form`, in the form's order, or everything that is wrong with it.
///
/// Strings are read as the field's kind, titles become values. A field nobody gave gets its default where
/// `defaults` is set, and is otherwise left out: never `""`, never `null`.
///
/// # Errors
/// When the content would not be what the schema asks for: one problem for each place.
pub(crate) fn complete(
    form: &Form,
    given: &Map<String, Value>,
    defaults: bool,
) -> Result<Map<String, Value>, Vec<Problem>> {
    let mut content = Map::new();
    let mut problems = Vec::new();
    for field in &form.fields {
        let value = match given.get(&field.name) {
            Some(value) => value::settle(field, value).unwrap_or_else(|reason| {
                problems.push(Problem::new(schema::pointer("", &field.name), reason));
                value.clone()
            }),
            None => match &field.default {
                Some(default) if defaults => default.clone(),
                _ => continue,
            },
        };
        content.insert(field.name.clone(), value);
    }
    let known = schema::list(form.fields.iter().map(|field| field.name.clone()));
    let known = if known.is_empty() { "it has none" } else { &known };
    for (name, value) in given {
        if content.contains_key(name) {
            // A field's, taken above.
        } else if form.open {
            content.insert(name.clone(), value.clone());
        } else {
            problems.push(Problem::new(schema::pointer("", name), format!("is not a field of this form ({known})")));
        }
    }
    problems.extend(remaining(form, &content, &problems));
    if problems.is_empty() { Ok(content) } else { Err(problems) }
}

/// What the whole schema adds: missing fields, rules between fields. Fields already complained of are left alone.
fn remaining(form: &Form, content: &Map<String, Value>, known: &[Problem]) -> Vec<Problem> {
    let field_of = |path: &str| path.split('/').nth(1).map(str::to_owned);
    let complained: HashSet<_> = known.iter().map(|problem| field_of(&problem.path)).collect();
    match form.problems(content) {
        Some(found) => found.into_iter().filter(|problem| !complained.contains(&field_of(&problem.path))).collect(),
        // An unusable schema still names what it requires.
        None => {
            let missing = form.required().filter(|name| !content.contains_key(*name));
            missing.map(|name| Problem::new(schema::pointer("", name), schema::MISSING)).collect()
        }
    }
}
