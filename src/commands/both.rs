//! `--protocol both`: the same call in each generation of the protocol, with the same answers, and what differs: a check
//! for the author of a server that is to speak both.

use super::Run;
use super::call::{self, Prepared};
use crate::cli::{CallArgs, EndingArgs};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::both::{self, Half};
use crate::output::result;
use crate::session::Session;
use crate::session::era::negotiate::Protocol;
use crate::session::host::{Answer, Ask, Capability, Event, Host, Reply};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Calls the tool in both and compares.
///
/// # Errors
/// What one of the calls failed with, the handshake era's first; `expectation` when the results differ.
pub(super) async fn both(run: &Run<'_>, tool: &str, prepared: &Prepared<'_>, args: &CallArgs) -> Result<()> {
    let memory = Arc::new(Memory { run: run.registry.clone(), said: Mutex::default() });
    let legacy = run.open(memory.clone(), run.options(Protocol::Legacy)).await;
    let modern = match &legacy {
        Err(failure) if is_over(failure) => return Err(failure.clone()),
        _ => open_modern(run, memory.clone()).await,
    };
    let outcome = match (&legacy, &modern) {
        (Err(failure), Err(_)) => return Err(failure.clone()),
        (Ok(first), _) | (_, Ok(first)) => match call::ready(first, tool, prepared).await {
            Ok(ready) if legacy.is_ok() && modern.is_ok() && !ready.only_reads() && !args.yes_twice => Err(
                Failure::usage(format!("--protocol both runs {tool} twice, and it does not say that it only reads"))
                    .hint("--yes-twice allows it"),
            ),
            Err(failure) if is_over(&failure) || failure.kind == Kind::Usage => Err(failure),
            _ => {
                let old = half(run, &legacy, tool, prepared).await;
                memory.turn();
                run.registry.event(Event::Note("the same call in 2026-07-28"));
                let new = half(run, &modern, tool, prepared).await;
                Ok((old, new))
            }
        },
    };
    for session in [legacy, modern].into_iter().flatten() {
        session.close().await;
    }
    run.screen.settle();
    let (old, new) = outcome?;
    let failures = [old.outcome.as_ref().err().cloned(), new.outcome.as_ref().err().cloned()];
    if let Some(stopped) = failures.iter().flatten().find(|failure| is_over(failure)) {
        return Err(stopped.clone());
    }
    let n_differences = both::differences(&old, &new).len();
    match run.cli.output.json {
        true => run.stdout().json(&both::json(&old, &new))?,
        false => run.stdout().text(&both::text(&old, &new))?,
    }
    if let Some(failure) = failures.into_iter().flatten().next() {
        return Err(failure);
    }
    if n_differences > 0 {
        let places = if n_differences == 1 { "place" } else { "places" };
        return Err(Failure::new(Kind::Expectation, format!("the results differ in {n_differences} {places}")));
    }
    match old.outcome.is_ok_and(|raw| result::is_error(&raw)) && !args.ending.ignore_tool_error {
        true => Err(result::tool_failure(tool)),
        false => Ok(()),
    }
}

/// The user has stopped the run: nothing more is to be tried.
fn is_over(failure: &Failure) -> bool {
    matches!(failure.kind, Kind::Interrupted | Kind::Terminated)
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

async fn half(run: &Run<'_>, session: &Result<Session>, tool: &str, prepared: &Prepared<'_>) -> Half {
    let (date, outcome) = match session {
        Err(failure) => (None, Err(failure.clone())),
        Ok(session) => (session.date(), call_on(run, session, tool, prepared).await),
    };
    Half { date: date.unwrap_or("not spoken"), outcome }
}

async fn call_on(run: &Run<'_>, session: &Session, tool: &str, prepared: &Prepared<'_>) -> Result<Raw> {
    let ready = call::ready(session, tool, prepared).await?;
    call::make(run, session, &ready.call(tool), None, &EndingArgs::default()).await
}

/// Gives the answers of the first call to the same questions of the second.
struct Memory {
    run: Arc<dyn Host>,
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
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
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
        let reply = self.run.answer(ask).await;
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
    // Sorted, since servers differ in the order too.
    let sorted: std::collections::BTreeMap<_, _> = params.into_iter().collect();
    let params: Map<String, Value> = sorted.into_iter().collect();
    format!("{} {}", ask.method, Value::from(params))
}

impl Host for Memory {
    fn capabilities(&self) -> Vec<Capability> {
        self.run.capabilities()
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(self.reply(ask))
    }
    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        self.run.finished(ask, ids)
    }
    fn event(&self, event: Event<'_>) {
        self.run.event(event);
    }
    fn wants_wire(&self) -> bool {
        self.run.wants_wire()
    }
}
