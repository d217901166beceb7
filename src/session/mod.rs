//! The engine: one connection to one server. Requests go out and their endings come back; what the server asks or
//! tells goes to a `Host`. It never prints, and knows nothing of prompts, answer files or terminals.

pub(crate) mod clock;
mod driver;
pub(crate) mod era;
pub(crate) mod host;
mod pending;
mod refusal;
#[cfg(test)]
mod tests;

use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::{Outcome, Raw};
use crate::transport::{Headers, Opened, Outgoing, Tap, Transport};
use clock::{Clock, Pause};
use era::legacy::Legacy;
use era::revision::Revision;
use era::{Era, Letter};
use host::{Event, Host};
use pending::{Ending, Entry, Pending};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

/// How a session is to behave.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The protocol version to ask for.
    pub(crate) revision: &'static Revision,
    /// How the server was reached, for messages before it has told its name.
    pub(crate) address: String,
    /// The longest a request may take without progress; `None` waits for ever.
    pub(crate) timeout: Option<Duration>,
    /// Ends everything early.
    pub(crate) stop: Stop,
}

/// Ends a run early; cheap to clone, the first reason counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    token: CancellationToken,
    kind: Arc<OnceLock<Kind>>,
}

impl Stop {
    /// Stops, because of `kind` (`Interrupted` or `Terminated`).
    pub(crate) fn stop(&self, kind: Kind) {
        let _ = self.kind.set(kind);
        self.token.cancel();
    }

    /// Whether it has been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Returns once stopped, with the failure that it means.
    pub(crate) async fn stopped(&self) -> Failure {
        self.token.cancelled().await;
        match self.kind.get() {
            Some(Kind::Terminated) => Failure::new(Kind::Terminated, "terminated"),
            _ => Failure::new(Kind::Interrupted, "interrupted"),
        }
    }
}

/// What the server told about itself in the handshake.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    /// `serverInfo.name`; display only, never to be trusted.
    pub(crate) name: Option<String>,
    /// `capabilities`.
    pub(crate) capabilities: Map<String, Value>,
}

/// One request to make.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    /// The method.
    pub(crate) method: &'a str,
    /// Its params.
    pub(crate) params: Option<Value>,
    /// The tool, when it is a tool call: context for the asks that come meanwhile.
    pub(crate) tool: Option<&'a str>,
}

/// An open connection.
pub(crate) struct Session {
    core: Arc<Core>,
}

/// What the reader, the asks and the callers share.
pub(crate) struct Core {
    transport: Arc<dyn Transport>,
    host: Arc<dyn Host>,
    pending: Mutex<Pending>,
    era: Mutex<Arc<dyn Era>>,
    server: Mutex<Server>,
    /// Why the transport is gone, once it is.
    closed: OnceLock<String>,
    pause: Pause,
    options: Options,
}

impl Session {
    /// Connects and shakes hands. `dial` opens the transport; it is given a tap when the host wants the wire.
    ///
    /// # Errors
    /// `connect` when the transport or the handshake fails, `auth` on 401 and 403, `timeout`, `interrupted`.
    pub(crate) async fn open(
        dial: impl FnOnce(Option<Tap>) -> Result<Opened>,
        host: Arc<dyn Host>,
        options: Options,
    ) -> Result<Session> {
        let tap: Option<Tap> = host.wants_wire().then(|| {
            let host = host.clone();
            Arc::new(move |wire: crate::transport::Wire<'_>| host.event(Event::Wire(wire))) as Tap
        });
        let (transport, inbox) = dial(tap)?;
        let core = Arc::new(Core {
            transport,
            host,
            pending: Mutex::default(),
            era: Mutex::new(Arc::new(Legacy::opening())),
            server: Mutex::default(),
            closed: OnceLock::new(),
            pause: Pause::new(),
            options,
        });
        tokio::spawn(driver::run(core.clone(), inbox));
        let session = Session { core };
        if let Err(failure) = session.handshake().await {
            session.core.transport.close().await;
            return Err(failure);
        }
        Ok(session)
    }

    /// What the server said it is.
    pub(crate) fn server(&self) -> Server {
        lock(&self.core.server).clone()
    }

    /// Tells the audience of something odd.
    pub(crate) fn warn(&self, text: &str) {
        self.core.warn(text);
    }

    /// Makes one request and returns its result as the server wrote it. A wire session that the server has
    /// forgotten (HTTP 404) is opened anew once and the request, which was not run, sent again.
    ///
    /// # Errors
    /// `protocol` for a JSON-RPC error or an odd reply, `connect` when the transport breaks, `auth`, `timeout`, `interrupted`.
    pub(crate) async fn request(&self, call: Call<'_>) -> Result<Raw> {
        let had_session = lock(&self.core.era).has_wire_session();
        let mut ending = self.core.request(&call).await?;
        if had_session && matches!(ending, Ending::Refused { status: 404, .. }) {
            self.core.warn("the server has forgotten the session (HTTP 404); opening a new one");
            self.handshake().await?;
            ending = self.core.request(&call).await?;
        }
        self.core.result(call.method, ending).map(|(raw, _)| raw)
    }

    /// Says goodbye: ends the wire session, then the transport, each with bounds.
    pub(crate) async fn close(self) {
        if self.core.closed.get().is_none() {
            let farewell = self.core.post(&Letter::End);
            if let Some(farewell) = farewell {
                let _ = tokio::time::timeout(Duration::from_secs(2), farewell.receiver).await;
            }
        }
        self.core.transport.close().await;
    }

    /// `initialize` and `notifications/initialized`, in that order and before anything else (basic/lifecycle).
    async fn handshake(&self) -> Result<()> {
        let core = &self.core;
        *lock(&core.era) = Arc::new(Legacy::opening());
        let asked = core.options.revision;
        let capabilities = asked.declare(&core.host.capabilities());
        let call = Call { method: "initialize", params: Some(Legacy::initialize(asked, capabilities)), tool: None };
        let ending = core.request(&call).await?;
        let (result, headers) = core.result(call.method, ending).map_err(|mut failure| {
            if failure.kind == Kind::Protocol {
                failure.kind = Kind::Connect;
                failure.message = format!("handshake failed: {}", failure.message);
            }
            failure
        })?;
        let (legacy, server, odd) = Legacy::opened(&result, &headers, asked)?;
        for note in odd {
            core.warn(&note);
        }
        *lock(&core.era) = Arc::new(legacy);
        *lock(&core.server) = server;
        core.notify("notifications/initialized", None).await;
        if core.transport.is_http() {
            // Not waited for: a server may leave it without headers, or not offer it (405).
            core.post(&Letter::Listen);
        }
        Ok(())
    }
}

/// An exchange that has been sent.
struct Posted {
    number: u64,
    receiver: oneshot::Receiver<Ending>,
}

impl Core {
    /// Sends a request and waits for its ending, within the clock. One that is given up is cancelled at the
    /// server, `initialize` excepted (utilities/cancellation).
    async fn request(&self, call: &Call<'_>) -> Result<Ending> {
        let clock = Clock::new(self.options.timeout, self.pause.clone());
        let posted = self.post_request(call, clock.restart());
        let given_up = tokio::select! {
            ending = posted.receiver => return Ok(ending.unwrap_or_else(|_| self.lost())),
            () = clock.expired() => self.timed_out(call.method),
            failure = self.options.stop.stopped() => failure,
        };
        if call.method != "initialize" {
            let reason = if given_up.kind == Kind::Timeout { "timed out" } else { "interrupted by the user" };
            let params = json!({ "requestId": posted.number, "reason": reason });
            // Bounded: a server that does not take this any more must not hold us.
            let _ = tokio::time::timeout(Duration::from_secs(1), self.notify("notifications/cancelled", Some(&params)))
                .await;
        }
        lock(&self.pending).abandon(posted.number);
        Err(given_up)
    }

    fn timed_out(&self, method: &str) -> Failure {
        let seconds = self.options.timeout.unwrap_or_default().as_secs_f64();
        Failure::new(Kind::Timeout, format!("no answer to {method} within {seconds} s"))
            .hint("--timeout SECONDS waits longer")
    }

    /// Sends a notification; over HTTP waits until it is acknowledged, so that what follows comes after it.
    async fn notify(&self, method: &str, params: Option<&Value>) {
        let Some(posted) = self.post(&Letter::Notification { method, params }) else { return };
        if self.transport.is_http() {
            self.delivered(method, posted).await;
        }
    }

    /// Waits for the acknowledgement of something that expects no reply; a refusal is a warning.
    async fn delivered(&self, what: &str, posted: Posted) {
        match posted.receiver.await {
            Ok(Ending::Refused { status, body, .. }) => {
                self.warn(&format!("the server refused {what}: {}", refusal::words(status, &body)));
            }
            Ok(Ending::Lost { reason, .. }) => self.warn(&format!("{what} was not delivered: {reason}")),
            _ => {}
        }
    }

    fn post_request(&self, call: &Call<'_>, progress: Arc<Notify>) -> Posted {
        let number = lock(&self.pending).next_request();
        let letter = Letter::Request { number, method: call.method, params: call.params.as_ref() };
        let tool = call.tool.map(str::to_owned);
        // A request always has a wire form.
        self.send(number, &letter, Some(progress), tool).unwrap_or_else(|| unreachable!("request without wire form"))
    }

    /// Sends anything but a request. The ending comes only over HTTP.
    fn post(&self, letter: &Letter<'_>) -> Option<Posted> {
        let number = lock(&self.pending).next_other();
        self.send(number, letter, None, None)
    }

    fn send(
        &self,
        number: u64,
        letter: &Letter<'_>,
        progress: Option<Arc<Notify>>,
        tool: Option<String>,
    ) -> Option<Posted> {
        let encoded = lock(&self.era).encode(letter)?;
        let is_request = matches!(letter, Letter::Request { .. });
        let done = CancellationToken::new();
        let (ending, receiver) = oneshot::channel();
        if is_request || self.transport.is_http() {
            lock(&self.pending).insert(number, Entry { ending, done: done.clone(), progress, tool, is_request });
        }
        if let Some(reason) = self.closed.get() {
            lock(&self.pending).lose_all(reason);
            return Some(Posted { number, receiver });
        }
        self.transport.send(Outgoing {
            exchange: number,
            verb: encoded.verb,
            body: encoded.body,
            headers: encoded.headers,
            wants_reply: is_request || matches!(letter, Letter::Listen),
            resume: encoded.resume,
            done,
        });
        Some(Posted { number, receiver })
    }

    /// The result an ending holds, or the failure it means.
    fn result(&self, method: &str, ending: Ending) -> Result<(Raw, Arc<Headers>)> {
        match ending {
            Ending::Reply { outcome: Outcome::Result(raw), headers } => Ok((raw, headers)),
            Ending::Reply { outcome: Outcome::Error(error), .. } => {
                let code = if error.code.is_null() { String::new() } else { format!(" {}", error.code) };
                let mut failure =
                    Failure::protocol(format!("{method}: the server answered error{code}: {}", error.message));
                failure.code = Some(error.code).filter(|code| !code.is_null());
                failure.data = error.data;
                Err(failure)
            }
            Ending::Reply { outcome: Outcome::Nothing(raw), .. } => {
                let excerpt: String = raw.get().chars().take(300).collect();
                Err(Failure::protocol(format!("{method}: the reply has neither result nor error")).detail(excerpt))
            }
            Ending::Refused { status, body, headers } => {
                Err(refusal::failure(&self.options.address, status, &headers, &body))
            }
            Ending::Lost { reason, unsent: true } => {
                Err(Failure::connect(format!("cannot connect to {}: {reason}", self.options.address)))
            }
            Ending::Lost { reason, unsent: false } => Err(Failure::connect(format!("{method}: {reason}"))),
            Ending::Delivered => {
                Err(Failure::connect(format!("{method}: the server acknowledged it without an answer")))
            }
        }
    }

    fn lost(&self) -> Ending {
        let reason = self.closed.get().cloned().unwrap_or_else(|| "the connection is gone".into());
        Ending::Lost { reason, unsent: false }
    }

    fn warn(&self, text: &str) {
        self.host.event(Event::Warning(text));
    }
}

/// Locks, whether or not another holder panicked: the tables stay consistent between statements.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
