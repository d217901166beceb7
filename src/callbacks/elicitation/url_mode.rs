//! URL mode: the person is told where to go and consents; nothing is fetched and nothing opened without a yes.
//! `accept` means consent, not that the flow is done, so it is sent at once (client/elicitation).

use super::flags::{OnElicit, Open};
use super::{Elicitation, Question, say};
use crate::callbacks::Spoken;
use crate::failure::Failure;
use crate::session::host::{Ask, Event, Raw, RpcError};
use crate::sync::lock;
use crate::terminal::browser;
use crate::terminal::prompter::{Choose, Leave, Said};
use crate::terminal::sanitize::{Lines, visible};
use serde_json::Value;
use std::time::Duration;

/// Where a question leads.
pub(super) struct Place<'a> {
    /// As sent.
    pub(super) url: &'a str,
    /// What will be connected to.
    pub(super) host: &'a str,
}

impl Elicitation {
    /// Answers a URL question that no entry of the answer file fits. Defaults say nothing about a URL.
    pub(super) async fn by_url(&self, ask: &Ask, question: &Question, message: &str, place: &Place<'_>) -> Spoken {
        match self.otherwise {
            OnElicit::Prompt => self.url_by_person(ask, question, message, place).await,
            OnElicit::Fail | OnElicit::Defaults => self.nobody(ask, question),
            OnElicit::Decline => Spoken::by_flags(say("decline")),
            OnElicit::Cancel => Spoken::by_flags(say("cancel")),
        }
    }

    /// Refuses what is no address of the web, whoever would have consented to it.
    pub(super) fn no_web_address(&self, ask: &Ask, url: &str) -> Spoken {
        let what = format!("{} asked to open {url}, which is no plain http or https URL", ask.server);
        self.desk.fail(ask, Failure::protocol(what));
        Spoken::by_nobody(RpcError::new(-32602, "only http and https URLs are opened"))
    }

    async fn url_by_person(&self, ask: &Ask, question: &Question, message: &str, place: &Place<'_>) -> Spoken {
        if self.open == Open::Never {
            return self.nobody(ask, question);
        }
        let Some(mut turn) = self.desk.turn(ask, message).await else { return self.nobody(ask, question) };
        let url = place.url;
        turn.terminal.say(&format!("  Host: {}", visible(place.host, Lines::One)));
        // In full: nobody can agree to what was cut off.
        turn.terminal.say(&format!("  URL:  {}", visible(url, Lines::One)));
        for caution in cautions(place) {
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
                Spoken::by_person(say("accept"))
            }
            Said::Given(2) | Said::Left(Leave::Decline) => {
                self.desk.left(Leave::Decline).await;
                Spoken::by_person(say("decline"))
            }
            Said::Left(how) => {
                self.desk.left(how).await;
                Spoken::by_person(say("cancel"))
            }
            Said::Given(_) | Said::Back => Spoken::by_person(say("cancel")),
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
        let command = match &self.open {
            Open::Command(words) => Some(words.as_slice()),
            Open::Ask | Open::Never => None,
        };
        if let Err(why) = browser::open(command, url) {
            self.warn(&why);
        }
    }

    /// Notes a visit that was asked for, by its elicitation id.
    pub(super) fn note_visit(&self, ask: &Ask, host: &str) {
        if let Some(id) = ask.params.get("elicitationId").and_then(Value::as_str) {
            lock(&self.visits).insert(id.to_owned(), host.to_owned());
        }
    }

    /// Notes that the server reports a visit complete. It may come before its question is dealt with, so it is kept
    /// whether known or not; shown is the first report of a known one.
    pub(super) fn note_complete(&self, params: Option<&Raw>) -> bool {
        let id = params
            .and_then(|raw| raw.value().ok())
            .and_then(|value| value.get("elicitationId").and_then(Value::as_str).map(str::to_owned));
        let Some(id) = id else { return false };
        let host = lock(&self.visits).get(&id).cloned();
        let is_news =
            self.completed.send_if_modified(|completed| completed.len() < MAX_REPORTS && completed.insert(id));
        let Some(host) = host else { return false };
        if is_news {
            let text = format!("the server reports the visit to {host} complete");
            (self.desk.show)(Event::Said { label: "elicitation", text: &text });
        }
        true
    }

    /// Waits until the flows are complete, or the person says so. Without a person a server that never reports is
    /// not waited for long.
    pub(super) async fn visited(&self, ask: &Ask, ids: &[String]) -> bool {
        let mut completed = self.completed.subscribe();
        let all = async {
            // Where there is no id nobody will report anything.
            if ids.is_empty() {
                std::future::pending::<()>().await;
            }
            let _ = completed.wait_for(|completed| ids.iter().all(|id| completed.contains(id))).await;
        };
        if self.otherwise != OnElicit::Prompt {
            let limit = if ids.is_empty() { UNREPORTED } else { UNATTENDED };
            let _ = tokio::time::timeout(limit, all).await;
            return true;
        }
        let Some(mut turn) = self.desk.turn(ask, "Waiting for you to finish in the browser.").await else {
            return true;
        };
        let options = ["Done: call again".to_owned(), "Give up".to_owned()];
        let choose = Choose {
            label: "Done?",
            help: if ids.is_empty() { "" } else { "goes on by itself when the server says so" },
            options: &options,
            at: 0,
            can_go_back: false,
        };
        let said = tokio::select! {
            said = turn.terminal.choose(choose) => Some(said),
            () = all => None,
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

/// How many reports are remembered: a server may make them up.
const MAX_REPORTS: usize = 10_000;

/// How long a scripted run waits for a visit that nobody reports: whatever opens the URL needs a moment.
const UNREPORTED: Duration = Duration::from_secs(1);

/// How long a scripted run waits for the server to report a flow complete.
const UNATTENDED: Duration = Duration::from_secs(5);

/// What a person should know of a URL before going there.
fn cautions(place: &Place<'_>) -> Vec<&'static str> {
    let mut cautions = Vec::new();
    let authority = place.url.split("://").nth(1).unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains(['@', '\\']) {
        cautions.push("What stands before the @ is no host; you would go to the host above.");
    }
    if place.host.split('.').any(|label| label.starts_with("xn--")) {
        cautions.push("The host has letters beyond ASCII (Punycode): it may look like another name in a browser.");
    }
    if place.url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://")) {
        cautions.push("The connection would not be encrypted (http).");
    }
    cautions
}

/// The host that a URL leads to, as a browser understands it (letters beyond ASCII in Punycode); `None` when the
/// text is no plain http or https URL.
pub(super) fn host(url: &str) -> Option<String> {
    if url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let parsed = reqwest::Url::parse(url).ok()?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return None;
    }
    parsed.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_what_will_be_connected_to() {
        let cases = [
            ("https://Pay.example.com/x?y", Some("pay.example.com")),
            ("https://pay.example.com@evil.example/", Some("evil.example")),
            ("https://pay.example.com:443", Some("pay.example.com")),
            ("http://[::1]:80/", Some("[::1]")),
            ("https://evil.example\\@pay.example.com", Some("evil.example")),
            ("https:///evil.example", Some("evil.example")),
            ("https://аpple.com/", Some("xn--pple-43d.com")),
            ("javascript:alert(1)", None),
            ("file:///etc/passwd", None),
            ("--option", None),
            ("https", None),
            ("https://evil.example/ Host: bank.example", None),
            ("https://evil.example/\n", None),
        ];
        for (url, expected) in cases {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn tricks_are_told() {
        for (url, n) in [
            ("https://pay.example.com/x@y", 0),
            ("https://pay.example.com@evil.example/", 1),
            ("https://xn--pple-43d.com", 1),
            ("https://аpple.com", 1),
            ("http://xn--pple-43d.com\\@x/", 3),
        ] {
            let host = host(url).unwrap();
            assert_eq!(cautions(&Place { url, host: &host }).len(), n, "{url}");
        }
    }
}
