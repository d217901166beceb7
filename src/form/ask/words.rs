//! The words around a question: what is explained below it, what is expected, what an answer looks like. Pure.

use super::draft::Draft;
use super::steps::{Step, What};
use crate::form::field::{Bound, Choice, Field, Kind};
use crate::form::limits;
use crate::form::value::show;
use serde_json::Value;

/// Yes and no, in this order wherever they are offered.
pub(super) const YES_NO: [&str; 2] = ["Yes", "No"];
/// The row that leaves an optional field out.
pub(super) const SKIP: &str = "(leave out)";
/// The row, and the look, of `null`.
pub(super) const NONE: &str = "(none)";
/// What stands for a field that is left out.
pub(super) const LEFT_OUT: &str = "(left out)";

/// What the question is called.
pub(super) fn label(step: &Step<'_>) -> String {
    let label = step.label.as_str();
    let about = |so_far: usize| match (label, so_far) {
        ("", 0) => String::new(),
        ("", n) => format!("({n} so far) "),
        (label, 0) => format!("{label}: "),
        (label, n) => format!("{label} ({n} so far): "),
    };
    match &step.what {
        What::Value { .. } => label.to_owned(),
        What::Branch if label.is_empty() => "Which of these?".into(),
        What::Branch => format!("{label}: which of these?"),
        What::Wanted => format!("Fill in {label}?"),
        What::Name { at, .. } => format!("{}name of entry {}", about(0), at + 1),
        What::More { so_far } => {
            let another = if *so_far == 0 { "add an" } else { "add another" };
            format!("{}{another} {}?", about(*so_far), one_of(step.field, *so_far))
        }
    }
}

fn one_of(field: &Field, so_far: usize) -> &str {
    match &field.kind {
        Kind::Group { .. } => "entry",
        Kind::List { item, .. } if so_far > 0 => item.title.as_deref().unwrap_or("item"),
        _ => "item",
    }
}

/// What is explained below the question: the server's words, what is expected, and whether it may be skipped.
pub(super) fn help(step: &Step<'_>) -> String {
    let field = step.field;
    let mut help: Vec<String> = step.intro.iter().map(|intro| (*intro).to_owned()).collect();
    let describes = match step.what {
        What::Name { .. } => false,
        What::More { so_far } => so_far == 0 && (field.is_map() || !matches!(field.kind, Kind::Group { .. })),
        _ => true,
    };
    help.extend(field.description.iter().filter(|_| describes).cloned());
    let line = match &step.what {
        What::Value { .. } => {
            let parts = [expected(field), empty(field).to_owned()];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
        }
        What::More { .. } => expected(field),
        _ => String::new(),
    };
    help.extend(Some(line).filter(|line| !line.is_empty()));
    if field.secret {
        help.push(
            "This looks like a secret. Servers must not ask for secrets in a form; it will be sent as plain text."
                .into(),
        );
    }
    help.join("\n")
}

/// What no answer means.
fn empty(field: &Field) -> &'static str {
    match field.kind {
        Kind::Boolean | Kind::Choice { .. } | Kind::Raw { .. } => "",
        Kind::Choices { .. } if !field.required => "optional: none leaves it out",
        _ if !field.required => "optional: leave empty to skip",
        _ if field.nullable => "leave empty for none",
        _ => "",
    }
}

/// What sort of answer is expected, where the kind of question does not show it.
fn expected(field: &Field) -> String {
    match &field.kind {
        Kind::Text { format, min, max, .. } => {
            let what = match format.as_deref() {
                Some("email") => "an e-mail address",
                Some("uri") => "a URI",
                Some("date") => "a date: YYYY-MM-DD",
                Some("date-time") => "a date and time: YYYY-MM-DDTHH:MM:SSZ",
                Some("time") => "a time: HH:MM:SSZ",
                _ => "",
            };
            let length = limits::length(*min, *max);
            [what, &length].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        }
        Kind::Integer { min, max } => number("a whole number", min.as_ref(), max.as_ref()),
        Kind::Number { min, max } => number("a number", min.as_ref(), max.as_ref()),
        Kind::Choices { min_items, max_items, .. } => limits::how_many(min_items.unwrap_or(0), *max_items),
        Kind::List { min_items, max_items, .. } => limits::how_many(*min_items as u64, max_items.map(|max| max as u64)),
        Kind::Raw { .. } => "JSON".into(),
        Kind::Boolean | Kind::Choice { .. } | Kind::Group { .. } | Kind::Either { .. } => String::new(),
    }
}

fn number(what: &str, min: Option<&Bound>, max: Option<&Bound>) -> String {
    format!("{what} {}", limits::range(min, max)).trim_end().to_owned()
}

/// A draft in the words in which it was asked for; of what has parts, only how much there is.
pub(super) fn shown(field: &Field, draft: &Draft) -> String {
    match (draft, &field.kind) {
        (Draft::One(Some(value)), _) => value_shown(field, value),
        (Draft::List(items), _) if !items.is_empty() => {
            format!("{} item{}", items.len(), if items.len() == 1 { "" } else { "s" })
        }
        (Draft::List(_), _) if field.required => "no items".into(),
        (Draft::Group { entries, .. }, _) if field.is_map() && !entries.is_empty() => {
            format!("{} {}", entries.len(), if entries.len() == 1 { "entry" } else { "entries" })
        }
        (Draft::Group { .. }, _) if field.is_map() && field.required => "no entries".into(),
        (Draft::Group { .. }, _) if field.is_map() => LEFT_OUT.into(),
        (Draft::Group { wanted: true, .. }, _) => String::new(),
        (Draft::Either { at: Some(at), branches }, Kind::Either { branches: fields }) => {
            match shown(&fields[*at], &branches[*at]) {
                inner if inner.is_empty() => fields[*at].label().to_owned(),
                inner => inner,
            }
        }
        _ if field.required && field.nullable => NONE.into(),
        _ => LEFT_OUT.into(),
    }
}

fn value_shown(field: &Field, value: &Value) -> String {
    let option = |value: &Value| field.options().iter().find(|option| option.value == *value).map(Choice::label);
    match (&field.kind, value) {
        (_, Value::Null) if field.nullable => NONE.into(),
        (Kind::Boolean, Value::Bool(yes)) => YES_NO[usize::from(!yes)].to_owned(),
        (Kind::Choices { .. }, Value::Array(items)) => {
            items.iter().map(|item| option(item).unwrap_or_else(|| show(item))).collect::<Vec<_>>().join(", ")
        }
        (Kind::Text { .. }, Value::String(text)) if text.is_empty() => "(empty)".into(),
        (Kind::Raw { .. }, value) => value.to_string(),
        _ => option(value).unwrap_or_else(|| show(value)),
    }
}
