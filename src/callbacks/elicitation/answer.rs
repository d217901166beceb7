//! What an `"on": "elicitation"` entry of an answer file says, and which questions it fits.

use super::Question;
use crate::answers::matching::MatchKey;
use crate::answers::mistake::Wrong;
use crate::answers::record::{self, Asked, Draft, Said, Scribe, exactly};
use crate::answers::{Entry, KindSpec};
use crate::callbacks::desk::subject;
use crate::form::{self, Taste};
use crate::session::host::Ask;
use serde_json::{Map, Value};

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

/// An entry, ready to paste, for a question that nobody answered; what is given stays.
pub(super) fn stub(tool: Option<&str>, question: &Question, given: &Map<String, Value>) -> Value {
    record::entry(unanswered(tool, question, given)).0
}

fn unanswered(tool: Option<&str>, question: &Question, given: &Map<String, Value>) -> Draft {
    let draft = Draft::new(SPEC.on, matching(tool, question)).with("action", "accept");
    match question {
        Question::Form { form, .. } => {
            let mut draft = draft.with("content", form::example(form, given, Taste::Blank));
            draft.secrets = form::secrets(form, given);
            draft
        }
        Question::Url { .. } => draft,
    }
}

/// What an entry for this very question matches.
fn matching(tool: Option<&str>, question: &Question) -> Map<String, Value> {
    let mut matching = Map::new();
    if let Some(tool) = tool {
        matching.insert("tool".into(), exactly(tool));
    }
    matching.insert("message".into(), exactly(question.message()));
    matching
}

/// How elicitations are written down.
pub(crate) const SCRIBE: Scribe = Scribe { method: "elicitation/create", gist, draft };

fn gist(params: &Value) -> String {
    params.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The fields tell a form from an earlier or later one with the same words; a URL is told by where it leads, since the
/// rest of it is often made for one visit.
fn draft(asked: &Asked<'_>, said: Option<Said<'_>>) -> Option<Draft> {
    let question = Question::read(asked.params).ok()?;
    let Some(said) = said else { return Some(unanswered(asked.tool, &question, &Map::new())) };
    let mut matching = matching(asked.tool, &question);
    match &question {
        Question::Form { .. } => {
            let names = question.field_names();
            if !names.is_empty() {
                matching.insert("fields".into(), names.into());
            }
        }
        Question::Url { host, .. } => {
            matching.insert("mode".into(), "url".into());
            matching.insert("host".into(), exactly(host.as_ref()?));
        }
    }
    let draft = Draft::new(SPEC.on, matching);
    let result = match said {
        Said::Error { code, message } => return Some(draft.refusing(code, message)),
        Said::Result(result) => result,
    };
    let draft = draft.with("action", result.get("action").cloned().unwrap_or_default());
    let (Question::Form { form, .. }, Some(Value::Object(content))) = (&question, result.get("content")) else {
        return Some(draft);
    };
    let mut draft = draft.with("content", content.clone());
    draft.secrets = form::secrets(form, content);
    // What was sent on purpose as it was.
    let is_sound = form::complete(form, content, false).is_ok_and(|complete| complete == *content);
    Some(if is_sound { draft } else { draft.with("invalid", true) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn drafted(params: &Value, said: Option<Said<'_>>) -> Value {
        let (entry, _) = record::entry(draft(&Asked { tool: Some("t"), params }, said).unwrap());
        let file = json!({ "answers": [entry] }).to_string();
        crate::answers::load("a.json", &file, &[SPEC], &|_| Some("x".into())).unwrap();
        entry
    }

    #[test]
    fn an_entry_says_what_was_said_and_fits_the_question_alone() {
        let schema = json!({ "type": "object", "required": ["n"], "properties": {
            "n": { "type": "integer" }, "password": { "type": "string" } } });
        let form = json!({ "message": "/m/ ${X}", "requestedSchema": schema });
        let of_form = json!({ "tool": "t", "message": "/m/ $${X}", "fields": ["n", "password"] });
        let of_url = json!({ "tool": "t", "message": "Go", "mode": "url", "host": "a.example" });
        let url = json!({ "mode": "url", "message": "Go", "url": "https://a.example/?once=1", "elicitationId": "1" });
        let cases = [
            (&form, json!({ "action": "decline" }), json!({ "match": of_form, "action": "decline" })),
            (
                &form,
                json!({ "action": "accept", "content": { "n": 1, "password": "p" } }),
                json!({ "match": of_form, "action": "accept", "content": { "n": 1, "password": "${PASSWORD}" } }),
            ),
            (
                &form,
                json!({ "action": "accept", "content": { "n": "1" } }),
                json!({ "match": of_form, "action": "accept", "content": { "n": "1" }, "invalid": true }),
            ),
            (&url, json!({ "action": "accept" }), json!({ "match": of_url, "action": "accept" })),
        ];
        for (params, result, mut expected) in cases {
            expected["on"] = "elicitation".into();
            assert_eq!(drafted(params, Some(Said::Result(&result))), expected);
        }
        let refused = drafted(&form, Some(Said::Error { code: -7, message: "no" }));
        assert_eq!(refused["error"], json!({ "code": -7, "message": "no" }));
        let stub = drafted(&form, None);
        assert_eq!((&stub["content"], &stub["match"]["fields"]), (&json!({ "n": 0 }), &Value::Null));
        assert!(draft(&Asked { tool: None, params: &json!({}) }, None).is_none());
    }
}
