//! How a connection finds out which version to speak (2026-07-28 basic/versioning).
//!
//! `auto` opens with the handshake and moves to 2026-07-28 where that is refused: of a server that speaks both, only the
//! handshake era has the back-channel that most tools ask by. 2026-07-28 itself needs no opening: over HTTP the first
//! request may be any that can do no harm, and an answer in the manner of the era (with a `resultType`) shows it;
//! else `server/discover` goes first.

use super::era::Server;
use super::era::modern::Modern;
use super::era::negotiate::{Protocol, Sign};
use super::era::revision::Revision;
use super::{Call, Session};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::sync::lock;
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
        let Failure { code, status, .. } = &self.failure;
        !protocol.revision().is_modern && code.is_none() && matches!(status, Some(400 | 404 | 405))
    }

    /// The failure to report.
    pub(super) fn into_failure(self) -> Failure {
        if self.tried.is_empty() {
            return self.failure;
        }
        self.failure.hint(format!("tried too: {}", self.tried.join("; ")))
    }
}

/// What a server lists that we speak too.
enum Found {
    /// A version without handshake, in which the session goes on.
    Spoken,
    /// A version with handshake only.
    Handshake(&'static Revision),
    /// None; these instead.
    Strange(String),
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
        match Sign::of_handshake(&refused) {
            Sign::Versions(listed) => {
                match Revision::mutual(&listed, |revision| revision != asked && protocol.allows(revision)) {
                    Some(other) if other.is_modern => {
                        self.go_modern(other).prove();
                        Ok(())
                    }
                    Some(other) => Ok(self.handshake(other).await?),
                    None if Revision::mutual(&listed, |revision| revision.is_modern).is_some() => {
                        Err(refused.hint("--protocol modern may work").into())
                    }
                    None => Err(refused.into()),
                }
            }
            Sign::Refused | Sign::Modern if protocol == Protocol::Auto => self.agree_without_handshake(refused).await,
            Sign::Refused | Sign::Modern if refused.code.is_some() => {
                Err(refused.hint("--protocol modern may work").into())
            }
            _ => Err(refused.into()),
        }
    }

    /// After the newest handshake was refused.
    async fn agree_without_handshake(&self, refused: Failure) -> Result<(), Unopened> {
        let newest = Revision::newest(true);
        let why = match self.probe(newest, Some(self.core.options.probe_timeout)).await {
            Ok(Found::Spoken) => return Ok(()),
            Ok(Found::Handshake(other)) if other != Revision::newest(false) => {
                return Ok(self.handshake(other).await?);
            }
            Ok(Found::Handshake(other)) => format!("server/discover names {}", other.date),
            Ok(Found::Strange(listed)) => format!("server/discover names only {listed}"),
            Err(probe) if probe.is_stop() => return Err(probe.into()),
            Err(probe) => self.without_address(&probe.message),
        };
        Err(Unopened { failure: refused, tried: vec![format!("{}, {why}", newest.date)] })
    }

    /// A message that need not say again which server it is about.
    fn without_address(&self, message: &str) -> String {
        message.strip_prefix(&format!("{} ", self.core.options.address)).unwrap_or(message).to_owned()
    }

    /// Speaks a version without handshake from here on; what was learned in it before stays.
    fn go_modern(&self, revision: &'static Revision) -> Arc<Modern> {
        let core = &self.core;
        let mut known = lock(&core.modern);
        let modern = match known.as_ref().filter(|modern| modern.revision() == revision) {
            Some(modern) => modern.clone(),
            None => {
                let capabilities = self.declare(revision);
                let (level, is_http) = (*lock(&core.log_level), core.transport.is_http());
                Arc::new(Modern::new(revision, capabilities, level, is_http))
            }
        };
        *known = Some(modern.clone());
        *lock(&core.era) = modern.clone();
        modern
    }

    /// What the server is given as our capabilities in this version.
    pub(super) fn declare(&self, revision: &Revision) -> Map<String, Value> {
        let capabilities = revision.declare(&self.core.host.capabilities());
        *lock(&self.core.declared) = Arc::new(capabilities.clone());
        capabilities
    }

    /// Asks `server/discover` in a version, and goes on in the newest that the server names.
    async fn probe(&self, asked: &'static Revision, limit: Option<Duration>) -> Result<Found> {
        let modern = self.go_modern(asked);
        let call = Call { method: "server/discover", params: None, tool: None };
        let ending = self.core.request(&call, None, self.core.limits(limit)).await?;
        let (raw, _) = match self.core.result(call.method, ending) {
            Ok(result) => result,
            Err(failure) => match Sign::of(&failure) {
                Sign::Versions(listed) => return Ok(self.adopt(&listed)),
                Sign::Modern => {
                    modern.prove();
                    return Ok(Found::Spoken);
                }
                Sign::Refused | Sign::Nothing => return Err(failure),
            },
        };
        let no_result =
            |why: &str| Failure::protocol(format!("server/discover: the result {why}")).detail(raw.excerpt());
        let value = raw.readable();
        let supported = value.get("supportedVersions").filter(|versions| versions.is_array());
        let found = self.adopt(supported.ok_or_else(|| no_result("has no list supportedVersions"))?);
        let capabilities = value.get("capabilities").and_then(Value::as_object).cloned().unwrap_or_default();
        let name = value.get("_meta").and_then(server_name);
        *lock(&self.core.server) = Server { name, capabilities, told: Some(raw) };
        Ok(found)
    }

    /// Goes on in the newest version without handshake that both speak and the user allows.
    fn adopt(&self, listed: &Value) -> Found {
        let protocol = self.core.options.protocol;
        if let Some(revision) = Revision::mutual(listed, |one| one.is_modern && protocol.allows(one)) {
            self.go_modern(revision).prove();
            return Found::Spoken;
        }
        let handshake = Revision::mutual(listed, |revision| !revision.is_modern);
        handshake.map_or_else(|| Found::Strange(listed.to_string()), Found::Handshake)
    }

    /// Asks a server that has not shown yet that it speaks 2026-07-28; nothing to do where it has, and in the handshake
    /// era.
    ///
    /// # Errors
    /// `connect` when it does not, else as `request`.
    pub(crate) async fn prove(&self) -> Result<()> {
        if !self.is_unproven() {
            return Ok(());
        }
        let asked = lock(&self.core.modern).as_ref().map_or(Revision::newest(true), |modern| modern.revision());
        // An old server may say nothing at all on stdio; over HTTP silence is no sign of its era.
        let options = &self.core.options;
        let limit = if self.core.transport.is_http() { options.timeout } else { Some(options.probe_timeout) };
        match self.probe(asked, limit).await {
            Ok(Found::Spoken) => Ok(()),
            Ok(other) => Err(self.names_others(asked, other)),
            Err(failure) => Err(self.not_modern(failure)),
        }
    }

    /// Makes sure, before a request that may do something, that the server speaks the era it is made in. On stdio, where
    /// asking costs nothing, before every first request: it may never be answered.
    pub(super) async fn prove_before(&self, method: &str) -> Result<()> {
        let may_go_first = HARMLESS.contains(&method) && self.core.transport.is_http();
        if may_go_first { Ok(()) } else { self.prove().await }
    }

    /// Whether nothing has shown yet that the server speaks 2026-07-28.
    pub(super) fn is_unproven(&self) -> bool {
        let era = lock(&self.core.era);
        !era.has_back_channel() && !era.is_open()
    }

    /// What a failure means that may come of the wrong version; `Ok` when the request is worth making again.
    ///
    /// # Errors
    /// The failure, or a better one.
    pub(super) async fn reconsider(&self, failure: Failure, was_unproven: bool, has_adopted: bool) -> Result<()> {
        if lock(&self.core.era).has_back_channel() {
            return Err(failure);
        }
        match Sign::of(&failure) {
            // Even the version just used: servers are known to want it said twice.
            Sign::Versions(listed) if !has_adopted => match self.adopt(&listed) {
                Found::Spoken => Ok(()),
                other => Err(self.names_others_after(failure, other)),
            },
            Sign::Refused if was_unproven => match self.prove().await {
                Ok(()) => Err(failure),
                // What was asked first says more than the question about the era.
                Err(unproven) if matches!(Sign::of(&unproven), Sign::Refused) => Err(self.not_modern(failure)),
                Err(unproven) => Err(unproven),
            },
            _ => Err(failure),
        }
    }

    /// The failure of a server that names versions which are not the one to be spoken.
    fn names_others(&self, asked: &Revision, found: Found) -> Failure {
        let failure = Failure::connect(format!("{} does not speak {}", self.core.options.address, asked.date));
        self.names_others_after(failure, found)
    }

    fn names_others_after(&self, mut failure: Failure, found: Found) -> Failure {
        failure.kind = Kind::Connect;
        match found {
            Found::Spoken => failure,
            Found::Handshake(other) => failure.hint(format!("--protocol {} may work", other.date)),
            Found::Strange(listed) => failure.hint(format!("it names {listed}")),
        }
    }

    /// A failure that comes of asking a server of the handshake era in the words of 2026-07-28, as far as can be told.
    fn not_modern(&self, mut failure: Failure) -> Failure {
        let may_be_silence = !self.core.transport.is_http() && matches!(failure.kind, Kind::Timeout | Kind::Connect);
        match Sign::of(&failure) {
            Sign::Refused => {}
            // A result that is none of this era's.
            Sign::Nothing if failure.kind == Kind::Protocol && failure.status.is_none() => {}
            Sign::Nothing if may_be_silence => {}
            // Credentials are wanted first, or it is busy or down.
            _ => return failure,
        }
        if failure.kind == Kind::Timeout {
            failure.hints = vec!["--connect-timeout SECONDS waits longer for a sign".into()];
        }
        // One that dies may do so of anything.
        if failure.status.is_some() || failure.kind != Kind::Connect {
            let (address, why) = (&self.core.options.address, self.without_address(&failure.message));
            let date = lock(&self.core.era).date().unwrap_or_default();
            failure.message = format!("{address} does not speak {date}: {why}");
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
        lock(&self.core.server).name = server_name(&meta.readable());
    }
}

/// The name that a result's `_meta` gives.
fn server_name(meta: &Value) -> Option<String> {
    meta.get("io.modelcontextprotocol/serverInfo")?.get("name")?.as_str().map(str::to_owned)
}
