//! What all callback kinds share while a run lasts: the person (one question at a time), the answer file's ledger,
//! and what went wrong. A question that nobody answered decides the exit code, whatever the server made of it.

use super::Show;
use crate::answers::expect::watch::Watch;
use crate::answers::ledger::Ledger;
use crate::answers::matching::Subject;
use crate::failure::{Failure, Kind};
use crate::session::Stop;
use crate::session::host::{Ask, Held};
use crate::sync::lock;
use crate::terminal::prompter::{Leave, Prompter};
use crate::terminal::sanitize::one_line;
use crate::terminal::style::Style;
use crate::terminal::{Screen, Tty};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{MutexGuard, Notify};

/// The codes that questions are refused with; servers like to hand them back as the call's own error.
pub(crate) const REFUSALS: &[i64] = &[-32600, -32601, -32602, -32603];

/// The longest entry that is shown for pasting, in bytes.
const MAX_STUB: usize = 64 << 10;

/// The longest name of a server or tool that a question shows.
const NAME: usize = 80;

/// The shared desk.
pub(crate) struct Desk {
    /// Where a person can be asked.
    pub(crate) person: Option<Person>,
    /// The entries of the answer file.
    pub(crate) ledger: Ledger,
    /// What is expected of the call, and what has come of it so far.
    pub(crate) watch: Watch,
    /// Shows what is to be told.
    pub(crate) show: Show,
    stop: Stop,
    queue: tokio::sync::Mutex<()>,
    /// Told when a question waits for the person.
    pub(crate) called: Notify,
    line: Arc<Mutex<WaitingLine>>,
    interrupted: AtomicBool,
    /// Each with which of many calls it came with, where that is known.
    failures: Mutex<Vec<(Option<usize>, Failure)>>,
}

/// A person at a terminal.
pub(crate) struct Person {
    /// The terminal.
    pub(crate) tty: Tty,
    /// Shows lines meanwhile.
    pub(crate) screen: Arc<Screen>,
    /// How questions are coloured.
    pub(crate) style: Style,
}

/// The person's attention: while it lives nobody else asks, and no call times out.
pub(crate) struct Turn<'a> {
    /// Where to ask.
    pub(crate) terminal: Box<dyn Prompter>,
    _place: Place,
    _held: Option<Held>,
    _queue: MutexGuard<'a, ()>,
}

/// The questions that wait for the person, counted from when nobody waited.
#[derive(Debug, Default)]
struct WaitingLine {
    n_waiting: usize,
    n_served: usize,
}

/// A place in the line, given up when dropped, be it served or withdrawn.
struct Place {
    line: Arc<Mutex<WaitingLine>>,
    is_served: bool,
}

impl Place {
    fn take(line: &Arc<Mutex<WaitingLine>>) -> Self {
        lock(line).n_waiting += 1;
        Place { line: line.clone(), is_served: false }
    }

    /// The turn has come: "question 2 of 3", where there is more than one.
    fn serve(&mut self) -> String {
        self.is_served = true;
        let line = lock(&self.line);
        match line.n_served + line.n_waiting {
            1 => String::new(),
            n => format!(", question {} of {n}", line.n_served + 1),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        line.n_waiting -= 1;
        line.n_served = if line.n_waiting == 0 { 0 } else { line.n_served + usize::from(self.is_served) };
    }
}

/// " (tool NAME)", where the tool is known.
pub(super) fn about(ask: &Ask) -> String {
    ask.tool.as_ref().map_or_else(String::new, |tool| format!(" (tool {tool})"))
}

/// What an entry of the answer file is held against.
pub(super) fn subject<'a>(ask: &'a Ask, message: Option<&'a str>) -> Subject<'a> {
    Subject { tool: ask.tool.as_deref(), message, key: ask.key.as_deref(), round: ask.round }
}

impl Desk {
    /// A desk at the start of a run.
    pub(crate) fn new(person: Option<Person>, ledger: Ledger, watch: Watch, show: Show, stop: Stop) -> Self {
        Desk {
            person,
            ledger,
            watch,
            show,
            stop,
            queue: tokio::sync::Mutex::default(),
            called: Notify::new(),
            line: Arc::default(),
            interrupted: AtomicBool::new(false),
            failures: Mutex::default(),
        }
    }

    /// Waits for the person's attention and says who asks what. `None` when there is no person, or no longer.
    pub(crate) async fn turn(&self, ask: &Ask, message: &str) -> Option<Turn<'_>> {
        let about = ask.tool.as_ref().map_or_else(String::new, |tool| format!(" (tool {})", one_line(tool, NAME)));
        let mut turn = self.attention(&format!("{} asks{about}", one_line(&ask.server, NAME)), Some(ask)).await?;
        turn.terminal.quote(message);
        Some(turn)
    }

    /// The same for a question of our own, before anything is called: `title` says what it is.
    pub(crate) async fn page(&self, title: &str) -> Option<Turn<'_>> {
        let mut turn = self.attention(title, None).await?;
        turn.terminal.only_cancels("Cancel: dismiss the question");
        turn.terminal.say("");
        Some(turn)
    }

    /// Waits until nobody asks; while what this gives lives, nobody does.
    pub(crate) async fn idle(&self) -> MutexGuard<'_, ()> {
        self.queue.lock().await
    }

    async fn attention(&self, title: &str, ask: Option<&Ask>) -> Option<Turn<'_>> {
        let person = self.person.as_ref()?;
        let mut place = Place::take(&self.line);
        self.called.notify_one();
        let queue = self.queue.lock().await;
        let held = ask.map(|ask| ask.pause.hold());
        let mut terminal = person.tty.ask(person.screen.clone(), person.style).ok()?;
        terminal.say(&format!("\n{title}{}:", place.serve()));
        Some(Turn { terminal, _place: place, _held: held, _queue: queue })
    }

    /// Notes that a person answered a question: an earlier ^C is over.
    pub(crate) fn answered(&self) {
        self.interrupted.store(false, Ordering::Relaxed);
    }

    /// A person interrupts what is ours, not the server's: nothing can go on without it. Does not return.
    pub(crate) async fn interrupt(&self) {
        self.stop.stop(Kind::Interrupted);
        std::future::pending::<()>().await;
    }

    /// Notes how a person left a question. A second ^C with no answer in between ends the run, or the part of it that is
    /// under way; so does a terminal that is gone, whether a signal says so or not. Then this does not return, since an
    /// answer would let the server go on.
    pub(crate) async fn left(&self, how: Leave) {
        if how == Leave::Gone {
            self.stop.stop(Kind::Terminated);
            std::future::pending::<()>().await;
        }
        let again = self.interrupted.swap(how == Leave::Interrupt, Ordering::Relaxed);
        if how == Leave::Interrupt && again && !self.stop.is_between_parts() {
            self.stop.stop(Kind::Interrupted);
            std::future::pending::<()>().await;
        }
    }

    /// Notes a question that nobody answered, with an entry ready to paste (`stub`) and what else to try (`hint`).
    pub(super) fn unanswered(&self, ask: &Ask, what: String, stub: &Value, hint: &str) {
        let mut failure = Failure::new(Kind::Unanswered, what);
        failure.data = Some(json!({ "method": ask.method, "params": ask.params, "stub": stub }));
        let entry = match stub.to_string() {
            entry if entry.len() > MAX_STUB => "(too large to be shown here; with --json it is data.stub)".into(),
            entry => entry,
        };
        self.fail(ask, failure.hint(hint).detail(entry));
    }

    /// Notes a failure to answer. The first one of a call counts, and no other is kept: a server may ask for ever.
    pub(super) fn fail(&self, ask: &Ask, failure: Failure) {
        let mut failures = lock(&self.failures);
        if failures.iter().all(|(about, _)| *about != ask.call) {
            failures.push((ask.call, failure));
        }
    }

    /// What the answering of this run failed with.
    pub(crate) fn failure(&self) -> Option<Failure> {
        lock(&self.failures).first().map(|(_, failure)| failure.clone())
    }

    /// What the answering of all calls so far failed with, once.
    pub(crate) fn take_failures(&self) -> Option<Failure> {
        std::mem::take(&mut *lock(&self.failures)).into_iter().next().map(|(_, failure)| failure)
    }

    /// What the answering of one call of many failed with, once; its later failures go with it.
    pub(crate) fn take_failures_of(&self, call: usize) -> Option<Failure> {
        let taken: Vec<_> = lock(&self.failures).extract_if(.., |(about, _)| *about == Some(call)).collect();
        taken.into_iter().next().map(|(_, failure)| failure)
    }
}
