//! What a server tells, as lines on stderr: logs, progress, other notifications, its own stderr, warnings.

use super::report::Report;
use super::trace::Trace;
use crate::session::host::Event;
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, one_line, visible};
use crate::terminal::style::Look;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

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
    /// `--trace` and `--trace-file`.
    pub(crate) trace: Option<Arc<Trace>>,
    /// `--report`, once it is begun.
    pub(crate) report: Arc<OnceLock<Report>>,
}

impl Events {
    /// Shows one event.
    pub(crate) fn show(&self, event: &Event<'_>) {
        if let Some(report) = self.report.get() {
            report.event(event);
        }
        match (event, &self.trace) {
            (Event::Wire(wire, era), Some(trace)) => return trace.wire(wire, era),
            (Event::Stderr(line), Some(trace)) => trace.stderr(line),
            _ => {}
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
                self.progress(progress, *total, message.unwrap_or_default())
            }
            Event::Notification { method, params } if self.verbose => {
                let text = params.map_or_else(String::new, |raw| one_line(raw.get(), MENTION));
                self.labelled(Look::Dim, method, &text);
            }
            Event::Said { label, text } => self.labelled(Look::Dim, label, text),
            Event::Stderr(line) => self.stderr("server", line),
            Event::Command(line) => self.stderr("command", line),
            Event::Warning(text) => {
                let label = self.screen.style.paint(Look::Yellow, "warning:");
                self.screen.line(&format!("mcpcall: {label} {}", one_line(text, 2000)));
            }
            Event::Note(text) if self.verbose => {
                self.screen.line(&self.screen.style.paint(Look::Dim, &format!("mcpcall: {}", one_line(text, 2000))));
            }
            Event::Gather(more) => self.screen.gather(*more),
            Event::Notification { .. } | Event::Note(_) | Event::Wire(..) => {}
        }
    }

    /// A bar at a terminal, a line elsewhere.
    fn progress(&self, progress: &str, total: Option<&str>, message: &str) {
        let of = total.map_or_else(String::new, |total| format!("/{total}"));
        if self.screen.redraws {
            let share = total.and_then(|total| Some(progress.parse::<f64>().ok()? / total.parse::<f64>().ok()?));
            let bar = share.map_or_else(String::new, |share| format!("{} ", bar(share)));
            self.screen.status(&format!("{bar}{progress}{of} {}", visible(message, Lines::One)));
        } else {
            self.labelled(Look::Dim, &format!("progress {progress}{of}"), message);
        }
    }

    fn stderr(&self, whose: &str, line: &str) {
        let line = format!("[{whose}] {}", visible(line, Lines::One));
        self.screen.line(&self.screen.style.paint(Look::Dim, line.trim_end()));
    }

    /// `[label] text`; further lines of the text are indented, so that none passes for a line of ours.
    fn labelled(&self, look: Look, label: &str, text: &str) {
        let label = self.screen.style.paint(look, &format!("[{}]", visible(label, Lines::One)));
        let text = visible(text.trim_end(), Lines::Many).replace('\n', "\n  ");
        let space = if text.is_empty() { "" } else { " " };
        self.screen.line(&format!("{label}{space}{text}"));
    }
}

/// How many characters a full bar has.
const BAR: usize = 20;

/// A bar for a share of the whole; servers send more than the whole, and less than nothing, too.
pub(super) fn bar(share: f64) -> String {
    let filled = (share.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    format!("[{}{}]", "#".repeat(filled), "-".repeat(BAR - filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_length_whatever_the_share() {
        for (share, filled) in
            [(0.0, 0), (0.5, 10), (1.0, 20), (7.0, 20), (-1.0, 0), (f64::NAN, 0), (f64::INFINITY, 20)]
        {
            assert_eq!(bar(share), format!("[{}{}]", "#".repeat(filled), "-".repeat(20 - filled)), "{share}");
        }
    }
}
