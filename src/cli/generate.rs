//! Files made from the definition of the command line.

use super::Cli;
use clap::CommandFactory;

/// The completion script for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mcpcall", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
