//! `notifications/message`: filtered here too, since servers send below the level they were asked for.

use super::Show;
use crate::session::host::{Event, Glance, Raw, glance};
use clap::ValueEnum;

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

/// How they come.
pub(super) const METHOD: &str = "notifications/message";

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

fn is_below(level: &str, lowest: Level) -> bool {
    Level::value_variants().iter().find(|known| known.word() == level).is_some_and(|level| *level < lowest)
}

/// Whether a message is no more than a log message which `read` would not pass on. No is always right.
pub(super) fn is_idle(message: &str, lowest: Option<Level>) -> bool {
    glance(message, "level").is_some_and(|Glance { method, said }| {
        method == METHOD && lowest.is_none_or(|lowest| said.is_some_and(|level| is_below(level, lowest)))
    })
}

/// Passes a log message on when its level is high enough; one with an unknown level always, since dropping it
/// might hide something. Of one that is not shown no more than the level is read: there may be very many.
pub(super) fn read(params: Option<&Raw>, lowest: Option<Level>, show: &Show) {
    let Some(lowest) = lowest else { return };
    let members = params.and_then(|params| params.members(&["level", "logger", "data"]).ok());
    let [level, logger, data] = members.unwrap_or_default();
    let level = level.as_ref().and_then(Raw::text).unwrap_or("no level".into());
    if is_below(&level, lowest) {
        return;
    }
    let logger = logger.as_ref().and_then(Raw::text);
    let data = data.map(|data| data.readable()).unwrap_or_default();
    show(Event::Log { level: &level, logger: logger.as_deref(), data: &data });
}
