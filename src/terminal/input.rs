//! What is typed at a terminal, read by a thread that can be called off at any moment, so that a question which the
//! server takes back never leaves a reader behind that would swallow the next key.

use super::lent;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::termios::{self, OptionalActions, Termios};
use std::fs::File;
use std::io;
use std::thread::JoinHandle;
use tokio::sync::mpsc;

/// How long the rest of something incomplete may take, in milliseconds.
const REST_WAIT: i64 = 40;

/// Bytes to what they mean; keeps what is incomplete.
pub(super) trait Decode: Default + Send + 'static {
    /// What the bytes mean.
    type Item: Send;

    /// What undoes the rest of what the terminal is told while it is read.
    const PARTING: &'static str;

    /// Takes some bytes.
    fn push(&mut self, bytes: &[u8]) -> Vec<Self::Item>;
    /// The end of the input that is no end of the terminal; `None` where there is no such thing.
    fn end(&mut self) -> Option<Self::Item>;
    /// Whether what is kept means something by itself when nothing follows.
    fn is_waiting(&self) -> bool;
    /// Nothing followed.
    fn flush(&mut self) -> Vec<Self::Item>;
}

/// A terminal in a mode of ours; its own is restored when this is dropped.
pub(super) struct Input<D: Decode> {
    tty: File,
    before: Termios,
    /// What becomes of input that nobody read.
    unread: OptionalActions,
    queue: mpsc::UnboundedReceiver<D::Item>,
    /// Dropped to call the thread off.
    call_off: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl<D: Decode> Input<D> {
    /// Takes the terminal over; `typed_before` says what becomes of what was typed already, `unread` of what nobody has
    /// read when it is given back.
    ///
    /// # Errors
    /// When it is none, or is gone.
    pub(super) fn open(
        tty: &File,
        (typed_before, unread): (OptionalActions, OptionalActions),
        change: impl FnOnce(&mut Termios),
    ) -> io::Result<Self> {
        let tty = tty.try_clone()?;
        let before = termios::tcgetattr(&tty)?;
        let mut modes = before.clone();
        change(&mut modes);
        let (called_off, call_off) = pipe()?;
        let reader = tty.try_clone()?;
        lent::lend(&tty, &before, D::PARTING);
        termios::tcsetattr(&tty, typed_before, &modes)?;
        let (sender, queue) = mpsc::unbounded_channel();
        // From here on dropping it gives the terminal back.
        let mut input = Input { tty, before, unread, queue, call_off: Some(call_off), thread: None };
        let thread = std::thread::Builder::new().name("input".into());
        input.thread = Some(thread.spawn(move || read::<D>(&reader, &called_off, &sender))?);
        Ok(input)
    }

    /// Whether more is there already: a paste, say.
    pub(super) fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Ends the reading; gives what was typed and not taken.
    pub(super) fn into_rest(mut self) -> Vec<D::Item> {
        self.end();
        let mut rest = Vec::new();
        while let Ok(item) = self.queue.try_recv() {
            rest.push(item);
        }
        rest
    }

    fn end(&mut self) {
        self.call_off.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// What is typed next; `None` when the terminal is gone.
    pub(super) async fn next(&mut self) -> Option<D::Item> {
        self.queue.recv().await
    }
}

impl<D: Decode> Drop for Input<D> {
    fn drop(&mut self) {
        self.end();
        let _ = termios::tcsetattr(&self.tty, self.unread, &self.before);
        lent::returned();
    }
}

/// A pipe that is closed in what is started meanwhile: else the thread would wait for the end of that, too.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    io::pipe().map(|(reader, writer)| (reader.into(), writer.into()))
}

/// The thread: reads until called off, or the terminal is gone.
fn read<D: Decode>(tty: &File, called_off: &OwnedFd, sender: &mpsc::UnboundedSender<D::Item>) {
    let mut decoder = D::default();
    // As long as a line may be that the terminal edits.
    let mut bytes = [0; 4096];
    loop {
        let wait = decoder.is_waiting().then_some(REST_WAIT);
        let items = match ready(tty, called_off, wait) {
            Ready::Stop | Ready::Gone => return,
            Ready::Timeout => decoder.flush(),
            Ready::Bytes { is_hung_up } => match rustix::io::read(tty, &mut bytes) {
                Ok(n @ 1..) => decoder.push(&bytes[..n]),
                Err(rustix::io::Errno::INTR) => continue,
                Ok(_) if !is_hung_up => match decoder.end() {
                    Some(item) => vec![item],
                    None => return,
                },
                _ => return,
            },
        };
        for item in items {
            if sender.send(item).is_err() {
                return;
            }
        }
    }
}

enum Ready {
    Bytes { is_hung_up: bool },
    Timeout,
    Gone,
    Stop,
}

fn ready(tty: &File, called_off: &OwnedFd, wait: Option<i64>) -> Ready {
    let mut fds = [PollFd::new(tty, PollFlags::IN), PollFd::new(called_off, PollFlags::IN)];
    let timeout = wait.map(|ms| rustix::event::Timespec { tv_sec: 0, tv_nsec: ms * 1_000_000 });
    match poll(&mut fds, timeout.as_ref()) {
        Err(rustix::io::Errno::INTR) => ready(tty, called_off, wait),
        Err(_) => Ready::Gone,
        // The other end of the pipe was dropped.
        Ok(_) if !fds[1].revents().is_empty() => Ready::Stop,
        Ok(0) => Ready::Timeout,
        Ok(_) if fds[0].revents().contains(PollFlags::IN) => {
            Ready::Bytes { is_hung_up: fds[0].revents().contains(PollFlags::HUP) }
        }
        Ok(_) => Ready::Gone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_started_meanwhile_holds_nothing_up() {
        let (tty, _writer) = pipe().expect("a pipe");
        let (called_off, call_off) = pipe().expect("a pipe");
        let mut child = std::process::Command::new("sleep").arg("20").spawn().expect("started");
        drop(call_off);
        assert!(matches!(ready(&File::from(tty), &called_off, Some(900)), Ready::Stop));
        child.kill().and_then(|()| child.wait()).expect("ended");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_signal_does_not_make_the_wait_for_a_sequence_endless() {
        use rustix::process::{Pid, Signal, kill_process};
        use std::time::Duration;
        use tokio::signal::unix::{SignalKind, signal};

        let _handler = signal(SignalKind::user_defined2()).expect("a handler");
        let (tty, _writer) = pipe().expect("a pipe");
        let (called_off, _call_off) = pipe().expect("a pipe");
        let (id, thread) = std::sync::mpsc::channel();
        let (done, waited) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let path = std::fs::read_link("/proc/thread-self").expect("a thread");
            let name = path.file_name().and_then(|name| name.to_str()).expect("a number");
            id.send(name.parse().ok().and_then(Pid::from_raw).expect("a number")).expect("sent");
            let _ = done.send(matches!(ready(&File::from(tty), &called_off, Some(300)), Ready::Timeout));
        });
        let thread = thread.recv().expect("a thread");
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(50));
            // To a thread: the system prefers the one that was named.
            kill_process(thread, Signal::USR2).expect("signalled");
        }
        assert_eq!(waited.recv_timeout(Duration::from_secs(5)), Ok(true));
    }
}
