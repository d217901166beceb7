//! `--trace`: everything that crosses the wire, in curl's manner: `>` for what we send, `<` for what comes; and
//! `--trace-file`: the same as NDJSON, with the server's stderr. Headers and addresses are shown without their
//! secrets, bodies as they are: whoever debugs a server wants to see them, and `answers stub` reads them.

use crate::complexity;
use crate::secrets::known::Known;
use crate::secrets::{header_masked, text_masked, url_masked};
use crate::session::host::{Direction, Wire};
use crate::sync::lock;
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, visible};
use crate::terminal::style::Look;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Shows the wire; times count from when it was made.
pub(crate) struct Trace {
    start: Instant,
    screen: Arc<Screen>,
    shows: bool,
    known: OnceLock<Known>,
    /// `None` before it is opened, and once it takes no more.
    file: Mutex<Option<File>>,
}

impl Trace {
    /// A trace to the screen (`shows`), or to the file that `open` names, or both.
    pub(crate) fn new(screen: Arc<Screen>, shows: bool) -> Self {
        Trace { start: Instant::now(), screen, shows, known: OnceLock::new(), file: Mutex::default() }
    }

    /// Hides these secrets from here on, other than in bodies.
    pub(crate) fn know(&self, known: Known) {
        let _ = self.known.set(known);
    }

    fn hide(&self, text: &str) -> String {
        self.known.get().map_or_else(|| text.to_owned(), |known| known.hide(text))
    }

    /// Writes to a file from here on; what was in it is gone.
    ///
    /// # Errors
    /// When there is no writing there.
    pub(crate) fn open(&self, path: &Path) -> std::io::Result<()> {
        *lock(&self.file) = Some(File::create(path)?);
        Ok(())
    }

    /// Shows one thing that crossed.
    pub(crate) fn wire(&self, wire: &Wire<'_>, era: &str) {
        if self.shows {
            self.show(wire);
        }
        self.write(|| self.record(wire, era));
    }

    /// Notes a line of the server's stderr, in the file only: on the screen it stands anyway.
    pub(crate) fn stderr(&self, line: &str) {
        self.write(|| json!({ "t": self.seconds(), "dir": "stderr", "text": self.hide(line) }));
    }

    fn seconds(&self) -> f64 {
        (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6
    }

    fn line(&self, wire: &Wire<'_>) -> String {
        self.hide(&url_masked(wire.line))
    }

    fn header(&self, name: &str, value: &str) -> String {
        self.hide(&header_masked(name, value))
    }

    /// JSON is a body, and stands as it is.
    fn text<'w>(&self, wire: &Wire<'w>) -> Cow<'w, str> {
        match text_masked(wire.text) {
            Cow::Owned(address) => self.hide(&address).into(),
            body => body,
        }
    }

    fn show(&self, wire: &Wire<'_>) {
        let mark = match wire.direction {
            Direction::Sent => ">",
            Direction::Received => "<",
        };
        let time = format!("{mark} +{:.3}s", self.start.elapsed().as_secs_f64());
        let line = |text: &str| self.screen.line(&self.screen.style.paint(Look::Dim, text));
        if !wire.line.is_empty() {
            line(&format!("{time} {}", visible(&self.line(wire), Lines::One)));
        }
        for (name, value) in wire.headers {
            line(&format!(
                "{mark}   {}: {}",
                visible(name, Lines::One),
                visible(&self.header(name, value), Lines::One)
            ));
        }
        if !wire.text.is_empty() {
            let lead = if wire.line.is_empty() { time.as_str() } else { mark };
            line(&format!("{lead} {}", visible(&self.text(wire), Lines::One)));
        }
    }

    fn record(&self, wire: &Wire<'_>, era: &str) -> Value {
        let direction = match wire.direction {
            Direction::Sent => "sent",
            Direction::Received => "received",
        };
        let mut record = json!({ "t": self.seconds(), "dir": direction, "era": era });
        if !wire.line.is_empty() {
            record["line"] = self.line(wire).into();
        }
        if !wire.headers.is_empty() {
            let mut headers = Map::new();
            for (name, value) in wire.headers {
                let value = self.header(name, value);
                match headers.get_mut(name) {
                    Some(Value::String(known)) => known.push_str(&format!(", {value}")),
                    _ => drop(headers.insert(name.clone(), value.into())),
                }
            }
            record["headers"] = headers.into();
        }
        if !wire.text.is_empty() {
            // What is no JSON stands as the text it is.
            record["message"] = complexity::read(wire.text).unwrap_or_else(|_| self.text(wire).into());
        }
        record
    }

    /// A file that takes no more is no reason to end the run, but is told, once.
    fn write(&self, record: impl FnOnce() -> Value) {
        let mut slot = lock(&self.file);
        let Some(file) = slot.as_mut() else { return };
        let mut record = record();
        self.screen.concealed.hide_in(&mut record);
        let end = file.stream_position();
        if let Err(error) = file.write_all(format!("{record}\n").as_bytes()) {
            // Every line that is left is a whole one; of a pipe nothing can be taken back.
            let _ = end.and_then(|end| file.set_len(end));
            *slot = None;
            self.screen.line(&format!("mcpcall: warning: the trace file takes no more: {error}"));
        }
    }
}
