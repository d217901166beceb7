//! A server behind the two endpoints of 2024-11-05 ("HTTP+SSE"): one event stream, opened with GET, carries all that
//! the server says, and its first event names the endpoint to which messages are posted. A stream that is lost is lost
//! with its session: nothing can be resumed.

#[cfg(test)]
mod tests;

use super::HttpOptions;
use super::body::Body;
use super::client::{Client, Reply};
use super::fault::Fault;
use super::outlet::Outlet;
use super::redirect;
use super::stream::Stream;
use super::tasks::{OnItsWay, Tasks};
use crate::failure::Result;
use crate::sync::lock;
use crate::transport::lines::head;
use crate::transport::sse::Parser;
use crate::transport::{Ended, Headers, INBOX, Inbox, Incoming, Outgoing, Transport, Verb};
use reqwest::Url;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

/// The type of the event that names the endpoint.
const ENDPOINT: &str = "endpoint";

/// What the answer to a POST may be: nobody looks at it.
const ANYTHING: &str = "*/*";

/// How much later the endpoint is given up than the connection, so that a connection which cannot be made is what is
/// told.
const GRACE: Duration = Duration::from_millis(100);

/// An event stream and the endpoint that belongs to it.
pub(crate) struct LegacySse {
    link: Link,
}

/// Opens the event stream, in a task: this must be called within a tokio runtime.
///
/// # Errors
/// When an option cannot be used: a usage failure that names it.
pub(crate) fn open_legacy_sse(options: HttpOptions) -> Result<(Arc<LegacySse>, Inbox)> {
    let (inbox, receiver) = mpsc::channel(INBOX);
    let outlet = Outlet { client: Arc::new(Client::new(options)?), inbox, exchange: None };
    let phase = Arc::new(Mutex::new(Phase::Opening(Vec::new())));
    let link = Link { outlet, tasks: Tasks::default(), phase };
    link.tasks.spawn(CancellationToken::new(), link.clone().read());
    Ok((Arc::new(LegacySse { link }), receiver))
}

impl Transport for LegacySse {
    fn is_http(&self) -> bool {
        true
    }

    fn send(&self, outgoing: Outgoing) {
        if outgoing.verb != Verb::Post {
            // The stream opens unasked, and with it the session ends.
            let (done, exchange) = (outgoing.done, outgoing.exchange);
            return self.link.end(done, exchange, Ended::Complete);
        }
        let on_its_way = (!outgoing.wants_reply).then(|| self.link.tasks.on_its_way());
        self.link.take(Parcel { outgoing, on_its_way });
    }

    fn waits_for(&self) -> Option<String> {
        self.link.outlet.client.waits_for()
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.link.tasks.close())
    }
}

impl Drop for LegacySse {
    fn drop(&mut self) {
        self.link.tasks.cancel();
    }
}

/// A message that is to be posted.
struct Parcel {
    outgoing: Outgoing,
    /// Held until it is acknowledged, when no message is expected back.
    on_its_way: Option<OnItsWay>,
}

/// How far the transport has come.
enum Phase {
    /// The endpoint is not known yet; what waits for it.
    Opening(Vec<Parcel>),
    /// Messages are posted here.
    Open(Url),
    /// There will be no endpoint; how every exchange ends.
    Failed(Ended),
}

/// What the transport shares with its tasks.
#[derive(Clone)]
struct Link {
    outlet: Outlet,
    tasks: Tasks,
    phase: Arc<Mutex<Phase>>,
}

/// A stream that has named its endpoint.
struct Opened<'a> {
    endpoint: Url,
    stream: Stream<'a>,
    /// Of the answer that carries the stream.
    headers: Arc<Headers>,
}

impl Link {
    /// Posts a message or lets it wait, as the phase wants.
    fn take(&self, parcel: Parcel) {
        match &mut *self.phase() {
            Phase::Opening(queue) => queue.push(parcel),
            Phase::Open(endpoint) => {
                let done = parcel.outgoing.done.clone();
                self.tasks.spawn(done, self.clone().post(endpoint.clone(), parcel));
            }
            Phase::Failed(how) => self.end(parcel.outgoing.done, parcel.outgoing.exchange, how.clone()),
        }
    }

    /// Posts a message. When it is taken and a reply is to come, there is nothing to tell: the stream brings it.
    async fn post(self, endpoint: Url, parcel: Parcel) {
        let Parcel { outgoing, on_its_way } = parcel;
        let posted = self.outlet.client.post(&endpoint, ANYTHING, &outgoing.headers, &outgoing.body).await;
        let how = match posted {
            Ok(reply) if !reply.status.is_success() => self.outlet.refused(reply).await,
            Ok(reply) => {
                self.discard(reply);
                if outgoing.wants_reply {
                    return;
                }
                Ended::Complete
            }
            Err(fault) => fault.into(),
        };
        drop(on_its_way);
        self.outlet.deliver(Incoming::Ended { exchange: outgoing.exchange, how }).await;
    }

    /// Reads the little that servers say beside 202, or else the connection could not be used again.
    fn discard(&self, reply: Reply) {
        let rest = async { drop(Body::new(reply.response).excerpt().await) };
        self.tasks.spawn(CancellationToken::new(), rest);
    }

    /// Tells how an exchange ended.
    fn end(&self, done: CancellationToken, exchange: u64, how: Ended) {
        let outlet = self.outlet.clone();
        self.tasks.spawn(done, async move { outlet.deliver(Incoming::Ended { exchange, how }).await });
    }

    /// Reads the stream from its begin to its end.
    async fn read(self) {
        let mut parser = Parser::new(self.outlet.client.max_message);
        let opened = match self.open(&mut parser).await {
            Ok(opened) => opened,
            Err(how) => return self.fail(how),
        };
        self.begin(opened.endpoint);
        let reason = self.follow(opened.stream, opened.headers).await;
        self.outlet.deliver(Incoming::Closed { reason }).await;
        // Nothing comes after that.
        self.tasks.cancel();
    }

    /// Opens the stream and finds out its endpoint, or how every exchange ends.
    async fn open<'a>(&'a self, parser: &'a mut Parser) -> Result<Opened<'a>, Ended> {
        let client = &self.outlet.client;
        let limit = client.connect_timeout;
        let mut deadline = Instant::now() + limit + GRACE;
        let late = |_| Fault::lasting(format!("the server named no endpoint within {} s", limit.as_secs_f64()));
        let nothing = Headers::new();
        let mut getting = pin!(client.get(&nothing));
        let reply = loop {
            match timeout_at(deadline, &mut getting).await {
                Ok(reply) => break reply?,
                // A login takes as long as it takes; the clock starts again.
                Err(_) if client.is_authorizing() => deadline = Instant::now() + limit + GRACE,
                Err(elapsed) => return Err(late(elapsed).into()),
            }
        };
        if !reply.is_event_stream() {
            return Err(self.outlet.refused(reply).await);
        }
        let mut stream = Stream::new(client, Body::new(reply.response), parser);
        let endpoint = timeout_at(deadline, endpoint(&mut stream, &reply.url)).await.map_err(late)??;
        Ok(Opened { endpoint, stream, headers: reply.headers })
    }

    /// Posts what has waited for the endpoint, one after the other so that the order is kept. What is sent from now on
    /// does not wait for these: the server may answer a POST only when it has got another.
    fn begin(&self, endpoint: Url) {
        let waiting = self.enter(Phase::Open(endpoint.clone()));
        let link = self.clone();
        self.tasks.spawn(CancellationToken::new(), async move {
            for parcel in waiting {
                let done = parcel.outgoing.done.clone();
                // Fails when the runtime is going down.
                let _ = link.tasks.spawn(done, link.clone().post(endpoint.clone(), parcel)).await;
            }
        });
    }

    /// Ends what has waited for the endpoint, and what will be sent later.
    fn fail(&self, how: Ended) {
        for parcel in self.enter(Phase::Failed(how)) {
            self.take(parcel);
        }
    }

    /// Delivers what comes on the stream; returns, in one line, why it ended.
    async fn follow(&self, mut stream: Stream<'_>, headers: Arc<Headers>) -> String {
        loop {
            match stream.next().await {
                Ok(Some(event)) if event.event == ENDPOINT => {
                    self.outlet.warn("the server named a second endpoint, which is ignored".into()).await;
                }
                Ok(Some(event)) => self.outlet.event(event, &headers).await,
                Ok(None) => {
                    self.outlet.warn_of_rest(&stream).await;
                    return "the server ended the event stream".into();
                }
                Err(fault) if fault.lasting => return fault.reason,
                Err(fault) => {
                    self.outlet.warn_of_rest(&stream).await;
                    return format!("the event stream broke: {}", fault.reason);
                }
            }
        }
    }

    /// Changes the phase; returns what waited for that.
    fn enter(&self, phase: Phase) -> Vec<Parcel> {
        match std::mem::replace(&mut *self.phase(), phase) {
            Phase::Opening(waiting) => waiting,
            Phase::Open(_) | Phase::Failed(_) => Vec::new(),
        }
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        lock(&self.phase)
    }
}

/// Reads the first event, which must name the endpoint. Events without data only show that the server is there.
async fn endpoint(stream: &mut Stream<'_>, from: &Url) -> Result<Url, Fault> {
    loop {
        let event = match stream.next().await {
            Ok(Some(event)) => event,
            Ok(None) => return Err(Fault::lasting("the event stream ended before it named an endpoint")),
            Err(fault) if fault.lasting => return Err(fault),
            Err(fault) => {
                let reason = format!("the event stream broke before it named an endpoint: {}", fault.reason);
                return Err(Fault::broken(reason));
            }
        };
        if event.event == ENDPOINT {
            return redirect::endpoint(from, &event.data).map_err(Fault::lasting);
        }
        if event.data.is_empty() {
            continue;
        }
        let first = if event.event.is_empty() { "message" } else { &event.event };
        let first = head(first.as_bytes());
        return Err(Fault::lasting(format!("the event stream begins with {first:?}, not with {ENDPOINT:?}")));
    }
}
