//! URL mode: the person is told where to go and consents; nothing is fetched and nothing opened without a yes.
//! `accept` means consent, not that the flow is done, so it is sent at once (client/elicitation).

use super::flags::OnElicit;
use super::{Elicitation, Question, say};
use crate::failure::Failure;
use crate::session::host::{Ask, Reply, RpcError};
use crate::terminal::prompter::{Choose, Leave, Prompter, Said};
use crate::terminal::sanitize::one_line;

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
        let Some(mut turn) = self.desk.turn(ask, message).await else { return self.nobody(ask, question) };
        let host = host(url).unwrap_or("(none)");
        let shown = |text: &str| one_line(text, 2000);
        turn.terminal.say(&format!("  Host: {}", shown(host)));
        turn.terminal.say(&format!("  URL:  {}\n", shown(url)));
        let options = [
            "Accept: I open this URL myself".to_owned(),
            "Decline: tell the server no".to_owned(),
            "Cancel: dismiss the question".to_owned(),
        ];
        let choose = Choose { label: "Open it?", help: "", options: &options, at: 1, can_go_back: false };
        match turn.terminal.choose(choose).await {
            Said::Given(0) => say("accept"),
            Said::Given(1) | Said::Left(Leave::Decline) => say("decline"),
            Said::Left(how) => {
                drop(turn);
                self.desk.left(how).await;
                say("cancel")
            }
            Said::Given(_) | Said::Back => say("cancel"),
        }
    }
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
