//! `--trace`: everything that crosses the wire, in curl's manner: `>` for what we send, `<` for what comes; and
//! `--trace-file`: the same as NDJSON, with the server's stderr. Secrets are masked before anything is shown.

use crate::session::host::{Direction, Wire};
use crate::sync::lock;
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, visible};
use crate::terminal::style::Look;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Shows the wire; times count from when it was made.
pub(crate) struct Trace {
    start: Instant,
    screen: Arc<Screen>,
    shows: bool,
    /// `None` once it takes no more.
    file: Mutex<Option<File>>,
}

impl Trace {
    /// A trace to the screen (`shows`), to a file, or both.
    pub(crate) fn new(screen: Arc<Screen>, shows: bool, file: Option<File>) -> Self {
        Trace { start: Instant::now(), screen, shows, file: Mutex::new(file) }
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
        self.write(|| json!({ "t": self.seconds(), "dir": "stderr", "text": line }));
    }

    fn seconds(&self) -> f64 {
        (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6
    }

    fn show(&self, wire: &Wire<'_>) {
        let mark = match wire.direction {
            Direction::Sent => ">",
            Direction::Received => "<",
        };
        let time = format!("{mark} +{:.3}s", self.start.elapsed().as_secs_f64());
        let line = |text: &str| self.screen.line(&self.screen.style.paint(Look::Dim, text));
        if !wire.line.is_empty() {
            line(&format!("{time} {}", visible(&mask_url(wire.line), Lines::One)));
        }
        for (name, value) in wire.headers {
            line(&format!("{mark}   {}: {}", visible(name, Lines::One), visible(&mask(name, value), Lines::One)));
        }
        if !wire.text.is_empty() {
            let lead = if wire.line.is_empty() { time.as_str() } else { mark };
            line(&format!("{lead} {}", visible(&mask_text(wire.text), Lines::One)));
        }
    }

    fn record(&self, wire: &Wire<'_>, era: &str) -> Value {
        let direction = match wire.direction {
            Direction::Sent => "sent",
            Direction::Received => "received",
        };
        let mut record = json!({ "t": self.seconds(), "dir": direction, "era": era });
        if !wire.line.is_empty() {
            record["line"] = mask_url(wire.line).into();
        }
        if !wire.headers.is_empty() {
            let mut headers = Map::new();
            for (name, value) in wire.headers {
                let value = mask(name, value);
                match headers.get_mut(name) {
                    Some(Value::String(known)) => known.push_str(&format!(", {value}")),
                    _ => drop(headers.insert(name.clone(), value.into())),
                }
            }
            record["headers"] = headers.into();
        }
        if !wire.text.is_empty() {
            // What is no JSON stands as the text it is.
            record["message"] = serde_json::from_str(wire.text).unwrap_or_else(|_| mask_text(wire.text).into());
        }
        record
    }

    /// A file that takes no more is no reason to end the run, but is told, once.
    fn write(&self, record: impl FnOnce() -> Value) {
        let mut slot = lock(&self.file);
        let Some(file) = slot.as_mut() else { return };
        if let Err(error) = file.write_all(format!("{}\n", record()).as_bytes()) {
            *slot = None;
            self.screen.line(&format!("mcpcall: warning: the trace file takes no more: {error}"));
        }
    }
}

/// A header's value as it may be shown; one may be a URL with a token in it.
fn mask(name: &str, value: &str) -> String {
    if is_secret(name) { "***".to_owned() } else { mask_url(value) }
}

/// Headers whose values are never shown: credentials, cookies, session ids, and whatever is named like one.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "cookie", "session", "token", "secret", "key", "password", "dpop"].iter().any(|word| name.contains(word))
}

/// A text that is no JSON may be an address: the HTTP+SSE transport says so where to post to, with the session in it.
fn mask_text(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with(['{', '[']) { text.into() } else { mask_url(text).into() }
}

/// Hides `user:password@` in a URL, and the values of query parameters that are named like secrets.
fn mask_url(line: &str) -> String {
    let line = mask_userinfo(line);
    let Some((before, query)) = line.split_once('?') else { return line };
    let masked = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}=***"),
        _ => pair.to_owned(),
    });
    format!("{before}?{}", masked.collect::<Vec<_>>().join("&"))
}

fn mask_userinfo(line: &str) -> String {
    let Some((scheme, rest)) = line.split_once("://") else { return line.to_owned() };
    let authority_end = rest.find(['/', '?', '#', ' ']).unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => format!("{scheme}://***{}", &rest[at..]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked() {
        for name in
            ["Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "Mcp-Session-Id", "X-Api-Key", "DPoP"]
        {
            assert!(is_secret(name), "{name}");
        }
        assert!(!is_secret("Content-Type") && !is_secret("MCP-Protocol-Version"));
        assert_eq!(mask_url("POST http://u:p@h/mcp"), "POST http://***@h/mcp");
        assert_eq!(mask_url("POST http://h/mcp?a=b@c"), "POST http://h/mcp?a=b@c");
        assert_eq!(mask_text("/messages/?session_id=1"), "/messages/?session_id=***");
        assert_eq!(mask_text(r#"{"a":"?key=1"}"#), r#"{"a":"?key=1"}"#);
        assert_eq!(mask_url("GET http://h/?api_key=1&x=2"), "GET http://h/?api_key=***&x=2");
    }
}
