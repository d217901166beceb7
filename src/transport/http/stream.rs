//! Reads the events of one connection, one at a time.

use super::body::Body;
use super::client::Client;
use super::fault::Fault;
use crate::transport::sse::{Event, Parser, TooLarge};
use crate::transport::{Direction, Headers};
use std::collections::VecDeque;

/// An event stream that is being read.
pub(super) struct Stream<'a> {
    client: &'a Client,
    body: Body,
    parser: &'a mut Parser,
    /// Parsed, but not handed out.
    ready: VecDeque<Event>,
    /// Reported after what is ready.
    too_large: Option<Fault>,
}

impl<'a> Stream<'a> {
    /// The events in `body`. `parser` remembers for its next connection what this one tells.
    pub(super) fn new(client: &'a Client, body: Body, parser: &'a mut Parser) -> Self {
        parser.restart();
        Stream { client, body, parser, ready: VecDeque::new(), too_large: None }
    }

    /// The next event; `None` at the end. The fault is lasting when an event is too large, and not when the connection
    /// broke.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, Fault> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.client.trace(Direction::Received, "event", &Headers::new(), &event.data);
                return Ok(Some(event));
            }
            if let Some(fault) = self.too_large.take() {
                return Err(fault);
            }
            let Some(piece) = self.body.piece().await.map_err(Fault::broken)? else {
                return Ok(None);
            };
            let mut events = Vec::new();
            if let Err(TooLarge { head }) = self.parser.push(&piece, &mut events) {
                let max = self.client.max_message;
                let reason = format!("an event is larger than {max} bytes; it begins with: {head}");
                self.too_large = Some(Fault::lasting(reason));
            }
            self.ready.extend(events);
        }
    }

    /// The begin of an event which the end of the stream cut.
    pub(super) fn unfinished(&self) -> Option<String> {
        self.parser.unfinished()
    }
}
