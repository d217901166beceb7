//! `mcpcall batch FILE|-`: a call a line, a result a line, on one connection. The lines come out in the order they came in,
//! however many are under way; one that fails loses no other, and the first that fails decides the exit code.

mod asked;
mod lines;

use super::{Run, call};
use crate::arguments;
use crate::cli::{Cli, EndingArgs};
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::batch::{self, Row};
use crate::output::result::{self, ToolResult};
use crate::session::host::as_call;
use crate::session::pager::Listed;
use crate::session::{Call, Session};
use asked::{Asked, What};
use futures_util::stream::{self, StreamExt};
use lines::{Line, Source};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tokio::sync::OnceCell;

/// What a batch is to do with its lines.
pub(super) struct Plan {
    source: Source,
    /// How many may be under way.
    jobs: usize,
    validate: bool,
    ignore_tool_error: bool,
}

impl Plan {
    /// Opens the lines, before a server is bothered.
    ///
    /// # Errors
    /// `usage`, when they cannot be read, or a flag is given that is for one call.
    pub(super) fn new(cli: &Cli, context: &Context, file: &Path, args: &crate::cli::BatchArgs) -> Result<Self> {
        let (one, ending) = (&cli.call, &cli.call.ending);
        let flags = [
            ("--matrix", one.matrix),
            ("--yes-twice", one.yes_twice),
            ("--junit", ending.junit.is_some()),
            ("--stop-on-input", ending.stop_on_input),
            ("--save-state", ending.save_state.is_some()),
            ("--check", ending.check),
            ("--select", cli.output.select.is_some()),
            ("--out", cli.output.out.is_some()),
            ("--show-images", cli.output.show_images.is_some()),
        ];
        if let Some((flag, _)) = flags.iter().find(|(_, given)| *given) {
            return Err(Failure::usage(format!("{flag} is for one call, and a batch makes many")));
        }
        Ok(Plan {
            source: lines::open(context, file)?,
            jobs: usize::from(args.jobs),
            validate: !(args.no_validate || one.no_validate),
            ignore_tool_error: args.ignore_tool_error || ending.ignore_tool_error,
        })
    }
}

/// Makes the calls and prints their results.
///
/// # Errors
/// The kind of the first line that failed; and when stdout cannot be written.
pub(super) async fn batch(run: &Run<'_>, session: &Session, plan: Plan) -> Result<()> {
    let Plan { source, jobs, validate, ignore_tool_error } = plan;
    let mut tally = Tally { total: source.total.clone(), ..Tally::default() };
    let mut lines = source.lines(run.cli.connection.max_message_size);
    let lines = stream::poll_fn(|cx| lines.poll_recv(cx)).take_until(run.stop.stopped());
    let work = Work { run, session, validate, ignore_tool_error, tools: OnceCell::new() };
    let mut done = std::pin::pin!(lines.map(|line| as_call(line.number, work.line(line))).buffered(jobs));
    while let Some(done) = done.next().await {
        if let Some(stopped) = done.outcome.as_ref().err().filter(|failure| failure.is_stop()) {
            return Err(stopped.clone());
        }
        tally.count(&done);
        if !run.print_json(done.row()).await? {
            return Ok(());
        }
        tally.show(run);
    }
    run.screen.settle();
    match run.stop.is_stopped() {
        true => Err(run.stop.stopped().await),
        false => tally.verdict(run.registry.desk().take_failures()),
    }
}

/// How far it has come.
#[derive(Default)]
struct Tally {
    n_done: usize,
    n_failed: usize,
    total: Arc<OnceLock<usize>>,
    /// The first that failed, with its line.
    first: Option<(usize, Failure)>,
}

impl Tally {
    fn count(&mut self, done: &Done) {
        self.n_done += 1;
        if let Err(failure) = &done.outcome {
            self.n_failed += 1;
            self.first.get_or_insert_with(|| (done.number, failure.clone()));
        }
    }

    /// A bar, where it is in nobody's way: results on the same screen say as much.
    fn show(&self, run: &Run<'_>) {
        if run.screen.redraws && !run.context.stdout_is_terminal && !run.cli.output.quiet {
            run.screen.status(&batch::progress(self.n_done, self.total.get().copied(), self.n_failed));
        }
    }

    /// `unplaced` is a question that nobody answered, of one line or another.
    fn verdict(self, unplaced: Option<Failure>) -> Result<()> {
        let told = self.first.map(|(number, first)| {
            let what = match self.n_done {
                1 => format!("line {number}: {}", first.message),
                n => format!("{} of {n} lines failed, first line {number}: {}", self.n_failed, first.message),
            };
            Failure { message: what, ..first }
        });
        let unplaced = unplaced.map(|failure| {
            failure.hint("nothing said which line this was asked for, since several were under way: --jobs 1 tells")
        });
        match (unplaced, told) {
            (None, told) => told.map_or(Ok(()), Err),
            (Some(unplaced), None) => Err(unplaced),
            (Some(unplaced), Some(told)) => {
                Err(Failure { message: format!("{}; {}", told.message, unplaced.message), ..unplaced })
            }
        }
    }
}

/// A line that is over.
struct Done {
    number: usize,
    id: Option<Value>,
    /// What the server answered, if it did.
    result: Option<Raw>,
    outcome: Result<()>,
}

impl Done {
    fn row(&self) -> String {
        let failure = self.outcome.as_ref().err();
        let row = Row { line: self.number, id: self.id.as_ref(), result: self.result.as_ref(), failure };
        row.to_string()
    }
}

/// What all lines share.
struct Work<'a> {
    run: &'a Run<'a>,
    session: &'a Session,
    validate: bool,
    ignore_tool_error: bool,
    /// The server's tools, listed once; `None` where they cannot be.
    tools: OnceCell<Option<Listed>>,
}

impl Work<'_> {
    async fn line(&self, line: Line) -> Done {
        let Line { number, text } = line;
        let read = text.map(|text| Asked::read(&text));
        let (id, what) = match read {
            Ok(Asked { id, what }) => (id, what.map_err(|why| Failure::usage(format!("the line {why}")))),
            Err(failure) => (None, Err(failure)),
        };
        let (answered, tool) = match what {
            Err(failure) => (Err(failure), None),
            Ok(What::Call { tool, params }) => (self.call(&tool, params).await, Some(tool)),
            Ok(What::Request { method, params }) => {
                let named = params.as_ref().filter(|_| method == "tools/call").and_then(|params| params.get("name"));
                let tool = named.and_then(Value::as_str).map(str::to_owned);
                (self.request(&method, params, tool.as_deref()).await, tool)
            }
        };
        let (result, outcome) = match answered {
            Ok(result) => {
                let outcome = if tool.is_some() { self.judge(tool.as_deref(), &result).await } else { Ok(()) };
                (Some(result), outcome)
            }
            Err(failure) => (None, Err(failure)),
        };
        Done {
            number,
            id,
            result,
            outcome: self.cause(number, outcome).map_err(|failure| self.run.screen.concealed.hide_of(failure)),
        }
    }

    /// A question that nobody answered is the cause of whatever came of its call. One of which nobody can say whose it was
    /// is left for the run.
    fn cause(&self, line: usize, outcome: Result<()>) -> Result<()> {
        if outcome.as_ref().is_err_and(Failure::is_stop) {
            return outcome;
        }
        match self.run.registry.desk().take_failures_of(line) {
            Some(failure) => Err(failure),
            None => outcome,
        }
    }

    async fn request(&self, method: &str, params: Option<Value>, tool: Option<&str>) -> Result<Raw> {
        let request = Call { method, params, tool };
        call::make(self.run, self.session, &request, None, &EndingArgs::default()).await
    }

    async fn call(&self, tool: &str, params: Map<String, Value>) -> Result<Raw> {
        if self.validate || self.session.repeats_arguments() {
            let tools = self.tools().await?;
            if let Some(why) = tools.and_then(|tools| tools.left_out(tool)) {
                return Err(Failure::protocol(format!("the tool {tool} must not be called: {why}")));
            }
            let schema =
                tools.and_then(|tools| tools.find(tool)?.get("inputSchema")).filter(|schema| schema.is_object());
            if let (Some(schema), Some(Value::Object(arguments)), true) =
                (schema, params.get("arguments"), self.validate)
            {
                // A schema that cannot be used was told of when it was listed, or is told of here.
                if let Some(warning) = arguments::check(&[], arguments, schema).verdict()? {
                    self.session.warn(&warning);
                }
            }
        }
        self.request("tools/call", Some(Value::Object(params)), Some(tool)).await
    }

    async fn tools(&self) -> Result<Option<&Listed>> {
        let tools = self.tools.get_or_try_init(|| async {
            match self.session.list_tools().await {
                Ok(tools) => Ok(Some(tools)),
                Err(failure) if failure.kind == Kind::Protocol => {
                    let what = format!("the tools could not be listed, so arguments go unchecked: {}", failure.message);
                    self.session.warn(&what);
                    Ok(None)
                }
                Err(failure) => Err(failure),
            }
        });
        tools.await.map(Option::as_ref)
    }

    /// What the result of a call says of it.
    async fn judge(&self, tool: Option<&str>, answer: &Raw) -> Result<()> {
        let tool = tool.unwrap_or_default();
        let read = ToolResult::read(answer)?;
        for odd in read.oddities() {
            self.session.warn(&format!("the result of {tool} {odd}"));
        }
        if !read.is_error() {
            return Ok(());
        }
        // Many servers answer for a tool they do not have as if it had failed.
        let is_unknown = self.tools.get().and_then(Option::as_ref).is_some_and(|tools| tools.find(tool).is_none());
        match (is_unknown, self.ignore_tool_error) {
            (true, _) => Err(Failure::protocol(format!("the server has no tool {tool}"))),
            (false, true) => Ok(()),
            (false, false) => Err(self.run.explain_text(self.session, answer.get(), result::tool_failure(tool))),
        }
    }
}
