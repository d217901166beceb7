//! `--protocol both`: the same call in each generation of the protocol, with the same answers, and what differs: a check
//! for the author of a server that is to speak both.

use super::Run;
use super::call::{self, Prepared};
use super::overlay::Overlay;
use crate::cli::EndingArgs;
use crate::failure::{Failure, Kind, Result};
use crate::output::both::{self, Half};
use crate::output::result;
use crate::session::era::negotiate::Protocol;
use crate::session::host::{Answer, Ask, Event, Host, Reply};
use crate::session::{Options, Session};
use crate::sync::lock;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Calls the tool in both and compares.
///
/// # Errors
/// What one of the calls failed with, the handshake era's first; `expectation` when the results differ.
pub(super) async fn both(run: &Run<'_>, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let memory = Arc::new(Memory { inner: run.registry.clone(), said: Mutex::default() });
    let options = run.options(Protocol::Legacy);
    // A server of the other era may meet a handshake with silence.
    let handshake_timeout = options.handshake_timeout.or(Some(options.probe_timeout));
    let legacy = run.open(memory.clone(), Options { handshake_timeout, ..options }).await;
    let modern = match &legacy {
        Err(failure) if failure.is_stop() => return Err(failure.clone()),
        _ => open_modern(run, memory.clone()).await,
    };
    let halves = call_both(run, &memory, &legacy, &modern, tool, prepared).await;
    for session in [legacy, modern].into_iter().flatten() {
        session.close().await;
    }
    let (old, new) = halves?;
    run.screen.settle();
    match run.cli.output.json {
        true => run.stdout().json(&both::json(&old, &new))?,
        false => run.stdout().text(&both::text(&old, &new))?,
    }
    verdict(tool, &old, &new, prepared.args.ending.ignore_tool_error)
}

/// Both calls, one after the other.
///
/// # Errors
/// When there is nothing to compare: neither era is spoken, the arguments do not fit, the tool may not be run twice, or
/// the user stopped.
async fn call_both(
    run: &Run<'_>,
    memory: &Memory,
    legacy: &Result<Session>,
    modern: &Result<Session>,
    tool: &str,
    prepared: &Prepared<'_>,
) -> Result<(Half, Half)> {
    let in_old = ready(run, legacy, tool, prepared).await?;
    let in_new = ready(run, modern, tool, prepared).await?;
    match (&in_old, &in_new) {
        (Err(failure), Err(_)) => return Err(legacy.as_ref().err().unwrap_or(failure).clone()),
        (Ok(old), Ok(new)) if !(prepared.args.yes_twice || old.only_reads() && new.only_reads()) => {
            let what = format!("--protocol both runs {tool} twice, and it does not say that it only reads");
            return Err(Failure::usage(what).hint("--yes-twice allows it"));
        }
        _ => {}
    }
    let old = half(run, legacy, tool, in_old).await?;
    memory.turn();
    run.registry.event(Event::Note("the same call without a handshake"));
    let new = half(run, modern, tool, in_new).await?;
    Ok((old, new))
}

/// What the two came to.
fn verdict(tool: &str, old: &Half, new: &Half, ignore_tool_error: bool) -> Result<()> {
    if let Some(failure) = [old, new].into_iter().find_map(|half| half.outcome.as_ref().err()) {
        return Err(failure.clone());
    }
    match both::differences(old, new).len() {
        0 => {}
        1 => return Err(Failure::new(Kind::Expectation, "the results differ in 1 place")),
        n => return Err(Failure::new(Kind::Expectation, format!("the results differ in {n} places"))),
    }
    match old.outcome.as_ref().is_ok_and(result::is_error) && !ignore_tool_error {
        true => Err(result::tool_failure(tool)),
        false => Ok(()),
    }
}

async fn open_modern(run: &Run<'_>, host: Arc<dyn Host>) -> Result<Session> {
    let session = run.open(host, run.options(Protocol::Modern)).await?;
    // Before the tool is run at all: whether it can be run twice is to be known.
    match session.prove().await {
        Ok(()) => Ok(session),
        Err(failure) => {
            session.close().await;
            Err(failure)
        }
    }
}

/// The call as this era's list of tools has it.
///
/// # Errors
/// What ends the whole comparison.
async fn ready(
    run: &Run<'_>,
    session: &Result<Session>,
    tool: &str,
    prepared: &Prepared<'_>,
) -> Result<Result<call::Ready>> {
    let Ok(session) = session else { return Ok(Err(Failure::connect("there is no session"))) };
    match call::ready(run, session, tool, prepared).await {
        Err(failure) if failure.is_stop() || failure.kind == Kind::Usage => Err(failure),
        Ok(ready) if ready.is_unknown() => Ok(Err(Failure::protocol(format!("the server has no tool {tool}")))),
        other => Ok(other),
    }
}

async fn half(run: &Run<'_>, session: &Result<Session>, tool: &str, ready: Result<call::Ready>) -> Result<Half> {
    let (date, outcome) = match (session, ready) {
        (Err(failure), _) => (None, Err(failure.clone())),
        (Ok(session), Err(failure)) => (session.date(), Err(failure)),
        (Ok(session), Ok(ready)) => {
            let made = call::make(run, session, &ready.call(tool), None, &EndingArgs::default()).await;
            (session.date(), made)
        }
    };
    match outcome {
        Err(failure) if failure.is_stop() => Err(failure),
        outcome => Ok(Half { date, outcome }),
    }
}

/// Gives the answers of the first call to the same questions of the second.
struct Memory {
    inner: Arc<dyn Host>,
    said: Mutex<Said>,
}

/// Replies by question, those of the same one in order.
#[derive(Default)]
struct Said {
    is_second: bool,
    replies: HashMap<String, Vec<Reply>>,
}

impl Memory {
    /// The second call begins.
    fn turn(&self) {
        self.said().is_second = true;
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        lock(&self.said)
    }

    fn recall(&self, question: &str) -> Option<Reply> {
        let mut said = self.said();
        if !said.is_second {
            return None;
        }
        let replies = said.replies.get_mut(question)?;
        (!replies.is_empty()).then(|| replies.remove(0))
    }

    async fn reply(&self, ask: Ask) -> Reply {
        let question = gist(&ask);
        if let Some(reply) = self.recall(&question) {
            return reply;
        }
        let reply = self.inner.answer(ask).await;
        let mut said = self.said();
        if !said.is_second {
            said.replies.entry(question).or_default().push(reply.clone());
        }
        reply
    }
}

/// What a question is about, without what only one of the eras says.
fn gist(ask: &Ask) -> String {
    let mut params = ask.params.as_object().cloned().unwrap_or_default();
    for key in ["_meta", "elicitationId"] {
        params.remove(key);
    }
    if params.get("mode").is_some_and(|mode| mode == "form") {
        params.remove("mode");
    }
    if let Some(schema) = params.get_mut("requestedSchema").and_then(Value::as_object_mut) {
        schema.remove("title");
    }
    format!("{} {}", ask.method, sorted(&params.into()))
}

/// The same text for the same value: servers differ in the order of members too.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let mut members: Vec<String> =
                object.iter().map(|(key, value)| format!("{key:?}:{}", sorted(value))).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

impl Overlay for Memory {
    fn below(&self) -> &dyn Host {
        &*self.inner
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(self.reply(ask))
    }
}
