//! Where `a.b=v` goes: one argument called `a.b`, or `b` within `a`. The schema decides. Pure; it types nothing.

use super::coerce::{Types, types};
use crate::form::unwrapped;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The properties that an object lists, by name.
type Listed<'a> = Cow<'a, Map<String, Value>>;

/// A tool's schema, with the arguments that it lists: there may be many of them, and they are looked up for each.
pub(super) struct Known<'a> {
    root: &'a Value,
    listed: Option<Listed<'a>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Known { root, listed: properties(root, root) }
    }

    /// What the `$ref`s in it refer to.
    pub(super) fn root(&self) -> &'a Value {
        self.root
    }

    /// The properties of the object at `path`; `None` when it lists none.
    pub(super) fn properties(&self, path: &[String]) -> Option<Listed<'_>> {
        let listed = Cow::Borrowed(self.listed.as_deref()?);
        path.iter().try_fold(listed, |listed, name| below(listed, name, self.root))
    }

    /// The schema of the property at `path`, where the tool's schema has one.
    pub(super) fn property(&self, path: &[String]) -> Option<Cow<'_, Value>> {
        let (name, way) = path.split_last()?;
        match self.properties(way)? {
            Cow::Borrowed(listed) => listed.get(name).map(Cow::Borrowed),
            Cow::Owned(mut listed) => listed.remove(name).map(Cow::Owned),
        }
    }

    /// The path a key stands for.
    ///
    /// A property literally called `a.b` wins. Else `a` must be a property that takes an object; within an object that
    /// lists no properties every dot nests. Without such a property the key stays one name.
    pub(super) fn place(&self, key: &[String]) -> Vec<String> {
        let mut path = Vec::new();
        let mut rest = key;
        let mut listed = self.properties(&[]);
        while rest.len() > 1 {
            let known = |n: usize| listed.as_ref().and_then(|all| all.get(&rest[..n].join(".")));
            if known(rest.len()).is_some() {
                break;
            }
            let n = match (1..rest.len()).rev().find_map(|n| Some((n, known(n)?))) {
                Some((n, inner)) if takes_object(inner, self.root) => n,
                None if !path.is_empty() && listed.is_none() => 1,
                _ => break,
            };
            let name = rest[..n].join(".");
            listed = listed.and_then(|listed| below(listed, &name, self.root));
            path.push(name);
            rest = &rest[n..];
        }
        path.push(rest.join("."));
        path
    }
}

/// The properties of the property `name`.
fn below<'a>(listed: Listed<'a>, name: &str, root: &Value) -> Option<Listed<'a>> {
    match listed {
        Cow::Borrowed(listed) => properties(listed.get(name)?, root),
        Cow::Owned(mut listed) => Some(Cow::Owned(properties(&listed.remove(name)?, root)?.into_owned())),
    }
}

/// The properties an object schema lists; `None` when it lists none.
fn properties<'a>(schema: &'a Value, root: &Value) -> Option<Listed<'a>> {
    let listed = match unwrapped(schema, root)? {
        Cow::Borrowed(keywords) => Cow::Borrowed(keywords.get("properties")?.as_object()?),
        Cow::Owned(mut keywords) => match keywords.remove("properties")? {
            Value::Object(listed) => Cow::Owned(listed),
            _ => return None,
        },
    };
    (!listed.is_empty()).then_some(listed)
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
