//! What an `"on": "elicitation"` entry of an answer file says, and which questions it fits.

use super::Question;
use crate::answers::matching::Pattern;
use crate::answers::{Entry, KindSpec};
use crate::callbacks::desk::subject;
use crate::session::host::Ask;
use serde_json::{Map, Value, json};

/// The keys of this kind.
pub(crate) const SPEC: KindSpec = KindSpec {
    on: "elicitation",
    match_keys: &["fields", "mode", "host", "url"],
    clause_keys: &["action", "content", "fill", "invalid"],
    check,
};

/// The three things that can be said to a question.
pub(crate) const ACTIONS: &[&str] = &["accept", "decline", "cancel"];

fn check(entry: &Entry) -> Result<(), String> {
    let clause = &entry.clause;
    let action = clause.get("action");
    match (action, &entry.error) {
        (None, None) => return Err("needs \"action\" (accept, decline or cancel) or \"error\"".into()),
        (Some(_), Some(_)) => return Err("has \"action\" and \"error\"; one of them".into()),
        (Some(action), None) if !action.as_str().is_some_and(|word| ACTIONS.contains(&word)) => {
            return Err(format!("action {action} is none of accept, decline, cancel"));
        }
        _ => {}
    }
    if clause.get("content").is_some_and(|content| !content.is_object()) {
        return Err("content is not an object".into());
    }
    if clause.contains_key("content") && action.is_none_or(|action| action != "accept") {
        return Err("content goes with \"action\": \"accept\" only".into());
    }
    if clause.get("fill").is_some_and(|fill| fill != "defaults") {
        return Err("fill can only be \"defaults\"".into());
    }
    if clause.get("invalid").is_some_and(|invalid| !invalid.is_boolean()) {
        return Err("invalid is not true or false".into());
    }
    let own = &entry.matching.own;
    if own
        .get("fields")
        .is_some_and(|fields| !fields.as_array().is_some_and(|names| names.iter().all(Value::is_string)))
    {
        return Err("match/fields is not a list of names".into());
    }
    for key in ["mode", "host", "url"] {
        if let Some(value) = own.get(key) {
            Pattern::read(value).map_err(|why| format!("match/{key} {why}"))?;
        }
    }
    Ok(())
}

/// Whether an entry fits a question. `fields` holds when the form has each of those fields.
pub(super) fn fits(entry: &Entry, ask: &Ask, question: &Question) -> bool {
    let subject = subject(ask, Some(question.message()));
    let holds = |key: &str, text: Option<&str>| match entry.matching.own.get(key) {
        None => true,
        Some(value) => text.is_some_and(|text| Pattern::read(value).is_ok_and(|pattern| pattern.fits(text))),
    };
    let has_fields = match entry.matching.own.get("fields").and_then(Value::as_array) {
        None => true,
        Some(names) => {
            let fields = question.field_names();
            names.iter().all(|name| name.as_str().is_some_and(|name| fields.contains(&name)))
        }
    };
    // What only a form has makes an entry one for forms: consent to a URL is never a by-product.
    let for_forms = ["content", "fill", "invalid"].iter().any(|key| entry.clause.contains_key(*key));
    entry.matching.fits(subject)
        && !(for_forms && question.mode() == "url")
        && holds("mode", Some(question.mode()))
        && holds("url", question.url())
        && holds("host", question.host())
        && has_fields
}

/// An entry, ready to paste, for a question that nobody answered.
pub(super) fn stub(ask: &Ask, question: &Question) -> Value {
    let mut matching = Map::new();
    if let Some(tool) = &ask.tool {
        matching.insert("tool".into(), tool.clone().into());
    }
    matching.insert("message".into(), question.message().into());
    let mut stub = json!({ "on": "elicitation", "match": matching, "action": "accept" });
    match question {
        Question::Form { form, .. } => stub["content"] = Value::Object(super::form_mode::example(form)),
        Question::Url { .. } => {}
    }
    stub
}
