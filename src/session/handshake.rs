//! The handshake of 2024-11-05 to 2025-11-25 (basic/lifecycle).

use super::era::legacy::Legacy;
use super::era::negotiate::Protocol;
use super::era::revision::Revision;
use super::era::{Era, Letter, Server};
use super::host::Event;
use super::{Call, Session};
use crate::failure::{Kind, Result};
use crate::sync::lock;
use serde_json::json;
use std::sync::Arc;

impl Session {
    /// `initialize` and `notifications/initialized`, in that order and before anything else.
    ///
    /// # Errors
    /// `connect` when it is refused, with the server's code and data or the HTTP status.
    pub(super) async fn handshake(&self, asked: &'static Revision) -> Result<()> {
        let core = &self.core;
        let (legacy, server, odd) = self.initialize(asked).await?;
        odd.iter().for_each(|note| core.warn(note));
        let answered = legacy.date().unwrap_or_default();
        if let Protocol::Exactly(wanted) = core.options.protocol
            && answered != wanted.date
        {
            core.warn(&format!("asked for {}, but the server speaks {answered}", wanted.date));
        }
        *lock(&core.era) = Arc::new(legacy);
        *lock(&core.server) = server;
        core.notify("notifications/initialized").await?;
        if core.transport.is_http() {
            // Not waited for: a server may leave it without headers, or not offer it (405).
            *lock(&core.standing) = core.post(&Letter::Listen).map(|posted| posted.receiver);
        }
        self.set_log_level().await
    }

    /// `logging/setLevel`, only where the server declares logging (server/utilities/logging), and again for a new wire
    /// session. A refusal is no failure of the run.
    async fn set_log_level(&self) -> Result<()> {
        let core = &self.core;
        let Some(level) = *lock(&core.log_level) else { return Ok(()) };
        if !lock(&core.server).capabilities.contains_key("logging") {
            core.host.event(Event::Note("the server declares no logging, so no level was asked for"));
            return Ok(());
        }
        let call = Call { method: "logging/setLevel", params: Some(json!({ "level": level })), tool: None };
        let ending = core.request(&call, None, core.limits(core.options.timeout)).await;
        match ending.and_then(|ending| core.result(call.method, ending)) {
            Err(failure) if failure.is_stop() => Err(failure),
            Err(failure) => {
                let (method, why) = (call.method, &failure.message);
                // What HTTP refuses is told by its address.
                let of = if why.contains(method) { String::new() } else { format!("{method}: ") };
                core.warn(&format!("{of}{why}"));
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    async fn initialize(&self, revision: &'static Revision) -> Result<(Legacy, Server, Vec<String>)> {
        let core = &self.core;
        *lock(&core.era) = Arc::new(Legacy::opening());
        let capabilities = self.declare(revision);
        let params = Some(Legacy::initialize(revision, capabilities.into()));
        let call = Call { method: "initialize", params, tool: None };
        let ending = core.request(&call, None, core.limits(core.options.handshake_timeout)).await?;
        let (result, headers) = core.result(call.method, ending).map_err(|mut failure| {
            if failure.kind == Kind::Protocol {
                failure.kind = Kind::Connect;
                failure.message = format!("handshake failed: {}", failure.message);
            }
            failure
        })?;
        Legacy::opened(&result, &headers, revision)
    }
}
