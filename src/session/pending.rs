//! Requests in flight, as a value: our own, and the server's that are being answered. Replies that come late,
//! twice or odd each have a named fate here; none leaves a call waiting.

use crate::failure::Failure;
use crate::jsonrpc::{Outcome, RequestId};
use crate::transport::Headers;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

/// How a request of ours ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The server replied.
    Reply {
        /// What it said.
        outcome: Outcome,
        /// Response headers (HTTP).
        headers: Arc<Headers>,
        /// The HTTP status, where it was a refusal.
        status: Option<u16>,
    },
    /// HTTP refused it.
    Refused {
        /// HTTP status.
        status: u16,
        /// Response headers.
        headers: Arc<Headers>,
        /// Excerpt of the body.
        body: String,
    },
    /// The credentials that it takes could not be had.
    Unauthorized(Box<Failure>),
    /// No reply can come any more: one line why.
    Lost {
        /// Why.
        reason: String,
        /// Whether nothing reached the server.
        unsent: bool,
    },
    /// The server made a request of its own, which this era has none of: it may wait for the answer for ever.
    Forbidden {
        /// Its method.
        asked: String,
    },
    /// The server asks more at one time than it may.
    Flooded,
    /// A notification or response was delivered.
    Delivered,
}

/// Where the numbers of exchanges without a request id begin.
const OTHERS: u64 = 1 << 48;

/// One exchange of ours that is under way.
pub(crate) struct Entry {
    /// Takes the ending.
    pub(crate) ending: oneshot::Sender<Ending>,
    /// Cancelled to tell the transport that the exchange is settled.
    pub(crate) done: CancellationToken,
    /// Notified on progress.
    pub(crate) progress: Option<Arc<Notify>>,
    /// The tool being called.
    pub(crate) tool: Option<String>,
    /// Which of many calls it belongs to.
    pub(crate) call: Option<usize>,
    /// Whether a reply is expected (a request, not a notification).
    pub(crate) is_request: bool,
    /// Whether it is a subscription, which the server may end.
    pub(crate) is_subscription: bool,
}

/// The table of exchanges and asks.
#[derive(Default)]
pub(crate) struct Pending {
    last_request: u64,
    last_other: u64,
    ours: HashMap<u64, Entry>,
    asks: HashMap<RequestId, Asked>,
    /// Requests that were given up; their replies may still come.
    abandoned: HashSet<u64>,
    /// Replies with ids of others: what a request ends with when it gets no better.
    held: HashMap<u64, Ending>,
}

/// A question being answered.
struct Asked {
    withdrawn: CancellationToken,
    /// It came while a request of ours was open, and ends with the last of them: some servers never take a
    /// question back when its call is over.
    during_call: bool,
}

impl Pending {
    /// A fresh number for a request: its id, progress token and exchange in one. Starts at 1; never reused.
    pub(crate) fn next_request(&mut self) -> u64 {
        self.last_request += 1;
        self.last_request
    }

    /// A fresh number for the exchange of anything else, out of the way of request ids.
    pub(crate) fn next_other(&mut self) -> u64 {
        self.last_other += 1;
        OTHERS + self.last_other
    }

    /// Registers an exchange before it is sent.
    pub(crate) fn insert(&mut self, number: u64, entry: Entry) {
        self.ours.insert(number, entry);
    }

    /// Whether this number was ever given out.
    pub(crate) fn was_ours(&self, number: u64) -> bool {
        (1..=self.last_request).contains(&number)
    }

    /// Settles an exchange; false when nobody waits for it (late, twice, or invented).
    pub(crate) fn settle(&mut self, number: u64, ending: Ending) -> bool {
        let Some(entry) = self.remove(number) else { return false };
        // The waiting side may have gone (timeout); then the ending is of no use.
        let _ = entry.ending.send(ending);
        true
    }

    /// Keeps an ending for when the exchange is over and had no other.
    pub(crate) fn hold(&mut self, number: u64, ending: Ending) {
        self.held.insert(number, ending);
    }

    /// Whether there is such an ending.
    pub(crate) fn holds(&self, number: u64) -> bool {
        self.held.contains_key(&number)
    }

    /// Settles an exchange with it.
    pub(crate) fn settle_held(&mut self, number: u64) {
        if let Some(ending) = self.held.remove(&number) {
            self.settle(number, ending);
        }
    }

    /// The server ends a subscription (2026-07-28 basic/patterns/cancellation); other requests it may not.
    pub(crate) fn end_subscription(&mut self, number: u64) {
        if self.ours.get(&number).is_some_and(|entry| entry.is_subscription) {
            self.settle(number, Ending::Delivered);
        }
    }

    /// Drops an exchange that its caller gave up.
    pub(crate) fn abandon(&mut self, number: u64) {
        if self.remove(number).is_some() {
            self.abandoned.insert(number);
        }
    }

    /// Whether this request was given up.
    pub(crate) fn was_abandoned(&self, number: u64) -> bool {
        self.abandoned.contains(&number)
    }

    fn remove(&mut self, number: u64) -> Option<Entry> {
        let entry = self.ours.remove(&number)?;
        self.held.remove(&number);
        entry.done.cancel();
        if entry.is_request && !self.ours.values().any(|other| other.is_request) {
            for asked in self.asks.extract_if(|_, asked| asked.during_call).map(|(_, asked)| asked) {
                asked.withdrawn.cancel();
            }
        }
        Some(entry)
    }

    /// The one request in flight, when there is exactly one: what a reply with a null id is taken for.
    pub(crate) fn only_request(&self) -> Option<u64> {
        let mut requests = self.ours.iter().filter(|(_, entry)| entry.is_request).map(|(number, _)| *number);
        requests.next().filter(|_| requests.next().is_none())
    }

    /// Whether the exchange is still open.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.ours.contains_key(&number)
    }

    /// Whether the exchange is an open request.
    pub(crate) fn expects_reply(&self, number: u64) -> bool {
        self.ours.get(&number).is_some_and(|entry| entry.is_request)
    }

    /// The tool whose call is under way: by the exchange the ask came on, else the only one there is.
    pub(crate) fn tool(&self, exchange: Option<u64>) -> Option<String> {
        self.about(exchange, |entry| entry.tool.as_ref()).cloned()
    }

    /// The same of which of many calls it is.
    pub(crate) fn call(&self, exchange: Option<u64>) -> Option<usize> {
        self.about(exchange, |entry| entry.call.as_ref()).copied()
    }

    fn about<T: PartialEq>(&self, exchange: Option<u64>, what: impl Fn(&Entry) -> Option<&T>) -> Option<&T> {
        let known = exchange.and_then(|number| self.ours.get(&number)).and_then(&what);
        known.or_else(|| {
            let mut all = self.ours.values().filter_map(&what);
            all.next().filter(|first| all.all(|other| other == *first))
        })
    }

    /// Restarts the clock of the call that a progress token belongs to.
    pub(crate) fn progress(&self, token: &RequestId) {
        let entry = token.as_ours().and_then(|number| self.ours.get(&number));
        if let Some(notify) = entry.and_then(|entry| entry.progress.as_ref()) {
            notify.notify_one();
        }
    }

    /// Ends all requests: one of them has lost its reply, and nobody can say which.
    pub(crate) fn lose_requests(&mut self, reason: &str) {
        self.lose(reason, |entry| entry.is_request);
    }

    /// Ends all requests, since the server asks too much at one time; false when there is none.
    pub(crate) fn flood(&mut self) -> bool {
        let requests: Vec<u64> =
            self.ours.iter().filter(|(_, entry)| entry.is_request).map(|(number, _)| *number).collect();
        for number in &requests {
            self.settle(*number, Ending::Flooded);
        }
        !requests.is_empty()
    }

    fn lose(&mut self, reason: &str, which: impl Fn(&Entry) -> bool) {
        for (_, entry) in self.ours.extract_if(|_, entry| which(entry)) {
            entry.done.cancel();
            let _ = entry.ending.send(Ending::Lost { reason: reason.to_owned(), unsent: false });
        }
    }

    /// Ends everything: the transport is gone.
    pub(crate) fn lose_all(&mut self, reason: &str) {
        self.lose(reason, |_| true);
        for (_, asked) in self.asks.drain() {
            asked.withdrawn.cancel();
        }
    }

    /// Notes a question being answered; the token is cancelled when the server takes it back. `None` when a question
    /// with this id is open already: two answers to one id would be nobody's.
    pub(crate) fn ask(&mut self, id: RequestId) -> Option<CancellationToken> {
        if self.asks.contains_key(&id) {
            return None;
        }
        let withdrawn = CancellationToken::new();
        let during_call = self.ours.values().any(|entry| entry.is_request);
        self.asks.insert(id, Asked { withdrawn: withdrawn.clone(), during_call });
        Some(withdrawn)
    }

    /// Ends a question: true when its answer should be sent, false when it was withdrawn.
    pub(crate) fn answered(&mut self, id: &RequestId) -> bool {
        self.asks.remove(id).is_some()
    }

    /// The server takes a question back (`notifications/cancelled`); false when it was not open.
    pub(crate) fn withdraw(&mut self, id: &RequestId) -> bool {
        let Some(asked) = self.asks.remove(id) else { return false };
        asked.withdrawn.cancel();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn insert(pending: &mut Pending, tool: Option<&str>) -> (u64, oneshot::Receiver<Ending>) {
        let (ending, receiver) = oneshot::channel();
        let number = pending.next_request();
        let tool = tool.map(str::to_owned);
        pending.insert(
            number,
            Entry {
                ending,
                done: CancellationToken::new(),
                progress: None,
                call: tool.as_ref().map(|_| number as usize),
                tool,
                is_request: true,
                is_subscription: false,
            },
        );
        (number, receiver)
    }

    #[test]
    fn a_reply_settles_once_and_a_second_is_nobodys() {
        let mut pending = Pending::default();
        let (number, mut receiver) = insert(&mut pending, None);
        assert!(pending.settle(number, Ending::Delivered));
        assert!(receiver.try_recv().is_ok());
        assert!(!pending.settle(number, Ending::Delivered));
        assert!(pending.was_ours(number) && !pending.was_ours(number + 1) && !pending.was_ours(0));
    }

    #[test]
    fn a_null_id_belongs_to_the_only_request() {
        let mut pending = Pending::default();
        let (first, _a) = insert(&mut pending, None);
        assert_eq!(pending.only_request(), Some(first));
        let (_, _b) = insert(&mut pending, None);
        assert_eq!(pending.only_request(), None);
    }

    #[test]
    fn the_tool_is_known_by_exchange_or_when_there_is_one() {
        let mut pending = Pending::default();
        let (a, _a) = insert(&mut pending, Some("a"));
        assert_eq!(pending.tool(None).as_deref(), Some("a"));
        let (_, _b) = insert(&mut pending, Some("b"));
        assert_eq!(pending.tool(None), None);
        assert_eq!(pending.tool(Some(a)).as_deref(), Some("a"));
    }

    #[test]
    fn of_two_calls_of_a_tool_the_exchange_alone_says_which_asks() {
        let mut pending = Pending::default();
        let (a, _a) = insert(&mut pending, Some("t"));
        let (_, _none) = insert(&mut pending, None);
        assert_eq!(pending.call(None), Some(1));
        let (b, _b) = insert(&mut pending, Some("t"));
        assert_eq!((pending.call(Some(a)), pending.call(Some(b)), pending.call(None)), (Some(1), Some(3), None));
        assert_eq!(pending.tool(None).as_deref(), Some("t"));
    }

    #[test]
    fn a_withdrawn_question_gets_no_answer() {
        let mut pending = Pending::default();
        let id = RequestId::from(&json!("q"));
        let withdrawn = pending.ask(id.clone()).unwrap();
        assert!(pending.ask(id.clone()).is_none());
        assert!(pending.withdraw(&id));
        assert!(withdrawn.is_cancelled() && !pending.answered(&id));
    }

    #[test]
    fn a_question_ends_with_the_last_open_call() {
        let mut pending = Pending::default();
        let (a, _a) = insert(&mut pending, None);
        let (b, _b) = insert(&mut pending, None);
        let withdrawn = pending.ask(RequestId::from(&json!(0))).unwrap();
        pending.abandon(a);
        assert!(!withdrawn.is_cancelled());
        pending.settle(b, Ending::Delivered);
        assert!(withdrawn.is_cancelled());
        let idle = pending.ask(RequestId::from(&json!(1))).unwrap();
        let (c, _c) = insert(&mut pending, None);
        pending.abandon(c);
        assert!(!idle.is_cancelled());
    }

    #[test]
    fn losing_the_transport_ends_every_call() {
        let mut pending = Pending::default();
        let (_, mut a) = insert(&mut pending, None);
        pending.lose_all("gone");
        assert!(matches!(a.try_recv(), Ok(Ending::Lost { .. })));
    }
}
