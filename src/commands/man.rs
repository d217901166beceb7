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
    Stdout::new(context).text(&man::page())
}
