//! What differs between generations of the protocol: how a connection opens, and what each message looks like on
//! the wire. An era fills in bodies and headers and reads replies; it opens no socket (`transport` does).

pub(crate) mod headers;
pub(crate) mod legacy;
pub(crate) mod modern;
pub(crate) mod negotiate;
pub(crate) mod revision;
pub(crate) mod round;

use crate::jsonrpc::{Raw, RequestId, RpcError};
use crate::transport::{Headers, Verb};
use round::{Retry, Round};
use serde_json::{Map, Value, json};

/// The header that names the version.
const VERSION: &str = "MCP-Protocol-Version";

/// Who we are.
fn client_info() -> Value {
    json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") })
}

/// What the server told about itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    /// `serverInfo.name`; display only, never to be trusted.
    pub(crate) name: Option<String>,
    /// `capabilities`.
    pub(crate) capabilities: Map<String, Value>,
    /// The result of `initialize` or `server/discover` as sent, where one was asked.
    pub(crate) told: Option<Raw>,
}

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
        /// What it carries besides, when it answers a round.
        retry: Option<&'a Retry>,
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

/// What a result is.
#[derive(Debug)]
pub(crate) enum Reading {
    /// The end of its request.
    Complete,
    /// Questions to be answered first.
    InputRequired(Box<Round>),
}

/// A generation of the protocol on one connection.
pub(crate) trait Era: Send + Sync {
    /// What it is called.
    fn name(&self) -> &'static str;
    /// The wire form of a letter; `None` when this era has nothing to send for it.
    fn encode(&self, letter: &Letter<'_>) -> Option<Encoded>;
    /// True once the server has shown that it speaks this era: by a handshake, or an answer that only this era has.
    fn is_open(&self) -> bool;
    /// The version, once there is one.
    fn date(&self) -> Option<&'static str>;
    /// True when an HTTP 404 means that the wire session is gone and a new handshake may help.
    fn has_wire_session(&self) -> bool {
        false
    }
    /// Whether the server may make requests of its own.
    fn has_back_channel(&self) -> bool;
    /// Reads what a result is.
    ///
    /// # Errors
    /// One line, when it breaks the rules.
    fn read(&self, _method: &str, _result: &Raw) -> Result<Reading, String> {
        Ok(Reading::Complete)
    }
    /// Learns what a tool wants of its calls.
    ///
    /// # Errors
    /// One line why it is not to be offered.
    fn learn_tool(&self, _tool: &Value) -> Result<(), String> {
        Ok(())
    }
}
