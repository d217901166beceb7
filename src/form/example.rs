//! Made-up content that a form takes: for entries to fill in, and for calls where any valid answer will do. Pure.

use super::field::{Bound, Field, Kind};
use super::{Form, value};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;

/// How what may be anything is made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taste {
    /// Left empty where that fits, for a person to fill in.
    Blank,
    /// As if somebody had answered.
    Lively,
}

/// Content with the required fields, the same at every level; what is given for the form's fields stays.
pub(crate) fn example(form: &Form, given: &Map<String, Value>, taste: Taste) -> Map<String, Value> {
    let mut given = given.clone();
    if matches!(form.top.kind, Kind::Group { .. }) && !form.open && form.entries().is_none() {
        let known: HashSet<&str> = form.fields().iter().map(|field| field.name.as_str()).collect();
        given.retain(|name, _| known.contains(name.as_str()));
    }
    let made = |all: bool| match &form.top.kind {
        Kind::Group { fields, entries } => group(fields, entries.as_deref(), &given, taste, all),
        _ => match with_given(&form.top, &given.clone().into(), taste) {
            Value::Object(content) => content,
            _ => Map::new(),
        },
    };
    let fits = |content: &Map<String, Value>| form.problems(content).is_none_or(|problems| problems.is_empty());
    let content = made(false);
    if fits(&content) {
        return content;
    }
    // Some rule among the fields may want one that none requires by itself.
    let mut more = std::iter::once_with(|| made(true)).chain(branches(form, &content, taste).take(MAX_BRANCHES));
    let found = more.find(fits);
    drop(more);
    found.unwrap_or(content)
}

/// The content with what one of the alternatives of the whole schema requires.
fn branches(form: &Form, content: &Map<String, Value>, taste: Taste) -> impl Iterator<Item = Map<String, Value>> {
    let schema = form.whole.as_ref().map(|whole| whole.schema());
    let alternatives = ["oneOf", "anyOf"].into_iter().filter_map(move |word| schema?.get(word)?.as_array()).flatten();
    alternatives.map(move |branch| {
        let names = branch.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut content = content.clone();
        for name in names {
            let field = form.fields().iter().find(|field| field.name == name);
            let value = || field.map_or_else(|| "example".into(), |field| made_up(field, taste));
            content.entry(name).or_insert_with(value);
        }
        content
    })
}

/// Where content does not fit: the names of the fields, and whether it is all that is wrong.
pub(crate) fn unfit(form: &Form, content: &Map<String, Value>) -> (Vec<String>, bool) {
    let Some(problems) = form.problems(content) else { return (Vec::new(), true) };
    let name = |field: &Field| Some(field.name.clone()).filter(|name| content.contains_key(name));
    let is_unfit = |field: &&Field| content.get(&field.name).is_some_and(|value| value::check(field, value).is_err());
    let names: Vec<String> = form.fields().iter().filter(is_unfit).filter_map(name).collect();
    let explains = problems.is_empty() || !names.is_empty();
    (names, explains)
}

/// A value for one field, for a person to edit.
pub(super) fn value_of(field: &Field) -> Value {
    made_up(field, Taste::Blank)
}

/// A value for one field: a default, an example of the server's, a first choice, or the plainest thing that fits.
pub(super) fn made_up(field: &Field, taste: Taste) -> Value {
    let offered = [&field.default, &field.example].into_iter().flatten();
    if let Some(fits) = offered.filter_map(|offered| value::settle(field, offered).ok()).next() {
        return fits;
    }
    let mut first = None;
    for candidate in candidates(field, taste) {
        if value::check(field, &candidate).is_ok() {
            return candidate;
        }
        first.get_or_insert(candidate);
    }
    first.unwrap_or_default()
}

/// What is given, with what it lacks made up.
fn with_given(field: &Field, given: &Value, taste: Taste) -> Value {
    match (&field.kind, given) {
        (Kind::Group { fields, entries }, Value::Object(members)) => {
            group(fields, entries.as_deref(), members, taste, false).into()
        }
        (Kind::List { item, .. }, Value::Array(items)) => {
            items.iter().map(|given| with_given(item, given, taste)).collect()
        }
        (Kind::Either { branches }, _) => {
            let settled = value::settle(field, given).unwrap_or_else(|_| given.clone());
            if branches.iter().any(|branch| value::check(branch, &settled).is_ok()) {
                return settled;
            }
            let mut made = branches.iter().map(|branch| (branch, with_given(branch, given, taste)));
            made.find(|(branch, made)| value::check(branch, made).is_ok()).map_or(settled, |(_, made)| made)
        }
        _ => value::settle(field, given).unwrap_or_else(|_| given.clone()),
    }
}

/// `given`, with what the group requires beside it; with everything it knows of, where `all` is set.
fn group(
    fields: &[Field],
    entries: Option<&Field>,
    given: &Map<String, Value>,
    taste: Taste,
    all: bool,
) -> Map<String, Value> {
    let mut content = Map::new();
    for field in fields {
        match given.get(&field.name) {
            Some(given) => content.insert(field.name.clone(), with_given(field, given, taste)),
            None if field.required || all => content.insert(field.name.clone(), made_up(field, taste)),
            None => None,
        };
    }
    for (name, given) in given {
        if !content.contains_key(name) {
            let value = entries.map_or_else(|| given.clone(), |entry| with_given(entry, given, taste));
            content.insert(name.clone(), value);
        }
    }
    content
}

/// What comes to mind, the best first.
fn candidates(field: &Field, taste: Taste) -> Box<dyn Iterator<Item = Value> + '_> {
    match &field.kind {
        Kind::Text { format, min, .. } => Box::new(texts(field, format.as_deref(), min.unwrap_or(1), taste)),
        Kind::Integer { min, max } | Kind::Number { min, max } => {
            let plain = if taste == Taste::Blank { 0 } else { 1 };
            let near = [inside(min.as_ref(), 1.0), inside(max.as_ref(), -1.0)].into_iter().flatten();
            let round = [0, 1, 10, 100].map(Value::from);
            let half = [0.5, -0.5].into_iter().filter_map(|n| Number::from_f64(n).map(Value::from));
            let between = between(field, min.as_ref(), max.as_ref());
            Box::new(std::iter::once(plain.into()).chain(near).chain(round).chain(half).chain(between))
        }
        Kind::Boolean => Box::new([taste == Taste::Lively, taste == Taste::Blank].map(Value::from).into_iter()),
        Kind::Choice { options } => Box::new(options.iter().map(|option| option.value.clone())),
        Kind::Choices { options, min_items, .. } => {
            let few = min_items.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
            let some = if taste == Taste::Lively { few.max(1) } else { few };
            let first = |n: usize| options.iter().take(n).map(|option| option.value.clone()).collect();
            Box::new([some, few, options.len()].into_iter().map(first))
        }
        Kind::Group { fields, entries } => {
            let whole = [false, true].into_iter().map(move |all| group(fields, None, &Map::new(), taste, all).into());
            let entry = entries.iter().map(move |entry| {
                let mut content = group(fields, None, &Map::new(), taste, false);
                content.insert(KEY.into(), made_up(entry, taste));
                content.into()
            });
            Box::new(whole.chain(entry))
        }
        Kind::List { item, min_items, unique, .. } => {
            let few = (*min_items).min(MAX_ITEMS);
            let some = if taste == Taste::Lively { few.max(1) } else { few };
            Box::new([some, few].into_iter().map(move |n| items(item, n, *unique, taste).into()))
        }
        Kind::Either { branches } => Box::new(branches.iter().map(move |branch| made_up(branch, taste))),
        Kind::Raw { blank } => {
            let empty = [blank.clone(), Value::Null, Map::new().into(), Vec::<Value>::new().into()];
            let plain = ["", "example"].map(Value::from).into_iter().chain([1.into(), true.into()]);
            Box::new(empty.into_iter().chain(plain).chain(SAMPLES.iter().map(|(_, sample)| (*sample).into())))
        }
    }
}

fn texts<'a>(field: &'a Field, format: Option<&str>, min: u64, taste: Taste) -> impl Iterator<Item = Value> + 'a {
    let blank = (taste == Taste::Blank).then_some("");
    let known = SAMPLES.iter().find(|(name, _)| Some(*name) == format).map(|(_, sample)| *sample);
    let word = field.name.split_whitespace().next().unwrap_or("text");
    // Blanks would fill a required text with nothing that is seen.
    let n = usize::try_from(min).unwrap_or(1).clamp(1, MAX_LENGTH);
    let long = ["x", "1"].into_iter().map(move |character| character.repeat(n));
    let (short, others): (Vec<_>, Vec<_>) = match taste {
        // Something to write over, rather than something that means anything.
        Taste::Blank => (long.collect(), Vec::new()),
        Taste::Lively => (Vec::new(), long.collect()),
    };
    let words = ["example", word, "x", "1"].into_iter().chain(SAMPLES.iter().map(|(_, sample)| *sample));
    // Most patterns are for so many letters or digits.
    let same = (1..=16).flat_map(|n| ["0", "a", "A"].map(|one| one.repeat(n)));
    // A text may be told to be empty.
    let texts = short.into_iter().chain(words.map(str::to_owned)).chain(others).chain(same).chain([String::new()]);
    blank.into_iter().chain(known).map(str::to_owned).chain(texts).map(Value::from)
}

/// So many items, all of them different where they have to be.
fn items(item: &Field, n: usize, unique: bool, taste: Taste) -> Vec<Value> {
    if !unique {
        return if n == 0 { Vec::new() } else { vec![made_up(item, taste); n] };
    }
    let mut items: Vec<Value> = Vec::new();
    let numbered = (1..=n).flat_map(|number| [Value::from(number), format!("{number}").into()]);
    for candidate in std::iter::once(made_up(item, taste)).chain(candidates(item, taste)).chain(numbered) {
        if items.len() < n && !items.contains(&candidate) && value::check(item, &candidate).is_ok() {
            items.push(candidate);
        }
    }
    items
}

/// The longest text, and the longest list, that is made up.
const MAX_LENGTH: usize = 10_000;
const MAX_ITEMS: usize = 1_000;
/// How many alternatives of a whole form are tried.
const MAX_BRANCHES: usize = 100;

/// The name of an entry where names are free.
pub(super) const KEY: &str = "key";

/// A text of each format.
const SAMPLES: &[(&str, &str)] = &[
    ("email", "name@example.com"),
    ("uri", "https://example.com/"),
    ("date", "2026-01-31"),
    ("date-time", "2026-01-31T12:00:00Z"),
    ("time", "12:00:00Z"),
    ("uuid", "00000000-0000-4000-8000-000000000000"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("hostname", "example.com"),
];

/// Numbers that are multiples of what they have to be, and one in the middle.
fn between(field: &Field, min: Option<&Bound>, max: Option<&Bound>) -> impl Iterator<Item = Value> + use<> {
    let number = |bound: Option<&Bound>| bound?.value.to_string().parse::<f64>().ok();
    let (min, max) = (number(min), number(max));
    let step = field.keyword("multipleOf").and_then(Value::as_f64).filter(|step| *step > 0.0);
    let multiples = step.into_iter().flat_map(move |step| {
        let low = min.map(|min| (min / step).ceil());
        let high = max.map(|max| (max / step).floor());
        [Some(1.0), low, low.map(|n| n + 1.0), high, high.map(|n| n - 1.0)].into_iter().flatten().map(move |n| n * step)
    });
    multiples.chain(min.zip(max).map(|(min, max)| f64::midpoint(min, max))).filter_map(|number| {
        match number.fract() == 0.0 && number.abs() < 9e15 {
            true => Some((number as i64).into()),
            false => Number::from_f64(number).map(Value::from),
        }
    })
}

/// A number a little inside of a bound; `step` says on which side that is.
fn inside(bound: Option<&Bound>, step: f64) -> Option<Value> {
    let bound = bound?;
    if bound.exclusive { beyond(bound, step) } else { Some(bound.value.clone().into()) }
}

/// The bound moved by a whole step; exact for whole numbers that fit into 128 bits.
pub(super) fn beyond(bound: &Bound, step: f64) -> Option<Value> {
    let text = bound.value.to_string();
    if let Ok(whole) = text.parse::<i128>() {
        let moved = if step < 0.0 { whole.checked_sub(1) } else { whole.checked_add(1) };
        return serde_json::from_str(&moved?.to_string()).ok();
    }
    Number::from_f64(text.parse::<f64>().ok()? + step).map(Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::complete;
    use serde_json::json;

    #[test]
    fn what_is_made_up_fits() {
        let properties = json!({
            "plain": { "type": "string" },
            "long": { "type": "string", "minLength": 12, "maxLength": 12 },
            "mail": { "type": "string", "format": "email" },
            "day": { "type": "string", "format": "date" },
            "code": { "type": "string", "pattern": "^[0-9]{4}$", "minLength": 4 },
            "fraction": { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5 },
            "step": { "type": "integer", "minimum": 10, "maximum": 20, "multipleOf": 7 },
            "few": { "type": "integer", "minimum": 3, "maximum": 4 },
            "below": { "type": "number", "exclusiveMaximum": -2.5 },
            "huge": { "type": "integer", "minimum": 9007199254740993_i64 },
            "yes": { "type": "boolean" },
            "one": { "type": "string", "enum": ["a", "b"] },
            "some": { "type": "array", "items": { "enum": ["a", "b", "c"] }, "minItems": 2 },
            "maybe": { "anyOf": [{ "type": "integer", "minimum": 5 }, { "type": "null" }] },
            "nested": { "type": "object" },
            "set": { "type": "integer", "default": 7 },
            "shown": { "type": "string", "examples": ["like this"] },
            "group": { "type": "object", "required": ["a"], "minProperties": 2,
                "properties": { "a": { "type": "integer", "minimum": 2 }, "b": { "type": "string" } } },
            "list": { "type": "array", "minItems": 3, "uniqueItems": true, "items": { "type": "string", "minLength": 1 } },
            "rows": { "type": "array", "minItems": 1,
                "items": { "type": "object", "required": ["n"], "properties": { "n": { "type": "number", "minimum": 1 } } } },
            "map": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 4 }, "minProperties": 1 },
            "union": { "oneOf": [{ "type": "object", "required": ["k", "v"],
                "properties": { "k": { "const": "a" }, "v": { "type": "string", "minLength": 1 } } }, { "type": "boolean" }] },
        });
        let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
        let form = Form::new(&json!({ "type": "object", "properties": properties, "required": names }));
        for taste in [Taste::Blank, Taste::Lively] {
            let content = example(&form, &Map::new(), taste);
            assert_eq!(complete(&form, &content, false).as_ref(), Ok(&content), "{taste:?}");
            assert_eq!((&content["set"], &content["huge"]), (&json!(7), &json!(9007199254740993_i64)));
            assert_eq!(content["shown"], "like this");
        }
        assert_eq!(example(&form, &Map::new(), Taste::Blank)["plain"], "");
        assert_eq!(example(&form, &Map::new(), Taste::Lively)["plain"], "example");
    }

    #[test]
    fn what_the_form_as_a_whole_wants_is_there() {
        let branch = |tag: &str, name: &str| {
            json!({ "type": "object", "required": ["tag", name],
                "properties": { "tag": { "const": tag }, name: { "type": "integer" } } })
        };
        for (schema, given, expected) in [
            (json!({ "properties": { "a": { "type": "integer" } }, "minProperties": 1 }), json!({}), json!({ "a": 0 })),
            (json!({ "oneOf": [branch("x", "n"), branch("y", "m")] }), json!({}), json!({ "tag": "x", "n": 0 })),
            (
                json!({ "properties": {}, "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
                json!({}),
                json!({ "a": "example" }),
            ),
            (
                json!({ "oneOf": [branch("x", "n"), branch("y", "m")] }),
                json!({ "tag": "y" }),
                json!({ "tag": "y", "m": 0 }),
            ),
        ] {
            let content = example(&Form::new(&schema), given.as_object().unwrap(), Taste::Blank);
            assert_eq!(Value::from(content), expected, "{schema}");
        }
    }

    #[test]
    fn what_is_given_stays_and_nothing_optional_is_added() {
        let form = Form::new(&json!({ "type": "object", "required": ["a", "b", "g"], "properties": {
            "a": { "type": "integer" }, "b": { "type": "string" }, "c": { "type": "string" }, "d": { "type": "integer" },
            "g": { "type": "object", "required": ["h", "i"], "properties": {
                "h": { "type": "integer" }, "i": { "type": "string" }, "j": { "type": "string" } } },
            "l": { "type": "array", "items": { "type": "object", "required": ["m"], "properties": { "m": { "type": "integer" } } } } } }));
        let given = json!({ "a": "5", "c": "x", "other": 1, "g": { "h": "6" }, "l": [{ "m": 7 }, {}] });
        let content = example(&form, given.as_object().unwrap(), Taste::Blank);
        let expected = json!({ "a": 5, "b": "", "c": "x", "g": { "h": 6, "i": "" }, "l": [{ "m": 7 }, { "m": 0 }] });
        assert_eq!(Value::from(content), expected);
    }
}
