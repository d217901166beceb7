//! `expect`: what is to come of a call. Here its shape; what has come of the call is held against it in `watch`.

mod read;
#[cfg(test)]
mod tests;
pub(crate) mod watch;

use super::matching::Pattern;
use super::number::{same, whole};
use serde_json::Value;
use std::fmt;

/// All expectations of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expect {
    /// One by one.
    pub(crate) checks: Vec<Check>,
}

/// One expectation.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    /// How often something was asked.
    Count(Counted, Range),
    /// What the result says of itself; absent means false.
    IsError(bool),
    /// The call ends with a JSON-RPC error.
    Error {
        /// Its code.
        code: Option<Value>,
        /// Its message.
        message: Option<Pattern>,
    },
    /// What stands at a place of the result.
    Result {
        /// A JSON pointer.
        pointer: String,
        /// What.
        wanted: Wanted,
    },
    /// A log message that must have come.
    Log(Log),
    /// A kind of question that must not be asked.
    NeverKind(&'static str),
    /// A message that no question may have.
    NeverMessage(Pattern),
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Questions of a kind.
    Asked(&'static str),
    /// Rounds of 2026-07-28.
    Rounds,
}

/// A number, or the limits it must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    min: u64,
    max: Option<u64>,
}

/// A value: strings may be a regular expression.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    Exactly(Value),
    Fits(Pattern),
}

/// A log message: what is given must hold.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    level: Option<&'static str>,
    logger: Option<Pattern>,
    text: Option<Pattern>,
}

/// The levels of log messages, lowest first.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

impl Expect {
    /// Whether nothing is expected.
    pub(crate) fn is_empty(&self) -> bool {
        self.checks.is_empty()
    }

    /// Whether it says what `isError` is to be: then that is no failure of its own.
    pub(crate) fn judges_is_error(&self) -> bool {
        self.checks.iter().any(|check| matches!(check, Check::IsError(_)))
    }

    /// Whether the call is to end with a JSON-RPC error: then that is no failure of its own.
    pub(crate) fn judges_error(&self) -> bool {
        self.checks.iter().any(|check| matches!(check, Check::Error { .. }))
    }

    /// The level from which logs must be asked for, when some are expected.
    pub(crate) fn log_level(&self) -> Option<&'static str> {
        let lowest = |log: &Log| log.level.and_then(|level| LEVELS.iter().position(|known| *known == level));
        let levels = self.checks.iter().filter_map(|check| match check {
            Check::Log(log) => Some(lowest(log).unwrap_or_default()),
            _ => None,
        });
        levels.min().map(|lowest| LEVELS[lowest])
    }
}

impl Range {
    fn holds(self, n: u64) -> bool {
        self.min <= n && self.max.is_none_or(|max| n <= max)
    }
}

impl Wanted {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Wanted::Exactly(wanted) => same(wanted, value),
            Wanted::Fits(pattern) => value.as_str().is_some_and(|text| pattern.fits(text)),
        }
    }
}

impl Log {
    fn holds(&self, params: &Value) -> bool {
        let member = |key: &str| params.get(key).and_then(Value::as_str);
        let data = params.get("data").unwrap_or(&Value::Null);
        let text = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
        self.level.is_none_or(|level| member("level") == Some(level))
            && self.logger.as_ref().is_none_or(|logger| member("logger").is_some_and(|name| logger.fits(name)))
            && self.text.as_ref().is_none_or(|pattern| pattern.fits(&text))
    }
}

impl Check {
    /// What it is about, in few words.
    pub(crate) fn name(&self) -> String {
        match self {
            Check::Count(Counted::Asked("elicitation"), _) => "elicitations".into(),
            Check::Count(Counted::Asked("sampling"), _) => "samplings".into(),
            Check::Count(Counted::Asked(kind), _) => (*kind).into(),
            Check::Count(Counted::Rounds, _) => "rounds".into(),
            Check::IsError(_) => "isError".into(),
            Check::Error { .. } => "error".into(),
            Check::Result { pointer, .. } if pointer.is_empty() => "result".into(),
            Check::Result { pointer, .. } => format!("result {pointer}"),
            Check::Log(_) => "logs".into(),
            Check::NeverKind(_) | Check::NeverMessage(_) => "never".into(),
        }
    }
}

/// What is expected.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Count(_, range) => range.fmt(f),
            Check::IsError(is_error) => is_error.fmt(f),
            Check::Error { code: None, message: None } => f.write_str("a JSON-RPC error"),
            Check::Error { code, message } => {
                f.write_str("a JSON-RPC error")?;
                code.iter().try_for_each(|code| write!(f, " {code}"))?;
                message.iter().try_for_each(|message| write!(f, " {message}"))
            }
            Check::Result { wanted: Wanted::Exactly(value), .. } => value.fmt(f),
            Check::Result { wanted: Wanted::Fits(pattern), .. } => pattern.fmt(f),
            Check::Log(log) => log.fmt(f),
            Check::NeverKind(kind) => write!(f, "no {kind} request"),
            Check::NeverMessage(pattern) => write!(f, "no question {pattern}"),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (min, Some(max)) if min == max => min.fmt(f),
            (0, Some(max)) => write!(f, "at most {max}"),
            (min, Some(max)) => write!(f, "{min} to {max}"),
            (min, None) => write!(f, "at least {min}"),
        }
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Log { level, logger, text } = self;
        f.write_str("a log")?;
        level.iter().try_for_each(|level| write!(f, " of level {level}"))?;
        logger.iter().try_for_each(|logger| write!(f, " of logger {logger}"))?;
        text.iter().try_for_each(|text| write!(f, " {text}"))
    }
}
