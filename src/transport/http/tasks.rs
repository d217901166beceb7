//! The tasks of a transport: each ends at the latest when its exchange is done with or the transport closes, and closing
//! waits a little for those which only want to be acknowledged.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long the server may take to acknowledge what was sent last when the session ends.
const FLUSH: Duration = Duration::from_secs(2);

/// All tasks of one transport.
#[derive(Clone, Default)]
pub(super) struct Tasks {
    closing: CancellationToken,
    /// How many requests that expect no message are on their way.
    unacknowledged: Arc<watch::Sender<usize>>,
}

impl Tasks {
    /// Runs `work` until it is over, `done`, or the transport closes.
    pub(super) fn spawn(
        &self,
        done: CancellationToken,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> JoinHandle<()> {
        let closing = self.closing.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                // Dropping the work closes its connection or stream.
                () = done.cancelled() => {}
                () = closing.cancelled() => {}
                () = work => {}
            }
        })
    }

    /// Counts a request that expects no message.
    pub(super) fn on_its_way(&self) -> OnItsWay {
        self.unacknowledged.send_modify(|n| *n += 1);
        OnItsWay(Arc::clone(&self.unacknowledged))
    }

    /// Waits for acknowledgements, then ends all tasks.
    pub(super) async fn close(&self) {
        let mut unacknowledged = self.unacknowledged.subscribe();
        let _ = timeout(FLUSH, unacknowledged.wait_for(|n| *n == 0)).await;
        self.cancel();
    }

    /// Ends all tasks, also those that are spawned later.
    pub(super) fn cancel(&self) {
        self.closing.cancel();
    }
}

/// Counts a request for as long as it lives.
pub(super) struct OnItsWay(Arc<watch::Sender<usize>>);

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}
