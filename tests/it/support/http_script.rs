//! An HTTP server inside the test that follows a list of steps: expect this request, send these bytes.
//!
//! ```ignore
//! let server = HttpScript::new()
//!     .always("GET", Reply::status(405))
//!     .handshake()
//!     .step("POST tools/list", Reply::result(r#"{"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}"#))
//!     .step("POST tools/call", Reply::events("retry: 10\nid: 1\ndata: \n\n"))
//!     .start();
//! mcpcall(["t"]).on(&server).code(4).any_stderr().check();
//! ```
//! A request is told by its HTTP method and the JSON-RPC method of its body (`response` for a response); a GET that
//! resumes a stream is `GET after ID`, so that the standing one, which may come at any time, is not taken for it. Steps are
//! taken in order; what is `always` answered may come at any time, any number of times. A step that was not reached
//! and a request that nobody expected fail the test when the server is dropped.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::Value;

use super::{Target, poll};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// `POST tools/call`, `GET`, `GET after e1`, `DELETE`.
    pub(crate) name: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    /// The body; null when there was none.
    pub(crate) body: Value,
}

impl Request {
    /// A header's value, whatever the case of its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What to send back. `$id` in the body becomes the request's id.
#[derive(Clone)]
pub(crate) struct Reply {
    head: String,
    body: String,
    /// Whether to keep the connection open, without a word, after the body.
    stays_open: bool,
    /// The request that must have come before the body is sent.
    waits_for: Option<String>,
}

impl Reply {
    /// A status without a body.
    pub(crate) fn status(status: u16) -> Reply {
        Reply {
            head: format!("HTTP/1.1 {status} Scripted\r\nConnection: close\r\n"),
            body: String::new(),
            stays_open: false,
            waits_for: None,
        }
    }

    /// A body of this content type.
    pub(crate) fn body(status: u16, content_type: &str, body: &str) -> Reply {
        Reply { body: body.into(), ..Reply::status(status).header("Content-Type", content_type) }
    }

    /// A JSON-RPC result.
    pub(crate) fn result(result: &str) -> Reply {
        Reply::body(200, "application/json", &format!(r#"{{"jsonrpc":"2.0","id":$id,"result":{result}}}"#))
    }

    /// An event stream, given byte for byte; it ends after them unless it `stays_open`.
    pub(crate) fn events(events: &str) -> Reply {
        Reply::body(200, "text/event-stream", events)
    }

    /// Nothing at all, not even a status line, until the client gives up.
    pub(crate) fn silence() -> Reply {
        Reply { head: String::new(), body: String::new(), stays_open: true, waits_for: None }
    }

    /// These bytes instead of a well-formed answer.
    pub(crate) fn raw(bytes: &str) -> Reply {
        Reply { head: String::new(), body: bytes.into(), stays_open: false, waits_for: None }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Reply {
        self.head += &format!("{name}: {value}\r\n");
        self
    }

    pub(crate) fn stays_open(mut self) -> Reply {
        self.stays_open = true;
        self
    }

    /// Sends the head at once and the body only after this request has been answered.
    pub(crate) fn after(mut self, request: &str) -> Reply {
        self.waits_for = Some(request.into());
        self
    }

    /// Head and body.
    fn bytes(&self, id: &Value) -> (String, String) {
        let body = self.body.replace("$id", &id.to_string());
        if self.head.is_empty() {
            return (String::new(), body);
        }
        // A body without a length ends with the connection, which is what a stream needs.
        let length = if self.stays_open || self.head.contains("text/event-stream") {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        (format!("{}{length}\r\n", self.head), body)
    }
}

/// A script being written.
#[derive(Default)]
pub(crate) struct HttpScript {
    steps: VecDeque<(String, Reply)>,
    always: Vec<(String, Reply)>,
}

impl HttpScript {
    pub(crate) fn new() -> HttpScript {
        HttpScript::default()
    }

    /// The next request in order, and the answer.
    pub(crate) fn step(mut self, request: &str, reply: Reply) -> HttpScript {
        self.steps.push_back((request.into(), reply));
        self
    }

    /// A request that may come at any time, or never.
    pub(crate) fn always(mut self, request: &str, reply: Reply) -> HttpScript {
        self.always.push((request.into(), reply));
        self
    }

    /// A plain 2025-11-25 handshake with a session, as two steps, and a DELETE that may come.
    pub(crate) fn handshake(self) -> HttpScript {
        let result = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}"#;
        self.step("POST initialize", Reply::result(result).header("Mcp-Session-Id", "s1"))
            .step("POST notifications/initialized", Reply::status(202))
            .always("DELETE", Reply::status(204))
    }

    pub(crate) fn start(self) -> Scripted {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let progress = Progress { script: self, requests: Vec::new(), answered: Vec::new(), unexpected: Vec::new() };
        let shared = Arc::new(Shared { progress: Mutex::new(progress), over: AtomicBool::new(false) });
        let for_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if for_thread.over.load(Ordering::Relaxed) {
                    break;
                }
                let shared = Arc::clone(&for_thread);
                std::thread::spawn(move || shared.serve(stream));
            }
        });
        Scripted { address, shared }
    }
}

/// A running script.
pub(crate) struct Scripted {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    progress: Mutex<Progress>,
    over: AtomicBool,
}

struct Progress {
    script: HttpScript,
    requests: Vec<Request>,
    /// The names of those that have their answer.
    answered: Vec<String>,
    unexpected: Vec<String>,
}

impl Scripted {
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Every request so far, in the order of arrival.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.progress().requests.clone()
    }
}

impl Target for Scripted {
    fn args(&self) -> Vec<String> {
        vec!["--url".into(), self.url()]
    }

    fn log_file(&self) -> Option<&Path> {
        None
    }

    fn story(&self) -> String {
        let line = |request: &Request| format!("{} {} {}\n", request.name, request.path, request.body);
        self.requests().iter().map(line).collect()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
        if std::thread::panicking() {
            return;
        }
        let progress = self.shared.progress();
        let missed: Vec<String> = progress.script.steps.iter().map(|(request, _)| request.clone()).collect();
        let unexpected = progress.unexpected.clone();
        drop(progress);
        assert!(unexpected.is_empty(), "the server did not expect {unexpected:?}\n{}", self.story());
        assert!(missed.is_empty(), "these steps were not reached: {missed:?}\n{}", self.story());
    }
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().expect("no thread panics while it holds this lock")
    }

    /// One request, one answer, then the connection ends.
    fn serve(&self, stream: TcpStream) {
        let Some(request) = read_request(&stream) else { return };
        let (name, id) = (request.name.clone(), request.body["id"].clone());
        let reply = self.progress().answer(request);
        let (head, body) = reply.bytes(&id);
        let _ = (&stream).write_all(head.as_bytes());
        if let Some(request) = &reply.waits_for {
            let answered = || self.progress().answered.contains(request);
            poll(Duration::from_secs(20), || (answered() || self.over.load(Ordering::Relaxed)).then_some(()));
        }
        let _ = (&stream).write_all(body.as_bytes());
        self.progress().answered.push(name);
        if reply.stays_open {
            self.wait_until_gone(&stream);
        }
    }

    /// Hold the connection until the client ends it or the test is over.
    fn wait_until_gone(&self, mut stream: &TcpStream) {
        let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
        while !self.over.load(Ordering::Relaxed) {
            match stream.read(&mut [0; 64]) {
                Ok(1..) => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Ok(0) | Err(_) => return,
            }
        }
    }
}

impl Progress {
    fn answer(&mut self, request: Request) -> Reply {
        let name = request.name.clone();
        self.requests.push(request);
        if self.script.steps.front().is_some_and(|(expected, _)| *expected == name) {
            return self.script.steps.pop_front().expect("just looked at").1;
        }
        if let Some((_, reply)) = self.script.always.iter().find(|(expected, _)| *expected == name) {
            return reply.clone();
        }
        self.unexpected.push(name);
        Reply::body(500, "text/plain", "this request is not in the script")
    }
}

/// Read one request; None for a connection that brings none.
fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut next = || {
        let mut line = String::new();
        (reader.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
    };
    let first = next()?;
    let mut words = first.split(' ');
    let (verb, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    while let Some((name, value)) = next()?.split_once(':') {
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut request = Request { name: verb, path, headers, body: Value::Null };
    if let Some(length) = request.header("content-length").and_then(|length| length.parse::<usize>().ok()) {
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        request.body = serde_json::from_slice(&body).unwrap_or_default();
    }
    if let Some(id) = request.header("last-event-id") {
        request.name = format!("{} after {id}", request.name);
    }
    if request.body.is_object() {
        let method = request.body["method"].as_str().unwrap_or("response");
        request.name = format!("{} {method}", request.name);
    }
    Some(request)
}
