//! The seam between the engine and its audience. The engine calls a `Host` for everything a server asks or
//! tells; `callbacks::Registry` is the one that people get, a recording one serves the engine's tests.

pub(crate) use super::clock::{Held, Pause};
pub(crate) use crate::jsonrpc::{Glance, Raw, RequestId, RpcError, glance};
pub(crate) use crate::transport::{Direction, Wire};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Something a client can do, in words no version owns: a name and its sub-features. What a given protocol
/// version makes of it is decided in `era::revision`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Capability {
    /// `elicitation`, `sampling`, `roots`, or whatever `--cap` says.
    pub(crate) name: Cow<'static, str>,
    /// For instance `{"form": {}, "url": {}}`.
    pub(crate) detail: Map<String, Value>,
}

/// A question from the server, with its context.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    /// The server's id of the request; its key as JSON, where it belongs to a round.
    pub(crate) id: RequestId,
    /// Its key, where it belongs to a round (2026-07-28).
    pub(crate) key: Option<String>,
    /// `elicitation/create`, `sampling/createMessage`, `roots/list`, or something unknown.
    pub(crate) method: String,
    /// `params`, or null.
    pub(crate) params: Value,
    /// The tool whose call is under way, when there is exactly one.
    pub(crate) tool: Option<String>,
    /// Which of many calls is under way (`as_call`), when it is known.
    pub(crate) call: Option<usize>,
    /// The number of its round, from 1.
    pub(crate) round: Option<usize>,
    /// The protocol version that was agreed on; `None` before the handshake is over.
    pub(crate) protocol: Option<&'static str>,
    /// The capabilities object that the server was given.
    pub(crate) declared: Arc<Map<String, Value>>,
    /// The server's name as it gave it, else how it was reached.
    pub(crate) server: String,
    /// Cancelled when the server takes the question back.
    pub(crate) withdrawn: CancellationToken,
    /// Hold a guard from it while a person is being asked: calls then do not time out.
    pub(crate) pause: Pause,
}

/// What goes back for an `Ask`.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// The method's result.
    Result(Value),
    /// A refusal.
    Error(RpcError),
}

/// Something to tell the audience. `Log` and `Progress` are what `callbacks::notifications` makes of the
/// notifications it knows; the engine itself sends the others.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// A notification as it came.
    Notification {
        /// Its method.
        method: &'a str,
        /// Its params as text.
        params: Option<&'a Raw>,
    },
    /// `notifications/message`, read.
    Log {
        /// As sent; one of eight words when the server keeps to the protocol.
        level: &'a str,
        /// The logger's name.
        logger: Option<&'a str>,
        /// Any JSON.
        data: &'a Value,
    },
    /// `notifications/progress`, read; numbers keep their spelling.
    Progress {
        /// So far.
        progress: &'a str,
        /// Of how much.
        total: Option<&'a str>,
        /// What is being done.
        message: Option<&'a str>,
    },
    /// Something a callback kind has to tell: `[label] text`.
    Said {
        /// The kind.
        label: &'a str,
        /// One line.
        text: &'a str,
    },
    /// A line from the stderr of a stdio server.
    Stderr(&'a str),
    /// A line from the stderr of a program that answers in the user's name.
    Command(&'a str),
    /// Something odd that was survived: one line.
    Warning(&'a str),
    /// Something worth knowing to who looks closely: one line.
    Note(&'a str),
    /// Something crossed the wire, in the words of this era.
    Wire(Wire<'a>, &'static str),
    /// More follows at once (true), or has done so (false): it may be shown in one go.
    Gather(bool),
}

tokio::task_local! {
    static CALL: usize;
}

/// Makes requests as the `call`th of many: what is asked because of them says so (`Ask::call`).
pub(crate) async fn as_call<T>(call: usize, requests: impl Future<Output = T>) -> T {
    CALL.scope(call, requests).await
}

/// Which of many calls makes a request now.
pub(super) fn current_call() -> Option<usize> {
    CALL.try_with(|call| *call).ok()
}

/// A reply to come.
pub(crate) type Answer<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// Whoever answers and listens. Called in the order things arrive; `event` must not block on a person.
pub(crate) trait Host: Send + Sync {
    /// What to declare: exactly what can be answered in this run.
    fn capabilities(&self) -> Vec<Capability>;
    /// Answers one question; several may be under way.
    fn answer(&self, ask: Ask) -> Answer<'_>;
    /// Returns once what accepted URLs lead to is done, as far as anybody can tell; `ids` are the elicitation ids.
    /// False when the person gives up.
    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
    /// Hears one event.
    fn event(&self, event: Event<'_>);
    /// Whether `Event::Wire` is wanted at all.
    fn wants_wire(&self) -> bool;
    /// Whether nothing would come of this message, as far as a glance at its text tells: there may be very many, and then
    /// they are not read. False is always right.
    fn is_deaf_to(&self, _message: &str) -> bool {
        false
    }
}
