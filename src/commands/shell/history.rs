//! What was typed at the shell, kept for the next time in the person's state folder, for nobody else to read.

use crate::context::Context;
use crate::files;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// How many lines are kept.
const KEPT: usize = 1000;

/// The lines, oldest first.
pub(super) struct History {
    lines: Vec<String>,
    /// Where they are kept, if they are.
    file: Option<PathBuf>,
}

impl History {
    /// What was kept; nothing is, and nothing will be, where the person does not want it or has no home.
    pub(super) fn open(context: &Context, is_kept: bool) -> Self {
        let state = context.folder("XDG_STATE_HOME", ".local/state").filter(|_| is_kept);
        let file = state.map(|state| state.join("mcpcall/history"));
        let text = file.as_ref().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
        let lines: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
        let mut history = History { lines, file };
        // Not with every line.
        if history.lines.len() > 2 * KEPT {
            history.lines.drain(..history.lines.len() - KEPT);
            let text: String = history.lines.iter().map(|line| format!("{line}\n")).collect();
            let _ = history.file.as_ref().map(|file| files::write_private(file, text.as_bytes()));
        }
        history
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Adds a line, unless it is the last one again or begins with a space.
    ///
    /// # Errors
    /// When it cannot be kept; then none is from here on.
    pub(super) fn add(&mut self, line: &str) -> io::Result<()> {
        if line.starts_with(' ') || self.lines.last().is_some_and(|last| last == line) {
            return Ok(());
        }
        self.lines.push(line.to_owned());
        let kept = self.file.as_ref().map_or(Ok(()), |file| append(file, line));
        if kept.is_err() {
            self.file = None;
        }
        kept
    }
}

fn append(file: &Path, line: &str) -> io::Result<()> {
    files::private_folder(files::folder(file))?;
    let mut opened = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
    // One that was there before may be open to others.
    opened.set_permissions(PermissionsExt::from_mode(0o600))?;
    opened.write_all(format!("{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_is_cut_where_a_link_leads() {
        let (state, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, file) = (state.path().join("mcpcall/history"), other.path().join("kept"));
        std::fs::create_dir(state.path().join("mcpcall")).unwrap();
        let lines: String = (0..=2 * KEPT).map(|n| format!("line {n}\n")).collect();
        std::fs::write(&file, lines).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let env = [("XDG_STATE_HOME".to_owned(), state.path().display().to_string())];
        let context = Context { env: env.into_iter().collect(), ..Context::default() };
        assert_eq!(History::open(&context, true).lines().len(), KEPT);
        assert!(link.is_symlink());
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept.starts_with(&format!("line {}\n", KEPT + 1)) && kept.lines().count() == KEPT, "{kept}");
    }
}
