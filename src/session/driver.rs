//! The reader loop. It never waits for a person or for a write: asks run as tasks of their own, pings and
//! cancellations are dealt with on the spot, notifications are passed on in the order they came.

use super::core::Core;
use super::era::Letter;
use super::host::{Ask, Event, Host, Reply};
use super::pending::Ending;
use crate::jsonrpc::{self, Message, NoMessage, Outcome, Raw, RequestId, RpcError};
use crate::sync::lock;
use crate::transport::{Ended, Headers, Inbox, Incoming, Kept};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Reads until the transport is gone.
pub(super) async fn run(core: Arc<Core>, mut inbox: Inbox) {
    while let Some(incoming) = inbox.recv().await {
        // What else is there already is taken in one go, and what it has to tell is told in one go.
        let _gathering = (!inbox.is_empty()).then(|| Gathering::begin(&*core.host));
        arrived(&core, incoming);
        while let Ok(incoming) = inbox.try_recv() {
            arrived(&core, incoming);
        }
    }
}

/// Lets the host gather what it is told while this lives.
struct Gathering<'a>(&'a dyn Host);

impl<'a> Gathering<'a> {
    fn begin(host: &'a dyn Host) -> Self {
        host.event(Event::Gather(true));
        Gathering(host)
    }
}

impl Drop for Gathering<'_> {
    fn drop(&mut self) {
        self.0.event(Event::Gather(false));
    }
}

fn arrived(core: &Arc<Core>, incoming: Incoming) {
    match incoming {
        Incoming::Message { exchange, text, headers } => receive(core, exchange, text, headers),
        Incoming::Ended { exchange, how } => ended(core, exchange, how),
        Incoming::Stderr(line) => core.host.event(Event::Stderr(&line)),
        Incoming::Warning(text) => core.warn(&text),
        Incoming::TooLarge { head, limit } => too_large(core, &head, limit),
        Incoming::Closed { reason } => {
            let _ = core.closed.set(reason.clone());
            core.gone.cancel();
            lock(&core.pending).lose_all(&reason);
        }
    }
}

/// How long a broken reply is left to the transport, which may be about to say more: that the server died.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// Broken JSON that was to be a reply: the call it came for (HTTP), or the one call that waits, has no other.
fn broken_reply(core: &Arc<Core>, exchange: Option<u64>, why: &str) {
    let ending = Ending::Lost { reason: format!("the answer is broken: {why}"), unsent: false };
    let mut pending = lock(&core.pending);
    if let Some(number) = exchange.filter(|number| pending.expects_reply(*number)) {
        pending.settle(number, ending);
        return;
    }
    let Some(number) = pending.only_request() else { return };
    let core = core.clone();
    tokio::spawn(async move {
        tokio::time::sleep(LAST_WORDS).await;
        lock(&core.pending).settle(number, ending);
    });
}

fn looks_like_reply(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    text.starts_with(['{', '[']) && has("\"jsonrpc\"") && has("\"id\"") && (has("\"result\"") || has("\"error\""))
}

/// A message was dropped for its size. If it was a reply, its call has no other; nothing waits for ever.
fn too_large(core: &Core, head: &str, limit: usize) {
    let what = format!("a message of more than {limit} bytes was dropped, which began with: {head}");
    core.warn(&what);
    // Only the beginning is known; requests and notifications of servers name their method there.
    // (So does a result that asks for input, of its questions.)
    if head.contains("\"method\"") && !head.contains("\"result\"") {
        return;
    }
    let reason = "the answer is too large (--max-message-size raises the limit)".to_owned();
    let mut pending = lock(&core.pending);
    match pending.only_request() {
        Some(number) => {
            pending.settle(number, Ending::Lost { reason, unsent: false });
        }
        None => pending.lose_requests(&reason),
    }
}

fn receive(core: &Arc<Core>, exchange: Option<u64>, text: String, headers: Arc<Headers>) {
    let text = Raw::new(text);
    let mut n_wrong = 0;
    for message in jsonrpc::parse(&text) {
        match message {
            Ok(message) => take(core, exchange, message, &headers),
            Err(NoMessage { text, why }) => {
                n_wrong += 1;
                if n_wrong == 1 {
                    core.warn(&format!("the server sent something that is no message ({why}): {}", text.excerpt()));
                }
                if looks_like_reply(text.get()) {
                    broken_reply(core, exchange, &why);
                }
            }
        }
    }
    if n_wrong > 1 {
        core.warn(&format!("{} more of its batch are no messages", n_wrong - 1));
    }
}

fn take(core: &Arc<Core>, exchange: Option<u64>, message: Message, headers: &Arc<Headers>) {
    match message {
        Message::Response { id, outcome, odd } => reply(core, exchange, id, outcome, &odd, headers),
        Message::Notification { method, params } => notification(core, &method, params.as_ref()),
        Message::Request { id, method, params } => request(core, exchange, id, method, params.as_ref()),
    }
}

/// Finds whose reply it is: by id, else by the exchange it came on, else (no id, or one that is none) the only one waiting.
/// What came on an exchange with the id of another is kept until that ends: the right one may follow, as after what a server
/// sends again on a stream that was resumed.
fn reply(
    core: &Core,
    exchange: Option<u64>,
    id: Option<RequestId>,
    outcome: Outcome,
    odd: &[String],
    headers: &Arc<Headers>,
) {
    let mut pending = lock(&core.pending);
    let by_id = id.as_ref().and_then(RequestId::as_ours).filter(|number| pending.is_open(*number));
    let by_exchange = exchange.filter(|number| pending.expects_reply(*number));
    let is_anothers = id.as_ref().is_some_and(RequestId::is_plausible);
    let by_absence = if is_anothers { None } else { pending.only_request() };
    let known = id.as_ref().and_then(RequestId::as_ours).is_some_and(|number| pending.was_ours(number));
    let shown = id.as_ref().map_or_else(|| "null".to_owned(), ToString::to_string);
    let (number, mut note) = match (by_id, by_exchange, by_absence) {
        (Some(number), ..) => (Some(number), None),
        (None, Some(number), _) | (None, None, Some(number)) if !(is_anothers && pending.holds(number)) => {
            let unless = if is_anothers { ", unless that comes too" } else { "" };
            let note = format!("a reply with id {shown} is taken for the answer to request {number}{unless}");
            (Some(number), Some(note))
        }
        // It crossed our `notifications/cancelled`.
        _ if id.as_ref().and_then(RequestId::as_ours).is_some_and(|number| pending.was_abandoned(number)) => {
            (None, None)
        }
        _ if known => (None, Some(format!("a late or second reply to request {shown} was dropped"))),
        _ => (None, Some(format!("a reply to request {shown}, which was never made, was dropped"))),
    };
    if let Some(number) = number {
        let ending = Ending::Reply { outcome, headers: headers.clone(), status: None };
        match by_id.is_none() && is_anothers {
            true => pending.hold(number, ending),
            false => drop(pending.settle(number, ending)),
        }
    }
    drop(pending);
    if !odd.is_empty() {
        note = Some(match note {
            Some(note) => format!("{note}; it has {}", odd.join(", ")),
            None => format!("the reply to request {shown} has {}", odd.join(", ")),
        });
    }
    if let Some(note) = note {
        core.warn(&note);
    }
}

fn notification(core: &Core, method: &str, params: Option<&Raw>) {
    let field = |key: &str| {
        params.and_then(|raw| raw.members(&[key]).ok()).and_then(|[member]| member.as_ref().map(RequestId::from))
    };
    match method {
        "notifications/cancelled" => {
            let withdrawn = field("requestId").is_some_and(|id| lock(&core.pending).withdraw(&id));
            if withdrawn {
                core.warn("the server took its question back");
            } else if let Some(ours) = field("requestId").and_then(|id| id.as_ours()) {
                lock(&core.pending).end_subscription(ours);
            }
            return;
        }
        "notifications/progress" => {
            if let Some(token) = field("progressToken") {
                lock(&core.pending).progress(&token);
            }
        }
        _ => {}
    }
    core.host.event(Event::Notification { method, params });
}

/// A request in an era that has no way to answer it. A ping is let be; anything else the server may wait for, so the call
/// that it belongs to ends.
fn forbidden(core: &Core, exchange: Option<u64>, method: &str) {
    core.warn(&format!("the server sent the request {method}, which this protocol version has no answer for"));
    let mut pending = lock(&core.pending);
    let call = exchange.filter(|number| pending.expects_reply(*number)).or_else(|| pending.only_request());
    if let Some(number) = call.filter(|_| method != "ping") {
        pending.settle(number, Ending::Forbidden { asked: method.to_owned() });
    }
}

fn request(core: &Arc<Core>, exchange: Option<u64>, id: RequestId, method: String, params: Option<&Raw>) {
    if !lock(&core.era).has_back_channel() {
        return forbidden(core, exchange, &method);
    }
    let Some(room) = room(core, params) else { return flooded(core, &method) };
    if method == "ping" {
        let core = core.clone();
        tokio::spawn(async move { respond(&core, &method, &id, Ok(&json!({})), room).await });
        return;
    }
    let params = match params.map_or(Ok(Value::Null), Raw::value) {
        Ok(params) => params,
        Err(why) => {
            let why = format!("params cannot be read: {why}");
            return refuse(core, method, id, RpcError::new(-32602, why), room);
        }
    };
    let (withdrawn, tool, call) = {
        let mut pending = lock(&core.pending);
        (pending.ask(id.clone()), pending.tool(exchange), pending.call(exchange))
    };
    let Some(withdrawn) = withdrawn else {
        let why = format!("a request with id {id} is open already");
        return refuse(core, method, id, RpcError::new(-32600, why), room);
    };
    let ask = Ask {
        tool,
        call,
        key: None,
        round: None,
        protocol: lock(&core.era).date(),
        declared: lock(&core.declared).clone(),
        server: core.server_name(),
        withdrawn,
        pause: core.pause.clone(),
        id,
        method,
        params,
    };
    tokio::spawn(answer(core.clone(), ask, room));
}

/// How much of a request's text takes the room of one more.
const ROOM: usize = 64 << 10;

/// The room for a request, until its answer has been sent; `None` when too many are open.
fn room(core: &Core, params: Option<&Raw>) -> Option<Kept> {
    let size = params.map_or(0, |params| params.get().len());
    // One that takes all room by itself has been read already, and may be answered alone.
    let n = u32::try_from(1 + size / ROOM).unwrap_or(u32::MAX).min(core.options.max_asks);
    core.asks.clone().try_acquire_many_owned(n).ok().map(Arc::new)
}

/// The server asks faster than it is answered, or takes no answers. What is too much gets none: that would be one more to
/// keep. So the calls end, which may wait for it.
fn flooded(core: &Core, method: &str) {
    if !lock(&core.pending).flood() && !core.is_flooded.swap(true, Ordering::Relaxed) {
        let max = core.options.max_asks;
        core.warn(&format!("more than {max} questions are open, {method} was dropped (--max-asks raises the limit)"));
    }
}

/// Refuses a request that cannot be put to anybody.
fn refuse(core: &Arc<Core>, method: String, id: RequestId, error: RpcError, room: Kept) {
    core.warn(&format!("{method}: {}", error.message));
    let core = core.clone();
    tokio::spawn(async move { respond(&core, &method, &id, Err(&error), room).await });
}

async fn answer(core: Arc<Core>, ask: Ask, room: Kept) {
    let (id, method, withdrawn) = (ask.id.clone(), ask.method.clone(), ask.withdrawn.clone());
    let reply = tokio::select! {
        reply = core.host.answer(ask) => reply,
        () = withdrawn.cancelled() => return,
    };
    if !lock(&core.pending).answered(&id) {
        return;
    }
    match &reply {
        Reply::Result(value) => respond(&core, &method, &id, Ok(value), room).await,
        Reply::Error(error) => respond(&core, &method, &id, Err(error), room).await,
    }
}

async fn respond(core: &Core, method: &str, id: &RequestId, outcome: Result<&Value, &RpcError>, room: Kept) {
    let Some(posted) = core.post_keeping(&Letter::Response { id, outcome }, Some(room.clone())) else { return };
    if core.transport.is_http() {
        core.delivered(&format!("the answer to {method}"), posted).await;
    }
}

fn ended(core: &Arc<Core>, number: u64, how: Ended) {
    if !lock(&core.pending).is_open(number) {
        return;
    }
    let ending = match how {
        Ended::Complete if !lock(&core.pending).expects_reply(number) => Ending::Delivered,
        Ended::Complete | Ended::Broken { unsent: false, .. } if lock(&core.pending).holds(number) => {
            lock(&core.pending).settle_held(number);
            return;
        }
        Ended::Complete => {
            Ending::Lost { reason: "the server ended its response without an answer".into(), unsent: false }
        }
        Ended::Unauthorized(failure) => Ending::Unauthorized(failure),
        Ended::Broken { reason, unsent } => Ending::Lost { reason, unsent },
        Ended::Refused { status, headers, body } => {
            // An error body that is a JSON-RPC reply says more than the status does.
            let reply = jsonrpc::parse(&Raw::new(body.clone())).next();
            if let Some(Ok(Message::Response { id, outcome, odd })) = reply
                && is_rpc(&outcome, &odd)
                && !matches!(status, 401 | 403)
                // It has forgotten the session, unless it says of this very request what was wrong with it.
                && (status != 404 || !lock(&core.era).has_wire_session() || is_about(id.as_ref(), number))
                && lock(&core.pending).expects_reply(number)
            {
                Ending::Reply { outcome, headers, status: Some(status) }
            } else {
                Ending::Refused { status, headers, body }
            }
        }
    };
    lock(&core.pending).settle(number, ending);
}

fn is_about(id: Option<&RequestId>, number: u64) -> bool {
    id.and_then(RequestId::as_ours) == Some(number)
}

/// Many frameworks put an `error` of their own into the body of a refusal; JSON-RPC's says so, or has a code.
fn is_rpc(outcome: &Outcome, odd: &[String]) -> bool {
    odd.is_empty() || matches!(outcome, Outcome::Error(error) if error.code.is_number())
}
