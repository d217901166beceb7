//! The command line that calls a tool on the server of this run: the flags that say which server and how to talk to it,
//! as they were typed, with secrets replaced by variables of the shell.

use crate::cli::Cli;
use crate::output::WIDTH;
use crate::output::mask::{self, is_secret};
use crate::terminal::line::columns;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};

/// The headings of the help under which such flags stand.
const HEADINGS: [&str; 2] = ["Server", "Connection"];

/// The command line in lines that a shell takes together.
pub(super) fn call_line(typed: &[String], tool: &str, arguments: &[String]) -> Vec<String> {
    let command = Cli::command();
    let is_verb = command.get_subcommands().any(|verb| verb.get_name() == tool) || tool == "help";
    let mut words = vec!["mcpcall".to_owned()];
    words.extend(is_verb.then(|| "call".to_owned()));
    words.push(quote(tool));
    words.extend(arguments.iter().map(|argument| quote_value(argument, "=")));
    words.extend(server(command, typed));
    fill(&words)
}

/// The flags of the server as typed, then its command.
fn server(command: clap::Command, typed: &[String]) -> Vec<String> {
    let flags: Vec<clap::Arg> = command
        .get_arguments()
        .filter(|arg| arg.get_help_heading().is_some_and(|heading| HEADINGS.iter().any(|own| heading.starts_with(own))))
        .cloned()
        .collect();
    let argv = std::iter::once("mcpcall").chain(typed.iter().map(String::as_str));
    let Ok(matches) = command.try_get_matches_from(argv) else { return Vec::new() };
    let mut words = Vec::new();
    for flag in &flags {
        let id = flag.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let name = match (flag.get_short(), flag.get_long()) {
            (Some(short), _) => format!("-{short}"),
            (None, long) => format!("--{}", long.unwrap_or_default()),
        };
        match flag.get_action().takes_values() {
            true => raw(&matches, id).into_iter().for_each(|value| {
                words.extend([format!("{name} {}", shown(id, &value))]);
            }),
            false => words.push(name),
        }
    }
    let started = started(&matches);
    if !started.is_empty() {
        let started: Vec<String> = started.iter().map(|word| quote(word)).collect();
        words.push(format!("-- {}", started.join(" ")));
    }
    words
}

fn raw(matches: &ArgMatches, id: &str) -> Vec<String> {
    let values = matches.try_get_raw(id).ok().flatten();
    values.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect()
}

/// The command behind `--`, of the verb or without one.
fn started(matches: &ArgMatches) -> Vec<String> {
    match matches.subcommand() {
        Some((_, verb)) => started(verb),
        None => raw(matches, "command"),
    }
}

/// A flag's value for a shell. Values of headers and of the server's environment that are named like secrets become
/// variables, passwords in addresses are left out.
fn shown(id: &str, value: &str) -> String {
    let separator = match id {
        "headers" => ':',
        "env" | "input" => '=',
        _ => return quote(&mask::url(value)),
    };
    match value.split_once(separator) {
        // What a configuration file asks for are secrets, mostly.
        Some((name, _)) if id == "input" || is_secret(name) => {
            let blank = if id == "headers" { " " } else { "" };
            let name = name.trim();
            format!("\"{}{separator}{blank}${}\"", name.replace(['"', '\\', '$', '`'], ""), variable(name))
        }
        _ => quote_value(&mask::url(value), if id == "env" { "=" } else { "\n" }),
    }
}

/// `X-Api-Key` → `X_API_KEY`.
fn variable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = name.chars().map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

fn quote(word: &str) -> String {
    // More than `shell_words` lets pass: no shell minds these within a word.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,@%+=".contains(c);
    let is_tame = !word.is_empty() && !word.starts_with('=') && word.chars().all(is_plain);
    if is_tame { word.to_owned() } else { shell_words::quote(word).into_owned() }
}

/// `name='a value'`: only what needs it is quoted.
fn quote_value(word: &str, separator: &str) -> String {
    match word.split_once(separator) {
        Some((name, value)) if !value.is_empty() && quote(name) == name => {
            format!("{name}{separator}{}", quote(value))
        }
        _ => quote(word),
    }
}

/// The words in lines of a width to read; each but the last ends in a backslash.
fn fill(words: &[String]) -> Vec<String> {
    let room = WIDTH - 2;
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) + 2 <= room => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) => {
                line.push_str(" \\");
                lines.push(format!("  {word}"));
            }
            None => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(typed: &[&str], tool: &str, arguments: &[&str]) -> String {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        call_line(&words(typed), tool, &words(arguments)).join("\n")
    }

    #[test]
    fn the_server_is_named_as_it_was() {
        for (typed, tool, arguments, expected) in [
            (&["show", "t", "--url", "http://h/mcp"][..], "t", &["a=1"][..], "mcpcall t a=1 --url http://h/mcp"),
            (&["--url=http://h/mcp", "show", "t"], "t", &[], "mcpcall t --url http://h/mcp"),
            (&["show", "t", "--stdio", "srv x"], "t", &["a=b c", "b:=[\"x\"]"], {
                "mcpcall t a='b c' b:='[\"x\"]' --stdio 'srv x'"
            }),
            (&["show", "t", "--", "srv", "--url", "x y"], "t", &[], "mcpcall t -- srv --url 'x y'"),
            (&["show", "list", "--json", "--url", "u"], "list", &[], "mcpcall call list --url u"),
            (&["show", "t", "--protocol", "modern", "-v", "--insecure", "--url", "u"], "t", &[], {
                "mcpcall t --url u --protocol modern --insecure"
            }),
        ] {
            assert_eq!(line(typed, tool, arguments), expected);
        }
    }

    #[test]
    fn secrets_become_variables() {
        let typed =
            ["show", "t", "--url", "https://me:pw@h/?api_key=1&x=2", "-H", "X-Api-Key: s3", "-H", "X-Plain: v w"];
        let text = line(&typed, "t", &[]);
        assert_eq!(
            text,
            "mcpcall t --url 'https://***@h/?api_key=***&x=2' -H \"X-Api-Key: $X_API_KEY\" \\\n  -H 'X-Plain: v w'"
        );
        let text = line(&["show", "t", "--config", "c.json", "--server", "s", "--input", "pin=1234"], "t", &[]);
        assert_eq!(text, "mcpcall t --config c.json --server s --input \"pin=$PIN\"");
        let text = line(&["show", "t", "-e", "TOKEN=abc", "-e", "LOG=1", "--", "srv"], "t", &[]);
        assert_eq!(text, "mcpcall t -e \"TOKEN=$TOKEN\" -e LOG=1 -- srv");
    }

    #[test]
    fn long_lines_are_broken_where_a_shell_goes_on() {
        let arguments: Vec<String> = (0..20).map(|n| format!("argument{n}=example")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = line(&["show", "t", "--url", "u"], "t", &arguments);
        assert!(text.lines().all(|line| columns(line) <= WIDTH - 2), "{text}");
        assert_eq!(shell_words::split(&text.replace(" \\\n", "")).unwrap().len(), 24);
    }
}
