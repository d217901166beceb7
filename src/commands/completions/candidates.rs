//! What may stand at the cursor: verbs and flags by the definition of the command line, the rest by what the server has.

use super::line::Line;
use super::server::Facts;
use crate::cli::Cli;
use crate::commands::complete::Reference;
use crate::commands::known;
use crate::context::Context;
use crate::form::Form;
use crate::form::field::{Choice, Field, Kind};
use crate::session::era::revision::Revision;
use crate::session::pager::{Catalogue, PROMPTS, RESOURCES, TEMPLATES, TOOLS};
use crate::target::config::input::Input;
use crate::terminal::sanitize::one_line;
use clap::{Command, CommandFactory};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use serde_json::Value;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::sync::Arc;

/// How long a description may be.
const HELP: usize = 60;

/// Something that may stand at the cursor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// The whole word.
    pub(super) value: String,
    /// What it is.
    pub(super) help: Option<String>,
}

/// All that may stand at the cursor of this line.
pub(super) fn at(line: &Line, context: &Context) -> Vec<Candidate> {
    // Behind the dashes is the command of a server, and before the program nothing of ours.
    if line.at == 0 || line.words[..line.at].iter().any(|word| word == "--") {
        return Vec::new();
    }
    let words: Vec<_> = line.words[..=line.at].iter().map(Into::into).collect();
    let here = std::path::absolute(".").ok();
    let facts = Arc::new(Facts::of(line, context));
    let found = clap_complete::engine::complete(&mut defined(&facts), words, line.at, here.as_deref());
    let found = found.unwrap_or_default().into_iter();
    // A verb comes first or not at all.
    let has_tool = facts.subject.as_ref().is_some_and(|tool| line.words[1..line.at].contains(tool));
    let is_verb = |found: &CompletionCandidate| found.get_id().is_some_and(|id| id.starts_with("command::"));
    let found: Vec<Candidate> =
        found.filter(|found| !(has_tool && is_verb(found))).filter_map(|found| candidate(&found)).collect();
    // Where nothing is typed yet, sixty flags would hide what is there to be called.
    let has_names = found.iter().any(|candidate| !candidate.value.starts_with('-'));
    let hides_flags = line.word().is_empty() && has_names;
    found.into_iter().filter(|candidate| !(hides_flags && candidate.value.starts_with('-'))).collect()
}

/// The files that may stand at the cursor.
pub(super) fn paths(line: &Line) -> Vec<Candidate> {
    paths_of(line.word()).iter().filter_map(candidate).collect()
}

fn paths_of(start: &str) -> Vec<CompletionCandidate> {
    match std::path::absolute(".") {
        Ok(here) => PathCompleter::any().current_dir(here).complete(OsStr::new(start)),
        Err(_) => Vec::new(),
    }
}

/// One as it may be shown; what would steer the terminal is none.
fn candidate(found: &CompletionCandidate) -> Option<Candidate> {
    let value = found.get_value().to_str()?;
    if value.is_empty() || one_line(value, usize::MAX) != value {
        return None;
    }
    let help = found.get_help().map(|help| {
        let text = help.to_string();
        one_line(text.lines().next().unwrap_or_default().trim(), HELP)
    });
    Some(Candidate { value: value.to_owned(), help: help.filter(|help| !help.is_empty()) })
}

/// The definition of the command line, its arguments knowing what they may be.
pub(super) fn command(line: &Line, context: &Context) -> Command {
    defined(&Arc::new(Facts::of(line, context)))
}

fn defined(facts: &Arc<Facts>) -> Command {
    let command = with_completers(Cli::command(), "", facts);
    let names: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    names.iter().fold(command, |command, name| command.mut_subcommand(name, |verb| with_completers(verb, name, facts)))
}

/// What completes an argument.
type Complete = fn(&Facts, &str) -> Vec<CompletionCandidate>;

fn with_completers(command: Command, verb: &str, facts: &Arc<Facts>) -> Command {
    command.mut_args(|arg| {
        let Some(complete) = completer(verb, arg.get_id().as_str()) else { return arg };
        let facts = facts.clone();
        arg.add(ArgValueCompleter::new(move |current: &OsStr| match current.to_str() {
            Some(current) => complete(&facts, current),
            None => Vec::new(),
        }))
    })
}

/// Which arguments of which verbs a server knows the values of.
fn completer(verb: &str, id: &str) -> Option<Complete> {
    Some(match (verb, id) {
        ("", "server") => {
            |facts, start| starting(facts.config_names().into_iter().map(CompletionCandidate::new), start)
        }
        ("", "input") => |facts, start| {
            let values = |input: Input| match input.options.as_slice() {
                [] => vec![format!("{}=", input.id)],
                options => options.iter().map(|(_, value)| format!("{}={value}", input.id)).collect(),
            };
            starting(facts.config_inputs().into_iter().flat_map(values).map(CompletionCandidate::new), start)
        },
        ("", "protocol") => |_, start| {
            let words = ["auto", "legacy", "modern", "both"].into_iter().chain(Revision::dates());
            starting(words.map(CompletionCandidate::new), start)
        },
        (_, "tool") => |facts, start| starting(named(facts, &TOOLS), start),
        ("prompt", "name") => |facts, start| starting(named(facts, &PROMPTS), start),
        ("prompt", "args") => |facts, start| prompt_arguments(facts, start, Reference::Prompt),
        ("complete", "argument" | "others") => {
            |facts, start| prompt_arguments(facts, start, |name| Reference::read(&name))
        }
        ("complete", "reference") => |facts, start| {
            let prompts = named(facts, &PROMPTS);
            let templates = named(facts, &TEMPLATES);
            starting(prompts.into_iter().chain(templates), start)
        },
        (_, "uri" | "uris") => |facts, start| starting(named(facts, &RESOURCES), start),
        ("" | "call", "args") => tool_arguments,
        _ => return None,
    })
}

fn starting(found: impl IntoIterator<Item = CompletionCandidate>, start: &str) -> Vec<CompletionCandidate> {
    found.into_iter().filter(|one| one.get_value().to_str().is_some_and(|value| value.starts_with(start))).collect()
}

/// What a list of the server holds, by the name that is typed.
fn named(facts: &Facts, list: &'static Catalogue) -> Vec<CompletionCandidate> {
    let one = |item: &Value| {
        let text = |key: &str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let help = text("title").or(text("description")).filter(|help| Some(*help) != text(list.id));
        Some(CompletionCandidate::new(text(list.id)?).help(help.map(|help| help.trim().to_owned().into())))
    };
    facts.list(list).iter().filter_map(one).collect()
}

/// The item that is called `name`.
fn find<'a>(list: &'a [Value], name: &str) -> Option<&'a Value> {
    list.iter().find(|item| item.get("name").and_then(Value::as_str) == Some(name))
}

fn prompt_arguments(facts: &Facts, current: &str, reference: fn(String) -> Reference) -> Vec<CompletionCandidate> {
    if let (Some((name, prefix)), Some(subject)) = (current.split_once('='), &facts.subject) {
        let found = facts.proposals(&reference(subject.clone()).to_value(), (name, prefix), &others(facts, current));
        let found = found.into_iter().map(|value| CompletionCandidate::new(format!("{name}={value}")));
        return starting(found, current);
    }
    let list = facts.list(&PROMPTS);
    let prompt = facts.subject.as_deref().and_then(|name| find(&list, name));
    let given = given(facts, current);
    let one = |(name, argument): (&str, &Value)| {
        let help = argument.get("description").and_then(Value::as_str).map(|help| help.trim().to_owned().into());
        CompletionCandidate::new(format!("{name}=")).help(help)
    };
    let arguments = prompt.map(known::arguments).into_iter().flatten();
    starting(arguments.filter(|(name, _)| !given.contains(*name)).map(one), current)
}

/// The names of the arguments that are there already, but for the one at the cursor.
fn given(facts: &Facts, current: &str) -> HashSet<String> {
    others(facts, current).into_iter().map(|(name, _)| name.trim_end_matches(':').to_owned()).collect()
}

/// The arguments that are there already, but for the one at the cursor.
fn others<'a>(facts: &'a Facts, current: &str) -> Vec<(&'a str, &'a str)> {
    let mut args: Vec<&String> = facts.args.iter().collect();
    if let Some(at) = args.iter().rposition(|arg| *arg == current) {
        args.remove(at);
    }
    args.into_iter().filter_map(|arg| arg.split_once('=')).collect()
}

/// Whether the value of an argument stands at the cursor, and not that of a file.
pub(super) fn is_no_file(line: &Line, context: &Context) -> bool {
    let word = line.word().to_owned();
    let is_value = word.split_once('=').is_some_and(|(_, value)| !value.starts_with('@'));
    let is_ours = !line.words[..line.at].iter().any(|word| word == "--");
    is_value && is_ours && !word.starts_with(['-', '@']) && Facts::of(line, context).args.contains(&word)
}

fn tool_arguments(facts: &Facts, current: &str) -> Vec<CompletionCandidate> {
    if let Some((name, path)) = current.split_once("=@") {
        let found = paths_of(path).into_iter();
        return found.map(|one| one.add_prefix(format!("{name}=@"))).collect();
    }
    if let Some(path) = current.strip_prefix('@') {
        return paths_of(path).into_iter().map(|one| one.add_prefix("@")).collect();
    }
    let list = facts.list(&TOOLS);
    let tool = facts.subject.as_deref().and_then(|name| find(&list, name));
    let Some(schema) = tool.and_then(|tool| tool.get("inputSchema")) else { return Vec::new() };
    arguments(schema, &given(facts, current), current)
}

/// The arguments of a tool that are not given yet, or the values of the one at the cursor.
pub(in crate::commands) fn arguments(
    schema: &Value,
    given: &HashSet<String>,
    current: &str,
) -> Vec<CompletionCandidate> {
    let form = Form::new(schema);
    let mut fields = Vec::new();
    flatten(form.fields(), "", &mut fields);
    if let Some((name, _)) = current.split_once('=') {
        let is_json = name.ends_with(':');
        let field = fields.iter().find(|(known, _)| known == name.trim_end_matches(':'));
        let values = field.map(|(_, field)| values(field, is_json)).unwrap_or_default();
        return starting(values.into_iter().map(|value| value.add_prefix(format!("{name}="))), current);
    }
    let open = fields.iter().filter(|(name, _)| !given.contains(name));
    let (required, optional): (Vec<_>, Vec<_>) = open.partition(|(_, field)| field.required);
    let one = |(name, field): &(String, &Field)| {
        let what = field.description.as_deref().or(field.title.as_deref()).unwrap_or(kind(&field.kind));
        let mark = if field.required { "" } else { "optional; " };
        CompletionCandidate::new(format!("{name}=")).help(Some(format!("{mark}{}", what.trim()).into()))
    };
    starting(required.into_iter().chain(optional).map(one), current)
}

/// The fields that a word can set, those of groups as `a.b`.
fn flatten<'a>(fields: &'a [Field], above: &str, found: &mut Vec<(String, &'a Field)>) {
    for field in fields {
        let name = format!("{above}{}", field.name);
        match field.fields() {
            [] => found.push((name, field)),
            inner => flatten(inner, &format!("{name}."), found),
        }
    }
}

/// The values that a field may have, where they can be told.
fn values(field: &Field, is_json: bool) -> Vec<CompletionCandidate> {
    match &field.kind {
        Kind::Choice { options } => {
            let text = |value: &Value| match value {
                Value::String(text) if !is_json => text.clone(),
                other => other.to_string(),
            };
            let one = |choice: &Choice| {
                CompletionCandidate::new(text(&choice.value)).help(choice.title.clone().map(Into::into))
            };
            options.iter().map(one).collect()
        }
        Kind::Boolean => ["true", "false"].map(CompletionCandidate::new).into(),
        _ => Vec::new(),
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text { .. } => "text",
        Kind::Integer { .. } => "integer",
        Kind::Number { .. } => "number",
        Kind::Boolean => "true or false",
        Kind::Choice { .. } => "one of a list",
        Kind::Choices { .. } | Kind::List { .. } => "a list",
        Kind::Group { .. } => "an object",
        Kind::Either { .. } | Kind::Raw { .. } => "JSON",
    }
}
