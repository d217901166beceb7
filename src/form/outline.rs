//! The fields of a schema as lines of a table, those within others by their path. Pure.

use super::field::{Choice, Field, Kind};
use super::{Form, limits};
use serde_json::Value;

/// One field, in words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// `a`, `a.b`; `a[].b` within each item of a list, `a.*` for a member of any name.
    pub(crate) path: String,
    /// The type in the words of JSON Schema.
    pub(crate) sort: String,
    /// Whether the object it stands in must have it.
    pub(crate) required: bool,
    /// What the server says about it.
    pub(crate) description: Option<String>,
    /// Options, limits, default, each a few words.
    pub(crate) facts: Vec<String>,
}

/// More options than this are not all shown.
const MAX_OPTIONS: usize = 24;
/// Longer values are cut.
const MAX_VALUE: usize = 80;

/// A line for each field, at every depth.
pub(crate) fn outline(form: &Form) -> Vec<Line> {
    let mut lines = Vec::new();
    parts(&form.top, "", &mut lines);
    lines
}

fn line(field: &Field, path: &str, lines: &mut Vec<Line>) {
    lines.push(Line {
        path: path.to_owned(),
        sort: sort(field),
        required: field.required,
        description: field.description.clone().or_else(|| telling_title(field)),
        facts: facts(field),
    });
    parts(field, path, lines);
}

/// A title that says more than the name does.
fn telling_title(field: &Field) -> Option<String> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    field.title.clone().filter(|title| !field.name.is_empty() && plain(title) != plain(&field.name))
}

/// What stands within a field.
fn parts(field: &Field, path: &str, lines: &mut Vec<Line>) {
    let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match &field.kind {
        Kind::Group { fields, entries } => {
            fields.iter().for_each(|field| line(field, &within(&field.name), lines));
            if let Some(entry) = entries {
                let mut any = (**entry).clone();
                any.required = false;
                line(&any, &within("*"), lines);
            }
        }
        Kind::List { item, .. } => parts(item, &format!("{path}[]"), lines),
        Kind::Either { branches } if branches.iter().any(|branch| !branch.is_leaf()) => {
            for branch in branches {
                let head = format!("{path}: {}", branch.label());
                lines.push(Line {
                    path: head.trim_start_matches(": ").to_owned(),
                    sort: sort(branch),
                    required: false,
                    description: branch.description.clone(),
                    facts: facts(branch),
                });
                parts(branch, path, lines);
            }
        }
        _ => {}
    }
}

fn sort(field: &Field) -> String {
    match &field.kind {
        Kind::Text { .. } => "string".into(),
        Kind::Integer { .. } => "integer".into(),
        Kind::Number { .. } => "number".into(),
        Kind::Boolean => "boolean".into(),
        Kind::Choice { options } => sort_of(options),
        Kind::Choices { options, .. } => format!("array of {}", sort_of(options)),
        Kind::Group { .. } => "object".into(),
        Kind::List { item, .. } => format!("array of {}", sort(item)),
        Kind::Either { branches } => {
            let mut sorts: Vec<String> = branches.iter().map(sort).collect();
            sorts.dedup();
            if sorts.len() > 3 { "one of several".into() } else { sorts.join(" or ") }
        }
        Kind::Raw { blank: Value::Object(_) } => "object".into(),
        Kind::Raw { blank: Value::Array(_) } => "array".into(),
        Kind::Raw { .. } => "any".into(),
    }
}

fn sort_of(options: &[Choice]) -> String {
    let name = |option: &Choice| match option.value {
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Null => "null",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let mut names: Vec<&str> = options.iter().map(name).collect();
    names.dedup();
    if names.len() > 2 || names.is_empty() { "any".into() } else { names.join(" or ") }
}

fn facts(field: &Field) -> Vec<String> {
    let mut facts = limits_of(field);
    if field.nullable {
        facts.push("may be null".into());
    }
    if let Some(default) = &field.default {
        facts.push(format!("default {}", short(default)));
    } else if let Some(example) = &field.example {
        facts.push(format!("for example {}", short(example)));
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

fn limits_of(field: &Field) -> Vec<String> {
    match &field.kind {
        Kind::Text { format, min, max } => {
            let format = format.as_ref().map(|format| format!("format {format}")).unwrap_or_default();
            let pattern = field.keyword("pattern").and_then(Value::as_str);
            let pattern = pattern.map(|pattern| format!("matches /{pattern}/")).unwrap_or_default();
            vec![format, limits::length(*min, *max), pattern]
        }
        Kind::Integer { min, max } | Kind::Number { min, max } => {
            let step = field.keyword("multipleOf").map(|step| format!("a multiple of {step}")).unwrap_or_default();
            vec![limits::range(min.as_ref(), max.as_ref()), step]
        }
        Kind::Choice { options } if options.len() == 1 => vec![format!("always {}", listed(options))],
        Kind::Choice { options } => vec![format!("one of {}", listed(options))],
        Kind::Choices { options, min_items, max_items } => {
            vec![format!("of {}", listed(options)), items(limits::how_many(min_items.unwrap_or(0), *max_items))]
        }
        Kind::List { item, min_items, max_items, unique } => {
            let mut facts = vec![items(limits::how_many(*min_items as u64, max_items.map(|max| max as u64)))];
            facts.extend(unique.then(|| "none twice".to_owned()));
            let each = facts_of_item(item);
            facts.extend(Some(format!("each {each}")).filter(|_| !each.is_empty()));
            facts
        }
        Kind::Either { branches } if branches.iter().all(Field::is_leaf) => {
            branches.iter().flat_map(limits_of).collect()
        }
        Kind::Boolean | Kind::Group { .. } | Kind::Either { .. } | Kind::Raw { .. } => Vec::new(),
    }
}

fn facts_of_item(item: &Field) -> String {
    if item.is_leaf() { facts(item).join(", ") } else { String::new() }
}

fn items(how_many: String) -> String {
    match how_many.as_str() {
        "" => how_many,
        one if one.ends_with(" 1") => format!("{how_many} item"),
        _ => format!("{how_many} items"),
    }
}

/// The options as they are sent, with what they are called where that is something else.
fn listed(options: &[Choice]) -> String {
    let shown = options.iter().take(MAX_OPTIONS).map(|option| {
        let value = short(&option.value);
        match &option.title {
            Some(title) if option.value != *title.as_str() => format!("{value} ({title})"),
            _ => value,
        }
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match options.len().saturating_sub(MAX_OPTIONS) {
        0 => shown,
        n_more => format!("{shown} and {n_more} more"),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_VALUE { text } else { text.chars().take(MAX_VALUE).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_field_has_its_line() {
        let schema = json!({ "type": "object", "required": ["name", "to", "pay"], "properties": {
            "name": { "type": "string", "minLength": 2, "pattern": "^a", "description": "Who" },
            "copies": { "type": "integer", "minimum": 1, "exclusiveMaximum": 5, "multipleOf": 2, "default": 2 },
            "size": { "enum": ["s", "m"], "title": "Size" },
            "red": { "oneOf": [{ "const": "#f00", "title": "Red" }, { "const": "#00f", "title": "Blue" }] },
            "some": { "type": "array", "items": { "enum": ["a", "b"] }, "maxItems": 1 },
            "tags": { "type": "array", "items": { "type": "string", "maxLength": 3 }, "uniqueItems": true },
            "to": { "type": "object", "required": ["city"], "properties": {
                "city": { "type": "string" }, "zip": { "anyOf": [{ "type": "integer" }, { "type": "null" }] } } },
            "rows": { "type": "array", "minItems": 1, "items": { "type": "object",
                "properties": { "n": { "type": "number", "examples": [1.5] } } } },
            "seats": { "type": "object", "additionalProperties": { "type": "integer" } },
            "pay": { "oneOf": [
                { "title": "Card", "type": "object", "properties": { "no": { "type": "string" } } },
                { "title": "Cash", "type": "boolean" }] },
            "budget": { "anyOf": [{ "type": "integer" }, { "const": "none" }] },
            "extra": {} } });
        let shown = outline(&Form::arguments(&schema)).into_iter().map(|line| {
            let required = if line.required { "!" } else { "" };
            let description = line.description.map(|text| format!(" {text}:")).unwrap_or_default();
            format!("{}{required} {}{description} {}", line.path, line.sort, line.facts.join("; "))
                .trim_end()
                .to_owned()
        });
        let expected = [
            "name! string Who: at least 2 characters; matches /^a/",
            "copies integer from 1 below 5; a multiple of 2; default 2",
            r#"size string one of "s", "m""#,
            r##"red string one of "#f00" (Red), "#00f" (Blue)"##,
            r#"some array of string of "a", "b"; at most 1 item"#,
            "tags array of string none twice; each at most 3 characters",
            "to! object",
            "to.city! string",
            "to.zip integer may be null",
            "rows array of object at least 1 item",
            "rows[].n number for example 1.5",
            "seats object",
            "seats.* integer",
            "pay! object or boolean",
            "pay: Card object",
            "pay.no string",
            "pay: Cash boolean",
            r#"budget integer or string always "none""#,
            "extra any",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}
