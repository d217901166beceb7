//! A server that is a child process: one message a line on its stdin and stdout, free text on its stderr. This file
//! frames lines and notices how the server goes away. It starts and ends no process (`process`) and does not look into
//! a line: banners and noise are the engine's to judge.

use super::lines::{Line, Overlong, Splitter};
use super::process::{Handle, Process, Spawn};
use super::{Direction, Ears, INBOX, Inbox, Incoming, Kept, Outgoing, Sieve, Tap, Transport, Verb, Wire};
use crate::failure::Result;
use crate::guard;
use crate::sync::lock;
use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// The longest piece of stderr that is shown as one line.
const STDERR_LINE: usize = 64 * 1024;

/// How much is read at once; a Linux pipe holds as much.
const CHUNK: usize = 64 * 1024;

/// How much a pipe holds once a server has filled it.
const WIDE: usize = 1 << 20;

/// How long the last lines of a dying server are waited for.
const LINGER: Duration = Duration::from_millis(500);
/// How long the exit status of a server that has closed its stdout is waited for: on a busy machine it comes late.
const REAPED: Duration = Duration::from_secs(2);

/// How long a server may take to read what is queued for it when the session ends.
const FLUSH: Duration = Duration::from_secs(1);

/// How to talk to the server.
pub(crate) struct StdioOptions {
    /// Longest line in bytes; longer ones are reported and dropped.
    pub(crate) max_message: usize,
    /// Told of each line sent and received, and asked about the latter.
    pub(crate) ears: Ears,
}

/// A running server.
pub(crate) struct StdioTransport {
    /// `None` once the session is closing.
    queue: Mutex<Option<UnboundedSender<Queued>>>,
    writer: AbortHandle,
    stdin_closed: CancellationToken,
    closing: CancellationToken,
    process: Handle,
}

/// Starts the server. What happens later comes through the inbox.
///
/// # Errors
/// When the server cannot be started: a connection failure.
pub(crate) fn open(spawn: &Spawn, options: StdioOptions) -> Result<(Arc<StdioTransport>, Inbox)> {
    let Process { stdin, stdout, stderr, handle } = spawn.start()?;
    let (inbox, receiver) = mpsc::channel(INBOX);
    let (queue, queued) = mpsc::unbounded_channel();
    let (stdin_closed, closing) = (CancellationToken::new(), CancellationToken::new());

    let Ears { tap, sieve } = options.ears;
    let reader = Reader {
        stdout: Pipe::new(stdout, Splitter::new(options.max_message, Overlong::Drop), sieve),
        stderr: Pipe::new(stderr, Splitter::new(STDERR_LINE, Overlong::Cut), None),
        process: handle.clone(),
        stdin_closed: stdin_closed.clone(),
        closing: closing.clone(),
        inbox,
        tap: tap.clone(),
        max_message: options.max_message,
    };
    tokio::spawn(reader.run());
    // Reading and writing are two tasks: a server may write a lot before it reads the rest of a large request.
    let writer = Writer { stdin, queued, tap };
    let closed = stdin_closed.clone().drop_guard();
    let writer = tokio::spawn(async move {
        let _closed = closed;
        // A failure shows as `stdin_closed` while the session is not closing.
        let _ = writer.run().await;
    });
    tokio::spawn(async {
        sleep(guard::SOON).await;
        guard::ready();
    });

    let transport = StdioTransport {
        queue: Mutex::new(Some(queue)),
        writer: writer.abort_handle(),
        stdin_closed,
        closing,
        process: handle,
    };
    Ok((Arc::new(transport), receiver))
}

impl Transport for StdioTransport {
    fn is_http(&self) -> bool {
        false
    }

    fn send(&self, outgoing: Outgoing) {
        let queue = lock(&self.queue);
        if let (Some(queue), Verb::Post) = (queue.as_ref(), outgoing.verb) {
            // Fails when the server closed its stdin; then `Closed` is on its way.
            let _ = queue.send(Queued { text: outgoing.body, _kept: outgoing.kept });
        }
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.closing.cancel();
        // The writer ends, and closes stdin, once it has written what is queued.
        drop(lock(&self.queue).take());
        Box::pin(async {
            if timeout(FLUSH, self.stdin_closed.cancelled()).await.is_err() {
                self.writer.abort();
            }
            self.stdin_closed.cancelled().await;
            self.process.shutdown().await;
        })
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.process.stop();
    }
}

/// What waits to be written.
struct Queued {
    text: String,
    _kept: Option<Kept>,
}

struct Writer {
    stdin: ChildStdin,
    queued: UnboundedReceiver<Queued>,
    tap: Option<Tap>,
}

impl Writer {
    async fn run(mut self) -> io::Result<()> {
        while let Some(Queued { mut text, _kept }) = self.queued.recv().await {
            trace(self.tap.as_ref(), Direction::Sent, &text);
            text.push('\n');
            self.stdin.write_all(text.as_bytes()).await?;
        }
        Ok(())
    }
}

/// One of the server's outputs.
struct Pipe<R> {
    /// `None` after its end.
    source: Option<R>,
    /// What was read last; its room is taken from the system only as far as it is used.
    chunk: Vec<u8>,
    splitter: Splitter,
    sieve: Option<Sieve>,
    error: Option<io::Error>,
    is_widened: bool,
}

impl<R: AsyncRead + AsFd + Unpin> Pipe<R> {
    fn new(source: R, splitter: Splitter, sieve: Option<Sieve>) -> Self {
        let chunk = Vec::with_capacity(CHUNK);
        Pipe { source: Some(source), chunk, splitter, sieve, error: None, is_widened: false }
    }

    /// The next lines, perhaps none. Never returns after the end of the pipe. May be cancelled.
    async fn lines(&mut self) -> Vec<Line> {
        let Some(source) = &mut self.source else {
            return std::future::pending().await;
        };
        self.chunk.clear();
        match source.read_buf(&mut self.chunk).await {
            Ok(0) => self.source = None,
            Ok(n) => {
                if n == CHUNK && !self.is_widened {
                    self.is_widened = true;
                    widen(source);
                }
                return match &self.sieve {
                    Some(sieve) => self.splitter.push_sifted(&self.chunk, &**sieve),
                    None => self.splitter.push(&self.chunk),
                };
            }
            Err(error) => {
                self.source = None;
                self.error = Some(error);
            }
        }
        Vec::from_iter(self.splitter.finish())
    }

    /// Reads on and throws away.
    async fn drain(&mut self) {
        if let Some(source) = &mut self.source {
            let _ = tokio::io::copy(source, &mut tokio::io::sink()).await;
        }
    }
}

/// Gives a pipe more room, where the system lets us: of a large result much is written and read at once.
fn widen(pipe: &impl AsFd) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, WIDE);
    #[cfg(not(target_os = "linux"))]
    let _ = (pipe, WIDE);
}

struct Reader {
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    process: Handle,
    stdin_closed: CancellationToken,
    closing: CancellationToken,
    inbox: mpsc::Sender<Incoming>,
    tap: Option<Tap>,
    max_message: usize,
}

impl Reader {
    async fn run(mut self) {
        let reason = self.read().await;
        self.deliver(Incoming::Closed { reason }).await;
        // A server that lives on must not be stopped by a pipe that nobody reads.
        tokio::join!(self.stdout.drain(), self.stderr.drain());
    }

    /// Reads until the server is gone, and tells why.
    async fn read(&mut self) -> String {
        let mut stdin_open = true;
        let mut exit: Option<String> = None;
        // Set by the first sign that the server is going away.
        let mut deadline: Option<Instant> = None;
        loop {
            tokio::select! {
                // In this order, because what is there to be read comes before any reason to stop.
                biased;
                lines = self.stdout.lines() => {
                    self.stdout_lines(lines).await;
                    if exit.is_some() {
                        // Somebody else, a real server behind a launcher, is still talking.
                        deadline = Some(Instant::now() + LINGER);
                    }
                }
                lines = self.stderr.lines() => self.stderr_lines(lines).await,
                words = self.process.exited(), if exit.is_none() => exit = Some(words),
                () = self.stdin_closed.cancelled(), if stdin_open => {
                    stdin_open = false;
                    if !self.closing.is_cancelled() {
                        deadline.get_or_insert_with(|| Instant::now() + LINGER);
                    }
                }
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => break,
            }
            let quiet = self.stdout.source.is_none();
            if quiet && self.stderr.source.is_none() && exit.is_some() {
                break;
            }
            if quiet || exit.is_some() {
                let patience = if exit.is_some() { LINGER } else { REAPED };
                deadline.get_or_insert_with(|| Instant::now() + patience);
            }
        }
        self.farewell(exit)
    }

    fn farewell(&self, exit: Option<String>) -> String {
        match (exit, &self.stdout.error, &self.stdout.source) {
            (Some(words), _, _) => format!("the server {words}"),
            (None, Some(error), _) => format!("reading from the server failed: {error}"),
            (None, None, None) => "the server closed its stdout".into(),
            (None, None, Some(_)) => "the server closed its stdin".into(),
        }
    }

    async fn stdout_lines(&self, lines: Vec<Line>) {
        let headers = Arc::default();
        for line in lines {
            let bytes = match line {
                Line::Whole(bytes) => bytes,
                Line::TooLarge(head) => {
                    self.deliver(Incoming::TooLarge { head, limit: self.max_message }).await;
                    continue;
                }
            };
            let Some((text, is_replaced)) = decoded(bytes) else { continue };
            if is_replaced {
                let warning = "replaced bytes that are not UTF-8 in a line from the server";
                self.deliver(Incoming::Warning(warning.into())).await;
            }
            trace(self.tap.as_ref(), Direction::Received, &text);
            let headers = Arc::clone(&headers);
            self.deliver(Incoming::Message { exchange: None, text, headers }).await;
        }
    }

    async fn stderr_lines(&self, lines: Vec<Line>) {
        for line in lines {
            if let Line::Whole(bytes) = line {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.deliver(Incoming::Stderr(text)).await;
            }
        }
    }

    /// Waits for room in the inbox, so that a fast server is slowed down instead of filling the memory.
    async fn deliver(&self, incoming: Incoming) {
        // Else nobody listens any more; then reading goes on only to let the server end.
        let Err(TrySendError::Full(incoming)) = self.inbox.try_send(incoming) else { return };
        tokio::select! {
            biased;
            _ = self.inbox.send(incoming) => {}
            // While closing nobody may be listening, and a server stuck in a write would miss its end of input.
            () = self.closing.cancelled() => {}
        }
    }
}

fn trace(tap: Option<&Tap>, direction: Direction, text: &str) {
    if let Some(tap) = tap {
        tap(Wire { direction, line: "", headers: &[], text });
    }
}

/// The text of a line, and whether bytes that are not UTF-8 had to be replaced; `None` where there is nothing in it.
pub(crate) fn decoded(mut line: Vec<u8>) -> Option<(String, bool)> {
    if line.starts_with(b"\xEF\xBB\xBF") {
        line.drain(..3);
    }
    if line.trim_ascii().is_empty() {
        return None;
    }
    Some(match String::from_utf8(line) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    })
}

#[cfg(test)]
mod tests;
