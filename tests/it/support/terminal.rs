//! One run of mcpcall at a pseudo-terminal, seen as a person sees it: through the screen.
//!
//! ```ignore
//! let mut terminal = mcpcall(["issue_card"]).on(&server).terminal();
//! terminal.wait_for("What name should go on the card?");
//! terminal.send("Ada\r");
//! let end = terminal.finish();
//! assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"));
//! ```
//! stdout stays a pipe, unless [`Run::stdout_at_terminal`](super::run::Run::stdout_at_terminal) was asked for. Nothing sleeps: send only after `wait_for` saw the last thing the question draws, and prove
//! that nothing more is asked by waiting for the end.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::Pty;
use rustix::process::Signal;
use rustix::termios::{LocalModes, tcgetattr};
use unicode_width::UnicodeWidthStr;

use super::output::Folder;
use super::poll;
use super::process::{self, Capture, Process};
use super::run::{Stdin, feed};

/// Keys as a terminal sends them.
pub(crate) mod keys {
    pub(crate) const ENTER: &str = "\r";
    pub(crate) const ESC: &str = "\x1b";
    pub(crate) const BACKSPACE: &str = "\x7f";
    pub(crate) const UP: &str = "\x1b[A";
    pub(crate) const DOWN: &str = "\x1b[B";
    pub(crate) const CTRL_C: &str = "\x03";
    pub(crate) const CTRL_D: &str = "\x04";
    pub(crate) const CTRL_O: &str = "\x0f";
    pub(crate) const CTRL_U: &str = "\x15";
    pub(crate) const CTRL_Z: &str = "\x1a";
    pub(crate) const PAGE_DOWN: &str = "\x1b[6~";
}

/// How long anything on the screen may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a failure's report needs to know of the run.
pub(crate) struct Shown {
    pub(super) command: String,
    pub(super) log: Option<PathBuf>,
}

/// Which of the program's streams are not what they usually are here.
#[derive(Default)]
pub(crate) struct Plugs {
    pub(super) stdout_at_terminal: bool,
    pub(super) stderr_file: Option<PathBuf>,
}

/// A running mcpcall and its terminal.
pub(crate) struct Terminal {
    process: Process,
    pty: Arc<Pty>,
    display: Display,
    stdout: Capture,
    /// Held open, or mcpcall would see the end of its stdin.
    _stdin: Option<std::process::ChildStdin>,
    folder: Folder,
    shown: Shown,
}

/// What is left when the run is over.
pub(crate) struct End {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    /// The last screen, without trailing blanks.
    pub(crate) screen: String,
    /// Every byte that the terminal was sent.
    pub(crate) raw: Vec<u8>,
    pub(crate) cursor_hidden: bool,
    /// Whether the terminal reads whole lines and echoes them, as it did before.
    pub(crate) cooked: bool,
    pub(super) folder: Folder,
}

impl Terminal {
    pub(super) fn start(
        command: Command,
        stdin: Option<Stdin>,
        plugs: &Plugs,
        folder: Folder,
        (rows, columns): (u16, u16),
        shown: Shown,
    ) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("there are pseudo-terminals");
        pty.resize(Size::new(rows, columns)).expect("a new terminal can be resized");
        let mut command = pty_process::blocking::Command::from(command);
        if !plugs.stdout_at_terminal {
            command = command.stdout(Stdio::piped());
        }
        if let Some(file) = &plugs.stderr_file {
            command = command.stderr(File::create(file).expect("the temporary folder takes files"));
        }
        match &stdin {
            None => {}
            Some(Stdin::Null) => command = command.stdin(Stdio::null()),
            Some(Stdin::NeverEnding | Stdin::Text(_)) => command = command.stdin(Stdio::piped()),
            Some(Stdin::Closed) => panic!("a closed stdin at a terminal is not built; use Null"),
        }
        let mut child = command.spawn(pts).expect("the program starts");
        let kept_open = child.stdin.take().zip(stdin).and_then(|(pipe, stdin)| feed(pipe, stdin));
        let stdout = match child.stdout.take() {
            Some(pipe) => Capture::of(pipe),
            None => Capture::of(std::io::empty()),
        };
        // pty-process makes the child a session leader, hence the leader of a group.
        let process = Process::watch(child, Some(folder.mark()));
        let pty = Arc::new(pty);
        let display = Display::of(Arc::clone(&pty), (rows, columns));
        Terminal { process, pty, display, stdout, _stdin: kept_open, folder, shown }
    }

    /// Wait until `text` stands on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> &mut Self {
        self.wait_until(&format!("{text:?} on the screen"), |screen| screen.contents().contains(text))
    }

    /// Wait until the terminal has been sent these bytes, seen or not.
    #[track_caller]
    pub(crate) fn wait_for_bytes(&mut self, text: &str) -> &mut Self {
        if !self.display.wait_until(|shown| String::from_utf8_lossy(&shown.raw).contains(text)) {
            panic!("waited in vain for {text:?}\n{}", self.report());
        }
        self
    }

    /// Wait until `text` has left the screen.
    #[track_caller]
    pub(crate) fn wait_gone(&mut self, text: &str) -> &mut Self {
        self.wait_until(&format!("{text:?} to leave the screen"), |screen| !screen.contents().contains(text))
    }

    /// Wait for anything that can be seen of a screen; `what` names it when it never comes.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, seen: impl Fn(&vt100::Screen) -> bool) -> &mut Self {
        if !self.display.wait_until(|shown| seen(shown.parser.screen())) {
            panic!("waited in vain for {what}\n{}", self.report());
        }
        self
    }

    /// Type. Several keys at once are fine, as long as the question they answer stands already.
    #[track_caller]
    pub(crate) fn send(&mut self, keys: &str) -> &mut Self {
        let mut pty = &*self.pty;
        pty.write_all(keys.as_bytes())
            .unwrap_or_else(|error| panic!("cannot type {keys:?}: {error}\n{}", self.report()));
        self
    }

    pub(crate) fn signal(&mut self, signal: Signal) -> &mut Self {
        self.process.signal(signal);
        self
    }

    pub(crate) fn resize(&mut self, rows: u16, columns: u16) -> &mut Self {
        self.display.lock().parser.screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).expect("a terminal can be resized");
        self
    }

    /// Resize as most terminals do: lines that are too long for the new width go on in the next row, and the cursor
    /// stays at its character. [`resize`](Self::resize) is what xterm does: it cuts them.
    pub(crate) fn resize_reflowing(&mut self, rows: u16, columns: u16) -> &mut Self {
        let mut showing = self.display.lock();
        showing.parser = reflowed(showing.parser.screen(), rows, columns);
        drop(showing);
        self.pty.resize(Size::new(rows, columns)).expect("a terminal can be resized");
        self
    }

    /// The screen as text, without trailing blanks.
    pub(crate) fn screen(&self) -> String {
        self.display.screen()
    }

    /// The screen as it stands, for `snapshot!(terminal)`; [`End::block`] has more.
    pub(crate) fn block(&self) -> String {
        self.screen()
    }

    pub(crate) fn cursor_hidden(&self) -> bool {
        self.display.lock().parser.screen().hide_cursor()
    }

    /// What came on stdout so far.
    pub(crate) fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// Wait for the end of the run.
    #[track_caller]
    pub(crate) fn finish(mut self) -> End {
        let Some(status) = self.process.wait(PATIENCE) else {
            panic!("still running\n{}", self.report());
        };
        if !(self.stdout.wait_for_end(PATIENCE) && self.display.wait_for_end()) {
            panic!("it ended, but some process still holds its stdout or terminal\n{}", self.report());
        }
        let raw = std::mem::take(&mut self.display.lock().raw);
        End {
            code: process::code(status),
            stdout: self.stdout.text(),
            screen: self.screen(),
            raw,
            cursor_hidden: self.cursor_hidden(),
            cooked: self.cooked(),
            folder: self.folder,
        }
    }

    /// Wait until the terminal is given back while the run goes on: cursor visible, lines read whole and echoed.
    #[track_caller]
    pub(crate) fn wait_given_back(&mut self) -> &mut Self {
        self.wait_until("the cursor", |screen| !screen.hide_cursor());
        assert!(poll(PATIENCE, || self.cooked().then_some(())).is_some(), "the terminal stays raw\n{}", self.report());
        self
    }

    /// The working directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.work()
    }

    /// Whether the terminal reads whole lines and echoes them.
    pub(crate) fn cooked(&self) -> bool {
        let modes = tcgetattr(&*self.pty).expect("a terminal has modes").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    fn report(&self) -> String {
        let log = self.shown.log.as_ref().and_then(|log| std::fs::read_to_string(log).ok()).unwrap_or_default();
        let (screen, stdout) = (self.screen(), self.stdout());
        format!("$ {}\n--- screen\n{screen}\n--- stdout\n{stdout}--- server's log\n{log}", self.shown.command)
    }
}

impl End {
    /// Demand that no process of this run lives on, in whatever group it is.
    #[track_caller]
    pub(crate) fn nothing_left_running(&self) {
        self.folder.nothing_left_running(|| self.block());
    }

    /// Code, stdout and screen in one block, for snapshots.
    pub(crate) fn block(&self) -> String {
        format!("code: {}\n--- stdout\n{}--- screen\n{}", self.code, self.stdout, self.screen)
    }

    /// A file of the working directory, for instance a recorded answer file.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// The screen, kept up to date by a thread that reads the pseudo-terminal.
#[derive(Clone)]
struct Display(Arc<(Mutex<Showing>, Condvar)>);

struct Showing {
    parser: vt100::Parser,
    raw: Vec<u8>,
    ended: bool,
}

impl Display {
    fn of(pty: Arc<Pty>, (rows, columns): (u16, u16)) -> Display {
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        let display =
            Display(Arc::new((Mutex::new(Showing { parser, raw: Vec::new(), ended: false }), Condvar::new())));
        let writer = display.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            // Linux reports the end, when the last process has closed the terminal, as an error.
            while let Ok(n @ 1..) = (&*pty).read(&mut buffer) {
                let mut showing = writer.lock();
                showing.parser.process(&buffer[..n]);
                showing.raw.extend_from_slice(&buffer[..n]);
                drop(showing);
                writer.0.1.notify_all();
            }
            writer.lock().ended = true;
            writer.0.1.notify_all();
        });
        display
    }

    fn screen(&self) -> String {
        let contents = self.lock().parser.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    fn wait_for_end(&self) -> bool {
        self.wait_until(|showing| showing.ended)
    }

    fn wait_until(&self, seen: impl Fn(&Showing) -> bool) -> bool {
        let end = Instant::now() + PATIENCE;
        let mut showing = self.lock();
        loop {
            if seen(&showing) {
                return true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if showing.ended || left.is_zero() {
                return false;
            }
            showing = self.0.1.wait_timeout(showing, left).expect("no thread panics while it holds this lock").0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Showing> {
        self.0.0.lock().expect("no thread panics while it holds this lock")
    }
}

/// The screen with its lines broken anew.
fn reflowed(screen: &vt100::Screen, rows: u16, columns: u16) -> vt100::Parser {
    let (old_rows, old_columns) = screen.size();
    let (cursor_row, cursor_column) = screen.cursor_position();
    let mut parser = vt100::Parser::new(size(rows), size(columns), 0);
    let (mut n_rows, mut row_of_cursor) = (0, 0);
    let last = screen.contents().lines().count().max(usize::from(cursor_row) + 1);
    let mut line = String::new();
    let mut cursor: Option<usize> = None;
    for (row, text) in screen.rows(0, old_columns.get()).take(last).enumerate() {
        if row == usize::from(cursor_row) {
            cursor = Some(UnicodeWidthStr::width(line.as_str()) + usize::from(cursor_column));
        }
        line.push_str(&text);
        if screen.row_wrapped(row as u16) && row + 1 < usize::from(old_rows.get()) {
            continue;
        }
        let width = usize::from(columns);
        if let Some(cursor) = cursor.take() {
            row_of_cursor = n_rows + cursor / width;
            line.extend(std::iter::repeat_n(' ', cursor.saturating_sub(UnicodeWidthStr::width(line.as_str()))));
        }
        if n_rows > 0 {
            parser.process(b"\r\n");
        }
        parser.process(line.as_bytes());
        n_rows += UnicodeWidthStr::width(line.as_str()).div_ceil(width).max(1);
        line.clear();
    }
    let scrolled = n_rows.saturating_sub(usize::from(rows));
    let hidden = if screen.hide_cursor() { "\x1b[?25l" } else { "" };
    let (row, column) =
        (row_of_cursor.saturating_sub(scrolled) + 1, usize::from(cursor_column) % usize::from(columns) + 1);
    parser.process(format!("\x1b[{row};{column}H{hidden}").as_bytes());
    parser
}

fn size(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has rows and columns")
}
