//! What an `"on": "elicitation"` entry of an answer file says, and which questions it fits.

use super::Question;
use crate::answers::matching::MatchKey;
use crate::answers::mistake::Wrong;
use crate::answers::{Entry, KindSpec};
use crate::callbacks::desk::subject;
use crate::session::host::Ask;
use serde_json::{Map, Value, json};

/// The keys of this kind.
pub(crate) const SPEC: KindSpec = KindSpec {
    on: "elicitation",
    match_keys: &[
        MatchKey::Names("fields"),
        MatchKey::Word("mode", &["form", "url"]),
        MatchKey::Pattern("host"),
        MatchKey::Pattern("url"),
    ],
    clause_keys: &["action", "content", "fill", "invalid"],
    check,
};

/// The three things that can be said to a question.
const ACTIONS: &[&str] = &["accept", "decline", "cancel"];

/// What only a form takes.
const FOR_FORMS: &[&str] = &["content", "fill", "invalid"];

fn check(entry: &mut Entry) -> Result<(), Wrong> {
    let clause = &entry.clause;
    let action = clause.get("action");
    match (action, &entry.error) {
        (None, None) => return Err(Wrong::new("", "needs \"action\" (accept, decline or cancel) or \"error\"")),
        (Some(_), Some(_)) => return Err(Wrong::new("", "has \"action\" and \"error\"; one of them")),
        (Some(action), None) if !action.as_str().is_some_and(|word| ACTIONS.contains(&word)) => {
            return Err(Wrong::new("/action", format!("{action} is none of accept, decline, cancel")));
        }
        _ => {}
    }
    if clause.get("content").is_some_and(|content| !content.is_object()) {
        return Err(Wrong::new("/content", "is not an object"));
    }
    if clause.get("fill").is_some_and(|fill| fill != "defaults") {
        return Err(Wrong::new("/fill", "can only be \"defaults\""));
    }
    if clause.get("invalid").is_some_and(|invalid| !invalid.is_boolean()) {
        return Err(Wrong::new("/invalid", "is not true or false"));
    }
    let Some(key) = FOR_FORMS.iter().find(|key| clause.contains_key(**key)) else { return Ok(()) };
    if action.is_none_or(|action| action != "accept") {
        return Err(Wrong::new(format!("/{key}"), "goes with \"action\": \"accept\" only"));
    }
    // Consent to a URL is never a by-product of what was written for a form.
    entry.matching.imply("mode", "form");
    match entry.matching.holds("mode", Some("form")) {
        true => Ok(()),
        false => Err(Wrong::new(format!("/{key}"), "is for forms, but match/mode is \"url\"")),
    }
}

/// Whether an entry fits a question. `fields` holds when the form has each of those fields.
pub(super) fn fits(entry: &Entry, ask: &Ask, question: &Question) -> bool {
    let matching = &entry.matching;
    let fields = question.field_names();
    matching.fits(subject(ask, Some(question.message())))
        && matching.holds("mode", Some(question.mode()))
        && matching.holds("url", question.url())
        && matching.holds("host", question.host())
        && matching.names("fields").iter().all(|name| fields.contains(&name.as_str()))
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
        Question::Form { form, .. } => stub["content"] = Value::Object(crate::form::example(form)),
        Question::Url { .. } => {}
    }
    stub
}
