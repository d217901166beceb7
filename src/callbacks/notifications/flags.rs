//! The flags for what a server tells.

pub(crate) use super::Level;
use clap::Args;

/// Which notifications to see.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Callbacks")]
pub(crate) struct NotificationFlags {
    /// Ask for the server's log messages of this level and above, and show them
    #[arg(long, value_enum, value_name = "LEVEL", global = true)]
    pub(crate) log_level: Option<Level>,
}
