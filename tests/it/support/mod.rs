//! What the tests stand on. Nothing in here knows what mcpcall should answer; that is the tests' business.
//!
//! - [`run`] one run of mcpcall without a terminal; [`output`] what came of it
//! - [`terminal`] one run at a pseudo-terminal, looked at through its screen
//! - [`peers`] servers that others wrote; [`setup`] installs them on first use
//! - [`scripted`] the odd servers of `tests/cases`; [`http_script`] an HTTP server that follows a list of steps
//! - [`auth_server`] an authorization server, and an MCP server that it guards
//! - [`answers`] the schema of answer files, which every test's file is held against
//! - [`process`] children that never outlive their test; [`filters`] what snapshots must not depend on

pub(crate) mod answers;
pub(crate) mod auth_server;
pub(crate) mod filters;
pub(crate) mod http_script;
#[macro_use]
pub(crate) mod output;
#[macro_use]
pub(crate) mod peers;
pub(crate) mod process;
pub(crate) mod run;
pub(crate) mod scripted;
pub(crate) mod setup;
pub(crate) mod terminal;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A server that a run of mcpcall can be pointed at.
pub(crate) trait Target {
    /// The last arguments of the command line: `--url URL` or `-- CMD ARGS`.
    fn args(&self) -> Vec<String>;
    /// The file in which the server logs what the client did, if it does.
    fn log_file(&self) -> Option<&Path>;
    /// All the server has to tell, for the report of a failed test.
    fn story(&self) -> String;
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A variable of the environment the tests were started in; empty counts as unset.
#[expect(clippy::disallowed_methods, reason = "context.rs is the program's; the tests have their own door")]
pub(crate) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Say something to whoever watches the tests, past the capture of a passing test's output.
#[expect(clippy::disallowed_methods, reason = "a skip that nobody sees looks like a pass")]
pub(crate) fn say(line: &str) {
    use std::io::Write as _;
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// The first program called `name` on PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// Look again and again until `look` finds something or `limit` is over.
pub(crate) fn poll<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The objects of an NDJSON file. A last line that is still being written is left out.
pub(crate) fn read_ndjson(file: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Wait until a server's NDJSON log has an entry that `wanted` accepts; panic with the log when it never comes.
pub(crate) fn wait_for_entry(file: &Path, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    poll(Duration::from_secs(10), || read_ndjson(file).into_iter().find(&wanted)).unwrap_or_else(|| {
        panic!(
            "the wanted entry never came into the server's log:\n{}",
            std::fs::read_to_string(file).unwrap_or_default()
        )
    })
}
