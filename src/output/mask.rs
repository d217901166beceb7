//! What is never shown of what crosses the wire, in a trace and in a report alike.

use std::borrow::Cow;

/// A header's value as it may be shown; one may be a URL with a token in it.
pub(super) fn header(name: &str, value: &str) -> String {
    if is_secret(name) { "***".to_owned() } else { url(value) }
}

/// Headers whose values are never shown: credentials, cookies, session ids, and whatever is named like one.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "cookie", "session", "token", "secret", "key", "password", "dpop"].iter().any(|word| name.contains(word))
}

/// A text that is no JSON may be an address: the HTTP+SSE transport says so where to post to, with the session in it.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with(['{', '[']) { text.into() } else { url(text).into() }
}

/// Hides `user:password@` in a URL, and the values of query parameters that are named like secrets.
pub(crate) fn url(line: &str) -> String {
    let line = userinfo(line);
    let Some((before, query)) = line.split_once('?') else { return line };
    let masked = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}=***"),
        _ => pair.to_owned(),
    });
    format!("{before}?{}", masked.collect::<Vec<_>>().join("&"))
}

fn userinfo(line: &str) -> String {
    let Some((scheme, rest)) = line.split_once("://") else { return line.to_owned() };
    let authority_end = rest.find(['/', '?', '#', ' ']).unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => format!("{scheme}://***{}", &rest[at..]),
        None => line.to_owned(),
    }
}

/// The same in words around addresses.
pub(super) fn prose(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        let bare = word.trim_end();
        if bare.contains("://") { format!("{}{}", url(bare), &word[bare.len()..]) } else { word.to_owned() }
    });
    words.collect()
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
        assert_eq!(url("POST http://u:p@h/mcp"), "POST http://***@h/mcp");
        assert_eq!(url("POST http://h/mcp?a=b@c"), "POST http://h/mcp?a=b@c");
        assert_eq!(text("/messages/?session_id=1"), "/messages/?session_id=***");
        assert_eq!(text(r#"{"a":"?key=1"}"#), r#"{"a":"?key=1"}"#);
        assert_eq!(
            prose("at http://u:p@h/?key=1 and\n http://v:q@h: no?key=1"),
            "at http://***@h/?key=*** and\n http://***@h: no?key=1"
        );
        assert_eq!(url("GET http://h/?api_key=1&x=2"), "GET http://h/?api_key=***&x=2");
    }
}
