//! The world as it was when the program started: environment, working directory, which streams are terminals.
//! Read once, here, and passed down; nothing else may ask (clippy.toml).

use std::collections::HashMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// What the program was started in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Context {
    /// Environment variables that are valid Unicode.
    pub(crate) env: HashMap<String, String>,
    /// The command line without the program's name.
    pub(crate) args: Vec<String>,
    /// stdin is a terminal.
    pub(crate) stdin_is_terminal: bool,
    /// stdin is `/dev/null`: whoever started us says that nobody is there.
    pub(crate) stdin_is_null: bool,
    /// stdout is a terminal.
    pub(crate) stdout_is_terminal: bool,
    /// How wide the terminal is that stdout goes to, if it is one: 80 columns where it does not say.
    pub(crate) stdout_columns: Option<usize>,
    /// stderr is a terminal.
    pub(crate) stderr_is_terminal: bool,
}

impl Context {
    /// Reads the world.
    #[expect(clippy::disallowed_methods, reason = "the one place that may")]
    pub(crate) fn read() -> Self {
        Context {
            env: std::env::vars_os()
                .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
                .collect(),
            args: std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect(),
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdin_is_null: is_null_device(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stdout_columns: std::io::stdout().is_terminal().then(columns),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// A terminal with this environment.
    #[cfg(test)]
    pub(crate) fn at_terminal(env: HashMap<String, String>) -> Self {
        Context {
            env,
            args: Vec::new(),
            stdin_is_terminal: true,
            stdin_is_null: false,
            stdout_is_terminal: true,
            stdout_columns: None,
            stderr_is_terminal: true,
        }
    }

    /// A variable that is set and not empty.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.env.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// One of the person's folders: what a variable of the XDG base directories says, else this one in their home.
    pub(crate) fn folder(&self, variable: &str, in_home: &str) -> Option<PathBuf> {
        let own = self.var(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
        own.or_else(|| Some(Path::new(self.var("HOME")?).join(in_home)))
    }

    /// Stdin, to be read as it comes; called only when the user wrote `-`.
    #[expect(clippy::disallowed_methods, reason = "the one place that may")]
    pub(crate) fn stdin(&self) -> Box<dyn Read + Send> {
        Box::new(std::io::stdin())
    }

    /// All of stdin; called only when the user wrote `-`.
    ///
    /// # Errors
    /// The read error.
    #[expect(clippy::disallowed_methods, reason = "the one place that may")]
    pub(crate) fn read_stdin(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    size.ok().map(|size| size.ws_col.into()).filter(|columns| *columns > 0).unwrap_or(80)
}

/// The file of this program, for starting it once more.
pub(crate) fn own_program() -> Option<std::path::PathBuf> {
    // Leads to this very program even where its file has been replaced.
    let link = std::path::Path::new("/proc/self/exe");
    if link.exists() { Some(link.to_owned()) } else { std::env::current_exe().ok() }
}

fn is_null_device() -> bool {
    use std::os::unix::fs::MetadataExt;
    let null = std::fs::metadata("/dev/null").map(|meta| meta.rdev());
    rustix::fs::fstat(rustix::stdio::stdin()).is_ok_and(|stat| null.is_ok_and(|rdev| stat.st_rdev == rdev))
}
