//! Where `a.b=v` goes: one argument called `a.b`, or `b` within `a`. The schema decides. Pure; it types nothing.

use super::coerce::{Types, types};
use crate::form::resolve;
use serde_json::{Map, Value};

/// The path a key stands for.
///
/// A property literally called `a.b` wins. Else `a` must be a property that takes an object; within an object that
/// lists no properties every dot nests. Without such a property the key stays one name.
pub(super) fn place(key: &[String], schema: &Value) -> Vec<String> {
    let mut path = Vec::new();
    let mut rest = key;
    let mut here = Some(schema.clone());
    while rest.len() > 1 {
        let properties = here.as_ref().and_then(|here| properties(here, schema));
        let known = |n: usize| properties.as_ref().and_then(|all| all.get(&rest[..n].join(".")));
        if known(rest.len()).is_some() {
            break;
        }
        let inner = (1..rest.len()).rev().find_map(|n| known(n).map(|inner| (n, inner.clone())));
        let (n, inner) = match inner {
            Some((n, inner)) if takes_object(&inner, schema) => (n, Some(inner)),
            None if !path.is_empty() && properties.is_none() => (1, None),
            _ => break,
        };
        path.push(rest[..n].join("."));
        rest = &rest[n..];
        here = inner;
    }
    path.push(rest.join("."));
    path
}

/// The schema of the property at `path`, where the tool's schema has one.
pub(super) fn property(path: &[String], schema: &Value) -> Option<Value> {
    path.iter().try_fold(schema.clone(), |here, name| properties(&here, schema)?.get(name).cloned())
}

/// The properties an object schema lists; `None` when it lists none.
pub(super) fn properties(schema: &Value, root: &Value) -> Option<Map<String, Value>> {
    match resolve(schema, root)?.schema.remove("properties")? {
        Value::Object(listed) if !listed.is_empty() => Some(listed),
        _ => None,
    }
}

fn takes_object(schema: &Value, root: &Value) -> bool {
    let allowed = types(schema, root);
    allowed.has(Types::OBJECT) || allowed.is_empty() && properties(schema, root).is_some()
}

/// The value at `path`, if there is one.
pub(super) fn get_mut<'a>(object: &'a mut Map<String, Value>, path: &[String]) -> Option<&'a mut Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(object.get_mut(first)?, |here, name| here.get_mut(name))
}

/// Puts `value` at `path`, making the objects on the way. The error names what is in the way.
pub(super) fn insert(object: &mut Map<String, Value>, path: &[String], value: Value) -> Result<(), String> {
    let Some((last, way)) = path.split_last() else { return Ok(()) };
    let mut here = object;
    for (n, name) in way.iter().enumerate() {
        here = match here.entry(name).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(inner) => inner,
            _ => return Err(way[..=n].join(".")),
        };
    }
    here.insert(last.clone(), value);
    Ok(())
}
