//! The callbacks of a run, and the answer file they begin with.

use crate::answers::expect::watch::Watch;
use crate::answers::ledger::Ledger;
use crate::answers::mistake::{self, Mistake};
use crate::answers::{Answers, File};
use crate::callbacks::declared::Declared;
use crate::callbacks::desk::{Desk, Person};
use crate::callbacks::elicitation::Elicitation;
use crate::callbacks::elicitation::flags::{ElicitationFlags, OnElicit};
use crate::callbacks::notifications::{Level, Notifications};
use crate::callbacks::roots::{Folders, Roots};
use crate::callbacks::sampling::Sampling;
use crate::callbacks::{Callback, KINDS, Registry, Show};
use crate::cli::Cli;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::session::Stop;
use crate::session::host::Event;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The callbacks of this run: from the flags, the answer file, and whether there is a person.
pub(super) fn registry(
    cli: &Cli,
    context: &Context,
    person: Option<Person>,
    show: Show,
    wants_wire: bool,
    stop: Stop,
) -> Result<Registry> {
    let flags = &cli.elicitation;
    let File { answers, expect, .. } = answer_file(flags, context)?;
    let (short_form, entries) = match answers {
        Answers::Short(values) => (Some(values), Vec::new()),
        Answers::List(entries) => (None, entries),
    };
    let otherwise = match (flags.on_elicit, &person) {
        (None | Some(OnElicit::Prompt), Some(_)) => OnElicit::Prompt,
        (None | Some(OnElicit::Prompt), None) => OnElicit::Fail,
        (Some(how), _) => how,
    };
    let desk = Arc::new(Desk::new(person, Ledger::new(entries), Watch::new(expect), show, stop));
    let elicitation = Elicitation::new(desk.clone(), short_form, answer_flags(flags)?, otherwise, flags.open.clone());
    let notifications = Notifications {
        lowest: Mutex::new(cli.notifications.log_level.or(cli.output.verbose.then_some(Level::Debug))),
    };
    let declared = Declared::new(&cli.capabilities)?;
    let warn = |text: &str| (desk.show)(Event::Warning(text));
    let folders = Arc::new(Folders::new(&cli.roots.roots, warn)?);
    let roots = Roots::new(desk.clone(), folders.clone());
    let sampling = Sampling::new(desk.clone(), &cli.sampling)?;
    let kinds: Vec<Box<dyn Callback>> = vec![Box::new(elicitation), Box::new(roots), Box::new(sampling)];
    Ok(Registry::new(kinds, notifications, desk, declared, folders, wants_wire))
}

pub(super) fn answer_file(flags: &ElicitationFlags, context: &Context) -> Result<File> {
    let Some(path) = &flags.auto_answer else { return Ok(File::default()) };
    let file = read_answers(path, &format!("--auto-answer {}", path.display()), context)?;
    file.map_err(|mistakes| mistake::failure(&mistakes))
}

/// Reads an answer file, or finds all that is wrong with it.
pub(super) fn read_answers(path: &Path, named: &str, context: &Context) -> Result<Result<File, Vec<Mistake>>> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::usage(format!("{named}: {e}")))?;
    let env = |name: &str| context.env.get(name).cloned();
    Ok(crate::answers::load(&path.display().to_string(), &text, KINDS, &env))
}

pub(super) fn answer_flags(flags: &ElicitationFlags) -> Result<Map<String, Value>> {
    let pairs = flags.answer.iter().map(|pair| match pair.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), Value::from(value))),
        _ => Err(Failure::usage(format!("--answer {pair}: not FIELD=VALUE"))),
    });
    pairs.collect()
}
