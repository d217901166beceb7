//! A form: the `requestedSchema` of an elicitation, or a tool's `inputSchema`, seen as fields to fill in.
//!
//! `fields` reads the schema, `value` reads one answer, `fill` puts the content together. All three are pure; how
//! a person is asked lives elsewhere.

pub(crate) mod ask;
mod fields;
mod fill;
mod secret;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use fields::{Bound, Choice, Field, Kind, Resolved, resolve};
pub(crate) use fill::complete;
pub(crate) use value::{check, integer, number, parse, settle, show};

use crate::schema::{Checker, Problem};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// What a server asks to be filled in.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// The fields in the server's order.
    pub(crate) fields: Vec<Field>,
    /// What the server's schema got wrong and what was made of it, each one line.
    pub(crate) notes: Vec<String>,
    /// Whether the schema invites properties it does not list.
    pub(crate) open: bool,
    /// Checks all of them together, unless the schema cannot be used.
    whole: Option<Arc<Checker>>,
}

impl Form {
    /// The form of a schema; never fails, however odd the schema is.
    pub(crate) fn new(schema: &Value) -> Form {
        let mut notes = Vec::new();
        let whole = Checker::new(schema.clone()).map_err(|reason| {
            notes.push(format!("the form's schema cannot be used, answers are checked loosely: {reason}"));
        });
        let fields = fields::fields(schema, &mut notes);
        let open = resolve(schema, schema).is_some_and(|form| is_open(&Value::Object(form.schema)));
        Form { fields, notes, open, whole: whole.ok().map(Arc::new) }
    }

    /// What is wrong with `content` as a whole; `None` when the schema cannot say.
    fn problems(&self, content: &Map<String, Value>) -> Option<Vec<Problem>> {
        self.whole.as_ref()?.check(&Value::Object(content.clone())).ok()
    }

    /// Names of the fields that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|field| field.required).map(|field| field.name.as_str())
    }

    /// Whether there is nothing to fill in: a plain "do you agree".
    pub(crate) fn is_confirm(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether `given` has every required field that has no default. A plain confirm is covered by nothing:
    /// agreeing takes an explicit answer.
    pub(crate) fn covers(&self, given: &Map<String, Value>) -> bool {
        let covered = |field: &Field| !field.required || field.default.is_some() || given.contains_key(&field.name);
        !self.is_confirm() && self.fields.iter().all(covered)
    }

    /// The part of `given` this form asks for: a short answer file serves many forms.
    pub(crate) fn pick(&self, given: &Map<String, Value>) -> Map<String, Value> {
        let names: HashSet<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let known = given.iter().filter(|(name, _)| names.contains(name.as_str()));
        known.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// Whether a schema allows properties it does not list *explicitly*; JSON Schema's silent yes lets every typo pass.
pub(crate) fn is_open(schema: &Value) -> bool {
    let invites = match schema.get("additionalProperties") {
        Some(Value::Bool(allowed)) => *allowed,
        Some(_) => true,
        None => false,
    };
    invites || schema.get("patternProperties").is_some()
}
