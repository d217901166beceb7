//! `--report FILE`: the run as one page for a browser, made of `page.html`, `page.css` and `page.js`. What crosses the wire
//! goes into the file as it comes, a JSON object a line, and is drawn by the script; nothing of it is ever markup.

mod page;
mod secrets;

use crate::failure::Failure;
use crate::files::Draft;
use crate::secrets::{header_masked, prose_masked, url_masked};
use crate::session::host::{Direction, Event, Wire};
use crate::sync::lock;
use crate::terminal::concealed::Concealed;
use crate::terminal::sanitize::visible_json;
use secrets::Secrets;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How much of one message is kept.
const TEXT: usize = 1 << 20;
/// How many records are kept from the beginning, and how many bytes of them.
const HEAD: (usize, usize) = (200_000, 64 << 20);
/// How many are kept from the end, if there are more.
const TAIL: (usize, usize) = (1000, 8 << 20);

/// The command line without its secrets, and what is to be hidden wherever it stands.
#[derive(Debug, Default)]
pub(crate) struct Command {
    /// As it is shown.
    pub(crate) line: String,
    /// The secrets that are known before anything has crossed the wire.
    pub(crate) secrets: Vec<String>,
}

/// A report that is being written; times count from when it was begun.
pub(crate) struct Report {
    start: Instant,
    started: SystemTime,
    command: String,
    concealed: Arc<Concealed>,
    state: Mutex<State>,
}

struct State {
    /// `None` once it is finished, or takes no more.
    draft: Option<Draft>,
    trouble: Option<io::Error>,
    secrets: Secrets,
    written: (usize, usize),
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: u64,
}

impl Report {
    /// Begins the report of a command.
    ///
    /// # Errors
    /// When there is no writing there.
    pub(crate) fn begin(path: &Path, command: &Command, concealed: Arc<Concealed>) -> io::Result<Self> {
        let mut draft = Draft::begin(path)?;
        draft.write_all(page::head().as_bytes())?;
        Ok(Report {
            start: Instant::now(),
            started: SystemTime::now(),
            command: command.line.clone(),
            concealed,
            state: Mutex::new(State {
                draft: Some(draft),
                trouble: None,
                secrets: Secrets::new(&command.secrets),
                written: (0, 0),
                tail: VecDeque::new(),
                tail_bytes: 0,
                left_out: 0,
            }),
        })
    }

    /// Takes down one event, if it is of a kind that belongs in a report.
    pub(crate) fn event(&self, event: &Event<'_>) {
        let t = (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let mut state = lock(&self.state);
        if state.draft.is_none() {
            return;
        }
        let mut record = match event {
            Event::Wire(wire, era) => state.wire(t, wire, era),
            Event::Stderr(line) => {
                json!({ "t": t, "dir": "stderr", "text": state.secrets.hide(&prose_masked(line)) })
            }
            Event::Command(line) => state.note(t, "command", line),
            Event::Warning(line) => state.note(t, "warning", line),
            Event::Note(line) => state.note(t, "note", line),
            Event::Said { label, text } => state.note(t, label, text),
            // These are on the wire.
            Event::Notification { .. } | Event::Log { .. } | Event::Progress { .. } | Event::Gather(_) => return,
        };
        self.concealed.hide_in(&mut record);
        state.keep(&record);
    }

    /// Ends the report with what came of the run, and puts it in place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn finish(&self, outcome: Result<(), &Failure>) -> io::Result<()> {
        let mut state = lock(&self.state);
        let mut end = self.end(outcome, &state);
        self.concealed.hide_in(&mut end);
        let State { tail, left_out, .. } = &mut *state;
        let tail = std::mem::take(tail);
        let gap = (*left_out > 0).then(|| json!({ "dir": "gap", "count": *left_out }).to_string());
        let rest: Vec<String> = gap.into_iter().map(|gap| gap + "\n").chain(tail).collect();
        let Some(mut draft) = state.draft.take() else {
            return Err(state.trouble.take().unwrap_or_else(|| io::Error::other("it was finished before")));
        };
        rest.iter().try_for_each(|line| draft.write_all(line.as_bytes()))?;
        draft.write_all(page::foot(&inert(&end.to_string())).as_bytes())?;
        draft.keep()
    }

    fn end(&self, outcome: Result<(), &Failure>, state: &State) -> Value {
        let started = self.started.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        let mut end = json!({
            "version": env!("CARGO_PKG_VERSION"),
            // Only the messages have told which arguments the tool calls secrets.
            "command": state.secrets.hide(&self.command),
            "started": (started * 1e3).round(),
            "seconds": self.start.elapsed().as_secs_f64(),
            "exit": 0,
            "kind": "success",
        });
        if let Err(failure) = outcome {
            let hide = |text: &str| Value::from(state.secrets.hide(&prose_masked(text)));
            end["exit"] = failure.kind.exit().into();
            end["kind"] = failure.kind.name().into();
            end["message"] = hide(&failure.message);
            end["hints"] = failure.hints.iter().map(|hint| hide(hint)).collect();
            end["detail"] = failure.detail.as_deref().map_or(Value::Null, hide);
            end["data"] = failure.data.as_ref().map_or(Value::Null, |data| hide(&data.to_string()));
        }
        end
    }
}

impl State {
    fn note(&self, t: f64, label: &str, text: &str) -> Value {
        json!({ "t": t, "dir": "note", "label": label, "text": self.secrets.hide(&prose_masked(text)) })
    }

    fn wire(&mut self, t: f64, wire: &Wire<'_>, era: &str) -> Value {
        let is_sent = wire.direction == Direction::Sent;
        let mut record = json!({ "t": t, "dir": if is_sent { "sent" } else { "received" }, "era": era });
        // First: headers may repeat what the text shows to be a secret.
        let text = self.secrets.message(is_sent, wire.text);
        if !wire.line.is_empty() {
            record["line"] = self.secrets.hide(&url_masked(wire.line)).into();
        }
        if !wire.headers.is_empty() {
            let shown = |(name, value): &(String, String)| {
                let is_hidden = is_sent && self.secrets.is_hidden_header(name);
                let value = if is_hidden { "***".to_owned() } else { header_masked(name, value) };
                json!([name, self.secrets.hide(&value)])
            };
            record["headers"] = wire.headers.iter().map(shown).collect();
        }
        if !wire.text.is_empty() {
            let kept = (0..=TEXT.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            if kept < text.len() {
                record["cut"] = text.len().into();
            }
            record["text"] = text[..kept].into();
        }
        record
    }

    /// Writes a record, or, once there are many, keeps it for the end as long as no newer ones need its place.
    fn keep(&mut self, record: &Value) {
        let line = inert(&record.to_string()) + "\n";
        let (records, bytes) = self.written;
        if records < HEAD.0 && bytes + line.len() <= HEAD.1 && self.tail.is_empty() {
            self.written = (records + 1, bytes + line.len());
            if let Some(draft) = &mut self.draft
                && let Err(error) = draft.write_all(line.as_bytes())
            {
                self.draft = None;
                self.trouble = Some(error);
            }
            return;
        }
        self.tail_bytes += line.len();
        self.tail.push_back(line);
        while self.tail.len() > TAIL.0 || self.tail_bytes > TAIL.1 {
            let Some(oldest) = self.tail.pop_front() else { return };
            self.tail_bytes -= oldest.len();
            self.left_out += 1;
        }
    }
}

/// JSON text that an HTML parser finds nothing in, and a terminal that prints the page neither: what could end or open an
/// element, and what steers a terminal, is escaped, which is the same JSON.
fn inert(json: &str) -> String {
    visible_json(json).replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(path: &Path, secrets: &[&str]) -> Report {
        let secrets = secrets.iter().map(|secret| (*secret).to_owned()).collect();
        Report::begin(path, &Command { line: "mcpcall t".into(), secrets }, Arc::default()).unwrap()
    }

    /// The records and the end of a finished report.
    fn read(path: &Path) -> (Vec<Value>, Value) {
        let html = std::fs::read_to_string(path).unwrap();
        let block = |id: &str| {
            let rest = html.split(&format!("id=\"{id}\">")).nth(1).unwrap();
            rest.split("</script>").next().unwrap().trim().to_owned()
        };
        let records = block("records").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (records, serde_json::from_str(&block("end")).unwrap())
    }

    #[test]
    fn what_comes_is_kept_and_nothing_of_it_is_markup() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.html");
        let report = report(&path, &["hunter22"]);
        let hostile = "</script><script>alert(1)</script><!-- hunter22";
        report.event(&Event::Stderr(hostile));
        let text = format!(r#"{{"id":1,"result":{{"a":"{hostile}","n":1.50}}}}"#);
        let wire = Wire { direction: Direction::Received, line: "200 OK", headers: &[], text: &text };
        report.event(&Event::Wire(wire, "legacy"));
        assert!(!path.exists());
        let failure = Failure::connect("no </script> hunter22").hint("http://u:p@h/");
        report.finish(Err(&failure)).unwrap();
        let html = std::fs::read_to_string(&path).unwrap();
        assert!(!html.contains("alert(1)</script") && !html.contains("<!-- ") && !html.contains("hunter22"));
        let (records, end) = read(&path);
        assert_eq!(records[0]["text"], hostile.replace("hunter22", "***"));
        assert!(records[1]["text"].as_str().unwrap().contains("\"n\":1.50"));
        assert_eq!((&end["exit"], &end["message"]), (&4.into(), &"no </script> ***".into()));
        assert_eq!(end["hints"][0], "http://***@h/");
    }

    #[test]
    fn a_flood_is_cut_in_the_middle_and_that_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.html");
        let report = report(&path, &[]);
        let n_more = TAIL.0 + 500;
        for n in 0..HEAD.0 + n_more {
            report.event(&Event::Stderr(&n.to_string()));
        }
        report.finish(Ok(())).unwrap();
        let (records, end) = read(&path);
        assert_eq!(records.len(), HEAD.0 + 1 + TAIL.0);
        assert_eq!(records[HEAD.0], json!({ "dir": "gap", "count": 500 }));
        assert_eq!(records.last().unwrap()["text"], (HEAD.0 + n_more - 1).to_string());
        assert_eq!(end["exit"], 0);
    }

    #[test]
    fn a_message_too_large_is_cut_where_a_character_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.html");
        let report = report(&path, &[]);
        let text = format!("{{\"a\":\"{}\"}}", "é".repeat(TEXT));
        report.event(&Event::Wire(Wire { direction: Direction::Sent, line: "", headers: &[], text: &text }, "legacy"));
        report.finish(Ok(())).unwrap();
        let (records, _) = read(&path);
        assert_eq!(records[0]["cut"], text.len());
        assert!(records[0]["text"].as_str().unwrap().len() <= TEXT);
    }
}
