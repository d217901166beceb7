//! ^C and friends. The first one stops the run in good order (the server is told, the child reaped); a second one
//! does not wait for that. At a prompt ^C is a key, not a signal, and cancels the question. A run that hears nothing, since it
//! is stuck in a write to a pipe that nobody reads, or in work that takes long, is ended all the same.

use super::fault;
use crate::failure::{Failure, Kind, Result};
use crate::session::Stop;
use std::io;
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

/// When somebody begins to look whether the run hears: most are over by then.
const SOON: Duration = Duration::from_millis(10);

/// How long it may take to hear.
const PATIENCE: Duration = Duration::from_secs(1);

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
        let mut taken = Taken::open().map_err(|e| Failure::new(Kind::Internal, format!("cannot take signals: {e}")))?;
        let (force, forced) = watch::channel(None);
        let (ask, mut asked) = unbounded_channel::<oneshot::Sender<()>>();
        tokio::spawn(async move {
            loop {
                let kind = tokio::select! {
                    kind = taken.next() => kind,
                    Some(hears) = asked.recv() => {
                        let _ = hears.send(());
                        continue;
                    }
                };
                if stop.is_stopped() {
                    let _ = force.send(Some(kind));
                }
                stop.stop(kind);
            }
        });
        tokio::spawn(async {
            sleep(SOON).await;
            // Without one, signals are heard where they can be.
            let _ = thread::Builder::new().name("signals".into()).spawn(|| look_after(ask));
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

/// The signals that end a run.
struct Taken {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Taken {
    fn open() -> io::Result<Self> {
        Ok(Taken {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Kind {
        tokio::select! {
            _ = self.interrupt.recv() => Kind::Interrupted,
            _ = self.terminate.recv() => Kind::Terminated,
            _ = self.hangup.recv() => Kind::Terminated,
        }
    }
}

/// On a thread of its own: at each signal asks the run whether it hears, and ends it if no answer comes, as when it is over and
/// still cannot end.
fn look_after(ask: UnboundedSender<oneshot::Sender<()>>) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
    runtime.block_on(async {
        let Ok(mut taken) = Taken::open() else { return };
        loop {
            let kind = taken.next().await;
            let (hears, heard) = oneshot::channel();
            let _ = ask.send(hears);
            let answer = async {
                if heard.await.is_err() {
                    std::future::pending().await
                }
            };
            if timeout(PATIENCE, answer).await.is_err() {
                fault::leave(kind);
            }
        }
    });
}
