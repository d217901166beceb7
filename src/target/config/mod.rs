//! Servers that a configuration file of an editor or assistant names: `mcpServers` (Claude, Cursor, Windsurf and
//! others) and `servers` with `inputs` (VS Code). The file is somebody else's: it is read where the user says, never
//! written, and what we do not know in it is let be.
//!
//! `file` is the text and the places in it, `entry` one server's, `variables` what `${…}` stands for, `input` what is to
//! be asked for, `env_file` what `envFile` names.

mod entry;
mod env_file;
mod file;
pub(crate) mod input;
mod variables;

use super::{Found, Target};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::words::nearest;
use entry::Entry;
use file::{Document, Server};
use input::{Given, Input, Inputs};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use variables::{Folders, Variables};

/// A server of a file, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// The file.
    pub(crate) file: PathBuf,
    /// The name; `None`: the only one that is there.
    pub(crate) server: Option<String>,
    /// What gave the name.
    how: &'static str,
}

impl Named {
    /// A server of this file, by this name, which such a flag or variable gave.
    pub(crate) fn new(file: PathBuf, server: Option<(&str, &'static str)>) -> Self {
        let (name, how) = server.unzip();
        Named { file, server: name.map(str::to_owned), how: how.unwrap_or_default() }
    }

    /// Where the file is, from anywhere.
    pub(crate) fn path(&self) -> PathBuf {
        std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone())
    }
}

/// Puts questions to a person: the file's name, the server's, the questions; gives a value for each.
pub(crate) type Ask<'a> = dyn Fn(&str, &str, &[Input]) -> Result<Vec<String>> + 'a;

/// Finds a server in its file; `check` is what else may be wrong with it, found out before anybody is asked.
///
/// # Errors
/// `usage`, naming the place in the file; and as `ask`.
pub(super) fn find(
    named: Named,
    given: &Given,
    context: &Context,
    ask: &Ask<'_>,
    check: &dyn Fn(Target) -> Result<()>,
) -> Result<Found> {
    let text = file::read(&named.file)?;
    find_in(&text, named, given, context, ask, check)
}

/// Finds a server in the text of its file.
///
/// # Errors
/// As `find`.
pub(crate) fn find_in(
    text: &str,
    mut named: Named,
    given: &Given,
    context: &Context,
    ask: &Ask<'_>,
    check: &dyn Fn(Target) -> Result<()>,
) -> Result<Found> {
    let document = Document::parse(&named.file, text)?;
    let folders = Folders::of(&named.file, context);
    let flaw = |server: &Server<'_, '_>| {
        let input = |_: &str| Some("x".to_owned());
        let variables = Variables { context, folders: &folders, is_trial: true, input: &input };
        let entry =
            document.server(server.name).and_then(|_| Entry::read(&document, server.name, server.entry, &variables));
        entry.and_then(|entry| entry.target(&folders)).err()
    };
    let servers = document.servers()?;
    let name = choose(&named, &document, &servers.iter().map(|server| server.name).collect::<Vec<_>>(), flaw)?;
    let entry = document.server(name)?;

    // A first reading, with something in place of what may be asked for: all that can go wrong without the answers does so
    // before anybody is asked.
    let wanted = RefCell::new(Vec::new());
    let note = |id: &str| {
        if !wanted.borrow().iter().any(|known| known == id) {
            wanted.borrow_mut().push(id.to_owned());
        }
        Some("x".to_owned())
    };
    let trial = Variables { context, folders: &folders, input: &note, is_trial: true };
    let first = Entry::read(&document, name, entry, &trial)?;
    let is_disabled = first.is_disabled()?;
    check(first.target(&folders)?)?;
    let wanted = wanted.take();
    // A mistake in what nobody uses is no reason to refuse a server.
    let inputs = match input::read(&document) {
        Err(_) if wanted.is_empty() && given.is_empty() => Inputs::default(),
        read => read?,
    };
    given.check_values(&inputs.list)?;
    given.check_names(&inputs.list, &wanted, &document)?;
    let values = values(&document, name, &inputs, &wanted, given, ask)?;
    let value = |id: &str| values.get(id).cloned();
    let variables = Variables { context, folders: &folders, input: &value, is_trial: false };
    let warning = is_disabled.then(|| format!("{name} is disabled in {}, and used since you name it", document.name));
    let entry = Entry::read(&document, name, entry, &variables)?;
    let target = entry.target(&folders)?;
    // What was picked from a list stands in the file.
    let is_picked = |id: &str| inputs.list.iter().any(|input| input.id == id && !input.options.is_empty());
    let told = values.iter().filter(|(id, _)| !is_picked(id)).map(|(_, value)| value.clone());
    let secrets = entry.secrets()?.into_iter().chain(told).collect();
    named.server = Some(name.to_owned());
    Ok(Found { target, entry: Some(named), secrets, warning })
}

/// What a file asks for.
///
/// # Errors
/// `usage`.
pub(crate) fn inputs(file: &Path) -> Result<Vec<Input>> {
    let text = file::read(file)?;
    Ok(input::read(&Document::parse(file, &text)?)?.list)
}

/// The names of the servers in a file.
///
/// # Errors
/// `usage`.
pub(crate) fn names(file: &Path) -> Result<Vec<String>> {
    let text = file::read(file)?;
    let document = Document::parse(file, &text)?;
    let mut names: Vec<String> = document.servers()?.iter().map(|server| server.name.to_owned()).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    Ok(names)
}

/// The name that is meant: the one that is given, or the only one.
fn choose<'a, 'd>(
    named: &'a Named,
    document: &Document<'d>,
    known: &[&'a str],
    flaw: impl Fn(&Server<'_, 'd>) -> Option<Failure>,
) -> Result<&'a str> {
    let list = || format!("it has: {}", known.join(", "));
    match (&named.server, known) {
        (Some(name), _) if known.contains(&name.as_str()) => Ok(name),
        (_, []) => Err(Failure::usage(format!("{} has no servers", document.name))),
        (Some(name), _) => {
            let failure = Failure::usage(format!("{} {name}: {} has no such server", named.how, document.name));
            Err(match nearest(name, known.iter().copied()) {
                Some(near) => failure.hint(format!("did you mean {near}?")).hint(list()),
                None => failure.hint(list()),
            })
        }
        (None, [only]) => Ok(only),
        (None, _) => Err(Failure::usage(format!("which server of {}? give --server NAME", document.name))
            .detail(document.describe(flaw))),
    }
}

/// A value for each input that is wanted: given by a flag, or asked for.
fn values(
    document: &Document<'_>,
    server: &str,
    inputs: &Inputs,
    wanted: &[String],
    given: &Given,
    ask: &Ask<'_>,
) -> Result<HashMap<String, String>> {
    let mut values = HashMap::new();
    let mut open = Vec::new();
    for id in wanted {
        match (given.get(id), inputs.list.iter().find(|input| input.id == *id)) {
            (Some(value), _) => drop(values.insert(id.clone(), value.to_owned())),
            (None, Some(input)) => {
                if let Some(why) = &input.refused {
                    return Err(document
                        .wrong(input.place, format!("server {server}: {why}"))
                        .hint(format!("--input {id}=VALUE gives it")));
                }
                open.push(input.clone());
            }
            (None, None) => {
                let what = format!("server {server}: ${{input:{id}}} is not among the inputs of the file");
                let failure =
                    Failure::usage(format!("{}: {what}", document.name)).hint(format!("--input {id}=VALUE gives it"));
                // It may be the one.
                return Err(inputs.nameless.iter().cloned().fold(failure, Failure::hint));
            }
        }
    }
    if !open.is_empty() {
        let said = ask(&document.name, server, &open)?;
        values.extend(open.into_iter().map(|input| input.id).zip(said));
    }
    Ok(values)
}
