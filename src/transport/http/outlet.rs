//! Where the readers of answers put what they read: messages and warnings into the inbox, the rest of a refusal into how
//! the exchange ends.

use super::body::Body;
use super::client::{Client, Reply};
use super::stream::Stream;
use crate::transport::sse::Event;
use crate::transport::{Direction, Ended, Headers, Incoming};
use std::sync::Arc;
use tokio::sync::mpsc;

/// The way from one reader to the engine.
#[derive(Clone)]
pub(super) struct Outlet {
    pub(super) client: Arc<Client>,
    pub(super) inbox: mpsc::Sender<Incoming>,
    /// What messages come on; `None` when one stream carries those of all exchanges.
    pub(super) exchange: Option<u64>,
}

impl Outlet {
    /// Delivers an event that carries a message. MCP sends those without a type or as `message`; an event of another
    /// type (`ping`, `endpoint`) counts only when its data could be JSON-RPC.
    pub(super) async fn event(&self, event: Event, headers: &Arc<Headers>) {
        let typed = !matches!(event.event.as_str(), "" | "message");
        if event.data.is_empty() || (typed && !event.data.trim_start().starts_with(['{', '['])) {
            return;
        }
        if event.replaced {
            self.warn("replaced bytes that are not UTF-8 in an event".into()).await;
        }
        self.message(event.data, headers).await;
    }

    /// Tells of an event that the end of its stream cut.
    pub(super) async fn warn_of_rest(&self, stream: &Stream<'_>) {
        if let Some(rest) = stream.unfinished() {
            self.warn(format!("the event stream ended within an event: {rest}")).await;
        }
    }

    /// How an exchange ends whose answer is not the one that was wanted.
    pub(super) async fn refused(&self, reply: Reply) -> Ended {
        self.refusal(reply.status.as_u16(), reply.headers, Body::new(reply.response)).await
    }

    /// The same, when a part of the body has been read.
    pub(super) async fn refusal(&self, status: u16, headers: Arc<Headers>, mut body: Body) -> Ended {
        let body = body.excerpt().await;
        if !body.is_empty() {
            self.client.trace(Direction::Received, "body", &Headers::new(), &body);
        }
        Ended::Refused { status, headers, body }
    }

    /// Delivers a message.
    pub(super) async fn message(&self, text: String, headers: &Arc<Headers>) {
        let (exchange, headers) = (self.exchange, Arc::clone(headers));
        self.deliver(Incoming::Message { exchange, text, headers }).await;
    }

    /// Tells of something odd.
    pub(super) async fn warn(&self, warning: String) {
        self.deliver(Incoming::Warning(warning)).await;
    }

    /// Waits for room in the inbox, so that a fast server is slowed down instead of filling the memory.
    pub(super) async fn deliver(&self, incoming: Incoming) {
        // Fails when the engine is gone, and then this task ends soon, too.
        let _ = self.inbox.send(incoming).await;
    }
}
