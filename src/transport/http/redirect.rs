//! Decides where a server may lead us, by a redirect or by the endpoint event of the old transport (pure). The rule is
//! one: requests carry credentials and are not safe to repeat elsewhere, so only the same origin is followed, and
//! redirects always with the same method and body.

use reqwest::header::HeaderValue;
use reqwest::{StatusCode, Url};

/// How many redirects of one request are followed.
pub(super) const HOPS: usize = 5;

/// True for the statuses that name another place for the same request. 301 and 302 are taken for 308: a browser would
/// turn a POST into a GET, which no MCP server can mean. 303 says that the request has been handled, so it is not made
/// again.
pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 307 | 308)
}

/// Where a redirect from `from` leads, or in one line why it is not followed. The line names no more of the target
/// than its origin, because the rest may be secret.
pub(super) fn target(from: &Url, status: StatusCode, location: Option<&HeaderValue>) -> Result<Url, String> {
    let code = status.as_u16();
    let location = location.ok_or_else(|| format!("redirected ({code}) without a Location"))?;
    let location = String::from_utf8_lossy(location.as_bytes());
    let mut to =
        from.join(&location).map_err(|error| format!("redirected ({code}) to a Location that is no URL: {error}"))?;
    if !same_origin(from, &to) && !is_upgrade(from, &to) {
        return Err(format!("redirected ({code}) to another origin, {}: not followed", origin(&to)));
    }
    strip(&mut to);
    if to == *from {
        return Err(format!("redirected ({code}) to itself"));
    }
    Ok(to)
}

/// What an endpoint event on the stream `from` names, or in one line why it is not used. The line names no more of the
/// two than their origins.
pub(super) fn endpoint(from: &Url, data: &str) -> Result<Url, String> {
    if data.trim().is_empty() {
        return Err("the server's endpoint event names no URL".into());
    }
    let mut to = from.join(data).map_err(|error| format!("the server's endpoint event holds no URL: {error}"))?;
    if !same_origin(from, &to) {
        let (from, to) = (origin(from), origin(&to));
        return Err(format!("the event stream of {from} names an endpoint of another origin, {to}: not used"));
    }
    strip(&mut to);
    Ok(to)
}

/// Takes out what is not for us to send: credentials that the server chose, and the fragment.
fn strip(url: &mut Url) {
    url.set_fragment(None);
    // Both succeed: the URL has a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

fn origin(url: &Url) -> String {
    match url.has_host() {
        true => url.origin().ascii_serialization(),
        false => format!("a {} URL", url.scheme()),
    }
}

fn same_origin(from: &Url, to: &Url) -> bool {
    matches!(to.scheme(), "http" | "https") && from.origin() == to.origin()
}

/// From http to https on the same host, both on their default ports.
fn is_upgrade(from: &Url, to: &Url) -> bool {
    let ports = (from.port_or_known_default(), to.port_or_known_default());
    from.scheme() == "http" && to.scheme() == "https" && from.host() == to.host() && ports == (Some(80), Some(443))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_origin_is_followed() {
        let rows = [
            ("http://a:1/mcp", Some("/mcp/"), Ok("http://a:1/mcp/")),
            ("http://a:1/mcp?k=1", Some("?x=1#f"), Ok("http://a:1/mcp?x=1")),
            ("http://a/mcp", Some("http://A:80/x"), Ok("http://a/x")),
            ("http://a/mcp", Some("https://a/mcp"), Ok("https://a/mcp")),
            ("http://a/mcp", Some("//u:p@a/x"), Ok("http://a/x")),
            ("http://[::1]:8/mcp", Some("http://[0:0::1]:8/x"), Ok("http://[::1]:8/x")),
            ("http://a:8080/x", Some("https://a:8080/x"), Err("origin, https://a:8080:")),
            ("https://a/x", Some("http://a/x"), Err("origin, http://a:")),
            ("http://a/x", Some("http://b:9/secret"), Err("origin, http://b:9: not followed")),
            ("http://a/x", Some("http://a.evil/x"), Err("origin, http://a.evil:")),
            ("http://a/x", Some("file:///etc/passwd"), Err("origin, a file URL:")),
            ("http://a/x", Some("http://["), Err("no URL")),
            ("http://a/x", Some("/x"), Err("to itself")),
            ("http://a/x", None, Err("without a Location")),
        ];
        for (from, location, expected) in rows {
            let from = Url::parse(from).expect("a URL");
            let location = location.map(HeaderValue::from_static);
            let got = target(&from, StatusCode::TEMPORARY_REDIRECT, location.as_ref());
            match (&got, expected) {
                (Ok(url), Ok(expected)) => assert_eq!(url.as_str(), expected),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                _ => panic!("{got:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn an_endpoint_is_resolved_and_of_the_same_origin() {
        let rows = [
            ("http://a:1/x/sse", "/messages/?session_id=1", Ok("http://a:1/messages/?session_id=1")),
            ("http://a:1/x/sse", "messages?s=1#f", Ok("http://a:1/x/messages?s=1")),
            ("http://a:1/x/sse?k=1", "?s=1", Ok("http://a:1/x/sse?s=1")),
            ("https://a/sse", " https://A:443/m ", Ok("https://a/m")),
            ("http://a/sse", "http://u:p@a/m", Ok("http://a/m")),
            (
                "http://a/sse",
                "//b:9/secret",
                Err("of http://a names an endpoint of another origin, http://b:9: not used"),
            ),
            ("http://a/sse", "https://a/m", Err("origin, https://a:")),
            ("http://a:1/sse", "http://a:2/m", Err("origin, http://a:2:")),
            ("http://a/sse", "file:///m", Err("origin, a file URL:")),
            ("http://a/sse", "http://[", Err("holds no URL")),
            ("http://a/sse", " ", Err("names no URL")),
        ];
        for (from, data, expected) in rows {
            let got = endpoint(&Url::parse(from).expect("a URL"), data);
            match (&got, expected) {
                (Ok(url), Ok(expected)) => assert_eq!(url.as_str(), expected),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                _ => panic!("{got:?} instead of {expected:?}"),
            }
        }
    }
}
