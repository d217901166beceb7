//! `mcpcall info`: what a server says of itself, and which protocol versions it answers in. Each version is tried on a
//! connection of its own with nothing but its opening, so that nothing is changed on the server.

use super::Run;
use super::overlay::Overlay;
use crate::cli::connection::Speak;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::info::{self, Spoken, Told, Version};
use crate::session::Options;
use crate::session::era::negotiate::{Protocol, Sign};
use crate::session::era::revision::{REVISIONS, Revision};
use crate::session::host::{Event, Host};
use std::sync::Arc;

/// Tries every version and prints what came of it.
///
/// # Errors
/// When no version is answered: what the newest handshake failed with.
pub(super) async fn info(run: &Run<'_>) -> Result<()> {
    let wanted = |revision: &&Revision| match run.cli.connection.protocol {
        Speak::Both => true,
        Speak::One(Protocol::Exactly(only)) => *revision == only,
        Speak::One(protocol) => protocol.allows(revision),
    };
    let revisions: Vec<&'static Revision> = REVISIONS.iter().filter(wanted).collect();
    let mut tried = Vec::new();
    // One after the other: a server that takes a lock or a port, or serves one at a time, must not be in its own way.
    for revision in &revisions {
        let silent = tried.iter().find_map(|(known, outcome): &(&Revision, Result<Opened>)| {
            let failure = outcome.as_ref().err().filter(|failure| failure.kind == Kind::Timeout)?;
            (known.is_modern == revision.is_modern).then(|| failure.clone())
        });
        // One that says nothing to a handshake says nothing to the next.
        let attempt = match silent {
            Some(failure) => Err(failure),
            None => attempt(run, revision, tried.is_empty()).await,
        };
        if let Err(failure) = &attempt
            && failure.is_stop()
        {
            return Err(failure.clone());
        }
        tried.push((*revision, attempt));
    }
    let tried: Vec<Result<Opened>> = tried.into_iter().map(|(_, outcome)| outcome).collect();
    run.screen.settle();
    if tried.iter().all(Result::is_err) {
        let failures: Vec<&Failure> = tried.iter().filter_map(|attempt| attempt.as_ref().err()).collect();
        let newest = revisions.iter().zip(&failures).find(|(revision, _)| !revision.is_modern);
        // Credentials before anything else; then the newest handshake, which says best what is wrong with the connection.
        let wants_login = failures.iter().find(|failure| failure.kind == Kind::Auth);
        let failure = wants_login.or(newest.map(|(_, failure)| failure)).or(failures.first());
        return Err(failure.map_or_else(
            || Failure::connect("no answer"),
            |failure| {
                // What another protocol would do has just been tried.
                let mut failure = (*failure).clone();
                failure.hints.retain(|hint| !hint.contains("--protocol"));
                failure
            },
        ));
    }
    let versions = revisions.iter().zip(&tried).map(|(revision, attempt)| {
        let answer = match attempt {
            Ok(opened) if opened.date == revision.date => Spoken::Yes,
            Ok(opened) => Spoken::No(format!("answers with {}", opened.date)),
            Err(failure) => match Sign::of(failure) {
                Sign::Nothing if matches!(failure.kind, Kind::Timeout | Kind::Auth) || failure.status.is_some() => {
                    Spoken::Unknown(failure.message.clone())
                }
                _ => Spoken::No(reason(run, failure)),
            },
        };
        Version { date: revision.date, answer }
    });
    let newest = |is_modern: bool| {
        let fits = |opened: &&Opened| Revision::find(opened.date).is_some_and(|found| found.is_modern == is_modern);
        tried.iter().filter_map(|attempt| attempt.as_ref().ok()).find(fits)
    };
    let told = |is_modern: bool| newest(is_modern).and_then(|opened| opened.told.clone());
    let transport = tried.iter().filter_map(|attempt| attempt.as_ref().ok()).map(|opened| opened.transport).next();
    let told = Told {
        address: run.target.address(),
        transport: transport.unwrap_or_default(),
        versions: versions.collect(),
        legacy: told(false),
        modern: told(true),
    };
    match run.cli.output.json {
        true => run.stdout().json(&info::json(&told)),
        false => run.stdout().text(&info::text(&told)),
    }
}

/// Why a version is not spoken, without what stands above and beside it anyway.
fn reason(run: &Run<'_>, failure: &Failure) -> String {
    let message = failure.message.strip_prefix(&format!("{} ", run.target.address())).unwrap_or(&failure.message);
    let after = |words: &str| message.split_once(words).map(|(_, why)| why);
    after("does not speak 2026-07-28: ").unwrap_or(message).to_owned()
}

/// A version that was answered.
struct Opened {
    date: &'static str,
    told: Option<Raw>,
    transport: &'static str,
}

async fn attempt(run: &Run<'_>, revision: &'static Revision, is_first: bool) -> Result<Opened> {
    let host = Arc::new(Quiet { inner: run.registry.clone(), is_first });
    let options = run.options(Protocol::Exactly(revision));
    // A version that is not spoken may be met with silence.
    let limit = Some(options.probe_timeout);
    let options = Options { log_level: None, timeout: limit, handshake_timeout: limit, ..options };
    let session = run.open(host, options).await?;
    let opened = session.prove().await.map(|()| Opened {
        date: session.date().unwrap_or(revision.date),
        told: session.server().told,
        transport: session.transport(),
    });
    session.close().await;
    opened
}

/// The host of this run without its voice: what is odd about one opening of several is no news, and the stderr of one
/// started server is enough.
struct Quiet {
    inner: Arc<dyn Host>,
    is_first: bool,
}

impl Overlay for Quiet {
    fn below(&self) -> &dyn Host {
        &*self.inner
    }
    fn passes(&self, event: &Event<'_>) -> bool {
        matches!(event, Event::Wire(..)) || self.is_first && matches!(event, Event::Stderr(_))
    }
}
