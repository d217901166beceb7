//! A server behind an HTTP endpoint ("Streamable HTTP"). Each `Outgoing` becomes a request with a task of its own, so
//! that answers can be posted while a stream is being read. This layer knows statuses, content types, redirects and
//! event streams; it knows no session, no protocol version and no JSON key, and it sets no limit on how long an answer
//! may take.

mod body;
mod client;
mod exchange;
mod fault;
mod redirect;
#[cfg(test)]
mod tests;

use super::{Headers, INBOX, Inbox, Incoming, Outgoing, Tap, Transport, Verb};
use crate::failure::Result;
use client::Client;
use exchange::Exchange;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long the server may take to acknowledge what was sent last when the session ends.
const FLUSH: Duration = Duration::from_secs(2);

/// How to reach the server.
pub(crate) struct HttpOptions {
    /// `http` or `https`; a user part (`http://user:password@host`) becomes Basic authentication.
    pub(crate) url: String,
    /// The user's headers. They replace ours of the same name; several of the same name are all sent.
    pub(crate) headers: Headers,
    /// For TCP and TLS together.
    pub(crate) connect_timeout: Duration,
    /// Largest JSON body and largest event in bytes.
    pub(crate) max_message: usize,
    /// Accept any certificate.
    pub(crate) insecure: bool,
    /// Certificates in PEM form to trust besides the system's.
    pub(crate) cacert: Option<Vec<u8>>,
    /// `None`: as the environment says (`HTTPS_PROXY`, `NO_PROXY`); empty: none at all.
    pub(crate) proxy: Option<String>,
    /// Told of each request, response, body and event.
    pub(crate) tap: Option<Tap>,
}

/// An endpoint to which requests can be sent.
pub(crate) struct HttpTransport {
    client: Arc<Client>,
    inbox: mpsc::Sender<Incoming>,
    closing: CancellationToken,
    /// How many requests that expect no message are on their way.
    unacknowledged: Arc<watch::Sender<usize>>,
}

/// Checks the options; nothing is connected yet.
///
/// # Errors
/// When an option cannot be used: a usage failure that names it.
pub(crate) fn open(options: HttpOptions) -> Result<(Arc<HttpTransport>, Inbox)> {
    let (inbox, receiver) = mpsc::channel(INBOX);
    let transport = HttpTransport {
        client: Arc::new(Client::new(options)?),
        inbox,
        closing: CancellationToken::new(),
        unacknowledged: Arc::new(watch::Sender::new(0)),
    };
    Ok((Arc::new(transport), receiver))
}

impl Transport for HttpTransport {
    fn is_http(&self) -> bool {
        true
    }

    fn send(&self, outgoing: Outgoing) {
        let short = !outgoing.wants_reply && outgoing.verb != Verb::Listen;
        let on_its_way = short.then(|| OnItsWay::new(&self.unacknowledged));
        let (id, done) = (outgoing.exchange, outgoing.done.clone());
        let (client, inbox) = (Arc::clone(&self.client), self.inbox.clone());
        let exchange = Exchange { client, inbox: self.inbox.clone(), outgoing };
        let work = async move {
            let how = exchange.run().await;
            drop(on_its_way);
            // Fails when nobody listens any more.
            let _ = inbox.send(Incoming::Ended { exchange: id, how }).await;
        };
        let closing = self.closing.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                // Dropping the work closes its connection or stream.
                () = done.cancelled() => {}
                () = closing.cancelled() => {}
                () = work => {}
            }
        });
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            let mut unacknowledged = self.unacknowledged.subscribe();
            let _ = timeout(FLUSH, unacknowledged.wait_for(|n| *n == 0)).await;
            self.closing.cancel();
        })
    }
}

impl Drop for HttpTransport {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

/// Counts a request for as long as it lives.
struct OnItsWay(Arc<watch::Sender<usize>>);

impl OnItsWay {
    fn new(counter: &Arc<watch::Sender<usize>>) -> Self {
        counter.send_modify(|n| *n += 1);
        OnItsWay(Arc::clone(counter))
    }
}

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}
