//! What has come of a call, held against what was expected. Of what passes no more is kept than that takes.

use super::{Check, Counted, Expect, same};
use crate::sync::lock;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// The longest text of a server that a verdict quotes.
const QUOTE: usize = 200;

/// How a call ended.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// With a result.
    Result(Value),
    /// With a JSON-RPC error.
    Error {
        /// Its code as sent.
        code: Option<Value>,
        /// Its message.
        message: String,
    },
}

/// An expectation and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judged {
    /// What it is about.
    pub(crate) name: String,
    /// What was expected.
    pub(crate) expected: String,
    /// What was instead, where it failed.
    pub(crate) was: Option<String>,
}

/// Watches a run for what its expectations need to know.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// What is expected.
    pub(crate) expect: Expect,
    tally: Mutex<Tally>,
}

/// What has happened.
#[derive(Debug, Default)]
struct Tally {
    asked: HashMap<String, u64>,
    rounds: u64,
    n_logs: u64,
    /// What the check at this place has seen: the log it waited for, the first question it forbids.
    seen: HashMap<usize, String>,
    end: Option<End>,
}

impl Watch {
    /// Watches for these.
    pub(crate) fn new(expect: Expect) -> Self {
        Watch { expect, tally: Mutex::default() }
    }

    /// Notes a question of a kind, with its message.
    pub(crate) fn asked(&self, kind: &str, message: &str) {
        if self.expect.is_empty() {
            return;
        }
        let mut tally = self.tally();
        *tally.asked.entry(kind.to_owned()).or_default() += 1;
        for (at, check) in self.expect.checks.iter().enumerate() {
            if let Check::NeverMessage(pattern) = check
                && pattern.fits(message)
            {
                tally.seen.entry(at).or_insert_with(|| quote(message));
            }
        }
    }

    /// Notes how often the server has asked by ending the call.
    pub(crate) fn round(&self, number: usize) {
        let mut tally = self.tally();
        tally.rounds = tally.rounds.max(number as u64);
    }

    /// Whether logs are of interest.
    pub(crate) fn wants_logs(&self) -> bool {
        self.expect.log_level().is_some()
    }

    /// Notes the params of a log message.
    pub(crate) fn log(&self, params: &Value) {
        let mut tally = self.tally();
        tally.n_logs += 1;
        for (at, check) in self.expect.checks.iter().enumerate() {
            if let Check::Log(log) = check
                && log.holds(params)
            {
                tally.seen.entry(at).or_default();
            }
        }
    }

    /// Notes how the call ended.
    pub(crate) fn ended(&self, end: End) {
        self.tally().end = Some(end);
    }

    /// Whether that was a JSON-RPC error.
    pub(crate) fn ended_with_error(&self) -> bool {
        matches!(self.tally().end, Some(End::Error { .. }))
    }

    /// What came of each expectation; `None` when the call did not come to its end, so that nothing can be said.
    pub(crate) fn judge(&self) -> Option<Vec<Judged>> {
        let tally = self.tally();
        let end = tally.end.as_ref()?;
        let judged = self.expect.checks.iter().enumerate().map(|(at, check)| Judged {
            name: check.name(),
            expected: check.to_string(),
            was: tally.instead(at, check, end),
        });
        Some(judged.collect())
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        lock(&self.tally)
    }
}

impl Tally {
    /// What was instead of what the check at this place expects; `None` when it holds.
    fn instead(&self, at: usize, check: &Check, end: &End) -> Option<String> {
        let failed = |holds: bool, was: String| (!holds).then_some(was);
        let asked = |kind: &str| self.asked.get(kind).copied().unwrap_or_default();
        match check {
            Check::Count(counted, range) => {
                let n = match counted {
                    Counted::Asked(kind) => asked(kind),
                    Counted::Rounds => self.rounds,
                };
                failed(range.holds(n), n.to_string())
            }
            Check::IsError(wanted) => match end {
                End::Result(result) => {
                    let is_error = result.get("isError") == Some(&Value::Bool(true));
                    failed(is_error == *wanted, is_error.to_string())
                }
                End::Error { .. } => Some(end.words()),
            },
            Check::Error { code, message } => match end {
                End::Result(_) => Some(end.words()),
                End::Error { code: sent, message: said } => {
                    let holds = code.as_ref().is_none_or(|code| sent.as_ref().is_some_and(|sent| same(code, sent)))
                        && message.as_ref().is_none_or(|message| message.fits(said));
                    failed(holds, end.words())
                }
            },
            Check::Result { pointer, wanted } => match end {
                End::Result(result) => match result.pointer(pointer) {
                    Some(value) => failed(wanted.holds(value), quote(&value.to_string())),
                    None => Some("nothing".into()),
                },
                End::Error { .. } => Some(end.words()),
            },
            Check::Log(_) => failed(self.seen.contains_key(&at), format!("not among {}", logs(self.n_logs))),
            Check::NeverKind(kind) => failed(asked(kind) == 0, asked(kind).to_string()),
            Check::NeverMessage(_) => self.seen.get(&at).map(|message| Value::from(message.as_str()).to_string()),
        }
    }
}

impl End {
    fn words(&self) -> String {
        match self {
            End::Result(result) if result.get("isError") == Some(&Value::Bool(true)) => {
                "a result with isError".to_owned()
            }
            End::Result(_) => "a result".to_owned(),
            End::Error { code, message } => {
                let code = code.as_ref().map_or_else(String::new, |code| format!(" {code}"));
                format!("a JSON-RPC error{code} {}", Value::from(quote(message)))
            }
        }
    }
}

fn logs(n: u64) -> String {
    if n == 1 { "1 log".into() } else { format!("{n} logs") }
}

fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
