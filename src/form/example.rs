//! Values that fit, for a stub to edit: what the schema offers itself, else something plain. Pure.

use super::field::{Bound, Field, Kind};
use super::{Form, value};
use serde_json::{Map, Value};

/// Content with the required fields, the same at every level.
pub(crate) fn example(form: &Form) -> Map<String, Value> {
    match value_of(&form.top) {
        Value::Object(content) => content,
        _ => Map::new(),
    }
}

/// A value for one field: a default, an example of the server's, a first choice, or the plainest thing that fits.
pub(super) fn value_of(field: &Field) -> Value {
    let offered = [&field.default, &field.example].into_iter().flatten();
    if let Some(fits) = offered.filter_map(|offered| value::settle(field, offered).ok()).next() {
        return fits;
    }
    match &field.kind {
        Kind::Text { format, min, .. } => text(field, format.as_deref(), min.unwrap_or(0)),
        Kind::Integer { min, max } | Kind::Number { min, max } => nearest_zero(min.as_ref(), max.as_ref(), field),
        Kind::Boolean => false.into(),
        Kind::Choice { options } => options.first().map_or(Value::Null, |option| option.value.clone()),
        Kind::Choices { options, min_items, .. } => {
            let n = min_items.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
            options.iter().take(n).map(|option| option.value.clone()).collect()
        }
        Kind::Group { fields, .. } => {
            let required = fields.iter().filter(|field| field.required);
            Value::Object(required.map(|field| (field.name.clone(), value_of(field))).collect())
        }
        Kind::List { item, min_items, .. } => vec![value_of(item); (*min_items).min(10)].into(),
        Kind::Either { branches } => branches.first().map_or(Value::Null, value_of),
        Kind::Raw { blank } => blank.clone(),
    }
}

fn text(field: &Field, format: Option<&str>, min: u64) -> Value {
    let known = match format {
        Some("email") => "name@example.com",
        Some("uri") => "https://example.com/",
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("time") => "12:00:00Z",
        Some("uuid") => "00000000-0000-0000-0000-000000000000",
        _ => "",
    };
    let missing = min.saturating_sub(known.chars().count() as u64).min(1_000);
    // Blanks would fill a required text with nothing that is seen.
    let plain = Value::String(known.chars().chain((0..missing).map(|_| 'x')).collect());
    if value::check(field, &plain).is_ok() {
        return plain;
    }
    // Most patterns are for so many letters or digits.
    let mut same = (1..=16).flat_map(|n| ["0", "a", "A"].map(|one| Value::from(one.repeat(n))));
    same.find(|text| value::check(field, text).is_ok()).unwrap_or(plain)
}

/// 0 where it fits, else an end of the range or what is next to it.
fn nearest_zero(min: Option<&Bound>, max: Option<&Bound>, field: &Field) -> Value {
    let near = |bound: &Bound| {
        let next = match (bound.value.as_i64(), bound.value.as_f64()) {
            (Some(end), _) => [end.checked_add(1), end.checked_sub(1)].map(Value::from),
            (None, Some(end)) => [end + 1.0, end - 1.0].map(Value::from),
            (None, None) => Default::default(),
        };
        std::iter::once(Value::Number(bound.value.clone())).chain(next)
    };
    let mut tried = std::iter::once(Value::from(0)).chain([min, max].into_iter().flatten().flat_map(near));
    tried.find(|candidate| value::check(field, candidate).is_ok()).unwrap_or_else(|| 0.into())
}
