//! `notifications/message`: filtered here too, since servers send below the level they were asked for.

use super::Show;
use crate::session::host::Event;
use clap::ValueEnum;
use serde_json::Value;

/// The eight levels, lowest first (server/utilities/logging).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    /// The word on the wire.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Error => "error",
            Level::Critical => "critical",
            Level::Alert => "alert",
            Level::Emergency => "emergency",
        }
    }
}

/// Passes a log message on when its level is high enough; one with an unknown level always, since dropping it
/// might hide something.
pub(super) fn read(params: &Value, lowest: Option<Level>, show: &Show) {
    let Some(lowest) = lowest else { return };
    let level = params.get("level").and_then(Value::as_str).unwrap_or("no level");
    let known = Level::value_variants().iter().find(|known| known.word() == level);
    if known.is_some_and(|level| *level < lowest) {
        return;
    }
    let logger = params.get("logger").and_then(Value::as_str);
    show(Event::Log { level, logger, data: params.get("data").unwrap_or(&Value::Null) });
}
