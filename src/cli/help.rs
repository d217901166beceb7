//! How the definition of the command line is shown: `-h` on a screen, `--help` in whole, each verb with examples and
//! without the flags that it has no use for. What is said of a flag stands with the flag.

use super::{Cli, Line, Verb};
use crate::session::era::revision::Revision;
use clap::{Arg, Args, Command, CommandFactory, Subcommand};
use std::sync::LazyLock;

/// The flags of all verbs that `-h` shows; it shows a verb's own flags, too.
const SHORT: &[&str] =
    &["url", "stdio", "header", "answer", "auto-answer", "protocol", "timeout", "json", "verbose", "trace", "report"];

/// What is typed for each verb.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (
        "show",
        "mcpcall show add --url http://127.0.0.1:8000/mcp
mcpcall show add --json -- python3 server.py",
    ),
    (
        "read",
        "mcpcall read file:///notes.txt --url http://127.0.0.1:8000/mcp
mcpcall read app://logo --url http://127.0.0.1:8000/mcp >logo.png",
    ),
    (
        "prompt",
        "mcpcall prompt greet name=Ada --url http://127.0.0.1:8000/mcp
mcpcall prompt review code=@main.rs -- python3 server.py",
    ),
    (
        "complete",
        "mcpcall complete greet name=A --url http://127.0.0.1:8000/mcp
mcpcall complete 'app://{country}/{city}' city=b country=ch --url http://127.0.0.1:8000/mcp",
    ),
    (
        "ping",
        "mcpcall ping --url http://127.0.0.1:8000/mcp
mcpcall ping --count 5 --timeout 2 -- python3 server.py",
    ),
    (
        "call",
        "\
mcpcall call list query=x --url http://127.0.0.1:8000/mcp      # a tool that is called list
mcpcall call add a=2 b=3 -- python3 server.py",
    ),
    (
        "list",
        "\
mcpcall list --url http://127.0.0.1:8000/mcp
mcpcall list resources --json -- python3 server.py",
    ),
    (
        "resume",
        "\
mcpcall wizard --stop-on-input --save-state call.json --url http://127.0.0.1:8000/mcp
mcpcall resume call.json --auto-answer answers.json",
    ),
    (
        "info",
        "\
mcpcall info --url http://127.0.0.1:8000/mcp
mcpcall info --json -- python3 server.py",
    ),
    (
        "listen",
        "\
mcpcall listen --url http://127.0.0.1:8000/mcp
mcpcall listen file:///repo/a.txt --count 1 -- python3 server.py",
    ),
    (
        "request",
        r#"mcpcall request ping --url http://127.0.0.1:8000/mcp
mcpcall request resources/read '{"uri": "file:///a"}' -- python3 server.py"#,
    ),
    (
        "batch",
        "\
mcpcall batch calls.ndjson --jobs 8 -- python3 server.py
mcpcall batch - --url http://127.0.0.1:8000/mcp <calls.ndjson",
    ),
    (
        "shell",
        "\
mcpcall shell --url http://127.0.0.1:8000/mcp
mcpcall shell --root . --log-level info -- python3 server.py",
    ),
    (
        "answers",
        "\
mcpcall answers check answers.json
mcpcall answers stub trace.ndjson >answers.json
mcpcall answers schema >answers.schema.json",
    ),
    (
        "login",
        "\
mcpcall login --url https://mcp.example.com/mcp
mcpcall login --no-browser --url https://mcp.example.com/mcp",
    ),
    ("logout", "mcpcall logout --url https://mcp.example.com/mcp"),
    ("auth", "mcpcall auth status --json"),
    ("completions", "mcpcall completions bash >~/.local/share/bash-completion/completions/mcpcall"),
    (
        "man",
        "\
mcpcall man | man -l -
mcpcall man >~/.local/share/man/man1/mcpcall.1",
    ),
];

/// The flags of all verbs that a verb has a use for, where it is not all of them.
fn uses(verb: &str) -> Option<&'static [&'static str]> {
    match verb {
        "completions" | "man" | "help" => Some(&[]),
        "answers" => Some(&["json", "quiet"]),
        "auth" => Some(&["url", "state-dir", "json", "select"]),
        _ => None,
    }
}

/// The flags of all verbs that a verb refuses: it has nothing to keep or to draw.
pub(crate) fn refuses(verb: &str) -> &'static [&'static str] {
    match verb {
        "list" | "show" | "complete" | "ping" | "info" | "listen" | "login" | "logout" => &["out", "show-images"],
        _ => &[],
    }
}

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{}\nMCP {}", env!("CARGO_PKG_VERSION"), Revision::dates().join(", ")));

/// The definition as far as it takes to understand this line: of the verbs, those that it may name. Each verb that is there
/// is given all the flags of all verbs.
pub(crate) fn bare(args: &[String]) -> Command {
    if args.iter().any(|arg| arg == "help") {
        return whole();
    }
    let bare = Command::new("mcpcall").version(env!("CARGO_PKG_VERSION")).long_version(VERSION.as_str());
    let bare = Line::augment_args(bare);
    // To make them all takes as long as all else.
    if !args.iter().any(|arg| Verb::has_subcommand(arg)) {
        return bare;
    }
    let is_named = |verb: &&Command| args.iter().any(|arg| arg == verb.get_name());
    let verbs = Verb::augment_subcommands(Command::new("verbs"));
    bare.subcommands(verbs.get_subcommands().filter(is_named))
}

fn whole() -> Command {
    Cli::command().long_version(VERSION.as_str())
}

/// The definition with everything that help, the man page and completions are made of.
pub(crate) fn definition() -> Command {
    let mut command = whole().subcommand_help_heading("Verbs");
    for (verb, text) in EXAMPLES {
        let text = text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n");
        // A verb of the table that is gone is the business of a test.
        if command.find_subcommand(verb).is_some() {
            command = command.mut_subcommand(verb, |sub| sub.after_help(format!("Examples:\n{text}")));
        }
    }
    command = command.mut_args(|arg| match arg.get_help_heading() {
        None if !arg.is_positional() => arg.help_heading("Call"),
        _ => arg,
    });
    // Now flags of all verbs are known to each of them.
    command.build();
    command.mut_subcommands(|verb| {
        let (used, refused) = (uses(verb.get_name()), refuses(verb.get_name()));
        let is_batch = verb.get_name() == "batch";
        let lacks = |arg: &Arg| {
            let long = arg.get_long().unwrap_or_default();
            used.is_some_and(|used| !used.contains(&long))
                || refused.contains(&long)
                // It says itself why.
                || is_batch && ["select", "out", "show-images"].contains(&long)
        };
        without(verb, &lacks)
    })
}

fn without(verb: Command, lacks: &dyn Fn(&Arg) -> bool) -> Command {
    let verb = verb.mut_args(|arg| if arg.is_global_set() && lacks(&arg) { arg.hide(true) } else { arg });
    verb.mut_subcommands(|sub| without(sub, lacks))
}

/// The definition to parse with; for `-h`, which fits on a screen, flags stand in one list.
pub(crate) fn command(args: &[String]) -> Command {
    let is_short = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "-h");
    if !is_short {
        return definition();
    }
    let common = |arg: &Arg| arg.get_long().is_some_and(|long| SHORT.contains(&long));
    let shorten = |arg: Arg| match () {
        () if arg.get_id() == "help" => arg,
        () if common(&arg) => {
            let help = arg.get_help().map(|help| gist(&help.to_string())).unwrap_or_default();
            arg.help_heading(None::<&str>).help(help).hide_default_value(true)
        }
        () if arg.is_global_set() => arg.hide_short_help(true),
        () => arg,
    };
    let top = |arg: Arg| if common(&arg) || arg.get_id() == "help" { arg } else { arg.hide_short_help(true) };
    let command = definition().after_help(SHORT_END).mut_args(|arg| shorten(top(arg)));
    command.mut_subcommands(|verb| {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        let about = if about.len() > LINE { gist(&about) } else { about };
        verb.about(about).mut_args(shorten)
    })
}

/// How long what a verb does may be, for one line.
const LINE: usize = 60;

/// What is said before the details.
fn gist(text: &str) -> String {
    text.split([',', ';', ':', '(', '[']).next().unwrap_or(text).trim_end().to_owned()
}

const SHORT_END: &str = "\
Example: mcpcall add a=2 b=3 -- python3 server.py
All flags, exit codes and more examples: mcpcall --help, mcpcall VERB --help";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    #[test]
    fn a_line_means_the_same_by_the_bare_definition() {
        let lines = EXAMPLES.iter().flat_map(|(_, text)| text.lines()).chain([
            "mcpcall",
            "mcpcall t a=1 list --json --url U -- srv list",
            "mcpcall --server list t",
            "mcpcall --json call list --url=U",
            "mcpcall -V",
            "mcpcall --version",
            "mcpcall lst --url U",
            "mcpcall t --no-such-flag",
            "mcpcall answers check a.json -q",
        ]);
        for line in lines {
            let words = shell_words::split(line.split(['#', '|', '>', '<']).next().unwrap()).unwrap();
            let read = |command: Command| {
                let read = command.try_get_matches_from(&words).map_err(|error| (error.kind(), error.exit_code()));
                read.map(|matches| format!("{:?}", Cli::from_arg_matches(&matches).unwrap()))
            };
            assert_eq!(read(bare(&words[1..])), read(definition()), "{line}");
        }
        let version =
            |command: Command| command.try_get_matches_from(["mcpcall", "--version"]).unwrap_err().to_string();
        assert_eq!(version(bare(&[])), version(definition()));
    }

    fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
        command.get_subcommands().filter(|verb| verb.get_name() != "help")
    }

    /// All commands below one.
    fn all(command: &Command) -> Vec<&Command> {
        let mut found = vec![command];
        found.extend(verbs(command).flat_map(all));
        found
    }

    #[test]
    fn each_verb_says_what_it_does_and_has_examples_that_are_understood() {
        let command = definition();
        for verb in all(&command) {
            assert!(verb.get_about().is_some(), "{} does not say what it does", verb.get_name());
        }
        for verb in verbs(&command) {
            let name = verb.get_name();
            let examples = EXAMPLES.iter().find(|(known, _)| *known == name);
            let (_, text) = examples.unwrap_or_else(|| panic!("src/cli/help.rs has no examples of {name}"));
            assert!(text.contains(&format!("mcpcall {name}")), "{text}");
            for line in text.lines() {
                let typed = line.split(['#', '|', '>', '<']).next().unwrap();
                let words = shell_words::split(typed).unwrap();
                if let Err(error) = command.clone().try_get_matches_from(words) {
                    panic!("{line}: {error}");
                }
            }
        }
        for (name, _) in EXAMPLES {
            assert!(command.find_subcommand(name).is_some(), "there is no verb {name}");
        }
    }

    #[test]
    fn each_flag_says_what_it_does_and_stands_under_a_heading() {
        let command = definition();
        for verb in all(&command) {
            for arg in verb.get_arguments() {
                let name = format!("{} {}", verb.get_name(), arg.get_id());
                assert!(arg.get_help().is_some(), "{name} does not say what it does");
                let help = arg.get_help().unwrap().to_string();
                assert!(!help.ends_with('.') && help.starts_with(|c: char| c.is_uppercase()), "{name}: {help}");
                if arg.is_global_set() {
                    assert!(arg.get_help_heading().is_some(), "{name} stands under no heading");
                }
                if arg.get_action().takes_values() && !arg.is_positional() {
                    let names = arg.get_value_names().unwrap_or_default();
                    let id = arg.get_id().as_str().to_uppercase();
                    assert!(
                        names.iter().all(|value| *value != id || value.len() < 6),
                        "{name} has no value_name of its own"
                    );
                }
            }
        }
        for flag in SHORT {
            assert!(command.get_arguments().any(|arg| arg.get_long() == Some(flag)), "there is no --{flag}");
        }
    }

    #[test]
    fn verbs_without_a_server_show_no_flags_for_one() {
        let mut command = definition();
        for (verb, has) in [("completions", false), ("man", false), ("answers", false), ("list", true)] {
            let help = command.find_subcommand_mut(verb).unwrap().render_long_help().to_string();
            assert_eq!(help.contains("--url"), has, "{help}");
        }
    }

    #[test]
    fn the_short_help_fits_on_a_screen() {
        let mut command = command(&["-h".to_owned()]).term_width(80);
        let help = command.render_help().to_string();
        let n_verbs = verbs(&command).count();
        assert!(help.lines().count() <= n_verbs + 24, "{} lines\n{help}", help.lines().count());
        for verb in command.get_subcommands_mut() {
            let name = verb.get_name().to_owned();
            let help = verb.render_help().to_string();
            assert!(help.lines().count() <= 48, "{name}: {help}");
        }
    }
}
