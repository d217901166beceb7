//! Which server: a URL, a command, or an entry of a configuration file.

use clap::Args;
use std::path::PathBuf;

/// The server to talk to; exactly one.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Server (exactly one)")]
pub(crate) struct ServerFlags {
    /// A server by its address [env: MCPCALL_URL]
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) url: Option<String>,

    /// A server to start: program and arguments in one string, quoted as in a shell
    #[arg(long, value_name = "CMD ARGS", global = true)]
    pub(crate) stdio: Option<String>,

    /// A server of this configuration file: mcpServers (Claude, Cursor and others) or servers (VS Code) [env:
    /// MCPCALL_CONFIG]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Its name in the configuration file [env: MCPCALL_SERVER]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) server: Option<String>,

    /// Give a value that the configuration file asks for, ${input:ID} (repeatable)
    #[arg(long, value_name = "ID=VALUE", global = true)]
    pub(crate) input: Vec<String>,

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
