//! What the reader, the asks and the callers share: the transport, the tables, and the clock. Here a letter becomes an
//! exchange, and an exchange's ending a result or a failure.

use super::clock::{Clock, Limits, Over, Pause};
use super::era::modern::Modern;
use super::era::negotiate::Protocol;
use super::era::round::Retry;
use super::era::{Era, Letter, Server};
use super::host::{Event, Host};
use super::pending::{Ending, Entry, Pending};
use super::{Call, Carrier, Options, refusal};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::{Outcome, Raw};
use crate::sync::lock;
use crate::transport::{Headers, Kept, Outgoing, Transport};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;

/// The inside of a session.
pub(super) struct Core {
    pub(super) carrier: Carrier,
    pub(super) transport: Arc<dyn Transport>,
    pub(super) host: Arc<dyn Host>,
    pub(super) pending: Mutex<Pending>,
    pub(super) era: Arc<Mutex<Arc<dyn Era>>>,
    /// The last era without handshake, with what it has learned.
    pub(super) modern: Mutex<Option<Arc<Modern>>>,
    pub(super) server: Mutex<Server>,
    /// The capabilities object that the server was given.
    pub(super) declared: Mutex<Arc<Map<String, Value>>>,
    /// Why the transport is gone, once it is.
    pub(super) closed: OnceLock<String>,
    /// Cancelled then.
    pub(super) gone: CancellationToken,
    /// The ending to come of the standing stream, where one was asked for.
    pub(super) standing: Mutex<Option<oneshot::Receiver<Ending>>>,
    pub(super) pause: Pause,
    /// Room for the requests of the server.
    pub(super) asks: Arc<Semaphore>,
    /// Whether it was told that there is none left.
    pub(super) is_flooded: AtomicBool,
    /// How much there was to warn of since the last request of ours.
    pub(super) n_warnings: AtomicU64,
    /// The level to ask for logs from.
    pub(super) log_level: Mutex<Option<&'static str>>,
    pub(super) options: Options,
}

/// How much is warned of in words between two requests of ours.
const MANY: u64 = 100;

/// Servers acknowledge a notification before they read it: the end of the session, right behind it, would overtake it.
const OVERTAKING: Duration = Duration::from_millis(50);

/// A request that is waited for. Dropped before its ending has come, it is called off.
struct InFlight<'a> {
    core: &'a Core,
    number: u64,
    method: &'a str,
    is_settled: bool,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.core.call_off(self.number, self.method, "no longer wanted");
            lock(&self.core.pending).abandon(self.number);
        }
    }
}

/// An exchange that has been sent.
pub(super) struct Posted {
    pub(super) number: u64,
    pub(super) receiver: oneshot::Receiver<Ending>,
    /// In whose words it was sent: by then another may be spoken.
    era: Arc<dyn Era>,
}

impl Core {
    /// How long a request may take that may be silent for so long.
    pub(super) fn limits(&self, silence: Option<Duration>) -> Limits {
        Limits { silence, whole: self.options.max_time }
    }

    /// Sends a request and waits for its ending, within the clock. One that is given up, or dropped, is called off at the
    /// server.
    pub(super) async fn request(&self, call: &Call<'_>, retry: Option<&Retry>, limits: Limits) -> Result<Ending> {
        self.exchange(call, retry, limits).await.map(|(ending, _)| ending)
    }

    /// The same, with the era that it was made in, which says how its result is to be read.
    pub(super) async fn exchange(
        &self,
        call: &Call<'_>,
        retry: Option<&Retry>,
        limits: Limits,
    ) -> Result<(Ending, Arc<dyn Era>)> {
        let clock = Clock::new(limits, self.pause.clone());
        let posted = self.post_request(call, retry, clock.restart());
        let mut in_flight = InFlight { core: self, number: posted.number, method: call.method, is_settled: false };
        let given_up = tokio::select! {
            ending = posted.receiver => {
                let ending = ending.unwrap_or_else(|_| self.lost());
                in_flight.is_settled = !matches!(ending, Ending::Forbidden { .. });
                return Ok((ending, posted.era));
            }
            failure = self.given_up(call.method, &clock) => failure,
        };
        in_flight.is_settled = true;
        let reason = if given_up.kind == Kind::Timeout { "timed out" } else { "stopped by the user" };
        if let Some(told) = self.call_off(posted.number, call.method, reason).filter(|_| self.transport.is_http()) {
            // Bounded: a server that does not take this any more must not hold us.
            let told = self.delivered("notifications/cancelled", told);
            let _ = tokio::time::timeout(Duration::from_secs(2), told).await;
            tokio::time::sleep(OVERTAKING).await;
        }
        lock(&self.pending).abandon(posted.number);
        Err(given_up)
    }

    /// Tells the server that a request is given up; `initialize` may not be (utilities/cancellation).
    fn call_off(&self, number: u64, method: &str, reason: &str) -> Option<Posted> {
        if method == "initialize" {
            return None;
        }
        let params = json!({ "requestId": number, "reason": reason });
        self.post(&Letter::Notification { method: "notifications/cancelled", params: Some(&params) })
    }

    /// Returns when the time is over or the user stops, with the failure that it means.
    async fn given_up(&self, method: &str, clock: &Clock) -> Failure {
        tokio::select! {
            over = clock.expired() => self.overdue(method, over),
            failure = self.options.stop.stopped() => failure,
        }
    }

    /// What it means that a time is over. The server may long have said that it wants credentials, which others give.
    fn overdue(&self, method: &str, over: Over) -> Failure {
        let (limit, only, hint) = match over {
            Over::Silence(limit) => (limit, "", "--timeout SECONDS waits longer"),
            Over::Whole(limit) => (limit, ", only progress", "--max-time SECONDS waits longer"),
        };
        let limit = limit.as_secs_f64();
        if let Some(why) = self.transport.waits_for() {
            let what = format!("{method} was not authorized within {limit} s: {why}");
            return Failure::new(Kind::Timeout, what).hint(hint);
        }
        let failure = Failure::new(Kind::Timeout, format!("no answer to {method} within {limit} s{only}")).hint(hint);
        match self.options.protocol {
            Protocol::Auto if method == "initialize" => {
                failure.hint("--protocol modern may work: that has no handshake")
            }
            _ => failure,
        }
    }

    /// Sends a notification; over HTTP waits until it is acknowledged, so that what follows comes after it.
    ///
    /// # Errors
    /// `interrupted`. A refusal is only a warning, and so is no word at all: what was sent may have come all the same.
    pub(super) async fn notify(&self, method: &str) -> Result<()> {
        let Some(posted) = self.post(&Letter::Notification { method, params: None }) else { return Ok(()) };
        if !self.transport.is_http() {
            return Ok(());
        }
        let (limit, number) = (self.options.probe_timeout, posted.number);
        let clock = Clock::new(Limits { silence: Some(limit), whole: None }, self.pause.clone());
        tokio::select! {
            () = self.delivered(method, posted) => {}
            failure = self.options.stop.stopped() => {
                lock(&self.pending).abandon(number);
                return Err(failure);
            }
            _ = clock.expired() => {
                let why = self.transport.waits_for().map(|why| format!(": {why}")).unwrap_or_default();
                self.warn(&format!("{method} was not acknowledged within {} s{why}", limit.as_secs_f64()));
            }
        }
        Ok(())
    }

    /// Waits for the acknowledgement of something that expects no reply; a refusal is a warning.
    pub(super) async fn delivered(&self, what: &str, posted: Posted) {
        match posted.receiver.await {
            Ok(Ending::Refused { status, body, .. }) => {
                self.warn(&format!("the server refused {what}: {}", refusal::words(status, &body)));
            }
            Ok(Ending::Unauthorized(failure)) => self.warn(&format!("{what} was not delivered: {failure}")),
            Ok(Ending::Lost { reason, .. }) => self.warn(&format!("{what} was not delivered: {reason}")),
            _ => {}
        }
    }

    fn post_request(&self, call: &Call<'_>, retry: Option<&Retry>, progress: Arc<Notify>) -> Posted {
        self.settle_warnings();
        let number = lock(&self.pending).next_request();
        let letter = Letter::Request { number, method: call.method, params: call.params.as_ref(), retry };
        let tool = call.tool.map(str::to_owned);
        // A request always has a wire form.
        self.send(number, &letter, Some(progress), tool, None)
            .unwrap_or_else(|| unreachable!("request without wire form"))
    }

    /// Sends anything but a request. The ending comes only over HTTP.
    pub(super) fn post(&self, letter: &Letter<'_>) -> Option<Posted> {
        self.post_keeping(letter, None)
    }

    /// The same; what is kept is let go when it has been sent.
    pub(super) fn post_keeping(&self, letter: &Letter<'_>, kept: Option<Kept>) -> Option<Posted> {
        let number = lock(&self.pending).next_other();
        self.send(number, letter, None, None, kept)
    }

    fn send(
        &self,
        number: u64,
        letter: &Letter<'_>,
        progress: Option<Arc<Notify>>,
        tool: Option<String>,
        kept: Option<Kept>,
    ) -> Option<Posted> {
        let era = lock(&self.era).clone();
        let encoded = era.encode(letter)?;
        let is_request = matches!(letter, Letter::Request { .. });
        let is_subscription = matches!(letter, Letter::Request { method: "subscriptions/listen", .. });
        let done = CancellationToken::new();
        let (ending, receiver) = oneshot::channel();
        if is_request || self.transport.is_http() {
            let call = if is_request { super::host::current_call() } else { None };
            let entry = Entry { ending, done: done.clone(), progress, tool, call, is_request, is_subscription };
            lock(&self.pending).insert(number, entry);
        }
        if let Some(reason) = self.closed.get() {
            lock(&self.pending).lose_all(reason);
            return Some(Posted { number, receiver, era });
        }
        self.transport.send(Outgoing {
            exchange: number,
            verb: encoded.verb,
            body: encoded.body,
            headers: encoded.headers,
            wants_reply: is_request || matches!(letter, Letter::Listen),
            resume: encoded.resume,
            done,
            kept,
        });
        Some(Posted { number, receiver, era })
    }

    /// The result an ending holds, or the failure it means.
    pub(super) fn result(&self, method: &str, ending: Ending) -> Result<(Raw, Arc<Headers>)> {
        match ending {
            Ending::Reply { outcome: Outcome::Result(raw), headers, .. } => Ok((raw, headers)),
            Ending::Reply { outcome: Outcome::Error(error), status, .. } => {
                let code = if error.code.is_null() { String::new() } else { format!(" {}", error.code) };
                let mut failure =
                    Failure::protocol(format!("{method}: the server answered error{code}: {}", error.message));
                failure.code = Some(error.code).filter(|code| !code.is_null());
                failure.data = error.data;
                failure.status = status;
                failure.said = Some(error.message);
                Err(failure)
            }
            Ending::Reply { outcome: Outcome::Nothing(raw), .. } => {
                Err(Failure::protocol(format!("{method}: the reply has neither result nor error"))
                    .detail(raw.excerpt()))
            }
            Ending::Refused { status, body, headers } => {
                Err(refusal::failure(&self.options.address, lock(&self.era).is_open(), status, &headers, &body))
            }
            Ending::Unauthorized(failure) => Err(*failure),
            Ending::Lost { reason, unsent: true } => {
                Err(Failure::connect(format!("cannot connect to {}: {reason}", self.options.address)))
            }
            Ending::Lost { reason, unsent: false } => Err(Failure::connect(format!("{method}: {reason}"))),
            Ending::Forbidden { asked } => {
                let date = lock(&self.era).date().unwrap_or_default();
                Err(Failure::protocol(format!(
                    "{method}: the server made a request of its own ({asked}) in {date}, which has none"
                ))
                .hint("--protocol legacy may work: the handshake era has a way for it"))
            }
            Ending::Flooded => Err(self.flooded(method)),
            Ending::Delivered => {
                Err(Failure::connect(format!("{method}: the server acknowledged it without an answer")))
            }
        }
    }

    /// The failure of a request for which too much is asked.
    pub(super) fn flooded(&self, method: &str) -> Failure {
        let what = format!(
            "{method}: the server has more than {} questions open at one time, or some that are very large",
            self.options.max_asks
        );
        Failure::protocol(what).hint("--max-asks raises the limit")
    }

    fn lost(&self) -> Ending {
        let reason = self.closed.get().cloned().unwrap_or_else(|| "the connection is gone".into());
        Ending::Lost { reason, unsent: false }
    }

    /// The server's name as it gave it, else how it was reached.
    pub(super) fn server_name(&self) -> String {
        lock(&self.server).name.clone().unwrap_or_else(|| self.options.address.clone())
    }

    /// Tells of something odd; of very many things between two requests of ours only that there are more.
    pub(super) fn warn(&self, text: &str) {
        match self.n_warnings.fetch_add(1, Ordering::Relaxed) {
            ..MANY => self.host.event(Event::Warning(text)),
            MANY => self.host.event(Event::Warning("there is more to warn of: it is counted only")),
            _ => {}
        }
    }

    /// Begins to count anew what is warned of, and tells of what was left out.
    pub(super) fn settle_warnings(&self) {
        let more = self.n_warnings.swap(0, Ordering::Relaxed).saturating_sub(MANY);
        if more > 0 {
            self.host.event(Event::Warning(&format!("{more} more warnings were left out")));
        }
    }
}
