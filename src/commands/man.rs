//! `mcpcall man`.

use crate::cli::man;
use crate::context::Context;
use crate::failure::Result;
use crate::output::Stdout;

/// Prints the man page.
///
/// # Errors
/// When stdout cannot be written.
pub(super) fn man(context: &Context) -> Result<()> {
    Stdout { is_terminal: context.stdout_is_terminal }.text(&man::page())
}
