//! What a server tells without asking: logs and progress are read, everything else goes to the catch-all as it is.
//! Notifications need no capability. (`notifications/cancelled` never gets here: the engine applies it.)

pub(crate) mod flags;
mod logging;
mod progress;

use super::Show;
use crate::session::host::{Event, Raw};
use crate::sync::lock;
pub(crate) use logging::Level;
use serde_json::Value;
use std::sync::Mutex;

/// Reads notifications into events.
#[derive(Debug)]
pub(crate) struct Notifications {
    /// The lowest level of log message to show; none are shown without it.
    pub(crate) lowest: Mutex<Option<Level>>,
}

impl Notifications {
    /// Passes on what a notification says.
    pub(crate) fn read(&self, method: &str, params: Option<&Raw>, show: &Show) {
        // One by one: data that cannot be read costs no level.
        let read = |names: &[&str; 3]| {
            let members = params.and_then(|params| params.members(names).ok()).unwrap_or_default();
            let known = names.iter().zip(members).filter_map(|(name, raw)| Some(((*name).to_owned(), raw?.readable())));
            Value::Object(known.collect())
        };
        match method {
            "notifications/message" => logging::read(&read(&["level", "logger", "data"]), *lock(&self.lowest), show),
            "notifications/progress" => progress::read(&read(&["progress", "total", "message"]), show),
            _ => show(Event::Notification { method, params }),
        }
    }
}
