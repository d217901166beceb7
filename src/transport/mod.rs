//! Carries text to a server and back. A transport knows bytes, headers and status codes; it reads no JSON key
//! and knows no protocol version: what goes into `Outgoing.headers` is the era's business (`session::era`).

pub(crate) mod credentials;
pub(crate) mod http;
pub(crate) mod lines;
#[cfg(test)]
pub(crate) mod memory;
pub(crate) mod process;
pub(crate) mod sse;
pub(crate) mod stdio;

use crate::failure::Failure;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

/// Header names and values in the order they were sent or received; names as given, compared without case.
pub(crate) type Headers = Vec<(String, String)>;

/// The value of a header, whatever the case of its name.
pub(crate) fn header<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// What an HTTP transport does with an `Outgoing`; a transport with a single stream carries `Post` and ignores the
/// others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Send the body.
    Post,
    /// Open the standing stream from server to client (HTTP GET).
    Listen,
    /// Say that the session is over (HTTP DELETE).
    End,
}

/// One thing to send.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// Comes back in every `Incoming` that this causes.
    pub(crate) exchange: u64,
    /// What to do with it.
    pub(crate) verb: Verb,
    /// One JSON text without line breaks; empty for `Listen` and `End`.
    pub(crate) body: String,
    /// Headers the era wants on it (HTTP).
    pub(crate) headers: Headers,
    /// True when a message is expected back. False for notifications and responses: then any 2xx is an
    /// acknowledgement and its body is ignored.
    pub(crate) wants_reply: bool,
    /// Headers for resuming a broken event stream of this exchange with `Last-Event-ID`; `None`: do not resume.
    pub(crate) resume: Option<Headers>,
    /// Cancelled by the engine once it needs nothing more from this exchange: close its stream quietly.
    pub(crate) done: CancellationToken,
    /// To be dropped when it has been sent, or never will be.
    pub(crate) kept: Option<Kept>,
}

/// A part of what may be under way at one time.
pub(crate) type Kept = Arc<OwnedSemaphorePermit>;

/// What a transport tells the engine. Order is the order of arrival, within and between exchanges.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// One text that should be JSON-RPC: a stdio line, an SSE event's data, or a JSON body.
    Message {
        /// The exchange it came on; `None` where one stream carries all of them: stdio, and HTTP of 2024-11-05.
        exchange: Option<u64>,
        /// As sent. Bytes that were not UTF-8 are replaced, and a `Warning` goes before.
        text: String,
        /// Response headers (HTTP).
        headers: Arc<Headers>,
    },
    /// The exchange is over; no further message comes on it.
    Ended {
        /// Which one.
        exchange: u64,
        /// How.
        how: Ended,
    },
    /// A line the server wrote to its stderr, without the line end.
    Stderr(String),
    /// Something odd that was survived, one line.
    Warning(String),
    /// A message over the size limit was dropped (stdio; over HTTP the exchange is `Broken`).
    TooLarge {
        /// How it began.
        head: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The transport as a whole is gone: nothing comes after it.
    Closed {
        /// One line: exit status, read error.
        reason: String,
    },
}

/// How an exchange ended.
#[derive(Debug, Clone)]
pub(crate) enum Ended {
    /// In order: body complete, stream closed, or acknowledged.
    Complete,
    /// The server answered with a status other than 2xx, or with a body that is neither JSON nor an event stream.
    Refused {
        /// HTTP status.
        status: u16,
        /// Response headers.
        headers: Arc<Headers>,
        /// The body as text, cut at `EXCERPT` bytes.
        body: String,
    },
    /// The credentials that it takes could not be had.
    Unauthorized(Box<Failure>),
    /// The connection could not be made or broke.
    Broken {
        /// One line with the whole cause chain.
        reason: String,
        /// True when nothing was sent: the connection could not be made at all.
        unsent: bool,
    },
}

/// How much of an unexpected body is kept.
pub(crate) const EXCERPT: usize = 64 * 1024;

/// Which way a wire event went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From us to the server.
    Sent,
    /// From the server to us.
    Received,
}

/// One thing that crossed the wire, for `--trace`.
#[derive(Debug)]
pub(crate) struct Wire<'a> {
    /// Which way.
    pub(crate) direction: Direction,
    /// `POST http://…`, `200 OK` (without its body), then `event` or `body`; empty on stdio.
    pub(crate) line: &'a str,
    /// HTTP headers; empty for events of a stream and on stdio.
    pub(crate) headers: &'a [(String, String)],
    /// The message text; may be empty.
    pub(crate) text: &'a str,
}

/// Told of everything that crosses the wire.
pub(crate) type Tap = Arc<dyn Fn(Wire<'_>) + Send + Sync>;

/// Told of a line, says whether nothing would come of it: then it goes no further. No is always right.
pub(crate) type Sieve = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// What the engine wants, or does not want, of what crosses the wire.
#[derive(Clone, Default)]
pub(crate) struct Ears {
    /// Told of all of it.
    pub(crate) tap: Option<Tap>,
    /// Asked about each line of a server on stdio.
    pub(crate) sieve: Option<Sieve>,
}

/// A way to reach one server. `send` never blocks and never fails: what goes wrong comes back as an `Incoming`.
pub(crate) trait Transport: Send + Sync {
    /// True when exchanges have headers and statuses (HTTP).
    fn is_http(&self) -> bool;
    /// Queues one thing to send.
    fn send(&self, outgoing: Outgoing);
    /// What is waited for just now before a request is allowed, in a few words: whoever gives the credentials.
    fn waits_for(&self) -> Option<String> {
        None
    }
    /// Ends the connection in good order: waits for queued sends, then for the peer, with bounds.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The receiving end that goes with a transport.
pub(crate) type Inbox = mpsc::Receiver<Incoming>;

/// An open transport, both ends.
pub(crate) type Opened = (Arc<dyn Transport>, Inbox);

/// How many `Incoming` may wait for the engine before the transport stops reading.
pub(crate) const INBOX: usize = 64;
