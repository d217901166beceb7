//! What a server tells without asking: logs and progress are read, everything else goes to the catch-all as it is.
//! Notifications need no capability. (`notifications/cancelled` never gets here: the engine applies it.)

pub(crate) mod flags;
mod logging;
mod progress;

use super::Show;
use crate::session::host::{Event, Raw};
use crate::sync::lock;
pub(crate) use logging::Level;
use std::sync::Mutex;

/// Reads notifications into events.
#[derive(Debug)]
pub(crate) struct Notifications {
    /// The lowest level of log message to show; none are shown without it.
    pub(crate) lowest: Mutex<Option<Level>>,
}

impl Notifications {
    /// Whether it is a log message below the level that is shown, as far as a glance tells.
    pub(crate) fn are_deaf_to(&self, message: &str) -> bool {
        logging::is_idle(message, *lock(&self.lowest))
    }

    /// Passes on what a notification says.
    pub(crate) fn read(&self, method: &str, params: Option<&Raw>, show: &Show) {
        match method {
            logging::METHOD => logging::read(params, *lock(&self.lowest), show),
            "notifications/progress" => progress::read(params, show),
            _ => show(Event::Notification { method, params }),
        }
    }
}
