//! What can go wrong, and the one table from kind to exit code (README "Exit codes" is checked against it).

use serde_json::{Value, json};
use std::fmt;

/// The kinds of failure a script can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A fault inside mcpcall.
    Internal,
    /// The command line, a configuration or answer file, or arguments that break the tool's schema.
    Usage,
    /// Authentication is needed or was refused.
    Auth,
    /// No connection, or the transport or handshake broke.
    Connect,
    /// The tool answered `isError: true`.
    Tool,
    /// A JSON-RPC error to our request, or a message that breaks the protocol.
    Protocol,
    /// The server asked and nobody answered.
    Unanswered,
    /// An expectation failed or an answer was left unused.
    Expectation,
    /// `--timeout` or `--max-time` ran out.
    Timeout,
    /// ^C.
    Interrupted,
    /// SIGTERM or SIGHUP.
    Terminated,
}

impl Kind {
    /// The process exit status.
    pub(crate) fn exit(self) -> u8 {
        match self {
            Kind::Internal => 1,
            Kind::Usage => 2,
            Kind::Auth => 3,
            Kind::Connect => 4,
            Kind::Tool => 5,
            Kind::Protocol => 6,
            Kind::Unanswered => 7,
            Kind::Expectation => 8,
            Kind::Timeout => 124,
            Kind::Interrupted => 130,
            Kind::Terminated => 143,
        }
    }

    /// The `kind` of the one-line JSON error.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Internal => "internal",
            Kind::Usage => "usage",
            Kind::Auth => "auth",
            Kind::Connect => "connect",
            Kind::Tool => "tool",
            Kind::Protocol => "protocol",
            Kind::Unanswered => "unanswered",
            Kind::Expectation => "expectation",
            Kind::Timeout => "timeout",
            Kind::Interrupted => "interrupted",
            Kind::Terminated => "terminated",
        }
    }
}

/// A failure on its way to the exit code: one line of what, where and what to try, without a full stop.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    /// Decides the exit code.
    pub(crate) kind: Kind,
    /// One line for people.
    pub(crate) message: String,
    /// The JSON-RPC error code, when the peer gave one.
    pub(crate) code: Option<Value>,
    /// The JSON-RPC error data, when the peer gave some.
    pub(crate) data: Option<Value>,
    /// The words of the JSON-RPC error, when the peer answered with one.
    pub(crate) said: Option<String>,
    /// The HTTP status, when that is what the peer refused with.
    pub(crate) status: Option<u16>,
    /// What to try, each one line.
    pub(crate) hints: Vec<String>,
    /// Text to show below the message as it is (a stub to paste, an excerpt of a body).
    pub(crate) detail: Option<String>,
}

/// What fallible functions of this program return.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure of `kind` with its one-line message.
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Failure {
            kind,
            message: message.into(),
            code: None,
            data: None,
            said: None,
            status: None,
            hints: Vec::new(),
            detail: None,
        }
    }

    /// A usage failure: exit 2.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// A connection failure: exit 4.
    pub(crate) fn connect(message: impl Into<String>) -> Self {
        Self::new(Kind::Connect, message)
    }

    /// A protocol failure: exit 6.
    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        Self::new(Kind::Protocol, message)
    }

    /// Whether the user has stopped the run: nothing more is to be tried.
    pub(crate) fn is_stop(&self) -> bool {
        matches!(self.kind, Kind::Interrupted | Kind::Terminated)
    }

    /// Adds a line that says what to try.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds text to show below the message.
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The one-line JSON form: `{"error":{"kind","exit","code","message","data"}}`.
    pub(crate) fn to_json(&self) -> Value {
        json!({ "error": {
            "kind": self.kind.name(),
            "exit": self.kind.exit(),
            "code": self.code,
            "message": self.message,
            "data": self.data,
        }})
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
