//! Contents with one thing wrong: what a server should refuse. Pure.

use super::example::{KEY, Taste, beyond, made_up};
use super::field::{Bound, Field, Kind};
use super::{Form, value};
use serde_json::{Map, Value, json};

/// One thing wrong.
struct Flaw {
    /// Where, by names: `a.b` for the field `b` of the group `a`.
    at: String,
    /// What is wrong with the value there; `None` where it is missing.
    what: Option<&'static str>,
    /// The value with the flaw in it, seen from further and further up.
    value: Value,
}

impl Flaw {
    fn here(what: &'static str, value: Value) -> Self {
        Flaw { at: String::new(), what: Some(what), value }
    }

    /// The same in what has it as a part.
    fn within(self, name: &str, whole: impl FnOnce(Value) -> Value) -> Self {
        let at = if self.at.is_empty() { name.to_owned() } else { format!("{name}.{}", self.at) };
        Flaw { at, what: self.what, value: whole(self.value) }
    }

    fn name(&self) -> String {
        match (self.what, self.at.as_str()) {
            (None, at) => format!("without {at}"),
            (Some(what), "") => what.to_owned(),
            (Some(what), at) => format!("{at} {what}"),
        }
    }
}

/// The content with one thing wrong each time, in a few words: first each field that is missing, then what is wrong with
/// the values of each, as far as it can be told from its kind.
pub(crate) fn wrong(form: &Form, content: &Map<String, Value>) -> Vec<(String, Map<String, Value>)> {
    let whole = Value::Object(content.clone());
    let mut found = parts(&form.top, &whole);
    one_each(&mut found);
    let is_wrong = |content: &Map<String, Value>| form.problems(content).is_none_or(|problems| !problems.is_empty());
    let named = found.into_iter().map(|flaw| (flaw.name(), flaw.value));
    let contents = named.filter_map(|(name, value)| match value {
        Value::Object(content) if is_wrong(&content) => Some((name, content)),
        _ => None,
    });
    contents.collect()
}

/// What is wrong with a field, or with a part of it; `value` is what is right.
fn flaws(field: &Field, value: Option<&Value>) -> Vec<Flaw> {
    let mut found = vec![Flaw::here("of a wrong type", other_type(field))];
    found.extend(own(field));
    let right = value.cloned().unwrap_or_else(|| made_up(field, Taste::Lively));
    found.extend(parts(field, &right));
    found.retain(|flaw| value::check(field, &flaw.value).is_err());
    one_each(&mut found);
    found
}

fn one_each(found: &mut Vec<Flaw>) {
    let mut names = std::collections::HashSet::new();
    found.retain(|flaw| names.insert(flaw.name()));
}

/// What is wrong with the parts of a value.
fn parts(field: &Field, right: &Value) -> Vec<Flaw> {
    match (&field.kind, right) {
        (Kind::Group { fields, entries }, Value::Object(members)) => {
            let missing = fields.iter().filter(|field| field.required && members.contains_key(&field.name));
            let missing = missing.map(|field| {
                let mut less = members.clone();
                less.shift_remove(&field.name);
                Flaw { at: field.name.clone(), what: None, value: less.into() }
            });
            let more = |name: &str, value: Value| {
                let mut other = members.clone();
                other.insert(name.to_owned(), value);
                Value::Object(other)
            };
            let known = fields.iter().map(|field| (field.name.as_str(), field));
            let is_free = |name: &&String| !fields.iter().any(|field| field.name == **name);
            let entry =
                entries.iter().map(|entry| (members.keys().find(is_free).map_or(KEY, String::as_str), &**entry));
            let wrong = known.chain(entry).flat_map(|(name, field)| {
                let flaws = flaws(field, members.get(name)).into_iter();
                flaws.map(move |flaw| flaw.within(name, |value| more(name, value)))
            });
            missing.chain(wrong).collect()
        }
        (Kind::List { item, .. }, Value::Array(items)) => {
            let flaws = flaws(item, items.first()).into_iter();
            let whole = |value| std::iter::once(value).chain(items.iter().skip(1).cloned()).collect();
            flaws.map(|flaw| flaw.within("0", whole)).collect()
        }
        (Kind::Either { branches }, _) => {
            let taken = branches.iter().find(|branch| value::check(branch, right).is_ok());
            taken.map_or_else(Vec::new, |branch| flaws(branch, Some(right)))
        }
        _ => Vec::new(),
    }
}

/// Values that a field does not take, as far as it can be told from its kind.
fn own(field: &Field) -> Vec<Flaw> {
    let mut found = Vec::new();
    let mut add = |what, value: Option<Value>| found.extend(value.map(|value| Flaw::here(what, value)));
    match &field.kind {
        Kind::Text { format, min, max } => {
            let of_length = |n: u64| usize::try_from(n).ok().filter(|n| *n <= MAX_LENGTH).map(|n| "x".repeat(n).into());
            add("too short", min.filter(|min| *min > 0).and_then(|min| of_length(min - 1)));
            add("too long", max.and_then(|max| of_length(max + 1)));
            add("of a bad format", format.as_ref().map(|_| "not of that format".into()));
            // Where neither length nor format can be to blame.
            let lengths = min.unwrap_or(0)..=max.unwrap_or(u64::MAX);
            let odd = |text: &&&str| {
                lengths.contains(&(text.chars().count() as u64)) && value::check(field, &(**text).into()).is_err()
            };
            let misfit = if format.is_none() { MISFITS.iter().find(odd) } else { None };
            add("off its pattern", misfit.map(|text| (*text).into()));
        }
        Kind::Integer { min, max } | Kind::Number { min, max } => {
            let out = |bound: &Bound, step| {
                if bound.exclusive { Some(bound.value.clone().into()) } else { beyond(bound, step) }
            };
            add("too small", min.as_ref().and_then(|bound| out(bound, -1.0)));
            add("too large", max.as_ref().and_then(|bound| out(bound, 1.0)));
            let is_whole = matches!(field.kind, Kind::Integer { .. });
            add("not whole", is_whole.then(|| json!(1.5)));
        }
        Kind::Choice { .. } => add("not an option", Some(UNKNOWN.into())),
        Kind::Choices { options, min_items, max_items } => {
            let some = |n: u64| {
                let n = usize::try_from(n).ok().filter(|n| *n <= MAX_LENGTH && !options.is_empty())?;
                Some(options.iter().cycle().take(n).map(|option| option.value.clone()).collect())
            };
            add("not an option", Some(json!([UNKNOWN])));
            add("too few", min_items.filter(|min| *min > 0).and_then(|min| some(min - 1)));
            add("too many", max_items.and_then(|max| some(max + 1)));
        }
        Kind::List { item, min_items, max_items, unique } => {
            let one = made_up(item, Taste::Lively);
            let some = |n: usize| (n <= MAX_LENGTH).then(|| Value::from(vec![one.clone(); n]));
            add("too few", min_items.checked_sub(1).and_then(some));
            add("too many", max_items.and_then(|max| some(max.saturating_add(1))));
            let twice = (*min_items).max(2);
            add("the same twice", if *unique { some(twice) } else { None });
        }
        Kind::Boolean | Kind::Group { .. } | Kind::Either { .. } | Kind::Raw { .. } => {}
    }
    found
}

/// A value of another type; for a field that takes some JSON or other, one that it does not take, if there is any.
fn other_type(field: &Field) -> Value {
    let candidates = match &field.kind {
        Kind::Text { .. } => vec![json!(12345)],
        Kind::Integer { .. } | Kind::Number { .. } => vec!["not a number".into()],
        Kind::Boolean => vec!["maybe".into()],
        Kind::Choice { .. } => vec![json!({})],
        Kind::Choices { .. } | Kind::List { .. } => vec!["no list".into()],
        Kind::Group { .. } => vec!["no object".into()],
        Kind::Either { .. } | Kind::Raw { .. } => {
            vec!["no such thing".into(), json!(12345), json!(true), json!([]), json!({}), Value::Null]
        }
    };
    let misfit = candidates.iter().find(|value| value::check(field, value).is_err());
    misfit.or(candidates.first()).cloned().unwrap_or_default()
}

/// The longest text, and the longest list, that is sent to be too long.
const MAX_LENGTH: usize = 100_000;

/// Texts of which some pattern or other is broken by one.
const MISFITS: &[&str] = &["", "!", "no match", "0", "\u{1}", "ZZ"];

/// What no choice has.
const UNKNOWN: &str = "no such option";

#[cfg(test)]
mod tests {
    use super::*;

    fn told(schema: &Value, content: &Value) -> Vec<String> {
        let found = wrong(&Form::new(schema), content.as_object().unwrap());
        found.into_iter().map(|(name, content)| format!("{name}: {}", Value::from(content))).collect()
    }

    #[test]
    fn each_has_one_thing_wrong() {
        let properties = json!({
            "name": { "type": "string", "minLength": 2, "maxLength": 3 },
            "mail": { "type": "string", "format": "email" },
            "code": { "type": "string", "pattern": "^[0-9]+$" },
            "n": { "type": "integer", "minimum": 1, "exclusiveMaximum": 5 },
            "x": { "type": "number", "minimum": 0.5 },
            "yes": { "type": "boolean" },
            "one": { "type": "string", "enum": ["a"] },
            "some": { "type": "array", "items": { "enum": ["a", "b"] }, "minItems": 1, "maxItems": 2 },
            "any": {},
        });
        let schema = json!({ "type": "object", "properties": properties, "required": ["name", "n"] });
        let expected = [
            r#"without name: {"n":2}"#,
            r#"without n: {"name":"ab"}"#,
            r#"name of a wrong type: {"name":12345,"n":2}"#,
            r#"name too short: {"name":"x","n":2}"#,
            r#"name too long: {"name":"xxxx","n":2}"#,
            r#"mail of a wrong type: {"name":"ab","n":2,"mail":12345}"#,
            r#"mail of a bad format: {"name":"ab","n":2,"mail":"not of that format"}"#,
            r#"code of a wrong type: {"name":"ab","n":2,"code":12345}"#,
            r#"code off its pattern: {"name":"ab","n":2,"code":""}"#,
            r#"n of a wrong type: {"name":"ab","n":"not a number"}"#,
            r#"n too small: {"name":"ab","n":0}"#,
            r#"n too large: {"name":"ab","n":5}"#,
            r#"n not whole: {"name":"ab","n":1.5}"#,
            r#"x of a wrong type: {"name":"ab","n":2,"x":"not a number"}"#,
            r#"x too small: {"name":"ab","n":2,"x":-0.5}"#,
            r#"yes of a wrong type: {"name":"ab","n":2,"yes":"maybe"}"#,
            r#"one of a wrong type: {"name":"ab","n":2,"one":{}}"#,
            r#"one not an option: {"name":"ab","n":2,"one":"no such option"}"#,
            r#"some of a wrong type: {"name":"ab","n":2,"some":"no list"}"#,
            r#"some not an option: {"name":"ab","n":2,"some":["no such option"]}"#,
            r#"some too few: {"name":"ab","n":2,"some":[]}"#,
            r#"some too many: {"name":"ab","n":2,"some":["a","b","a"]}"#,
        ];
        assert_eq!(told(&schema, &json!({ "name": "ab", "n": 2 })), expected);
    }

    #[test]
    fn groups_lists_maps_and_unions_are_wrong_within() {
        let place = json!({ "type": "object", "required": ["city"],
            "properties": { "city": { "type": "string", "minLength": 1 } } });
        let schema = json!({ "type": "object", "required": ["place"], "properties": {
            "place": place,
            "rows": { "type": "array", "items": { "type": "integer" }, "uniqueItems": true, "maxItems": 2 },
            "map": { "type": "object", "additionalProperties": { "type": "boolean" } },
            "when": { "oneOf": [
                { "type": "object", "required": ["at"], "properties": { "at": { "type": "integer" } }, "additionalProperties": false },
                { "type": "boolean" }] },
        } });
        let content = json!({ "place": { "city": "Oslo" } });
        let rest = r#""place":{"city":"Oslo"}"#;
        let expected = [
            "without place: {}".to_owned(),
            r#"place of a wrong type: {"place":"no object"}"#.into(),
            r#"without place.city: {"place":{}}"#.into(),
            r#"place.city of a wrong type: {"place":{"city":12345}}"#.into(),
            r#"place.city too short: {"place":{"city":""}}"#.into(),
            format!(r#"rows of a wrong type: {{{rest},"rows":"no list"}}"#),
            format!(r#"rows too many: {{{rest},"rows":[1,1,1]}}"#),
            format!(r#"rows the same twice: {{{rest},"rows":[1,1]}}"#),
            format!(r#"rows.0 of a wrong type: {{{rest},"rows":["not a number"]}}"#),
            format!(r#"rows.0 not whole: {{{rest},"rows":[1.5]}}"#),
            format!(r#"map of a wrong type: {{{rest},"map":"no object"}}"#),
            format!(r#"map.key of a wrong type: {{{rest},"map":{{"key":"maybe"}}}}"#),
            format!(r#"when of a wrong type: {{{rest},"when":"no such thing"}}"#),
            format!(r#"without when.at: {{{rest},"when":{{}}}}"#),
            format!(r#"when.at of a wrong type: {{{rest},"when":{{"at":"not a number"}}}}"#),
            format!(r#"when.at not whole: {{{rest},"when":{{"at":1.5}}}}"#),
        ];
        assert_eq!(told(&schema, &content), expected);
    }

    #[test]
    fn a_form_may_be_one_of_several() {
        let branch = |tag: &str| {
            json!({ "type": "object", "required": ["tag"],
                "properties": { "tag": { "const": tag }, "n": { "type": "boolean" } } })
        };
        let schema = json!({ "oneOf": [branch("x"), branch("y")] });
        let expected = [
            r#"without tag: {}"#,
            r#"tag of a wrong type: {"tag":{}}"#,
            r#"tag not an option: {"tag":"no such option"}"#,
            r#"n of a wrong type: {"tag":"y","n":"maybe"}"#,
        ];
        assert_eq!(told(&schema, &json!({ "tag": "y" })), expected);
    }
}
