//! What is told of logins: where, as whom and for how long; nothing that could be used.

use crate::terminal::sanitize::{Lines, visible};
use serde_json::{Value, json};

/// A login as it is told.
pub(crate) struct Login<'a> {
    /// The server's address.
    pub(crate) server: String,
    /// Who gave the token.
    pub(crate) issuer: &'a str,
    /// Whom it was given to.
    pub(crate) client: &'a str,
    /// How it was had.
    pub(crate) grant: &'a str,
    /// What it allows.
    pub(crate) scopes: &'a [String],
    /// Seconds since 1970.
    pub(crate) expires_at: Option<u64>,
    /// The same from now on; 0 when it is over.
    pub(crate) seconds_left: Option<u64>,
    /// Whether it can be made to last.
    pub(crate) renews: bool,
    /// Whether its token is bound to a key.
    pub(crate) is_bound: bool,
}

/// A few lines for each, all of them ours: whatever a server said in them stays on its line.
pub(crate) fn text(logins: &[Login<'_>]) -> String {
    if logins.is_empty() {
        return "no logins".into();
    }
    let lines = |login: &Login<'_>| {
        let grant = if login.grant == "code" { String::new() } else { format!(" ({})", login.grant) };
        let scopes = (!login.scopes.is_empty()).then(|| format!("  scopes  {}", login.scopes.join(" ")));
        let bound = if login.is_bound { ", bound to a key" } else { "" };
        let head =
            [login.server.clone(), format!("  issuer  {}", login.issuer), format!("  client  {}{grant}", login.client)];
        head.into_iter().chain(scopes).chain([format!("  token   {}{bound}", time(login))]).collect::<Vec<_>>()
    };
    let lines: Vec<String> =
        logins.iter().flat_map(lines).map(|line| visible(&line, Lines::One).into_owned()).collect();
    lines.join("\n")
}

/// How long it lasts.
fn time(login: &Login<'_>) -> String {
    match (login.seconds_left, login.renews) {
        (None, _) => "lasts until it is refused".into(),
        (Some(0), true) => "is renewed when needed".into(),
        (Some(0), false) => "is over".into(),
        (Some(seconds), renews) => {
            let left = match seconds {
                0..120 => format!("{seconds} s"),
                120..7200 => format!("{} min", seconds / 60),
                _ => format!("{} h", seconds / 3600),
            };
            format!("for another {left}{}", if renews { ", then renewed" } else { "" })
        }
    }
}

/// A list of objects.
pub(crate) fn json(logins: &[Login<'_>]) -> String {
    let object = |login: &Login<'_>| {
        json!({
            "server": login.server,
            "issuer": login.issuer,
            "client_id": login.client,
            "grant": login.grant,
            "scopes": login.scopes,
            "expires_at": login.expires_at,
            "renews": login.renews,
            "dpop": login.is_bound,
        })
    };
    Value::from(logins.iter().map(object).collect::<Vec<_>>()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_words() {
        let scopes = [];
        let login = |seconds_left, renews| Login {
            server: "s".into(),
            issuer: "i",
            client: "c",
            grant: "code",
            scopes: &scopes,
            expires_at: None,
            seconds_left,
            renews,
            is_bound: false,
        };
        for (left, renews, expected) in [
            (None, false, "lasts until it is refused"),
            (Some(0), false, "is over"),
            (Some(0), true, "is renewed when needed"),
            (Some(90), false, "for another 90 s"),
            (Some(3599), true, "for another 59 min, then renewed"),
            (Some(90_000), false, "for another 25 h"),
        ] {
            assert_eq!(time(&login(left, renews)), expected);
        }
        assert_eq!(text(&[]), "no logins");
    }

    #[test]
    fn what_a_server_says_stays_on_its_line() {
        let scopes = ["a\r\u{1b}[2J".to_owned(), "b\nc".into()];
        let login = Login {
            server: "http://h/mcp".into(),
            issuer: "http://i/\u{2028}x",
            client: "a\n  issuer  http://spoof\u{9b}2J",
            grant: "code",
            scopes: &scopes,
            expires_at: None,
            seconds_left: None,
            renews: false,
            is_bound: true,
        };
        let expected = [
            "http://h/mcp",
            "  issuer  http://i/\\u{2028}x",
            "  client  a\\n  issuer  http://spoof\\u{9b}2J",
            "  scopes  a\\r\\u{1b}[2J b\\nc",
            "  token   lasts until it is refused, bound to a key",
        ];
        assert_eq!(text(&[login]), expected.join("\n"));
    }
}
