//! Two ends in one process, for the engine's tests: what the engine sends comes out here, what is put in here
//! reaches the engine.

use super::{INBOX, Inbox, Incoming, Outgoing, Transport};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The engine's end.
pub(crate) struct Memory {
    sent: mpsc::UnboundedSender<Outgoing>,
    http: bool,
}

/// The server's end.
pub(crate) struct Peer {
    /// What the engine sent.
    pub(crate) sent: mpsc::UnboundedReceiver<Outgoing>,
    /// To the engine.
    pub(crate) to: mpsc::Sender<Incoming>,
}

/// Both ends; `http` makes exchanges end one by one.
pub(crate) fn pair(http: bool) -> (Arc<Memory>, Inbox, Peer) {
    let (sender, sent) = mpsc::unbounded_channel();
    let (to, inbox) = mpsc::channel(INBOX);
    (Arc::new(Memory { sent: sender, http }), inbox, Peer { sent, to })
}

impl Transport for Memory {
    fn is_http(&self) -> bool {
        self.http
    }

    fn send(&self, outgoing: Outgoing) {
        let _ = self.sent.send(outgoing);
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {})
    }
}
