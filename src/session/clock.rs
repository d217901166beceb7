//! How long a call may take: a sliding window that stands still while a person is asked and starts again
//! with each progress notification for the call.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// Counts the people being asked right now. Cheap to clone; all clones count together.
#[derive(Debug, Clone)]
pub(crate) struct Pause(Arc<watch::Sender<usize>>);

impl Pause {
    /// Nobody is asked.
    pub(crate) fn new() -> Self {
        Pause(Arc::new(watch::Sender::new(0)))
    }

    /// Stops every clock until the guard is dropped.
    pub(crate) fn hold(&self) -> Held {
        self.0.send_modify(|n| *n += 1);
        Held(self.0.clone())
    }
}

/// Keeps the clocks stopped.
pub(crate) struct Held(Arc<watch::Sender<usize>>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}

/// The clock of one call.
#[derive(Debug)]
pub(crate) struct Clock {
    limit: Option<Duration>,
    restart: Arc<Notify>,
    pause: Pause,
}

impl Clock {
    /// A clock that runs out after `limit`; never, without one.
    pub(crate) fn new(limit: Option<Duration>, pause: Pause) -> Self {
        Clock { limit, restart: Arc::new(Notify::new()), pause }
    }

    /// What to notify when the call shows progress.
    pub(crate) fn restart(&self) -> Arc<Notify> {
        self.restart.clone()
    }

    /// Returns when the time is over.
    pub(crate) async fn expired(&self) {
        let Some(limit) = self.limit else { return std::future::pending().await };
        let mut held = self.pause.0.subscribe();
        let mut left = limit;
        loop {
            // The sender lives as long as `self.pause`, so waiting on it cannot fail.
            let _ = held.wait_for(|n| *n == 0).await;
            let since = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                () = self.restart.notified() => left = limit,
                _ = held.wait_for(|n| *n > 0) => left = left.saturating_sub(since.elapsed()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{sleep, timeout};

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn runs_out_after_the_limit() {
        let start = Instant::now();
        Clock::new(Some(SECOND), Pause::new()).expired().await;
        assert_eq!(start.elapsed().as_secs(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn stands_still_while_a_person_is_asked() {
        let pause = Pause::new();
        let clock = Clock::new(Some(SECOND), pause.clone());
        let held = pause.hold();
        let second = pause.hold();
        assert!(timeout(SECOND * 100, clock.expired()).await.is_err());
        drop(held);
        assert!(timeout(SECOND * 100, clock.expired()).await.is_err());
        drop(second);
        assert!(timeout(SECOND * 2, clock.expired()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn progress_starts_it_again() {
        let clock = Clock::new(Some(SECOND), Pause::new());
        let restart = clock.restart();
        let start = Instant::now();
        let ticks = async {
            for _ in 0..5 {
                sleep(SECOND * 3 / 4).await;
                restart.notify_one();
            }
        };
        tokio::join!(ticks, clock.expired());
        assert!(start.elapsed() > SECOND * 4);
    }
}
