//! `--trace`: everything that crosses the wire, in curl's manner: `>` for what we send, `<` for what comes.
//! Secrets are masked before anything is shown.

use crate::session::host::{Direction, Wire};
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, visible};
use crate::terminal::style::Look;
use std::sync::Arc;
use std::time::Instant;

/// Shows the wire.
pub(crate) struct Trace {
    screen: Arc<Screen>,
    start: Instant,
}

impl Trace {
    /// A trace whose times count from now.
    pub(crate) fn new(screen: Arc<Screen>) -> Self {
        Trace { screen, start: Instant::now() }
    }

    /// Shows one thing that crossed.
    pub(crate) fn show(&self, wire: &Wire<'_>) {
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
            let value = if is_secret(name) { "***" } else { value };
            line(&format!("{mark}   {}: {}", visible(name, Lines::One), visible(value, Lines::One)));
        }
        if !wire.text.is_empty() {
            let lead = if wire.line.is_empty() { time.as_str() } else { mark };
            line(&format!("{lead} {}", visible(wire.text, Lines::One)));
        }
    }
}

/// Headers whose values are never shown: credentials, cookies, session ids, and whatever is named like one.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "cookie", "session", "token", "secret", "key", "password", "dpop"].iter().any(|word| name.contains(word))
}

/// Hides `user:password@` in a URL.
fn mask_url(line: &str) -> String {
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
    }
}
