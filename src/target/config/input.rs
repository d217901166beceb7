//! What a file has asked for (`inputs` of VS Code), and what the user gives for it on the line.

use super::file::{Document, member};
use crate::failure::{Failure, Result};
use crate::words::nearest;
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

/// One question of a file.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// Its name.
    pub(crate) id: String,
    /// What to ask.
    pub(crate) description: Option<String>,
    /// What stands there at first.
    pub(crate) default: Option<String>,
    /// Whether it must not be seen.
    pub(crate) is_secret: bool,
    /// What there is to choose from: what is shown, and the value. A line of text, where there is none.
    pub(crate) options: Vec<(String, String)>,
    /// Why it cannot be asked for.
    pub(super) refused: Option<String>,
    /// Where it stands.
    pub(super) place: usize,
}

impl Input {
    /// What people see.
    pub(crate) fn label(&self) -> &str {
        self.description.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or(&self.id)
    }
}

/// The questions of a file.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Those that can be asked for by name.
    pub(super) list: Vec<Input>,
    /// What is wrong with the others, one line each: no server can want them.
    pub(super) nameless: Vec<String>,
}

/// The questions of a file. Of several with one name the first counts.
///
/// # Errors
/// `usage`, when it has something else in their place.
pub(super) fn read(document: &Document<'_>) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for value in document.inputs()? {
        match read_one(document, value) {
            Ok(input) if inputs.list.iter().any(|known| known.id == input.id) => {}
            Ok(input) => inputs.list.push(input),
            Err(why) => inputs.nameless.push(why.message),
        }
    }
    Ok(inputs)
}

fn read_one(document: &Document<'_>, value: &Value<'_>) -> Result<Input> {
    let place = value.range().start;
    let Value::Object(input) = value else { return Err(document.wrong(place, "an input is not an object")) };
    let text = |key| member(input, key).and_then(Value::as_string_lit).map(|text| text.value.to_string());
    let id = text("id").ok_or_else(|| document.wrong(place, "an input has no id"))?;
    let (kind, options) = (text("type").unwrap_or_else(|| "promptString".to_owned()), options(input));
    let refused = match kind.as_str() {
        "promptString" => None,
        "pickString" if options.is_empty() => Some(format!("the input {id} has no options to pick from")),
        "pickString" => None,
        "command" => Some(format!("the input {id} is the result of an editor's command, which is not run here")),
        other => Some(format!("the input {id} is of type {other}, which is not known here")),
    };
    Ok(Input {
        description: text("description"),
        default: text("default"),
        is_secret: member(input, "password").and_then(Value::as_boolean_lit).is_some_and(|is| is.value),
        options: if kind == "pickString" { options } else { Vec::new() },
        id,
        refused,
        place,
    })
}

fn options(input: &Object<'_>) -> Vec<(String, String)> {
    let Some(Value::Array(list)) = member(input, "options") else { return Vec::new() };
    let one = |value: &Value<'_>| match value {
        Value::StringLit(text) => Some((text.value.to_string(), text.value.to_string())),
        Value::Object(option) => {
            let text = |key| member(option, key).and_then(Value::as_string_lit).map(|text| text.value.to_string());
            let value = text("value")?;
            Some((text("label").unwrap_or_else(|| value.clone()), value))
        }
        _ => None,
    };
    list.elements.iter().filter_map(one).collect()
}

/// The values of `--input`.
pub(crate) struct Given(Vec<(String, String)>);

impl Given {
    /// Reads `ID=VALUE`.
    ///
    /// # Errors
    /// `usage`; the value may be a secret and is not shown.
    pub(crate) fn read(flags: &[String]) -> Result<Given> {
        let pairs = flags.iter().map(|flag| match flag.split_once('=') {
            Some((id, value)) if !id.is_empty() => Ok((id.to_owned(), value.to_owned())),
            _ => Err(Failure::usage(format!("--input {}: not ID=VALUE", super::super::beginning(flag)))),
        });
        pairs.collect::<Result<_>>().map(Given)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value for an input; the last one given.
    pub(super) fn get(&self, id: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == id).map(|(_, value)| value.as_str())
    }

    /// Whether each is for an input of the file: one that it describes, or uses for this server.
    pub(super) fn check_names(&self, inputs: &[Input], wanted: &[String], document: &Document<'_>) -> Result<()> {
        let mut known: Vec<&str> = inputs.iter().map(|input| input.id.as_str()).collect();
        known.extend(wanted.iter().map(String::as_str).filter(|id| !inputs.iter().any(|input| input.id == *id)));
        let Some((id, _)) = self.0.iter().find(|(id, _)| !known.contains(&id.as_str())) else { return Ok(()) };
        let failure = Failure::usage(format!("--input {id}: {} has no such input", document.name));
        Err(match nearest(id, known.iter().copied()) {
            Some(near) => failure.hint(format!("did you mean {near}?")),
            None if known.is_empty() => failure.hint("it asks for nothing"),
            None => failure.hint(format!("it has: {}", known.join(", "))),
        })
    }

    /// Whether each is one of the input's options, where it has some.
    pub(super) fn check_values(&self, inputs: &[Input]) -> Result<()> {
        for input in inputs.iter().filter(|input| !input.options.is_empty()) {
            let known = |value: &str| input.options.iter().any(|(_, known)| known == value);
            if self.get(&input.id).is_some_and(|value| !known(value)) {
                let options: Vec<&str> = input.options.iter().map(|(_, value)| value.as_str()).collect();
                return Err(Failure::usage(format!("--input {}: not one of {}", input.id, options.join(", "))));
            }
        }
        Ok(())
    }
}
