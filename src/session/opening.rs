//! How a connection finds out which version to speak (2026-07-28 basic/versioning).
//!
//! `auto` opens with the handshake and moves to 2026-07-28 where that is refused: of a server that speaks both, only the
//! handshake era has the back-channel that most tools ask by. 2026-07-28 itself needs no opening: the first request may
//! be any, as long as it can do no harm, and its answer shows the era.

use super::core::lock;
use super::era::modern::Modern;
use super::era::negotiate::{Protocol, Sign};
use super::era::revision::Revision;
use super::{Call, Server, Session};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// Requests that change nothing, whatever the server takes them for.
const HARMLESS: &[&str] = &[
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "completion/complete",
    "resources/read",
    "prompts/get",
];

/// A connection that could not be opened, and what else was tried.
pub(super) struct Unopened {
    pub(super) failure: Failure,
    pub(super) tried: Vec<String>,
}

impl From<Failure> for Unopened {
    fn from(failure: Failure) -> Self {
        Unopened { failure, tried: Vec::new() }
    }
}

impl Unopened {
    /// Whether the address may be one of the HTTP+SSE transport (2025-11-25 basic/transports, backwards compatibility).
    pub(super) fn may_be_http_sse(&self, protocol: Protocol) -> bool {
        !protocol.revision().is_modern && matches!(self.failure.status, Some(400 | 404 | 405))
    }

    /// The failure to report.
    pub(super) fn into_failure(self) -> Failure {
        if self.tried.is_empty() {
            return self.failure;
        }
        self.failure.hint(format!("tried too: {}", self.tried.join("; ")))
    }
}

impl Session {
    /// Agrees with the server on a version, as far as the user leaves room.
    pub(super) async fn agree(&self) -> Result<(), Unopened> {
        let protocol = self.core.options.protocol;
        let asked = protocol.revision();
        if asked.is_modern {
            self.go_modern(asked);
            return Ok(());
        }
        let Err(refused) = self.handshake(asked).await else { return Ok(()) };
        match (Sign::of(&refused), protocol) {
            (Sign::Versions(Some(other)), _) if !other.is_modern && other != asked => {
                self.handshake(other).await.map_err(Unopened::from)
            }
            (Sign::Versions(Some(other)), Protocol::Auto) if other.is_modern => {
                self.go_modern(other).prove();
                Ok(())
            }
            (Sign::Versions(Some(_)) | Sign::Refused | Sign::Modern, Protocol::Auto) => {
                let Err(probe) = self.discover(Some(self.core.options.probe_timeout)).await else { return Ok(()) };
                if matches!(probe.kind, Kind::Interrupted | Kind::Terminated) {
                    return Err(probe.into());
                }
                let tried = vec![format!("2026-07-28, {}", probe.message)];
                Err(Unopened { failure: refused, tried })
            }
            (Sign::Versions(None), _) => Err(refused.into()),
            (Sign::Versions(_) | Sign::Refused | Sign::Modern, _) if refused.code.is_some() => {
                Err(refused.hint("--protocol modern may work").into())
            }
            _ => Err(refused.into()),
        }
    }

    /// Speaks a version without handshake from here on.
    fn go_modern(&self, revision: &'static Revision) -> Arc<Modern> {
        let core = &self.core;
        let capabilities = self.declare(revision);
        let modern = Arc::new(Modern::new(revision, capabilities, core.options.log_level, core.transport.is_http()));
        *lock(&core.era) = modern.clone();
        modern
    }

    /// What the server is given as our capabilities in this version.
    pub(super) fn declare(&self, revision: &Revision) -> Map<String, Value> {
        let capabilities = revision.declare(&self.core.host.capabilities());
        *lock(&self.core.declared) = Arc::new(capabilities.clone());
        capabilities
    }

    /// Asks `server/discover` and goes on in the version that is found.
    ///
    /// # Errors
    /// `connect` when the server does not speak 2026-07-28, else as `Session::request`.
    pub(crate) async fn discover(&self, limit: Option<Duration>) -> Result<()> {
        let newest = Revision::newest(true);
        let modern = self.go_modern(newest);
        let call = Call { method: "server/discover", params: None, tool: None };
        let ending = self.core.request(&call, None, limit).await?;
        let (raw, _) = match self.core.result(call.method, ending) {
            Ok(result) => result,
            Err(failure) => match Sign::of(&failure) {
                Sign::Versions(mutual) => return self.adopt(mutual, failure),
                Sign::Modern => {
                    modern.prove();
                    return Ok(());
                }
                Sign::Refused | Sign::Nothing => return Err(failure),
            },
        };
        let no_result =
            |why: &str| Failure::protocol(format!("server/discover: the result {why}")).detail(raw.excerpt());
        let value = raw.value().map_err(|e| no_result(&format!("cannot be read: {e}")))?;
        let supported = value.get("supportedVersions").filter(|versions| versions.is_array());
        let supported = supported.ok_or_else(|| no_result("has no list supportedVersions"))?;
        self.adopt(Revision::mutual(supported), no_result(&format!("names only {supported}")))?;
        let capabilities = value.get("capabilities").and_then(Value::as_object).cloned().unwrap_or_default();
        *lock(&self.core.server) = Server { name: server_name(&value), capabilities, told: Some(raw) };
        Ok(())
    }

    /// Goes on in the version that both speak.
    ///
    /// # Errors
    /// `failure`, when there is none without a handshake.
    fn adopt(&self, mutual: Option<&'static Revision>, mut failure: Failure) -> Result<()> {
        match mutual {
            Some(revision) if revision.is_modern => {
                self.go_modern(revision).prove();
                Ok(())
            }
            Some(revision) => {
                failure.kind = Kind::Connect;
                Err(failure.hint(format!("--protocol {} may work", revision.date)))
            }
            None => {
                failure.kind = Kind::Connect;
                Err(failure)
            }
        }
    }

    /// Makes sure, before a request that may do something, that the server speaks the era it is made in.
    pub(super) async fn before(&self, method: &str) -> Result<()> {
        if HARMLESS.contains(&method) { Ok(()) } else { self.prove().await }
    }

    /// Asks a server that has not shown yet that it speaks 2026-07-28; nothing to do in the handshake era.
    ///
    /// # Errors
    /// `connect` when it does not, else as `Session::request`.
    pub(crate) async fn prove(&self) -> Result<()> {
        if !self.is_unproven() {
            return Ok(());
        }
        self.discover(self.first_limit()).await.map_err(|failure| self.not_modern(failure))
    }

    /// Whether nothing has shown yet that the server speaks 2026-07-28.
    pub(super) fn is_unproven(&self) -> bool {
        let era = lock(&self.core.era);
        !era.has_back_channel() && !era.is_open()
    }

    /// How long the first answer may take: an old server may say nothing at all on stdio.
    pub(super) fn first_limit(&self) -> Option<Duration> {
        let options = &self.core.options;
        if self.core.transport.is_http() { options.timeout } else { Some(options.probe_timeout) }
    }

    /// What to do after a failure in an era that may be the wrong one: true when the request is worth making again.
    ///
    /// # Errors
    /// The failure, or a better one.
    pub(super) async fn after(&self, failure: Failure, was_unproven: bool, is_again: bool) -> Result<()> {
        match Sign::of(&failure) {
            // Even the version just used: servers are known to want it said twice.
            Sign::Versions(mutual) if !is_again && !lock(&self.core.era).has_back_channel() => {
                self.adopt(mutual, failure)
            }
            Sign::Refused if was_unproven => match self.discover(self.first_limit()).await {
                Ok(()) => Err(failure),
                Err(probe) if matches!(probe.kind, Kind::Interrupted | Kind::Terminated) => Err(probe),
                Err(_) => Err(self.not_modern(failure)),
            },
            Sign::Nothing if was_unproven && matches!(failure.kind, Kind::Timeout | Kind::Connect) => {
                Err(self.not_modern(failure))
            }
            _ => Err(failure),
        }
    }

    /// A failure that comes of asking a server of the handshake era in the words of 2026-07-28, as far as can be told.
    fn not_modern(&self, mut failure: Failure) -> Failure {
        let is_http = self.core.transport.is_http();
        let is_sign = match (failure.kind, failure.status) {
            // What it lists instead has been told.
            _ if matches!(Sign::of(&failure), Sign::Versions(_)) => false,
            // Over HTTP one that wants credentials first, is busy or is down says nothing about the era.
            (_, Some(status)) => (400..500).contains(&status) && !matches!(status, 401 | 403 | 429),
            (Kind::Protocol, None) => true,
            (Kind::Timeout | Kind::Connect, None) => !is_http,
            _ => false,
        };
        if !is_sign {
            return failure;
        }
        if failure.kind == Kind::Timeout {
            failure.hints = vec!["--connect-timeout SECONDS waits longer for a sign".into()];
        }
        // One that dies may do so of anything.
        if failure.status.is_some() || failure.kind != Kind::Connect {
            let address = &self.core.options.address;
            let why = failure.message.strip_prefix(&format!("{address} ")).unwrap_or(&failure.message);
            failure.message = format!("{address} does not speak 2026-07-28: {why}");
            failure.kind = Kind::Connect;
        }
        failure.hint("--protocol legacy may work")
    }

    /// Notes what a result of 2026-07-28 tells of the server.
    pub(super) fn note_server(&self, result: &Raw) {
        if lock(&self.core.server).name.is_some() || lock(&self.core.era).has_back_channel() {
            return;
        }
        let Ok([Some(meta)]) = result.members(&["_meta"]) else { return };
        let meta = meta.value().unwrap_or_default();
        lock(&self.core.server).name = info_name(&meta);
    }
}

fn server_name(result: &Value) -> Option<String> {
    result.get("_meta").and_then(info_name)
}

fn info_name(meta: &Value) -> Option<String> {
    meta.get("io.modelcontextprotocol/serverInfo")?.get("name")?.as_str().map(str::to_owned)
}
