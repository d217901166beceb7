//! `mcpcall prompt NAME [ARG]...`: the messages that a prompt makes of its arguments, which are texts all of them.

use super::call::{self, Prepared};
use super::{Run, known};
use crate::failure::{Failure, Kind, Result};
use crate::output::{content, prompt};
use crate::session::pager::{PROMPTS, Search, TOOLS};
use crate::session::{Call, Session};
use serde_json::{Map, Value, json};

/// Gets a prompt and prints its messages. A person is asked for required arguments that are missing.
///
/// # Errors
/// `usage`, when the arguments are not those of the prompt; and as `Session::request`.
pub(super) async fn prompt(run: &Run<'_>, session: &Session, name: &str, prepared: &Prepared<'_>) -> Result<()> {
    let found = look_up(session, name, prepared.args.no_validate).await?;
    let schema = match &found {
        Some(Search::Found { raw, .. }) => raw.value().ok().map(|prompt| schema(&prompt)),
        _ => None,
    };
    let arguments = call::arguments(run, session, name, schema.as_ref(), prepared).await?;
    let mut params = json!({ "name": name });
    if !arguments.is_empty() {
        params["arguments"] = arguments.into();
    }
    let got = session.request(Call { method: "prompts/get", params: Some(params), tool: None }).await;
    let result = match got {
        Ok(result) => result,
        Err(failure) => {
            let failure = run.explain(session, failure);
            return Err(explained(session, name, found.as_ref(), failure).await);
        }
    };
    run.screen.settle();
    let printer = run.printer();
    if printer.json {
        return printer.print_json(name, &result, || content::of_any(&result));
    }
    let Some(messages) = prompt::messages(&result) else {
        let what = "prompts/get: the result has no list \"messages\"";
        return Err(Failure::protocol(what).detail(result.excerpt()));
    };
    if messages.is_empty() {
        session.warn("the prompt has no messages");
    }
    printer.print(name, &result, || prompt::blocks(&messages))
}

/// Looks the prompt up. A server that cannot list may still have it.
async fn look_up(session: &Session, name: &str, not_needed: bool) -> Result<Option<Search>> {
    if not_needed || session.declares(PROMPTS.capability) == Some(false) {
        return Ok(None);
    }
    match session.find(&PROMPTS, name).await {
        Ok(found) => Ok(Some(found)),
        Err(failure) if failure.kind == Kind::Protocol => {
            let what = "the prompts could not be listed, so arguments go unchecked";
            session.warn(&format!("{what}: {}", failure.message));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// The arguments of a prompt as the schema of a form.
fn schema(prompt: &Value) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, argument) in known::arguments(prompt) {
        let mut property = Map::from_iter([("type".to_owned(), "string".into())]);
        for key in ["title", "description"] {
            if let Some(Value::String(text)) = argument.get(key) {
                property.insert(key.into(), text.clone().into());
            }
        }
        properties.insert(name.into(), property.into());
        if argument.get("required") == Some(&Value::Bool(true)) {
            required.push(name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

async fn explained(session: &Session, name: &str, found: Option<&Search>, failure: Failure) -> Failure {
    match found {
        _ if failure.code.is_none() => failure,
        Some(Search::Found { .. }) => failure,
        Some(Search::Unknown(_)) if known::has(session, &TOOLS, name).await => {
            failure.hint(format!("that is a tool: mcpcall call {name}"))
        }
        Some(Search::Unknown(names)) => failure.hint(known::suggestion(name, names, "prompts")),
        None if session.declares(PROMPTS.capability) == Some(false) => {
            failure.hint("the server does not declare that it has prompts")
        }
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_texts_of_a_form() {
        let prompt = json!({"name": "p", "arguments": [
            {"name": "a", "required": true, "description": "A", "title": "First"}, {"name": "b", "required": "odd"}, 7]});
        let expected = json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {
            "a": {"type": "string", "title": "First", "description": "A"}, "b": {"type": "string"}}});
        assert_eq!(schema(&prompt), expected);
        assert_eq!(schema(&json!({}))["properties"], json!({}));
    }
}
