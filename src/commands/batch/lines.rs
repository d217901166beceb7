//! The lines of a batch as they come, read on a thread of their own: whoever writes one and waits for its answer gets it,
//! and a reader that is blocked holds up nothing else.

use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::search::find;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tokio::sync::mpsc;

/// How many lines are read ahead.
const AHEAD: usize = 16;

/// A line, by its number from 1.
pub(super) struct Line {
    pub(super) number: usize,
    /// Without its end; or why there is none.
    pub(super) text: Result<Vec<u8>>,
}

/// Where lines come from.
pub(super) struct Source {
    from: Box<dyn Read + Send>,
    /// How many calls there are, once that is known.
    pub(super) total: Arc<OnceLock<usize>>,
}

/// Opens the file, or stdin where the user wrote `-`.
///
/// # Errors
/// `usage`, when it cannot be read.
pub(super) fn open(context: &Context, file: &Path) -> Result<Source> {
    if file == Path::new("-") {
        return Ok(Source { from: context.stdin(), total: Arc::default() });
    }
    let unreadable = |e: std::io::Error| Failure::usage(format!("{}: {e}", file.display()));
    let opened = File::open(file).map_err(unreadable)?;
    let kind = opened.metadata().map_err(unreadable)?;
    if kind.is_dir() {
        return Err(Failure::usage(format!("{}: is a folder", file.display())));
    }
    let total: Arc<OnceLock<usize>> = Arc::default();
    // A pipe can be read only once.
    if let (true, Ok(again)) = (kind.is_file(), File::open(file)) {
        let total = Arc::clone(&total);
        // Nothing waits for it.
        std::thread::spawn(move || count(BufReader::new(again)).map(|n| total.set(n)));
    }
    Ok(Source { from: Box::new(opened), total })
}

/// How many lines are not blank, however long they are.
fn count(mut from: impl BufRead) -> Option<usize> {
    let (mut n, mut is_blank) = (0, true);
    loop {
        let bytes = from.fill_buf().ok()?;
        if bytes.is_empty() {
            return Some(n);
        }
        let end = find(b'\n', bytes);
        let piece = &bytes[..end.unwrap_or(bytes.len())];
        if is_blank && !piece.trim_ascii_start().is_empty() {
            (n, is_blank) = (n + 1, false);
        }
        is_blank |= end.is_some();
        let n_read = piece.len() + usize::from(end.is_some());
        from.consume(n_read);
    }
}

impl Source {
    /// The lines that are not blank; one of more than `limit` bytes is a failure of that line.
    pub(super) fn lines(self, limit: usize) -> mpsc::Receiver<Line> {
        let (sender, lines) = mpsc::channel(AHEAD);
        std::thread::spawn(move || {
            let mut from = BufReader::new(self.from);
            let mut number = 0;
            // Ends with the input, or when nobody takes lines any more.
            while let Some(text) = next(&mut from, limit) {
                number += 1;
                let is_broken = matches!(&text, Err(failure) if failure.kind == Kind::Internal);
                let is_blank = matches!(&text, Ok(bytes) if bytes.trim_ascii().is_empty());
                if !is_blank && sender.blocking_send(Line { number, text }).is_err() || is_broken {
                    return;
                }
            }
        });
        lines
    }
}

/// The next line; `None` at the end. What cannot be read is `internal`, and the last there is.
fn next(from: &mut impl BufRead, limit: usize) -> Option<Result<Vec<u8>>> {
    let mut line = Vec::new();
    let read = from.by_ref().take(limit as u64 + 1).read_until(b'\n', &mut line);
    match read {
        Err(e) => return Some(Err(Failure::new(Kind::Internal, format!("cannot read on: {e}")))),
        Ok(0) => return None,
        Ok(_) => {}
    }
    if line.pop_if(|last| *last == b'\n').is_some() || line.len() <= limit {
        return Some(Ok(line));
    }
    // The rest is not kept.
    Some(match from.skip_until(b'\n') {
        Ok(_) => {
            Err(Failure::usage(format!("more than {limit} bytes in a line"))
                .hint("--max-message-size raises the limit"))
        }
        Err(e) => Err(Failure::new(Kind::Internal, format!("cannot read on: {e}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_what_is_read() {
        for text in ["", "a", "a\n", "\n \t\r\n\na\n  b  \nc", " a \n\n"] {
            let read = text.lines().filter(|line| !line.trim().is_empty()).count();
            // In pieces of any size.
            for size in [1, 2, 3, 100] {
                assert_eq!(count(BufReader::with_capacity(size, text.as_bytes())), Some(read), "{text:?}");
            }
        }
    }

    #[test]
    fn lines_are_told_apart_whatever_their_length() {
        let mut from = "ab\n\nabcd\nabcde\nend".as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = next(&mut from, 4) {
            lines.push(line.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|failure| failure.message));
        }
        let long = Err("more than 4 bytes in a line".to_owned());
        assert_eq!(lines, [Ok("ab".into()), Ok(String::new()), Ok("abcd".into()), long, Ok("end".into())]);
    }
}
