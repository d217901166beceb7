//! The only toucher of the terminal: lines to stderr, and questions to a person. Lines that arrive while a
//! question stands are shown above it. What is written here has been made harmless by `sanitize`.

pub(crate) mod keys;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod prompter;
pub(crate) mod sanitize;
pub(crate) mod style;

use crate::context::Context;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use style::Style;
use tokio::sync::Notify;

/// Where everything but the result goes.
pub(crate) struct Screen {
    state: Mutex<State>,
    /// Told when lines wait behind a question.
    waiting: Notify,
    /// How stderr is coloured.
    pub(crate) style: Style,
}

#[derive(Default)]
struct State {
    /// A question stands: lines are kept until it makes room.
    asking: bool,
    kept: Vec<String>,
}

impl Screen {
    /// The screen of this run.
    pub(crate) fn new(context: &Context) -> Self {
        let style = Style::new(context, context.stderr_is_terminal);
        Screen { state: Mutex::default(), waiting: Notify::new(), style }
    }

    /// Shows one line, or several with line breaks between them.
    pub(crate) fn line(&self, text: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.asking {
            state.kept.push(text.to_owned());
            drop(state);
            self.waiting.notify_one();
        } else {
            write_stderr(&format!("{text}\n"));
        }
    }

    /// A question begins: from now on lines wait for `take_kept`.
    fn begin(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).asking = true;
    }

    /// A question ends: what waited is shown.
    fn end(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.asking = false;
        for line in std::mem::take(&mut state.kept) {
            write_stderr(&format!("{line}\n"));
        }
    }

    /// Shows what waited, while the question has made room.
    fn flush(&self) {
        let kept = std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).kept);
        for line in kept {
            write_stderr(&format!("{line}\n"));
        }
    }
}

/// A closed stderr is no reason to fail: there is nobody to tell.
#[expect(clippy::disallowed_methods, reason = "the one place that may")]
fn write_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A terminal with a person at it.
#[derive(Debug)]
pub(crate) struct Tty {
    file: File,
}

impl Tty {
    /// The terminal to ask at, if a person is there: one of stdin and stderr is a terminal, stdin is not
    /// `/dev/null`, and we are in the terminal's foreground.
    pub(crate) fn find(context: &Context) -> Option<Tty> {
        if context.stdin_is_null || !(context.stdin_is_terminal || context.stderr_is_terminal) {
            return None;
        }
        let file = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
        let foreground = rustix::termios::tcgetpgrp(&file).ok()?;
        (foreground == rustix::process::getpgrp()).then_some(Tty { file })
    }

    /// Columns and rows; 80 by 24 when the terminal does not say.
    fn size(&self) -> (usize, usize) {
        match rustix::termios::tcgetwinsize(&self.file) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
            _ => (80, 24),
        }
    }
}
