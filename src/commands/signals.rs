//! ^C and friends. The first one stops the run in good order (the server is told, the child reaped); a second one
//! does not wait for that. At a prompt ^C is a key, not a signal, and cancels the question.

use crate::failure::{Failure, Kind, Result};
use crate::session::Stop;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// The signals of this run.
pub(super) struct Signals {
    forced: watch::Receiver<Option<Kind>>,
}

impl Signals {
    /// Takes the signals over.
    ///
    /// # Errors
    /// `internal`, when the system does not let us.
    pub(super) fn listen(stop: Stop) -> Result<Self> {
        let open = |kind| signal(kind).map_err(|e| Failure::new(Kind::Internal, format!("cannot take signals: {e}")));
        let (mut interrupt, mut terminate, mut hangup) =
            (open(SignalKind::interrupt())?, open(SignalKind::terminate())?, open(SignalKind::hangup())?);
        let (force, forced) = watch::channel(None);
        tokio::spawn(async move {
            loop {
                let kind = tokio::select! {
                    _ = interrupt.recv() => Kind::Interrupted,
                    _ = terminate.recv() => Kind::Terminated,
                    _ = hangup.recv() => Kind::Terminated,
                };
                if stop.is_stopped() {
                    let _ = force.send(Some(kind));
                }
                stop.stop(kind);
            }
        });
        Ok(Signals { forced })
    }

    /// Returns at the second signal.
    pub(super) async fn forced(mut self) -> Failure {
        match self.forced.wait_for(Option::is_some).await {
            Ok(kind) => Stop::failure(kind.unwrap_or(Kind::Interrupted)),
            // The listening task ends with the runtime only.
            Err(_) => std::future::pending().await,
        }
    }
}
