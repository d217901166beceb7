//! `mcpcall info`: what a server says of itself, and which protocol versions it answers in. Each version is tried on a
//! connection of its own with nothing but its opening, so that nothing is changed on the server.

use super::Run;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::info::{self, Told, Version};
use crate::session::Options;
use crate::session::era::negotiate::Protocol;
use crate::session::era::revision::{REVISIONS, Revision};
use crate::session::host::{Answer, Ask, Capability, Event, Host};
use futures_util::future::join_all;
use std::pin::Pin;
use std::sync::Arc;

/// Tries every version and prints what came of it.
///
/// # Errors
/// When no version is answered: what the newest handshake failed with.
pub(super) async fn info(run: &Run<'_>) -> Result<()> {
    let tried = join_all(REVISIONS.iter().map(|revision| attempt(run, revision))).await;
    run.screen.settle();
    let first_failure = |kinds: &[Kind]| {
        let failures = tried.iter().filter_map(|attempt| attempt.as_ref().err());
        failures.into_iter().find(|failure| kinds.is_empty() || kinds.contains(&failure.kind)).cloned()
    };
    if let Some(stopped) = first_failure(&[Kind::Interrupted, Kind::Terminated]) {
        return Err(stopped);
    }
    if tried.iter().all(Result::is_err) {
        // The newest handshake version says best what is wrong with the connection itself.
        let newest = REVISIONS.iter().position(|revision| revision == Revision::newest(false)).unwrap_or_default();
        return Err(tried[newest].as_ref().err().cloned().unwrap_or_else(|| Failure::connect("no answer")));
    }
    let versions = REVISIONS.iter().zip(&tried).map(|(revision, attempt)| match attempt {
        Ok(opened) if opened.date == revision.date => Version { date: revision.date, otherwise: None },
        Ok(opened) => Version { date: revision.date, otherwise: Some(format!("answers with {}", opened.date)) },
        Err(failure) => Version { date: revision.date, otherwise: Some(failure.message.clone()) },
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

/// A version that was answered.
struct Opened {
    date: &'static str,
    told: Option<Raw>,
    transport: &'static str,
}

async fn attempt(run: &Run<'_>, revision: &'static Revision) -> Result<Opened> {
    let host = Arc::new(Quiet { run: run.registry.clone(), is_first: revision == Revision::newest(false) });
    let options = Options { log_level: None, ..run.options(Protocol::Exactly(revision)) };
    let session = run.open(host, options.clone()).await?;
    let opened = match revision.is_modern {
        true => session.discover(Some(options.probe_timeout)).await,
        false => Ok(()),
    };
    let opened = opened.map(|()| Opened {
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
    run: Arc<dyn Host>,
    is_first: bool,
}

impl Host for Quiet {
    fn capabilities(&self) -> Vec<Capability> {
        self.run.capabilities()
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        self.run.answer(ask)
    }
    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        self.run.finished(ask, ids)
    }
    fn event(&self, event: Event<'_>) {
        if matches!(event, Event::Wire(..)) || self.is_first && matches!(event, Event::Stderr(_)) {
            self.run.event(event);
        }
    }
    fn wants_wire(&self) -> bool {
        self.run.wants_wire()
    }
}
