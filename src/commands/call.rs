//! `mcpcall TOOL [ARG]...`: look the tool up, check the arguments, call it, print the result.

use super::Run;
use crate::arguments::{self, Files, Item};
use crate::cli::CallArgs;
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::output::result;
use crate::session::{Call, Session};
use crate::words::nearest;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;

/// The arguments as typed, with the files they name already read.
pub(super) struct Prepared<'a> {
    args: &'a CallArgs,
    items: Vec<Item>,
    files: Disk<'a>,
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
    Ok(Prepared { args, items, files })
}

/// Calls a tool.
///
/// # Errors
/// As the exit-code table says.
pub(super) async fn call(run: &Run<'_>, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let session = run.connect().await?;
    let outcome = call_on(run, &session, tool, prepared).await;
    session.close().await;
    outcome
}

async fn call_on(run: &Run<'_>, session: &Session, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let Prepared { args, items, files } = prepared;
    let found = look_up(session, tool, args.no_validate && !arguments::needs_schema(items)).await?;
    let schema = found.tool.as_ref().and_then(|tool| tool.get("inputSchema")).filter(|schema| schema.is_object());
    let arguments = arguments::build(items, schema, files, args.no_validate)?;
    if let (Some(schema), false) = (schema, args.no_validate)
        && let Some(warning) = arguments::check(items, &arguments, schema)?
    {
        session.warn(&warning);
    }
    let params = json!({ "name": tool, "arguments": arguments });
    let answered = session.request(Call { method: "tools/call", params: Some(params), tool: Some(tool) }).await;
    let result = answered.map_err(|failure| match found.is_unknown() && failure.kind == Kind::Protocol {
        true => failure.hint(found.suggestion(tool)),
        false => failure,
    })?;
    run.screen.settle();
    let odd = result::oddities(&result)?;
    odd.iter().for_each(|what| session.warn(&format!("the result of {tool} {what}")));
    result::call(run.stdout(), &result, run.cli.output.json)?;
    if !result::is_error(&result) || args.ignore_tool_error {
        return Ok(());
    }
    // Many servers answer for a tool they do not have as if it had failed.
    if found.is_unknown() {
        return Err(Failure::protocol(format!("the server has no tool {tool}")).hint(found.suggestion(tool)));
    }
    Err(result::tool_failure(tool))
}

/// What is known of a tool before it is called.
struct Found {
    tool: Option<Value>,
    /// The other tools' names; `None` when the list was not read.
    names: Option<Vec<String>>,
}

impl Found {
    /// The server's list was read to its end and does not have the tool.
    fn is_unknown(&self) -> bool {
        self.tool.is_none() && self.names.is_some()
    }

    fn suggestion(&self, tool: &str) -> String {
        let names = self.names.as_deref().unwrap_or_default();
        match nearest(tool, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {near}?"),
            None if names.is_empty() => "the server lists no tools".into(),
            None => format!("it has: {}", names.join(", ")),
        }
    }
}

/// Looks the tool up in the server's list. A server that cannot list may still be called.
async fn look_up(session: &Session, tool: &str, not_needed: bool) -> Result<Found> {
    if not_needed {
        return Ok(Found { tool: None, names: None });
    }
    match session.find_tool(tool).await {
        Ok((tool, names)) => Ok(Found { tool, names: Some(names) }),
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
