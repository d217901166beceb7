//! What a check would cost, before it is made: a server's schema must not be able to keep the program busy.
//!
//! An estimate, a little high; it validates nothing.

use super::SchemaError;
use serde_json::{Map, Value};

/// Subschemas applied in one check; `$ref`s that fan out reach any number with a few lines of schema.
const MAX_STEPS: usize = 2_000_000;
/// How deep subschemas may be applied to each other.
const MAX_DEPTH: usize = 512;
/// `$ref`s by anchor or `$id`, which the estimate of the cost does not follow; so few cannot fan out far.
const MAX_NAMED_REFS: usize = 12;

/// Walks what a check would walk and gives up early: the crate compiles shared `$ref`s once but applies them each
/// time they are met, so forty lines of schema can ask for years of work. It overestimates by a small factor.
pub(super) fn affordable(schema: &Value, instance: &Value) -> Result<(), SchemaError> {
    let mut refs = Refs::default();
    refs.count(schema, true);
    let followed_wrongly = if refs.embedded { refs.pointers } else { 0 };
    if refs.named + followed_wrongly > MAX_NAMED_REFS {
        return Err(too_long());
    }
    Cost { root: schema, steps: 0 }.visit(schema, instance, 0)
}

fn too_long() -> SchemaError {
    SchemaError("checking against it would take too long".into())
}

#[derive(Default)]
struct Refs {
    pointers: usize,
    named: usize,
    /// Whether a subschema has an `$id`: pointers below it start there.
    embedded: bool,
}

impl Refs {
    fn count(&mut self, value: &Value, root: bool) {
        match value {
            Value::Object(members) => {
                match members.get("$ref").and_then(Value::as_str) {
                    Some(target) if target == "#" || target.starts_with("#/") && !target.contains('%') => {
                        self.pointers += 1;
                    }
                    Some(_) => self.named += 1,
                    None => {}
                }
                self.embedded |= !root && (members.get("$id").is_some_and(Value::is_string));
                members.values().for_each(|member| self.count(member, false));
            }
            Value::Array(items) => items.iter().for_each(|item| self.count(item, false)),
            _ => {}
        }
    }
}

struct Cost<'a> {
    root: &'a Value,
    steps: usize,
}

impl Cost<'_> {
    fn visit(&mut self, schema: &Value, instance: &Value, depth: usize) -> Result<(), SchemaError> {
        self.steps += 1;
        if self.steps > MAX_STEPS || depth > MAX_DEPTH {
            return Err(too_long());
        }
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
            ("$ref", Value::String(target), _) => match target.strip_prefix('#').and_then(|at| self.root.pointer(at)) {
                Some(found) => self.visit(found, instance, depth),
                None => Ok(()),
            },
            // Anchors are rare; the root stands for whatever they name.
            ("$dynamicRef" | "$recursiveRef", ..) => self.visit(self.root, instance, depth),
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
