//! A server behind an HTTP endpoint ("Streamable HTTP"). Each `Outgoing` becomes a request with a task of its own, so
//! that answers can be posted while a stream is being read. This layer knows statuses, content types, redirects and
//! event streams; it knows no session, no protocol version and no JSON key, and it sets no limit on how long an answer
//! may take. What 2024-11-05 had instead, two endpoints and one stream, is `legacy_sse`.

mod body;
mod client;
mod exchange;
mod fault;
mod legacy_sse;
mod outlet;
mod redirect;
#[cfg(test)]
mod script;
mod stream;
mod tasks;
#[cfg(test)]
mod tests;
mod trust;
pub(crate) mod web;
pub(crate) mod zone;

pub(crate) use client::{is_legal_header, legal_url};
pub(crate) use legacy_sse::open_legacy_sse;

use super::credentials::Credentials;
use super::{Headers, INBOX, Inbox, Incoming, Outgoing, Tap, Transport, Verb};
use crate::failure::Result;
use client::Client;
use exchange::Exchange;
use outlet::Outlet;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tasks::Tasks;
use tokio::sync::mpsc;

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
    /// Proves who we are, where that is not for the user's own headers to do.
    pub(crate) credentials: Option<Arc<dyn Credentials>>,
    /// Told of each request, response, body and event.
    pub(crate) tap: Option<Tap>,
}

/// An endpoint to which requests can be sent.
pub(crate) struct HttpTransport {
    client: Arc<Client>,
    inbox: mpsc::Sender<Incoming>,
    tasks: Tasks,
}

/// Checks the options; nothing is connected yet.
///
/// # Errors
/// When an option cannot be used: a usage failure that names it.
pub(crate) fn open(options: HttpOptions) -> Result<(Arc<HttpTransport>, Inbox)> {
    let (inbox, receiver) = mpsc::channel(INBOX);
    let client = Arc::new(Client::new(options)?);
    Ok((Arc::new(HttpTransport { client, inbox, tasks: Tasks::default() }), receiver))
}

impl Transport for HttpTransport {
    fn is_http(&self) -> bool {
        true
    }

    fn send(&self, outgoing: Outgoing) {
        let short = !outgoing.wants_reply && outgoing.verb != Verb::Listen;
        let on_its_way = short.then(|| self.tasks.on_its_way());
        let (id, done) = (outgoing.exchange, outgoing.done.clone());
        let (client, inbox) = (Arc::clone(&self.client), self.inbox.clone());
        let exchange = Exchange { outlet: Outlet { client, inbox, exchange: Some(id) }, outgoing };
        self.tasks.spawn(done, async move {
            let how = exchange.run().await;
            drop(on_its_way);
            exchange.outlet.deliver(Incoming::Ended { exchange: id, how }).await;
        });
    }

    fn waits_for(&self) -> Option<String> {
        self.client.waits_for()
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.tasks.close())
    }
}

impl Drop for HttpTransport {
    fn drop(&mut self) {
        self.tasks.cancel();
    }
}
