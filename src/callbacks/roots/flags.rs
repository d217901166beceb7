//! The flags of roots.

use clap::Args;

/// Which folders the server may know of.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Callbacks")]
pub(crate) struct RootsFlags {
    /// Tell the server of a folder it may work in, when it asks (repeatable); a path or a file:// URI
    #[arg(long = "root", value_name = "[NAME=]PATH", global = true)]
    pub(crate) roots: Vec<String>,
}
