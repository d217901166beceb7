//! The heart: who answers what a server asks. Each kind is a folder that owns everything about itself: flags,
//! method, capability, answer clause, handler. A new kind is a folder and a line in each of the two lists below.

pub(crate) mod desk;
pub(crate) mod elicitation;
pub(crate) mod notifications;
pub(crate) mod roots;

use crate::answers::KindSpec;
use crate::session::host::{Answer, Ask, Capability, Event, Host, Reply, RpcError};
use desk::Desk;
use notifications::Notifications;
use std::sync::Arc;

/// One kind of question.
pub(crate) trait Callback: Send + Sync {
    /// The method it answers.
    fn method(&self) -> &'static str;
    /// What to declare; `None` when nothing in this run can answer. Having a handler is declaring the capability.
    fn capability(&self) -> Option<Capability>;
    /// The error for a question that comes though the capability was not declared.
    fn unsupported(&self) -> RpcError;
    /// Notes a question that comes though the capability was not declared: it decides the exit code.
    fn unanswered(&self, ask: &Ask);
    /// Answers one question.
    fn answer<'a>(&'a self, ask: &'a Ask) -> Answer<'a>;
}

/// What the answer file may hold, kind by kind.
pub(crate) const KINDS: &[KindSpec] = &[elicitation::answer::SPEC, roots::answer::SPEC];

/// Passes an event on to whoever shows it.
pub(crate) type Show = Arc<dyn Fn(Event<'_>) + Send + Sync>;

/// Implements the engine's `Host` with the kinds of callbacks of this run.
pub(crate) struct Registry {
    kinds: Vec<Box<dyn Callback>>,
    notifications: Notifications,
    desk: Arc<Desk>,
    wants_wire: bool,
}

impl Registry {
    /// A registry of these kinds.
    pub(crate) fn new(
        kinds: Vec<Box<dyn Callback>>,
        notifications: Notifications,
        desk: Arc<Desk>,
        wants_wire: bool,
    ) -> Self {
        Registry { kinds, notifications, desk, wants_wire }
    }

    /// The desk, for the verdict at the end.
    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    async fn dispatch(&self, ask: Ask) -> Reply {
        let Some(kind) = self.kinds.iter().find(|kind| kind.method() == ask.method) else {
            return Reply::Error(RpcError::new(-32601, format!("Method not found: {}", ask.method)));
        };
        // What counts is what the server was given: an older protocol version may have dropped it.
        let declared = kind.capability().is_some_and(|capability| ask.declared.contains_key(capability.name));
        if !declared {
            kind.unanswered(&ask);
            return Reply::Error(kind.unsupported());
        }
        kind.answer(&ask).await
    }
}

impl Host for Registry {
    fn capabilities(&self) -> Vec<Capability> {
        self.kinds.iter().filter_map(|kind| kind.capability()).collect()
    }

    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(self.dispatch(ask))
    }

    fn event(&self, event: Event<'_>) {
        match event {
            Event::Notification { method, params } => self.notifications.read(method, params, &self.desk.show),
            other => (self.desk.show)(other),
        }
    }

    fn wants_wire(&self) -> bool {
        self.wants_wire
    }
}
