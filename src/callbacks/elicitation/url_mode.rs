//! URL mode: the person is told where to go and consents; nothing is fetched and nothing opened without a yes.
//! `accept` means consent, not that the flow is done, so it is sent at once (client/elicitation).

use super::flags::{OnElicit, Open};
use super::{Elicitation, Question, say};
use crate::callbacks::desk::lock;
use crate::failure::Failure;
use crate::session::host::{Ask, Event, Raw, Reply, RpcError};
use crate::terminal::prompter::{Choose, Leave, Prompter, Said};
use crate::terminal::sanitize::one_line;
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

impl Elicitation {
    /// Answers a URL question that no entry of the answer file fits. Defaults say nothing about a URL.
    pub(super) async fn by_url(&self, ask: &Ask, question: &Question, message: &str, url: &str) -> Reply {
        if !is_web(url) {
            let what = format!("{} asked to open {url}, which is neither http nor https", ask.server);
            self.desk.fail(Failure::protocol(what));
            return Reply::Error(RpcError::new(-32602, "only http and https URLs are opened"));
        }
        match self.otherwise {
            OnElicit::Prompt => self.url_by_person(ask, question, message, url).await,
            OnElicit::Fail | OnElicit::Defaults => self.nobody(ask, question),
            OnElicit::Decline => say("decline"),
            OnElicit::Cancel => say("cancel"),
        }
    }

    async fn url_by_person(&self, ask: &Ask, question: &Question, message: &str, url: &str) -> Reply {
        if self.open == Open::Never {
            return self.nobody(ask, question);
        }
        let Some(mut turn) = self.desk.turn(ask, message).await else { return self.nobody(ask, question) };
        let shown = |text: &str| one_line(text, 2000);
        turn.terminal.say(&format!("  Host: {}", shown(host(url).unwrap_or("(none)"))));
        turn.terminal.say(&format!("  URL:  {}", shown(url)));
        for caution in cautions(url) {
            turn.terminal.say(&format!("  ! {caution}"));
        }
        turn.terminal.say("");
        let options = [
            "Accept, and open it".to_owned(),
            "Accept: I open it myself".to_owned(),
            "Decline: tell the server no".to_owned(),
            "Cancel: dismiss the question".to_owned(),
        ];
        let choose = Choose { label: "Visit it?", help: "", options: &options, at: 0, can_go_back: false };
        let said = turn.terminal.choose(choose).await;
        drop(turn);
        match said {
            Said::Given(row @ (0 | 1)) => {
                self.desk.answered();
                if row == 0 {
                    self.open_url(url);
                }
                say("accept")
            }
            Said::Given(2) | Said::Left(Leave::Decline) => say("decline"),
            Said::Left(how) => {
                self.desk.left(how).await;
                say("cancel")
            }
            Said::Given(_) | Said::Back => say("cancel"),
        }
    }

    /// The answer file has said yes: `--open CMD` opens it, else the person finds the URL on stderr.
    pub(super) fn open_prepared(&self, url: &str) {
        match self.open {
            Open::Command(_) => self.open_url(url),
            Open::Ask | Open::Never => self.warn(&format!("accepted as the answer file says; the URL to visit: {url}")),
        }
    }

    /// Starts what opens the URL, without a shell, and does not wait for it.
    fn open_url(&self, url: &str) {
        let system = ["open".to_owned()];
        let words: &[String] = match &self.open {
            Open::Command(words) => words,
            Open::Ask if cfg!(target_os = "macos") => &system,
            Open::Ask | Open::Never => &["xdg-open".to_owned()],
        };
        let mut command = tokio::process::Command::new(&words[0]);
        command.args(&words[1..]).arg(url).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Err(error) = command.spawn() {
            self.warn(&format!("cannot start {}: {error}; the URL to visit: {url}", words[0]));
        }
    }

    /// Notes that the server reports a visit complete; false for one that nobody knows of.
    pub(super) fn note_complete(&self, params: Option<&Raw>) -> bool {
        let id = params
            .and_then(|raw| raw.value().ok())
            .and_then(|value| value.get("elicitationId").and_then(Value::as_str).map(str::to_owned));
        match id {
            Some(id) if lock(&self.visits).contains(&id) => {
                self.completed.send_modify(|completed| completed.extend([id]));
                (self.desk.show)(Event::Said { label: "elicitation", text: "the server reports the visit complete" });
                true
            }
            _ => false,
        }
    }

    /// Waits until the flows are complete, or the person says so. Without a person a server that never reports is
    /// not waited for long.
    pub(super) async fn visited(&self, ask: &Ask, ids: &[String]) -> bool {
        let mut completed = self.completed.subscribe();
        let all = completed.wait_for(|completed| ids.iter().all(|id| completed.contains(id)));
        if self.otherwise != OnElicit::Prompt {
            let _ = tokio::time::timeout(UNATTENDED, all).await;
            return true;
        }
        let Some(mut turn) = self.desk.turn(ask, "Waiting for you to finish in the browser.").await else {
            return true;
        };
        let options = ["Done: call again".to_owned(), "Give up".to_owned()];
        let choose = Choose {
            label: "Done?",
            help: "goes on by itself when the server says so",
            options: &options,
            at: 0,
            can_go_back: false,
        };
        let said = tokio::select! {
            said = turn.terminal.choose(choose) => Some(said),
            _ = all => None,
        };
        drop(turn);
        match said {
            None | Some(Said::Given(0)) => true,
            Some(Said::Left(how)) => {
                self.desk.left(how).await;
                false
            }
            Some(_) => false,
        }
    }

    fn warn(&self, text: &str) {
        (self.desk.show)(Event::Warning(text));
    }
}

/// How long a scripted run waits for the server to report a flow complete.
const UNATTENDED: Duration = Duration::from_secs(5);

/// What a person should know of a URL before going there.
fn cautions(url: &str) -> Vec<&'static str> {
    let host = host(url).unwrap_or_default();
    let mut cautions = Vec::new();
    let authority = url.split("://").nth(1).unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains(['@', '\\']) {
        cautions.push("What stands before the @ is no host; you would go to the host above.");
    }
    if host.split('.').any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))) {
        cautions.push("The host is written in Punycode: it may look like another name in a browser.");
    }
    if !host.is_ascii() {
        cautions.push("The host has letters beyond ASCII: it may look like another name.");
    }
    if url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://")) {
        cautions.push("The connection would not be encrypted (http).");
    }
    cautions
}

fn is_web(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default();
    ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
}

/// The host of a URL as it will be connected to: what stands behind the last `@` of the authority.
pub(super) fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(_) => host.split_inclusive(']').next()?,
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tricks_are_told() {
        for (url, n) in [
            ("https://pay.example.com/x@y", 0),
            ("https://pay.example.com@evil.example/", 1),
            ("https://xn--pple-43d.com", 1),
            ("https://аpple.com", 1),
            ("http://xn--pple-43d.com\\@x/", 3),
        ] {
            assert_eq!(cautions(url).len(), n, "{url}");
        }
    }

    #[test]
    fn only_the_web_is_opened() {
        for (url, web) in
            [("https://x", true), ("HTTP://x", true), ("javascript:alert(1)", false), ("file:///x", false), ("", false)]
        {
            assert_eq!(is_web(url), web, "{url}");
        }
    }

    #[test]
    fn the_host_is_what_will_be_connected_to() {
        let cases = [
            ("https://pay.example.com/x?y", Some("pay.example.com")),
            ("https://pay.example.com@evil.example/", Some("evil.example")),
            ("https://pay.example.com:443", Some("pay.example.com")),
            ("http://[::1]:80/", Some("[::1]")),
            ("https://evil.example\\@pay.example.com", Some("evil.example")),
            ("javascript:alert(1)", None),
            ("https:///x", None),
        ];
        for (url, expected) in cases {
            assert_eq!(host(url), expected, "{url}");
        }
    }
}
