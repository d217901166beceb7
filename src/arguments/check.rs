//! Are the arguments what the tool's schema asks for? Says everything that is wrong in one line; sends nothing.

use super::Item;
use super::nested::Known;
use crate::failure::{Failure, Result};
use crate::form::{is_open, unwrapped};
use crate::schema::{self, MISSING, UNKNOWN, list};
use crate::words::nearest;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// More mistakes than this are not told one by one.
const MAX_TOLD: usize = 12;

/// What is wrong with a call's arguments.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    /// Names that the schema does not have, one line each.
    unknown: Vec<String>,
    /// Places of what is required and not there: `name`, `home/zip`.
    missing: Vec<String>,
    /// Anything else, one line each.
    wrong: Vec<String>,
    /// The schema itself cannot be used, so only names and what is required were checked.
    note: Option<String>,
}

impl Complaints {
    /// The arguments that would have to be asked for, where that is all there is to complain of.
    pub(crate) fn to_ask(&self) -> Option<Vec<String>> {
        let first = |place: &String| place.split('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        let names: Vec<String> = self.missing.iter().map(first).collect();
        (self.unknown.is_empty() && self.wrong.is_empty() && !names.is_empty()).then_some(names)
    }

    /// The note, where there is nothing to complain of.
    ///
    /// # Errors
    /// A usage failure that says all that is wrong.
    pub(crate) fn verdict(self) -> Result<Option<String>> {
        let missing = missing_line(&self.missing);
        let lines: Vec<String> = self.unknown.into_iter().chain(missing).chain(self.wrong).collect();
        match lines.is_empty() {
            true => Ok(self.note),
            false => Err(Failure::usage(lines.join("; ")).hint("--no-validate sends it anyway")),
        }
    }
}

/// Checks `arguments`, built from `items`, against the tool's `schema`.
///
/// A name typed as `k=v` or `k:=v` must be one the schema lists, unless it invites others: silence in the schema
/// would let every typo pass. Names inside a JSON object are held to the letter of the schema.
pub(crate) fn check(items: &[Item], arguments: &Map<String, Value>, schema: &Value) -> Complaints {
    let mut found = Complaints::default();
    let mut unknown = Vec::new();
    let known = Known::new(schema);
    for path in items.iter().filter_map(Item::key).map(|key| known.place(key)) {
        if let Some(complaint) = unknown_name(&path, &known)
            && !unknown.contains(&path)
        {
            found.unknown.push(complaint);
            unknown.push(path);
        }
    }
    match schema::check(schema, &Value::Object(arguments.clone())) {
        Err(reason) => {
            found.missing = missing(arguments, schema);
            found.note =
                Some(format!("the tool's inputSchema cannot be used, arguments are checked by name only: {reason}"));
        }
        Ok(problems) => {
            let (lost, wrong): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.message == MISSING);
            found.missing = lost.iter().map(|problem| problem.place().to_owned()).collect();
            let n_more = wrong.len().saturating_sub(MAX_TOLD);
            for problem in wrong.into_iter().take(MAX_TOLD) {
                let place = problem.place();
                if problem.message == UNKNOWN && !place.is_empty() {
                    let path: Vec<_> =
                        place.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
                    if !unknown.contains(&path) {
                        found.wrong.push(unknown_words(&path, &known));
                    }
                } else if problem.message == UNKNOWN {
                    found.wrong.push("the tool's inputSchema forbids any arguments".into());
                } else if place.is_empty() && schema["type"].as_str().is_some_and(|kind| kind != "object") {
                    found.wrong.push(format!(
                        "the tool's inputSchema is of type {}, and arguments are an object",
                        schema["type"]
                    ));
                } else if place.is_empty() {
                    found.wrong.push(format!("the object of arguments {problem}"));
                } else {
                    found.wrong.push(format!("argument {problem}"));
                }
            }
            if n_more > 0 {
                found.wrong.push(format!("and at least {n_more} more"));
            }
        }
    }
    found
}

/// The required arguments that are not there, by the letter of the schema.
fn missing(arguments: &Map<String, Value>, schema: &Value) -> Vec<String> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    required.filter(|name| !arguments.contains_key(*name)).map(str::to_owned).collect()
}

fn missing_line(names: &[String]) -> Option<String> {
    let plural = if names.len() == 1 { "" } else { "s" };
    (!names.is_empty()).then(|| format!("missing required argument{plural}: {}", names.join(", ")))
}

/// Complains when a level of `path` lists properties, invites no others, and does not have this one.
fn unknown_name(path: &[String], known: &Known<'_>) -> Option<String> {
    let mut here = Cow::Borrowed(known.root());
    for (n, name) in path.iter().enumerate() {
        // Properties may be spread over `allOf` and the like; then the schema check has the word.
        let level = unwrapped(&here, known.root())?;
        let spread = ["allOf", "anyOf", "oneOf", "if", "$ref"].iter().any(|keyword| level.contains_key(*keyword));
        let listed = level.get("properties")?.as_object().filter(|listed| !listed.is_empty())?;
        let inner = match listed.get(name) {
            Some(inner) => inner.clone(),
            None if spread || is_open(&level) => return None,
            None => return Some(unknown_words(&path[..=n], known)),
        };
        drop(level);
        here = Cow::Owned(inner);
    }
    None
}

fn unknown_words(path: &[String], known: &Known<'_>) -> String {
    let (name, parents) = path.split_last().map(|(name, parents)| (name.as_str(), parents)).unwrap_or_default();
    let listed = known.properties(parents).unwrap_or_default();
    let shown = path.join(".");
    if listed.contains_key(name) {
        return format!("argument `{shown}` is one that the schema forbids");
    }
    match nearest(name, listed.keys().map(String::as_str)) {
        Some(near) => format!("unknown argument `{shown}`, did you mean `{near}`?"),
        None if listed.is_empty() => format!("unknown argument `{shown}`"),
        None => format!("unknown argument `{shown}` (known: {})", list(listed.keys().cloned())),
    }
}
