//! A form: the `requestedSchema` of an elicitation, or a tool's `inputSchema`, seen as fields to fill in.
//!
//! `read` makes fields of the schema, `outline` tells of them, `value` reads one answer, `fill` puts the content together, `example` makes it
//! up, `wrong` spoils it, `secret` finds what is to be kept out of sight. All are pure; `ask` puts the fields to a person.

pub(crate) mod ask;
mod defaults;
mod example;
pub(crate) mod field;
mod fill;
mod limits;
mod lint;
mod options;
mod outline;
mod read;
mod resolve;
mod secret;
mod shape;
#[cfg(test)]
mod tests;
pub(crate) mod value;
mod wrong;

pub(crate) use example::{Taste, example, unfit};
pub(crate) use field::Field;
pub(crate) use fill::{complete, lacking};
pub(crate) use outline::{Line, outline};
pub(crate) use resolve::{Resolved, resolve, unwrapped};
pub(crate) use secret::secrets;
pub(crate) use value::{integer, number};
pub(crate) use wrong::wrong;

use crate::schema::{Checker, Problem};
use field::Kind;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// What a server asks to be filled in.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// All of it: a group, or one of several.
    top: Field,
    /// What is odd about the server's schema and what was made of it, each one line.
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
        Self::read(schema, whole.ok(), notes, true)
    }

    /// The form of a tool's schema, for which the protocol knows no subset.
    pub(crate) fn arguments(schema: &Value) -> Form {
        let mut notes = Vec::new();
        let whole = Checker::new(schema.clone()).map_err(|reason| notes.push(format!("it cannot be used: {reason}")));
        Self::read(schema, whole.ok(), notes, false)
    }

    fn read(schema: &Value, whole: Option<Checker>, mut notes: Vec<String>, has_subset: bool) -> Form {
        let top = read::read(schema, &mut notes, has_subset);
        let open = unwrapped(schema, schema).is_some_and(|form| is_open(&form));
        Form { top, notes, open, whole: whole.map(Arc::new) }
    }

    /// The fields in the server's order.
    pub(crate) fn fields(&self) -> &[Field] {
        self.top.fields()
    }

    /// What any further property is, where the schema says so.
    fn entries(&self) -> Option<&Field> {
        match &self.top.kind {
            Kind::Group { entries, .. } => entries.as_deref(),
            _ => None,
        }
    }

    /// What is wrong with `content` as a whole; `None` when the schema cannot say.
    fn problems(&self, content: &Map<String, Value>) -> Option<Vec<Problem>> {
        self.whole.as_ref()?.check(&Value::Object(content.clone())).ok()
    }

    /// Names of the fields that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        self.fields().iter().filter(|field| field.required).map(|field| field.name.as_str())
    }

    /// Whether there is nothing to fill in: a plain "do you agree".
    pub(crate) fn is_confirm(&self) -> bool {
        matches!(&self.top.kind, Kind::Group { fields, entries: None } if fields.is_empty())
    }

    /// Whether `given` has every required field that has no default. A plain confirm is covered by nothing:
    /// agreeing takes an explicit answer.
    pub(crate) fn covers(&self, given: &Map<String, Value>) -> bool {
        match &self.top.kind {
            Kind::Group { fields, .. } if !self.is_confirm() => {
                fields.iter().all(|field| fill::is_covered(field, given.get(&field.name)))
            }
            Kind::Either { .. } => complete(self, given, true).is_ok(),
            _ => false,
        }
    }

    /// The part of `given` this form asks for: a short answer file serves many forms. `a.b` is the field `b` of the
    /// group `a`, unless a field is called that.
    pub(crate) fn pick(&self, given: &Map<String, Value>) -> Map<String, Value> {
        let groups: Vec<&[Field]> = match &self.top.kind {
            Kind::Either { branches } => branches.iter().map(Field::fields).collect(),
            _ => vec![self.fields()],
        };
        let names: HashSet<&str> = groups.iter().flat_map(|fields| fields.iter()).map(|f| f.name.as_str()).collect();
        let mut picked = Map::new();
        for (name, value) in given {
            if names.contains(name.as_str()) {
                picked.insert(name.clone(), value.clone());
            } else if name.contains('.') {
                groups.iter().any(|fields| fill::place(fields, name, value, &mut picked));
            }
        }
        picked
    }
}

/// Whether a schema allows properties it does not list *explicitly*; JSON Schema's silent yes lets every typo pass.
pub(crate) fn is_open(schema: &Map<String, Value>) -> bool {
    let invites = match schema.get("additionalProperties") {
        Some(Value::Bool(allowed)) => *allowed,
        Some(_) => true,
        None => false,
    };
    invites || schema.get("patternProperties").is_some()
}
