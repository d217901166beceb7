//! The external program that stands in for a language model: the params on its stdin, the reply on its stdout. It
//! runs in a session of its own that does not outlive its request.

use crate::callbacks::Show;
use crate::guard::{self, Guarded};
use crate::session::host::{Ask, Event};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::Pid;
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;

/// How long the pipes may stay open after the program has ended: something it left behind may hold them for ever.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// The longest reply in bytes.
const MAX_PRINTED: u64 = 64 << 20;

/// The longest piece of stderr that is shown as one line, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// The longest variable in bytes; the system takes 128 KiB at most.
const MAX_VARIABLE: usize = 64 << 10;

/// What to run.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Program {
    /// A command line for `sh`.
    Shell(String),
    /// A program and its arguments; no shell sees them.
    Words(Vec<String>),
}

/// What came of it.
#[derive(Debug, PartialEq)]
pub(super) enum Ended {
    /// It succeeded and printed this.
    Printed(String),
    /// It exited with this status, which is not 0: a refusal, and the last line of its stderr, if any, says why.
    Refused { status: i32, why: Option<String> },
    /// It came to no end of its own, or to none that says anything; what it did.
    Broken(String),
    /// It never ran; why.
    NotStarted(String),
}

/// Runs the program for one request. Dropping the future kills it and all that it started.
pub(super) async fn run(program: &Program, ask: &Ask, show: &Show) -> Ended {
    let (name, args): (&str, &[String]) = match program {
        Program::Shell(line) => ("sh", &["-c".to_owned(), line.clone()]),
        Program::Words(words) => (&words[0], &words[1..]),
    };
    guard::ready();
    let child = CommandWrap::with_new(name, |command| {
        command.args(args).envs(environment(ask));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    })
    // A session of its own: in our terminal's background a read from it would stop the program for ever.
    .wrap(ProcessSession)
    .spawn();
    let mut group = match child {
        Ok(child) => Group::new(child),
        Err(error) => return Ended::NotStarted(format!("cannot start {name}: {error}")),
    };
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (group.child.stdin().take(), group.child.stdout().take(), group.child.stderr().take())
    else {
        return Ended::NotStarted(format!("cannot start {name}: it has no pipes"));
    };
    let (mut printed, mut last) = (Vec::new(), String::new());
    // A program need not read its stdin, and both directions may be full at once.
    let feed = async move { stdin.write_all(format!("{}\n", ask.params).as_bytes()).await };
    let mut stdout = stdout.take(MAX_PRINTED);
    let read = async {
        while matches!(stdout.read_buf(&mut printed).await, Ok(1..)) {}
        // Past the limit the pipe is closed, which ends what writes into it.
        drop(stdout);
    };
    let tell = async {
        let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
        while matches!((&mut stderr).take(MAX_LINE).read_until(b'\n', &mut line).await, Ok(1..)) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            show(Event::Command(&text));
            if !text.is_empty() {
                last = text;
            }
            line.clear();
        }
    };
    let status = {
        let mut pipes = std::pin::pin!(async { tokio::join!(feed, read, tell) });
        let mut exit = group.child.wait();
        let mut open = true;
        let status = loop {
            tokio::select! {
                status = &mut exit => break status,
                _ = &mut pipes, if open => open = false,
            }
        };
        if open {
            let _ = timeout(LEFT_BEHIND, pipes).await;
        }
        status
    };
    match status {
        _ if printed.len() as u64 == MAX_PRINTED => Ended::Broken(format!("printed more than {MAX_PRINTED} bytes")),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(0), _) => match String::from_utf8_lossy(&printed).into_owned() {
                text if text.trim().is_empty() => Ended::Broken("printed nothing".into()),
                text => Ended::Printed(text),
            },
            (Some(status), _) => {
                let why = Some(last).filter(|last| !last.is_empty()).map(|last| last.chars().take(1000).collect());
                Ended::Refused { status, why }
            }
            (None, Some(signal)) => Ended::Broken(format!("was killed by signal {signal}")),
            (None, None) => Ended::Broken(format!("ended: {status}")),
        },
        Err(error) => Ended::Broken(format!("could not be waited for: {error}")),
    }
}

/// The context of a request. What a server sent may hold a NUL, which no variable can.
fn environment(ask: &Ask) -> [(&'static str, String); 4] {
    let meta = ask.params.get("_meta").filter(|meta| !meta.is_null()).map(Value::to_string);
    let id: Value = serde_json::from_str(ask.id.as_json()).unwrap_or_default();
    [
        ("MCPCALL_REQUEST_ID", id.as_str().map_or_else(|| ask.id.to_string(), str::to_owned)),
        ("MCPCALL_META", meta.unwrap_or_default()),
        ("MCPCALL_TOOL", ask.tool.clone().unwrap_or_default()),
        ("MCPCALL_SERVER", ask.server.clone()),
    ]
    // What is too long for a variable stands on stdin, but for the names, which nobody needs at that length.
    .map(|(name, value)| (name, if value.len() > MAX_VARIABLE { String::new() } else { value.replace('\0', "") }))
}

/// A process group that does not outlive this value.
struct Group {
    child: Box<dyn ChildWrapper>,
    _guarded: Option<Guarded>,
}

impl Group {
    fn new(child: Box<dyn ChildWrapper>) -> Self {
        // It leads its session, so their numbers are the same.
        let leader = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Group { child, _guarded: leader.map(guard::watch) }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Fails when nothing is left, which is the rule.
        let _ = self.child.start_kill();
    }
}
