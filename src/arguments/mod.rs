//! What was typed after the tool's name → the `arguments` object.
//!
//! | item | means |
//! |---|---|
//! | `k=v` | typed by the tool's schema (`coerce`) |
//! | `k:=JSON` | exactly this JSON |
//! | `k=@file`, `k:=@file` | the same, from a file's text; `@-` is stdin |
//! | `k=@@x` | the text `@x` |
//! | `a.b=v` | nested where the schema says so (`nested`) |
//! | `{…}`, `@args.json`, `-` or `@-` | the object the other items are put on top of, at most one |
//!
//! The first separator splits, the longest at that place wins. As in xh, a backslash makes the next `=`, `:`, `.`,
//! `@`, `{`, `-` or `\` of a key an ordinary character: `a\.b=1`, `\@k=1`. Every item is one word of the command
//! line; nothing is split at blanks. The module touches no file and no stream but through `Files`.

mod check;
mod coerce;
mod nested;
mod spell;
#[cfg(test)]
mod tests;

pub(crate) use check::check;
pub(crate) use spell::spell;

use crate::failure::{Failure, Result};
use crate::schema::one_line;
use nested::Known;
use serde_json::{Map, Value};
use std::fmt::Display;

/// Where `@file` and `-` are read from.
pub(crate) trait Files {
    /// The content of a file, or why there is none.
    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, String>;
    /// All of standard input.
    fn stdin(&self) -> std::result::Result<Vec<u8>, String>;
}

/// One item as typed; nothing has been read or looked up yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// The whole word, for messages.
    received: String,
    content: Content,
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    Base(Source<Map<String, Value>>),
    Text(Key, Source<String>),
    Json(Key, Source<Value>),
}

/// A value that is here, or still in a file.
#[derive(Debug, Clone, PartialEq)]
enum Source<T> {
    Here(T),
    File(String),
    Stdin,
}

/// A key, cut at its dots; how many of them nest is for the schema to say.
type Key = Vec<String>;

impl Item {
    /// Parses one word of the command line.
    ///
    /// # Errors
    /// When it is no item: a usage failure that shows it as received.
    pub(crate) fn parse(word: &str) -> Result<Item> {
        let content = if word == "-" {
            Content::Base(Source::Stdin)
        } else if word.starts_with('{') {
            Content::Base(Source::Here(object(word, word)?))
        } else if let Some(path) = word.strip_prefix('@') {
            Content::Base(Source::file(path, word)?)
        } else {
            pair(word)?
        };
        Ok(Item { received: word.to_owned(), content })
    }

    /// Whether its value is to come from stdin.
    pub(crate) fn reads_stdin(&self) -> bool {
        matches!(
            &self.content,
            Content::Base(Source::Stdin) | Content::Text(_, Source::Stdin) | Content::Json(_, Source::Stdin)
        )
    }

    fn key(&self) -> Option<&Key> {
        match &self.content {
            Content::Base(_) => None,
            Content::Text(key, _) | Content::Json(key, _) => Some(key),
        }
    }
}

impl<T> Source<T> {
    fn file(path: &str, word: &str) -> Result<Self> {
        match path {
            "" => Err(Failure::usage(format!("no file name after `@` in `{}`", one_line(word)))),
            "-" => Ok(Source::Stdin),
            path => Ok(Source::File(path.to_owned())),
        }
    }
}

/// Whether the tool's schema decides what one of the items means.
pub(crate) fn needs_schema(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.content {
        Content::Base(_) => false,
        Content::Text(..) => true,
        Content::Json(key, _) => key.len() > 1,
    })
}

/// The `arguments` object: the base, then each pair on top of it in the order typed.
///
/// A key given again replaces the earlier value, except that elements of an array add up: `tag=a tag=b`. A text
/// that cannot be what the schema says is refused, or, when `lenient`, sent as text.
///
/// # Errors
/// When an item cannot be read, does not fit the schema or has no place among the others: a usage failure.
pub(crate) fn build(
    items: &[Item],
    schema: Option<&Value>,
    files: &dyn Files,
    lenient: bool,
) -> Result<Map<String, Value>> {
    build_by(items, &Known::new(schema.unwrap_or(&Value::Bool(true))), files, lenient)
}

fn build_by(items: &[Item], known: &Known<'_>, files: &dyn Files, lenient: bool) -> Result<Map<String, Value>> {
    let mut reader = Reader { files, stdin_read: false };
    let mut arguments = base(items, &mut reader)?;
    let mut arrays = Vec::new();
    for item in items {
        let Some(key) = item.key() else { continue };
        let path = known.place(key);
        let name = path.join(".");
        let value = match &item.content {
            Content::Json(_, Source::Here(value)) => value.clone(),
            Content::Json(_, source) => json(&reader.text(source, item)?, &item.received)?,
            Content::Text(_, source) => {
                let text = match source {
                    Source::Here(text) => text.clone(),
                    other => reader.text(other, item)?,
                };
                let from_file = !matches!(source, Source::Here(_));
                let property = known.property(&path);
                let typed = match coerce::coerce(&text, from_file, property.as_deref(), known.root()) {
                    Err(_) if lenient => coerce::Typed::Value(text.into()),
                    typed => typed.map_err(|reason| {
                        Failure::usage(format!("argument {name}: {reason}")).hint("--no-validate sends it anyway")
                    })?,
                };
                match typed {
                    coerce::Typed::Value(value) => value,
                    coerce::Typed::Element(element) => match nested::get_mut(&mut arguments, &path) {
                        Some(Value::Array(array)) if arrays.contains(&path) => {
                            array.push(element);
                            continue;
                        }
                        _ => Value::Array(vec![element]),
                    },
                }
            }
            Content::Base(_) => continue,
        };
        if value.is_array() {
            arrays.push(path.clone());
        }
        nested::insert(&mut arguments, &path, value)
            .map_err(|at| Failure::usage(format!("argument {name}: {at} is not an object")))?;
    }
    Ok(arguments)
}

fn base(items: &[Item], reader: &mut Reader) -> Result<Map<String, Value>> {
    let mut bases = items.iter().filter_map(|item| match &item.content {
        Content::Base(source) => Some((item, source)),
        _ => None,
    });
    match (bases.next(), bases.next()) {
        (None, _) => Ok(Map::new()),
        (Some((first, _)), Some((second, _))) => Err(Failure::usage(format!(
            "only one item can be all of the arguments, received `{}` and `{}`",
            one_line(&first.received),
            one_line(&second.received)
        ))),
        (Some((_, Source::Here(object))), None) => Ok(object.clone()),
        (Some((item, source)), None) => object(&reader.text(source, item)?, &item.received),
    }
}

struct Reader<'a> {
    files: &'a dyn Files,
    stdin_read: bool,
}

impl Reader<'_> {
    fn text<T>(&mut self, source: &Source<T>, item: &Item) -> Result<String> {
        let bytes = match source {
            Source::File(path) => self.files.read(path),
            Source::Stdin if self.stdin_read => Err("standard input can be read only once".into()),
            Source::Stdin => {
                self.stdin_read = true;
                self.files.stdin()
            }
            Source::Here(_) => Ok(Vec::new()),
        };
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "not UTF-8 text".into()));
        text.map_err(|reason| Failure::usage(format!("{}: {reason}", one_line(&item.received))))
    }
}

fn pair(word: &str) -> Result<Content> {
    let mut key = vec![String::new()];
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let at = |separator| rest.strip_prefix(separator);
        if let Some(path) = at(":=@") {
            return Ok(Content::Json(named(key, word)?, Source::file(path, word)?));
        }
        if let Some(text) = at(":=") {
            return Ok(Content::Json(named(key, word)?, Source::Here(json(text, word)?)));
        }
        if rest.starts_with("=@@") {
            return Ok(Content::Text(named(key, word)?, Source::Here(rest[2..].to_owned())));
        }
        if let Some(path) = at("=@") {
            return Ok(Content::Text(named(key, word)?, Source::file(path, word)?));
        }
        if let Some(text) = at("=") {
            return Ok(Content::Text(named(key, word)?, Source::Here(text.to_owned())));
        }
        rest = &rest[c.len_utf8()..];
        let escaped = rest.chars().next().filter(|next| c == '\\' && "=:.@{-\\".contains(*next));
        match (escaped, key.last_mut()) {
            (Some(next), Some(part)) => {
                part.push(next);
                rest = &rest[next.len_utf8()..];
            }
            (None, Some(part)) if c != '.' => part.push(c),
            _ => key.push(String::new()),
        }
    }
    Err(Failure::usage(format!("not an argument: `{}`", one_line(word)))
        .hint("arguments are name=value, name:=JSON, name=@file, or all of them as {…}, @file.json or - (stdin)"))
}

/// A key with something in it. Dots at an end or side by side do not separate anything.
fn named(key: Key, word: &str) -> Result<Key> {
    if key.iter().all(String::is_empty) {
        return Err(Failure::usage(format!("no name before the separator in `{}`", one_line(word))));
    }
    Ok(if key.iter().any(String::is_empty) { vec![key.join(".")] } else { key })
}

fn json(text: &str, word: &str) -> Result<Value> {
    // Windows editors put a mark at the start of a file.
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| not_json(error, word))
}

fn object(text: &str, word: &str) -> Result<Map<String, Value>> {
    match json(text, word)? {
        Value::Object(object) => Ok(object),
        _ => Err(Failure::usage(format!("arguments must be a JSON object, received `{}`", one_line(word)))),
    }
}

fn not_json(error: impl Display, word: &str) -> Failure {
    Failure::usage(format!("not JSON: {error}, received `{}`", one_line(word)))
}
