//! One question, put to the person in the way its field calls for.

use super::draft::Draft;
use super::steps::{Step, What};
use super::words::{NONE, SKIP, YES_NO};
use crate::form::example;
use crate::form::field::{Choice, Field, Kind};
use crate::form::value::{check, parse, show};
use crate::terminal::prompter::{Choose, Edit, Line, Prompter, Said};
use serde_json::Value;

/// What was said to a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// The value, or nothing for an optional field that was skipped.
    Value(Option<Value>),
    /// Yes or no.
    Yes(bool),
    /// What an entry is called.
    Name(String),
    /// Which of several.
    Branch(Option<usize>),
}

/// What all questions have in common.
pub(super) struct Page<'a> {
    /// `(3/7) `, where there are several.
    pub(super) number: &'a str,
    /// With the number.
    pub(super) label: &'a str,
    pub(super) help: &'a str,
    pub(super) enter: &'a str,
    pub(super) can_go_back: bool,
    /// Whether it is asked for the second time, so that what is unusual may be asked for.
    pub(super) again: bool,
}

/// Puts one question. `draft` is what there is so far.
pub(super) async fn ask(prompter: &mut dyn Prompter, step: &Step<'_>, draft: &Draft, page: &Page<'_>) -> Said<Answer> {
    let field = step.field;
    let current = match draft {
        Draft::One(value) => value.as_ref(),
        _ => None,
    };
    let value = match (&step.what, draft) {
        (What::Value { taken }, _) => match &field.kind {
            Kind::Boolean => ask_boolean(prompter, field, page, current).await,
            Kind::Choice { options } => ask_choice(prompter, field, page, options, current).await,
            Kind::Choices { options, .. } => ask_choices(prompter, field, page, options, current).await,
            Kind::Raw { .. } => ask_raw(prompter, field, page, current).await,
            _ => ask_text(prompter, field, page, current, taken).await,
        },
        (What::Wanted, Draft::Group { wanted, .. }) => return ask_wanted(prompter, field, page, *wanted).await,
        (What::More { so_far }, Draft::List(items)) => return ask_yes(prompter, page, *so_far < items.len()).await,
        (What::More { so_far }, Draft::Group { entries, .. }) => {
            return ask_yes(prompter, page, *so_far < entries.len()).await;
        }
        (What::Name { at, taken }, Draft::Group { entries, .. }) => {
            let initial = entries.get(*at).map_or("", |(name, _)| name);
            return ask_name(prompter, page, initial, taken).await;
        }
        (What::Branch, Draft::Either { at, .. }) => return ask_branch(prompter, field, page, *at).await,
        _ => Said::Given(current.cloned()),
    };
    value.map(Answer::Value)
}

async fn choose(prompter: &mut dyn Prompter, page: &Page<'_>, options: &[String], at: usize) -> Said<usize> {
    let Page { label, help, can_go_back, .. } = *page;
    prompter.choose(Choose { label, help, options, at, can_go_back }).await
}

/// No first, so that a mere Enter changes nothing.
async fn ask_yes(prompter: &mut dyn Prompter, page: &Page<'_>, is_yes: bool) -> Said<Answer> {
    let options = YES_NO.map(str::to_owned);
    choose(prompter, page, &options, usize::from(!is_yes)).await.map(|row| Answer::Yes(row == 0))
}

async fn ask_wanted(prompter: &mut dyn Prompter, field: &Field, page: &Page<'_>, wanted: bool) -> Said<Answer> {
    let no = if field.required { "No: there is none" } else { "No: leave it out" };
    let options = [YES_NO[0].to_owned(), no.to_owned()];
    choose(prompter, page, &options, usize::from(!wanted)).await.map(|row| Answer::Yes(row == 0))
}

async fn ask_name(prompter: &mut dyn Prompter, page: &Page<'_>, initial: &str, taken: &[String]) -> Said<Answer> {
    let accept = |text: &str| match text {
        "" => Err("an answer is needed here".to_owned()),
        name if taken.iter().any(|known| known == name) => Err("is there already".to_owned()),
        _ => Ok(()),
    };
    let Page { label, help, can_go_back, .. } = *page;
    let question =
        Line { label, help, initial, check: &accept, enter: "next", can_go_back, in_editor: None, is_secret: false };
    prompter.line(question).await.map(Answer::Name)
}

async fn ask_branch(prompter: &mut dyn Prompter, field: &Field, page: &Page<'_>, at: Option<usize>) -> Said<Answer> {
    let Kind::Either { branches } = &field.kind else { return Said::Given(Answer::Branch(at)) };
    let mut rows: Vec<String> = branches.iter().map(|branch| branch.label().to_owned()).collect();
    rows.extend(no_value(field).map(str::to_owned));
    let at = at.unwrap_or(if no_value(field).is_some() { rows.len() - 1 } else { 0 });
    let chosen = |row: usize| Answer::Branch(Some(row).filter(|row| *row < branches.len()));
    choose(prompter, page, &rows, at).await.map(chosen)
}

/// The row that means no value, where there may be none.
fn no_value(field: &Field) -> Option<&'static str> {
    match (field.required, field.nullable) {
        (false, _) => Some(SKIP),
        (true, true) => Some(NONE),
        (true, false) => None,
    }
}

/// No value: nothing, or `null` where something must be said.
fn nothing(field: &Field) -> Option<Value> {
    (field.required && field.nullable).then_some(Value::Null)
}

async fn ask_text(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    current: Option<&Value>,
    taken: &[Value],
) -> Said<Option<Value>> {
    let is_text = matches!(field.kind, Kind::Text { .. });
    let may_be_empty = is_text && check(field, &"".into()).is_ok() && !taken.contains(&"".into());
    let accept = |text: &str| match text {
        "" if no_value(field).is_some() || may_be_empty => Ok(()),
        "" => Err("an answer is needed here".to_owned()),
        text => match parse(field, text) {
            Ok(value) if taken.contains(&value) => Err("is there already".to_owned()),
            parsed => parsed.map(drop),
        },
    };
    let in_editor = matches!(field.kind, Kind::Text { format: None, .. }).then_some("txt");
    let mut initial = current.filter(|value| !value.is_null()).map(show).unwrap_or_default();
    loop {
        let Page { label, help, enter, can_go_back, .. } = *page;
        let question =
            Line { label, help, initial: &initial, check: &accept, enter, can_go_back, in_editor, is_secret: false };
        let text = match prompter.line(question).await {
            Said::Given(text) => text,
            Said::Back => return Said::Back,
            Said::Left(how) => return Said::Left(how),
        };
        if !text.is_empty() {
            return Said::Given(parse(field, &text).ok());
        }
        // An optional field left empty is left out, never sent as "" or null; to send "" takes a word of its own.
        if !may_be_empty || no_value(field).is_some() && !page.again {
            return Said::Given(nothing(field));
        }
        let no = if no_value(field).is_some() { "No: leave it out" } else { "No: write something" };
        let options = [no.to_owned(), "Yes".to_owned()];
        let label = format!("{}Send an empty text?", page.number);
        let question = Choose { label: &label, help: "", options: &options, at: 0, can_go_back: true };
        match prompter.choose(question).await {
            Said::Given(0) if no_value(field).is_some() => return Said::Given(nothing(field)),
            Said::Given(0) | Said::Back => initial.clear(),
            Said::Given(_) => return Said::Given(Some("".into())),
            Said::Left(how) => return Said::Left(how),
        }
    }
}

async fn ask_boolean(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    current: Option<&Value>,
) -> Said<Option<Value>> {
    let options =
        [true, false].map(|yes| Choice { value: yes.into(), title: Some(YES_NO[usize::from(!yes)].to_owned()) });
    // Without a default nothing is agreed to by a mere Enter.
    let no = Value::Bool(false);
    let current = current.or_else(|| no_value(field).is_none().then_some(&no));
    ask_choice(prompter, field, page, &options, current).await
}

async fn ask_choice(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    options: &[Choice],
    current: Option<&Value>,
) -> Said<Option<Value>> {
    let mut rows: Vec<String> = options.iter().map(Choice::label).collect();
    rows.extend(no_value(field).map(str::to_owned));
    let chosen = current.and_then(|current| options.iter().position(|option| option.value == *current));
    let at = chosen.unwrap_or(if no_value(field).is_some() { rows.len() - 1 } else { 0 });
    let value = |row: usize| options.get(row).map(|option| option.value.clone()).or_else(|| nothing(field));
    choose(prompter, page, &rows, at).await.map(value)
}

async fn ask_choices(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    options: &[Choice],
    current: Option<&Value>,
) -> Said<Option<Value>> {
    let rows: Vec<String> = options.iter().map(Choice::label).collect();
    let is_current = |value: &Value| current.and_then(Value::as_array).is_some_and(|list| list.contains(value));
    let ticked: Vec<usize> = (0..options.len()).filter(|row| is_current(&options[*row].value)).collect();
    let chosen = |rows: &[usize]| Value::Array(rows.iter().map(|row| options[*row].value.clone()).collect());
    // Nothing ticked leaves an optional field out.
    let accept = |rows: &[usize]| if rows.is_empty() && !field.required { Ok(()) } else { check(field, &chosen(rows)) };
    let Page { label, help, can_go_back, .. } = *page;
    let question = Choose { label, help, options: &rows, at: 0, can_go_back };
    let said = prompter.choose_many(question, &ticked, &accept).await;
    said.map(|rows| (field.required || !rows.is_empty()).then(|| chosen(&rows)))
}

/// JSON, written in the editor; what is there already may be kept, and what may be left out is.
async fn ask_raw(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    current: Option<&Value>,
) -> Said<Option<Value>> {
    let accept = |text: &str| match text.trim() {
        "" => Err("an answer is needed here".to_owned()),
        text => parse(field, text).map(drop),
    };
    let initial = current.cloned().unwrap_or_else(|| example::value_of(field));
    let initial = serde_json::to_string_pretty(&initial).unwrap_or_default();
    let keep = current.map(|value| format!("Keep {value}"));
    let n_kept = usize::from(keep.is_some());
    let write = if keep.is_some() { "Change it" } else { "Write it" };
    let mut rows: Vec<String> = keep.into_iter().chain([write.to_owned()]).collect();
    rows.extend(no_value(field).map(str::to_owned));
    let at = if current.is_some() { 0 } else { rows.len() - 1 };
    let has_choice = rows.len() > 1;
    loop {
        if has_choice {
            match choose(prompter, page, &rows, at).await {
                Said::Given(row) if row < n_kept => return Said::Given(current.cloned()),
                Said::Given(row) if row > n_kept => return Said::Given(nothing(field)),
                Said::Given(_) => {}
                Said::Back => return Said::Back,
                Said::Left(how) => return Said::Left(how),
            }
        }
        let Page { label, help, can_go_back, .. } = *page;
        let can_go_back = can_go_back || has_choice;
        let edit = Edit { label, help, initial: &initial, extension: "json", check: &accept, can_go_back };
        match prompter.edit(edit).await {
            Said::Given(text) => return Said::Given(parse(field, text.trim()).ok()),
            Said::Back if has_choice => {}
            Said::Back => return Said::Back,
            Said::Left(how) => return Said::Left(how),
        }
    }
}
