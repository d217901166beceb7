//! Which server: a URL or a command.

use clap::Args;
use std::path::PathBuf;

/// The server to talk to; exactly one.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Server (exactly one; or `-- CMD ARGS...` at the end)")]
pub(crate) struct ServerFlags {
    /// A server by its address
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) url: Option<String>,

    /// A server to start: program and arguments in one string, quoted as in a shell
    #[arg(long, value_name = "CMD ARGS", global = true)]
    pub(crate) stdio: Option<String>,

    /// Send a header with every request (repeatable; HTTP)
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE", global = true)]
    pub(crate) headers: Vec<String>,

    /// Set an environment variable of the started server (repeatable)
    #[arg(short = 'e', long = "env", value_name = "NAME=VALUE", global = true)]
    pub(crate) env: Vec<String>,

    /// Start the server in this folder
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) cwd: Option<PathBuf>,
}
