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
use crate::answers::record::{Asked, Draft, Recording, Said, Scribe};
use crate::session::host::{Answer, Ask, Capability, Event, Host, Raw, Reply, RpcError};
use crate::sync::lock;
use crate::terminal::sanitize::one_line;
use declared::Declared;
use desk::Desk;
use notifications::{Level, Notifications};
use roots::Folders;
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
    fn answer<'a>(&'a self, ask: &'a Ask) -> Speaking<'a>;
    /// Hears a notification that is about its kind; true when it needs no further showing.
    fn hear(&self, _method: &str, _params: Option<&Raw>) -> bool {
        false
    }
    /// Waits for what accepted URLs lead to; see `Host::finished`.
    fn finished<'a>(&'a self, _ask: &'a Ask, _ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async { true })
    }
}

/// What is said to a question, and on whose word.
pub(crate) struct Spoken {
    pub(crate) reply: Reply,
    pub(crate) by: By,
}

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// This entry of the answer file.
    Entry(usize),
    /// The person.
    Person,
    /// What the flags say.
    Flags,
    /// Nobody: the question is refused for want of an answer.
    Nobody,
}

/// A reply to come.
pub(crate) type Speaking<'a> = Pin<Box<dyn Future<Output = Spoken> + Send + 'a>>;

impl Spoken {
    fn by_entry(at: usize, reply: Reply) -> Self {
        Spoken { reply, by: By::Entry(at) }
    }

    fn by_person(reply: Reply) -> Self {
        Spoken { reply, by: By::Person }
    }

    fn by_flags(reply: Reply) -> Self {
        Spoken { reply, by: By::Flags }
    }

    fn by_nobody(error: RpcError) -> Self {
        Spoken { reply: Reply::Error(error), by: By::Nobody }
    }
}

/// How questions are written down, kind by kind.
pub(crate) const SCRIBES: &[Scribe] = &[elicitation::answer::SCRIBE, roots::answer::SCRIBE, sampling::answer::SCRIBE];

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
    overhears: OnceLock<Listener>,
    folders: Arc<Folders>,
    puts_down: AtomicBool,
    recording: OnceLock<Arc<Recording>>,
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
        folders: Arc<Folders>,
        wants_wire: bool,
    ) -> Self {
        Registry {
            kinds,
            notifications,
            desk,
            declared,
            wants_wire,
            listener: OnceLock::new(),
            overhears: OnceLock::new(),
            folders,
            puts_down: AtomicBool::new(false),
            recording: OnceLock::new(),
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

    /// Writes down from here on what is answered; the first recording counts.
    pub(crate) fn record(&self, recording: Arc<Recording>) {
        let _ = self.recording.set(recording);
    }

    /// Gives all notifications from here on to a listener; the first one counts.
    pub(crate) fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// Tells somebody of all notifications from here on, who shows none of them; the first one counts.
    pub(crate) fn overhear(&self, listener: Listener) {
        let _ = self.overhears.set(listener);
    }

    /// The roots, where they may change.
    pub(crate) fn folders(&self) -> &Folders {
        &self.folders
    }

    /// Shows log messages of this level and above from here on.
    pub(crate) fn show_logs(&self, lowest: Level) {
        *lock(&self.notifications.lowest) = Some(lowest);
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
        let place = self.recording.get().map(|recording| (recording, recording.asked(name(&ask))));
        let Spoken { reply, by } = kind.answer(&ask).await;
        if let By::Entry(at) = by {
            let text = answered(at, &ask, &reply);
            (self.desk.show)(Event::Said { label: "answers", text: &text });
        }
        if let (Some((recording, at)), true) = (place, by != By::Nobody) {
            recording.answered(at, draft(&ask, &reply));
        }
        reply
    }
}

/// Names a question in a recording.
fn name(ask: &Ask) -> String {
    format!("{} {}", ask.method, ask.id.as_json())
}

fn scribe(method: &str) -> Option<&'static Scribe> {
    SCRIBES.iter().find(|scribe| scribe.method == method)
}

/// The entry that would say this.
fn draft(ask: &Ask, reply: &Reply) -> Option<Draft> {
    let said = match reply {
        Reply::Result(result) => Said::Result(result),
        Reply::Error(error) => Said::Error { code: error.code.as_i64()?, message: &error.message },
    };
    let draft = (scribe(&ask.method)?.draft)(&Asked { tool: ask.tool.as_deref(), params: &ask.params }, Some(said))?;
    Some(Draft { key: ask.key.clone(), ..draft })
}

/// How much of a question is told again.
const GIST: usize = 200;

/// Which entry answered what: one line.
fn answered(at: usize, ask: &Ask, reply: &Reply) -> String {
    let how = match reply {
        Reply::Error(_) => " with an error",
        Reply::Result(result) => match result.get("action").and_then(Value::as_str) {
            Some("decline") => " with decline",
            Some("cancel") => " with cancel",
            _ => "",
        },
    };
    let tool = ask.tool.as_ref().map_or_else(String::new, |tool| format!(" {tool}"));
    let gist = scribe(&ask.method).map_or_else(String::new, |scribe| (scribe.gist)(&ask.params));
    format!("/answers/{at} answered{tool}{how}: {}", one_line(&gist, GIST))
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
            Some(kind) => Box::pin(async move {
                let is_finished = kind.finished(ask, ids).await;
                // What was given up counts as cancelled.
                if let (false, Some(recording)) = (is_finished, self.recording.get()) {
                    recording.amend(&name(ask), "cancel");
                }
                is_finished
            }),
            None => Box::pin(async { false }),
        }
    }

    fn event(&self, event: Event<'_>) {
        match event {
            Event::Notification { method, params } => {
                if method == "notifications/message" && self.desk.watch.wants_logs() {
                    self.desk.watch.log(&params.map(Raw::readable).unwrap_or_default());
                }
                if let Some(listener) = self.overhears.get() {
                    listener(method, params);
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

    fn is_deaf_to(&self, message: &str) -> bool {
        let somebody_listens = self.wants_wire
            || self.desk.watch.wants_logs()
            || self.overhears.get().is_some()
            || self.listener.get().is_some();
        !somebody_listens && self.notifications.are_deaf_to(message)
    }
}
