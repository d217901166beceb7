//! Whether the terminal that stdout is can show pictures, and in which of three ways.

use super::Tty;
use super::style::draws;
use crate::context::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{self, LocalModes, OptionalActions};
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

/// How a picture is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// kitty's, which Ghostty and others speak.
    Kitty,
    /// iTerm2's, which WezTerm and others speak.
    Iterm,
    /// What DEC had.
    Sixel,
}

/// Where pictures are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Canvas {
    /// How.
    pub(crate) protocol: Protocol,
    /// Its width in columns.
    pub(crate) columns: u32,
    /// The same in pixels, by guess where the terminal does not say.
    pub(crate) pixels: u32,
}

/// How long a terminal may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// What a column is taken for in pixels.
const COLUMN: u32 = 8;

/// Finds out how pictures are drawn, unless `wanted` says it. The terminal may be asked: that takes a while, and what is
/// typed meanwhile is lost.
///
/// # Errors
/// Why there are none.
pub(crate) fn find(context: &Context, wanted: Option<Protocol>) -> Result<Protocol, &'static str> {
    if !context.stdout_is_terminal {
        return Err("stdout is not a terminal");
    }
    if !draws(context) {
        return Err("TERM says that the terminal draws nothing");
    }
    // tmux and screen keep such sequences to themselves; newer ones of tmux speak sixel, and say so.
    let is_nested = context.var("TMUX").is_some() || context.var("STY").is_some();
    match wanted {
        Some(Protocol::Kitty | Protocol::Iterm) if is_nested => {
            Err("tmux and screen do not pass pictures of this kind on; sixel may work")
        }
        Some(protocol) => Ok(protocol),
        None => match named(context).filter(|_| !is_nested) {
            Some(protocol) => Ok(protocol),
            None if Tty::find(context).is_some_and(|tty| speaks_sixel(&tty.file)) => Ok(Protocol::Sixel),
            None => {
                Err("the terminal is none that is known to show pictures (--show-images=kitty, iterm or sixel insists)")
            }
        },
    }
}

impl Canvas {
    /// The terminal as wide as it is now.
    pub(crate) fn of(protocol: Protocol) -> Self {
        let size = termios::tcgetwinsize(rustix::stdio::stdout()).ok();
        let columns = size.map_or(80, |size| u32::from(size.ws_col)).clamp(1, 10_000);
        let pixels = size.map_or(0, |size| u32::from(size.ws_xpixel));
        Canvas { protocol, columns, pixels: if pixels == 0 { columns * COLUMN } else { pixels } }
    }
}

/// What the environment says of the terminal.
fn named(context: &Context) -> Option<Protocol> {
    let is = |name: &str, values: &[&str]| context.var(name).is_some_and(|value| values.contains(&value));
    // First what the terminal itself sets anew: the rest is handed down to terminals that are started from others.
    if is("TERM", &["xterm-kitty", "xterm-ghostty"]) || is("TERM_PROGRAM", &["ghostty"]) {
        return Some(Protocol::Kitty);
    }
    if is("TERM_PROGRAM", &["iTerm.app", "WezTerm", "mintty"]) || is("LC_TERMINAL", &["iTerm2"]) {
        return Some(Protocol::Iterm);
    }
    context.var("KITTY_WINDOW_ID").filter(|_| context.var("TERM_PROGRAM").is_none()).map(|_| Protocol::Kitty)
}

/// Asks the terminal what it can do: 4 among its primary device attributes is sixel.
fn speaks_sixel(tty: &File) -> bool {
    let Ok(before) = termios::tcgetattr(tty) else { return false };
    let mut modes = before.clone();
    modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    if termios::tcsetattr(tty, OptionalActions::Now, &modes).is_err() {
        return false;
    }
    let mut writer = tty;
    let answer = writer.write_all(b"\x1b[c").ok().and_then(|()| answer(tty));
    // What comes too late is not for whoever reads the terminal next.
    let unread = if answer.is_some() { OptionalActions::Drain } else { OptionalActions::Flush };
    let _ = termios::tcsetattr(tty, unread, &before);
    answer.is_some_and(|answer| says_sixel(&answer))
}

/// What the terminal answers, if it does.
fn answer(tty: &File) -> Option<Vec<u8>> {
    let end = Instant::now() + PATIENCE;
    let mut answer = Vec::new();
    let mut bytes = [0; 64];
    while answer.len() < 4096 {
        let left = end.checked_duration_since(Instant::now())?;
        let timeout = Timespec { tv_sec: 0, tv_nsec: left.as_nanos().min(999_999_999) as i64 };
        match poll(&mut [PollFd::new(tty, PollFlags::IN)], Some(&timeout)) {
            Err(rustix::io::Errno::INTR) => continue,
            Ok(1..) => {}
            _ => return None,
        }
        match rustix::io::read(tty, &mut bytes) {
            Ok(n @ 1..) => answer.extend_from_slice(&bytes[..n]),
            _ => return None,
        }
        if attributes(&answer).is_some() {
            return Some(answer);
        }
    }
    None
}

/// The parameters of `ESC [ ? 62 ; 4 c`, wherever it stands.
fn attributes(answer: &[u8]) -> Option<&[u8]> {
    let start = memchr::memmem::find(answer, b"\x1b[?")? + 3;
    let length = answer[start..].iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
    (answer[start + length] == b'c').then(|| &answer[start..start + length])
}

fn says_sixel(answer: &[u8]) -> bool {
    // The first number is the kind of terminal.
    attributes(answer).is_some_and(|numbers| numbers.split(|byte| *byte == b';').skip(1).any(|number| number == b"4"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_terminals_apart() {
        let named_by = |env: &[(&str, &str)]| {
            let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            named(&Context::at_terminal(env))
        };
        for (env, protocol) in [
            (vec![("TERM", "xterm-kitty")], Some(Protocol::Kitty)),
            (vec![("TERM", "xterm-256color"), ("TERM_PROGRAM", "ghostty")], Some(Protocol::Kitty)),
            (vec![("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Some(Protocol::Kitty)),
            // Started from kitty.
            (vec![("TERM_PROGRAM", "vscode"), ("KITTY_WINDOW_ID", "1")], None),
            (vec![("TERM_PROGRAM", "WezTerm")], Some(Protocol::Iterm)),
            (vec![("TERM", "xterm-256color"), ("LC_TERMINAL", "iTerm2")], Some(Protocol::Iterm)),
            (vec![("TERM", "xterm-256color")], None),
        ] {
            assert_eq!(named_by(&env), protocol, "{env:?}");
        }
    }

    #[test]
    fn sixel_is_4_among_the_attributes() {
        for (answer, sixel) in [
            ("\x1b[?62;4;22c", true),
            ("typed\x1b[?64;1;4c", true),
            ("\x1b[?4c", false),
            ("\x1b[?62;14;22c", false),
            ("\x1b[?1;2c", false),
            ("\x1b[?62;4", false),
            ("\x1b[?62;4$y", false),
            ("", false),
        ] {
            assert_eq!(says_sixel(answer.as_bytes()), sixel, "{answer:?}");
        }
    }
}
