//! The doors without the checks, for what is to be timed. Each gives a number that depends on all that was done.

use super::lines::split;
use crate::answers;
use crate::answers::ledger::Ledger;
use crate::answers::matching::Subject;
use crate::callbacks::KINDS;
use crate::form::{Form, Taste, example, outline};
use crate::jsonrpc::{self, Raw};
use crate::terminal::sanitize::{self, Lines};
use crate::transport::lines::{Line, Overlong};
use crate::transport::stdio::decoded;
use serde_json::{Map, Value};

/// An event stream that arrives in chunks: the bytes of its events.
#[must_use]
pub fn sse(stream: &[u8], chunk: usize) -> usize {
    let (_, events, _) = super::sse::parse(stream, chunk, usize::MAX / 2);
    events.iter().map(|event| event.data.len()).sum()
}

/// A server's stdout that arrives in chunks: how many messages are in it.
#[must_use]
pub fn messages(stream: &[u8], chunk: usize) -> usize {
    let lines = split(stream, chunk, usize::MAX / 2, Overlong::Drop).into_iter();
    let texts = lines.filter_map(|line| match line {
        Line::Whole(bytes) => decoded(bytes),
        Line::TooLarge(_) => None,
    });
    texts.map(|(text, _)| jsonrpc::parse(&Raw::new(text)).filter(Result::is_ok).count()).sum()
}

/// A schema: the fields of its form, with an example of it.
#[must_use]
pub fn form(schema: &Value) -> usize {
    let form = Form::new(schema);
    outline(&form).len() + example(&form, &Map::new(), Taste::Lively).len()
}

/// A value against a schema: how many problems there are.
#[must_use]
pub fn check(schema: &Value, instance: &Value) -> usize {
    crate::schema::check(schema, instance).map_or(0, |problems| problems.len())
}

/// A text as a terminal may see it: its length.
#[must_use]
pub fn visible(text: &str) -> usize {
    sanitize::visible(text, Lines::Many).len()
}

/// An answer file, read.
pub struct Answers(Ledger);

impl Answers {
    /// Reads the text of one.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let file = answers::load("answers.json", text, KINDS, &|_| None);
        match file.expect("an answer file").answers {
            answers::Answers::List(entries) => Answers(Ledger::new(entries)),
            answers::Answers::Short(_) => panic!("no list of answers"),
        }
    }

    /// Looks for the entry that answers an elicitation: its place.
    #[must_use]
    pub fn take(&self, message: &str) -> Option<usize> {
        let subject = Subject { message: Some(message), ..Subject::default() };
        self.0.take("elicitation", |entry| entry.matching.fits(subject)).map(|(at, _)| at)
    }
}
