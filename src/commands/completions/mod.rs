//! `mcpcall completions SHELL` prints the script that makes a shell ask us at every TAB; what it asks is answered here,
//! before the command line is read as one: it is not whole yet.
//!
//! `line` is what was typed, `server` what its server has, `cache` keeps that for a moment, `candidates` is what may
//! stand at the cursor, `shells` how each shell is told.
//!
//! TAB must never hang, ask, or print anything but candidates: all of it has a time limit, and what fails is no candidate.

mod cache;
pub(super) mod candidates;
pub(crate) mod line;
mod server;
mod shells;

use crate::context::Context;
use crate::failure::Result;
use crate::output::Stdout;
use clap_complete::Shell;
use line::{Line, Quoting};

/// Says to which shell we are answering.
pub(crate) const VARIABLE: &str = "MCPCALL_COMPLETE";

/// Prints the script.
///
/// # Errors
/// When stdout cannot be written.
pub(super) fn completions(context: &Context, shell: Shell) -> Result<()> {
    let script = match shell {
        Shell::Bash => include_str!("../../../completions/mcpcall.bash").to_owned(),
        Shell::Zsh => include_str!("../../../completions/_mcpcall").to_owned(),
        Shell::Fish => include_str!("../../../completions/mcpcall.fish").to_owned(),
        other => shells::registration(other, VARIABLE),
    };
    Stdout::new(context).text(&script)
}

/// Answers a shell, if it is one that asks: the exit code.
pub(crate) fn complete(context: &Context) -> Option<u8> {
    let shell = context.var(VARIABLE)?;
    let args: Vec<&str> = context.args.iter().map(String::as_str).skip_while(|arg| *arg != "--").skip(1).collect();
    let answer = match (shell, args.as_slice()) {
        ("bash", [before, after, breaks]) => {
            let line = Line::read(before, after, Quoting::Posix, context);
            let found = shells::bash(&line, &candidates::at(&line, context), breaks);
            // Else bash proposes files; nothing of ours is a tab.
            if found.is_empty() && candidates::is_no_file(&line, context) { "\t".to_owned() } else { found }
        }
        ("zsh", [before, after]) => {
            let line = Line::read(before, after, Quoting::Posix, context);
            shells::zsh(&candidates::at(&line, context))
        }
        // The whole line is of the last TAB: it may be another one.
        ("fish", [before, whole]) => {
            let after = whole.strip_prefix(before).unwrap_or_default();
            let line = Line::read(before, after, Quoting::Fish, context);
            let mut found = candidates::at(&line, context);
            if found.is_empty() {
                // bash and zsh do so themselves.
                found = candidates::paths(&line);
            }
            shells::fish(&found)
        }
        (other, words) => shells::other(other, &Line::of_words(words), context),
    };
    // There is nobody to tell.
    let _ = Stdout { is_terminal: false, select: None }.text(&answer);
    Some(0)
}
