//! `notifications/message`: filtered here too, since servers send below the level they were asked for.

use super::Show;
use crate::session::host::{Event, Raw};
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
/// might hide something. Of one that is not shown no more than the level is read: there may be very many.
pub(super) fn read(params: Option<&Raw>, lowest: Option<Level>, show: &Show) {
    let Some(lowest) = lowest else { return };
    let members = params.and_then(|params| params.members(&["level", "logger", "data"]).ok());
    let [level, logger, data] = members.unwrap_or_default();
    let level = level.as_ref().and_then(Raw::text).unwrap_or("no level".into());
    let known = Level::value_variants().iter().find(|known| known.word() == level);
    if known.is_some_and(|level| *level < lowest) {
        return;
    }
    let logger = logger.as_ref().and_then(Raw::text);
    let data = data.map(|data| data.readable()).unwrap_or_default();
    show(Event::Log { level: &level, logger: logger.as_deref(), data: &data });
}
