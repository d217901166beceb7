//! Opens an address for a person, without a shell and without waiting for it.

use std::process::Stdio;

/// Starts `command` with the address as its last argument; without one, what the system opens addresses with.
///
/// # Errors
/// What to tell the person when it cannot be started.
pub(crate) fn open(command: Option<&[String]>, url: &str) -> Result<(), String> {
    let system = [if cfg!(target_os = "macos") { "open" } else { "xdg-open" }.to_owned()];
    let words = command.filter(|words| !words.is_empty()).unwrap_or(&system);
    let mut command = tokio::process::Command::new(&words[0]);
    command.args(&words[1..]).arg(url).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot start {}: {error}; the URL to visit: {url}", words[0])),
    }
}
