//! `mcpcall listen [URI]...`: every notification as a line on stdout, until ^C or `--count N`.

use super::Run;
use crate::callbacks::Show;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::listing;
use crate::session::Session;
use crate::session::host::Event;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::mpsc;

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// How many notifications may wait for whoever reads stdout.
const WAITING: usize = 100_000;

/// How many bytes of them beside the first.
const BYTES: usize = 64 << 20;

/// Prints notifications.
///
/// # Errors
/// `connect` when the stream ends by itself, `interrupted` when ^C comes before `count` is reached, `timeout` when
/// nothing comes for as long as `--timeout` says.
pub(super) async fn listen(run: &Run<'_>, uris: &[String], count: Option<u64>) -> Result<()> {
    let (lines, mut heard) = mpsc::channel(WAITING);
    let n_bytes = Arc::new(AtomicUsize::new(0));
    let ear = Ear {
        json: run.cli.output.json,
        uris: uris.to_vec(),
        show: run.show.clone(),
        lines,
        n_bytes: n_bytes.clone(),
        is_over: AtomicBool::new(false),
    };
    run.registry.listen(Box::new(move |method, params| ear.hear(method, params)));
    let session = run.connect_plain().await?;
    if let Err(failure) = session.prove().await {
        session.close().await;
        return Err(failure);
    }
    let ended = print(run, &session, uris, count, (&mut heard, &n_bytes)).await;
    session.close().await;
    run.screen.settle();
    match ended {
        // Listening until ^C is what was asked for.
        Err(failure) if failure.kind == Kind::Interrupted && count.is_none() => Ok(()),
        other => other,
    }
}

/// Prints what is heard until there is enough of it, nobody reads it, or nothing comes any more.
async fn print(
    run: &Run<'_>,
    session: &Session,
    uris: &[String],
    count: Option<u64>,
    (heard, n_bytes): (&mut mpsc::Receiver<Line>, &AtomicUsize),
) -> Result<()> {
    let mut left = count;
    let mut listening = std::pin::pin!(session.listen(uris));
    let mut over: Option<Result<()>> = None;
    while left != Some(0) {
        let line = tokio::select! {
            biased;
            line = heard.recv() => line,
            ended = &mut listening, if over.is_none() => {
                // What came before the end is still to be printed.
                heard.close();
                over = Some(ended);
                continue;
            }
            () = silence(run) => {
                return Err(Failure::new(Kind::Timeout, "nothing was heard for as long as --timeout says"));
            }
        };
        let Some(line) = line else { break };
        let Line::Text(line) = line else {
            return Err(Failure::new(Kind::Internal, "too many notifications wait to be read from stdout"));
        };
        n_bytes.fetch_sub(line.len(), Ordering::Relaxed);
        let written = if run.cli.output.json { run.print_json(line).await } else { run.print_text(line).await };
        if !written? {
            return Ok(());
        }
        left = left.map(|left| left - 1);
    }
    match over {
        None => Ok(()),
        Some(ended) => ended.and_then(|()| Err(Failure::connect("the server ended the subscription"))),
    }
}

/// Returns once nothing has been heard for as long as `--timeout` says, if it says anything.
async fn silence(run: &Run<'_>) {
    match run.cli.connection.timeout.filter(|limit| !limit.is_zero()) {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

/// What was heard.
enum Line {
    Text(String),
    /// There was no room for the rest.
    TooMany,
}

/// Hears notifications.
struct Ear {
    json: bool,
    uris: Vec<String>,
    show: Show,
    lines: mpsc::Sender<Line>,
    /// How much is waiting.
    n_bytes: Arc<AtomicUsize>,
    /// It was said that there are too many.
    is_over: AtomicBool,
}

impl Ear {
    fn hear(&self, method: &str, params: Option<&Raw>) {
        if method == ACKNOWLEDGED {
            return self.acknowledged(params);
        }
        // The last place is kept for saying that there are no more.
        let capacity = self.lines.capacity();
        let line = match self.json {
            _ if capacity == 0 || self.is_over.load(Ordering::Relaxed) => return,
            _ if capacity == 1 || self.n_bytes.load(Ordering::Relaxed) > BYTES => {
                self.is_over.store(true, Ordering::Relaxed);
                Line::TooMany
            }
            true => Line::Text(listing::notification_json(method, params)),
            false => Line::Text(listing::notification(method, params)),
        };
        if let Line::Text(line) = &line {
            self.n_bytes.fetch_add(line.len(), Ordering::Relaxed);
        }
        // Fails when there is enough.
        let _ = self.lines.try_send(line);
    }

    /// The subset of what was asked for that the server will tell of (2026-07-28 basic/patterns/subscriptions).
    fn acknowledged(&self, params: Option<&Raw>) {
        let params = params.map(Raw::readable).unwrap_or_default();
        let honoured = params.pointer("/notifications/resourceSubscriptions").and_then(Value::as_array);
        let is_honoured = |uri: &&String| honoured.is_some_and(|uris| uris.iter().any(|other| other == *uri));
        for uri in self.uris.iter().filter(|uri| !is_honoured(uri)) {
            (self.show)(Event::Warning(&format!("the server will not tell of changes of {uri}")));
        }
    }
}
