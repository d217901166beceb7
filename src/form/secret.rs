//! Does a field ask for something that should be hidden and kept out of recordings? A guess by name; it hides nothing.

use super::field::{Field, Kind};
use super::{Form, value};
use crate::schema;
use crate::secrets::sounds_secret;
use serde_json::{Map, Value};

/// Said by the schema, or by a word of the name or title; a choice or a yes is no secret.
pub(super) fn is_secret(name: &str, schema: &Map<String, Value>, kind: &Kind) -> bool {
    let title = schema.get("title").and_then(Value::as_str).unwrap_or_default();
    let says = schema.get("format").is_some_and(|format| format == "password")
        || schema.get("writeOnly") == Some(&Value::Bool(true))
        || sounds_secret(name)
        || sounds_secret(title);
    says && may_hide(kind)
}

fn may_hide(kind: &Kind) -> bool {
    matches!(kind, Kind::Text { .. } | Kind::Integer { .. } | Kind::Number { .. } | Kind::Raw { .. })
}

/// Where secrets stand in a content, at any depth, as JSON pointers; none of them within another.
pub(crate) fn secrets(form: &Form, content: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    find(&form.top, &Value::Object(content.clone()), "", false, &mut found);
    let is_within =
        |place: &str, other: &String| place.strip_prefix(other.as_str()).is_some_and(|r| r.starts_with('/'));
    let mut places: Vec<String> = Vec::new();
    for place in &found {
        if !places.contains(place) && !found.iter().any(|other| is_within(place, other)) {
            places.push(place.clone());
        }
    }
    places
}

/// `says` when something above it sounds like a secret: what is below a name has none of its own, mostly.
fn find(field: &Field, value: &Value, at: &str, says: bool, found: &mut Vec<String>) {
    let title = field.title.as_deref().unwrap_or_default();
    let says = says || field.secret || sounds_secret(&field.name) || sounds_secret(title);
    match (&field.kind, value) {
        (Kind::Group { fields, entries }, Value::Object(members)) => {
            for (name, member) in members {
                let here = schema::pointer(at, name);
                match (fields.iter().find(|field| field.name == *name), entries.as_deref()) {
                    (Some(field), _) => find(field, member, &here, says, found),
                    (None, Some(entry)) => find(entry, member, &here, says || sounds_secret(name), found),
                    (None, None) => guess(member, &here, says || sounds_secret(name), found),
                }
            }
        }
        (Kind::List { item, .. }, Value::Array(items)) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, one)| find(item, one, &format!("{at}/{n}"), says, found));
        }
        (Kind::Either { branches }, _) => {
            let fitting = branches.iter().filter(|branch| value::check(branch, value).is_ok()).count();
            let taken = branches.iter().filter(|branch| fitting == 0 || value::check(branch, value).is_ok());
            taken.for_each(|branch| find(branch, value, at, says, found));
        }
        (kind, _) if says && may_hide(kind) => found.push(at.to_owned()),
        (Kind::Raw { .. }, _) => guess(value, at, says, found),
        _ => {}
    }
}

/// The same where no field tells of it.
fn guess(value: &Value, at: &str, says: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let members = members.iter();
            members.for_each(|(name, one)| guess(one, &schema::pointer(at, name), says || sounds_secret(name), found));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, one)| guess(one, &format!("{at}/{n}"), says, found));
        }
        Value::String(_) | Value::Number(_) if says => found.push(at.to_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secrets_are_found_at_any_depth() {
        let login = json!({ "type": "object", "properties": { "user": { "type": "string" }, "password": { "type": "string" } } });
        let form = Form::new(&json!({ "type": "object", "additionalProperties": true, "properties": {
            "pin": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "login": login,
            "logins": { "type": "array", "items": login },
            "env": { "type": "object", "additionalProperties": { "type": "string" } },
            "token": { "type": "array", "items": { "type": "string" } },
            "secret": { "type": "boolean" },
            "any": {},
        } }));
        let content = json!({
            "pin": 1,
            "login": { "user": "ada", "password": "p" },
            "logins": [{ "user": "bob" }, { "user": "eve", "password": "q" }],
            "env": { "HOME": "/", "API_KEY": "k" },
            "token": ["a", "b"],
            "secret": true,
            "any": { "n": 1, "otp": 2 },
            "more": { "passwd": "r", "is secret": false },
        });
        let expected = [
            "/pin",
            "/login/password",
            "/logins/1/password",
            "/env/API_KEY",
            "/token/0",
            "/token/1",
            "/any/otp",
            "/more/passwd",
        ];
        assert_eq!(secrets(&form, content.as_object().unwrap()), expected);
    }
}
