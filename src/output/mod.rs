//! The only writer of stdout, which carries the result and nothing else; and the words for everything that goes
//! beside it. Everything is flushed before the program ends; a closed pipe is a quiet end.

pub(crate) mod both;
pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod info;
pub(crate) mod junit;
pub(crate) mod listing;
mod mask;
pub(crate) mod matrix;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod trace;

use crate::failure::{Failure, Kind, Result};
use crate::terminal::sanitize::{Lines, visible, visible_json};
use std::io::{ErrorKind, Write};

/// Where the result goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stdout {
    /// What a server sent is made harmless on a terminal; a pipe gets it as it is.
    pub(crate) is_terminal: bool,
}

impl Stdout {
    /// Writes a text, and a line break unless it ends with one; nothing for an empty text.
    ///
    /// # Errors
    /// `internal`, when stdout cannot be written for another reason than being closed.
    pub(crate) fn text(self, text: &str) -> Result<()> {
        self.more_text(text).map(drop)
    }

    /// One text of many; false once nobody reads them any more.
    ///
    /// # Errors
    /// As `text`.
    pub(crate) fn more_text(self, text: &str) -> Result<bool> {
        if self.is_terminal { write(&visible(text, Lines::Many)) } else { write(text) }
    }

    /// Writes JSON text, likewise.
    ///
    /// # Errors
    /// As `text`.
    pub(crate) fn json(self, json: &str) -> Result<()> {
        self.more_json(json).map(drop)
    }

    /// One JSON text of many, likewise.
    ///
    /// # Errors
    /// As `text`.
    pub(crate) fn more_json(self, json: &str) -> Result<bool> {
        if self.is_terminal { write(&visible_json(json)) } else { write(json) }
    }
}

/// False when stdout has been closed.
fn write(text: &str) -> Result<bool> {
    match text {
        "" => Ok(true),
        text if text.ends_with('\n') => write_stdout(&[text]),
        text => write_stdout(&[text, "\n"]),
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that may")]
fn write_stdout(parts: &[&str]) -> Result<bool> {
    let mut stdout = std::io::stdout().lock();
    let written = parts.iter().try_for_each(|part| stdout.write_all(part.as_bytes())).and_then(|()| stdout.flush());
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(Kind::Internal, format!("cannot write the result to stdout: {error}"))),
    }
}
