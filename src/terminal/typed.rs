//! What is typed at a terminal that only prints: whole lines, among them words of ours that begin with a slash, and the
//! numbers or names of options.

use super::input::{Decode, Input};
use super::prompter::Leave;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use std::fs::File;
use std::io;

/// ^C.
const INTERRUPT: u8 = 3;

/// What marks a control character of the terminal as unused.
const UNUSED: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };

/// Lines, edited by the terminal itself.
pub(super) type Typed = Input<Decoder>;

/// One of them.
#[derive(Debug, PartialEq)]
pub(super) enum Text {
    /// A line, without its end.
    Line(String),
    /// ^C.
    Interrupt,
    /// ^D.
    End,
}

/// Takes the terminal over. ^C ends a line instead of the program, ^Z still stops it. Of a secret only the end of its line
/// is echoed.
///
/// # Errors
/// When it is none, or is gone.
pub(super) fn open(tty: &File, is_secret: bool) -> io::Result<Typed> {
    // Half a line that the terminal still holds is an answer to nothing any more.
    Input::open(tty, (OptionalActions::Flush, OptionalActions::Flush), modes(is_secret))
}

/// The same for lines at a prompt: what is typed ahead is for the next one.
///
/// # Errors
/// As `open`.
pub(super) fn at_prompt(tty: &File) -> io::Result<Typed> {
    Input::open(tty, (OptionalActions::Drain, OptionalActions::Drain), modes(false))
}

/// Whether a line can be read at once.
pub(super) fn is_pending(tty: &File) -> bool {
    let mut fds = [PollFd::new(tty, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec::default())).is_ok_and(|n_ready| n_ready > 0)
}

fn modes(is_secret: bool) -> impl FnOnce(&mut Termios) {
    move |modes| {
        modes.input_modes |= InputModes::ICRNL;
        modes.local_modes |= LocalModes::ICANON;
        if is_secret {
            modes.local_modes.remove(LocalModes::ECHO);
            modes.local_modes |= LocalModes::ECHONL;
        }
        modes.special_codes[SpecialCodeIndex::VINTR] = UNUSED;
        modes.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
    }
}

/// Bytes to lines.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    line: Vec<u8>,
}

impl Decode for Decoder {
    type Item = Text;

    const PARTING: &'static str = "\n";

    fn push(&mut self, bytes: &[u8]) -> Vec<Text> {
        let mut texts = Vec::new();
        for byte in bytes {
            match *byte {
                b'\n' => texts.push(Text::Line(String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned())),
                INTERRUPT => {
                    self.line.clear();
                    texts.push(Text::Interrupt);
                }
                byte => self.line.push(byte),
            }
        }
        texts
    }

    fn end(&mut self) -> Option<Text> {
        Some(Text::End)
    }

    fn is_waiting(&self) -> bool {
        false
    }

    fn flush(&mut self) -> Vec<Text> {
        Vec::new()
    }
}

/// What a line means.
#[derive(Debug, PartialEq)]
pub(super) enum Word {
    /// An answer.
    Answer(String),
    /// A dot alone: the end of a text of several lines.
    Dot,
    /// `/empty`: an answer without text.
    Empty,
    /// `?`: the question again.
    Again,
    /// `/edit`: into the editor.
    Edit,
    /// `/back`.
    Back,
    /// `/decline` and `/cancel`.
    Leave(Leave),
    /// A slash and something else.
    Unknown(String),
}

/// Reads a line. One more slash makes it an answer: `//x` is `/x`, `/?` is `?`.
pub(super) fn word(line: &str) -> Word {
    let Some(rest) = line.strip_prefix('/') else {
        return match line.trim() {
            "?" => Word::Again,
            "." => Word::Dot,
            _ => Word::Answer(line.to_owned()),
        };
    };
    match rest.trim_end() {
        _ if rest.starts_with(['/', '.', '?']) => Word::Answer(rest.to_owned()),
        "empty" | "none" => Word::Empty,
        "help" => Word::Again,
        "edit" => Word::Edit,
        "back" => Word::Back,
        "decline" => Word::Leave(Leave::Decline),
        "cancel" => Word::Leave(Leave::Cancel),
        _ => Word::Unknown(line.trim_end().to_owned()),
    }
}

/// What a text says of a list.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// This option.
    One(usize),
    /// A part of the names of several.
    Several(Vec<usize>),
    /// A number, and the name of another option.
    Both(usize, usize),
    /// Nothing.
    None,
}

/// Finds an option by its number from 1 (`#1` is always one), its name, or a part of its name.
pub(super) fn find(options: &[String], text: &str) -> Found {
    let text = text.trim();
    let number = |text: &str| text.parse().ok().and_then(|n: usize| n.checked_sub(1)).filter(|n| *n < options.len());
    if let Some(row) = text.strip_prefix('#').and_then(number) {
        return Found::One(row);
    }
    let small = text.to_lowercase();
    let named = |is: &dyn Fn(&str) -> bool| (0..options.len()).filter(|row| is(&options[*row])).collect::<Vec<_>>();
    let exact = named(&|option| option == text);
    let exact = if exact.is_empty() { named(&|option| option.to_lowercase() == small) } else { exact };
    match (number(text), exact.as_slice()) {
        (Some(row), [other, ..]) if row != *other => return Found::Both(row, *other),
        (Some(row), _) => return Found::One(row),
        (None, [row]) => return Found::One(*row),
        _ => {}
    }
    match named(&|option| option.to_lowercase().contains(&small)).as_slice() {
        _ if small.is_empty() => Found::None,
        [] => Found::None,
        [row] => Found::One(*row),
        rows => Found::Several(rows.to_vec()),
    }
}

/// A text as the names or numbers of several options: apart by commas, or by spaces where all are numbers.
pub(super) fn pieces<'a>(options: &[String], text: &'a str) -> Vec<&'a str> {
    let text = text.trim();
    if options.iter().any(|option| option == text) {
        return vec![text];
    }
    let is_number = |word: &str| word.trim_start_matches('#').parse::<usize>().is_ok();
    let apart = |by: &'static [char]| text.split(by).map(str::trim).filter(|piece| !piece.is_empty());
    let spaced = apart(&[',', ' ']);
    if spaced.clone().all(is_number) { spaced.collect() } else { apart(&[',']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_lines() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push("ein b".as_bytes()), []);
        let texts = [Text::Line("ein b".into()), Text::Line(String::new()), Text::Interrupt];
        assert_eq!(decoder.push(b"\n\nhalf\x03"), texts);
        assert_eq!(decoder.push(b"x\n"), [Text::Line("x".into())]);
    }

    #[test]
    fn words_are_marked_and_a_slash_takes_them_literally() {
        let answer = |text: &str| Word::Answer(text.to_owned());
        for (line, expected) in [
            ("Ada", answer("Ada")),
            ("", answer("")),
            (" decline", answer(" decline")),
            ("/decline", Word::Leave(Leave::Decline)),
            ("/cancel ", Word::Leave(Leave::Cancel)),
            ("/back", Word::Back),
            ("/empty", Word::Empty),
            ("?", Word::Again),
            ("/help", Word::Again),
            ("//decline", answer("/decline")),
            ("///", answer("//")),
            ("/?", answer("?")),
            (".", Word::Dot),
            ("/.", answer(".")),
            ("/etc/passwd", Word::Unknown("/etc/passwd".into())),
        ] {
            assert_eq!(word(line), expected, "{line}");
        }
    }

    #[test]
    fn options_are_found_by_number_and_name() {
        let options = ["2", "1", "New York", "York", "ten"].map(str::to_owned);
        for (text, expected) in [
            ("3", Found::One(2)),
            (" york ", Found::One(3)),
            ("yor", Found::Several(vec![2, 3])),
            ("new", Found::One(2)),
            // The first option is called 2, the second 1.
            ("1", Found::Both(0, 1)),
            ("#1", Found::One(0)),
            ("6", Found::None),
            ("0", Found::None),
            ("#9", Found::None),
            ("", Found::None),
        ] {
            assert_eq!(find(&options, text), expected, "{text}");
        }
        assert_eq!(find(&["1", "2"].map(str::to_owned), "2"), Found::One(1));
        for (text, expected) in [
            ("1 3", vec!["1", "3"]),
            ("1, #3", vec!["1", "#3"]),
            ("York, new york,", vec!["York", "new york"]),
            ("New York", vec!["New York"]),
            ("", vec![]),
        ] {
            assert_eq!(pieces(&options, text), expected, "{text}");
        }
        assert_eq!(pieces(&["a, b".to_owned()], "a, b"), ["a, b"]);
    }
}
