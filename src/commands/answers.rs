//! `mcpcall answers …`: answer files are looked at, and no server is asked.

use super::read_answers;
use crate::answers::mistake::{self, Mistake};
use crate::answers::{Answers, File, SCHEMA};
use crate::cli::Cli;
use crate::cli::answers::AnswersVerb;
use crate::context::Context;
use crate::failure::Result;
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
    let stdout = Stdout { is_terminal: context.stdout_is_terminal };
    match verb {
        AnswersVerb::Check { files } => check(cli, context, screen, stdout, files),
        AnswersVerb::Schema => stdout.json(SCHEMA),
    }
}

fn check(cli: &Cli, context: &Context, screen: &Arc<Screen>, stdout: Stdout, files: &[PathBuf]) -> Result<()> {
    let events = Events { screen: screen.clone(), quiet: cli.output.quiet, verbose: false, trace: None };
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
