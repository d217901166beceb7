//! The one door to the `jsonschema` crate: is this value what that schema asks for, and if not, where and why.
//!
//! It never fetches a `$ref` (neither network nor file), never hangs on a schema made to be expensive, and knows
//! nothing of forms or arguments. How large a schema may be is the caller's matter.

use cost::Names;
use jsonschema::error::{TypeKind, ValidationErrorKind as Broken};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::OnceLock;

mod cost;
mod plain;

/// What `Problem::message` says of a required property that is missing.
pub(crate) const MISSING: &str = "is required";
/// What `Problem::message` says of a property the schema does not allow.
pub(crate) const UNKNOWN: &str = "is not allowed here";

/// More problems than this help nobody.
const MAX_PROBLEMS: usize = 50;
/// How many options a message lists.
const MAX_LISTED: usize = 12;
/// Steps of a pattern that needs backtracking (look-around, back-references); all others match in linear time.
const MAX_BACKTRACKS: usize = 10_000;
/// Bytes a compiled pattern may take, and all of a schema together.
const MAX_PATTERN: usize = 1 << 20;
const MAX_PATTERNS: usize = 64 << 20;

/// One place where a value is not what its schema asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// JSON pointer into the value: `/a/0`, empty for the whole.
    pub(crate) path: String,
    /// One line that goes on after the name of the place: "is not an integer".
    pub(crate) message: String,
}

impl Problem {
    /// A problem at `path`.
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Problem { path: path.into(), message: message.into() }
    }

    /// The path as people write it: `a/0`.
    pub(crate) fn place(&self) -> &str {
        self.path.strip_prefix('/').unwrap_or(&self.path)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            "" => f.write_str(&self.message),
            place => write!(f, "{place} {}", self.message),
        }
    }
}

/// A schema that cannot be used, with the reason in one line. A value was neither accepted nor refused by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaError(pub(crate) String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A schema made ready to check any number of values; compiled once that is needed.
#[derive(Debug)]
pub(crate) struct Checker {
    schema: Value,
    names: Names,
    is_plain: bool,
    validator: OnceLock<Validator>,
}

impl Checker {
    /// Reads `schema` as 2020-12 unless `$schema` names another draft.
    ///
    /// # Errors
    /// When the schema cannot be used.
    pub(crate) fn new(schema: Value) -> Result<Self, SchemaError> {
        if plain::is_plain(&schema) {
            // It names no places.
            return Ok(Checker { schema, names: Names::default(), is_plain: true, validator: OnceLock::new() });
        }
        let names = Names::of(&schema);
        let validator = OnceLock::from(compile(&schema, &names)?);
        Ok(Checker { schema, names, is_plain: false, validator })
    }

    /// The schema it was made of.
    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Checks `instance`, formats included.
    ///
    /// # Errors
    /// When that would take too long.
    pub(crate) fn check(&self, instance: &Value) -> Result<Vec<Problem>, SchemaError> {
        cost::affordable(&self.schema, &self.names, instance)?;
        if self.is_plain && plain::fits(&self.schema, instance) {
            return Ok(Vec::new());
        }
        let validator = match self.validator.get() {
            Some(validator) => validator,
            None => {
                let compiled = compile(&self.schema, &self.names)?;
                self.validator.get_or_init(|| compiled)
            }
        };
        let problems = validator.iter_errors(instance).take(MAX_PROBLEMS);
        Ok(problems.flat_map(|error| describe(&error, instance)).take(MAX_PROBLEMS).collect())
    }
}

/// Checks one `instance` against `schema`, as `Checker` does.
///
/// # Errors
/// When the schema cannot be used.
pub(crate) fn check(schema: &Value, instance: &Value) -> Result<Vec<Problem>, SchemaError> {
    Checker::new(schema.clone())?.check(instance)
}

/// Whether `schema` can be used at all.
///
/// # Errors
/// When it cannot, with the reason.
pub(crate) fn usable(schema: &Value) -> Result<(), SchemaError> {
    if plain::is_plain(schema) { Ok(()) } else { compile(schema, &Names::of(schema)).map(drop) }
}

/// The pointer to member `name` of what `parent` points to.
pub(crate) fn pointer(parent: &str, name: &str) -> String {
    format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn compile(schema: &Value, names: &Names) -> Result<Validator, SchemaError> {
    let n_patterns = cost::compilable(schema, names)?;
    let max_pattern = (MAX_PATTERNS / n_patterns.max(1)).min(MAX_PATTERN);
    let build = |schema: &Value| {
        jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS).size_limit(max_pattern))
            .build(schema)
    };
    match build(schema) {
        Ok(validator) => Ok(validator),
        // A dialect nobody published says less than the keywords do: read those as 2020-12.
        Err(error) if error.to_string().starts_with("Unknown meta-schema") => {
            let mut plain = schema.clone();
            plain.as_object_mut().and_then(|schema| schema.shift_remove("$schema"));
            build(&plain).map_err(|error| unusable(&error))
        }
        Err(error) => Err(unusable(&error)),
    }
}

fn unusable(error: &ValidationError<'_>) -> SchemaError {
    let place = match error.instance_path().as_str() {
        "" => String::new(),
        // Names in it are the server's.
        path => format!("at {}: ", one_line(&path.replace(char::is_control, " "))),
    };
    SchemaError(place + &one_line(&error.to_string()))
}

/// Our words for what the crate found in `whole`; one of its errors may name several places.
fn describe(error: &ValidationError<'_>, whole: &Value) -> Vec<Problem> {
    let path = error.instance_path().as_str();
    let unknown = |name: &String| Problem::new(pointer(path, name), UNKNOWN);
    let message = match error.kind() {
        Broken::Required { property } => {
            return vec![Problem::new(pointer(path, property.as_str().unwrap_or_default()), MISSING)];
        }
        Broken::AdditionalProperties { unexpected } | Broken::UnevaluatedProperties { unexpected } => {
            return unexpected.iter().map(unknown).collect();
        }
        Broken::FalseSchema => match forbidden(error, whole) {
            Forbidden::Members(members) => return members.keys().map(unknown).collect(),
            Forbidden::Place => UNKNOWN.into(),
            Forbidden::Whole => "is not allowed as it is".into(),
        },
        Broken::PropertyNames { error } => {
            let name = plain(error.instance());
            let told = describe(error, error.instance()).into_iter().map(|problem| match problem.message.as_str() {
                UNKNOWN => unknown(&name),
                message => Problem::new(pointer(path, &name), format!("has a name that {message}")),
            });
            return told.collect();
        }
        Broken::AnyOf { context } | Broken::OneOfNotValid { context } => {
            return describe_branches(path, context, whole);
        }
        Broken::Type { kind } => format!("is not {}", or(type_names(kind))),
        Broken::Enum { options } => match options.as_array() {
            Some(options) => format!("is not one of: {}", list(options.iter().map(plain))),
            None => "is not one of the options".into(),
        },
        Broken::Constant { expected_value } => format!("is not {}", one_line(&plain(expected_value))),
        Broken::Minimum { limit } => format!("is less than {limit}"),
        Broken::Maximum { limit } => format!("is more than {limit}"),
        Broken::ExclusiveMinimum { limit } => format!("is not more than {limit}"),
        Broken::ExclusiveMaximum { limit } => format!("is not less than {limit}"),
        Broken::MultipleOf { multiple_of } => format!("is not a multiple of {multiple_of}"),
        Broken::MinLength { limit } => format!("is shorter than {}", count(*limit, "character")),
        Broken::MaxLength { limit } => format!("is longer than {}", count(*limit, "character")),
        Broken::MinItems { limit } => format!("has fewer than {}", count(*limit, "item")),
        Broken::MaxItems { limit } => format!("has more than {}", count(*limit, "item")),
        Broken::UniqueItems => "has an item twice".into(),
        Broken::Pattern { pattern } => format!("does not match the pattern {}", one_line(pattern)),
        Broken::BacktrackLimitExceeded { .. } | Broken::RegexEngineFailure { .. } => {
            "cannot be compared with its pattern: that takes too long".into()
        }
        Broken::Format { format } => format!("is not {}", format_name(format)),
        Broken::AdditionalItems { limit } => format!("has more than {}", count(*limit as u64, "item")),
        Broken::UnevaluatedItems { unexpected } => match unexpected.len() {
            1 => "has 1 item that is not allowed".into(),
            n => format!("has {n} items that are not allowed"),
        },
        Broken::Contains => "has no item of the kind that must be there".into(),
        // The older way to write `false`.
        Broken::Not { schema } if schema.as_object().is_some_and(Map::is_empty) => UNKNOWN.into(),
        Broken::Not { schema } => format!("is what it must not be: {}", one_line(&schema.to_string())),
        Broken::OneOfMultipleValid { .. } => "fits more than one of the allowed shapes".into(),
        _ => {
            let text = one_line(&error.masked().to_string());
            text.strip_prefix("value ").map(str::to_owned).unwrap_or(text)
        }
    };
    vec![Problem::new(path, message)]
}

/// What a schema that is `false` was for.
enum Forbidden<'a> {
    /// All the members of the object that is at the error's place.
    Members(&'a Map<String, Value>),
    /// Anything at its place.
    Place,
    /// What is there, because of something else in it.
    Whole,
}

/// The crate reports some of them at the place above.
fn forbidden<'a>(error: &ValidationError<'_>, whole: &'a Value) -> Forbidden<'a> {
    let schema = error.schema_path().as_str();
    let (above, last) = schema.rsplit_once('/').unwrap_or_default();
    let holder = above.rsplit_once('/').map_or(above, |(_, name)| name);
    let Some(Value::Object(members)) = whole.pointer(error.instance_path().as_str()) else { return Forbidden::Place };
    match (holder, last) {
        // It is the first member that the error is about.
        (_, "additionalProperties") if !error.instance().as_object().is_some_and(|object| object == members) => {
            Forbidden::Members(members)
        }
        ("properties" | "patternProperties" | "$defs" | "definitions", _) => Forbidden::Place,
        (_, "propertyNames") => Forbidden::Members(members),
        (_, "then" | "else") | ("dependentSchemas" | "dependencies", _) => Forbidden::Whole,
        _ => Forbidden::Place,
    }
}

/// Of several shapes, the one that the value comes nearest to is worth talking about: an `Optional[int]` that is
/// too small is too small, rather than "not valid under any of the schemas".
fn describe_branches(path: &str, branches: &[Vec<ValidationError<'static>>], whole: &Value) -> Vec<Problem> {
    let wrong_type = |branch: &[ValidationError<'static>]| match branch {
        [error] if error.instance_path().as_str() == path => match error.kind() {
            Broken::Type { kind } => Some(type_names(kind)),
            _ => None,
        },
        _ => None,
    };
    let near: Vec<_> = branches.iter().filter(|branch| wrong_type(branch).is_none()).collect();
    let message = match near.as_slice() {
        [] => format!("is not {}", or(branches.iter().filter_map(|branch| wrong_type(branch)).flatten().collect())),
        [only] => return only.iter().flat_map(|error| describe(error, whole)).collect(),
        _ => {
            let constants = near.iter().map(|branch| match branch.as_slice() {
                [error] => match error.kind() {
                    Broken::Constant { expected_value } => Some(plain(expected_value)),
                    _ => None,
                },
                _ => None,
            });
            match constants.collect::<Option<Vec<_>>>() {
                Some(constants) => format!("is not one of: {}", list(constants.into_iter())),
                None => "fits none of the allowed shapes".into(),
            }
        }
    };
    vec![Problem::new(path, message)]
}

fn type_names(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(one) => vec![type_name(one.as_str())],
        TypeKind::Multiple(many) => many.iter().map(|one| type_name(one.as_str())).collect(),
    }
}

/// A JSON type with its article.
pub(crate) fn type_name(json_type: &str) -> &'static str {
    match json_type {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    }
}

pub(crate) fn format_name(format: &str) -> String {
    match format {
        "email" => "an email address".into(),
        "uri" => "a URI like https://example.com/".into(),
        "date" => "a date like 2026-02-28".into(),
        "date-time" => "a date and time like 2026-02-28T13:45:00Z".into(),
        "time" => "a time like 13:45:00Z".into(),
        other => format!("a valid {}", one_line(other)),
    }
}

/// "a, b or c".
pub(crate) fn or(mut names: Vec<&str>) -> String {
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => String::new(),
    }
}

/// "a, b, c", cut when it is long.
pub(crate) fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.map(|name| one_line(&name)).collect();
    match names.len().checked_sub(MAX_LISTED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MAX_LISTED].join(", ")),
    }
}

/// A string as its text, anything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The first line, cut where it stops being one; what a server wrote may be of any length.
pub(crate) fn one_line(text: &str) -> String {
    const MAX: usize = 200;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
