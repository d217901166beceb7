//! How long a request may take: a window that starts again with each progress notification for it, and a limit for all of
//! them together. Both stand still while a person is asked.

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

/// How long a request may take; without one, for ever.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// From one progress notification to the next.
    pub(crate) silence: Option<Duration>,
    /// In all: a server that reports progress for ever would never be done (basic/lifecycle, timeouts).
    pub(crate) whole: Option<Duration>,
}

/// Which time is over, and how long it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    Silence(Duration),
    Whole(Duration),
}

/// The clock of one request.
#[derive(Debug)]
pub(crate) struct Clock {
    limits: Limits,
    restart: Arc<Notify>,
    pause: Pause,
}

impl Clock {
    /// A clock that runs out at these limits.
    pub(crate) fn new(limits: Limits, pause: Pause) -> Self {
        Clock { limits, restart: Arc::new(Notify::new()), pause }
    }

    /// What to notify when the request shows progress.
    pub(crate) fn restart(&self) -> Arc<Notify> {
        self.restart.clone()
    }

    /// Returns when a time is over.
    pub(crate) async fn expired(&self) -> Over {
        let Limits { silence, whole } = self.limits;
        let mut held = self.pause.0.subscribe();
        let (mut left, mut left_in_all) = (silence, whole);
        loop {
            // The sender lives as long as `self.pause`, so waiting on it cannot fail.
            let _ = held.wait_for(|n| *n == 0).await;
            let since = Instant::now();
            let is_progress = tokio::select! {
                () = passed(left) => return Over::Silence(silence.unwrap_or_default()),
                () = passed(left_in_all) => return Over::Whole(whole.unwrap_or_default()),
                () = self.restart.notified() => true,
                _ = held.wait_for(|n| *n > 0) => false,
            };
            let passed = since.elapsed();
            let less = |left: Option<Duration>| left.map(|left| left.saturating_sub(passed));
            left = if is_progress { silence } else { less(left) };
            left_in_all = less(left_in_all);
        }
    }
}

async fn passed(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{sleep, timeout};

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(pause: Pause) -> Clock {
        Clock::new(Limits { silence: Some(SECOND), whole: None }, pause)
    }

    #[tokio::test(start_paused = true)]
    async fn runs_out_after_the_limit() {
        let start = Instant::now();
        assert_eq!(clock(Pause::new()).expired().await, Over::Silence(SECOND));
        assert_eq!(start.elapsed().as_secs(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn stands_still_while_a_person_is_asked() {
        let pause = Pause::new();
        let clock = clock(pause.clone());
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
        let clock = clock(Pause::new());
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

    #[tokio::test(start_paused = true)]
    async fn but_not_beyond_the_whole_time_in_which_nobody_is_asked() {
        let pause = Pause::new();
        let clock = Clock::new(Limits { silence: Some(SECOND), whole: Some(SECOND * 3) }, pause.clone());
        let restart = clock.restart();
        let start = Instant::now();
        let ticks = async {
            for n in 0..100 {
                let _asked = (n == 2).then(|| pause.hold());
                sleep(SECOND * 3 / 4).await;
                restart.notify_one();
            }
        };
        let over = tokio::select! {
            over = clock.expired() => over,
            () = ticks => panic!("it never ends"),
        };
        assert_eq!((over, start.elapsed()), (Over::Whole(SECOND * 3), SECOND * 15 / 4));
    }
}
