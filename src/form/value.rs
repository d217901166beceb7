//! Text a person typed, or a value an answer file gave → the JSON value a field takes. Pure.
//!
//! The whole text must match; nothing is rounded, cut or guessed. Ranges, lengths, patterns and formats are
//! `schema`'s business, so that a form and the final check never disagree.

use super::field::{Choice, Field, Kind};
use crate::schema::{self, Problem};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;

/// What `text` means for `field`, or why it means nothing.
///
/// Text is taken as it is; other kinds ignore the blanks around it. `null` is a value of a nullable field unless it
/// is text. What has fields of its own, and a raw field, takes JSON, or plain text where its schema allows a string;
/// a list takes one item, too.
///
/// # Errors
/// When it means nothing or breaks the field's rules: the reason as a predicate, "is not a whole number".
pub(crate) fn parse(field: &Field, text: &str) -> Result<Value, String> {
    let trimmed = text.trim();
    let is_option = || field.options().iter().any(|option| option.value == "null");
    if trimmed == "null" && field.nullable && !matches!(field.kind, Kind::Text { .. }) && !is_option() {
        return Ok(Value::Null);
    }
    let value = match &field.kind {
        Kind::Text { .. } => text.into(),
        Kind::Integer { .. } => integer(trimmed).ok_or("is not a whole number")?,
        Kind::Number { .. } => number(trimmed).ok_or("is not a number")?,
        Kind::Boolean => boolean(trimmed).ok_or("is not yes or no")?.into(),
        Kind::Choice { options } => choice(options, trimmed)?,
        Kind::Choices { options, .. } => choices(options, trimmed)?,
        Kind::List { item, .. } if !trimmed.starts_with('[') => vec![parse(item, text)?].into(),
        Kind::Group { .. } | Kind::List { .. } | Kind::Either { .. } | Kind::Raw { .. } => return raw(field, text),
    };
    check(field, &value)?;
    Ok(value)
}

/// What a typed value means for `field`: the value itself where it fits, a string read as `parse` does where it
/// does not, a title turned into its value, `42.0` into the integer 42; the parts of a group or list one by one.
///
/// # Errors
/// As `parse`.
pub(crate) fn settle(field: &Field, value: &Value) -> Result<Value, String> {
    let mut problems = Vec::new();
    let settled = settle_at(field, value, "", &mut problems);
    problems.first().map_or(Ok(settled), |problem| Err(problem.to_string()))
}

/// The same at the place `at`, with everything that is wrong; what it gives where something is wrong is of no use.
pub(super) fn settle_at(field: &Field, value: &Value, at: &str, problems: &mut Vec<Problem>) -> Value {
    let n_before = problems.len();
    let settled = match (&field.kind, value) {
        (Kind::Group { fields, entries }, Value::Object(members)) => {
            let settle = |(name, member): (&String, &Value)| {
                let known = fields.iter().find(|field| field.name == *name).or(entries.as_deref());
                let here = schema::pointer(at, name);
                let settled = known.map(|field| settle_at(field, member, &here, problems));
                (name.clone(), settled.unwrap_or_else(|| member.clone()))
            };
            Ok(Value::Object(members.iter().map(settle).collect::<Map<_, _>>()))
        }
        (Kind::List { item, .. }, Value::Array(items)) => {
            let items = items.iter().enumerate();
            Ok(items.map(|(n, value)| settle_at(item, value, &format!("{at}/{n}"), problems)).collect())
        }
        (Kind::Either { branches }, _) if check(field, value).is_err() => {
            let settled = branches.iter().find_map(|branch| settle(branch, value).ok());
            Ok(settled.unwrap_or_else(|| value.clone()))
        }
        _ => settle_one(field, value),
    };
    match settled {
        Err(reason) => problems.push(Problem::new(at, reason)),
        // Rules among the parts are worth a word only where the parts are right.
        Ok(settled) if problems.len() == n_before => {
            problems.extend(
                misfits(field, &settled)
                    .into_iter()
                    .map(|problem| Problem { path: format!("{at}{}", problem.path), message: problem.message }),
            );
            return settled;
        }
        Ok(settled) => return settled,
    }
    value.clone()
}

/// What a value without parts of its own means.
fn settle_one(field: &Field, value: &Value) -> Result<Value, String> {
    if let Kind::Choice { options } = &field.kind
        && let Some(option) = find(options, value)
    {
        return Ok(option);
    }
    Ok(match (&field.kind, value) {
        (Kind::Text { .. }, _) => value.clone(),
        (Kind::Integer { .. }, Value::Number(number)) => whole(number).unwrap_or_else(|| value.clone()),
        (Kind::Choices { options, .. }, Value::Array(items)) => {
            let known: HashSet<String> = options.iter().map(|option| option.value.to_string()).collect();
            let settle = |item: &Value| match known.contains(&item.to_string()) {
                true => Ok(item.clone()),
                false => member(options, item),
            };
            items.iter().map(settle).collect::<Result<_, _>>()?
        }
        (Kind::Raw { .. } | Kind::Either { .. }, Value::String(text)) => match check(field, value) {
            Ok(()) => value.clone(),
            Err(_) => return raw(field, text),
        },
        (_, Value::String(text)) => return parse(field, text),
        _ => value.clone(),
    })
}

/// Whether a typed value is one the field takes.
///
/// # Errors
/// When it is not: the reason as a predicate.
pub(crate) fn check(field: &Field, value: &Value) -> Result<(), String> {
    misfits(field, value).first().map_or(Ok(()), |problem| Err(problem.to_string()))
}

fn misfits(field: &Field, value: &Value) -> Vec<Problem> {
    if value.is_null() && field.nullable {
        return Vec::new();
    }
    // `None` is the server's mistake; `Form` has a note on it. The kind is all that is left to go by.
    field
        .problems(value)
        .unwrap_or_else(|| fits(field, value).err().map(|why| Problem::new("", why)).into_iter().collect())
}

fn fits(field: &Field, value: &Value) -> Result<(), String> {
    let (fits, name) = match &field.kind {
        Kind::Text { .. } => (value.is_string(), "a string"),
        Kind::Integer { .. } => (value.as_number().is_some_and(|n| whole(n).is_some()), "an integer"),
        Kind::Number { .. } => (value.is_number(), "a number"),
        Kind::Boolean => (value.is_boolean(), "true or false"),
        Kind::Choice { options } => (find(options, value).is_some(), "one of the options"),
        Kind::Choices { .. } | Kind::List { .. } => (value.is_array(), "an array"),
        Kind::Group { .. } => (value.is_object(), "an object"),
        Kind::Either { .. } | Kind::Raw { .. } => (true, ""),
    };
    if fits { Ok(()) } else { Err(format!("is not {name}")) }
}

/// A value as text to show or to type again.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Array(items) if !items.iter().any(|item| item.is_array() || item.is_object()) => {
            items.iter().map(schema::plain).collect::<Vec<_>>().join(", ")
        }
        other => schema::plain(other),
    }
}

/// Digits with a sign, nothing else, of any length.
pub(crate) fn integer(text: &str) -> Option<Value> {
    let (sign, digits) = split_sign(text);
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let digits = match digits.trim_start_matches('0') {
        "" => return Some(0.into()),
        digits => digits,
    };
    Some(spelled(format!("{sign}{digits}")))
}

/// A decimal number as typed; only what JSON does not allow is mended: `.5`, `+5`, `05`.
pub(crate) fn number(text: &str) -> Option<Value> {
    let (sign, rest) = split_sign(text);
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (int, fraction) = match mantissa.find('.') {
        Some(at) => mantissa.split_at(at),
        None => (mantissa, ""),
    };
    let fraction_ok = fraction.is_empty() || fraction.len() > 1 && is_digits(&fraction[1..]);
    let power = exponent.get(1..).unwrap_or_default();
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let exponent_ok = exponent.is_empty() || !power.is_empty() && is_digits(power);
    if !(is_digits(int) && fraction_ok && exponent_ok) || int.is_empty() && fraction.is_empty() {
        return None;
    }
    let int = match int.trim_start_matches('0') {
        "" => "0",
        int => int,
    };
    Some(spelled(format!("{sign}{int}{fraction}{exponent}")))
}

/// Parsing would respell an exponent (`1e3` as `1e+3`), and what is sent is what was typed. `text` is valid JSON.
fn spelled(text: String) -> Value {
    Value::Number(Number::from_string_unchecked(text))
}

fn split_sign(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number without a fraction as an integer: strict servers refuse `42.0` where they asked for an integer.
fn whole(number: &Number) -> Option<Value> {
    let text = number.to_string();
    let (int, fraction) = text.split_once('.').unwrap_or((&text, ""));
    fraction.bytes().all(|byte| byte == b'0').then(|| integer(int)).flatten()
}

/// Yes or no in the usual spellings.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The option that a typed value is, as the server wrote it: 2.0 is 2.
fn find(options: &[Choice], value: &Value) -> Option<Value> {
    let is_number = value.is_number();
    let same = |option: &&Choice| {
        option.value == *value
            || is_number && option.value.is_number() && plain_number(&option.value) == plain_number(value)
    };
    options.iter().find(same).map(|option| option.value.clone())
}

/// A number without the noughts that say nothing; one with an exponent is let be.
fn plain_number(value: &Value) -> String {
    let text = value.to_string();
    match text.split_once('.') {
        Some((int, fraction)) if !text.contains(['e', 'E']) => {
            let fraction = fraction.trim_end_matches('0');
            if fraction.is_empty() { int.to_owned() } else { format!("{int}.{fraction}") }
        }
        _ => text,
    }
}

/// By exact value, else by title or value without regard to case where only one option is meant.
fn choice(options: &[Choice], text: &str) -> Result<Value, String> {
    if let Some(exact) = options.iter().find(|option| schema::plain(&option.value) == text) {
        return Ok(exact.value.clone());
    }
    if let Some(option) = number(text).and_then(|number| find(options, &number)) {
        return Ok(option);
    }
    let wanted = text.to_lowercase();
    let same = |name: &str| name.to_lowercase() == wanted;
    let mut named = options
        .iter()
        .filter(|option| option.title.as_deref().is_some_and(same) || same(&schema::plain(&option.value)));
    match (named.next(), named.next()) {
        (Some(only), None) => Ok(only.value.clone()),
        (Some(_), Some(_)) => Err("may mean more than one of the options".into()),
        (None, _) => Err(not_an_option(options)),
    }
}

fn describe(option: &Choice) -> String {
    let value = show(&option.value);
    match &option.title {
        Some(title) if *title != value => format!("{value} ({title})"),
        _ => value,
    }
}

/// One option, options separated by commas, or a JSON array; an option named twice counts once.
fn choices(options: &[Choice], text: &str) -> Result<Value, String> {
    let parts: Vec<Value> = match serde_json::from_str(text) {
        _ if text.is_empty() => Vec::new(),
        Ok(Value::Array(items)) => items,
        _ if choice(options, text).is_ok() => vec![text.into()],
        _ => text.split(',').map(|part| part.trim().into()).collect(),
    };
    let mut chosen = Vec::new();
    for part in parts {
        let value = member(options, &part)?;
        if !chosen.contains(&value) {
            chosen.push(value);
        }
    }
    Ok(chosen.into())
}

/// One item of a choice of many.
fn member(options: &[Choice], item: &Value) -> Result<Value, String> {
    if let Some(option) = find(options, item) {
        return Ok(option);
    }
    match item {
        Value::String(text) => {
            choice(options, text).map_err(|reason| format!("has `{}`, which {reason}", schema::one_line(text)))
        }
        other => Err(format!("has `{}`, which {}", schema::one_line(&other.to_string()), not_an_option(options))),
    }
}

fn not_an_option(options: &[Choice]) -> String {
    format!("is not one of: {}", schema::list(options.iter().map(describe)))
}

fn raw(field: &Field, text: &str) -> Result<Value, String> {
    let as_text = Value::from(text);
    match serde_json::from_str(text) {
        Ok(value) => check(field, &value).map(|()| value).or_else(|reason| match check(field, &as_text) {
            Ok(()) => Ok(as_text),
            Err(_) => Err(reason),
        }),
        Err(error) => match check(field, &as_text) {
            Ok(()) => Ok(as_text),
            Err(reason) => Err(format!("{reason}, and not JSON: {error}")),
        },
    }
}
