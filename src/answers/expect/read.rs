//! `expect` as it is written.

use super::{Check, Counted, Expect, LEVELS, Log, Range, Wanted, whole};
use crate::answers::KindSpec;
use crate::answers::matching::Pattern;
use crate::answers::mistake::{Reader, Wrong, kind, unknown};
use crate::words::nearest;
use serde_json::Value;

impl Expect {
    /// Reads the object.
    pub(in crate::answers) fn read(value: Value, pointer: &str, kinds: &[KindSpec], wrongs: &mut Vec<Wrong>) -> Self {
        let mut checks = Vec::new();
        let Some(mut reader) = Reader::new(value, pointer.to_owned(), "expect", wrongs) else {
            return Expect::default();
        };
        let counts = [
            ("elicitations", Counted::Asked("elicitation")),
            ("samplings", Counted::Asked("sampling")),
            ("roots", Counted::Asked("roots")),
            ("rounds", Counted::Rounds),
        ];
        for (key, counted) in counts {
            let Some(value) = reader.value(key) else { continue };
            let range = range(value, reader.pointer(key), reader.wrongs);
            checks.extend(range.map(|range| Check::Count(counted, range)));
        }
        let is_error = reader
            .take("isError", |value| value.as_bool().ok_or_else(|| format!("{} is not true or false", kind(&value))));
        checks.extend(is_error.map(Check::IsError));
        if let Some(value) = reader.value("error") {
            if is_error.is_some() || reader.peek("result").is_some() {
                reader
                    .wrong_key("error", "goes without isError and result: a call that ends with an error has neither");
            }
            checks.extend(error(value, reader.pointer("error"), reader.wrongs));
        }
        if let Some(value) = reader.value("result") {
            checks.extend(result(value, reader.pointer("result"), reader.wrongs));
        }
        for (at, item) in reader.take("logs", list).into_iter().flatten().enumerate() {
            let pointer = format!("{}/{at}", reader.pointer("logs"));
            checks.extend(log(item, pointer, reader.wrongs).map(Check::Log));
        }
        for (at, item) in reader.take("never", list).into_iter().flatten().enumerate() {
            match never(&item, kinds) {
                Ok(check) => checks.push(check),
                Err(why) => {
                    let path = format!("{}/{at}", reader.pointer("never"));
                    reader.wrongs.push(Wrong::new(path, why));
                }
            }
        }
        reader.rest(&[]);
        Expect { checks }
    }
}

fn list(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(format!("{} is not a list", kind(&other))),
    }
}

fn range(value: Value, pointer: String, wrongs: &mut Vec<Wrong>) -> Option<Range> {
    if let Some(n) = whole(&value) {
        return Some(Range { min: n, max: Some(n) });
    }
    if !value.is_object() {
        wrongs.push(Wrong::new(pointer, format!("{} is neither a count nor {{\"min\", \"max\"}}", kind(&value))));
        return None;
    }
    let mut reader = Reader::new(value, pointer, "a range", wrongs)?;
    let n_given = reader.values().count();
    let count = |value: Value| whole(&value).ok_or_else(|| format!("{} is not a count", kind(&value)));
    let (min, max) = (reader.take("min", count), reader.take("max", count));
    if n_given == 0 {
        reader.lacks("needs \"min\" or \"max\"");
    }
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        reader.lacks(format!("min {min} is more than max {max}"));
    }
    reader.rest(&[]);
    Some(Range { min: min.unwrap_or_default(), max })
}

fn error(value: Value, pointer: String, wrongs: &mut Vec<Wrong>) -> Option<Check> {
    let mut reader = Reader::new(value, pointer, "error", wrongs)?;
    let code = reader.take("code", |code| match code.as_i64() {
        Some(_) => Ok(code),
        None => Err(format!("{} is not an integer", kind(&code))),
    });
    let message = reader.take("message", |message| Pattern::read(&message));
    reader.rest(&[]);
    Some(Check::Error { code, message })
}

fn result(value: Value, pointer: String, wrongs: &mut Vec<Wrong>) -> Vec<Check> {
    let Some(mut reader) = Reader::new(value, pointer, "result", wrongs) else { return Vec::new() };
    let mut checks = Vec::new();
    let keys: Vec<String> = reader.keys().map(str::to_owned).collect();
    for key in keys {
        if !key.is_empty() && !key.starts_with('/') {
            reader.wrong_key(&key, "is no JSON pointer, which begins with /");
            continue;
        }
        let value = reader.peek(&key).cloned().unwrap_or_default();
        match Pattern::read(&value) {
            Ok(pattern) if pattern.is_regex() => {
                checks.push(Check::Result { pointer: key, wanted: Wanted::Fits(pattern) });
            }
            Err(why) if value.is_string() => reader.wrong(&key, why),
            _ => checks.push(Check::Result { pointer: key, wanted: Wanted::Exactly(value) }),
        }
    }
    checks
}

fn log(value: Value, pointer: String, wrongs: &mut Vec<Wrong>) -> Option<Log> {
    if value.is_string() {
        return match Pattern::read(&value) {
            Ok(text) => Some(Log { level: None, logger: None, text: Some(text) }),
            Err(why) => {
                wrongs.push(Wrong::new(pointer, why));
                None
            }
        };
    }
    let mut reader = Reader::new(value, pointer, "a log", wrongs)?;
    let pattern = |value: Value| Pattern::read(&value);
    let level = reader.take("level", |value| {
        let word = value.as_str().unwrap_or_default();
        let known = LEVELS.iter().find(|level| **level == word);
        known.copied().ok_or_else(|| unknown("level", word, LEVELS))
    });
    let (logger, text) = (reader.take("logger", pattern), reader.take("text", pattern));
    reader.rest(&[]);
    Some(Log { level, logger, text })
}

/// A kind, or a regular expression for messages: a plain text would hold whenever it has a slip.
fn never(value: &Value, kinds: &[KindSpec]) -> Result<Check, String> {
    let pattern = Pattern::read(value)?;
    if pattern.is_regex() {
        return Ok(Check::NeverMessage(pattern));
    }
    let word = value.as_str().unwrap_or_default();
    if let Some(kind) = kinds.iter().find(|kind| kind.on == word) {
        return Ok(Check::NeverKind(kind.on));
    }
    let names = || kinds.iter().map(|kind| kind.on);
    let near = nearest(word, names()).map_or_else(String::new, |near| format!(", did you mean {near}?"));
    let names = names().collect::<Vec<_>>().join(", ");
    Err(format!("is neither a kind of question{near} ({names}) nor a /regular expression/ for messages"))
}
