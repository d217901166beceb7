//! Answer files: what every callback kind shares. Which entry answers a question is decided here; what an entry
//! says is its kind's business (`callbacks/<kind>/answer.rs`).

mod entry;
mod expand;
pub(crate) mod expect;
pub(crate) mod ledger;
pub(crate) mod matching;
pub(crate) mod mistake;
mod number;
pub(crate) mod place;
pub(crate) mod record;

pub(crate) use entry::Entry;
use expand::{Env, expand};
use expect::Expect;
use matching::MatchKey;
use mistake::{Mistake, Part, Reader, Wrong, kind};
use place::{Places, Position};
use serde_json::{Map, Value};

/// The JSON Schema of an answer file, for editors.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// What a callback kind allows in its entries.
pub(crate) struct KindSpec {
    /// The value of `on`.
    pub(crate) on: &'static str,
    /// Keys of `match` that only this kind has.
    pub(crate) match_keys: &'static [MatchKey],
    /// Keys of the entry that only this kind has.
    pub(crate) clause_keys: &'static [&'static str],
    /// Checks what the entry says, and adds to `match` what follows from it.
    pub(crate) check: fn(&mut Entry) -> Result<(), Wrong>,
}

/// An answer file; the default answers nothing and expects nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    /// What answers.
    pub(crate) answers: Answers,
    /// What is to come of the call.
    pub(crate) expect: Expect,
    /// What is no mistake, but can hardly be meant.
    pub(crate) doubts: Vec<Mistake>,
}

/// What answers.
#[derive(Debug, Clone)]
pub(crate) enum Answers {
    /// The short form: values for every form whose required fields they cover.
    Short(Map<String, Value>),
    /// The ordered list.
    List(Vec<Entry>),
}

impl Default for Answers {
    fn default() -> Self {
        Answers::List(Vec::new())
    }
}

/// Reads an answer file; `name` is for messages, `env` expands `${NAME}` in strings.
///
/// # Errors
/// All that is wrong with it, at least one.
pub(crate) fn load(name: &str, text: &str, kinds: &[KindSpec], env: &Env<'_>) -> Result<File, Vec<Mistake>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Err(vec![Mistake::syntax(name, text, &error)]),
    };
    let places = Places::of(text);
    let mut wrongs: Vec<Wrong> = places.repeated.iter().map(|repeated| twice(text, repeated)).collect();
    let placed = |wrong: Wrong| Mistake::at(name, text, &places, wrong);
    if wrongs.is_empty() {
        expand(&mut value, "", env, &mut wrongs);
    }
    let file = if wrongs.is_empty() { read(value, kinds, &mut wrongs) } else { None };
    match file {
        Some((answers, expect)) if wrongs.is_empty() => {
            let doubts = unreachable(&answers).into_iter().map(placed).collect();
            Ok(File { answers, expect, doubts })
        }
        _ => {
            let mut mistakes: Vec<Mistake> = wrongs.into_iter().map(placed).collect();
            mistakes.sort_by_key(Mistake::position);
            Err(mistakes)
        }
    }
}

/// A key that its object has already: one of the two would be lost without a word.
fn twice(text: &str, (pointer, first, _): &(String, usize, usize)) -> Wrong {
    let Position { line, column } = Position::of(text, *first);
    Wrong {
        path: pointer.clone(),
        part: Part::Key,
        why: format!("stands twice in its object (first at {line}:{column})"),
    }
}

fn read(value: Value, kinds: &[KindSpec], wrongs: &mut Vec<Wrong>) -> Option<(Answers, Expect)> {
    let mut reader = Reader::new(value, String::new(), "an answer file", wrongs)?;
    // For editors.
    reader.value("$schema");
    if !reader.is_long() {
        return Some((Answers::Short(reader.all()), Expect::default()));
    }
    reader.take("version", |version| match number::whole(&version) {
        Some(1) => Ok(()),
        _ => Err(format!("is {}, but only version 1 is known", kind(&version))),
    });
    let entries = reader.take("answers", |answers| match answers {
        Value::Array(entries) => Ok(entries),
        other => Err(format!("{} is not a list", kind(&other))),
    });
    let entries: Vec<Entry> = entries
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(at, entry)| Entry::read(entry, &format!("/answers/{at}"), kinds, reader.wrongs))
        .collect();
    let expect = reader.value("expect").map(|expect| Expect::read(expect, "/expect", kinds, reader.wrongs));
    reader.rest(&[]);
    Some((Answers::List(entries), expect.unwrap_or_default()))
}

impl Reader<'_> {
    /// Whether a file is the long form. Anything else is values for forms: a form may have a field of any name.
    fn is_long(&self) -> bool {
        let is_entry = |item: &Value| item.get("on").is_some_and(Value::is_string);
        let has = |key: &str| self.peek(key).is_some();
        self.peek("answers").is_some_and(Value::is_array)
            || self.peek("expect").is_some_and(Value::is_object)
            || has("version") && (has("answers") || has("expect"))
            // "anwsers" is a slip, and no field with a list of kinds.
            || self.values().any(|value| value.as_array().is_some_and(|items| items.iter().any(is_entry)))
    }
}

/// Entries that can never be used, since an earlier one without limit takes all that they fit.
fn unreachable(answers: &Answers) -> Vec<Wrong> {
    let Answers::List(entries) = answers else { return Vec::new() };
    let mut wrongs = Vec::new();
    let mut unlimited: Vec<(usize, &Entry)> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let covers =
            |(_, earlier): &&(usize, &Entry)| earlier.on == entry.on && earlier.matching.covers(&entry.matching);
        if let Some((earlier, _)) = unlimited.iter().find(covers) {
            let why = format!("is never reached: /answers/{earlier} takes every question that it fits");
            wrongs.push(Wrong::new(format!("/answers/{at}"), why));
        }
        if entry.times.is_none() {
            unlimited.push((at, entry));
        }
    }
    wrongs
}

#[cfg(test)]
mod tests;
