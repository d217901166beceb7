//! One entry of the list: what all kinds share, read and checked; the rest is its kind's.

use super::KindSpec;
use super::matching::Matching;
use super::mistake::{Reader, Wrong, kind, unknown};
use super::number::whole;
use serde_json::{Map, Value};
use std::time::Duration;

/// One entry of the list.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The callback kind it answers.
    pub(crate) on: String,
    /// Which questions it fits.
    pub(crate) matching: Matching,
    /// How often it may be used; `None` without end.
    pub(crate) times: Option<u64>,
    /// A JSON-RPC error to refuse with: `code` and `message`.
    pub(crate) error: Option<(i64, String)>,
    /// How long to wait before answering, in milliseconds.
    pub(crate) delay_ms: u64,
    /// The keys its kind owns.
    pub(crate) clause: Map<String, Value>,
}

impl Entry {
    /// Begins to answer: waits as long as the entry says.
    ///
    /// # Errors
    /// The code and message to refuse with, when that is its answer.
    pub(crate) async fn begin(&self) -> Result<(), (i64, String)> {
        if self.delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(self.delay_ms)).await;
        }
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Reads an entry; what is wrong with it is noted, and it is not to be used then.
    pub(super) fn read(value: Value, pointer: &str, kinds: &[KindSpec], wrongs: &mut Vec<Wrong>) -> Option<Self> {
        let n_wrongs = wrongs.len();
        let mut reader = Reader::new(value, pointer.to_owned(), "an answer", wrongs)?;
        let names: Vec<&str> = kinds.iter().map(|kind| kind.on).collect();
        let spec = match reader.value("on") {
            Some(Value::String(on)) => {
                let spec = kinds.iter().find(|kind| kind.on == on);
                if spec.is_none() {
                    reader.wrong("on", unknown("kind", &on, &names));
                }
                spec?
            }
            Some(other) => {
                reader.wrong("on", format!("{} is not a string", kind(&other)));
                return None;
            }
            None => {
                reader.lacks(format!("has no \"on\" (one of: {})", names.join(", ")));
                return None;
            }
        };
        let matching = reader.value("match");
        let matching = Matching::read(matching, reader.pointer("match"), spec.match_keys, reader.wrongs);
        let times = reader.take("times", |value| match whole(&value) {
            _ if value == "any" => Ok(None),
            Some(n) if n > 0 => Ok(Some(n)),
            _ => Err(format!("{} is neither a count nor \"any\"", kind(&value))),
        });
        let error = reader.value("error");
        let error = error.and_then(|error| read_error(error, reader.pointer("error"), reader.wrongs));
        let delay_ms = reader.take("delay_ms", |value| {
            whole(&value).ok_or_else(|| format!("{} is not a number of milliseconds", kind(&value)))
        });
        let clause = reader.rest(spec.clause_keys);
        let (times, delay_ms) = (times.unwrap_or(Some(1)), delay_ms.unwrap_or_default());
        let mut entry = Entry { on: spec.on.to_owned(), matching, times, error, delay_ms, clause };
        if wrongs.len() > n_wrongs {
            return None;
        }
        match (spec.check)(&mut entry) {
            Ok(()) => Some(entry),
            Err(wrong) => {
                wrongs.push(wrong.below(pointer));
                None
            }
        }
    }
}

fn read_error(value: Value, pointer: String, wrongs: &mut Vec<Wrong>) -> Option<(i64, String)> {
    let mut reader = Reader::new(value, pointer, "error", wrongs)?;
    let code = reader.value("code").and_then(|code| code.as_i64());
    if code.is_none() {
        reader.lacks("needs an integer \"code\"");
    }
    let message = reader.value("message").and_then(|message| message.as_str().map(str::to_owned));
    if message.is_none() {
        reader.lacks("needs a string \"message\"");
    }
    reader.rest(&[]);
    Some((code?, message?))
}
