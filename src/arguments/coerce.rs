//! The text of `k=v` → the JSON type the tool's schema asks for. Pure; ranges and formats are checked later.
//!
//! - A string stays the text it is, however numeric it looks; so does a value the schema says nothing about.
//! - Every other type must fit as a whole: `n=abc`, `n=1x`, `n=1.0` for an integer are refused.
//! - Where several types are allowed, the text is read as the first it fits exactly, in the order null, integer,
//!   number, boolean, object or array; only what fits none of them is a string. "Exactly" is stricter beside a
//!   string: `007` and `+7` are text there, and so is `TRUE`.
//! - An option of an `enum` is taken by its spelling, so `["1", 1]` gives the string.
//! - For an array, text that does not start with `[` is one element of it, typed by `items`.
//!
//! `k:=JSON` is the way to say something else: `n:='"5"'`.

use crate::form::{Resolved, integer, number, resolve};
use crate::schema::{one_line, or, plain, type_name};
use serde_json::Value;
use std::cell::Cell;

/// How deep alternatives may stand in each other, and how many are looked at: `$ref`s can make them countless.
const MAX_DEPTH: usize = 8;
const MAX_STEPS: usize = 1_000;

/// What a text became.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    /// The argument's value.
    Value(Value),
    /// One element of an argument that is an array.
    Element(Value),
}

/// Reads `text` as what `property` allows, or says why it cannot be that.
///
/// A string keeps everything; for any other reading the line end that editors put at the end of a file is no part
/// of the text when it came `from_file`.
pub(super) fn coerce(whole: &str, from_file: bool, property: Option<&Value>, root: &Value) -> Result<Typed, String> {
    if let Some(value) = read(whole, from_file, property, root)? {
        return Ok(Typed::Value(value));
    }
    let items = property.and_then(|property| Walk::new(root).items(property, 0));
    match read(whole, from_file, items.as_ref(), root)? {
        Some(element) => Ok(Typed::Element(element)),
        // An array of arrays takes JSON.
        None => Err(format!("`{}` is not an array", one_line(whole))),
    }
}

/// The value `whole` is; `None` when it could only be an element of an array.
fn read(whole: &str, from_file: bool, property: Option<&Value>, root: &Value) -> Result<Option<Value>, String> {
    let line = whole.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let text = line.filter(|_| from_file).unwrap_or(whole);
    let Some(property) = property else { return Ok(Some(whole.into())) };
    if let Some(option) = Walk::new(root).option(text, property, 0) {
        return Ok(Some(option));
    }
    let allowed = types(property, root);
    if allowed.is_empty() {
        return Ok(Some(whole.into()));
    }
    let beside_text = allowed.has(Types::STRING);
    let exact = |value: &Value| !beside_text || plain(value) == text;
    let parsed = || serde_json::from_str::<Value>(text);
    let wants = |one: u8| allowed.has(one);
    if wants(Types::NULL) && text == "null" {
        return Ok(Some(Value::Null));
    }
    if let Some(value) = integer(text).filter(|_| wants(Types::INTEGER)).filter(exact) {
        return Ok(Some(value));
    }
    if let Some(value) = number(text).filter(|_| wants(Types::NUMBER)).filter(exact) {
        return Ok(Some(value));
    }
    if wants(Types::BOOLEAN) && matches!(text, "true" | "false") {
        return Ok(Some(Value::Bool(text == "true")));
    }
    let bracket = text.trim_start().chars().next();
    if wants(Types::OBJECT) && bracket == Some('{') || wants(Types::ARRAY) && bracket == Some('[') {
        match parsed() {
            Ok(value) => return Ok(Some(value)),
            Err(_) if beside_text => {}
            Err(error) => return Err(format!("`{}` is not JSON: {error}", one_line(text))),
        }
    }
    if beside_text {
        return Ok(Some(whole.into()));
    }
    if wants(Types::ARRAY) {
        return Ok(None);
    }
    Err(format!("`{}` is not {}", one_line(text), allowed.words()))
}

/// The JSON types a schema allows; empty when it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    const STRING: u8 = 1;
    const NULL: u8 = 2;
    const INTEGER: u8 = 4;
    const NUMBER: u8 = 8;
    const BOOLEAN: u8 = 16;
    /// Whether objects are allowed decides about nesting too.
    pub(super) const OBJECT: u8 = 32;
    const ARRAY: u8 = 64;
    const ANY: u8 = 127;

    const NAMES: [(&str, u8); 7] = [
        ("string", Self::STRING),
        ("integer", Self::INTEGER),
        ("number", Self::NUMBER),
        ("boolean", Self::BOOLEAN),
        ("object", Self::OBJECT),
        ("array", Self::ARRAY),
        ("null", Self::NULL),
    ];

    fn named(name: &str) -> u8 {
        Self::NAMES.iter().find(|(known, _)| *known == name).map_or(0, |(_, one)| *one)
    }

    fn of(value: &Value) -> u8 {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn has(self, one: u8) -> bool {
        self.0 & one != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// "an integer or null".
    fn words(self) -> String {
        or(Self::NAMES.iter().filter(|(_, one)| self.has(*one)).map(|(name, _)| type_name(name)).collect())
    }
}

/// The types `schema` allows, through `$ref`, alternatives, `enum` and `const`.
pub(super) fn types(schema: &Value, root: &Value) -> Types {
    Types(Walk::new(root).bits(schema, 0))
}

/// Goes through the alternatives of a schema, up to a limit; beyond it a schema says nothing.
struct Walk<'a> {
    root: &'a Value,
    steps: Cell<usize>,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Value) -> Self {
        Walk { root, steps: Cell::new(0) }
    }

    fn step(&self, schema: &Value, depth: usize) -> Option<Resolved> {
        self.steps.set(self.steps.get() + 1);
        let far = depth >= MAX_DEPTH || self.steps.get() > MAX_STEPS;
        if far { None } else { resolve(schema, self.root) }
    }

    fn bits(&self, schema: &Value, depth: usize) -> u8 {
        let Some(resolved) = self.step(schema, depth) else { return 0 };
        let get = |keyword: &str| resolved.schema.get(keyword);
        let list = |keyword: &str| get(keyword).and_then(Value::as_array).map(Vec::as_slice);
        let alternatives = |keyword: &str| {
            let branches = list(keyword)?.iter().map(|branch| self.bits(branch, depth + 1));
            // One alternative that says nothing allows everything.
            branches.reduce(|all, one| if all == 0 || one == 0 { 0 } else { all | one })
        };
        let said = match get("type") {
            Some(Value::String(name)) => Types::named(name),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).fold(0, |all, name| all | Types::named(name))
            }
            _ => 0,
        };
        let listed = list("enum").map_or(0, |values| values.iter().fold(0, |all, value| all | Types::of(value)));
        let constant = get("const").map_or(0, Types::of);
        let implied = if get("properties").is_some_and(Value::is_object) { Types::OBJECT } else { 0 };
        let mut found = [said, listed, constant].into_iter().find(|bits| *bits != 0);
        for keyword in ["anyOf", "oneOf"] {
            found = found.or_else(|| alternatives(keyword));
        }
        let together =
            || list("allOf").into_iter().flatten().map(|part| self.bits(part, depth + 1)).filter(|one| *one != 0);
        found = found.or_else(|| together().reduce(|all, one| all & one));
        match found.filter(|bits| *bits != 0).unwrap_or(implied) {
            0 => 0,
            Types::ANY => Types::ANY,
            bits if resolved.nullable => bits | Types::NULL,
            bits => bits,
        }
    }

    /// The `enum` value or constant that is spelled like `text`; strings first.
    fn option(&self, text: &str, schema: &Value, depth: usize) -> Option<Value> {
        let resolved = self.step(schema, depth)?.schema;
        let listed = resolved.get("enum").and_then(Value::as_array).into_iter().flatten().chain(resolved.get("const"));
        let mut spelled: Vec<_> = listed.filter(|value| plain(value) == text).cloned().collect();
        for keyword in ["anyOf", "oneOf"] {
            let branches = resolved.get(keyword).and_then(Value::as_array).into_iter().flatten();
            spelled.extend(branches.filter_map(|branch| self.option(text, branch, depth + 1)));
        }
        let string = spelled.iter().position(Value::is_string).unwrap_or(0);
        (!spelled.is_empty()).then(|| spelled.swap_remove(string))
    }

    /// The schema of an array's elements, also where the array is one of several alternatives.
    fn items(&self, schema: &Value, depth: usize) -> Option<Value> {
        let mut resolved = self.step(schema, depth)?.schema;
        if let Some(items) = resolved.remove("items") {
            return Some(items);
        }
        let branches = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|keyword| resolved.get(keyword)?.as_array());
        branches.flatten().find_map(|branch| self.items(branch, depth + 1))
    }
}
