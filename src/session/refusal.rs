//! What an HTTP refusal means: which kind of failure, in which words.

use crate::failure::{Failure, Kind};
use crate::transport::{Headers, header};

/// The status and the gist of the body in one line.
pub(crate) fn words(status: u16, body: &str) -> String {
    let name = reason_phrase(status);
    let gist = body.split_whitespace().collect::<Vec<_>>().join(" ");
    match gist.chars().count() {
        0 => format!("HTTP {status}{name}"),
        1..=200 => format!("HTTP {status}{name}: {gist}"),
        _ => format!("HTTP {status}{name}: {}…", gist.chars().take(200).collect::<String>()),
    }
}

/// The failure that a refused request ends with; `is_open` when an earlier one was answered.
pub(crate) fn failure(address: &str, is_open: bool, status: u16, headers: &Headers, body: &str) -> Failure {
    let words = words(status, body);
    let mut failure = match status {
        401 | 403 => {
            let challenge = header(headers, "www-authenticate");
            let asked = challenge.map_or_else(String::new, |value| format!(" ({value})"));
            Failure::new(Kind::Auth, format!("{address} wants authorization: {words}{asked}"))
                .hint(format!("mcpcall login --url {address} logs in, where the server has a way to"))
                .hint("-H 'Authorization: Bearer TOKEN' or --bearer-env VAR sends a token that you have")
        }
        200..=299 => {
            let kind = header(headers, "content-type").unwrap_or("no content type");
            Failure::connect(format!("{address} answered with neither JSON nor an event stream ({kind}): {words}"))
        }
        404 | 405 if !is_open => Failure::connect(format!("{address} is no MCP endpoint: {words}"))
            .hint("is the path right? many servers answer at /mcp"),
        _ => Failure::connect(format!("{address} refused: {words}")),
    };
    failure.status = Some(status);
    failure
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        303 => " See Other",
        400 => " Bad Request",
        401 => " Unauthorized",
        403 => " Forbidden",
        404 => " Not Found",
        405 => " Method Not Allowed",
        406 => " Not Acceptable",
        413 => " Content Too Large",
        415 => " Unsupported Media Type",
        429 => " Too Many Requests",
        500 => " Internal Server Error",
        502 => " Bad Gateway",
        503 => " Service Unavailable",
        504 => " Gateway Timeout",
        _ => "",
    }
}
