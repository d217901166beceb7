//! `mcpcall completions SHELL`.

use crate::cli::generate;
use crate::context::Context;
use crate::failure::Result;
use crate::output::Stdout;

/// Prints the script.
///
/// # Errors
/// When stdout cannot be written.
pub(super) fn completions(context: &Context, shell: clap_complete::Shell) -> Result<()> {
    Stdout { is_terminal: context.stdout_is_terminal }.text(&generate::completions(shell))
}
