//! Splits a byte stream into lines with bounded memory and in linear time. It cuts at LF bytes alone (never at U+2028
//! or a lone CR) and decodes nothing: what a line means is the reader's business.

use crate::search::find;

/// What becomes of a line that is over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlong {
    /// Report how it begins and skip the rest of it.
    Drop,
    /// Hand it out in pieces of the limit's size.
    Cut,
}

/// What a `Splitter` hands out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, or a piece of one (`Overlong::Cut`), without its LF or CR LF.
    Whole(Vec<u8>),
    /// How a dropped line begins.
    TooLarge(String),
}

/// Cuts chunks into lines.
#[derive(Debug)]
pub(crate) struct Splitter {
    max: usize,
    overlong: Overlong,
    /// The begin of a line whose end has not come; never longer than `max`.
    held: Vec<u8>,
    /// Within the rest of a dropped line.
    dropping: bool,
}

impl Splitter {
    /// A splitter for lines of at most `max` bytes.
    pub(crate) fn new(max: usize, overlong: Overlong) -> Self {
        Splitter { max, overlong, held: Vec::new(), dropping: false }
    }

    /// The lines which `chunk` completes.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Vec<Line> {
        self.push_sifted(chunk, &|_| false)
    }

    /// The same, without those of which nothing would come; one that came in pieces may be among them.
    pub(crate) fn push_sifted(&mut self, mut chunk: &[u8], is_idle: &dyn Fn(&[u8]) -> bool) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(end) = find(b'\n', chunk) {
            let line = &chunk[..end];
            chunk = &chunk[end + 1..];
            let is_whole = self.held.is_empty() && !self.dropping && line.len() <= self.max;
            if is_whole && is_idle(line) {
                continue;
            }
            self.hold(line, &mut lines);
            if !std::mem::take(&mut self.dropping) {
                lines.push(self.take());
            }
        }
        self.hold(chunk, &mut lines);
        lines
    }

    /// The last line, when the stream ended without a line end.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        (!self.held.is_empty()).then(|| self.take())
    }

    fn hold(&mut self, mut piece: &[u8], lines: &mut Vec<Line>) {
        while !self.dropping && self.held.len() + piece.len() > self.max {
            match self.overlong {
                Overlong::Cut => {
                    let (now, later) = piece.split_at(self.max - self.held.len());
                    self.held.extend_from_slice(now);
                    lines.push(Line::Whole(std::mem::take(&mut self.held)));
                    piece = later;
                }
                Overlong::Drop => {
                    let held = std::mem::take(&mut self.held);
                    lines.push(Line::TooLarge(head(if held.is_empty() { piece } else { &held })));
                    self.dropping = true;
                }
            }
        }
        if !self.dropping {
            self.held.extend_from_slice(piece);
        }
    }

    fn take(&mut self) -> Line {
        let mut line = std::mem::take(&mut self.held);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Line::Whole(line)
    }
}

/// The first 200 characters of `bytes` as text, for messages about something too large to show.
pub(crate) fn head(bytes: &[u8]) -> String {
    const CHARACTERS: usize = 200;
    // A character has at most four bytes.
    let start = &bytes[..bytes.len().min(4 * CHARACTERS)];
    String::from_utf8_lossy(start).chars().take(CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.into())
    }

    fn split(max: usize, overlong: Overlong, chunks: &[&[u8]]) -> Vec<Line> {
        let mut splitter = Splitter::new(max, overlong);
        let mut lines: Vec<Line> = chunks.iter().flat_map(|chunk| splitter.push(chunk)).collect();
        lines.extend(splitter.finish());
        lines
    }

    #[test]
    fn lines_end_at_lf_and_lose_one_cr() {
        let input = "a\r\nb\u{2028}c\n\nd\r\r\ne\rf".as_bytes();
        let expected = ["a", "b\u{2028}c", "", "d\r", "e\rf"].map(whole);
        assert_eq!(split(100, Overlong::Drop, &[input]), expected);
        let single: Vec<&[u8]> = input.chunks(1).collect();
        assert_eq!(split(100, Overlong::Drop, &single), expected);
    }

    #[test]
    fn a_line_over_the_limit_is_dropped_and_the_next_one_read() {
        let expected = [whole("ok"), Line::TooLarge("123".into()), whole("after")];
        assert_eq!(split(5, Overlong::Drop, &[b"ok\n123", b"456", b"789\nafter\n"]), expected);
        assert_eq!(split(5, Overlong::Drop, &[b"12345\n123456"])[0], whole("12345"));
    }

    #[test]
    fn what_is_idle_is_left_out_where_it_comes_whole() {
        let mut splitter = Splitter::new(5, Overlong::Drop);
        let mut push = |chunk: &[u8]| splitter.push_sifted(chunk, &|line| line.starts_with(b"-"));
        assert_eq!(push(b"-1\na\n-2\n-"), [whole("a")]);
        assert_eq!(push(b"3\n-4\n-567890\n"), [whole("-3"), Line::TooLarge("-567890".into())]);
    }

    #[test]
    fn or_is_cut_in_pieces() {
        let expected = ["abc", "def", "g", "hi"].map(whole);
        assert_eq!(split(3, Overlong::Cut, &[b"ab", b"cdefg\nhi"]), expected);
    }
}
