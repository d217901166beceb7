//! What a check would cost, before it is made: a server's schema must not be able to keep the program busy.
//!
//! An estimate, a little high; it validates nothing.

use super::SchemaError;
use crate::complexity::{REMEDY, limit};
use crate::words::percent_decoded;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// Subschemas applied in one check, for each value of `--max-complexity`; `$ref`s that fan out reach any number with a few lines
/// of schema.
const STEPS: usize = 2;
/// One of so many values of `--max-complexity` may be a schema's: it takes much more to compile one than to read it.
const PER_SCHEMA: usize = 10;
/// How deep subschemas may be applied to each other.
const MAX_DEPTH: usize = 512;
/// The longest pattern, in bytes: some longer ones take for ever to be read.
const MAX_PATTERN: usize = 10_000;
/// The same for those that the `unevaluated*` of a schema look into when they are compiled.
const PER_COMPILED: usize = 50;
/// Walks what a check would walk and gives up early: the crate compiles shared `$ref`s once but applies them each
/// time they are met, so forty lines of schema can ask for years of work. It overestimates by a small factor.
pub(super) fn affordable(schema: &Value, names: &Names, instance: &Value) -> Result<(), SchemaError> {
    Cost { root: schema, names, places: HashMap::new(), left: STEPS * limit() }.visit(schema, instance, 0)
}

/// The same for compiling: the crate compiles what a `$ref` names once, but for `unevaluated*` each time it is met. Gives the
/// number of patterns.
pub(super) fn compilable(schema: &Value, names: &Names) -> Result<usize, SchemaError> {
    let max = limit() / PER_SCHEMA;
    if size(schema, max) > max {
        return Err(SchemaError(format!("it has more than {max} parts ({REMEDY})")));
    }
    Cost { root: schema, names, places: HashMap::new(), left: limit() / PER_COMPILED }.unevaluated(schema)?;
    let (n_patterns, longest) = patterns(schema);
    match longest > MAX_PATTERN {
        true => Err(SchemaError(format!("it has a pattern of more than {MAX_PATTERN} bytes"))),
        false => Ok(n_patterns),
    }
}

/// How many patterns there may be, and how long the longest is. A member that is only named like one counts too.
fn patterns(value: &Value) -> (usize, usize) {
    let both = |(n, longest): (usize, usize), (more, other): (usize, usize)| (n + more, longest.max(other));
    match value {
        Value::Object(members) => members.iter().fold((0, 0), |sum, (name, member)| {
            let own = match (name.as_str(), member) {
                ("pattern", Value::String(pattern)) => (1, pattern.len()),
                ("patternProperties", Value::Object(by)) => {
                    (by.len(), by.keys().map(String::len).max().unwrap_or_default())
                }
                _ => (0, 0),
            };
            both(both(sum, own), patterns(member))
        }),
        Value::Array(items) => items.iter().map(patterns).fold((0, 0), both),
        _ => (0, 0),
    }
}

/// How many values there are, counted no further than beyond `max`.
fn size(value: &Value, max: usize) -> usize {
    let sum = |values: &mut dyn Iterator<Item = &Value>| {
        let mut n = 1;
        while n <= max
            && let Some(value) = values.next()
        {
            n += size(value, max - n);
        }
        n
    };
    match value {
        Value::Object(members) => sum(&mut members.values()),
        Value::Array(items) => sum(&mut items.iter()),
        _ => 1,
    }
}

fn too_long() -> SchemaError {
    SchemaError(format!("checking against it would take too long ({REMEDY})"))
}

/// Where the named places of a schema are, as pointers: what a reference may mean that is no plain pointer.
#[derive(Debug, Default)]
pub(super) struct Names {
    anchors: HashMap<String, Vec<String>>,
    /// Subschemas with an `$id`, and it: pointers within them start there.
    resources: Vec<(String, String)>,
}

impl Names {
    /// The names in `schema`.
    pub(super) fn of(schema: &Value) -> Self {
        let mut names = Names::default();
        names.collect(schema, "");
        names
    }

    fn collect(&mut self, value: &Value, at: &str) {
        match value {
            Value::Object(members) => {
                let text = |keyword: &str| members.get(keyword).and_then(Value::as_str);
                for id in ["$id", "id"].into_iter().filter_map(text) {
                    match id.strip_prefix('#') {
                        // The older drafts' way to say `$anchor`.
                        Some(anchor) => self.anchors.entry(anchor.into()).or_default().push(at.into()),
                        None if at.is_empty() => {}
                        None => self.resources.push((id.into(), at.into())),
                    }
                }
                for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
                    self.anchors.entry(anchor.into()).or_default().push(at.into());
                }
                members.iter().for_each(|(name, member)| self.collect(member, &super::pointer(at, name)));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(n, item)| self.collect(item, &format!("{at}/{n}")));
            }
            _ => {}
        }
    }

    /// The places `reference` may mean. One of them is right; which one takes more than an estimate needs to know.
    fn places<'a>(&self, reference: &str, root: &'a Value) -> Vec<&'a Value> {
        let (id, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let fragment = percent_decoded(fragment);
        if !(fragment.is_empty() || fragment.starts_with('/')) {
            return self.anchors.get(&fragment).into_iter().flatten().filter_map(|at| root.pointer(at)).collect();
        }
        let last = |id: &str| id.trim_end_matches('#').rsplit(['/', ':']).next().map(str::to_owned);
        let all = self.resources.iter().map(|(known, at)| (known.as_str(), at.as_str()));
        let named: Vec<_> = all.clone().filter(|(known, _)| !id.is_empty() && last(known) == last(id)).collect();
        let starts = if named.is_empty() { std::iter::once(("", "")).chain(all).collect() } else { named };
        starts.iter().filter_map(|(_, at)| root.pointer(at)?.pointer(&fragment)).collect()
    }
}

struct Cost<'a> {
    root: &'a Value,
    names: &'a Names,
    /// References that were looked up.
    places: HashMap<String, Rc<[&'a Value]>>,
    /// Steps until it is too much.
    left: usize,
}

impl<'a> Cost<'a> {
    fn places(&mut self, reference: &str) -> Rc<[&'a Value]> {
        if let Some(known) = self.places.get(reference) {
            return Rc::clone(known);
        }
        let found: Rc<[_]> = self.names.places(reference, self.root).into();
        self.places.insert(reference.to_owned(), Rc::clone(&found));
        found
    }

    fn step(&mut self, depth: usize) -> Result<(), SchemaError> {
        self.left = self.left.checked_sub(1).filter(|_| depth <= MAX_DEPTH).ok_or_else(too_long)?;
        Ok(())
    }

    /// Finds the `unevaluated*` in a schema.
    fn unevaluated(&mut self, value: &Value) -> Result<(), SchemaError> {
        match value {
            Value::Object(members) => {
                if members.keys().any(|key| key.starts_with("unevaluated")) {
                    self.in_place(value, &mut Vec::new())?;
                }
                members.values().try_for_each(|member| self.unevaluated(member))
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.unevaluated(item)),
            _ => Ok(()),
        }
    }

    /// Goes through what applies to the same value as `schema`. `open` are the schemas on the way: a cycle ends.
    fn in_place(&mut self, schema: &Value, open: &mut Vec<*const Value>) -> Result<(), SchemaError> {
        if open.contains(&std::ptr::from_ref(schema)) {
            return Ok(());
        }
        self.step(open.len())?;
        open.push(schema);
        for (keyword, sub) in schema.as_object().into_iter().flatten() {
            match (keyword.as_str(), sub) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    self.places(reference).iter().try_for_each(|found| self.in_place(found, open))?;
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(subs)) => {
                    subs.iter().try_for_each(|sub| self.in_place(sub, open))?;
                }
                ("not" | "if" | "then" | "else", _) => self.in_place(sub, open)?,
                ("dependentSchemas" | "dependencies", Value::Object(subs)) => {
                    subs.values().try_for_each(|sub| self.in_place(sub, open))?;
                }
                _ => {}
            }
        }
        open.pop();
        Ok(())
    }

    fn visit(&mut self, schema: &Value, instance: &Value, depth: usize) -> Result<(), SchemaError> {
        self.step(depth)?;
        let Some(schema) = schema.as_object() else { return Ok(()) };
        // `unevaluated*` goes through its neighbours a second time.
        let rounds = 1 + usize::from(schema.keys().any(|key| key.starts_with("unevaluated")));
        for _ in 0..rounds {
            for (keyword, sub) in schema {
                self.keyword(keyword, sub, schema, instance, depth + 1)?;
            }
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        keyword: &str,
        sub: &Value,
        schema: &Map<String, Value>,
        instance: &Value,
        depth: usize,
    ) -> Result<(), SchemaError> {
        match (keyword, sub, instance) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference), _) => {
                self.places(reference).iter().try_for_each(|found| self.visit(found, instance, depth))
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(subs), _) => {
                subs.iter().try_for_each(|sub| self.visit(sub, instance, depth))
            }
            ("not" | "if" | "then" | "else", ..) => self.visit(sub, instance, depth),
            ("dependentSchemas" | "dependencies", Value::Object(subs), _) => {
                subs.values().try_for_each(|sub| self.visit(sub, instance, depth))
            }
            ("properties", Value::Object(subs), Value::Object(members)) => {
                let known = members.iter().filter_map(|(name, member)| Some((subs.get(name)?, member)));
                for (sub, member) in known {
                    self.visit(sub, member, depth)?;
                }
                Ok(())
            }
            ("patternProperties", Value::Object(subs), Value::Object(members)) => {
                for sub in subs.values() {
                    members.values().try_for_each(|member| self.visit(sub, member, depth))?;
                }
                Ok(())
            }
            ("propertyNames", _, Value::Object(members)) => {
                members.keys().try_for_each(|name| self.visit(sub, &Value::from(name.as_str()), depth))
            }
            ("additionalProperties" | "unevaluatedProperties", _, Value::Object(members)) => {
                let known = schema.get("properties").and_then(Value::as_object);
                let rest = members.iter().filter(|(name, _)| !known.is_some_and(|known| known.contains_key(*name)));
                rest.into_iter().try_for_each(|(_, member)| self.visit(sub, member, depth))
            }
            ("prefixItems" | "items", Value::Array(subs), Value::Array(items)) => {
                subs.iter().zip(items).try_for_each(|(sub, item)| self.visit(sub, item, depth))
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _, Value::Array(items)) => {
                items.iter().try_for_each(|item| self.visit(sub, item, depth))
            }
            _ => Ok(()),
        }
    }
}
