//! Roots: the server asks which folders it may work in (client/roots). Answered by the answer file, else by `--root`.

pub(crate) mod answer;
pub(crate) mod flags;
mod folders;
mod uri;

use super::desk::{Desk, subject};
use super::{Callback, Speaking, Spoken};
use crate::session::host::{Ask, Capability, Event, Reply, RpcError};
pub(crate) use folders::Folders;
use serde_json::{Value, json};
use std::sync::Arc;

/// A folder as the server is told of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Root {
    /// `file://…`, percent-encoded.
    pub(crate) uri: String,
    /// A name for people.
    pub(crate) name: Option<String>,
}

/// The handler of this run.
pub(crate) struct Roots {
    desk: Arc<Desk>,
    folders: Arc<Folders>,
}

impl Roots {
    /// The handler that answers with these folders.
    pub(crate) fn new(desk: Arc<Desk>, folders: Arc<Folders>) -> Self {
        Roots { desk, folders }
    }

    async fn reply(&self, ask: &Ask) -> Spoken {
        let subject = subject(ask, None);
        let Some((at, entry)) = self.desk.ledger.take("roots", |entry| entry.matching.fits(subject)) else {
            let roots = self.folders.all();
            if roots.is_empty() && !self.folders.may_change() {
                (self.desk.show)(Event::Warning("the server asked for roots, and nothing is left to answer with"));
                return Spoken::by_nobody(RpcError::new(-32603, "nobody answered"));
            }
            return Spoken::by_flags(told(&roots));
        };
        let reply = match entry.begin().await {
            Err((code, message)) => Reply::Error(RpcError::new(code, message)),
            // Checked when the file was read.
            Ok(()) => told(&answer::roots(entry).unwrap_or_default()),
        };
        Spoken::by_entry(at, reply)
    }
}

fn told(roots: &[Root]) -> Reply {
    let roots = roots.iter().map(|root| match &root.name {
        Some(name) => json!({ "uri": root.uri, "name": name }),
        None => json!({ "uri": root.uri }),
    });
    Reply::Result(json!({ "roots": roots.collect::<Vec<Value>>() }))
}

impl Callback for Roots {
    fn name(&self) -> &'static str {
        "roots"
    }

    fn method(&self) -> &'static str {
        "roots/list"
    }

    fn capability(&self) -> Option<Capability> {
        let has_roots = !self.folders.all().is_empty() || self.folders.may_change() || self.desk.ledger.has("roots");
        has_roots.then(|| self.whole())
    }

    fn whole(&self) -> Capability {
        Capability {
            name: self.name().into(),
            detail: [("listChanged".to_owned(), Value::Bool(true))].into_iter().collect(),
        }
    }

    fn unsupported(&self) -> RpcError {
        RpcError::new(-32601, "Roots not supported")
    }

    /// No question to a person: a server that asks all the same can go on without, so the run does not fail.
    fn unanswered(&self, _ask: &Ask) {
        (self.desk.show)(Event::Note("the server asked for roots, which were not declared (--root gives some)"));
    }

    fn remedy(&self) -> &'static str {
        "--root PATH gives some"
    }

    fn answer<'a>(&'a self, ask: &'a Ask) -> Speaking<'a> {
        Box::pin(self.reply(ask))
    }
}
