//! What verbs share, from flags to an open session.

use super::credentials::Seat;
use super::recorder::Recorder;
use super::registry::registry;
use super::typed::Typed;
use super::{credentials, dial, inputs, signals, verdict, verdict::Report};
use crate::auth::Authorizer;
use crate::callbacks::desk::Person;
use crate::callbacks::notifications::Level;
use crate::callbacks::{Registry, Show};
use crate::cli::connection::Speak;
use crate::cli::output::ShowImages;
use crate::cli::{Cli, EndingArgs, Started};
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::output::Stdout;
use crate::output::events::Events;
use crate::output::print::{FindCanvas, Printer};
use crate::output::report::{Command, Report as Page};
use crate::output::save::Saver;
use crate::output::select::Select;
use crate::output::trace::Trace;
use crate::secrets::known::Known;
use crate::secrets::url_without_userinfo;
use crate::session::era::negotiate::{MISSING_CAPABILITY, Protocol};
use crate::session::host::{Event, Host, Pause};
use crate::session::{Options, Session, Stop};
use crate::target::config::Named;
use crate::target::config::input::Input;
use crate::target::{Found, Target};
use crate::terminal::graphics::{self, Canvas, Protocol as Drawing};
use crate::terminal::style::Style;
use crate::terminal::{Screen, Tty};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long scripts wait for an answer when nobody said how long, from one sign of progress to the next.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(300);
/// The same in all.
const SCRIPT_MAX_TIME: Duration = Duration::from_secs(3600);
/// Threads for what may block: stdout, names of hosts, the store of logins. Without a limit one more is started whenever none
/// is idle at that moment, up to hundreds in a long `listen`.
const MAX_BLOCKING: usize = 8;

/// Everything a verb that talks to a server needs.
pub(super) struct Run<'a> {
    pub(super) cli: &'a Cli,
    pub(super) context: &'a Context,
    pub(super) screen: &'a Screen,
    pub(super) target: Target,
    /// The entry of a configuration file that the target comes from.
    pub(super) entry: Option<Named>,
    /// The command line for the report, and the secrets that are known.
    command: Command,
    pub(super) registry: Arc<Registry>,
    pub(super) show: Show,
    pub(super) stop: Stop,
    /// Stops the clocks of all sessions.
    pause: Pause,
    pub(super) authorizer: Option<Arc<Authorizer>>,
    pub(super) timeout: Option<Duration>,
    max_time: Option<Duration>,
    pub(super) recorder: Option<Recorder>,
    pub(super) report: Cell<Option<Report>>,
    select: Option<Arc<Select>>,
    saver: Option<Saver>,
    /// How pictures are drawn, once that was asked.
    drawing: Arc<OnceLock<Result<Drawing, &'static str>>>,
    trace: Option<Arc<Trace>>,
    page: Arc<OnceLock<Page>>,
}

impl<'a> Run<'a> {
    /// `check` says whether the verb can go with the flags and the answer file.
    ///
    /// # Errors
    /// `usage`; `interrupted` and `terminated` where a person is asked.
    pub(super) fn new(
        cli: &'a Cli,
        context: &'a Context,
        screen: &'a Arc<Screen>,
        started: &Started,
        check: &dyn Fn(&Registry) -> Result<()>,
    ) -> Result<Self> {
        let output = &cli.output;
        let select = output.select.as_deref().map(|pointer| Select::read(pointer, output.selects_text)).transpose()?;
        let tty = if cli.elicitation.no_input { None } else { Tty::find(context) };
        let stop = Stop::default();
        let default_timeout = if tty.is_some() { None } else { Some(SCRIPT_TIMEOUT) };
        let timeout =
            cli.connection.timeout.map_or(default_timeout, |given| Some(given).filter(|given| !given.is_zero()));
        let max_time = match cli.connection.max_time {
            Some(given) => Some(given).filter(|given| !given.is_zero()),
            None => timeout.filter(|_| tty.is_none()).map(|timeout| timeout.max(SCRIPT_MAX_TIME)),
        };
        let person = tty.map(|tty| Person { tty, screen: screen.clone(), style: Style::new(context, true) });
        let traces = output.trace || output.trace_file.is_some();
        let wants_wire = traces || output.report.is_some();
        let trace = traces.then(|| Arc::new(Trace::new(screen.clone(), output.trace)));
        let page = Arc::new(OnceLock::new());
        let (quiet, verbose) = (output.quiet, output.verbose);
        let events = Events { screen: screen.clone(), quiet, verbose, trace: trace.clone(), report: page.clone() };
        let show: Show = Arc::new(move |event: Event<'_>| events.show(&event));
        let registry = Arc::new(registry(cli, context, person, show.clone(), wants_wire, stop.clone())?);
        // Mistakes that can be found without are found before a person is asked, and before anything is made.
        check_files(cli, &EndingArgs::default())?;
        check(&registry)?;
        let ask = |file: &str, server: &str, open: &[Input]| match &registry.desk().person {
            Some(person) => inputs::ask(&person.tty, screen, person.style, file, server, open),
            None => Err(inputs::unasked(file, server, open)),
        };
        let Found { mut target, entry, secrets, warning } = Target::find(&cli.server, started, context, &ask)?;
        credentials::fixed(cli, context, &mut target)?;
        credentials::conceal(&target, screen);
        let command = match wants_wire {
            true => Typed::read(&context.args).command(&target, &secrets),
            false => Command::default(),
        };
        if let Some(trace) = &trace {
            trace.know(Known::new(&command.secrets));
        }
        let saver = output.out.as_deref().map(Saver::open).transpose()?;
        let recorder = cli.elicitation.record_answers.as_deref().map(Recorder::open).transpose()?;
        if let Some(recorder) = &recorder {
            registry.record(recorder.recording.clone());
        }
        if let Some(warning) = &warning {
            show(Event::Warning(warning));
        }
        let pause = Pause::new();
        let seat = Seat { registry: registry.clone(), screen: screen.clone(), pause: pause.clone(), patience: timeout };
        let authorizer = credentials::authorizer(cli, context, &target, seat)?;
        Ok(Run {
            cli,
            context,
            screen,
            target,
            entry,
            command,
            registry,
            show,
            stop,
            pause,
            authorizer,
            timeout,
            max_time,
            recorder,
            report: Cell::default(),
            select: select.map(Arc::new),
            saver,
            drawing: Arc::default(),
            trace,
            page,
        })
    }

    /// Begins the report on a call, where one is wanted.
    pub(super) fn reporting(self, ending: &EndingArgs, tool: &str) -> Result<Self> {
        self.report.set(Report::begin(ending, tool)?);
        Ok(self)
    }

    /// The same run with other flags: what they say of output counts from here on.
    ///
    /// # Errors
    /// `usage`, when one of them is no pointer or no folder.
    pub(super) fn with<'b>(&'b self, cli: &'b Cli) -> Result<Run<'b>> {
        let output = &cli.output;
        let select = output.select.as_deref().map(|pointer| Select::read(pointer, output.selects_text)).transpose()?;
        Ok(Run {
            cli,
            context: self.context,
            screen: self.screen,
            target: self.target.clone(),
            entry: self.entry.clone(),
            command: Command::default(),
            registry: self.registry.clone(),
            show: self.show.clone(),
            stop: self.stop.clone(),
            pause: self.pause.clone(),
            authorizer: self.authorizer.clone(),
            timeout: self.timeout,
            max_time: self.max_time,
            recorder: None,
            select: select.map(Arc::new),
            saver: output.out.as_deref().map(Saver::open).transpose()?,
            drawing: self.drawing.clone(),
            trace: self.trace.clone(),
            page: self.page.clone(),
            report: Cell::default(),
        })
    }

    /// Runs the verb's work to its end, with signals taken.
    pub(super) fn to_the_end(&self, work: impl Future<Output = Result<()>>) -> Result<()> {
        self.open_files()?;
        let outcome = self.judged(std::pin::pin!(work));
        let Some(page) = self.page.get() else { return outcome };
        match (page.finish(outcome.as_ref().copied()), outcome) {
            (Ok(()), outcome) => outcome,
            (Err(e), outcome) => {
                let failure = Failure::new(Kind::Internal, format!("cannot write the report of --report: {e}"));
                if outcome.is_ok() {
                    return Err(failure);
                }
                self.registry.event(Event::Warning(&failure.message));
                outcome
            }
        }
    }

    /// Opens what the run itself is written to.
    fn open_files(&self) -> Result<()> {
        let output = &self.cli.output;
        let wrong =
            |flag: &str, path: &Path, e: std::io::Error| Failure::usage(format!("{flag} {}: {e}", path.display()));
        if let (Some(trace), Some(path)) = (&self.trace, &output.trace_file) {
            trace.open(path).map_err(|e| wrong("--trace-file", path, e))?;
        }
        if let Some(path) = &output.report {
            let page = Page::begin(path, &self.command, self.screen.concealed.clone());
            let _ = self.page.set(page.map_err(|e| wrong("--report", path, e))?);
        }
        Ok(())
    }

    /// Of all verbs' work the same, lest each have a runtime compiled for it.
    fn judged(&self, work: Pin<&mut dyn Future<Output = Result<()>>>) -> Result<()> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(MAX_BLOCKING).build();
        let runtime = runtime.map_err(|e| Failure::new(Kind::Internal, format!("cannot start: {e}")))?;
        let outcome = runtime.block_on(async {
            let signals = signals::Signals::listen(self.stop.clone())?;
            tokio::select! {
                outcome = work => outcome,
                failure = signals.forced() => Err(failure),
            }
        });
        // Tasks are dropped, which gives the terminal back and ends a child; a name still being looked up is left.
        runtime.shutdown_background();
        let verdict = verdict::verdict(self, outcome, self.report.take());
        match self.keep_answers(verdict.is_ok()) {
            Err(failure) if verdict.is_err() => self.registry.event(Event::Warning(&failure.message)),
            Err(failure) => return Err(failure),
            Ok(()) => {}
        }
        verdict
    }

    /// Writes the recording, if there is one.
    fn keep_answers(&self, is_success: bool) -> Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let variables = recorder.finish(is_success)?;
        if !variables.is_empty() {
            let text = format!("{} needs these variables set: {}", recorder.name(), variables.join(", "));
            self.registry.event(Event::Said { label: "answers", text: &text });
        }
        Ok(())
    }

    /// Connects for a call, as the flags say. Only 2026-07-28 lets a call be put down.
    pub(super) async fn connect(&self, ending: &EndingArgs) -> Result<Session> {
        if ending.stop_on_input {
            self.registry.put_down();
        }
        match self.cli.connection.protocol {
            Speak::One(Protocol::Auto) if ending.stop_on_input => self.connect_in(Protocol::Modern).await,
            Speak::One(protocol) if ending.stop_on_input && !protocol.revision().is_modern => {
                Err(Failure::usage("--stop-on-input needs --protocol modern: an older server waits for its answer"))
            }
            _ => self.connect_plain().await,
        }
    }

    /// Connects for anything else.
    pub(super) async fn connect_plain(&self) -> Result<Session> {
        match self.cli.connection.protocol {
            Speak::One(protocol) => self.connect_in(protocol).await,
            Speak::Both => Err(Failure::usage("--protocol both goes with a call only")),
        }
    }

    /// Connects, does the work, says goodbye.
    pub(super) async fn connected(&self, work: impl AsyncFnOnce(&Session) -> Result<()>) -> Result<()> {
        let session = self.connect_plain().await?;
        let outcome = work(&session).await;
        session.close().await;
        self.screen.settle();
        outcome
    }

    /// Connects in a protocol.
    pub(super) async fn connect_in(&self, protocol: Protocol) -> Result<Session> {
        self.open(self.registry.clone(), self.options(protocol)).await
    }

    /// How sessions of this run behave.
    pub(super) fn options(&self, protocol: Protocol) -> Options {
        // A server needs time to start, however little a call may take.
        let handshake_timeout = self.timeout.map(|timeout| timeout.max(self.cli.connection.connect_timeout));
        // Servers may keep their logs to themselves until they are asked.
        let expected_logs = self.registry.desk().watch.expect.log_level();
        Options {
            protocol,
            carrier: dial::carrier(&self.target, protocol),
            address: self.target.address(),
            timeout: self.timeout,
            max_time: self.max_time,
            handshake_timeout,
            probe_timeout: self.cli.connection.connect_timeout,
            max_rounds: self.cli.connection.max_rounds,
            max_asks: self.cli.connection.max_asks,
            max_list: self.cli.connection.max_message_size,
            log_level: self.cli.notifications.log_level.map(Level::word).or(expected_logs),
            pause: self.pause.clone(),
            stop: self.stop.clone(),
        }
    }

    /// Connects, for a host.
    pub(super) async fn open(&self, host: Arc<dyn Host>, options: Options) -> Result<Session> {
        let dial = dial::dial(&self.target, &self.cli.connection, self.authorizer.clone().map(|all| all as _))?;
        let opened = Session::open(&dial, host, options).await;
        opened.map_err(|mut failure| {
            if failure.kind != Kind::Connect && failure.kind != Kind::Protocol {
                return failure;
            }
            if let Some(Named { file, server: Some(server), .. }) = &self.entry {
                failure = failure.hint(format!("it is the server {server} of {}", file.display()));
            }
            if matches!(self.target, Target::Url { is_sse: true, .. }) {
                failure =
                    failure.hint("its type there is sse, the transport of 2024-11-05; most servers are of type http");
            }
            match &self.cli.connection.proxy {
                Some(proxy) if failure.kind == Kind::Connect => {
                    failure.hint(format!("by way of the proxy {}", url_without_userinfo(proxy)))
                }
                _ => failure,
            }
        })
    }

    /// Adds what may help where a call failed for want of a capability or of the right protocol.
    pub(super) fn explain(&self, session: &Session, mut failure: Failure) -> Failure {
        if failure.code.as_ref().is_some_and(|code| *code == MISSING_CAPABILITY) {
            let required = failure.data.as_ref().and_then(|data| data.get("requiredCapabilities"));
            let remedies = required.map(|required| self.registry.remedies(required)).unwrap_or_default();
            failure.hints.extend(remedies);
            return failure;
        }
        if failure.kind == Kind::Unanswered {
            failure.hints.extend(self.registry.remedy_of(&failure.message));
        }
        let message = failure.message.clone();
        if failure.code.is_some() { self.explain_text(session, &message, failure) } else { failure }
    }

    /// Adds a hint where the words of the server say that the protocol has no way for what the tool wants.
    pub(super) fn explain_text(&self, session: &Session, words: &str, failure: Failure) -> Failure {
        let is_modern = session.revision().is_some_and(|revision| revision.is_modern);
        match is_modern {
            true if self.registry.methods().any(|method| words.contains(method)) => {
                failure.hint("--protocol legacy may work: there the server can ask while the call runs")
            }
            // The Python SDK's words for a round, which the handshake era has none of.
            false if words.contains("invalid result") => {
                failure.hint("--protocol modern may work: there a server asks by ending the call")
            }
            _ => failure,
        }
    }

    /// Prints one text of many; false once nobody reads them any more.
    ///
    /// # Errors
    /// `internal` when stdout cannot be written; `interrupted` and `terminated`.
    pub(super) async fn print_text(&self, text: String) -> Result<bool> {
        let stdout = self.stdout();
        self.print(stdout.takes(text.len()), move || stdout.more_text(&text)).await
    }

    /// One JSON text of many, likewise.
    ///
    /// # Errors
    /// As `print_text`.
    pub(super) async fn print_json(&self, json: String) -> Result<bool> {
        let stdout = self.stdout();
        self.print(stdout.takes(json.len()), move || stdout.more_json(&json)).await
    }

    /// Off this thread, unless it takes no time: whoever reads may take theirs, and ^C and the server are to be heard
    /// meanwhile.
    async fn print(&self, at_once: bool, write: impl FnOnce() -> Result<bool> + Send + 'static) -> Result<bool> {
        if at_once {
            return write();
        }
        tokio::select! {
            written = tokio::task::spawn_blocking(write) => {
                written.map_err(|e| Failure::new(Kind::Internal, format!("cannot write: {e}")))?
            }
            stopped = self.stop.stopped() => Err(stopped),
        }
    }

    pub(super) fn stdout(&self) -> Stdout {
        Stdout { select: self.select.clone(), ..Stdout::new(self.context) }
    }

    /// How pictures are drawn; the terminal is asked once.
    pub(super) fn drawing(&self, how: ShowImages) -> Result<Drawing, &'static str> {
        let wanted = match how {
            ShowImages::Auto => None,
            ShowImages::Kitty => Some(Drawing::Kitty),
            ShowImages::Iterm => Some(Drawing::Iterm),
            ShowImages::Sixel => Some(Drawing::Sixel),
        };
        *self.drawing.get_or_init(|| graphics::find(self.context, wanted))
    }

    /// What prints results as the flags say.
    pub(super) fn printer(&self) -> Printer<'_> {
        let canvas = self
            .cli
            .output
            .show_images
            .map(|how| -> FindCanvas<'_> { Box::new(move || self.drawing(how).map(Canvas::of)) });
        let (stdout, json) = (self.stdout(), self.cli.output.json);
        Printer { stdout, json, saver: self.saver.as_ref(), canvas, tell: &*self.show }
    }
}

/// Makes sure that the answer file expects nothing of a call where there are many.
///
/// # Errors
/// `usage`.
pub(super) fn for_many(registry: &Registry, what: &str) -> Result<()> {
    match registry.desk().watch.expect.is_empty() {
        true => Ok(()),
        false => Err(Failure::usage(format!("\"expect\" of the answer file is for one call, and {what}"))),
    }
}

/// Whether no two of the files that are written are the same, nor one that is read; a recording may take the place of
/// the answer file.
pub(super) fn check_files(cli: &Cli, ending: &EndingArgs) -> Result<()> {
    let flags = &cli.elicitation;
    let named = [
        ("--config", &cli.server.config),
        ("--auto-answer", &flags.auto_answer),
        ("--record-answers", &flags.record_answers),
        ("--trace-file", &cli.output.trace_file),
        ("--report", &cli.output.report),
        ("--junit", &ending.junit),
        ("--save-state", &ending.save_state),
    ];
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, path) in named.into_iter().filter_map(|(flag, path)| Some((flag, path.as_ref()?))) {
        let path = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or(path.clone());
        let other = seen.iter().find(|(other, known)| {
            *known == path && !crate::files::is_device(&path) && (*other, flag) != ("--auto-answer", "--record-answers")
        });
        if let Some((other, _)) = other {
            return Err(Failure::usage(format!("{other} and {flag} name the same file")));
        }
        seen.push((flag, path));
    }
    Ok(())
}
