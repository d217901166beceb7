//! Where the browser comes back to: an address of this machine that is listened at while a person logs in, and that
//! answers once. What is asked there is not trusted: a visit that is no answer to the login is sent away.

use super::refuse;
use crate::failure::Result;
use reqwest::Url;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The largest request that is read.
const LARGEST: usize = 32 * 1024;

/// How long one request may take to come: browsers open connections that they do not use.
const PATIENCE: Duration = Duration::from_secs(10);

/// An address of this machine that is listened at.
pub(super) struct Loopback {
    listener: TcpListener,
    /// As it is registered and sent.
    pub(super) uri: String,
    path: String,
}

impl Loopback {
    /// Listens at `uri`, or where there is room.
    ///
    /// # Errors
    /// When that is no address of this machine, or somebody else listens there.
    pub(super) async fn open(uri: Option<&str>) -> Result<Self> {
        let Some(uri) = uri else {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await;
            let listener = listener.map_err(|e| refuse(format!("cannot listen for the browser: {e}")))?;
            let port = listener.local_addr().map_err(|e| refuse(format!("cannot listen for the browser: {e}")))?.port();
            return Ok(Loopback {
                listener,
                uri: format!("http://127.0.0.1:{port}/callback"),
                path: "/callback".into(),
            });
        };
        let url = parse(uri).map_err(refuse)?;
        let host = match url.host_str() {
            Some("[::1]") => "::1",
            _ => "127.0.0.1",
        };
        let port = url.port_or_known_default().unwrap_or(80);
        let listener = TcpListener::bind((host, port)).await;
        let listener = listener.map_err(|e| refuse(format!("cannot listen at {uri}: {e}")))?;
        Ok(Loopback { listener, uri: uri.to_owned(), path: url.path().to_owned() })
    }

    /// Waits for the browser and gives the query it came with: one with this state, or with a code, whosever it is.
    pub(super) async fn answer(self, state: &str) -> String {
        let mut visits = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    // A connection that breaks at once says nothing.
                    if let Ok((stream, _)) = accepted {
                        visits.spawn(visit(stream, self.path.clone(), state.to_owned()));
                    }
                }
                Some(Ok(Some(query))) = visits.join_next() => return query,
            }
        }
    }
}

/// An address that a login may come back to: plain http on this machine.
///
/// # Errors
/// Why it is none.
pub(crate) fn parse(uri: &str) -> std::result::Result<Url, String> {
    let url = Url::parse(uri).map_err(|e| format!("--redirect-uri {uri}: {e}"))?;
    let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    if url.port() == Some(0) {
        return Err(format!("--redirect-uri {uri}: port 0 is no place to come back to"));
    }
    if url.scheme() != "http" || !is_here || url.query().is_some() || url.fragment().is_some() {
        return Err(format!("--redirect-uri {uri}: not of the form http://127.0.0.1:PORT/PATH"));
    }
    Ok(url)
}

/// Answers one request; gives its query when it is the one that is waited for.
async fn visit(mut stream: TcpStream, path: String, state: String) -> Option<String> {
    let target = timeout(PATIENCE, read_target(&mut stream)).await.ok()??;
    let (asked, query) = target.split_once('?').unwrap_or((&target, ""));
    if asked != path || query.is_empty() {
        respond(&mut stream, "404 Not Found", "There is nothing here.").await;
        return None;
    }
    if !is_answer(query, &state) {
        respond(&mut stream, "400 Bad Request", "This is no answer to the login that mcpcall waits for.").await;
        return None;
    }
    let query = query.to_owned();
    respond(&mut stream, "200 OK", "mcpcall has got the answer. This page can be closed; the rest is in the terminal.")
        .await;
    Some(query)
}

/// Whether a visit may end the login. A code that belongs to another login is somebody's attempt to slip it in, which is
/// to be told; anything else with a wrong state is a stray.
fn is_answer(query: &str, state: &str) -> bool {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.any(|(name, value)| name == "code" && !value.is_empty() || name == "state" && value == state)
}

/// The target of a GET.
async fn read_target(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut piece = [0; 4096];
        let n = stream.read(&mut piece).await.ok().filter(|n| *n > 0)?;
        request.extend_from_slice(&piece[..n]);
        if request.len() > LARGEST {
            return None;
        }
    }
    let line = request.split(|byte| *byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let target = line.strip_prefix("GET ")?.split(' ').next()?;
    Some(target.to_owned())
}

async fn respond(stream: &mut TcpStream, status: &str, text: &str) {
    let page = format!("<!doctype html><meta charset=utf-8><title>mcpcall</title><p>{text}</p>\n");
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        page.len()
    );
    // The browser may be gone; what it brought is here.
    let _ = stream.write_all(format!("{head}{page}").as_bytes()).await;
    let _ = stream.shutdown().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ask(address: &str, request: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text).await;
        text
    }

    #[tokio::test]
    async fn it_answers_once_whatever_else_comes() {
        let loopback = Loopback::open(None).await.unwrap();
        let address = loopback.uri.trim_start_matches("http://").trim_end_matches("/callback").to_owned();
        let waiting = tokio::spawn(async { loopback.answer("2").await });
        let _idle = TcpStream::connect(&address).await.unwrap();
        for odd in ["GET /favicon.ico HTTP/1.1\r\n\r\n", "GET /callback HTTP/1.1\r\n\r\n"] {
            assert!(ask(&address, odd).await.starts_with("HTTP/1.1 404"), "{odd}");
        }
        for stray in ["code=&state=1", "state=3", "x", "error=access_denied&state=3", "error=access_denied"] {
            let request = format!("GET /callback?{stray} HTTP/1.1\r\n\r\n");
            assert!(ask(&address, &request).await.starts_with("HTTP/1.1 400"), "{stray}");
        }
        assert_eq!(ask(&address, "POST /callback?code=x HTTP/1.1\r\n\r\n").await, "");
        assert!(ask(&address, "GET /callback?code=1&state=2 HTTP/1.1\r\n\r\n").await.contains("200 OK"));
        assert_eq!(waiting.await.unwrap(), "code=1&state=2");
        assert!(TcpStream::connect(&address).await.is_err());
    }

    #[test]
    fn only_this_machine_is_come_back_to() {
        for uri in
            ["https://127.0.0.1:1/x", "http://example.com/x", "http://127.0.0.1/x?y", "x", "http://127.0.0.1:0/x"]
        {
            assert!(parse(uri).is_err(), "{uri}");
        }
        assert!(parse("http://localhost:8080/callback").is_ok());
    }
}
