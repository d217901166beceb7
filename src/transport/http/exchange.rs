//! One exchange from its request to its end: what an answer is, by status and by what its body really holds, and how a
//! broken event stream is taken up again. When to stop waiting is the engine's business.

use super::body::{Body, Shape};
use super::client::{EVENTS, JSON, JSON_OR_EVENTS, Reply};
use super::fault::Fault;
use super::outlet::Outlet;
use super::stream::Stream;
use crate::transport::sse::Parser;
use crate::transport::{Direction, Ended, Headers, Outgoing, Verb};
use reqwest::header::CONTENT_ENCODING;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long to wait before reconnecting when the server did not say.
const RETRY: Duration = Duration::from_secs(1);

/// Even a server that asks for less is not hammered.
const SHORTEST: Duration = Duration::from_millis(100);

/// A longer wait is told of: else it looks as if nothing were done.
const LONG: Duration = Duration::from_secs(10);

/// Reconnections in a row that may come to nothing.
const TRIES: u32 = 5;

/// An exchange in progress.
pub(super) struct Exchange {
    pub(super) outlet: Outlet,
    pub(super) outgoing: Outgoing,
}

/// The end of an event stream that may go on in another connection.
struct Cut {
    at: Instant,
    /// An event came, if only one that primes the stream.
    fruitful: bool,
    /// Why, unless it ended in order.
    error: Option<String>,
}

/// What became of an answer.
enum Answer {
    Over(Ended),
    Cut(Cut),
}

impl Exchange {
    /// Carries the exchange to its end and returns how it ended; messages go to the inbox on the way.
    pub(super) async fn run(&self) -> Ended {
        let ended = match self.outgoing.verb {
            Verb::Post => self.post().await,
            Verb::Listen => self.listen().await,
            Verb::End => self.end().await,
        };
        ended.unwrap_or_else(Ended::from)
    }

    async fn post(&self) -> Result<Ended, Fault> {
        let client = &self.outlet.client;
        let reply = client.post(&client.url, JSON_OR_EVENTS, &self.outgoing.headers, &self.outgoing.body).await?;
        if !reply.status.is_success() {
            return Ok(self.outlet.refused(reply).await);
        }
        if !self.outgoing.wants_reply {
            return Ok(Ended::Complete);
        }
        let mut parser = Parser::new(client.max_message);
        match self.answer(reply, &mut parser).await? {
            Answer::Over(ended) => Ok(ended),
            Answer::Cut(cut) => self.resume(cut, parser).await,
        }
    }

    async fn end(&self) -> Result<Ended, Fault> {
        let reply = self.outlet.client.delete(&self.outgoing.headers).await?;
        match reply.status.is_success() {
            true => Ok(Ended::Complete),
            false => Ok(self.outlet.refused(reply).await),
        }
    }

    /// Takes up the stream of an answer again, as long as the caller and the server (by sending an id) allow it.
    async fn resume(&self, mut cut: Cut, mut parser: Parser) -> Result<Ended, Fault> {
        let mut fruitless = 0;
        loop {
            let Some(headers) = self.outgoing.resume.as_ref().filter(|_| can_resume(&parser)) else {
                return Ok(cut.into());
            };
            fruitless = if cut.fruitful { 0 } else { fruitless + 1 };
            if fruitless == TRIES {
                let last = cut.error.map(|error| format!(": {error}")).unwrap_or_default();
                return Err(Fault::lasting(format!("could not resume the event stream in {TRIES} attempts{last}")));
            }
            self.pause(&cut, &parser).await;
            cut = match self.get(headers, &parser).await {
                Ok(reply) if reply.status.is_success() => match self.answer(reply, &mut parser).await? {
                    Answer::Over(ended) => return Ok(ended),
                    Answer::Cut(cut) => cut,
                },
                Ok(reply) => {
                    let status = reply.status;
                    return Err(Fault::lasting(format!("the server refused to resume the event stream: {status}")));
                }
                // The request itself has been sent long ago.
                Err(fault) if fault.lasting => return Err(Fault { unsent: false, ..fault }),
                Err(fault) => Cut::failed(fault.reason),
            };
        }
    }

    /// Keeps the standing stream open. Gives up for good on a refusal, and `Complete` after fruitless reconnections.
    async fn listen(&self) -> Result<Ended, Fault> {
        let mut parser = Parser::new(self.outlet.client.max_message);
        let mut fruitless = 0;
        let mut opened = false;
        loop {
            let cut = match self.get(&self.outgoing.headers, &parser).await {
                Ok(reply) if !reply.is_event_stream() => return Ok(self.outlet.refused(reply).await),
                Ok(reply) => {
                    let headers = Arc::clone(&reply.headers);
                    self.events(Body::new(reply.response), headers, &mut parser).await?
                }
                Err(fault) if fault.lasting || !opened => return Err(fault),
                Err(fault) => Cut::failed(fault.reason),
            };
            opened = true;
            fruitless = if cut.fruitful { 0 } else { fruitless + 1 };
            if fruitless > TRIES {
                return Ok(Ended::Complete);
            }
            self.pause(&cut, &parser).await;
        }
    }

    /// Waits until the stream may be taken up again: as long as the server said, within reason.
    async fn pause(&self, cut: &Cut, parser: &Parser) {
        let wait = parser.retry().unwrap_or(RETRY).max(SHORTEST);
        if wait > LONG {
            let seconds = wait.as_secs();
            self.outlet.warn(format!("the event stream ended, and may be taken up again after {seconds} s")).await;
        }
        sleep_until(cut.at + wait).await;
    }

    /// Opens an event stream with GET, after the last event that came on it.
    async fn get(&self, headers: &Headers, parser: &Parser) -> Result<Reply, Fault> {
        let mut headers = headers.clone();
        if let Some(id) = parser.last_event_id() {
            headers.push(("Last-Event-ID".into(), id.into()));
        }
        self.outlet.client.get(&headers).await
    }

    /// Reads a 2xx answer. Its body counts more than its content type: servers get the latter wrong.
    async fn answer(&self, reply: Reply, parser: &mut Parser) -> Result<Answer, Fault> {
        let media_type = reply.media_type();
        if let Some(encoding) = undecoded(&reply) {
            let reason = format!("the answer has Content-Encoding {encoding:?}, which is not read here");
            return Err(Fault::lasting(reason));
        }
        let headers = Arc::clone(&reply.headers);
        let status = reply.status.as_u16();
        let mut body = Body::new(reply.response);
        let shape = match media_type.as_str() {
            EVENTS if body.is_json().await => Shape::Json,
            EVENTS => Shape::Events,
            _ => body.shape().await,
        };
        let shape = match shape {
            // JSON need not be an object.
            Shape::Other if media_type == JSON => Shape::Json,
            shape => shape,
        };
        self.warn_of_mismatch(&media_type, shape).await;
        Ok(match shape {
            Shape::Events => Answer::Cut(self.events(body, headers, parser).await?),
            Shape::Json | Shape::Empty => {
                let whole = body.whole(self.outlet.client.max_message).await.map_err(Fault::lasting)?;
                self.json(whole, &headers).await;
                Answer::Over(Ended::Complete)
            }
            Shape::Other => Answer::Over(self.outlet.refusal(status, headers, body).await),
        })
    }

    async fn warn_of_mismatch(&self, media_type: &str, shape: Shape) {
        let (fits, really) = match shape {
            Shape::Json => (media_type == JSON, "JSON"),
            Shape::Events => (media_type == EVENTS, "an event stream"),
            Shape::Empty | Shape::Other => return,
        };
        if !fits {
            let declared = if media_type.is_empty() { "no content type" } else { media_type };
            self.outlet.warn(format!("an answer declared as {declared} is {really} and was read as such")).await;
        }
    }

    /// Delivers a body, unless it is empty.
    async fn json(&self, body: Vec<u8>, headers: &Arc<Headers>) {
        if body.trim_ascii().is_empty() {
            return;
        }
        let text = match String::from_utf8(body) {
            Ok(text) => text,
            Err(error) => {
                self.outlet.warn("replaced bytes that are not UTF-8 in an answer".into()).await;
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            }
        };
        self.outlet.client.trace(Direction::Received, "body", &Headers::new(), &text);
        self.outlet.message(text, headers).await;
    }

    /// Delivers events until the stream ends. Fails only when an event is too large.
    async fn events(&self, body: Body, headers: Arc<Headers>, parser: &mut Parser) -> Result<Cut, Fault> {
        let mut stream = Stream::new(&self.outlet.client, body, parser);
        let mut fruitful = false;
        let error = loop {
            match stream.next().await {
                Ok(Some(event)) => {
                    fruitful = true;
                    self.outlet.event(event, &headers).await;
                }
                Ok(None) => break None,
                Err(fault) if fault.lasting => return Err(fault),
                Err(fault) => break Some(fault.reason),
            }
        };
        let at = Instant::now();
        self.outlet.warn_of_rest(&stream).await;
        Ok(Cut { at, fruitful, error })
    }
}

impl Cut {
    fn failed(reason: String) -> Self {
        Cut { at: Instant::now(), fruitful: false, error: Some(reason) }
    }
}

impl From<Cut> for Ended {
    fn from(cut: Cut) -> Self {
        match cut.error {
            None => Ended::Complete,
            Some(reason) => Ended::Broken { reason, unsent: false },
        }
    }
}

fn can_resume(parser: &Parser) -> bool {
    parser.last_event_id().is_some()
}

/// The content encoding that reqwest left in place because it does not know it.
fn undecoded(reply: &Reply) -> Option<String> {
    let encoding = reply.response.headers().get(CONTENT_ENCODING)?.to_str().ok()?;
    let encoding = encoding.trim();
    (!encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity")).then(|| encoding.to_string())
}
