//! What an answer gave → the `content` to send, complete and checked. Pure; it decides nothing about defaults or
//! about accepting: the caller does.

use super::field::{Field, Kind};
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
    let mut problems = Vec::new();
    if let Kind::Either { .. } = form.top.kind {
        return match value::settle_at(&form.top, &given.clone().into(), "", &mut problems) {
            Value::Object(content) if problems.is_empty() => {
                let wrong = remaining(form, &content, &[]);
                if wrong.is_empty() { Ok(content) } else { Err(wrong) }
            }
            _ => Err(problems),
        };
    }
    let mut content = Map::new();
    for field in form.fields() {
        let value = match given.get(&field.name) {
            Some(value) if defaults => with_defaults(field, value),
            Some(value) => value.clone(),
            None => match default_of(field) {
                Some(default) if defaults => default,
                _ => continue,
            },
        };
        let here = schema::pointer("", &field.name);
        content.insert(field.name.clone(), value::settle_at(field, &value, &here, &mut problems));
    }
    let known = schema::list(form.fields().iter().map(|field| field.name.clone()));
    let known = if known.is_empty() { "it has none" } else { &known };
    for (name, value) in given {
        if content.contains_key(name) {
            // A field's, taken above.
        } else if let Some(entry) = form.entries() {
            let here = schema::pointer("", name);
            content.insert(name.clone(), value::settle_at(entry, value, &here, &mut problems));
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
pub(super) fn remaining(form: &Form, content: &Map<String, Value>, known: &[Problem]) -> Vec<Problem> {
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

/// What a field is when nobody says: its default, or a group that it requires and that has one for all it requires.
pub(super) fn default_of(field: &Field) -> Option<Value> {
    if field.default.is_some() {
        return field.default.clone();
    }
    match &field.kind {
        Kind::Group { fields, .. } if field.required && !fields.is_empty() => {
            let mut members = Map::new();
            for field in fields {
                match default_of(field) {
                    Some(default) => members.insert(field.name.clone(), default),
                    None if field.required => return None,
                    None => None,
                };
            }
            (!members.is_empty()).then_some(Value::Object(members))
        }
        _ => None,
    }
}

/// A value with the defaults of what it leaves out.
fn with_defaults(field: &Field, value: &Value) -> Value {
    match (&field.kind, value) {
        (Kind::Group { fields, .. }, Value::Object(members)) => {
            let mut members = members.clone();
            for field in fields {
                let whole = match members.get(&field.name) {
                    Some(member) => Some(with_defaults(field, member)),
                    None => default_of(field),
                };
                if let Some(whole) = whole {
                    members.insert(field.name.clone(), whole);
                }
            }
            Value::Object(members)
        }
        (Kind::List { item, .. }, Value::Array(items)) => items.iter().map(|one| with_defaults(item, one)).collect(),
        _ => value.clone(),
    }
}

/// Whether a field needs nobody's answer beside `given`.
pub(super) fn is_covered(field: &Field, given: Option<&Value>) -> bool {
    match (&field.kind, given) {
        (_, None) => !field.required || default_of(field).is_some(),
        (Kind::Group { fields, .. }, Some(Value::Object(members))) => {
            fields.iter().all(|field| is_covered(field, members.get(&field.name)))
        }
        (Kind::List { item, .. }, Some(Value::Array(items))) => items.iter().all(|one| is_covered(item, Some(one))),
        _ => true,
    }
}

/// What is required and not given, at any depth: `a.b` for the field `b` of the group `a`. Where `defaults` is set, what
/// has one is not wanting.
pub(crate) fn lacking(form: &Form, given: &Map<String, Value>, defaults: bool) -> Vec<String> {
    let mut names = Vec::new();
    note_lacking(&form.top, &Value::Object(given.clone()), defaults, "", &mut names);
    names
}

fn note_lacking(field: &Field, given: &Value, defaults: bool, at: &str, names: &mut Vec<String>) {
    let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    match (&field.kind, given) {
        (Kind::Group { fields, .. }, Value::Object(members)) => {
            for field in fields {
                match members.get(&field.name) {
                    Some(member) => note_lacking(field, member, defaults, &below(&field.name), names),
                    None if field.required && !(defaults && default_of(field).is_some()) => {
                        names.push(below(&field.name));
                    }
                    None => {}
                }
            }
        }
        (Kind::List { item, .. }, Value::Array(items)) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, one)| note_lacking(item, one, defaults, &below(&n.to_string()), names));
        }
        _ => {}
    }
}

/// Puts `value` where `name` leads: a field of that name, or `a.b` for the field `b` of the group `a`. Says whether
/// there is such a field.
pub(super) fn place(fields: &[Field], name: &str, value: &Value, content: &mut Map<String, Value>) -> bool {
    if fields.iter().any(|field| field.name == name) {
        content.insert(name.to_owned(), value.clone());
        return true;
    }
    let splits = name.match_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
    for (first, rest) in splits {
        let Some(group) = fields.iter().find(|field| field.name == first) else { continue };
        let mut inner = match content.get(first) {
            Some(Value::Object(inner)) => inner.clone(),
            _ => Map::new(),
        };
        if place_within(group, rest, value, &mut inner) {
            content.insert(first.to_owned(), inner.into());
            return true;
        }
    }
    false
}

fn place_within(field: &Field, name: &str, value: &Value, content: &mut Map<String, Value>) -> bool {
    match &field.kind {
        Kind::Group { fields, entries } => {
            let placed = place(fields, name, value, content);
            if !placed && entries.is_some() {
                content.insert(name.to_owned(), value.clone());
            }
            placed || entries.is_some()
        }
        Kind::Either { branches } => branches.iter().any(|branch| place_within(branch, name, value, content)),
        _ => false,
    }
}
