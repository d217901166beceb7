//! Are the arguments what the tool's schema asks for? Says everything that is wrong in one line; sends nothing.

use super::{Item, nested};
use crate::failure::{Failure, Result};
use crate::form::is_open;
use crate::schema::{self, MISSING, UNKNOWN, list};
use crate::words::nearest;
use serde_json::{Map, Value};

/// Checks `arguments`, built from `items`, against the tool's `schema`.
///
/// A name typed as `k=v` or `k:=v` must be one the schema lists, unless it invites others: silence in the schema
/// would let every typo pass. Names inside a JSON object are held to the letter of the schema.
/// `Ok(Some(_))` is a note: the schema itself cannot be used, so only names and what is required were checked.
///
/// # Errors
/// When the arguments are not what the schema asks for: a usage failure that says all that is wrong.
pub(crate) fn check(items: &[Item], arguments: &Map<String, Value>, schema: &Value) -> Result<Option<String>> {
    let mut complaints = Vec::new();
    let mut unknown = Vec::new();
    for path in items.iter().filter_map(Item::key).map(|key| nested::place(key, schema)) {
        if let Some(complaint) = unknown_name(&path, schema)
            && !unknown.contains(&path)
        {
            complaints.push(complaint);
            unknown.push(path);
        }
    }
    let note = match schema::check(schema, &Value::Object(arguments.clone())) {
        Err(reason) => {
            complaints.extend(missing_line(missing(arguments, schema).into_iter()));
            Some(format!("the tool's inputSchema cannot be used, arguments are checked by name only: {reason}"))
        }
        Ok(problems) => {
            let (lost, wrong): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.message == MISSING);
            complaints.extend(missing_line(lost.iter().map(|problem| problem.place().to_owned())));
            for problem in wrong {
                let place = problem.place();
                if problem.message == UNKNOWN && !place.is_empty() {
                    let path: Vec<_> =
                        place.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
                    if !unknown.contains(&path) {
                        complaints.push(unknown_words(&path, schema));
                    }
                } else if place.is_empty() {
                    complaints.push(format!("the arguments: {problem}"));
                } else {
                    complaints.push(format!("argument {problem}"));
                }
            }
            None
        }
    };
    match complaints.is_empty() {
        true => Ok(note),
        false => Err(Failure::usage(complaints.join("; ")).hint("--no-validate sends it anyway")),
    }
}

/// The required arguments that are not there: what to ask for at a terminal.
pub(crate) fn missing(arguments: &Map<String, Value>, schema: &Value) -> Vec<String> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    required.filter(|name| !arguments.contains_key(*name)).map(str::to_owned).collect()
}

fn missing_line(names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<_> = names.collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    (!names.is_empty()).then(|| format!("missing required argument{plural}: {}", names.join(", ")))
}

/// Complains when a level of `path` lists properties, invites no others, and does not have this one.
fn unknown_name(path: &[String], schema: &Value) -> Option<String> {
    let mut here = schema.clone();
    for (n, name) in path.iter().enumerate() {
        // Properties may be spread over `allOf` and the like; then the schema check has the word.
        let level = crate::form::resolve(&here, schema)?.schema;
        let spread = ["allOf", "anyOf", "oneOf", "if", "$ref"].iter().any(|keyword| level.contains_key(*keyword));
        let listed = nested::properties(&here, schema)?;
        match listed.get(name) {
            Some(inner) => here = inner.clone(),
            None if spread || is_open(&Value::Object(level)) => return None,
            None => return Some(unknown_words(&path[..=n], schema)),
        }
    }
    None
}

fn unknown_words(path: &[String], schema: &Value) -> String {
    let (name, parents) = path.split_last().map(|(name, parents)| (name.as_str(), parents)).unwrap_or_default();
    let parent = if parents.is_empty() { Some(schema.clone()) } else { nested::property(parents, schema) };
    let known = parent.and_then(|parent| nested::properties(&parent, schema)).unwrap_or_default();
    let shown = path.join(".");
    match nearest(name, known.keys().map(String::as_str)) {
        Some(near) => format!("unknown argument `{shown}`, did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown argument `{shown}`"),
        None => format!("unknown argument `{shown}` (known: {})", list(known.keys().cloned())),
    }
}
