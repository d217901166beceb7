//! Every way to answer one question, right and wrong: what `--matrix` tries on a server. Pure.

use super::Question;
use crate::form;
use serde_json::{Map, Value, json};

/// One way to answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Way {
    /// In a few words.
    pub(crate) name: String,
    /// What sort of answer it is.
    pub(crate) sort: Sort,
    /// The result to send; `None` refuses with an error.
    pub(crate) result: Option<Value>,
}

/// What a server is to make of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// What it asked for.
    Valid,
    /// What its schema forbids.
    Invalid,
    /// No: declined, cancelled or refused.
    No,
}

/// The ways to answer a question, a valid answer first; `content` is one.
pub(crate) fn ways(question: &Question, content: &Map<String, Value>) -> Vec<Way> {
    let (accept, invalid) = match question {
        Question::Url { .. } => (json!({ "action": "accept" }), Vec::new()),
        Question::Form { form, .. } => (accept_with(content.clone()), form::wrong(form, content)),
    };
    let invalid = invalid.into_iter().map(|(name, content)| Way {
        name,
        sort: Sort::Invalid,
        result: Some(accept_with(content)),
    });
    let valid = Way { name: "accept".into(), sort: Sort::Valid, result: Some(accept) };
    let say = |action: &str| Way { name: action.into(), sort: Sort::No, result: Some(json!({ "action": action })) };
    let refuse = Way { name: "refuse".into(), sort: Sort::No, result: None };
    std::iter::once(valid).chain(invalid).chain([say("decline"), say("cancel"), refuse]).collect()
}

fn accept_with(content: Map<String, Value>) -> Value {
    json!({ "action": "accept", "content": content })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(params: &Value, content: Value) -> Vec<Way> {
        ways(&Question::read(params).unwrap(), content.as_object().unwrap())
    }

    #[test]
    fn a_form_is_answered_right_wrong_and_not_at_all() {
        let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
        let found = of(&json!({ "message": "?", "requestedSchema": schema }), json!({ "n": 2 }));
        let names: Vec<&str> = found.iter().map(|way| way.name.as_str()).collect();
        assert_eq!(names, ["accept", "without n", "n of a wrong type", "n not whole", "decline", "cancel", "refuse"]);
        assert_eq!((found[0].sort, found[1].sort, found[6].sort), (Sort::Valid, Sort::Invalid, Sort::No));
        assert_eq!(found[3].result, Some(json!({ "action": "accept", "content": { "n": 1.5 } })));
        assert!(found[6].result.is_none());
    }

    #[test]
    fn a_url_is_accepted_or_not() {
        let params = json!({ "mode": "url", "message": "?", "url": "https://a.example/" });
        let names: Vec<String> = of(&params, json!({})).into_iter().map(|way| way.name).collect();
        assert_eq!(names, ["accept", "decline", "cancel", "refuse"]);
    }
}
