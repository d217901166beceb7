//! The engine: one connection to one server. Requests go out and their endings come back; what the server asks or
//! tells goes to a `Host`. It never prints, and knows nothing of prompts, answer files or terminals.

mod changes;
pub(crate) mod clock;
mod core;
mod driver;
pub(crate) mod era;
mod handshake;
pub(crate) mod host;
mod listening;
mod opening;
pub(crate) mod pager;
mod pending;
mod refusal;
pub(crate) mod rounds;
#[cfg(test)]
mod tests;
mod url_required;

use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::sync::lock;
use crate::transport::{Ears, Opened, Sieve, Tap, Wire};
use clock::{Clock, Limits, Pause};
use core::Core;
use era::legacy::Legacy;
use era::negotiate::HEADER_MISMATCH;
use era::negotiate::Protocol;
use era::revision::Revision;
use era::round::Retry;
use era::{Era, Letter, Reading, Server};
use host::{Event, Host};
use pending::Ending;
use rounds::Standing;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How a session is to behave.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// What to speak.
    pub(crate) protocol: Protocol,
    /// How to reach it first.
    pub(crate) carrier: Carrier,
    /// How the server was reached, for messages before it has told its name.
    pub(crate) address: String,
    /// The longest a request may take without progress; `None` waits for ever.
    pub(crate) timeout: Option<Duration>,
    /// The longest it may take in all.
    pub(crate) max_time: Option<Duration>,
    /// As `timeout`, for the handshake.
    pub(crate) handshake_timeout: Option<Duration>,
    /// The same for a question that a server of another era may leave unanswered, and for what is only acknowledged.
    pub(crate) probe_timeout: Duration,
    /// How often one request may end with questions.
    pub(crate) max_rounds: usize,
    /// How many requests of the server may be open at one time, with the answers that it has not taken.
    pub(crate) max_asks: u32,
    /// How many bytes the pages of a list may have together.
    pub(crate) max_list: usize,
    /// The level to ask a server's logs from.
    pub(crate) log_level: Option<&'static str>,
    /// Stops every clock while somebody is waited for.
    pub(crate) pause: Pause,
    /// Ends everything early.
    pub(crate) stop: Stop,
}

/// How messages are carried, where an address leaves a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// stdio, or the HTTP transport of today.
    Usual,
    /// HTTP+SSE, the transport of 2024-11-05.
    HttpSse,
}

/// Opens a transport; its ears have a tap when the host wants the wire.
pub(crate) type Dial<'a> = dyn Fn(Ears, Carrier) -> Result<Opened> + 'a;

/// Ends a run early; cheap to clone, the first reason counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    token: CancellationToken,
    kind: Arc<OnceLock<Kind>>,
    /// Takes an interruption in place of the run.
    part: Arc<Mutex<Option<CancellationToken>>>,
    /// Interruptions are for parts alone.
    is_in_parts: Arc<AtomicBool>,
}

impl Stop {
    /// From here on interruptions are for parts of the run (`sparing`), and mean nothing between them.
    pub(crate) fn go_by_parts(&self) {
        self.is_in_parts.store(true, Ordering::Relaxed);
    }

    /// Whether an interruption would mean nothing now.
    pub(crate) fn is_between_parts(&self) -> bool {
        self.is_in_parts.load(Ordering::Relaxed) && lock(&self.part).is_none()
    }

    /// Stops, because of `kind` (`Interrupted` or `Terminated`).
    pub(crate) fn stop(&self, kind: Kind) {
        if kind == Kind::Interrupted {
            if let Some(part) = &*lock(&self.part) {
                return part.cancel();
            }
            if self.is_between_parts() {
                return;
            }
        }
        let _ = self.kind.set(kind);
        self.token.cancel();
    }

    /// Does a part of the run that an interruption ends alone: then the work is dropped, and with it its requests are
    /// called off.
    ///
    /// # Errors
    /// `interrupted`, and what the work fails with.
    pub(crate) async fn sparing<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let part = CancellationToken::new();
        *lock(&self.part) = Some(part.clone());
        let outcome = tokio::select! {
            outcome = work => outcome,
            () = part.cancelled() => Err(Self::failure(Kind::Interrupted)),
        };
        *lock(&self.part) = None;
        outcome
    }

    /// Whether it has been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Returns once stopped, with the failure that it means.
    pub(crate) async fn stopped(&self) -> Failure {
        self.token.cancelled().await;
        Self::failure(self.kind.get().copied().unwrap_or(Kind::Interrupted))
    }

    /// Returns when the user stops what was not stopped before.
    pub(crate) async fn hurried(&self) {
        if self.is_stopped() {
            std::future::pending::<()>().await;
        }
        if !self.is_in_parts.load(Ordering::Relaxed) {
            return self.token.cancelled().await;
        }
        tokio::select! {
            _ = self.sparing(std::future::pending::<Result<()>>()) => {}
            () = self.token.cancelled() => {}
        }
    }

    /// What stopping for this reason ends a run with.
    pub(crate) fn failure(kind: Kind) -> Failure {
        Failure::new(kind, kind.name())
    }
}

/// Where a request stands that may end with questions.
#[derive(Debug)]
pub(crate) enum Answered {
    /// It is over.
    Result(Raw),
    /// The server asks.
    Asked(Box<Standing>),
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

impl Session {
    /// Connects, and agrees with the server on a version.
    ///
    /// # Errors
    /// `connect` when the transport or the handshake fails, `auth` on 401 and 403, `timeout`, `interrupted`.
    pub(crate) async fn open(dial: &Dial<'_>, host: Arc<dyn Host>, options: Options) -> Result<Session> {
        if options.carrier == Carrier::HttpSse {
            return Session::open_http_sse(dial, host, options).await;
        }
        let session = Session::start(dial, Carrier::Usual, host.clone(), options.clone())?;
        let Err(mut unopened) = session.agree().await else { return Ok(session) };
        let is_http = session.core.transport.is_http();
        session.close().await;
        if is_http && unopened.may_be_http_sse(options.protocol) {
            match Session::open_http_sse(dial, host, options).await {
                Ok(session) => return Ok(session),
                // It has answered as such a server does: what it says is the truth.
                Err(failure) if failure.is_stop() || failure.code.is_some() || failure.kind != Kind::Connect => {
                    return Err(failure);
                }
                // It opened a stream, so it is such a server, if a broken one.
                Err(failure) if failure.status.is_none() && failure.kind == Kind::Connect => {
                    return Err(failure.hint(format!("tried before: {}", unopened.failure.message)));
                }
                Err(failure) => unopened.tried.push(format!("HTTP+SSE of 2024-11-05, {}", failure.message)),
            }
        }
        Err(unopened.into_failure())
    }

    async fn open_http_sse(dial: &Dial<'_>, host: Arc<dyn Host>, options: Options) -> Result<Session> {
        let asked = options.protocol.revision();
        let session = Session::start(dial, Carrier::HttpSse, host, options)?;
        match session.handshake(asked).await {
            Ok(()) => Ok(session),
            Err(failure) => {
                session.close().await;
                Err(failure)
            }
        }
    }

    /// A connection on which nothing has been said.
    fn start(dial: &Dial<'_>, carrier: Carrier, host: Arc<dyn Host>, options: Options) -> Result<Session> {
        let era: Arc<Mutex<Arc<dyn Era>>> = Arc::new(Mutex::new(Arc::new(Legacy::opening())));
        let tap: Option<Tap> = host.wants_wire().then(|| {
            let (host, era) = (host.clone(), era.clone());
            Arc::new(move |wire: Wire<'_>| {
                let name = lock(&era).name();
                host.event(Event::Wire(wire, name));
            }) as Tap
        });
        let below = host.clone();
        let sieve: Sieve =
            Arc::new(move |line| std::str::from_utf8(line).is_ok_and(|message| below.is_deaf_to(message)));
        let (transport, inbox) = dial(Ears { tap, sieve: Some(sieve) }, carrier)?;
        let core = Arc::new(Core {
            carrier,
            transport,
            host,
            pending: Mutex::default(),
            era,
            modern: Mutex::default(),
            server: Mutex::default(),
            declared: Mutex::default(),
            closed: OnceLock::new(),
            gone: CancellationToken::new(),
            standing: Mutex::default(),
            pause: options.pause.clone(),
            log_level: Mutex::new(options.log_level),
            asks: Arc::new(Semaphore::new(options.max_asks as usize)),
            is_flooded: AtomicBool::new(false),
            n_warnings: AtomicU64::new(0),
            options,
        });
        tokio::spawn(driver::run(core.clone(), inbox));
        Ok(Session { core })
    }

    /// Tells the audience of something odd.
    pub(crate) fn warn(&self, text: &str) {
        self.core.warn(text);
    }

    /// What the server told about itself so far.
    pub(crate) fn server(&self) -> Server {
        lock(&self.core.server).clone()
    }

    /// Whether a call has to say in headers what its tool's schema marks: then the tool is to be listed first.
    pub(crate) fn repeats_arguments(&self) -> bool {
        self.core.transport.is_http() && !lock(&self.core.era).has_back_channel()
    }

    /// How messages are carried.
    pub(crate) fn transport(&self) -> &'static str {
        match (self.core.transport.is_http(), self.core.carrier) {
            (false, _) => "stdio",
            (true, Carrier::Usual) => "Streamable HTTP",
            (true, Carrier::HttpSse) => "HTTP+SSE",
        }
    }

    /// The version that is spoken.
    pub(crate) fn date(&self) -> Option<&'static str> {
        lock(&self.core.era).date()
    }

    /// The rules of that version.
    pub(crate) fn revision(&self) -> Option<&'static Revision> {
        self.date().and_then(Revision::find)
    }

    /// Makes one request and returns its result as the server wrote it, whatever is asked on the way. A wire session that
    /// the server has forgotten (HTTP 404) is opened anew once and the request, which was not run, sent again. A call
    /// that needs URLs visited first (-32042) is offered again once they are.
    ///
    /// # Errors
    /// `protocol` for a JSON-RPC error or an odd reply, `connect` when the transport breaks, `auth`, `timeout`,
    /// `interrupted`, `unanswered`.
    pub(crate) async fn request(&self, call: Call<'_>) -> Result<Raw> {
        let mut at = None;
        loop {
            match self.advance(&call, at.as_ref()).await? {
                Answered::Result(raw) => return Ok(raw),
                Answered::Asked(standing) => at = Some(*standing),
            }
        }
    }

    /// Makes a request, or goes on with it by answering the round it stands at, until it is over or the server asks.
    ///
    /// # Errors
    /// As `request`.
    pub(crate) async fn advance(&self, call: &Call<'_>, at: Option<&Standing>) -> Result<Answered> {
        let retry = match at {
            None => None,
            Some(standing) => Some(self.answer(call, standing).await?),
        };
        let (raw, era) = self.until_accepted(call, retry.as_ref()).await?;
        self.note_server(&raw);
        match era.read(call.method, &raw) {
            Ok(Reading::Complete) => Ok(Answered::Result(raw)),
            Ok(Reading::InputRequired(round)) => Ok(Answered::Asked(Box::new(Standing::next(*round, at)))),
            Err(why) => Err(Failure::protocol(format!("{}: the result {why}", call.method)).detail(raw.excerpt())),
        }
    }

    /// Answers a round, as often as is allowed and within the time that a request has; a person takes as long as it takes.
    async fn answer(&self, call: &Call<'_>, at: &Standing) -> Result<Retry> {
        let options = &self.core.options;
        if at.is_beyond(options.max_rounds) {
            let times = if options.max_rounds == 1 { "time" } else { "times" };
            let what = format!("{}: the server asked for input more than {} {times}", call.method, options.max_rounds);
            return Err(Failure::protocol(what).detail(at.round.gist()).hint("--max-rounds N allows more"));
        }
        let limits = Limits { silence: options.timeout, whole: None };
        let clock = Clock::new(limits, self.core.pause.clone());
        tokio::select! {
            retry = rounds::answer(&self.core, call, at) => retry,
            _ = clock.expired() => {
                let seconds = options.timeout.unwrap_or_default().as_secs_f64();
                let what = format!("{}: no answers to round {} within {seconds} s", call.method, at.number);
                Err(Failure::new(Kind::Timeout, what).hint("--timeout SECONDS waits longer"))
            }
        }
    }

    /// Makes the request until what stands in its way is out of it: URLs to visit, a version, headers.
    async fn until_accepted(&self, call: &Call<'_>, retry: Option<&Retry>) -> Result<(Raw, Arc<dyn Era>)> {
        let (mut n_visits, mut has_adopted, mut was_listed) = (0, false, false);
        loop {
            self.prove_before(call.method).await?;
            let was_unproven = self.is_unproven();
            let failure = match self.request_once(call, retry).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            if let (Some(tool), false) = (call.tool, was_listed)
                && self.repeats_arguments()
                && failure.code.as_ref().is_some_and(|code| *code == HEADER_MISMATCH)
            {
                was_listed = true;
                self.list_again(tool, failure).await?;
                continue;
            }
            if n_visits < url_required::MAX_ROUNDS && url_required::consented(&self.core, call, &failure).await? {
                n_visits += 1;
                continue;
            }
            self.reconsider(failure, was_unproven, has_adopted).await?;
            has_adopted = true;
        }
    }

    /// The tool's schema has changed under us; its annotations say which headers are wanted.
    async fn list_again(&self, tool: &str, mismatch: Failure) -> Result<()> {
        self.core.host.event(Event::Note("the headers did not fit the tool; listing it again"));
        // Boxed, since listing is a request too.
        match Box::pin(self.find(&pager::TOOLS, tool)).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.is_stop() => Err(failure),
            Err(_) => Err(mismatch),
        }
    }

    async fn request_once(&self, call: &Call<'_>, retry: Option<&Retry>) -> Result<(Raw, Arc<dyn Era>)> {
        let had_session = lock(&self.core.era).has_wire_session();
        let limits = self.core.limits(self.core.options.timeout);
        let (mut ending, mut era) = self.core.exchange(call, retry, limits).await?;
        if had_session && matches!(ending, Ending::Refused { status: 404, .. }) {
            self.core.warn("the server has forgotten the session (HTTP 404); opening a new one");
            self.handshake(self.revision().unwrap_or(self.core.options.protocol.revision())).await?;
            (ending, era) = self.core.exchange(call, retry, limits).await?;
        }
        self.core.result(call.method, ending).map(|(raw, _)| (raw, era))
    }

    /// Says goodbye: ends the wire session and the transport, within bounds. Nobody has to wait for a server that does not
    /// answer it.
    pub(crate) async fn close(self) {
        self.core.settle_warnings();
        if self.core.closed.get().is_none() {
            self.core.post(&Letter::End);
        }
        let closing = self.core.transport.close();
        if !self.core.transport.is_http() {
            return closing.await;
        }
        tokio::select! {
            () = closing => {}
            () = self.core.options.stop.hurried() => {}
        }
    }
}
