//! Keys from a terminal in raw mode.

use super::input::{Decode, Input};
use rustix::termios::OptionalActions;
use std::fs::File;
use std::io;

/// One key, as far as prompts care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    /// Return.
    Enter,
    /// Backwards.
    Backspace,
    /// Forwards.
    Delete,
    /// Arrows.
    Left,
    /// Right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// A window up.
    PageUp,
    /// A window down.
    PageDown,
    /// The tabulator.
    Tab,
    /// The escape key alone.
    Escape,
    /// A letter with control: `Control('c')`.
    Control(char),
    /// What follows is pasted, or was; never leaves the decoder.
    Paste(bool),
    /// The terminal is gone.
    Gone,
    /// Anything else.
    Other,
}

/// A terminal in raw mode.
pub(super) type Keys = Input<Decoder>;

/// Takes the terminal over; `typed_before` says what becomes of what was typed already.
///
/// # Errors
/// When it is none, or is gone.
pub(super) fn open(tty: &File, typed_before: OptionalActions) -> io::Result<Keys> {
    // What was typed ahead is for whoever comes next.
    Input::open(tty, (typed_before, OptionalActions::Drain), |modes| {
        let output = modes.output_modes;
        modes.make_raw();
        // Output stays processed: "\n" begins a line.
        modes.output_modes = output;
    })
}

/// Bytes to keys; keeps what is incomplete.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    rest: Vec<u8>,
    /// A paste is coming in, between the terminal's marks.
    is_pasting: bool,
}

impl Decoder {
    /// A key as it counts: within a paste only text does, line breaks and tabulators included.
    fn counts(&mut self, key: Key) -> Option<Key> {
        match key {
            Key::Paste(begins) => {
                self.is_pasting = begins;
                None
            }
            Key::Enter if self.is_pasting => Some(Key::Char('\n')),
            Key::Tab if self.is_pasting => Some(Key::Char('\t')),
            Key::Char(_) | Key::Gone => Some(key),
            _ => Some(key).filter(|_| !self.is_pasting),
        }
    }
}

impl Decode for Decoder {
    type Item = Key;

    const PARTING: &'static str = "\x1b[?2004l\x1b[?25h\r\n";

    fn push(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.rest.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while let Some((key, used)) = first(&self.rest) {
            self.rest.drain(..used);
            keys.extend(self.counts(key));
        }
        keys
    }

    fn end(&mut self) -> Option<Key> {
        None
    }

    fn is_waiting(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Nothing more came: an escape byte was the key itself.
    fn flush(&mut self) -> Vec<Key> {
        let rest = std::mem::take(&mut self.rest);
        match rest.split_first() {
            Some((0x1b, [])) => vec![Key::Escape],
            Some((0x1b, more)) => [vec![Key::Escape], self.push(more)].concat(),
            Some(_) => vec![Key::Other],
            None => Vec::new(),
        }
    }
}

/// The first whole key and its length in bytes; `None` when more bytes are needed.
fn first(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        0x1b => return escape(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x7f | 0x08 => Key::Backspace,
        byte @ 1..=26 => Key::Control(char::from(byte + b'a' - 1)),
        byte if byte < 0x20 => Key::Other,
        byte => {
            let length = match byte {
                0..=0x7f => 1,
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => return Some((Key::Other, 1)),
            };
            let part = bytes.get(..length)?;
            let key = std::str::from_utf8(part).ok().and_then(|text| text.chars().next()).map_or(Key::Other, Key::Char);
            return Some((key, length));
        }
    };
    Some((key, 1))
}

/// A sequence that begins with escape: CSI (`ESC [ … final`), SS3 (`ESC O final`), or escape and another key.
fn escape(bytes: &[u8]) -> Option<(Key, usize)> {
    match *bytes.get(1)? {
        b'[' => {
            let end = 2 + bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            let key = match (&bytes[2..end], bytes[end]) {
                (_, b'A') => Key::Up,
                (_, b'B') => Key::Down,
                (_, b'C') => Key::Right,
                (_, b'D') => Key::Left,
                (_, b'H') | (b"1" | b"7", b'~') => Key::Home,
                (_, b'F') | (b"4" | b"8", b'~') => Key::End,
                (b"3", b'~') => Key::Delete,
                (b"5", b'~') => Key::PageUp,
                (b"6", b'~') => Key::PageDown,
                (b"200", b'~') => Key::Paste(true),
                (b"201", b'~') => Key::Paste(false),
                _ => Key::Other,
            };
            Some((key, end + 1))
        }
        b'O' => {
            let key = match *bytes.get(2)? {
                b'A' => Key::Up,
                b'B' => Key::Down,
                b'C' => Key::Right,
                b'D' => Key::Left,
                b'H' => Key::Home,
                b'F' => Key::End,
                _ => Key::Other,
            };
            Some((key, 3))
        }
        0x1b => Some((Key::Escape, 1)),
        _ => Some((Key::Other, 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_in_a_paste_are_text() {
        let keys = Decoder::default().push(b"\x1b[200~a\rb\t\x1b[A\x03\x1b[201~\r");
        let text = ['a', '\n', 'b', '\t'].map(Key::Char);
        assert_eq!(keys, [&text[..], &[Key::Enter]].concat());
    }

    #[test]
    fn bytes_become_keys_however_they_are_cut() {
        let bytes = "aé日\x1b[A\x1b[3~\x1b[6~\x1bOH\x1b[1;5C\r\x03\x7f".as_bytes();
        let expected = [
            Key::Char('a'),
            Key::Char('é'),
            Key::Char('日'),
            Key::Up,
            Key::Delete,
            Key::PageDown,
            Key::Home,
            Key::Right,
            Key::Enter,
            Key::Control('c'),
            Key::Backspace,
        ];
        assert_eq!(Decoder::default().push(bytes), expected);
        let mut decoder = Decoder::default();
        let keys: Vec<Key> = bytes.iter().flat_map(|byte| decoder.push(&[*byte])).collect();
        assert_eq!(keys, expected);
    }

    #[test]
    fn escape_alone_is_a_key_once_nothing_follows() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"\x1b"), []);
        assert!(decoder.is_waiting());
        assert_eq!(decoder.flush(), [Key::Escape]);
        assert_eq!(decoder.push(b"\x1b\x1b"), [Key::Escape]);
        assert_eq!(decoder.flush(), [Key::Escape]);
    }
}
