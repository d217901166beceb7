//! The only toucher of the terminal: lines to stderr, and questions to a person. Lines that arrive while a
//! question stands are shown above it. What is written here has been made harmless by `sanitize`.

mod ask_edit;
mod ask_line;
mod ask_list;
pub(crate) mod browser;
pub(crate) mod command_line;
pub(crate) mod concealed;
mod drawn;
mod editor;
pub(crate) mod graphics;
mod input;
mod keys;
pub(crate) mod lent;
pub(crate) mod line;
mod list;
mod plain;
pub(crate) mod prompter;
pub(crate) mod sanitize;
pub(crate) mod style;
mod typed;

use crate::context::Context;
use crate::sync::lock;
use concealed::Concealed;
use drawn::Drawn;
use editor::Editor;
use plain::Plain;
use prompter::Prompter;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex};
use style::{Style, draws};
use tokio::sync::Notify;

/// Where everything but the result goes.
pub(crate) struct Screen {
    state: Mutex<State>,
    /// Told when lines wait behind a question.
    waiting: Notify,
    /// How stderr is coloured.
    pub(crate) style: Style,
    /// Whether a line can be drawn over: stderr is a terminal that understands it.
    pub(crate) redraws: bool,
    /// What no line may show.
    pub(crate) concealed: Arc<Concealed>,
}

#[derive(Default)]
struct State {
    /// A question stands: lines are kept until it makes room.
    asking: bool,
    kept: Vec<String>,
    /// A line at the bottom that is drawn over.
    status: Option<String>,
    /// What is to be written in one go, while more of it comes at once.
    gathered: Option<String>,
}

/// How much is gathered before it is written.
const GATHERED: usize = 64 << 10;

impl State {
    /// Writes, or gathers to be written.
    fn put(&mut self, text: &str) {
        match &mut self.gathered {
            Some(gathered) if gathered.len() + text.len() <= GATHERED => gathered.push_str(text),
            Some(_) => {
                self.write_gathered();
                write_stderr(text);
            }
            None => write_stderr(text),
        }
    }

    fn write_gathered(&mut self) {
        if let Some(gathered) = self.gathered.as_mut().filter(|gathered| !gathered.is_empty()) {
            write_stderr(gathered);
            gathered.clear();
        }
    }
}

impl Screen {
    /// The screen of this run.
    pub(crate) fn new(context: &Context) -> Self {
        let style = Style::new(context, context.stderr_is_terminal);
        let redraws = context.stderr_is_terminal && draws(context);
        Screen { state: Mutex::default(), waiting: Notify::new(), style, redraws, concealed: Arc::default() }
    }

    /// From here on lines are gathered, to be written in one go when `more` is over.
    pub(crate) fn gather(&self, more: bool) {
        let mut state = lock(&self.state);
        state.write_gathered();
        state.gathered = more.then(String::new);
    }

    /// Shows one line, or several with line breaks between them.
    pub(crate) fn line(&self, text: &str) {
        let text = self.concealed.hide(text);
        let mut state = lock(&self.state);
        if state.asking {
            state.kept.push(text.into_owned());
            drop(state);
            self.waiting.notify_one();
        } else if let Some(status) = &state.status {
            let text = format!("\r\x1b[K{text}\n{status}");
            state.put(&text);
        } else {
            state.put(&format!("{text}\n"));
        }
    }

    /// Shows a line that the next one is drawn over; only where the screen redraws. It has no colours, so that whatever is
    /// in it, such as a field's name, is made harmless here.
    pub(crate) fn status(&self, text: &str) {
        let mut state = lock(&self.state);
        if !state.asking {
            let width = rustix::termios::tcgetwinsize(rustix::stdio::stderr()).map_or(80, |size| size.ws_col.into());
            let text = self.concealed.hide(text);
            let text = sanitize::visible(text.trim_end(), sanitize::Lines::One);
            let text = line::fit(&text, usize::max(width, 2) - 1);
            state.put(&format!("\r\x1b[K{text}"));
            state.status = Some(text);
        }
    }

    /// Removes the status line: something else is to come.
    pub(crate) fn settle(&self) {
        let mut state = lock(&self.state);
        if state.status.take().is_some() {
            state.put("\r\x1b[K");
        }
    }

    /// A question begins: from now on lines wait for `flush` or `end`.
    fn begin(&self) {
        self.settle();
        let mut state = lock(&self.state);
        state.write_gathered();
        state.asking = true;
    }

    /// A question ends: what waited is shown.
    fn end(&self) {
        let mut state = lock(&self.state);
        state.asking = false;
        for line in std::mem::take(&mut state.kept) {
            write_stderr(&format!("{line}\n"));
        }
    }

    /// Shows what waited, while the question has made room.
    fn flush(&self) {
        let kept = std::mem::take(&mut lock(&self.state).kept);
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
    /// Where the person writes longer texts.
    editor: Option<Editor>,
    /// Whether it understands more than lines.
    draws: bool,
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
        let draws = draws(context);
        let editor = Editor::find(context, draws);
        (foreground == rustix::process::getpgrp()).then_some(Tty { file, editor, draws })
    }

    /// Takes the terminal over to ask at it; dropping what this gives gives it back.
    ///
    /// # Errors
    /// When it is gone.
    pub(crate) fn ask(&self, screen: Arc<Screen>, style: Style) -> std::io::Result<Box<dyn Prompter>> {
        Ok(match self.draws {
            true => Box::new(Drawn::open(self, screen, style)?),
            false => Box::new(Plain::open(self, screen)?),
        })
    }

    fn try_clone(&self) -> std::io::Result<Tty> {
        Ok(Tty { file: self.file.try_clone()?, editor: self.editor.clone(), draws: self.draws })
    }

    /// Columns and rows; 80 by 24 when the terminal does not say.
    fn size(&self) -> (usize, usize) {
        match rustix::termios::tcgetwinsize(&self.file) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
            _ => (80, 24),
        }
    }
}
