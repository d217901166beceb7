//! `mcpcall TOOL [ARG]...`: look the tool up, check the arguments, call it, print the result.

use super::check::{self, Definition};
use super::run::for_many;
use super::{Run, both, known, matrix, state, verdict};
use crate::arguments::{self, Files, Item};
use crate::callbacks::Registry;
use crate::cli::connection::Speak;
use crate::cli::{CallArgs, Cli, EndingArgs};
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::form::Form;
use crate::form::ask::{Filled, fill_missing};
use crate::jsonrpc::Raw;
use crate::output::result::{self, ToolResult};
use crate::session::pager::{Search, TOOLS};
use crate::session::rounds::Standing;
use crate::session::{Answered, Call, Session};
use crate::terminal::sanitize::one_line;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The arguments as typed, with the files they name already read.
pub(super) struct Prepared<'a> {
    pub(super) args: &'a CallArgs,
    items: Vec<Item>,
    files: Disk<'a>,
    /// All of the arguments, once a person was asked for some: nobody is asked twice.
    asked: RefCell<Option<Map<String, Value>>>,
}

/// Reads the arguments, before signals are taken and a server is bothered: ^C ends a read from stdin as ever, and a
/// mistake in a file is found at once.
///
/// # Errors
/// `usage`.
pub(super) fn prepare<'a>(context: &'a Context, args: &'a CallArgs) -> Result<Prepared<'a>> {
    let items = args.args.iter().map(|arg| Item::parse(arg)).collect::<Result<Vec<_>>>()?;
    let files = Disk { context, read: RefCell::default() };
    // Without the schema yet, for the sake of reading.
    arguments::build(&items, None, &files, true)?;
    Ok(Prepared { args, items, files, asked: RefCell::default() })
}

/// Whether the flags of a call go together.
///
/// # Errors
/// `usage`.
pub(super) fn check(cli: &Cli, registry: &Registry, tool: &str, args: &CallArgs) -> Result<()> {
    let is_both = cli.connection.protocol == Speak::Both;
    if args.matrix || is_both {
        one_call_only(cli, &args.ending)?;
    }
    if args.matrix {
        return matrix::check(cli, registry, tool, args);
    }
    if is_both && args.ending.stop_on_input {
        return Err(Failure::usage("--stop-on-input does not go with --protocol both"));
    }
    if is_both { for_many(registry, "--protocol both makes two") } else { Ok(()) }
}

/// Calls a tool.
///
/// # Errors
/// As the exit-code table says.
pub(super) async fn call(run: &Run<'_>, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let ending = &prepared.args.ending;
    if prepared.args.matrix {
        return matrix::matrix(run, tool, prepared).await;
    }
    if run.cli.connection.protocol == Speak::Both {
        return both::both(run, tool, prepared).await;
    }
    let session = run.connect(ending).await?;
    let outcome = on(run, &session, tool, prepared).await;
    session.close().await;
    outcome
}

/// Calls a tool on an open connection.
///
/// # Errors
/// As the exit-code table says.
pub(super) async fn on(run: &Run<'_>, session: &Session, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let ready = ready(run, session, tool, prepared).await?;
    let called = make(run, session, &ready.call(tool), None, &prepared.args.ending).await;
    let result = called.map_err(|failure| match ready.found.is_unknown() && failure.kind == Kind::Protocol {
        true => failure.hint(ready.found.suggestion(tool)),
        false => failure,
    })?;
    match show(run, session, tool, ready.found.definition(), &result, &prepared.args.ending) {
        // Many servers answer for a tool they do not have as if it had failed.
        Err(failure) if failure.kind == Kind::Tool && ready.found.is_unknown() => {
            Err(Failure::protocol(format!("the server has no tool {tool}")).hint(ready.found.suggestion(tool)))
        }
        other => other,
    }
}

/// What is done with one result is not done with several.
fn one_call_only(cli: &Cli, ending: &EndingArgs) -> Result<()> {
    let output = &cli.output;
    let flags =
        [("--check", ending.check), ("--out", output.out.is_some()), ("--show-images", output.show_images.is_some())];
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => {
            Err(Failure::usage(format!("{flag} is for one call; --matrix and --protocol both make several")))
        }
        None => Ok(()),
    }
}

/// A call with its arguments made and checked.
pub(super) struct Ready {
    params: Value,
    found: Found,
}

impl Ready {
    /// The request to make.
    pub(super) fn call<'a>(&self, tool: &'a str) -> Call<'a> {
        Call { method: "tools/call", params: Some(self.params.clone()), tool: Some(tool) }
    }

    /// Whether the server's list does not have it.
    pub(super) fn is_unknown(&self) -> bool {
        self.found.is_unknown()
    }

    /// Whether the tool says that it changes nothing.
    pub(super) fn only_reads(&self) -> bool {
        let tool = self.found.tool.as_ref();
        tool.and_then(|tool| tool.pointer("/annotations/readOnlyHint")).is_some_and(|hint| *hint == true)
    }
}

/// Looks the tool up and makes its arguments; a person is asked for what is missing.
///
/// # Errors
/// `usage`, when they do not fit; and as `Session::request`.
pub(super) async fn ready(run: &Run<'_>, session: &Session, tool: &str, prepared: &Prepared<'_>) -> Result<Ready> {
    let Prepared { args, items, .. } = prepared;
    let not_needed =
        args.no_validate && !args.ending.check && !arguments::needs_schema(items) && !session.repeats_arguments();
    let found = look_up(session, tool, not_needed).await?;
    let schema = found.tool.as_ref().and_then(|tool| tool.get("inputSchema")).filter(|schema| schema.is_object());
    let arguments = arguments(run, session, tool, schema, prepared).await?;
    Ok(Ready { params: json!({ "name": tool, "arguments": arguments }), found })
}

/// Makes the arguments of what is called `name` and checks them by `schema`; a person is asked for what is missing.
///
/// # Errors
/// `usage`, when they do not fit.
pub(super) async fn arguments(
    run: &Run<'_>,
    session: &Session,
    name: &str,
    schema: Option<&Value>,
    prepared: &Prepared<'_>,
) -> Result<Map<String, Value>> {
    let Prepared { args, items, files, asked } = prepared;
    let known = asked.borrow().clone();
    let mut arguments = known.map_or_else(|| arguments::build(items, schema, files, args.no_validate), Ok)?;
    if let (Some(schema), false) = (schema, args.no_validate) {
        let mut found = arguments::check(items, &arguments, schema);
        if let Some(names) = found.to_ask()
            && let Some(filled) = ask_for(run, name, schema, &arguments, &names).await
        {
            found = arguments::check(items, &filled, schema);
            arguments = filled.clone();
            asked.replace(Some(filled));
        }
        if let Some(warning) = found.verdict()? {
            session.warn(&warning);
        }
    }
    Ok(arguments)
}

/// Asks for the arguments called `names`; gives all of them, or `None` where there is no person, or none who answers.
async fn ask_for(
    run: &Run<'_>,
    tool: &str,
    schema: &Value,
    given: &Map<String, Value>,
    names: &[String],
) -> Option<Map<String, Value>> {
    let form = Form::new(schema);
    let known: HashSet<&str> = form.fields().iter().map(|field| field.name.as_str()).collect();
    if !names.iter().all(|name| known.contains(name.as_str())) {
        return None;
    }
    let mut turn = run.registry.desk().page(&format!("{} needs", one_line(tool, 80))).await?;
    match fill_missing(turn.terminal.as_mut(), &form, given, names).await {
        Filled::Content(arguments) => Some(arguments),
        Filled::Left(_) => None,
    }
}

/// Makes a call, or goes on with it from a round, until it is over or, if the user wants that, until the server asks.
///
/// # Errors
/// As `Session::request`; `unanswered` where it stops.
pub(super) async fn make(
    run: &Run<'_>,
    session: &Session,
    call: &Call<'_>,
    at: Option<Standing>,
    ending: &EndingArgs,
) -> Result<Raw> {
    let called = make_unwatched(run, session, call, at, ending).await;
    verdict::note_end(run, &called);
    called
}

async fn make_unwatched(
    run: &Run<'_>,
    session: &Session,
    call: &Call<'_>,
    mut at: Option<Standing>,
    ending: &EndingArgs,
) -> Result<Raw> {
    loop {
        if let Some(standing) = &at {
            run.registry.desk().watch.round(standing.number);
        }
        let answered = session.advance(call, at.as_ref()).await.map_err(|failure| run.explain(session, failure))?;
        at = match answered {
            Answered::Result(result) => return Ok(result),
            Answered::Asked(standing) if ending.stop_on_input && !standing.round.is_empty() => {
                return Err(state::stop(run, session, call, &standing, ending));
            }
            Answered::Asked(standing) => Some(*standing),
        };
    }
}

/// Prints the result of a call, and holds it against what the tool says of its results.
///
/// # Errors
/// `tool`, when the result says that it failed; `expectation`, when it is not what was to come; and when stdout or a file
/// cannot be written.
pub(super) fn show(
    run: &Run<'_>,
    session: &Session,
    tool: &str,
    known: Definition<'_>,
    result: &Raw,
    ending: &EndingArgs,
) -> Result<()> {
    run.screen.settle();
    let read = ToolResult::read(result)?;
    read.oddities().iter().for_each(|what| session.warn(&format!("the result of {tool} {what}")));
    let printed = run.printer().print(tool, result, || read.blocks());
    // The result of a failure is no result of the tool's: nothing holds for it but that it failed.
    if read.is_error() {
        return match printed {
            Ok(()) if ending.ignore_tool_error => Ok(()),
            Ok(()) => Err(run.explain_text(session, result.get(), result::tool_failure(tool))),
            // What was selected is not there because the tool failed: its words stand in for it.
            Err(lost) if lost.kind == Kind::Expectation && !ending.ignore_tool_error => {
                Err(run.explain_text(session, result.get(), result::tool_failure(tool)).detail(result::text(result)))
            }
            Err(failure) => Err(failure),
        };
    }
    match (printed, check::check(session, tool, known, &read, ending.check)) {
        (printed, Ok(())) => printed,
        (Ok(()), unfit) => unfit,
        (Err(lost), unfit) => {
            session.warn(&lost.message);
            unfit
        }
    }
}

/// What is known of a tool before it is called.
struct Found {
    tool: Option<Value>,
    /// The other tools' names; `None` when the list was not read.
    names: Option<Vec<String>>,
}

impl Found {
    fn definition(&self) -> Definition<'_> {
        self.tool.as_ref().map_or(Definition::Unknown, Definition::Known)
    }

    /// The server's list was read to its end and does not have the tool.
    fn is_unknown(&self) -> bool {
        self.tool.is_none() && self.names.is_some()
    }

    fn suggestion(&self, tool: &str) -> String {
        known::suggestion(tool, self.names.as_deref().unwrap_or_default(), "tools")
    }
}

/// Looks the tool up in the server's list. A server that cannot list may still be called.
async fn look_up(session: &Session, tool: &str, not_needed: bool) -> Result<Found> {
    if not_needed {
        return Ok(Found { tool: None, names: None });
    }
    match session.find(&TOOLS, tool).await {
        Ok(Search::Found { left_out: Some(why), .. }) => {
            Err(Failure::protocol(format!("the tool {tool} must not be called: {why}")))
        }
        Ok(Search::Found { raw, .. }) => Ok(Found { tool: Some(raw.readable()), names: None }),
        Ok(Search::Unknown(names)) => Ok(Found { tool: None, names: Some(names) }),
        Err(failure) if failure.kind == Kind::Protocol => {
            session.warn(&format!("the tools could not be listed, so arguments go unchecked: {}", failure.message));
            Ok(Found { tool: None, names: None })
        }
        Err(failure) => Err(failure),
    }
}

/// Files and stdin as the arguments name them, each read once.
struct Disk<'a> {
    context: &'a Context,
    read: RefCell<HashMap<String, Result<Vec<u8>, String>>>,
}

impl Disk<'_> {
    fn once(&self, name: &str, read: impl FnOnce() -> std::io::Result<Vec<u8>>) -> Result<Vec<u8>, String> {
        let mut known = self.read.borrow_mut();
        known.entry(name.to_owned()).or_insert_with(|| read().map_err(|e| e.to_string())).clone()
    }
}

impl Files for Disk<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.once(path, || std::fs::read(path))
    }

    fn stdin(&self) -> Result<Vec<u8>, String> {
        self.once("-", || self.context.read_stdin())
    }
}
