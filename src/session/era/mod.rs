//! What differs between generations of the protocol: how a connection opens, and what each message looks like on
//! the wire. An era fills in bodies and headers and reads replies; it opens no socket (`transport` does).

pub(crate) mod headers;
pub(crate) mod legacy;
pub(crate) mod revision;

use crate::jsonrpc::{RequestId, RpcError};
use crate::transport::{Headers, Verb};
use serde_json::Value;

/// Something to say, before an era puts it into its wire form.
pub(crate) enum Letter<'a> {
    /// A request under a number of ours.
    Request {
        /// Request id and progress token.
        number: u64,
        /// The method.
        method: &'a str,
        /// Its params.
        params: Option<&'a Value>,
    },
    /// A notification.
    Notification {
        /// The method.
        method: &'a str,
        /// Its params.
        params: Option<&'a Value>,
    },
    /// The answer to a question of the server.
    Response {
        /// The server's id.
        id: &'a RequestId,
        /// What to answer.
        outcome: Result<&'a Value, &'a RpcError>,
    },
    /// Opens the standing stream.
    Listen,
    /// Ends the wire session.
    End,
}

/// A letter in its wire form.
pub(crate) struct Encoded {
    /// What the transport does with it.
    pub(crate) verb: Verb,
    /// The JSON text.
    pub(crate) body: String,
    /// HTTP headers.
    pub(crate) headers: Headers,
    /// HTTP headers for resuming a broken stream of it; `None` where this era does not resume.
    pub(crate) resume: Option<Headers>,
}

/// A generation of the protocol, after the connection has opened.
pub(crate) trait Era: Send + Sync {
    /// The wire form of a letter; `None` when this era has nothing to send for it.
    fn encode(&self, letter: &Letter<'_>) -> Option<Encoded>;
    /// True once the connection has opened.
    fn is_open(&self) -> bool;
    /// The negotiated version, once there is one.
    fn date(&self) -> Option<&'static str>;
    /// True when an HTTP 404 means that the wire session is gone and a new handshake may help.
    fn has_wire_session(&self) -> bool;
}
