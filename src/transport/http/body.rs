//! Reads the body of an answer in pieces, looks at how it begins, and never keeps more of it than it was told to.

use super::fault::of_body;
use crate::transport::EXCERPT;
use crate::transport::lines::head;
use reqwest::Response;
use std::time::Duration;
use tokio::time::timeout;
use tokio_util::bytes::Bytes;

/// How long the body of a refusal may take.
const EXCERPT_TIME: Duration = Duration::from_secs(5);

/// How much room is made for a body before any of it has come.
const RESERVED: usize = 64 << 20;

/// What a body looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing but white space.
    Empty,
    /// Begins like a JSON object or array.
    Json,
    /// Begins like an event stream.
    Events,
    /// Anything else.
    Other,
}

/// A body that is being read.
pub(super) struct Body {
    response: Response,
    /// Read already, to look at it.
    ahead: Vec<u8>,
    /// Met while looking; reported when reading comes to it.
    error: Option<String>,
}

impl Body {
    /// The unread body of `response`.
    pub(super) fn new(response: Response) -> Self {
        Body { response, ahead: Vec::new(), error: None }
    }

    /// The next piece; `None` at the end. The error is one line.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, String> {
        if !self.ahead.is_empty() {
            return Ok(Some(std::mem::take(&mut self.ahead).into()));
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let piece = self.response.chunk().await;
        piece.map_err(of_body)
    }

    /// What the first bytes look like; waits for as many as it takes.
    pub(super) async fn shape(&mut self) -> Shape {
        loop {
            let all = !self.look_ahead().await || self.ahead.len() > EXCERPT;
            if let Some(shape) = shape(&self.ahead, all) {
                return shape;
            }
        }
    }

    /// Whether what was declared as an event stream is JSON. The first piece decides, however short, because the next
    /// one may be long in coming.
    pub(super) async fn is_json(&mut self) -> bool {
        self.look_ahead().await;
        shape(&self.ahead, true) == Some(Shape::Json)
    }

    /// Reads a piece without using it up. False at the end of what can be read.
    async fn look_ahead(&mut self) -> bool {
        match self.response.chunk().await {
            Ok(piece) => {
                self.ahead.extend_from_slice(piece.as_deref().unwrap_or_default());
                piece.is_some()
            }
            Err(error) => {
                self.error = Some(of_body(error));
                false
            }
        }
    }

    /// The whole body, without a byte order mark. Fails when it breaks or is larger than `max` bytes.
    pub(super) async fn whole(&mut self, max: usize) -> Result<Vec<u8>, String> {
        // The length that was announced saves growing; it is no promise.
        let length = self.response.content_length().and_then(|length| usize::try_from(length).ok());
        let mut body = Vec::with_capacity(length.unwrap_or_default().min(max).min(RESERVED));
        while let Some(piece) = self.piece().await? {
            body.extend_from_slice(&piece);
            if body.len() > max {
                return Err(format!("the answer is larger than {max} bytes; it begins with: {}", head(&body)));
            }
        }
        if body.starts_with(b"\xEF\xBB\xBF") {
            body.drain(..3);
        }
        Ok(body)
    }

    /// What arrives within 5 s, up to `EXCERPT` bytes, as text.
    pub(super) async fn excerpt(&mut self) -> String {
        let mut body = Vec::new();
        let read = async {
            while body.len() < EXCERPT
                && let Ok(Some(piece)) = self.piece().await
            {
                body.extend_from_slice(&piece);
            }
        };
        // What is there when it breaks or takes too long is better than nothing.
        let _ = timeout(EXCERPT_TIME, read).await;
        body.truncate(EXCERPT);
        String::from_utf8_lossy(&body).into_owned()
    }
}

/// What `start` looks like; `None` when more bytes could tell. `all`: there will be no more.
fn shape(start: &[u8], all: bool) -> Option<Shape> {
    const FIELDS: [&[u8]; 4] = [b"data:", b"event:", b"id:", b"retry:"];
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    match start.first() {
        None => all.then_some(Shape::Empty),
        Some(b'{' | b'[') => Some(Shape::Json),
        // A comment, which servers send to keep a stream alive.
        Some(b':') => Some(Shape::Events),
        Some(_) if FIELDS.iter().any(|field| start.starts_with(field)) => Some(Shape::Events),
        Some(_) if !all && FIELDS.iter().any(|field| field.starts_with(start)) => None,
        Some(_) => Some(Shape::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_known_by_its_first_bytes() {
        let rows: &[(&[u8], bool, Option<Shape>)] = &[
            (b"", true, Some(Shape::Empty)),
            (b" \r\n", true, Some(Shape::Empty)),
            (b" \r\n", false, None),
            (b"\xEF\xBB\xBF {", false, Some(Shape::Json)),
            (b"[1]", true, Some(Shape::Json)),
            (b"\n\ndata:", false, Some(Shape::Events)),
            (b": ping", false, Some(Shape::Events)),
            (b"ev", false, None),
            (b"ev", true, Some(Shape::Other)),
            (b"<html>", false, Some(Shape::Other)),
            (b"\"text\"", true, Some(Shape::Other)),
        ];
        for (start, all, expected) in rows {
            assert_eq!(shape(start, *all), *expected, "{:?}", String::from_utf8_lossy(start));
        }
    }
}
