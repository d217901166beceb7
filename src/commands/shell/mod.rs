//! `mcpcall shell`: many calls on one connection, typed at a prompt. A line that fails ends nothing but itself, and ^C
//! calls off the call that runs; the shell ends with `exit` and ^D, or when the connection does.

mod history;
mod names;

use super::{Run, call, complete, list, ping, prompt, read, request, show};
use crate::arguments::Item;
use crate::cli::shell::{self, Line, RootVerb, ShellVerb, Typed};
use crate::cli::{CallArgs, Cli};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::output::info::{self, Spoken, Told, Version};
use crate::output::{error, listing};
use crate::session::Session;
use crate::session::host::{Event, Host};
use crate::terminal::command_line::{Ahead, Entered, Prompt};
use crate::terminal::sanitize::one_line;
use crate::terminal::style::Style;
use crate::terminal::{Screen, Tty};
use crate::words::nearest;
use futures_util::FutureExt;
use history::History;
use names::Names;
use std::sync::Arc;

/// Where a person types.
pub(super) struct Seat {
    tty: Tty,
    screen: Arc<Screen>,
    history: History,
}

impl Seat {
    /// Takes a seat at the terminal.
    ///
    /// # Errors
    /// `usage`, where there is none.
    pub(super) fn find(context: &Context, screen: &Arc<Screen>, keeps_history: bool) -> Result<Self> {
        let tty = Tty::find(context).filter(|_| context.stdin_is_terminal);
        let tty = tty.ok_or_else(|| {
            Failure::usage("a shell needs a terminal to type at").hint("mcpcall batch - makes many calls without one")
        })?;
        Ok(Seat { tty, screen: screen.clone(), history: History::open(context, keeps_history) })
    }
}

/// What was said with a line.
enum Outcome {
    Done,
    Leave,
}

/// Takes lines until there are no more.
///
/// # Errors
/// `connect`, when the connection ends; and as the run is stopped.
pub(super) async fn shell(run: &Run<'_>, session: &Session, seat: Seat) -> Result<()> {
    session.prove().await?;
    run.stop.go_by_parts();
    let names = Arc::new(Names::default());
    let hear = names.hear();
    run.registry.overhear(Box::new(move |method, _| hear(method)));
    let name = session.server().name;
    greet(run, session, name.as_deref());
    if let Some(how) = run.cli.output.show_images {
        // Before anything is typed.
        let _ = run.drawing(how);
    }
    let mut talk = Talk { run, session, seat, names: &names, label: label(name.as_deref()), ahead: Ahead::default() };
    tokio::select! {
        ended = talk.hold() => ended,
        () = names.keep(run, session) => Ok(()),
    }
}

fn label(name: Option<&str>) -> String {
    let name = name.map(|name| one_line(name, 20)).filter(|name| !name.trim().is_empty());
    format!("{}> ", name.as_deref().unwrap_or("mcpcall"))
}

fn greet(run: &Run<'_>, session: &Session, name: Option<&str>) {
    if run.cli.output.quiet {
        return;
    }
    let name = name.map_or_else(|| run.target.address(), |name| one_line(name, 60));
    let date = session.date().unwrap_or_default();
    let how = session.transport();
    run.screen.line(&format!("{name} ({date}, {how}). `help` says what can be typed, ^D leaves."));
}

/// Makes sure that no argument is to come from stdin.
fn refuse_stdin(args: &[String]) -> Result<()> {
    for arg in args {
        if Item::parse(arg)?.reads_stdin() {
            return Err(stdin_is_taken(arg));
        }
    }
    Ok(())
}

fn stdin_is_taken(word: &str) -> Failure {
    Failure::usage(format!("{word}: stdin is where you type")).hint("@FILE reads a file")
}

struct Talk<'a> {
    run: &'a Run<'a>,
    session: &'a Session,
    seat: Seat,
    names: &'a Names,
    label: String,
    ahead: Ahead,
}

impl Talk<'_> {
    async fn hold(&mut self) -> Result<()> {
        loop {
            let text = match self.entered().await? {
                Entered::Line(text) => text,
                Entered::End => return Ok(()),
                Entered::Interrupt | Entered::Called => continue,
            };
            // What was asked meanwhile goes before the line.
            tokio::task::yield_now().await;
            drop(self.run.registry.desk().idle().await);
            // A paste may hold several lines.
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                if let Err(error) = self.seat.history.add(line) {
                    self.run.registry.event(Event::Warning(&format!("what is typed is not kept: {error}")));
                }
                if let Outcome::Leave = self.line(line).await? {
                    return Ok(());
                }
            }
        }
    }

    /// The next line that is typed. Nobody is asked anything meanwhile.
    async fn entered(&mut self) -> Result<Entered> {
        let (run, desk) = (self.run, self.run.registry.desk());
        // What was asked before the prompt stands goes first.
        tokio::task::yield_now().await;
        let _idle = desk.idle().await;
        while desk.called.notified().now_or_never().is_some() {}
        let folders = run.registry.folders();
        let complete = |text: &str| self.names.complete(text, folders);
        let prompt =
            Prompt { label: &self.label, past: self.seat.history.lines(), complete: &complete, called: &desk.called };
        let style = Style::new(run.context, true);
        tokio::select! {
            biased;
            stopped = run.stop.stopped() => Err(stopped),
            gone = self.session.gone() => Err(gone),
            entered = self.seat.tty.command(self.seat.screen.clone(), style, &prompt, &mut self.ahead) => Ok(entered.unwrap_or(Entered::End)),
        }
    }

    /// Does what a line says. What fails is told, and the shell goes on.
    ///
    /// # Errors
    /// What ends the shell.
    async fn line(&self, line: &str) -> Result<Outcome> {
        let run = self.run;
        let (json, outcome) = match shell::read(line) {
            Ok(None) => return Ok(Outcome::Done),
            Ok(Some(Line::Help(text))) => {
                text.lines().for_each(|line| run.screen.line(line));
                return Ok(Outcome::Done);
            }
            Ok(Some(Line::Typed(Typed { verb: ShellVerb::Exit, .. }))) => return Ok(Outcome::Leave),
            Ok(Some(Line::Typed(typed))) => {
                let mut cli = run.cli.clone();
                cli.output.json |= typed.json;
                cli.output.out = typed.out.or(cli.output.out.take());
                let mut json = cli.output.json;
                if typed.select.is_some() {
                    cli.output.select = typed.select;
                    json = cli.output.settle();
                }
                if let Some(authorizer) = &run.authorizer {
                    authorizer.begin();
                }
                let outcome = run.stop.sparing(self.verb(&cli, typed.verb)).await;
                (json, self.cause(outcome))
            }
            Err(failure) => (run.cli.output.json, Err(failure)),
        };
        run.screen.settle();
        run.registry.desk().answered();
        match outcome {
            Err(failure) if run.stop.is_stopped() || self.session.is_gone() => Err(failure),
            Err(failure) => {
                error::show(run.screen, &failure, json);
                Ok(Outcome::Done)
            }
            Ok(()) => Ok(Outcome::Done),
        }
    }

    /// A question that nobody answered is the cause of whatever came of its call.
    fn cause(&self, outcome: Result<()>) -> Result<()> {
        let failure = self.run.registry.desk().take_failures();
        if outcome.as_ref().is_err_and(Failure::is_stop) {
            return outcome;
        }
        failure.map_or(outcome, Err)
    }

    async fn verb(&self, cli: &Cli, verb: ShellVerb) -> Result<()> {
        let run = &self.run.with(cli)?;
        let session = self.session;
        match verb {
            ShellVerb::Call { tool, args, no_validate } => {
                let args = CallArgs { args, no_validate, ..CallArgs::default() };
                refuse_stdin(&args.args)?;
                let called = call::on(run, session, &tool, &call::prepare(run.context, &args)?).await;
                called.map_err(|failure| self.suggest(&tool, failure))
            }
            ShellVerb::List { what } => list::list(run, session, what).await,
            ShellVerb::Request { method, params } => {
                if let Some(word) = params.as_deref().filter(|word| matches!(*word, "-" | "@-")) {
                    return Err(stdin_is_taken(word));
                }
                let params = request::params(run.context, params.as_deref())?;
                request::request(run, session, &method, params).await
            }
            ShellVerb::Show { tool } => show::show(run, session, &tool).await,
            ShellVerb::Read { uri } => read::read(run, session, &uri).await,
            ShellVerb::Prompt { name, args } => {
                let args = CallArgs { args, ..CallArgs::default() };
                refuse_stdin(&args.args)?;
                prompt::prompt(run, session, &name, &call::prepare(run.context, &args)?).await
            }
            ShellVerb::Complete { reference, argument, others } => {
                complete::complete(run, session, &complete::wanted(&reference, &argument, &others)?).await
            }
            ShellVerb::Ping => ping::ping(run, session, 1).await,
            ShellVerb::Info => self.info(run),
            ShellVerb::Root { verb } => self.root(run, verb.unwrap_or(RootVerb::List)).await,
            ShellVerb::Log { level } => {
                // Many servers send logs without a word of it.
                run.registry.show_logs(level);
                if !session.ask_logs(level.word()).await? {
                    let what =
                        "the server declares no logging, so it was not asked; what it sends all the same is shown";
                    run.registry.event(Event::Warning(what));
                }
                Ok(())
            }
            ShellVerb::Exit => Ok(()),
        }
    }

    /// A verb may have been meant where there is no such tool.
    fn suggest(&self, tool: &str, failure: Failure) -> Failure {
        let verbs = shell::verbs();
        match nearest(tool, verbs.iter().map(String::as_str)).filter(|_| self.names.lacks(tool)) {
            Some(verb) => failure.hint(format!("or the verb {verb}? `help` lists them")),
            None => failure,
        }
    }

    /// What the server told when the connection was opened.
    fn info(&self, run: &Run<'_>) -> Result<()> {
        let date = self.session.date().unwrap_or_default();
        let is_modern = crate::session::era::revision::Revision::find(date).is_some_and(|revision| revision.is_modern);
        let told = self.session.server().told;
        let (legacy, modern) = if is_modern { (None, told) } else { (told, None) };
        let told = Told {
            address: run.target.address(),
            transport: self.session.transport(),
            versions: vec![Version { date, answer: Spoken::Yes }],
            legacy,
            modern,
        };
        match run.cli.output.json {
            true => run.stdout().json(&info::json(&told)),
            false => run.stdout().text(&info::text(&told)),
        }
    }

    async fn root(&self, run: &Run<'_>, verb: RootVerb) -> Result<()> {
        let folders = run.registry.folders();
        match verb {
            RootVerb::List => {
                let roots = folders.all();
                let pairs = roots.iter().map(|root| (root.name.as_deref(), root.uri.as_str()));
                return match run.cli.output.json {
                    true => run.stdout().json(&listing::roots_json(pairs)),
                    false if roots.is_empty() => {
                        run.screen.line("mcpcall: there are no roots; `root add PATH` adds one");
                        Ok(())
                    }
                    false => run.stdout().text(&listing::roots(pairs)),
                };
            }
            RootVerb::Add { root } => {
                if let Some(warning) = folders.add(&root)? {
                    run.registry.event(Event::Warning(&warning));
                }
            }
            RootVerb::Remove { root } => folders.remove(&root)?,
        }
        if !self.session.roots_changed().await? {
            run.registry.event(Event::Warning("the server is not told: it learns of roots when it asks for them"));
        }
        Ok(())
    }
}
