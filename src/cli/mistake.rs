//! What is wrong with a command line, in our own words.

use super::Cli;
use crate::failure::Failure;
use crate::words::nearest;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Flags stay flags: a typo among them must not become the name of a tool.
const DASH: &str =
    "a tool whose name begins with - is called by: mcpcall request tools/call '{\"name\": \"-x\", \"arguments\": {}}'";

/// A repeatable flag whose values before the verb clap has dropped for those behind it.
pub(crate) fn lost_flag(cli: &Cli, args: &[String]) -> Option<&'static str> {
    let typed = |short: &str, long: &str| {
        let is_flag = |arg: &&String| {
            *arg == long || arg.starts_with(&format!("{long}=")) || !short.is_empty() && arg.starts_with(short)
        };
        args.iter().take_while(|arg| *arg != "--").filter(is_flag).count()
    };
    let flags = [
        ("-H", "--header", cli.server.headers.len()),
        ("-e", "--env", cli.server.env.len()),
        ("", "--input", cli.server.input.len()),
        ("", "--answer", cli.elicitation.answer.len()),
        ("", "--root", cli.roots.roots.len()),
        ("", "--cap", cli.capabilities.cap.len()),
        ("", "--no-cap", cli.capabilities.no_cap.len()),
    ];
    flags.into_iter().find(|(short, long, kept)| typed(short, long) > *kept).map(|(_, long, _)| long)
}

/// A mistake on the command line, in our own words: what clap says first, and the flag that was probably meant.
pub(crate) fn mistake(error: &clap::Error) -> Failure {
    mistake_in(error, &Cli::command(), "mcpcall --help says more")
}

pub(super) fn mistake_in(error: &clap::Error, command: &clap::Command, more: &str) -> Failure {
    let text = error.to_string();
    let first = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    let failure = Failure::usage(first.strip_prefix("error: ").unwrap_or(&first));
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => unknown,
        _ => {
            let near = match error.get(ContextKind::SuggestedValue) {
                Some(ContextValue::String(near)) => Some(near),
                Some(ContextValue::Strings(all)) => all.first(),
                _ => None,
            };
            return failure.hint(near.map_or(more.into(), |near| format!("did you mean {near}?")));
        }
    };
    let known: Vec<String> =
        command.get_arguments().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect();
    match nearest(unknown, known.iter().map(String::as_str)) {
        Some(near) if near == unknown => failure.hint("it does not go with this verb"),
        Some(near) => failure.hint(format!("did you mean {near}?")),
        None if unknown.starts_with('-') && !unknown.starts_with("--") => failure.hint(more).hint(DASH),
        None => failure.hint(more),
    }
}
