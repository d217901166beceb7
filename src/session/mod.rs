//! The engine: one connection to one server. Requests go out and their endings come back; what the server asks or
//! tells goes to a `Host`. It never prints, and knows nothing of prompts, answer files or terminals.

pub(crate) mod clock;
mod core;
mod driver;
pub(crate) mod era;
pub(crate) mod host;
mod pending;
mod refusal;
#[cfg(test)]
mod tests;
mod url_required;

use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::transport::{Opened, Tap};
use clock::Pause;
use core::{Core, lock};
use era::legacy::{self, Legacy};
use era::revision::Revision;
use era::{Era, Letter};
use host::{Event, Host};
use pending::Ending;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How a session is to behave.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The protocol version to ask for.
    pub(crate) revision: &'static Revision,
    /// The user named that version: another one is worth a warning.
    pub(crate) pinned: bool,
    /// How the server was reached, for messages before it has told its name.
    pub(crate) address: String,
    /// The longest a request may take without progress; `None` waits for ever.
    pub(crate) timeout: Option<Duration>,
    /// The same for the handshake.
    pub(crate) handshake_timeout: Option<Duration>,
    /// The level to ask a server's logs from.
    pub(crate) log_level: Option<&'static str>,
    /// Ends everything early.
    pub(crate) stop: Stop,
}

/// Ends a run early; cheap to clone, the first reason counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    token: CancellationToken,
    kind: Arc<OnceLock<Kind>>,
}

impl Stop {
    /// Stops, because of `kind` (`Interrupted` or `Terminated`).
    pub(crate) fn stop(&self, kind: Kind) {
        let _ = self.kind.set(kind);
        self.token.cancel();
    }

    /// Whether it has been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Returns once stopped, with the failure that it means.
    pub(crate) async fn stopped(&self) -> Failure {
        self.token.cancelled().await;
        Self::failure(self.kind.get().copied().unwrap_or(Kind::Interrupted))
    }

    /// What stopping for this reason ends a run with.
    pub(crate) fn failure(kind: Kind) -> Failure {
        Failure::new(kind, kind.name())
    }
}

/// What the server told about itself in the handshake.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    /// `serverInfo.name`; display only, never to be trusted.
    pub(crate) name: Option<String>,
    /// `capabilities`.
    pub(crate) capabilities: Map<String, Value>,
}

/// One request to make.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    /// The method.
    pub(crate) method: &'a str,
    /// Its params.
    pub(crate) params: Option<Value>,
    /// The tool, when it is a tool call: context for the asks that come meanwhile.
    pub(crate) tool: Option<&'a str>,
}

/// An open connection.
pub(crate) struct Session {
    core: Arc<Core>,
}

impl Session {
    /// Connects and shakes hands. `dial` opens the transport; it is given a tap when the host wants the wire.
    ///
    /// # Errors
    /// `connect` when the transport or the handshake fails, `auth` on 401 and 403, `timeout`, `interrupted`.
    pub(crate) async fn open(
        dial: impl FnOnce(Option<Tap>) -> Result<Opened>,
        host: Arc<dyn Host>,
        options: Options,
    ) -> Result<Session> {
        let tap: Option<Tap> = host.wants_wire().then(|| {
            let host = host.clone();
            Arc::new(move |wire: crate::transport::Wire<'_>| host.event(Event::Wire(wire, "legacy"))) as Tap
        });
        let (transport, inbox) = dial(tap)?;
        let core = Arc::new(Core {
            transport,
            host,
            pending: Mutex::default(),
            era: Mutex::new(Arc::new(Legacy::opening())),
            server: Mutex::default(),
            declared: Mutex::default(),
            closed: OnceLock::new(),
            pause: Pause::new(),
            options,
        });
        tokio::spawn(driver::run(core.clone(), inbox));
        let session = Session { core };
        if let Err(failure) = session.handshake().await {
            session.close().await;
            return Err(failure);
        }
        Ok(session)
    }

    /// Tells the audience of something odd.
    pub(crate) fn warn(&self, text: &str) {
        self.core.warn(text);
    }

    /// Makes one request and returns its result as the server wrote it. A wire session that the server has
    /// forgotten (HTTP 404) is opened anew once and the request, which was not run, sent again. A call that needs
    /// URLs visited first (-32042) is offered again once they are.
    ///
    /// # Errors
    /// `protocol` for a JSON-RPC error or an odd reply, `connect` when the transport breaks, `auth`, `timeout`, `interrupted`.
    pub(crate) async fn request(&self, call: Call<'_>) -> Result<Raw> {
        let mut n_rounds = 0;
        loop {
            let failure = match self.request_once(&call).await {
                Ok(raw) => return Ok(raw),
                Err(failure) => failure,
            };
            n_rounds += 1;
            if n_rounds > url_required::MAX_ROUNDS || !url_required::consented(&self.core, &call, &failure).await? {
                return Err(failure);
            }
        }
    }

    async fn request_once(&self, call: &Call<'_>) -> Result<Raw> {
        let had_session = lock(&self.core.era).has_wire_session();
        let mut ending = self.core.request(call, self.core.options.timeout).await?;
        if had_session && matches!(ending, Ending::Refused { status: 404, .. }) {
            self.core.warn("the server has forgotten the session (HTTP 404); opening a new one");
            self.handshake().await?;
            ending = self.core.request(call, self.core.options.timeout).await?;
        }
        self.core.result(call.method, ending).map(|(raw, _)| raw)
    }

    /// Says goodbye: ends the wire session, then the transport, each with bounds.
    pub(crate) async fn close(self) {
        if self.core.closed.get().is_none() {
            let farewell = self.core.post(&Letter::End);
            if let Some(farewell) = farewell {
                let _ = tokio::time::timeout(Duration::from_secs(2), farewell.receiver).await;
            }
        }
        self.core.transport.close().await;
    }

    /// `initialize` and `notifications/initialized`, in that order and before anything else (basic/lifecycle). A
    /// server that refuses the version with an error, where it should have offered another (the error that the
    /// lifecycle page shows), is asked once more with one that it names.
    async fn handshake(&self) -> Result<()> {
        let core = &self.core;
        let asked = core.options.revision;
        let (opened, asked) = match self.initialize(asked).await {
            Err(failure) => match legacy::other_revision(&failure, asked) {
                Some(other) => (self.initialize(other).await?, other),
                None => return Err(failure),
            },
            Ok(opened) => (opened, asked),
        };
        let (legacy, server, odd) = opened;
        odd.iter().for_each(|note| core.warn(note));
        if core.options.pinned && legacy.date() != Some(asked.date) {
            let answered = legacy.date().unwrap_or_default();
            core.warn(&format!("asked for {}, but the server speaks {answered}", asked.date));
        }
        *lock(&core.era) = Arc::new(legacy);
        *lock(&core.server) = server;
        core.notify("notifications/initialized", core.options.handshake_timeout).await?;
        if core.transport.is_http() {
            // Not waited for: a server may leave it without headers, or not offer it (405).
            core.post(&Letter::Listen);
        }
        self.set_log_level().await
    }

    /// `logging/setLevel`, only where the server declares logging (server/utilities/logging), and again for a new wire
    /// session. A refusal is no failure of the run.
    async fn set_log_level(&self) -> Result<()> {
        let core = &self.core;
        let Some(level) = core.options.log_level else { return Ok(()) };
        if !lock(&core.server).capabilities.contains_key("logging") {
            core.host.event(Event::Note("the server declares no logging, so no level was asked for"));
            return Ok(());
        }
        let call = Call { method: "logging/setLevel", params: Some(json!({ "level": level })), tool: None };
        let ending = core.request(&call, core.options.timeout).await?;
        match core.result(call.method, ending) {
            Err(failure) if failure.kind == Kind::Protocol => core.warn(&failure.message),
            other => drop(other?),
        }
        Ok(())
    }

    async fn initialize(&self, revision: &'static Revision) -> Result<(Legacy, Server, Vec<String>)> {
        let core = &self.core;
        *lock(&core.era) = Arc::new(Legacy::opening());
        let capabilities = revision.declare(&core.host.capabilities());
        *lock(&core.declared) = Arc::new(capabilities.clone());
        let params = Some(Legacy::initialize(revision, capabilities.into()));
        let call = Call { method: "initialize", params, tool: None };
        let ending = core.request(&call, core.options.handshake_timeout).await?;
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
