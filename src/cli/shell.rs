//! A line of the shell, as typed: the verbs as on the command line, with what a connection that lasts has besides.

use super::What;
use super::mistake::mistake_in;
use crate::callbacks::notifications::flags::Level;
use crate::failure::{Failure, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::path::PathBuf;

const HELP: &str = "TOOL [ARG]... calls a tool, with arguments as on the command line. Tab completes, the arrows go through \
what was typed before (what begins as the line does), ^C calls a call off, ^D leaves. A line that begins with a space is \
not kept.";

/// A line.
#[derive(Debug, Parser)]
#[command(name = "shell", no_binary_name = true, about = HELP, max_term_width = 100, disable_version_flag = true)]
#[command(help_template = "{about}\n\n{subcommands}", subcommand_help_heading = "Verbs")]
pub(crate) struct Typed {
    #[command(subcommand)]
    pub(crate) verb: ShellVerb,

    /// Print the server's result object as it is, and a failure as one line of JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print one value of what --json prints, by JSON pointer; a string as its text, unless --json is given too
    #[arg(long, value_name = "POINTER", global = true)]
    pub(crate) select: Option<String>,

    /// Write images, audio and other bytes of a result to files in this folder
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) out: Option<PathBuf>,
}

/// What can be said in a shell.
#[derive(Debug, Subcommand)]
#[command(disable_help_flag = true)]
pub(crate) enum ShellVerb {
    /// Call a tool (for a tool that is named like a verb)
    Call {
        /// The tool
        tool: String,
        /// Its arguments: name=VALUE, name:=JSON, name=@FILE, {...} or @FILE
        #[arg(value_name = "ARG")]
        args: Vec<String>,
        /// Send the arguments without checking them against the tool's schema
        #[arg(long)]
        no_validate: bool,
    },
    /// List what the server has
    List {
        /// What to list
        #[arg(value_enum, default_value = "tools")]
        what: What,
    },
    /// Say what a tool is and takes
    Show {
        /// The tool
        tool: String,
    },
    /// Print the contents of a resource
    Read {
        /// The resource
        uri: String,
    },
    /// Print the messages of a prompt
    Prompt {
        /// The prompt
        name: String,
        /// Its arguments
        #[arg(value_name = "ARG")]
        args: Vec<String>,
    },
    /// Print what the server proposes for an argument
    Complete {
        /// A prompt's name or a template's URI
        #[arg(value_name = "REF")]
        reference: String,
        /// The argument, and how its value begins
        #[arg(value_name = "ARG=PREFIX")]
        argument: String,
        /// Other arguments that are known already
        #[arg(value_name = "OTHER=VALUE")]
        others: Vec<String>,
    },
    /// Say how long the server takes to answer
    Ping,
    /// Make any request and print its result as JSON
    Request {
        /// The method
        method: String,
        /// Its params: a JSON object or @FILE
        params: Option<String>,
    },
    /// Say what the server is and can do
    Info,
    /// Say, or change, which folders the server may know of
    Root {
        #[command(subcommand)]
        verb: Option<RootVerb>,
    },
    /// Ask for the server's log messages of this level and above, and show them
    Log {
        /// The level
        #[arg(value_enum)]
        level: Level,
    },
    /// Leave
    #[command(visible_alias = "quit")]
    Exit,
}

/// What can be done with roots.
#[derive(Debug, Subcommand)]
pub(crate) enum RootVerb {
    /// List them
    List,
    /// Add one, and tell the server
    Add {
        /// The folder
        #[arg(value_name = "[NAME=]PATH")]
        root: String,
    },
    /// Remove one, and tell the server
    Remove {
        /// Its name, path or URI
        root: String,
    },
}

/// Whether the word after this flag is its value.
pub(crate) fn takes_value(flag: &str) -> bool {
    let flag = flag.trim_start_matches("--");
    let typed = Typed::command();
    typed.get_arguments().any(|arg| arg.get_long() == Some(flag) && arg.get_action().takes_values())
}

/// What a line asks for.
#[derive(Debug)]
pub(crate) enum Line {
    /// Something to do.
    Typed(Typed),
    /// A text for the person.
    Help(String),
}

/// The words that are no tools.
pub(crate) fn verbs() -> Vec<String> {
    let mut verbs = vec!["help".to_owned()];
    for verb in Typed::command().get_subcommands() {
        verbs.push(verb.get_name().to_owned());
        verbs.extend(verb.get_visible_aliases().map(str::to_owned));
    }
    verbs
}

/// Reads a line; `None` for one without a word.
///
/// # Errors
/// `usage`.
pub(crate) fn read(line: &str) -> Result<Option<Line>> {
    let words = shell_words::split(line).map_err(|_| Failure::usage("a quote is not closed"))?;
    let Some(first) = words.first() else { return Ok(None) };
    // Anything else is a tool.
    let call = (!verbs().contains(first) && first != "--help" && first != "-h").then(|| "call".to_owned());
    match Typed::try_parse_from(call.into_iter().chain(words)) {
        Ok(typed) => Ok(Some(Line::Typed(typed))),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp) => {
            Ok(Some(Line::Help(error.render().to_string().trim_end().to_owned())))
        }
        Err(error) => Err(mistake_in(&error, &Typed::command(), "help says more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_holds_together() {
        Typed::command().debug_assert();
    }

    #[test]
    fn a_line_is_a_verb_or_else_a_tool() {
        let call = |line: &str| match read(line).unwrap() {
            Some(Line::Typed(Typed { verb: ShellVerb::Call { tool, args, .. }, json, .. })) => (tool, args, json),
            other => panic!("{line}: {other:?}"),
        };
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(call("add a=1 'b=x y' --json"), ("add".into(), words(&["a=1", "b=x y"]), true));
        assert_eq!(call("--json add n=-5"), ("add".into(), words(&["n=-5"]), true));
        assert_eq!(call("call list a=1"), ("list".into(), words(&["a=1"]), false));
        assert!(read("  ").unwrap().is_none());
        assert!(matches!(read("help").unwrap(), Some(Line::Help(text)) if text.contains("root")));
        assert!(matches!(read("help root").unwrap(), Some(Line::Help(text)) if text.contains("remove")));
        assert!(matches!(read("quit").unwrap(), Some(Line::Typed(Typed { verb: ShellVerb::Exit, .. }))));
        for (line, words) in [("add 'a", "a quote is not closed"), ("log loud", "loud"), ("add --nope", "--nope")] {
            assert!(read(line).unwrap_err().message.contains(words), "{line}");
        }
    }
}
