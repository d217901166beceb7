//! What is shown, and how.

use clap::Args;
use std::path::PathBuf;

/// Output settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputFlags {
    /// Print the server's result object as it is, and a failure as one line of JSON on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Nothing on stderr but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show notifications of every kind
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

    /// Show each message that crosses the wire, secrets masked
    #[arg(long, global = true)]
    pub(crate) trace: bool,

    /// Write each message to this file, one JSON object a line, secrets masked
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) trace_file: Option<PathBuf>,

    /// Write the run to this file as a page for a browser: who sent what when, and how it ended, secrets masked
    #[arg(long, value_name = "FILE.html", global = true)]
    pub(crate) report: Option<PathBuf>,
}
