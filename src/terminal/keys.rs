//! Keys from a terminal in raw mode. A thread waits for bytes and can be called off at any moment, so that a
//! question which the server takes back never leaves a reader behind that would swallow the next key.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::termios::{self, OptionalActions, Termios};
use std::fs::File;
use std::io;
use std::thread::JoinHandle;
use tokio::sync::mpsc;

/// How long after an escape byte the rest of a sequence may take, in milliseconds.
const ESCAPE_WAIT: i64 = 40;

/// One key, as far as prompts care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    /// Return.
    Enter,
    /// Backwards.
    Backspace,
    /// Forwards.
    Delete,
    /// Arrows.
    Left,
    /// Right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// The tabulator.
    Tab,
    /// The escape key alone.
    Escape,
    /// A letter with control: `Control('c')`.
    Control(char),
    /// The terminal is gone.
    Gone,
    /// Anything else.
    Other,
}

/// A terminal in raw mode; the mode is restored when it is dropped.
pub(crate) struct Keys {
    tty: File,
    before: Termios,
    queue: mpsc::UnboundedReceiver<Key>,
    /// Dropped to call the thread off.
    call_off: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Keys {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is none, or is gone.
    pub(crate) fn open(tty: &File) -> io::Result<Self> {
        let tty = tty.try_clone()?;
        let before = termios::tcgetattr(&tty)?;
        let mut raw = before.clone();
        raw.make_raw();
        // Output stays processed: "\n" begins a line.
        raw.output_modes = before.output_modes;
        let (called_off, call_off) = rustix::pipe::pipe()?;
        let reader = tty.try_clone()?;
        // What was typed before the question stood is no answer to it.
        termios::tcsetattr(&tty, OptionalActions::Flush, &raw)?;
        let (sender, queue) = mpsc::unbounded_channel();
        // From here on dropping it gives the terminal back.
        let mut keys = Keys { tty, before, queue, call_off: Some(call_off), thread: None };
        let thread = std::thread::Builder::new().name("keys".into());
        keys.thread = Some(thread.spawn(move || read(&reader, &called_off, &sender))?);
        Ok(keys)
    }

    /// Whether another key is there already: a paste, say.
    pub(crate) fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The next key.
    pub(crate) async fn next(&mut self) -> Key {
        self.queue.recv().await.unwrap_or(Key::Gone)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.call_off.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = termios::tcsetattr(&self.tty, OptionalActions::Drain, &self.before);
    }
}

/// The thread: bytes to keys until called off, or the terminal is gone.
fn read(tty: &File, called_off: &OwnedFd, sender: &mpsc::UnboundedSender<Key>) {
    let mut decoder = Decoder::default();
    let mut bytes = [0; 1024];
    loop {
        let wait = decoder.is_waiting().then_some(ESCAPE_WAIT);
        let keys = match ready(tty, called_off, wait) {
            Ready::Stop => return,
            Ready::Timeout => decoder.flush(),
            Ready::Bytes => match rustix::io::read(tty, &mut bytes) {
                Ok(n @ 1..) => decoder.push(&bytes[..n]),
                Err(rustix::io::Errno::INTR) => continue,
                _ => vec![Key::Gone],
            },
            Ready::Gone => vec![Key::Gone],
        };
        for key in keys {
            if sender.send(key).is_err() || key == Key::Gone {
                return;
            }
        }
    }
}

enum Ready {
    Bytes,
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
        Ok(_) if fds[0].revents().contains(PollFlags::IN) => Ready::Bytes,
        Ok(_) => Ready::Gone,
    }
}

/// Bytes to keys; keeps what is incomplete.
#[derive(Debug, Default)]
struct Decoder {
    rest: Vec<u8>,
}

impl Decoder {
    fn push(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.rest.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while let Some((key, used)) = first(&self.rest) {
            self.rest.drain(..used);
            keys.push(key);
        }
        keys
    }

    fn is_waiting(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Nothing more came: an escape byte was the key itself.
    fn flush(&mut self) -> Vec<Key> {
        let rest = std::mem::take(&mut self.rest);
        match rest.split_first() {
            Some((0x1b, [])) => vec![Key::Escape],
            Some((0x1b, more)) => [vec![Key::Escape], self.push(more)].concat(),
            Some(_) => vec![Key::Other],
            None => Vec::new(),
        }
    }
}

/// The first whole key and its length in bytes; `None` when more bytes are needed.
fn first(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        0x1b => return escape(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x7f | 0x08 => Key::Backspace,
        byte @ 1..=26 => Key::Control(char::from(byte + b'a' - 1)),
        byte if byte < 0x20 => Key::Other,
        byte => {
            let length = match byte {
                0..=0x7f => 1,
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => return Some((Key::Other, 1)),
            };
            let part = bytes.get(..length)?;
            let key = std::str::from_utf8(part).ok().and_then(|text| text.chars().next()).map_or(Key::Other, Key::Char);
            return Some((key, length));
        }
    };
    Some((key, 1))
}

/// A sequence that begins with escape: CSI (`ESC [ … final`), SS3 (`ESC O final`), or escape and another key.
fn escape(bytes: &[u8]) -> Option<(Key, usize)> {
    match *bytes.get(1)? {
        b'[' => {
            let end = 2 + bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            let key = match (&bytes[2..end], bytes[end]) {
                (_, b'A') => Key::Up,
                (_, b'B') => Key::Down,
                (_, b'C') => Key::Right,
                (_, b'D') => Key::Left,
                (_, b'H') | (b"1" | b"7", b'~') => Key::Home,
                (_, b'F') | (b"4" | b"8", b'~') => Key::End,
                (b"3", b'~') => Key::Delete,
                _ => Key::Other,
            };
            Some((key, end + 1))
        }
        b'O' => {
            let key = match *bytes.get(2)? {
                b'A' => Key::Up,
                b'B' => Key::Down,
                b'C' => Key::Right,
                b'D' => Key::Left,
                b'H' => Key::Home,
                b'F' => Key::End,
                _ => Key::Other,
            };
            Some((key, 3))
        }
        0x1b => Some((Key::Escape, 1)),
        _ => Some((Key::Other, 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_keys_however_they_are_cut() {
        let bytes = "aé日\x1b[A\x1b[3~\x1bOH\x1b[1;5C\r\x03\x7f".as_bytes();
        let expected = [
            Key::Char('a'),
            Key::Char('é'),
            Key::Char('日'),
            Key::Up,
            Key::Delete,
            Key::Home,
            Key::Right,
            Key::Enter,
            Key::Control('c'),
            Key::Backspace,
        ];
        assert_eq!(Decoder::default().push(bytes), expected);
        let mut decoder = Decoder::default();
        let keys: Vec<Key> = bytes.iter().flat_map(|byte| decoder.push(&[*byte])).collect();
        assert_eq!(keys, expected);
    }

    #[test]
    fn escape_alone_is_a_key_once_nothing_follows() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"\x1b"), []);
        assert!(decoder.is_waiting());
        assert_eq!(decoder.flush(), [Key::Escape]);
        assert_eq!(decoder.push(b"\x1b\x1b"), [Key::Escape]);
        assert_eq!(decoder.flush(), [Key::Escape]);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_signal_does_not_make_the_wait_for_a_sequence_endless() {
        use rustix::process::{Pid, Signal, kill_process};
        use std::time::Duration;
        use tokio::signal::unix::{SignalKind, signal};

        let _handler = signal(SignalKind::user_defined2()).expect("a handler");
        let (tty, _writer) = rustix::pipe::pipe().expect("a pipe");
        let (called_off, _call_off) = rustix::pipe::pipe().expect("a pipe");
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
