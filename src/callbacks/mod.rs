//! The heart: who answers what a server asks. Each kind is a folder that owns everything about itself: flags,
//! method, capability, answer clause, handler. A new kind is a folder, a line in `KINDS`, its flags in `cli`, and a line where
//! `commands` makes the registry.

pub(crate) mod declared;
pub(crate) mod desk;
pub(crate) mod elicitation;
pub(crate) mod notifications;
pub(crate) mod roots;
pub(crate) mod sampling;

use crate::answers::KindSpec;
use crate::session::host::{Answer, Ask, Capability, Event, Host, Raw, Reply, RpcError};
use declared::Declared;
use desk::Desk;
use notifications::Notifications;
use serde_json::Value;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// One kind of question.
pub(crate) trait Callback: Send + Sync {
    /// The name of its capability.
    fn name(&self) -> &'static str;
    /// The method it answers.
    fn method(&self) -> &'static str;
    /// What to declare; `None` when nothing in this run can answer. Having a handler is declaring the capability.
    fn capability(&self) -> Option<Capability>;
    /// All that it could ever declare: for a run that puts the call down instead of answering, so that another can.
    fn whole(&self) -> Capability;
    /// The error for a question that comes though the capability was not declared.
    fn unsupported(&self) -> RpcError;
    /// Notes a question that comes though the capability was not declared: it decides the exit code.
    fn unanswered(&self, ask: &Ask);
    /// The flags that make it answerable, in a few words.
    fn remedy(&self) -> &'static str;
    /// The text of a question, for expectations; empty where the kind has none.
    fn message(&self, _ask: &Ask) -> String {
        String::new()
    }
    /// Answers one question.
    fn answer<'a>(&'a self, ask: &'a Ask) -> Answer<'a>;
    /// Hears a notification that is about its kind; true when it needs no further showing.
    fn hear(&self, _method: &str, _params: Option<&Raw>) -> bool {
        false
    }
    /// Waits for what accepted URLs lead to; see `Host::finished`.
    fn finished<'a>(&'a self, _ask: &'a Ask, _ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async { true })
    }
}

/// What the answer file may hold, kind by kind.
pub(crate) const KINDS: &[KindSpec] = &[elicitation::answer::SPEC, roots::answer::SPEC, sampling::answer::SPEC];

/// Passes an event on to whoever shows it.
pub(crate) type Show = Arc<dyn Fn(Event<'_>) + Send + Sync>;

/// Implements the engine's `Host` with the kinds of callbacks of this run.
pub(crate) struct Registry {
    kinds: Vec<Box<dyn Callback>>,
    notifications: Notifications,
    desk: Arc<Desk>,
    declared: Declared,
    wants_wire: bool,
    listener: OnceLock<Listener>,
    puts_down: AtomicBool,
}

/// Takes every notification instead of whoever shows them.
pub(crate) type Listener = Box<dyn Fn(&str, Option<&Raw>) + Send + Sync>;

impl Registry {
    /// A registry of these kinds.
    pub(crate) fn new(
        kinds: Vec<Box<dyn Callback>>,
        notifications: Notifications,
        desk: Arc<Desk>,
        declared: Declared,
        wants_wire: bool,
    ) -> Self {
        Registry {
            kinds,
            notifications,
            desk,
            declared,
            wants_wire,
            listener: OnceLock::new(),
            puts_down: AtomicBool::new(false),
        }
    }

    /// The desk, for the verdict at the end.
    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Every question will be written down, not answered: all kinds are declared.
    pub(crate) fn put_down(&self) {
        self.puts_down.store(true, Ordering::Relaxed);
    }

    /// Gives all notifications from here on to a listener; the first one counts.
    pub(crate) fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// The methods that can be answered.
    pub(crate) fn methods(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.iter().map(|kind| kind.method())
    }

    /// What makes the kind answerable whose method these words name, where it is not declared.
    pub(crate) fn remedy_of(&self, words: &str) -> Option<String> {
        let kind = self.kinds.iter().find(|kind| words.contains(kind.method()))?;
        kind.capability().is_none().then(|| format!("{}: {}", kind.name(), kind.remedy()))
    }

    /// What would let these capabilities, as a server requires them, be declared: one line each.
    pub(crate) fn remedies(&self, required: &Value) -> Vec<String> {
        let required = required.as_object().into_iter().flatten();
        let remedies = required.map(|(name, _)| match self.kinds.iter().find(|kind| kind.name() == name) {
            Some(kind) => format!("{name}: {}", kind.remedy()),
            None => format!("{name}: --cap {name} declares it, though nothing here can do it"),
        });
        remedies.collect()
    }

    async fn dispatch(&self, ask: Ask) -> Reply {
        let Some(kind) = self.kinds.iter().find(|kind| kind.method() == ask.method) else {
            return Reply::Error(RpcError::new(-32601, format!("Method not found: {}", ask.method)));
        };
        self.desk.watch.asked(kind.name(), &kind.message(&ask));
        // What counts is what the server was given: an older protocol version, or the user, may have it otherwise.
        if !ask.declared.contains_key(kind.name()) {
            kind.unanswered(&ask);
            return Reply::Error(kind.unsupported());
        }
        kind.answer(&ask).await
    }
}

impl Host for Registry {
    fn capabilities(&self) -> Vec<Capability> {
        let puts_down = self.puts_down.load(Ordering::Relaxed);
        let of = |kind: &dyn Callback| if puts_down { Some(kind.whole()) } else { kind.capability() };
        self.declared.apply(self.kinds.iter().filter_map(|kind| of(&**kind)).collect())
    }

    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(self.dispatch(ask))
    }

    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        match self.kinds.iter().find(|kind| kind.method() == ask.method) {
            Some(kind) => kind.finished(ask, ids),
            None => Box::pin(async { false }),
        }
    }

    fn event(&self, event: Event<'_>) {
        match event {
            Event::Notification { method, params } => {
                if method == "notifications/message" && self.desk.watch.wants_logs() {
                    self.desk.watch.log(&params.and_then(|raw| raw.value().ok()).unwrap_or_default());
                }
                if let Some(listener) = self.listener.get() {
                    return listener(method, params);
                }
                if !self.kinds.iter().any(|kind| kind.hear(method, params)) {
                    self.notifications.read(method, params, &self.desk.show);
                }
            }
            other => (self.desk.show)(other),
        }
    }

    fn wants_wire(&self) -> bool {
        self.wants_wire
    }
}
