//! What is a secret, by its name; and addresses and headers without theirs. Whoever hides something, or keeps it out of a
//! file, asks here.

pub(crate) mod known;

use std::borrow::Cow;

/// A piece of a text that may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// To be shown.
    Plain(String),
    /// A secret, and what it is called.
    Secret {
        /// The name.
        name: String,
        /// The secret.
        value: String,
    },
    /// Nobody's business, though its name says nothing.
    Private(String),
}

/// Whether a header, a parameter, a variable or a flag is named like a secret: credentials, cookies, session ids. A guess
/// that rather hides too much.
pub(crate) fn names_secret(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "auth",
        "cookie",
        "session",
        "token",
        "secret",
        "key",
        "passw",
        "passphrase",
        "credential",
        "dpop",
        "signature",
    ];
    let lower = name.to_ascii_lowercase();
    PARTS.iter().any(|part| lower.contains(part)) || sounds_secret(name) || has_word(name, &["pass", "jwt"])
}

/// Whether some word of a name is one for secrets. A guess that people see, at the fields of forms: it is more careful.
pub(crate) fn sounds_secret(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "passcode",
        "secret",
        "token",
        "apikey",
        "pin",
        "otp",
        "cvv",
        "cvc",
        "credential",
        "credentials",
    ];
    const PAIRS: &[[&str; 2]] = &[["api", "key"], ["access", "key"], ["private", "key"], ["secret", "key"]];
    let words = words(name);
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words.windows(2).any(|pair| PAIRS.iter().any(|known| known == pair))
}

fn has_word(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// `apiKey`, `api_key` and "API key" are the same two words.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut after_lower = false;
    for c in name.chars() {
        if after_lower && c.is_uppercase() {
            spaced.push(' ');
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    spaced.to_lowercase().split_whitespace().map(str::to_owned).collect()
}

/// What stands before the host of an address, and how much of the text comes before that.
fn userinfo(url: &str) -> Option<(usize, &str)> {
    let start = url.find("://")? + 3;
    let rest = &url[start..];
    let authority = &rest[..rest.find(['/', '?', '#', ' ']).unwrap_or(rest.len())];
    Some((start, &authority[..authority.rfind('@')?]))
}

/// The URL without `user:password@`.
pub(crate) fn url_without_userinfo(url: &str) -> String {
    match userinfo(url) {
        Some((start, login)) => format!("{}{}", &url[..start], &url[start + login.len() + 1..]),
        None => url.to_owned(),
    }
}

/// A text with a URL in it in pieces: `user:password@` is a secret, and so are parameters that are named like one.
pub(crate) fn url_pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut secret = |plain: &mut String, name: &str, value: &str| {
        pieces.push(Piece::Plain(std::mem::take(plain)));
        pieces.push(Piece::Secret { name: name.to_owned(), value: value.to_owned() });
    };
    let mut rest = text;
    if let Some((start, login)) = userinfo(text) {
        plain.push_str(&text[..start]);
        secret(&mut plain, "userinfo", login);
        rest = &text[start + login.len()..];
    }
    let query = rest.find(['?', '#']).unwrap_or(rest.len());
    plain.push_str(&rest[..query]);
    for pair in rest[query..].split_inclusive(['&', '#']) {
        let (body, end) = pair.split_at(pair.trim_end_matches(['&', '#']).len());
        match body.split_once('=') {
            Some((name, value)) if is_secret_parameter(name) => {
                plain.push_str(&body[..=name.len()]);
                secret(&mut plain, name.trim_start_matches('?'), value);
            }
            _ => plain.push_str(body),
        }
        plain.push_str(end);
    }
    pieces.push(Piece::Plain(plain));
    pieces.retain(|piece| *piece != Piece::Plain(String::new()));
    pieces
}

fn is_secret_parameter(name: &str) -> bool {
    names_secret(name) || has_word(name, &["sig", "code"])
}

/// Whether there is a secret in a URL, other than before its host.
pub(crate) fn url_has_secrets(url: &str) -> bool {
    url_pieces(&url_without_userinfo(url)).iter().any(|piece| !matches!(piece, Piece::Plain(_)))
}

/// A text with a URL in it, as it may be shown.
pub(crate) fn url_masked(text: &str) -> String {
    masked(&url_pieces(text))
}

/// A text as it may be shown.
pub(crate) fn masked(pieces: &[Piece]) -> String {
    let shown = |piece: &Piece| match piece {
        Piece::Plain(text) => text.clone(),
        _ => "***".to_owned(),
    };
    pieces.iter().map(shown).collect()
}

/// A header's value as it may be shown; one may be a URL with a token in it.
pub(crate) fn header_masked(name: &str, value: &str) -> String {
    if names_secret(name) { "***".to_owned() } else { url_masked(value) }
}

/// A text that is no JSON may be an address: the HTTP+SSE transport says so where to post to, with the session in it.
pub(crate) fn text_masked(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with(['{', '[']) { text.into() } else { url_masked(text).into() }
}

/// Words around addresses, as they may be shown.
pub(crate) fn prose_masked(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || "\"<>`".contains(c);
    let words = text.split_inclusive(is_end).map(|word| {
        let bare = word.trim_end_matches(is_end);
        let addresses = addresses(bare).into_iter();
        let addresses = addresses.map(|part| if part.contains("://") { url_masked(part) } else { part.to_owned() });
        addresses.chain([word[bare.len()..].to_owned()]).collect::<String>()
    });
    words.collect()
}

/// A word in parts that each hold one address at most.
fn addresses(word: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = word.match_indices("://").skip(1).map(|(at, _)| scheme(&word[..at])).collect();
    starts.push(word.len());
    let mut from = 0;
    let parts = starts.into_iter().map(|to| {
        let part = &word[from..to.max(from)];
        from = to.max(from);
        part
    });
    parts.collect()
}

/// Where a scheme begins that ends a text.
fn scheme(text: &str) -> usize {
    text.rfind(|c: char| !c.is_ascii_alphanumeric())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known() {
        for name in
            ["Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "Mcp-Session-Id", "X-Api-Key", "DPoP"]
        {
            assert!(names_secret(name), "{name}");
        }
        for name in ["DB_PASS", "PGPASSWORD", "MYSQL_PWD", "Mcp-Param-Pin", "--otp"] {
            assert!(names_secret(name), "{name}");
        }
        for name in ["Content-Type", "MCP-Protocol-Version", "bypass", "spin", "Status-Code"] {
            assert!(!names_secret(name), "{name}");
        }
        assert!(sounds_secret("API key") && sounds_secret("apiKey") && !sounds_secret("keyboard"));
    }

    #[test]
    fn addresses_are_masked() {
        for (address, shown) in [
            ("POST http://u:p@h/mcp", "POST http://***@h/mcp"),
            ("POST http://h/mcp?a=b@c", "POST http://h/mcp?a=b@c"),
            ("GET http://h/?api_key=1&x=2", "GET http://h/?api_key=***&x=2"),
            ("http://h/?x=1&sig=a?b&pin=2#code=3", "http://h/?x=1&sig=***&pin=***#code=***"),
            ("http://h/?key=", "http://h/?key=***"),
            ("http://h/key=1/#a", "http://h/key=1/#a"),
        ] {
            assert_eq!(url_masked(address), shown);
        }
        assert_eq!(text_masked("/messages/?session_id=1"), "/messages/?session_id=***");
        assert_eq!(text_masked(r#"{"a":"?key=1"}"#), r#"{"a":"?key=1"}"#);
        assert_eq!(
            prose_masked("at http://u:p@h/?key=1 and\n http://v:q@h: no?key=1"),
            "at http://***@h/?key=*** and\n http://***@h: no?key=1"
        );
        assert_eq!(
            prose_masked(r#"{"a":"http://u:p@h/?key=1","b":2},(http://h/?sig=a,b,http://v@h/#access_token=1)"#),
            r#"{"a":"http://***@h/?key=***","b":2},(http://h/?sig=***http://***@h/#access_token=***"#
        );
        assert_eq!(prose_masked("a b? c=1 :// é://u@h"), "a b? c=1 :// é://***@h");
        assert_eq!(url_without_userinfo("http://u:p@h/x@y"), "http://h/x@y");
        assert!(url_has_secrets("http://h/?a=1&sig=x") && !url_has_secrets("http://u:p@h/?signal=x"));
    }
}
