//! A `requestedSchema` → the fields a person or an answer file fills in. Pure: it asks nothing and fails never.
//!
//! Servers send far more than the specification's flat primitives: `$ref`, pydantic's `Optional`, five spellings
//! of a choice. What is not understood becomes `Kind::Raw`, any JSON, and is still checked against its schema.
//! Nested objects are `Raw` too; a group of fields would be one more `Kind`.

use super::{secret, value};
use crate::schema::{self, Checker, Problem};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// `$ref`s and wrappers followed from one property before it is taken for a cycle.
const MAX_HOPS: usize = 16;
/// Bytes, roughly, that the fields of a form may take of the definitions they refer to: they may all refer to a
/// large one. What goes beyond is not looked into, and its field is `Raw`.
const MAX_COPIED: usize = 64 << 20;

/// One thing a form asks for.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// The property's name: the key in `content`.
    pub(crate) name: String,
    /// What the server calls it for people.
    pub(crate) title: Option<String>,
    /// What the server says about it.
    pub(crate) description: Option<String>,
    /// Whether `content` must have it.
    pub(crate) required: bool,
    /// Whether `null` is a value too (`Optional[T]`).
    pub(crate) nullable: bool,
    /// What sort of answer it takes.
    pub(crate) kind: Kind,
    /// A default that passes the field's own schema.
    pub(crate) default: Option<Value>,
    /// Whether the name looks like a password, a token and the like.
    pub(crate) secret: bool,
    /// Checks the fields of this form one by one.
    checker: Option<Arc<Checker>>,
}

/// What sort of answer a field takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Text; lengths count code points.
    Text {
        /// `format`: "email", "date" and the like.
        format: Option<String>,
        /// The fewest characters.
        min: Option<u64>,
        /// The most characters.
        max: Option<u64>,
        /// A regular expression that must be found in it.
        pattern: Option<String>,
    },
    /// A whole number of any size.
    Integer {
        /// The lower end.
        min: Option<Bound>,
        /// The upper end.
        max: Option<Bound>,
    },
    /// A decimal number; its spelling is kept.
    Number {
        /// The lower end.
        min: Option<Bound>,
        /// The upper end.
        max: Option<Bound>,
    },
    /// Yes or no.
    Boolean,
    /// One of the options.
    Choice {
        /// In the server's order.
        options: Vec<Choice>,
    },
    /// Some of the options.
    Choices {
        /// In the server's order.
        options: Vec<Choice>,
        /// The fewest that may be chosen.
        min_items: Option<u64>,
        /// The most that may be chosen.
        max_items: Option<u64>,
    },
    /// Any JSON that the schema allows.
    Raw,
}

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    /// The limit as the server spelled it.
    pub(crate) value: Number,
    /// Whether the limit itself is outside.
    pub(crate) exclusive: bool,
}

/// An option: the value that is sent and the title that is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// What is sent.
    pub(crate) value: Value,
    /// What is shown, when the server gave one.
    pub(crate) title: Option<String>,
}

impl Choice {
    /// What people see.
    pub(crate) fn label(&self) -> String {
        self.title.clone().unwrap_or_else(|| value::show(&self.value))
    }
}

impl Field {
    /// What people see.
    pub(crate) fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// What is wrong with `value` by the property's schema; `None` when that cannot be used.
    pub(super) fn problems(&self, value: &Value) -> Option<Vec<Problem>> {
        let checker = self.checker.as_ref()?;
        checker.schema().get("properties")?.get(&self.name)?;
        let alone = Map::from_iter([(self.name.clone(), value.clone())]);
        let mut found = checker.check(&alone.into()).ok()?;
        let here = schema::pointer("", &self.name);
        for problem in &mut found {
            problem.path = problem.path.strip_prefix(&here).unwrap_or(&problem.path).to_owned();
        }
        Some(found)
    }

    /// The options of a choice of one or of many.
    pub(crate) fn options(&self) -> &[Choice] {
        match &self.kind {
            Kind::Choice { options } | Kind::Choices { options, .. } => options,
            _ => &[],
        }
    }
}

/// The fields of `root` in its own order, then those it requires without describing them.
pub(super) fn fields(root: &Value, notes: &mut Vec<String>) -> Vec<Field> {
    let form = resolve(root, root).map(|form| form.schema).unwrap_or_default();
    let names = form.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut required = HashSet::new();
    let names: Vec<&str> = names.filter(|name| required.insert(*name)).collect();
    let nothing = Map::new();
    let described = form.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
    let mut maker = Maker { root, checker: checker(described, root), left: MAX_COPIED, notes };
    let mut fields: Vec<Field> = described
        .iter()
        .map(|(name, property)| maker.field(name, property, required.contains(name.as_str())))
        .collect();
    let unknown = names.into_iter().filter(|name| !described.contains_key(*name));
    fields.extend(unknown.map(|name| maker.field(name, &Value::Bool(true), true)));
    fields
}

/// What checks values one by one: a schema of all fields, compiled once, in which what they refer to is there once.
fn checker(described: &Map<String, Value>, root: &Value) -> Option<Arc<Checker>> {
    let build = |shared: &[&str], properties: Map<String, Value>| {
        let shared = shared.iter().filter_map(|keyword| Some(((*keyword).to_owned(), root.get(*keyword)?.clone())));
        let schema = shared.chain([("properties".to_owned(), properties.into())]);
        Checker::new(Value::Object(schema.collect())).ok()
    };
    let checker = build(&["$schema", "$defs", "definitions"], described.clone()).or_else(|| {
        // The server's mistake in one field is no reason to let everything pass in the others.
        let sound = described.iter().filter(|(_, property)| schema::usable(property).is_ok());
        build(&["$schema"], sound.map(|(name, property)| (name.clone(), property.clone())).collect())
    });
    checker.map(Arc::new)
}

/// Makes the fields of one form.
struct Maker<'a> {
    root: &'a Value,
    checker: Option<Arc<Checker>>,
    /// What is left of `MAX_COPIED`.
    left: usize,
    notes: &'a mut Vec<String>,
}

impl Maker<'_> {
    fn field(&mut self, name: &str, property: &Value, required: bool) -> Field {
        let Resolved { schema, nullable } = resolve_within(property, self.root, &mut self.left)
            .unwrap_or_else(|| Resolved { schema: Map::new(), nullable: false });
        let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
        let kind = kind(&schema, self.root, &mut self.left);
        let mut field = Field {
            name: name.to_owned(),
            title: text("title"),
            description: text("description"),
            required,
            nullable,
            secret: secret::is_secret(name, &schema, &kind),
            kind,
            default: None,
            checker: self.checker.clone(),
        };
        field.default = schema.get("default").and_then(|default| usable_default(&field, default, self.notes));
        field
    }
}

/// A default as it can be sent. `null` on an optional field is how pydantic says "none", so it is left out.
fn usable_default(field: &Field, default: &Value, notes: &mut Vec<String>) -> Option<Value> {
    if default.is_null() {
        return (field.required && field.nullable).then_some(Value::Null);
    }
    let mut note = |text: String| notes.push(format!("default of {}: {text}", field.name));
    let value = match (&field.kind, default) {
        (Kind::Choices { .. }, Value::Array(_)) => default.clone(),
        (Kind::Choices { .. }, one) => Value::Array(vec![one.clone()]),
        _ => default.clone(),
    };
    match value::settle(field, &value) {
        Ok(value) => {
            // `3.0` becoming `3` is no news.
            if value != *default && !default.is_number() {
                note(format!("`{}` is taken as `{value}`", schema::one_line(&default.to_string())));
            }
            Some(value)
        }
        Err(reason) => {
            note(format!("`{}` {reason}, so it is ignored", schema::one_line(&default.to_string())));
            None
        }
    }
}

/// A schema with its wrappers taken off.
pub(crate) struct Resolved {
    /// The keywords that say what the value is.
    pub(crate) schema: Map<String, Value>,
    /// Whether `null` was one of the alternatives.
    pub(crate) nullable: bool,
}

/// Follows local `$ref`s and takes off what says nothing of its own: `allOf` of one, `anyOf` with `null`, `type`
/// with `null`. Keywords beside a `$ref` win over its target's. `None` for a cycle and for what is no object.
pub(crate) fn resolve(schema: &Value, root: &Value) -> Option<Resolved> {
    resolve_within(schema, root, &mut usize::MAX.clone())
}

/// The same, as long as what is copied is within `left`; beyond it a `$ref` stays.
fn resolve_within(schema: &Value, root: &Value, left: &mut usize) -> Option<Resolved> {
    let mut schema = schema.as_object()?.clone();
    let mut nullable = false;
    for _ in 0..MAX_HOPS {
        match unwrap_once(&mut schema, &mut nullable, root, left) {
            Some(inner) => schema = inner,
            None => return Some(Resolved { schema, nullable }),
        }
    }
    None
}

/// One wrapper less, or `None` when there is none left.
fn unwrap_once(
    schema: &mut Map<String, Value>,
    nullable: &mut bool,
    root: &Value,
    left: &mut usize,
) -> Option<Map<String, Value>> {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer))?;
        spend(target, left)?;
        return Some(merge(schema, "$ref", target.as_object()?));
    }
    if let Some([only]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        return Some(merge(schema, "allOf", only.as_object()?));
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        let with_null = types.len();
        types.retain(|one| one != "null");
        *nullable |= types.len() < with_null;
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && let Some(at) = values.iter().position(Value::is_null)
    {
        values.remove(at);
        *nullable = true;
        if let Some(Value::Array(names)) = schema.get_mut("enumNames").filter(|names| names.get(at).is_some()) {
            names.remove(at);
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(keyword) else { continue };
        let with_null = branches.len();
        branches.retain(|branch| !is_null(branch));
        *nullable |= branches.len() < with_null;
        if let [Value::Object(only)] = branches.as_slice()
            && constant(only).is_none()
        {
            let only = only.clone();
            return Some(merge(schema, keyword, &only));
        }
    }
    None
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
        || schema.get("enum").and_then(Value::as_array).is_some_and(|all| all.iter().all(Value::is_null))
}

/// `inner` with the keywords that stood beside `wrapper`.
fn merge(outer: &Map<String, Value>, wrapper: &str, inner: &Map<String, Value>) -> Map<String, Value> {
    let mut merged = inner.clone();
    let beside = outer.iter().filter(|(keyword, _)| *keyword != wrapper);
    merged.extend(beside.map(|(keyword, value)| (keyword.clone(), value.clone())));
    merged
}

/// Takes the size of a copy of `value` off `left`, or says that it does not fit.
fn spend(value: &Value, left: &mut usize) -> Option<()> {
    let text = value.as_str().map_or(0, str::len);
    *left = left.checked_sub(size_of::<Value>() + text)?;
    match value {
        Value::Object(members) => members.iter().try_for_each(|(name, member)| {
            *left = left.checked_sub(name.len())?;
            spend(member, left)
        }),
        Value::Array(items) => items.iter().try_for_each(|item| spend(item, left)),
        _ => Some(()),
    }
}

fn kind(schema: &Map<String, Value>, root: &Value, left: &mut usize) -> Kind {
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
    let has = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
    if let Some(options) = options(schema) {
        let untitled = options.iter().all(|option| option.title.is_none());
        let both = options.len() == 2 && [true, false].iter().all(|b| options.iter().any(|o| o.value == *b));
        return if untitled && both { Kind::Boolean } else { Kind::Choice { options } };
    }
    let (min, max) = (bound(schema, "minimum", "exclusiveMinimum"), bound(schema, "maximum", "exclusiveMaximum"));
    let implied = || match () {
        () if has(&["minLength", "maxLength", "pattern", "format"]) => Some("string"),
        () if min.is_some() || max.is_some() => Some("number"),
        () if has(&["items"]) => Some("array"),
        () => None,
    };
    let named = match schema.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(_) => None,
        None if has(&["anyOf", "oneOf", "allOf", "$ref"]) => None,
        None => implied(),
    };
    match named {
        Some("string") => Kind::Text {
            format: text("format"),
            min: number("minLength"),
            max: number("maxLength"),
            pattern: text("pattern"),
        },
        Some("integer") => Kind::Integer { min, max },
        Some("number") => Kind::Number { min, max },
        Some("boolean") => Kind::Boolean,
        Some("array") => {
            let items = schema.get("items").and_then(|items| resolve_within(items, root, left));
            match items.and_then(|items| options(&items.schema)) {
                Some(options) => {
                    Kind::Choices { options, min_items: number("minItems"), max_items: number("maxItems") }
                }
                None => Kind::Raw,
            }
        }
        _ => Kind::Raw,
    }
}

/// The options of a choice, however it is spelled: `enum`, `enum` + `enumNames`, `const`, `oneOf`/`anyOf` of constants.
fn options(schema: &Map<String, Value>) -> Option<Vec<Choice>> {
    let choice = |value: &Value, title: Option<&Value>| Choice {
        value: value.clone(),
        title: title.and_then(Value::as_str).map(str::to_owned),
    };
    let found: Vec<Choice> = if let Some(Value::Array(values)) = schema.get("enum") {
        let names = schema.get("enumNames").and_then(Value::as_array);
        values.iter().enumerate().map(|(i, value)| choice(value, names.and_then(|names| names.get(i)))).collect()
    } else if let Some(value) = schema.get("const") {
        vec![choice(value, None)]
    } else {
        let branches = ["oneOf", "anyOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array())?;
        let constants = branches.iter().map(|branch| {
            let branch = branch.as_object()?;
            Some(choice(constant(branch)?, branch.get("title")))
        });
        constants.collect::<Option<_>>()?
    };
    (!found.is_empty()).then_some(found)
}

fn constant(schema: &Map<String, Value>) -> Option<&Value> {
    match schema.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => Some(only),
        _ => schema.get("const"),
    }
}

fn bound(schema: &Map<String, Value>, inclusive: &str, exclusive: &str) -> Option<Bound> {
    let limit = |key: &str| schema.get(key).and_then(Value::as_number).cloned();
    match limit(exclusive) {
        Some(value) => Some(Bound { value, exclusive: true }),
        // Draft 4 spelled it as a flag beside the limit.
        None => Some(Bound { value: limit(inclusive)?, exclusive: schema.get(exclusive) == Some(&Value::Bool(true)) }),
    }
}
