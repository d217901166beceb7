//! Parses `text/event-stream` bytes into events (WHATWG HTML, section 9.2, "Server-sent events") and remembers what
//! a later reconnection needs: the last event id and the `retry` time. Pure: it opens no connection, keeps no time and
//! decides nothing about reconnecting.

use super::lines::head;
use crate::search::{find, find_either};
use std::time::Duration;

/// The longest `retry` that is honoured; a server that asks for more hardly means it.
const LONGEST_RETRY: Duration = Duration::from_secs(24 * 60 * 60);

/// One block of fields, ended by a blank line.
///
/// Unlike a browser this also yields blocks without data, because the caller counts them as signs of life: servers
/// prime a stream with an id and empty data. Blocks of comments alone yield nothing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The `event` field; empty when there was none, which means `message`.
    pub(crate) event: String,
    /// The `data` lines, joined by LF. Empty: nothing to deliver.
    pub(crate) data: String,
    /// The `id` field of this block.
    pub(crate) id: Option<String>,
    /// True when bytes that were not UTF-8 have been replaced.
    pub(crate) replaced: bool,
}

/// An event outgrew the limit. The parser is of no use afterwards.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    /// How the event begins.
    pub(crate) head: String,
}

/// The parser of one logical stream, over as many connections as that takes.
#[derive(Debug)]
pub(crate) struct Parser {
    max_message: usize,
    /// The line being received, still in bytes so that no character is decoded in halves.
    line: Vec<u8>,
    /// The last line ended in CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    /// No line is complete yet, so a byte order mark may come.
    at_start: bool,
    /// The block being received; `None` between blocks.
    block: Option<Event>,
    last_event_id: String,
    retry: Option<Duration>,
}

impl Parser {
    /// A parser that refuses events of more than `max_message` bytes.
    pub(crate) fn new(max_message: usize) -> Self {
        Parser {
            max_message,
            line: Vec::new(),
            after_cr: false,
            at_start: true,
            block: None,
            last_event_id: String::new(),
            retry: None,
        }
    }

    /// Takes bytes as they arrived and adds the events they complete to `events`, those before an error too.
    pub(crate) fn push(&mut self, mut bytes: &[u8], events: &mut Vec<Event>) -> Result<(), TooLarge> {
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = find_either(b'\r', b'\n', bytes) else {
                return self.hold(bytes);
            };
            self.hold(&bytes[..end])?;
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            events.extend(self.end_line());
        }
        Ok(())
    }

    /// Gets ready for the next connection of the same stream: drops what is incomplete (as the standard wants at the
    /// end of a stream) and keeps the last event id and the retry time.
    pub(crate) fn restart(&mut self) {
        self.line.clear();
        self.after_cr = false;
        self.at_start = true;
        self.block = None;
    }

    /// The begin of an event which no blank line has ended. The standard wants it dropped at the end of a stream.
    pub(crate) fn unfinished(&self) -> Option<String> {
        let data = self.block.as_ref().map_or("", |block| &block.data);
        let rest = if data.is_empty() { &self.line } else { data.as_bytes() };
        (!rest.is_empty()).then(|| head(rest))
    }

    /// The value for `Last-Event-ID`; `None` when no id was seen or the server took it back with an empty one.
    pub(crate) fn last_event_id(&self) -> Option<&str> {
        Some(self.last_event_id.as_str()).filter(|id| !id.is_empty())
    }

    /// How long the server wants us to wait before we reconnect.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Adds to the current line.
    fn hold(&mut self, piece: &[u8]) -> Result<(), TooLarge> {
        let data = self.block.as_ref().map_or("", |block| &block.data);
        if data.len() + self.line.len() + piece.len() <= self.max_message {
            self.line.extend_from_slice(piece);
            return Ok(());
        }
        let begin = [data.as_bytes(), &self.line, piece].into_iter().find(|part| !part.is_empty());
        Err(TooLarge { head: head(begin.unwrap_or_default()) })
    }

    fn end_line(&mut self) -> Option<Event> {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.at_start) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        // A colon in front makes it a comment.
        if line[0] != b':' {
            self.field(line);
        }
        None
    }

    fn field(&mut self, mut line: Vec<u8>) {
        let colon = find(b':', &line).unwrap_or(line.len());
        let blank = usize::from(line.get(colon + 1) == Some(&b' '));
        let start = (colon + 1 + blank).min(line.len());
        let block = self.block.get_or_insert_default();
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        match (&line[..colon], &line[start..]) {
            (b"event", value) => block.event = text(value),
            (b"data", _) => {
                // Mostly there is one, and it may be large: then it is not copied.
                line.drain(..start);
                let data = String::from_utf8(line).unwrap_or_else(|error| {
                    block.replaced = true;
                    text(error.as_bytes())
                });
                match block.data.is_empty() {
                    true => block.data = data,
                    false => block.data.push_str(&data),
                }
                // Each line ends in LF; `dispatch` takes the last one off.
                block.data.push('\n');
            }
            (b"id", value) if !value.contains(&0) => block.id = Some(text(value)),
            (b"retry", value) if value.iter().all(u8::is_ascii_digit) => {
                if let Ok(milliseconds) = text(value).parse() {
                    self.retry = Some(Duration::from_millis(milliseconds).min(LONGEST_RETRY));
                }
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Event> {
        let mut event = self.block.take()?;
        event.data.pop();
        if let Some(id) = &event.id {
            self.last_event_id.clone_from(id);
        }
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input, then the events as (event, data).
    type Row = (&'static [u8], &'static [(&'static str, &'static str)]);

    const ROWS: &[Row] = &[
        (b"data: a\n\n", &[("", "a")]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]),
        (b"data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]),
        (b"data: a\r\n\rdata: b\n\r\n", &[("", "a"), ("", "b")]),
        (b"\xEF\xBB\xBFdata: a\n\n", &[("", "a")]),
        (b"data: a\n\n\xEF\xBB\xBFdata: b\n\n", &[("", "a"), ("", "")]),
        (b": comment\n\n:\n\ndata: a\n: within\n\n", &[("", "a")]),
        (b"data: {\ndata:  \"a\": 1\ndata\ndata:}\n\n", &[("", "{\n \"a\": 1\n\n}")]),
        (b"event: ping\ndata: x\n\ndata: y\n\n", &[("ping", "x"), ("", "y")]),
        (b"id: 1\ndata:\n\n", &[("", "")]),
        (b"data: \xE2\x80\xA8 \xC3\xA9\n\n", &[("", "\u{2028} \u{e9}")]),
        (b"data: \xFF\n\n", &[("", "\u{FFFD}")]),
        (b"data: cut off\n", &[]),
        (b"\n\n\r\n", &[]),
        (b"Data: wrong case\n\n", &[("", "")]),
    ];

    fn parse(pieces: &[&[u8]]) -> (Parser, Vec<Event>) {
        let (mut parser, mut events) = (Parser::new(1000), Vec::new());
        for piece in pieces {
            parser.push(piece, &mut events).expect("small enough");
        }
        (parser, events)
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        for (input, expected) in ROWS {
            let (_, whole) = parse(&[input]);
            let seen: Vec<_> = whole.iter().map(|e| (e.event.as_str(), e.data.as_str())).collect();
            assert_eq!(&seen, expected, "{:?}", String::from_utf8_lossy(input));
            let single: Vec<&[u8]> = input.chunks(1).collect();
            assert_eq!(parse(&single).1, whole, "{:?}", String::from_utf8_lossy(input));
            for cut in 0..input.len() {
                assert_eq!(parse(&[&input[..cut], &input[cut..]]).1, whole, "cut at {cut}");
            }
        }
    }

    #[test]
    fn id_and_retry_are_remembered_over_restarts() {
        let rows: &[(&[u8], Option<&str>, Option<u64>)] = &[
            (b"id: 7\nretry: 500\ndata:\n\n", Some("7"), Some(500)),
            (b"id: 7\n\ndata: x\n\n", Some("7"), None),
            (b"id: 7\n\nid\n\n", None, None),
            (b"id: 7\n\nid: a\0b\n\n", Some("7"), None),
            (b"id: 7\n\nid: 8\n", Some("7"), None),
            (b"retry: 5x\nretry: -1\nretry:\nretry: 99999999999999999999\n\n", None, None),
            (b"retry: 9\nretry: +7\n\n", None, Some(9)),
        ];
        for (input, id, retry) in rows {
            let (mut parser, _) = parse(&[input]);
            parser.restart();
            assert_eq!(parser.last_event_id(), *id, "{:?}", String::from_utf8_lossy(input));
            assert_eq!(parser.retry(), retry.map(Duration::from_millis));
        }
    }

    #[test]
    fn restart_drops_what_was_incomplete() {
        let (mut parser, mut events) = parse(&[b"data: lost\nda"]);
        parser.restart();
        parser.push(b"\xEF\xBB\xBFdata: kept\n\n", &mut events).expect("small enough");
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].data, "kept");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_flagged() {
        assert!(parse(&[b"data: \xFF\n\n"]).1[0].replaced);
        assert!(!parse(&[b"data: \xC3", b"\xA9\n\n"]).1[0].replaced);
    }

    #[test]
    fn an_event_over_the_limit_is_an_error_and_earlier_events_survive() {
        let (mut parser, mut events) = (Parser::new(10), Vec::new());
        let error = parser.push(b"data: abc\n\ndata: 0123456789\n\n", &mut events);
        assert_eq!(error, Err(TooLarge { head: "data: 0123456789".into() }));
        assert_eq!(events.len(), 1);

        // Many short lines are one event too; comments are not part of it.
        let mut parser = Parser::new(10);
        assert_eq!(parser.push(b":12345678\n:12345678\n:12345678\n", &mut events), Ok(()));
        assert!(parser.push(b"data:123\ndata:123\ndata:123\n", &mut events).is_err());
    }
}
