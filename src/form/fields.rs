//! A `requestedSchema` → the fields a person or an answer file fills in. Pure: it asks nothing and fails never.
//!
//! Servers send far more than the specification's flat primitives: `$ref`, pydantic's `Optional`, five spellings
//! of a choice. What is not understood becomes `Kind::Raw`, any JSON, and is still checked against its schema.
//! Nested objects are `Raw` too; a group of fields would be one more `Kind`.

use super::{secret, value};
use crate::schema;
use serde_json::{Map, Number, Value};

/// `$ref`s and wrappers followed from one property before it is taken for a cycle.
const MAX_HOPS: usize = 16;

/// One thing a form asks for.
#[derive(Debug, Clone, PartialEq)]
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
    /// The property's schema without `null`, references resolved or their targets enclosed.
    pub(crate) schema: Value,
    /// Whether the name looks like a password, a token and the like.
    pub(crate) secret: bool,
}

/// What sort of answer a field takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Text; lengths count code points.
    Text { format: Option<String>, min: Option<u64>, max: Option<u64>, pattern: Option<String> },
    /// A whole number of any size.
    Integer { min: Option<Bound>, max: Option<Bound> },
    /// A decimal number; its spelling is kept.
    Number { min: Option<Bound>, max: Option<Bound> },
    /// Yes or no.
    Boolean,
    /// One of the options.
    Choice { options: Vec<Choice> },
    /// Some of the options.
    Choices { options: Vec<Choice>, min_items: Option<u64>, max_items: Option<u64> },
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
    let required: Vec<&str> =
        form.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let described = form.get("properties").and_then(Value::as_object);
    let mut fields: Vec<Field> = described
        .into_iter()
        .flatten()
        .map(|(name, property)| field(name, property, required.contains(&name.as_str()), root, notes))
        .collect();
    for name in required {
        if !fields.iter().any(|field| field.name == name) {
            fields.push(field(name, &Value::Bool(true), true, root, notes));
        }
    }
    fields
}

fn field(name: &str, property: &Value, required: bool, root: &Value, notes: &mut Vec<String>) -> Field {
    let Resolved { schema, nullable } =
        resolve(property, root).unwrap_or_else(|| Resolved { schema: Map::new(), nullable: false });
    let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
    let kind = kind(&schema, root);
    let mut field = Field {
        name: name.to_owned(),
        title: text("title"),
        description: text("description"),
        required,
        nullable,
        secret: secret::is_secret(name, &schema, &kind),
        kind,
        default: None,
        schema: enclose(&schema, root),
    };
    field.default = schema.get("default").and_then(|default| usable_default(&field, default, notes));
    field
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
    let mut schema = schema.as_object()?.clone();
    let mut nullable = false;
    for _ in 0..MAX_HOPS {
        match unwrap_once(&mut schema, &mut nullable, root) {
            Some(inner) => schema = inner,
            None => return Some(Resolved { schema, nullable }),
        }
    }
    None
}

/// One wrapper less, or `None` when there is none left.
fn unwrap_once(schema: &mut Map<String, Value>, nullable: &mut bool, root: &Value) -> Option<Map<String, Value>> {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer))?;
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

/// The schema as one that can be checked alone: what it refers to comes along.
fn enclose(schema: &Map<String, Value>, root: &Value) -> Value {
    let mut alone = schema.clone();
    let refers = serde_json::to_string(schema).is_ok_and(|text| text.contains("\"$ref\""));
    let definitions: &[&str] = if refers { &["$schema", "$defs", "definitions"] } else { &["$schema"] };
    for &keyword in definitions {
        if let Some(value) = root.get(keyword) {
            alone.entry(keyword).or_insert_with(|| value.clone());
        }
    }
    Value::Object(alone)
}

fn kind(schema: &Map<String, Value>, root: &Value) -> Kind {
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
            let items = schema.get("items").and_then(|items| resolve(items, root));
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
