//! The command line, exactly as typed; what it means is found out in `commands`.

pub(crate) mod answers;
pub(crate) mod auth;
pub(crate) mod connection;
pub(crate) mod help;
pub(crate) mod man;
mod mistake;
pub(crate) mod output;
pub(crate) mod server;
pub(crate) mod shell;

use crate::callbacks::declared::CapabilityFlags;
use crate::callbacks::elicitation::flags::ElicitationFlags;
use crate::callbacks::notifications::flags::NotificationFlags;
use crate::callbacks::roots::flags::RootsFlags;
use crate::callbacks::sampling::flags::SamplingFlags;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

const AFTER: &str = "\
Arguments:
  name=VALUE      typed by the tool's schema      name=@FILE     text of a file (@@ for a literal @)
  name:=JSON      JSON as it is                   name:=@FILE    JSON of a file
  '{...}'         a JSON object as a base         @FILE, -       the base from a file, from stdin

Examples:
  mcpcall issue_card --url http://127.0.0.1:8000/mcp
  mcpcall add a=2 b=3 -- python3 server.py
  mcpcall issue_card --url URL --auto-answer answers.json --json </dev/null

Exit codes:
  0 success        3 authorization    6 protocol error        124 timeout
  1 internal       4 connection       7 nobody answered       130 ^C
  2 usage          5 the tool failed  8 not as expected       143 terminated";

const BATCH: &str = "\
Make many calls on one connection: a JSON object a line, and a result a line

A line:    {\"tool\": \"add\", \"arguments\": {\"a\": 1, \"b\": 2}, \"id\": 7}
or:        {\"name\": ..., \"arguments\": {...}}     the params of tools/call
or:        {\"method\": ..., \"params\": {...}}      any request
Its result: {\"line\":1,\"id\":7,\"exit\":0,\"result\":{...}}, or \"error\" in place of the result
exit is what the call alone would have ended with; the first that is not 0 is the exit code.";

/// Call a tool of an MCP server, answer what the server asks back, print the result
#[derive(Debug, Clone, Parser)]
#[command(name = "mcpcall", version, after_help = AFTER, max_term_width = 100)]
#[command(override_usage = "mcpcall [OPTIONS] TOOL [ARG]... [-- CMD ARGS...]\n       mcpcall [OPTIONS] VERB ...")]
pub(crate) struct Cli {
    /// Something other than a call
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,

    #[command(flatten)]
    pub(crate) line: Line,
}

/// All that goes without a verb.
#[derive(Debug, Clone, Args)]
pub(crate) struct Line {
    /// The tool to call
    pub(crate) tool: Option<String>,

    #[command(flatten)]
    pub(crate) call: CallArgs,

    #[command(flatten)]
    pub(crate) server: ServerFlags,

    #[command(flatten)]
    pub(crate) elicitation: ElicitationFlags,

    #[command(flatten)]
    pub(crate) roots: RootsFlags,

    #[command(flatten)]
    pub(crate) sampling: SamplingFlags,

    #[command(flatten)]
    pub(crate) notifications: NotificationFlags,

    #[command(flatten)]
    pub(crate) capabilities: CapabilityFlags,

    #[command(flatten)]
    pub(crate) connection: ConnectionFlags,

    #[command(flatten)]
    pub(crate) auth: AuthFlags,

    #[command(flatten)]
    pub(crate) output: OutputFlags,
}

impl Deref for Cli {
    type Target = Line;
    fn deref(&self) -> &Line {
        &self.line
    }
}

impl DerefMut for Cli {
    fn deref_mut(&mut self) -> &mut Line {
        &mut self.line
    }
}

pub(crate) use auth::AuthFlags;
pub(crate) use connection::ConnectionFlags;
pub(crate) use mistake::{lost_flag, mistake};
pub(crate) use output::OutputFlags;
pub(crate) use server::ServerFlags;

/// What goes with a call, besides the tool.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CallArgs {
    /// Its arguments: name=VALUE, name:=JSON, name=@FILE, {...}, @FILE or -
    #[arg(value_name = "ARG")]
    pub(crate) args: Vec<String>,

    #[command(flatten)]
    pub(crate) started: Started,

    /// Send the arguments without checking them against the tool's schema
    #[arg(long)]
    pub(crate) no_validate: bool,

    /// With --protocol both: the tool may run twice though it does not say that it only reads
    #[arg(long)]
    pub(crate) yes_twice: bool,

    /// Call the tool once for each way to answer its first question, right and wrong, and tabulate what comes
    #[arg(long)]
    pub(crate) matrix: bool,

    /// With --matrix: the tool may be called many times
    #[arg(long)]
    pub(crate) yes: bool,

    #[command(flatten)]
    pub(crate) ending: EndingArgs,
}

/// How a call may end.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EndingArgs {
    /// Exit 0 though the tool reports an error
    #[arg(long)]
    pub(crate) ignore_tool_error: bool,

    /// Exit 8 unless the result is what the tool's outputSchema says; without this it is a warning
    #[arg(long)]
    pub(crate) check: bool,

    /// End with exit code 7 where the server asks for input (2026-07-28; means --protocol modern)
    #[arg(long)]
    pub(crate) stop_on_input: bool,

    /// With --stop-on-input: write where the call stands to this file, for `mcpcall resume FILE`
    #[arg(long, value_name = "FILE")]
    pub(crate) save_state: Option<PathBuf>,

    /// Write a JUnit report to this file: a case for the call, and one for each expectation of the answer file; with
    /// --matrix, one for each way
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl CallArgs {
    /// Adds the flags that stand before the verb.
    pub(crate) fn add(&mut self, before: &CallArgs) {
        self.no_validate |= before.no_validate;
        self.yes_twice |= before.yes_twice;
        self.matrix |= before.matrix;
        self.yes |= before.yes;
        self.ending.add(&before.ending);
    }
}

impl EndingArgs {
    /// Adds the flags that stand before the verb.
    pub(crate) fn add(&mut self, before: &EndingArgs) {
        self.ignore_tool_error |= before.ignore_tool_error;
        self.check |= before.check;
        self.stop_on_input |= before.stop_on_input;
        self.save_state = self.save_state.take().or_else(|| before.save_state.clone());
        self.junit = self.junit.take().or_else(|| before.junit.clone());
    }
}

/// A server started by the command that follows `--`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Started {
    /// A server to start
    #[arg(last = true, value_name = "CMD")]
    pub(crate) command: Vec<String>,
}

/// The verbs.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Verb {
    /// Call a tool (for a tool that is named like a verb)
    Call {
        /// The tool to call
        tool: String,
        #[command(flatten)]
        call: CallArgs,
    },
    /// List what the server has
    List {
        /// What to list
        #[arg(value_enum, default_value = "tools")]
        what: What,
        #[command(flatten)]
        started: Started,
    },
    /// Show all there is to know of a tool, and a line to call it by
    Show {
        /// The tool
        tool: String,
        #[command(flatten)]
        started: Started,
    },
    /// Print the contents of a resource
    Read {
        /// The resource
        uri: String,
        #[command(flatten)]
        started: Started,
    },
    /// Print the messages of a prompt
    Prompt {
        /// The prompt
        name: String,
        /// Its arguments, all of them texts: name=VALUE, name=@FILE, {...}, @FILE or -
        #[arg(value_name = "ARG")]
        args: Vec<String>,
        /// Send the arguments without checking them against those that the prompt lists
        #[arg(long)]
        no_validate: bool,
        #[command(flatten)]
        started: Started,
    },
    /// Print what the server proposes for an argument
    Complete {
        /// A prompt's name or a template's URI (where its looks deceive: prompt:NAME, resource:URI)
        #[arg(value_name = "REF")]
        reference: String,
        /// The argument, and how its value begins
        #[arg(value_name = "ARG=PREFIX")]
        argument: String,
        /// Other arguments that are known already
        #[arg(value_name = "OTHER=VALUE")]
        others: Vec<String>,
        #[command(flatten)]
        started: Started,
    },
    /// Say how long the server takes to answer
    Ping {
        /// Ping so often, once a second
        #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
        count: u64,
        #[command(flatten)]
        started: Started,
    },
    /// Go on with a call that --save-state has written down
    Resume {
        /// What --save-state wrote; says which server, unless that is given again
        file: PathBuf,
        #[command(flatten)]
        ending: EndingArgs,
        #[command(flatten)]
        started: Started,
    },
    /// Say what the server is, what it can do, and which protocol versions it answers in
    Info {
        #[command(flatten)]
        started: Started,
    },
    /// Print the server's notifications until ^C
    Listen {
        /// Resources to be told about when they change
        #[arg(value_name = "URI")]
        uris: Vec<String>,
        /// End after so many notifications
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        #[command(flatten)]
        started: Started,
    },
    /// Make any request and print its result as JSON
    Request {
        /// The method
        method: String,
        /// Its params: a JSON object, @FILE or -
        params: Option<String>,
        #[command(flatten)]
        started: Started,
    },
    /// Make many calls on one connection: a JSON object a line, and a result a line
    #[command(long_about = BATCH)]
    Batch {
        /// The calls, or - for stdin
        #[arg(value_name = "FILE|-")]
        file: PathBuf,
        #[command(flatten)]
        args: BatchArgs,
        #[command(flatten)]
        started: Started,
    },
    /// Type many calls on one connection, with completion and history
    Shell {
        /// Neither read nor keep what is typed
        #[arg(long)]
        no_history: bool,
        #[command(flatten)]
        started: Started,
    },
    /// Check answer files, make one of a trace, or print their JSON Schema
    #[command(arg_required_else_help = false)]
    Answers {
        #[command(subcommand)]
        verb: answers::AnswersVerb,
    },
    /// Log in at the server, once for all later calls
    Login,
    /// Forget the login at the server
    Logout,
    /// Say which logins there are
    #[command(arg_required_else_help = false)]
    Auth {
        #[command(subcommand)]
        verb: auth::AuthVerb,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the man page
    Man,
}

/// How the calls of a batch are made.
#[derive(Debug, Clone, Args)]
pub(crate) struct BatchArgs {
    /// How many calls may be under way; results keep the order of the lines
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) jobs: u16,
    /// Send the arguments without checking them against the tools' schemas
    #[arg(long)]
    pub(crate) no_validate: bool,
    /// A tool that reports an error fails nothing
    #[arg(long)]
    pub(crate) ignore_tool_error: bool,
}

/// The lists a server may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Tools
    Tools,
    /// Resources
    Resources,
    /// Resource templates
    Templates,
    /// Prompts
    Prompts,
}

/// Reads the command line; `args` are the words behind the program's name.
///
/// # Errors
/// When it is none, or asks for help.
pub(crate) fn read(args: &[String]) -> Result<Cli, clap::Error> {
    match parsed(|| help::bare(args)) {
        // What is shown is made of the whole definition, which takes longer to make than a line takes to read.
        Err(error) if error.kind() != ErrorKind::DisplayVersion => parsed(|| help::command(args)),
        read => read,
    }
}

fn parsed(definition: impl Fn() -> clap::Command) -> Result<Cli, clap::Error> {
    let mut matches = definition().try_get_matches()?;
    if let Some((verb, inner)) = matches.subcommand() {
        let is_typed = |flag: &&&str| inner.value_source(&flag.replace('-', "_")) == Some(ValueSource::CommandLine);
        if let Some(flag) = help::refuses(verb).iter().find(is_typed) {
            let why = format!("--{flag} does not go with {verb}");
            return Err(definition().error(ErrorKind::ArgumentConflict, why));
        }
    }
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut definition()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_may_stand_before_and_behind_the_tool_and_the_verb() {
        for line in [
            "mcpcall --url U t a=1 --json",
            "mcpcall t --url U a=1 --json",
            "mcpcall --json call t a=1 --url U",
            "mcpcall call t --json --url U a=1",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert!(cli.output.json && cli.server.url.as_deref() == Some("U"), "{line}");
            let (tool, call) = match cli.verb {
                Some(Verb::Call { tool, call }) => (tool, call),
                _ => (cli.line.tool.unwrap(), cli.line.call),
            };
            assert_eq!((tool.as_str(), call.args), ("t", vec!["a=1".to_owned()]), "{line}");
        }
    }

    #[test]
    fn a_repeatable_flag_on_both_sides_of_a_verb_is_noticed() {
        for (line, lost) in [
            ("mcpcall -H a:b call t -H c:d --url U", Some("--header")),
            ("mcpcall -H a:b -H c:d call t --url U", None),
            ("mcpcall call t --answer a=1 --answer=b=2 --url U", None),
            ("mcpcall --answer a=1 call t --answer=b=2 --url U", Some("--answer")),
            ("mcpcall call t -- srv -H x", None),
        ] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let cli = Cli::try_parse_from(&args).unwrap();
            assert_eq!(lost_flag(&cli, &args[1..]), lost, "{line}");
        }
    }

    #[test]
    fn the_server_command_follows_the_dashes() {
        for line in ["mcpcall t n=-5 -- srv --url x", "mcpcall call t n=-5 -- srv --url x"] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            let call = match &cli.verb {
                Some(Verb::Call { call, .. }) => call,
                _ => &cli.call,
            };
            assert_eq!(call.args, ["n=-5"], "{line}");
            assert_eq!(call.started.command, ["srv", "--url", "x"], "{line}");
            assert_eq!(cli.server.url, None, "{line}");
        }
    }
}
