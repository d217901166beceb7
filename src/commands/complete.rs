//! `mcpcall complete REF ARG=PREFIX [OTHER=VALUE]...`: what the server proposes for an argument.

use super::{Run, known};
use crate::failure::{Failure, Result};
use crate::output::listing;
use crate::session::era::revision::Revision;
use crate::session::pager::{PROMPTS, Search, TEMPLATES};
use crate::session::{Call, Session};
use crate::terminal::sanitize::{Lines, visible};
use crate::words::nearest;
use serde_json::{Map, Value, json};

pub(super) const METHOD: &str = "completion/complete";

/// What is to be completed, as typed.
pub(super) struct Wanted {
    reference: Reference,
    argument: String,
    prefix: String,
    /// The other arguments.
    given: Map<String, Value>,
}

/// What has the argument.
#[derive(Debug, PartialEq)]
pub(super) enum Reference {
    /// A prompt, by its name.
    Prompt(String),
    /// A template, or a resource.
    Resource(String),
}

impl Reference {
    /// A prompt's name or a template's URI. What looks like one and is the other says so: `prompt:a://b`.
    pub(super) fn read(typed: &str) -> Reference {
        let said = |prefix: &str| typed.strip_prefix(prefix).filter(|rest| !rest.starts_with("//") && !rest.is_empty());
        match (said("prompt:"), said("resource:")) {
            (Some(name), _) => Reference::Prompt(name.to_owned()),
            (None, Some(uri)) => Reference::Resource(uri.to_owned()),
            (None, None) if typed.contains("://") || typed.contains('{') => Reference::Resource(typed.to_owned()),
            (None, None) => Reference::Prompt(typed.to_owned()),
        }
    }

    /// The `ref` of a request.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Reference::Prompt(name) => json!({ "type": "ref/prompt", "name": name }),
            Reference::Resource(uri) => json!({ "type": "ref/resource", "uri": uri }),
        }
    }
}

/// Reads the command line, before a server is bothered. An argument without `=` is one of which nothing is known.
///
/// # Errors
/// `usage`.
pub(super) fn wanted(reference: &str, argument: &str, others: &[String]) -> Result<Wanted> {
    let (argument, prefix) = argument.split_once('=').unwrap_or((argument, ""));
    if argument.is_empty() {
        return Err(Failure::usage("no name before the `=`; it is ARG=PREFIX"));
    }
    let given = others.iter().map(|other| match other.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), Value::from(value))),
        _ => Err(Failure::usage(format!("not an argument: `{other}`; it is OTHER=VALUE"))),
    });
    let given = given.collect::<Result<_>>()?;
    Ok(Wanted {
        reference: Reference::read(reference),
        argument: argument.to_owned(),
        prefix: prefix.to_owned(),
        given,
    })
}

/// Asks for proposals and prints them, one a line.
///
/// # Errors
/// `protocol`, when the server completes nothing, or its answer is none; and as `Session::request`.
pub(super) async fn complete(run: &Run<'_>, session: &Session, wanted: &Wanted) -> Result<()> {
    let revision = session.revision();
    if revision.is_some_and(|revision| revision.declares_completions) && session.declares("completions") == Some(false)
    {
        return Err(known::undeclared("completions", METHOD));
    }
    let argument = json!({ "name": wanted.argument, "value": wanted.prefix });
    let mut params = json!({ "ref": wanted.reference.to_value(), "argument": argument });
    match revision.filter(|revision| !revision.completion_context) {
        _ if wanted.given.is_empty() => {}
        Some(Revision { date, .. }) => {
            session.warn(&format!("{date} has no way to say what the other arguments are: they are not sent"));
        }
        None => params["context"] = json!({ "arguments": wanted.given }),
    }
    let completed = session.request(Call { method: METHOD, params: Some(params), tool: None }).await;
    let result = match completed {
        Ok(result) => result,
        Err(failure) => {
            let failure = known::explained(run.explain(session, failure), "completions");
            let hint = if failure.code.is_some() { doubt(session, wanted).await } else { None };
            return Err(hint.into_iter().fold(failure, Failure::hint));
        }
    };
    run.screen.settle();
    if run.cli.output.json {
        return run.stdout().json(result.get());
    }
    let odd = || Failure::protocol(format!("{METHOD}: the result has no list of values")).detail(result.excerpt());
    let completion = result.readable().get("completion").cloned().unwrap_or_default();
    let values = completion.get("values").and_then(Value::as_array).ok_or_else(odd)?;
    if !run.cli.output.quiet {
        if values.is_empty() {
            let hint = doubt(session, wanted).await.map(|hint| format!("; {hint}")).unwrap_or_default();
            let what = format!("mcpcall: nothing is proposed for {}={}{hint}", wanted.argument, wanted.prefix);
            run.screen.line(&visible(&what, Lines::One));
        } else if let Some(rest) = rest(&completion, values.len()) {
            run.screen.line(&format!("mcpcall: {rest}"));
        }
    }
    run.stdout().text(&listing::values(values))
}

/// What there is besides the values, as far as the server says.
fn rest(completion: &Value, n_values: usize) -> Option<String> {
    let total = completion.get("total").and_then(Value::as_u64).filter(|total| *total > n_values as u64);
    match total {
        Some(total) => Some(format!("these are {n_values} of {total}; a longer prefix finds the others")),
        None if completion.get("hasMore") == Some(&Value::Bool(true)) => {
            Some("there are more; a longer prefix finds them".into())
        }
        None => None,
    }
}

/// What may be wrong with what is to be completed, by the server's lists.
async fn doubt(session: &Session, wanted: &Wanted) -> Option<String> {
    let (list, what, id) = match &wanted.reference {
        Reference::Prompt(name) => (&PROMPTS, "prompts", name),
        Reference::Resource(uri) => (&TEMPLATES, "templates", uri),
    };
    if session.declares(list.capability) == Some(false) {
        return Some(format!("the server does not declare that it has {}", list.capability));
    }
    let names = match session.find(list, id).await.ok()? {
        Search::Unknown(ids) => return Some(format!("there is no {id}: {}", known::suggestion(id, &ids, what))),
        Search::Found { raw, .. } => match &wanted.reference {
            Reference::Prompt(_) => known::arguments(&raw.value().ok()?).map(|(name, _)| name.to_owned()).collect(),
            Reference::Resource(uri) => variables(uri),
        },
    };
    if names.contains(&wanted.argument) {
        return None;
    }
    Some(match nearest(&wanted.argument, names.iter().map(String::as_str)) {
        Some(near) => format!("it takes no {}: did you mean {near}?", wanted.argument),
        None if names.is_empty() => "it takes no arguments".into(),
        None => format!("it takes no {}, but {}", wanted.argument, names.join(", ")),
    })
}

/// The names in a URI template (RFC 6570): `{a}`, `{?b,c*}`, `{d:3}`.
fn variables(template: &str) -> Vec<String> {
    let expressions = template.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let names = expressions
        .flat_map(|(expression, _)| expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).split(','));
    names.map(|name| name.split([':', '*']).next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_is_told_by_its_looks_or_said() {
        let (prompt, resource) =
            (|name: &str| Reference::Prompt(name.into()), |uri: &str| Reference::Resource(uri.into()));
        for (typed, expected) in [
            ("greet", prompt("greet")),
            ("a:b", prompt("a:b")),
            ("file:///{path}", resource("file:///{path}")),
            ("urn:{x}", resource("urn:{x}")),
            ("prompt:a://b", prompt("a://b")),
            ("prompt://a", resource("prompt://a")),
            ("resource:urn:x", resource("urn:x")),
            ("resource://x/{y}", resource("resource://x/{y}")),
            ("prompt:", prompt("prompt:")),
        ] {
            assert_eq!(Reference::read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn arguments_are_read_and_mistakes_told() {
        let read = wanted("p", "a=b=c", &["x=".into(), "y=1=2".into()]).unwrap();
        assert_eq!((read.argument.as_str(), read.prefix.as_str()), ("a", "b=c"));
        assert_eq!(Value::from(read.given), json!({"x": "", "y": "1=2"}));
        assert_eq!(wanted("p", "a", &[]).unwrap().prefix, "");
        assert!(wanted("p", "=b", &[]).is_err() && wanted("p", "a", &["b".into()]).is_err());
    }

    #[test]
    fn names_in_a_template_are_found() {
        assert_eq!(variables("a://{b}/{+c,d*}{?e:3}/x}{"), ["b", "c", "d", "e"]);
    }

    #[test]
    fn what_is_left_is_told() {
        assert_eq!(rest(&json!({"total": 2}), 2), None);
        assert!(rest(&json!({"total": 250, "hasMore": true}), 100).unwrap().starts_with("these are 100 of 250"));
        assert!(rest(&json!({"hasMore": true}), 2).unwrap().starts_with("there are more"));
    }
}
