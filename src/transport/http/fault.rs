//! Why a request failed, in one line. reqwest's errors say little in their first line and hide the cause in a chain.

use super::trust;
use crate::failure::Failure;
use crate::transport::Ended;
use std::error::Error;
use std::io;
use std::time::Duration;

/// A request that got no answer, or one that cannot be used.
#[derive(Debug)]
pub(super) struct Fault {
    /// One line.
    pub(super) reason: String,
    /// Nothing reached the server.
    pub(super) unsent: bool,
    /// Trying again would not help.
    pub(super) lasting: bool,
    /// What the credentials failed with, where it was they.
    pub(super) credentials: Option<Box<Failure>>,
}

impl Fault {
    /// A fault which no second attempt will cure.
    pub(super) fn lasting(reason: impl Into<String>) -> Self {
        Fault { reason: reason.into(), unsent: false, lasting: true, credentials: None }
    }

    /// Credentials that could not be had.
    pub(super) fn unauthorized(failure: Failure) -> Self {
        Fault { credentials: Some(Box::new(failure.clone())), ..Self::lasting(failure.message) }
    }

    /// A connection that broke within an answer.
    pub(super) fn broken(reason: impl Into<String>) -> Self {
        Fault { lasting: false, ..Self::lasting(reason) }
    }

    /// Something of ours that cannot even be sent.
    pub(super) fn unsendable(reason: impl Into<String>) -> Self {
        Fault { unsent: true, ..Self::lasting(reason) }
    }

    /// What reqwest reports for a request.
    pub(super) fn of_request(error: reqwest::Error, connect_timeout: Duration) -> Self {
        let unsent = error.is_connect() || error.is_builder();
        let reason = if error.is_connect() && error.is_timeout() {
            format!("no connection within {} s", connect_timeout.as_secs_f64())
        } else {
            chain(&error.without_url())
        };
        Fault { unsent, lasting: false, ..Self::lasting(reason) }
    }
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        match fault.credentials {
            Some(failure) => Ended::Unauthorized(failure),
            None => Ended::Broken { reason: fault.reason, unsent: fault.unsent },
        }
    }
}

/// What hyper says when it is the connection that broke.
const CONNECTION: &str = "error reading a body from connection";

/// Lines in which reqwest and hyper say only that something has a cause.
const EMPTY_WORDS: &[&str] = &[
    "builder error",
    "error sending request",
    "client error (Connect)",
    "client error (SendRequest)",
    "client error (Canceled)",
    "error decoding response body",
    "request or response body error",
    CONNECTION,
    "tcp connect error",
];

/// Why a body cannot be read on. A decoder's own words say only that something is wrong with a header or a frame of its own.
pub(super) fn of_body(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut causes = std::iter::successors(Some(&error as &dyn Error), |&error| error.source());
    let is_decoder = error.is_decode() && !causes.any(|cause| cause.to_string() == CONNECTION);
    let why = chain(&error);
    if is_decoder { format!("the answer cannot be decoded as its Content-Encoding says: {why}") } else { why }
}

/// The causes of an error from the outermost inwards in one line, without words that say nothing and without repeating
/// what the line before said already.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let texts = std::iter::successors(Some(error), |&error| error.source()).map(text);
    let texts: Vec<String> = texts.map(|text| text.replace(['\r', '\n'], " ")).collect();
    let mut parts: Vec<&str> = Vec::new();
    for text in texts.iter().filter(|text| !EMPTY_WORDS.contains(&text.as_str())) {
        match parts.last_mut() {
            Some(last) if last.contains(text.as_str()) => {}
            Some(last) if text.contains(*last) => *last = text,
            _ => parts.push(text),
        }
    }
    if parts.is_empty() { texts.last().cloned().unwrap_or_default() } else { parts.join(": ") }
}

/// One error in words, without the address of a page about it.
fn text(error: &(dyn Error + 'static)) -> String {
    let mut inner = error;
    // What an I/O error is made of is not its source.
    while let Some(within) = inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        inner = within;
    }
    if let Some(words) = inner.downcast_ref().and_then(trust::words) {
        return words;
    }
    let text = error.to_string();
    match text.split_once("https://docs.rs/") {
        Some((words, _)) if !words.is_empty() => words.trim_end_matches([':', ' ', '\r', '\n']).to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt;

    #[derive(Debug)]
    struct Link(&'static str, Option<Box<Link>>);

    impl fmt::Display for Link {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Link {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_ref().map(|link| &**link as &(dyn Error + 'static))
        }
    }

    #[test]
    fn a_chain_is_one_line_without_repetition() {
        let rows: &[(&[&str], &str)] = &[
            (&["error sending request", "client error (Connect)", "a", "b"], "a: b"),
            (&["a: b", "b"], "a: b"),
            (&["b", "a: b", "c\nd"], "a: b: c d"),
            (&["error sending request"], "error sending request"),
        ];
        for (texts, expected) in rows {
            let error =
                texts.iter().rev().fold(None, |source: Option<Box<Link>>, text| Some(Box::new(Link(text, source))));
            assert_eq!(chain(&*error.expect("a chain")), *expected);
        }
    }
}
