//! Servers for tests that do as they are told: each connection gets one answer.

use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What a server does with a request, in order. It closes the connection afterwards.
#[derive(Clone)]
pub(super) enum Step {
    /// `ORIGIN` in it becomes the server's own.
    Write(String),
    Wait(u64),
    Hang,
}

/// An answer with its head made from status and content type.
pub(super) fn answer(status: &str, media_type: &str, body: &str) -> Vec<Step> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nConnection: close\r\n");
    vec![Step::Write(format!("{head}\r\n{body}"))]
}

pub(super) fn events(body: &str) -> Vec<Step> {
    answer("200 OK", "text/event-stream", body)
}

pub(super) fn redirect(status: &str, location: &str) -> Vec<Step> {
    let head = format!("HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n");
    vec![Step::Write(format!("{head}Connection: close\r\n\r\n"))]
}

pub(super) struct Server {
    pub(super) url: String,
    pub(super) requests: mpsc::UnboundedReceiver<(Instant, String)>,
}

impl Server {
    /// Each connection gets the next answer.
    pub(super) async fn start(answers: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let url = format!("{origin}/mcp");
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            for steps in answers {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let (sender, origin) = (sender.clone(), origin.clone());
                tokio::spawn(async move {
                    let mut request = String::new();
                    while !is_complete(&request) {
                        let mut chunk = [0; 4096];
                        let n = stream.read(&mut chunk).await.expect("readable");
                        request.push_str(&String::from_utf8_lossy(&chunk[..n]));
                    }
                    let _ = sender.send((Instant::now(), request));
                    for step in steps {
                        match step {
                            Step::Write(text) => {
                                let text = text.replace("ORIGIN", &origin);
                                stream.write_all(text.as_bytes()).await.expect("writable");
                            }
                            Step::Wait(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
                            Step::Hang => std::future::pending().await,
                        }
                    }
                });
            }
        });
        Server { url, requests }
    }

    pub(super) async fn request(&mut self) -> (Instant, String) {
        self.requests.recv().await.expect("a request")
    }
}

fn is_complete(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_none_or(|length| body.len() >= length.parse().expect("a number"))
}

pub(super) fn options(url: &str) -> HttpOptions {
    HttpOptions {
        url: url.into(),
        headers: Vec::new(),
        connect_timeout: Duration::from_secs(5),
        max_message: 1000,
        insecure: false,
        cacert: None,
        proxy: Some(String::new()),
        credentials: None,
        tap: None,
    }
}

pub(super) fn outgoing(verb: Verb) -> Outgoing {
    Outgoing {
        kept: None,
        exchange: 7,
        verb,
        body: if verb == Verb::Post { "{\"q\":1}".into() } else { String::new() },
        headers: vec![("X-Era".into(), "one".into())],
        wants_reply: verb != Verb::End,
        resume: None,
        done: CancellationToken::new(),
    }
}
