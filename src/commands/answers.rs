//! `mcpcall answers …`: answer files are looked at, and no server is asked.

use super::registry::read_answers;
use super::traced;
use crate::answers::mistake::{self, Mistake};
use crate::answers::{Answers, File, SCHEMA, record};
use crate::callbacks::SCRIBES;
use crate::cli::Cli;
use crate::cli::answers::AnswersVerb;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::output::Stdout;
use crate::output::events::Events;
use crate::session::host::Event;
use crate::terminal::Screen;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Does what the verb says.
///
/// # Errors
/// `usage`, with all mistakes of all files; and when stdout cannot be written.
pub(super) fn answers(cli: &Cli, context: &Context, screen: &Arc<Screen>, verb: &AnswersVerb) -> Result<()> {
    let stdout = Stdout::new(context);
    let events =
        Events { screen: screen.clone(), quiet: cli.output.quiet, verbose: false, trace: None, report: Arc::default() };
    match verb {
        AnswersVerb::Check { files } => check(context, &events, stdout, files),
        AnswersVerb::Stub { file } => stub(context, &events, stdout, file),
        AnswersVerb::Schema => stdout.json(SCHEMA),
    }
}

fn check(context: &Context, events: &Events, stdout: Stdout, files: &[PathBuf]) -> Result<()> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    for path in files {
        match read_answers(path, &path.display().to_string(), context)? {
            Ok(file) => {
                file.doubts.iter().for_each(|doubt| events.show(&Event::Warning(&doubt.to_string())));
                stdout.text(&format!("{}\n", praise(path, &file)))?;
            }
            Err(found) => mistakes.extend(found),
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistake::failure(&mistakes)) }
}

/// "a.json: ok, 3 answers, 2 expectations".
fn praise(path: &Path, file: &File) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let answers = match &file.answers {
        Answers::Short(values) => format!("the short form with {}", count(values.len(), "value")),
        Answers::List(entries) => count(entries.len(), "answer"),
    };
    let expectations = match file.expect.checks.len() {
        0 => String::new(),
        n => format!(", {}", count(n, "expectation")),
    };
    format!("{}: ok, {answers}{expectations}", path.display())
}

/// Prints an answer file for the questions in a trace.
fn stub(context: &Context, events: &Events, stdout: Stdout, file: &Path) -> Result<()> {
    let name = file.display().to_string();
    let is_stdin = name == "-";
    let bytes = if is_stdin { context.read_stdin() } else { std::fs::read(file) };
    let bytes = bytes.map_err(|e| Failure::usage(format!("{name}: {e}")))?;
    let questions = traced::questions(&String::from_utf8_lossy(&bytes));
    let questions =
        questions.map_err(|why| Failure::usage(format!("{name}: {why}")).hint("--trace-file writes one"))?;
    let drafts = questions.iter().filter_map(|question| {
        let scribe = SCRIBES.iter().find(|scribe| scribe.method == question.method)?;
        (scribe.draft)(&question.asked(), question.said())
    });
    let (text, variables) = record::file(drafts);
    stdout.json(&text)?;
    if questions.is_empty() {
        events.show(&Event::Warning("the trace has no questions"));
    }
    if !variables.is_empty() {
        let text = format!("it needs these variables set: {}", variables.join(", "));
        events.show(&Event::Said { label: "answers", text: &text });
    }
    Ok(())
}
