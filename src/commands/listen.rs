//! `mcpcall listen [URI]...`: every notification as a line on stdout, until ^C or `--count N`.

use super::Run;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::{Stdout, listing};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Prints notifications.
///
/// # Errors
/// `connect` when the stream ends by itself, `interrupted` when ^C comes before `count` is reached, `timeout` when
/// nothing comes for as long as `--timeout` says.
pub(super) async fn listen(run: &Run<'_>, uris: &[String], count: Option<u64>) -> Result<()> {
    let heard = Arc::new(Heard::new(run, uris, count));
    let listener = heard.clone();
    run.registry.listen(Box::new(move |method, params| listener.hear(method, params)));
    let session = run.connect_plain().await?;
    let ended = tokio::select! {
        ended = session.listen(uris) => ended.and_then(|()| Err(Failure::connect("the server ended the subscription"))),
        () = heard.done.notified() => Ok(()),
        () = heard.silence(run) => Err(Failure::new(Kind::Timeout, "nothing was heard for as long as --timeout says")),
    };
    session.close().await;
    run.screen.settle();
    heard.outcome()?;
    match ended {
        // Listening until ^C is what was asked for.
        Err(failure) if failure.kind == Kind::Interrupted && count.is_none() => Ok(()),
        other => other,
    }
}

/// What has been heard.
struct Heard {
    stdout: Stdout,
    json: bool,
    uris: Vec<String>,
    left: Mutex<Option<u64>>,
    failure: Mutex<Option<Failure>>,
    done: Notify,
    sound: Notify,
    warn: Box<dyn Fn(&str) + Send + Sync>,
}

impl Heard {
    fn new(run: &Run<'_>, uris: &[String], count: Option<u64>) -> Self {
        let show = run.show.clone();
        Heard {
            stdout: run.stdout(),
            json: run.cli.output.json,
            uris: uris.to_vec(),
            left: Mutex::new(count),
            failure: Mutex::default(),
            done: Notify::new(),
            sound: Notify::new(),
            warn: Box::new(move |text| show(crate::session::host::Event::Warning(text))),
        }
    }

    fn hear(&self, method: &str, params: Option<&Raw>) {
        self.sound.notify_one();
        if method == ACKNOWLEDGED {
            return self.acknowledged(params);
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if *left == Some(0) {
            return;
        }
        let printed = match self.json {
            true => self.stdout.more_json(&listing::notification_json(method, params)),
            false => self.stdout.more_text(&listing::notification(method, params)),
        };
        match printed {
            Ok(true) => {}
            // Nobody reads any more, which is a quiet end.
            Ok(false) => self.done.notify_one(),
            Err(failure) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
                self.done.notify_one();
            }
        }
        *left = left.map(|left| left - 1);
        if *left == Some(0) {
            self.done.notify_one();
        }
    }

    /// The subset of what was asked for that the server will tell of (2026-07-28 basic/patterns/subscriptions).
    fn acknowledged(&self, params: Option<&Raw>) {
        let params = params.and_then(|raw| raw.value().ok()).unwrap_or_default();
        let honoured = params.pointer("/notifications/resourceSubscriptions").and_then(Value::as_array);
        let is_honoured = |uri: &&String| honoured.is_some_and(|uris| uris.iter().any(|other| other == *uri));
        for uri in self.uris.iter().filter(|uri| !is_honoured(uri)) {
            (self.warn)(&format!("the server will not tell of changes of {uri}"));
        }
    }

    /// Returns once nothing has been heard for as long as `--timeout` says, if it says anything.
    async fn silence(&self, run: &Run<'_>) {
        let Some(limit) = run.cli.connection.timeout.filter(|limit| !limit.is_zero()) else {
            return std::future::pending().await;
        };
        while tokio::time::timeout(limit, self.sound.notified()).await.is_ok() {}
    }

    fn outcome(&self) -> Result<()> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}
