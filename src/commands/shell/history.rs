//! What was typed at the shell, kept for the next time in the person's state folder, for nobody else to read.

use crate::context::Context;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

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
        let state = context.var("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || Some(PathBuf::from(context.var("HOME")?).join(".local/state"));
        let file = state.or_else(home).filter(|_| is_kept).map(|state| state.join("mcpcall/history"));
        let text = file.as_ref().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
        let lines: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
        let mut history = History { lines, file };
        // Not with every line.
        if history.lines.len() > 2 * KEPT {
            history.lines.drain(..history.lines.len() - KEPT);
            let _ = history.rewrite();
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
    /// When it cannot be kept.
    pub(super) fn add(&mut self, line: &str) -> io::Result<()> {
        if line.starts_with(' ') || self.lines.last().is_some_and(|last| last == line) {
            return Ok(());
        }
        self.lines.push(line.to_owned());
        let Some(file) = &self.file else { return Ok(()) };
        if let Some(folder) = file.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let mut opened = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
        // One that was there before may be open to others.
        opened.set_permissions(PermissionsExt::from_mode(0o600))?;
        opened.write_all(format!("{line}\n").as_bytes())
    }

    fn rewrite(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut new = tempfile::NamedTempFile::new_in(crate::files::folder(file))?;
        self.lines.iter().try_for_each(|line| writeln!(new, "{line}"))?;
        new.persist(crate::files::target(file)?).map(drop).map_err(|e| e.error)
    }
}
