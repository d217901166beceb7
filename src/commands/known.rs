//! What the server has, for whoever mistypes it.

use crate::failure::Failure;
use crate::session::Session;
use crate::session::pager::{Catalogue, Search};
use crate::words::nearest;
use serde_json::Value;

/// More names than this are no help in a hint.
const MAX_NAMES: usize = 12;

/// "did you mean …?", or what there is instead; `what` is what such things are called.
pub(super) fn suggestion(typed: &str, names: &[String], what: &str) -> String {
    match nearest(typed, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None if names.is_empty() => format!("the server lists no {what}"),
        None if names.len() > MAX_NAMES => format!("it has {} {what}: mcpcall list {what}", names.len()),
        None => format!("it has: {}", names.join(", ")),
    }
}

/// The ids in a list, where the server has it; a hint is not worth another failure.
pub(super) async fn ids(session: &Session, list: &Catalogue) -> Option<Vec<String>> {
    if session.declares(list.capability) == Some(false) {
        return None;
    }
    session.ids(list).await.ok()
}

/// Whether a list has something that is known by this id.
pub(super) async fn has(session: &Session, list: &Catalogue, id: &str) -> bool {
    session.declares(list.capability) != Some(false) && matches!(session.find(list, id).await, Ok(Search::Found { .. }))
}

/// The arguments of a prompt that have a name, by it.
pub(super) fn arguments(prompt: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let arguments = prompt.get("arguments").and_then(Value::as_array).into_iter().flatten();
    arguments.filter_map(|argument| Some((argument.get("name")?.as_str()?, argument)))
}

/// The failure of asking for what the server has not declared.
pub(super) fn undeclared(capability: &str, method: &str) -> Failure {
    Failure::protocol(format!("the server has no {capability}: it declares no such capability"))
        .hint(format!("`mcpcall request {method}` asks all the same; `mcpcall info` says what there is"))
}

/// Adds what it means that a method is not known (-32601), where the server was not asked what it declares.
pub(super) fn explained(failure: Failure, capability: &str) -> Failure {
    match failure.code.as_ref().is_some_and(|code| *code == -32601) {
        true => failure.hint(format!("the server has no {capability}, as it seems; `mcpcall info` says what there is")),
        false => failure,
    }
}
