//! A `requestedSchema` → the fields a person or an answer file fills in. Pure: it asks nothing and fails never.
//!
//! Servers send far more than the specification's flat primitives: `$ref`, pydantic's `Optional`, five spellings
//! of a choice, objects in objects, lists, unions. What is not understood, and what has no end, becomes
//! `Kind::Raw`, any JSON, and is still checked against its schema.

use super::defaults::finish;
use super::field::{Choice, Field, Kind};
use super::lint::{self, Notes};
use super::options::options;
use super::resolve::{Resolved, Walk, spend};
use super::secret;
use super::shape::{Type, alternatives, bound, has_parts, sort, type_of};
use crate::schema::{self, Checker};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Bytes, roughly, that the fields of a form may take of the definitions they refer to: they may all refer to a
/// large one. What goes beyond is not looked into, and its field is `Raw`.
const MAX_COPIED: usize = 64 << 20;
/// How deep fields may stand in fields.
const MAX_DEPTH: usize = 8;
/// How many fields in fields a form may have.
const MAX_NESTED: usize = 2_000;

/// All that `root` asks for: a group, or one of several. With `has_subset` what leaves the protocol's forms is noted.
pub(super) fn read(root: &Value, notes: &mut Vec<String>, has_subset: bool) -> Field {
    let mut left = MAX_COPIED;
    let resolved = Walk { root, left: &mut left, followed: Vec::new() }.whole(root);
    let Resolved { schema: form, .. } = resolved.unwrap_or(Resolved { schema: Map::new(), nullable: false });
    let described = form.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut notes_here = Notes::default();
    if has_subset {
        notes_here.add("the form", lint::form(root, &form));
    }
    let mut maker = Maker {
        root,
        left,
        n_nested: 0,
        schemas: described.clone(),
        open: Vec::new(),
        notes: &mut notes_here,
        has_subset,
        defaults: HashMap::new(),
    };
    let kind = match alternatives(&form) {
        Some(branches) if described.is_empty() => maker.either(branches, &Map::new(), "", 0),
        _ => maker.group(&form, "", 0),
    };
    let mut top = Field {
        name: String::new(),
        title: None,
        description: None,
        required: true,
        nullable: false,
        secret: false,
        kind,
        default: None,
        example: None,
        key: String::new(),
        checker: None,
    };
    let (schemas, defaults) = (std::mem::take(&mut maker.schemas), std::mem::take(&mut maker.defaults));
    let checker = checker(&schemas, root);
    finish(&mut top, checker.as_ref(), &defaults, &mut notes_here);
    notes.extend(notes_here.lines());
    top
}

/// What checks values one by one: a schema of all fields, compiled once, in which what they refer to is there once.
fn checker(all: &Map<String, Value>, root: &Value) -> Option<Arc<Checker>> {
    let build = |shared: &[&str], properties: Map<String, Value>| {
        let shared = shared.iter().filter_map(|keyword| Some(((*keyword).to_owned(), root.get(*keyword)?.clone())));
        let schema = shared.chain([("properties".to_owned(), properties.into())]);
        Checker::new(Value::Object(schema.collect())).ok()
    };
    // The server's mistake in one field is no reason to let everything pass in the others.
    let sound = |all: &Map<String, Value>| {
        let sound = all.iter().filter(|(_, property)| schema::usable(property).is_ok());
        sound.map(|(name, property)| (name.clone(), property.clone())).collect()
    };
    let shared = ["$schema", "$defs", "definitions"];
    build(&shared, all.clone()).or_else(|| build(&["$schema"], sound(all))).map(Arc::new)
}

/// Where a field stands.
struct Spot<'a> {
    name: &'a str,
    /// For notes: `address/city`.
    at: String,
    required: bool,
    depth: usize,
}

/// Makes the fields of one form.
struct Maker<'a> {
    root: &'a Value,
    /// What is left of `MAX_COPIED`.
    left: usize,
    n_nested: usize,
    /// What values are checked by, by `Field::key`.
    schemas: Map<String, Value>,
    /// The `$ref`s that led to where we are.
    open: Vec<String>,
    notes: &'a mut Notes,
    has_subset: bool,
    /// The defaults as the schema has them, by `Field::key`, and the place.
    defaults: HashMap<String, (Value, String)>,
}

impl Maker<'_> {
    fn walk(&mut self) -> Walk<'_> {
        Walk { root: self.root, left: &mut self.left, followed: Vec::new() }
    }

    fn field(&mut self, spot: Spot<'_>, property: &Value) -> Field {
        let mut walk = self.walk();
        let resolved = walk.whole(property);
        let followed = walk.followed;
        let Resolved { schema, nullable } = resolved.unwrap_or(Resolved { schema: Map::new(), nullable: false });
        let n_open = self.open.len();
        let cyclic = followed.iter().any(|reference| self.open.contains(reference));
        self.open.extend(followed);
        let reason = match () {
            () if cyclic => Some("it contains itself"),
            () if spot.depth >= MAX_DEPTH => Some("it is too deep"),
            () if self.n_nested >= MAX_NESTED => Some("the form is too large"),
            () => None,
        };
        let kind = self.kind(&schema, &spot, reason);
        // A title that came with a `$ref` names the type: two addresses may stand in one form.
        let of_type = |reference: &String| {
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            target.is_some_and(|target| target.get("title") == schema.get("title"))
        };
        let names_type = property.get("title").is_none() && self.open[n_open..].iter().any(of_type);
        self.open.truncate(n_open);
        let is_raw = matches!(kind, Kind::Raw { .. });
        let mut notes = lint::contradictions(&schema, &kind);
        if spot.depth == 0 && self.has_subset {
            notes.extend(lint::beyond_subset(property, &schema, &kind));
        }
        if let Some(reason) = reason.filter(|_| is_raw && has_parts(&schema) && self.has_subset) {
            notes.push(format!("asked for as JSON, since {reason}"));
        }
        self.notes.add(&spot.at, notes);
        let text = |key: &str| {
            schema.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let key = self.keep(&spot, property);
        let title = match text("title") {
            Some(_) if names_type && !spot.name.is_empty() => Some(spelled_out(spot.name)),
            title => title,
        };
        if let Some(default) = schema.get("default") {
            self.defaults.insert(key.clone(), (default.clone(), spot.at));
        }
        Field {
            name: spot.name.to_owned(),
            title,
            description: text("description"),
            required: spot.required,
            nullable,
            secret: secret::is_secret(spot.name, &schema, &kind),
            kind,
            default: None,
            example: schema.get("examples").and_then(Value::as_array).and_then(|all| all.first()).cloned(),
            key,
            checker: None,
        }
    }

    /// Keeps the schema of a field in a field, and gives the key it is kept under.
    fn keep(&mut self, spot: &Spot<'_>, property: &Value) -> String {
        if spot.depth == 0 && !spot.name.is_empty() {
            return spot.name.to_owned();
        }
        self.n_nested += 1;
        // No property of the form itself is called that.
        let key = format!("\0{}", self.n_nested);
        if property.is_object() && spend(property, &mut self.left).is_some() {
            self.schemas.insert(key.clone(), property.clone());
        }
        key
    }

    fn kind(&mut self, schema: &Map<String, Value>, spot: &Spot<'_>, raw: Option<&str>) -> Kind {
        let number = |key: &str| schema.get(key).and_then(Value::as_u64);
        let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(options) = options(schema) {
            let untitled = options.iter().all(|option| option.title.is_none());
            let both = options.len() == 2 && [true, false].iter().all(|b| options.iter().any(|o| o.value == *b));
            return if untitled && both { Kind::Boolean } else { Kind::Choice { options } };
        }
        let (min, max) = (bound(schema, "minimum", "exclusiveMinimum"), bound(schema, "maximum", "exclusiveMaximum"));
        match type_of(schema) {
            Type::Named("string") => {
                Kind::Text { format: text("format"), min: number("minLength"), max: number("maxLength") }
            }
            Type::Named("integer") => Kind::Integer { min, max },
            Type::Named("number") => Kind::Number { min, max },
            Type::Named("boolean") => Kind::Boolean,
            Type::Named("null") => Kind::Choice { options: vec![Choice { value: Value::Null, title: None }] },
            Type::Named("array") => match self.choices(schema) {
                Some(choices) => choices,
                None if raw.is_some() => Kind::Raw { blank: json!([]) },
                None => self.list(schema, &spot.at, spot.depth),
            },
            Type::Named("object") if raw.is_some() => Kind::Raw { blank: json!({}) },
            Type::Named("object") => {
                let group = self.group(schema, &spot.at, spot.depth + 1);
                let no_parts = matches!(&group, Kind::Group { fields, entries: None } if fields.is_empty());
                match alternatives(schema) {
                    Some(branches) if no_parts => self.either(branches, schema, &spot.at, spot.depth + 1),
                    _ if no_parts => Kind::Raw { blank: json!({}) },
                    _ => group,
                }
            }
            Type::Several(branches) if raw.is_none() => self.either(&branches, schema, &spot.at, spot.depth + 1),
            _ => Kind::Raw { blank: Value::Null },
        }
    }

    /// The kind of an array whose items are options.
    fn choices(&mut self, schema: &Map<String, Value>) -> Option<Kind> {
        let number = |key: &str| schema.get(key).and_then(Value::as_u64);
        let items = self.walk().resolve(schema.get("items")?)?;
        let options = options(&items.schema)?;
        let (min_items, max_items) = (number("minItems"), number("maxItems"));
        // More than there are options: the same one is wanted again and again.
        let repeats = min_items.is_some_and(|min| min > options.len() as u64);
        (!repeats).then_some(Kind::Choices { options, min_items, max_items })
    }

    fn list(&mut self, schema: &Map<String, Value>, at: &str, depth: usize) -> Kind {
        let number = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let items = schema.get("items").filter(|items| items.as_object().is_some_and(|items| !items.is_empty()));
        let (Some(items), false) = (items, schema.contains_key("prefixItems")) else {
            return Kind::Raw { blank: json!([]) };
        };
        let spot = Spot { name: "", at: schema::pointer(at, "[]"), required: true, depth: depth + 1 };
        Kind::List {
            item: Box::new(self.field(spot, items)),
            min_items: number("minItems").unwrap_or(0),
            max_items: number("maxItems"),
            unique: schema.get("uniqueItems") == Some(&Value::Bool(true)),
        }
    }

    /// The fields of an object in its own order, then those it requires without describing them.
    fn group(&mut self, schema: &Map<String, Value>, at: &str, depth: usize) -> Kind {
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut required = HashSet::new();
        let names: Vec<&str> = names.filter(|name| required.insert(*name)).collect();
        let nothing = Map::new();
        let described = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
        let at = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
        let mut fields: Vec<Field> = Vec::new();
        // What may not be there is nothing to ask for.
        let allowed =
            described.iter().filter(|(name, property)| **property != false || required.contains(name.as_str()));
        for (name, property) in allowed {
            let spot = Spot { name, at: at(name), required: required.contains(name.as_str()), depth };
            fields.push(self.field(spot, property));
        }
        for name in names.into_iter().filter(|name| !described.contains_key(*name)) {
            self.notes.add(&at(name), vec!["required, and not described".into()]);
            fields.push(self.field(Spot { name, at: at(name), required: true, depth }, &json!(true)));
        }
        let more = schema.get("additionalProperties").filter(|more| more.as_object().is_some_and(|m| !m.is_empty()));
        let entries = more.map(|more| {
            let spot = Spot { name: "", at: at("*"), required: true, depth: depth.max(1) };
            Box::new(self.field(spot, more))
        });
        Kind::Group { fields, entries }
    }

    fn either(&mut self, branches: &[Value], outer: &Map<String, Value>, at: &str, depth: usize) -> Kind {
        let (mut made, mut titles) = (Vec::new(), HashSet::new());
        for (n, branch) in branches.iter().enumerate() {
            let mut branch = branch.clone();
            if let (Some(branch), Some(name)) = (branch.as_object_mut(), outer.get("type").filter(|t| t.is_string()))
                && !["type", "$ref", "anyOf", "oneOf", "allOf"].iter().any(|keyword| branch.contains_key(*keyword))
            {
                branch.insert("type".into(), name.clone());
            }
            let spot = Spot { name: "", at: format!("{at}|{n}"), required: true, depth: depth.max(1) };
            let mut field = self.field(spot, &branch);
            let title = field.title.take().unwrap_or_else(|| sort(&field));
            let title = if titles.contains(&title) { format!("{title} ({})", n + 1) } else { title };
            titles.insert(title.clone());
            field.title = Some(title);
            made.push(field);
        }
        Kind::Either { branches: made }
    }
}

/// A name as pydantic makes a title of it: `home_address` → `Home Address`.
fn spelled_out(name: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    name.split('_').map(capital).collect::<Vec<_>>().join(" ").trim().to_owned()
}
