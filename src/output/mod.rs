//! The only writer of stdout, which carries the result and nothing else; and the words for everything that goes
//! beside it. Everything is flushed before the program ends; a closed pipe is a quiet end.

pub(crate) mod batch;
pub(crate) mod both;
pub(crate) mod content;
pub(crate) mod contents;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod info;
pub(crate) mod junit;
pub(crate) mod listing;
pub(crate) mod logins;
pub(crate) mod matrix;
pub(crate) mod picture;
pub(crate) mod print;
pub(crate) mod prompt;
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod save;
pub(crate) mod select;
mod sixel;
pub(crate) mod tool;
pub(crate) mod trace;

use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::jsonrpc::pick::Piece;
use crate::terminal::sanitize::{Lines, visible, visible_json};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use select::Select;
use std::io::{BufWriter, ErrorKind, StdoutLock, Write};
use std::sync::Arc;

/// How wide what people read may get: the width they have, in pipes too.
pub(crate) const WIDTH: usize = 80;

/// How much is written at once of what comes in small pieces; what is larger goes out as it is.
const BUFFER: usize = 64 << 10;

/// Where the result goes.
#[derive(Debug, Clone)]
pub(crate) struct Stdout {
    /// What a server sent is made harmless on a terminal; a pipe gets it as it is.
    pub(crate) is_terminal: bool,
    /// Of JSON, only this value.
    pub(crate) select: Option<Arc<Select>>,
}

impl Stdout {
    /// All of what is written.
    pub(crate) fn new(context: &Context) -> Self {
        Stdout { is_terminal: context.stdout_is_terminal, select: None }
    }

    /// Whether so much can be written now without waiting for whoever reads: what a pipe that is ready takes at least.
    pub(crate) fn takes(&self, n_bytes: usize) -> bool {
        let most = if cfg!(target_os = "linux") { 4096 } else { 512 };
        if self.is_terminal || n_bytes >= most {
            return false;
        }
        let mut fds = [PollFd::from_borrowed_fd(rustix::stdio::stdout(), PollFlags::OUT)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok_and(|n_ready| n_ready > 0)
    }

    /// Writes a text, and a line break unless it ends with one; nothing for an empty text.
    ///
    /// # Errors
    /// `internal`, when stdout cannot be written for another reason than being closed.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        self.more_text(text).map(drop)
    }

    /// One text of many; false once nobody reads them any more.
    ///
    /// # Errors
    /// As `text`.
    pub(crate) fn more_text(&self, text: &str) -> Result<bool> {
        let mut pieces = self.pieces();
        pieces.text(text);
        pieces.end()
    }

    /// Writes JSON text, likewise; or the value of it that is selected.
    ///
    /// # Errors
    /// As `text`; `expectation`, when it has no such value.
    pub(crate) fn json(&self, json: &str) -> Result<()> {
        self.each_json(json).map(drop)
    }

    /// One JSON text of several that are asked for, likewise; false once nobody reads them any more.
    ///
    /// # Errors
    /// As `json`.
    pub(crate) fn each_json(&self, json: &str) -> Result<bool> {
        let Some(select) = &self.select else { return self.whole(json) };
        self.value(select, select.pick(json)?)
    }

    /// One JSON text of many that come unasked, likewise; one that has no such value is passed over.
    ///
    /// # Errors
    /// As `text`.
    pub(crate) fn more_json(&self, json: &str) -> Result<bool> {
        let Some(select) = &self.select else { return self.whole(json) };
        select.pick(json).map_or(Ok(true), |value| self.value(select, value))
    }

    fn value(&self, select: &Select, value: &str) -> Result<bool> {
        match select.bare(value) {
            Some(text) => self.more_text(&text),
            None => self.whole(value),
        }
    }

    fn whole(&self, json: &str) -> Result<bool> {
        let mut pieces = self.pieces();
        match self.is_terminal {
            true => pieces.put(&visible_json(json)),
            false => pieces.put(json),
        }
        pieces.end()
    }

    /// Several texts as one.
    #[expect(clippy::disallowed_methods, reason = "the one place that may")]
    pub(crate) fn pieces(&self) -> Pieces {
        let out = BufWriter::with_capacity(BUFFER, std::io::stdout().lock());
        Pieces { out, is_terminal: self.is_terminal, wants_break: false, failed: None }
    }
}

/// Texts that are written one after the other, each from the beginning of a line, none of them copied.
pub(crate) struct Pieces {
    out: BufWriter<StdoutLock<'static>>,
    is_terminal: bool,
    /// What has been written does not end a line.
    wants_break: bool,
    /// What went wrong: nothing more is written.
    failed: Option<std::io::Error>,
}

impl Pieces {
    /// Writes a text.
    pub(crate) fn text(&mut self, text: &str) {
        match self.is_terminal {
            true => self.put(&visible(text, Lines::Many)),
            false => self.put(text),
        }
    }

    /// Writes what a JSON string says.
    pub(crate) fn text_of(&mut self, json: &Raw) {
        self.put("");
        for piece in json.pieces() {
            let mut buffer = [0; 4];
            let text = match piece {
                Piece::Plain(text) => text,
                Piece::Char(c) => &*c.encode_utf8(&mut buffer),
                Piece::Broken => continue,
            };
            match self.is_terminal {
                true => self.write(&visible(text, Lines::Many)),
                false => self.write(text),
            }
        }
    }

    /// Writes a text that the next goes on behind, on the same line.
    pub(crate) fn lead(&mut self, text: &str) {
        self.text(text);
        self.wants_break = false;
    }

    /// Writes bytes as they are, right behind what has been written. They are not for a terminal.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
        self.wants_break = false;
    }

    /// Ends as it is: the last line need not be one, but at a terminal.
    ///
    /// # Errors
    /// As `Stdout::text`.
    pub(crate) fn end_as_is(mut self) -> Result<bool> {
        self.wants_break &= self.is_terminal;
        self.end()
    }

    /// Writes what is harmless on a terminal.
    pub(crate) fn put(&mut self, text: &str) {
        if self.wants_break {
            self.write("\n");
        }
        self.write(text);
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none() && !text.is_empty() {
            self.wants_break = !text.ends_with('\n');
            self.failed = self.out.write_all(text.as_bytes()).err();
        }
    }

    /// Writes out what has come so far: something is to be told beside it.
    pub(crate) fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
    }

    /// Ends the last line and writes all out; false when nobody reads it.
    ///
    /// # Errors
    /// As `Stdout::text`.
    pub(crate) fn end(mut self) -> Result<bool> {
        if self.wants_break {
            self.write("\n");
        }
        match self.failed.take().map_or_else(|| self.out.flush(), Err) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(Failure::new(Kind::Internal, format!("cannot write the result to stdout: {error}"))),
        }
    }
}
