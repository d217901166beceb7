//! Takes off what a schema is wrapped in: `$ref`, `Optional`, `allOf`. Pure; what the schema then means is for `read`.

use serde_json::{Map, Value};
use std::borrow::Cow;

/// `$ref`s and wrappers followed from one property before it is taken for a cycle.
const MAX_HOPS: usize = 16;

/// A schema with its wrappers taken off.
pub(crate) struct Resolved {
    /// The keywords that say what the value is.
    pub(crate) schema: Map<String, Value>,
    /// Whether `null` was one of the alternatives.
    pub(crate) nullable: bool,
}

/// Follows local `$ref`s and takes off what says nothing of its own: `allOf` of one, `anyOf` with `null`, `type`
/// with `null`. Keywords beside a `$ref` win over its target's. `None` for a cycle and for what is no object.
pub(crate) fn resolve(schema: &Value, root: &Value) -> Option<Resolved> {
    Walk { root, left: &mut usize::MAX.clone(), followed: Vec::new() }.resolve(schema)
}

/// The keywords of a schema without its wrappers, as `resolve` has them; a copy only where there is something to take off.
pub(crate) fn unwrapped<'a>(schema: &'a Value, root: &Value) -> Option<Cow<'a, Map<String, Value>>> {
    let keywords = schema.as_object()?;
    let is_plain = !["$ref", "allOf", "anyOf", "oneOf", "enum"].iter().any(|word| keywords.contains_key(*word))
        && !keywords.get("type").is_some_and(Value::is_array);
    if is_plain { Some(Cow::Borrowed(keywords)) } else { resolve(schema, root).map(|all| Cow::Owned(all.schema)) }
}

/// Resolves within a budget, and knows the way it went.
pub(super) struct Walk<'a> {
    pub(super) root: &'a Value,
    /// Bytes, roughly, that may still be copied; a `$ref` beyond that stays.
    pub(super) left: &'a mut usize,
    /// The `$ref`s that were followed.
    pub(super) followed: Vec<String>,
}

impl Walk<'_> {
    /// As the function of that name.
    pub(super) fn resolve(&mut self, schema: &Value) -> Option<Resolved> {
        let mut schema = schema.as_object()?.clone();
        let mut nullable = false;
        for _ in 0..MAX_HOPS {
            match self.unwrap_once(&mut schema, &mut nullable) {
                Some(inner) => schema = inner,
                None => return Some(Resolved { schema, nullable }),
            }
        }
        None
    }

    /// The same with the parts of an `allOf` put together: enough to see what it asks for, not to check it.
    pub(super) fn whole(&mut self, schema: &Value) -> Option<Resolved> {
        let mut resolved = self.resolve(schema)?;
        let Some(Value::Array(parts)) = resolved.schema.get("allOf").cloned() else { return Some(resolved) };
        resolved.schema.shift_remove("allOf");
        for part in &parts {
            // Parts that are only a rule ("if", "not") have nothing to ask for.
            let Some(part) = self.resolve(part) else { continue };
            for (keyword, value) in part.schema {
                match (resolved.schema.get_mut(&keyword), value) {
                    (Some(Value::Object(known)), Value::Object(more)) if keyword == "properties" => {
                        more.into_iter().for_each(|(name, property)| {
                            known.entry(name).or_insert(property);
                        });
                    }
                    (Some(Value::Array(known)), Value::Array(more)) if keyword == "required" => known.extend(more),
                    (Some(_), _) => {}
                    (None, value) => {
                        resolved.schema.insert(keyword, value);
                    }
                }
            }
        }
        Some(resolved)
    }

    /// One wrapper less, or `None` when there is none left.
    fn unwrap_once(&mut self, schema: &mut Map<String, Value>, nullable: &mut bool) -> Option<Map<String, Value>> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer))?;
            spend(target, self.left)?;
            self.followed.push(reference.to_owned());
            return Some(merge(schema, "$ref", target.as_object()?));
        }
        if let Some([only]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            return Some(merge(schema, "allOf", only.as_object()?));
        }
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            let with_null = types.len();
            types.retain(|one| one != "null");
            *nullable |= types.len() < with_null;
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".into(), only);
            }
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum")
            && let Some(at) = values.iter().position(Value::is_null)
        {
            values.remove(at);
            *nullable = true;
            if let Some(Value::Array(names)) = schema.get_mut("enumNames").filter(|names| names.get(at).is_some()) {
                names.remove(at);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = schema.get_mut(keyword) else { continue };
            let with_null = branches.len();
            branches.retain(|branch| !is_null(branch));
            *nullable |= branches.len() < with_null;
            if let [Value::Object(only)] = branches.as_slice()
                && super::options::constant(only).is_none()
            {
                let only = only.clone();
                return Some(merge(schema, keyword, &only));
            }
        }
        None
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").and_then(Value::as_array).is_some_and(|all| all.iter().all(Value::is_null))
}

/// `inner` with the keywords that stood beside `wrapper`.
fn merge(outer: &Map<String, Value>, wrapper: &str, inner: &Map<String, Value>) -> Map<String, Value> {
    let mut merged = inner.clone();
    let beside = outer.iter().filter(|(keyword, _)| *keyword != wrapper);
    merged.extend(beside.map(|(keyword, value)| (keyword.clone(), value.clone())));
    merged
}

/// Takes the size of a copy of `value` off `left`, or says that it does not fit.
pub(super) fn spend(value: &Value, left: &mut usize) -> Option<()> {
    let text = value.as_str().map_or(0, str::len);
    *left = left.checked_sub(size_of::<Value>() + text)?;
    match value {
        Value::Object(members) => members.iter().try_for_each(|(name, member)| {
            *left = left.checked_sub(name.len())?;
            spend(member, left)
        }),
        Value::Array(items) => items.iter().try_for_each(|item| spend(item, left)),
        _ => Some(()),
    }
}
