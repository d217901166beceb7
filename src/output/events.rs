//! What a server tells, as lines on stderr: logs, progress, other notifications, its own stderr, warnings.

use super::trace::Trace;
use crate::session::host::Event;
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, one_line, visible};
use crate::terminal::style::Look;
use serde_json::Value;
use std::sync::Arc;

/// How much of a notification that is only mentioned is shown.
const MENTION: usize = 400;

/// Shows events.
pub(crate) struct Events {
    /// Where.
    pub(crate) screen: Arc<Screen>,
    /// `-q`: nothing but errors.
    pub(crate) quiet: bool,
    /// `-v`: notifications that have no words of their own, too.
    pub(crate) verbose: bool,
    /// `--trace`.
    pub(crate) trace: Option<Trace>,
}

impl Events {
    /// Shows one event.
    pub(crate) fn show(&self, event: &Event<'_>) {
        if let Event::Wire(wire, _) = event {
            if let Some(trace) = &self.trace {
                trace.show(wire);
            }
            return;
        }
        if self.quiet {
            return;
        }
        match event {
            Event::Log { level, logger, data } => {
                let look = match *level {
                    "debug" | "info" | "notice" => Look::Dim,
                    "warning" => Look::Yellow,
                    _ => Look::Red,
                };
                let name = logger.map_or_else(String::new, |logger| format!(" {logger}"));
                let text = match data {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                self.labelled(look, &format!("{level}{name}"), &text);
            }
            Event::Progress { progress, total, message } => {
                let of = total.map_or_else(String::new, |total| format!("/{total}"));
                self.labelled(Look::Dim, &format!("progress {progress}{of}"), message.unwrap_or_default());
            }
            Event::Notification { method, params } if self.verbose => {
                let text = params.map_or_else(String::new, |raw| one_line(raw.get(), MENTION));
                self.labelled(Look::Dim, method, &text);
            }
            Event::Stderr(line) => {
                let line = format!("[server] {}", visible(line, Lines::One));
                self.screen.line(&self.screen.style.paint(Look::Dim, line.trim_end()));
            }
            Event::Warning(text) => {
                let label = self.screen.style.paint(Look::Yellow, "warning:");
                self.screen.line(&format!("mcpcall: {label} {}", one_line(text, 2000)));
            }
            Event::Note(text) if self.verbose => {
                self.screen.line(&self.screen.style.paint(Look::Dim, &format!("mcpcall: {}", one_line(text, 2000))));
            }
            Event::Notification { .. } | Event::Note(_) | Event::Wire(..) => {}
        }
    }

    /// `[label] text`; further lines of the text are indented, so that none passes for a line of ours.
    fn labelled(&self, look: Look, label: &str, text: &str) {
        let label = self.screen.style.paint(look, &format!("[{}]", visible(label, Lines::One)));
        let text = visible(text.trim_end(), Lines::Many).replace('\n', "\n  ");
        let space = if text.is_empty() { "" } else { " " };
        self.screen.line(&format!("{label}{space}{text}"));
    }
}
