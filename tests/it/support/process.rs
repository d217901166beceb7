//! Children that never outlive their test: each leads its own group, is waited for with a limit and killed in `Drop`.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The variable that marks a run's processes, so that even those in groups of their own are found again.
pub(crate) const MARK: &str = "MCPCALL_TEST_RUN";

/// A started process that leads its own process group.
pub(crate) struct Process {
    pid: Pid,
    exit: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
    mark: Option<String>,
    /// The child's stdin unless somebody took it; open as long as the process is watched, see [`tethered`].
    _stdin: Option<ChildStdin>,
}

impl Process {
    /// Watch over `child`, which must lead a group. Take its output pipes first.
    /// `mark` is the value of [`MARK`] in its environment, if it has one.
    pub(crate) fn watch(mut child: Child, mark: Option<String>) -> Process {
        let pid = Pid::from_child(&child);
        let stdin = child.stdin.take();
        let (sender, exit) = channel();
        std::thread::spawn(move || {
            if let Ok(status) = child.wait() {
                let _ = sender.send(status);
            }
        });
        Process { pid, exit, status: None, mark, _stdin: stdin }
    }

    /// Whether the process runs this program and sleeps (Linux).
    pub(crate) fn sleeps_in(&self, program: &str) -> bool {
        let proc = |file: &str| format!("/proc/{}/{file}", self.pid.as_raw_nonzero());
        let runs = std::fs::read_link(proc("exe")).is_ok_and(|exe| exe.as_os_str() == program);
        runs && std::fs::read_to_string(proc("stat")).is_ok_and(|stat| stat.contains(") S "))
    }

    /// Wait for the end, at most `limit`.
    pub(crate) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.exit.recv_timeout(limit).ok();
        }
        self.status
    }

    /// Send a signal as its usual sender would: ^C goes to the foreground group, anything else to the process.
    pub(crate) fn signal(&self, signal: Signal) {
        let sent =
            if signal == Signal::INT { kill_process_group(self.pid, signal) } else { kill_process(self.pid, signal) };
        sent.expect("the process is still there to be signalled");
    }

    /// Kill the group and every process that carries the mark.
    pub(crate) fn kill(&mut self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
        if let Some(mark) = &self.mark {
            for pid in marked(mark) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        self.wait(Duration::from_secs(5));
    }
}

/// Make `command` lead its own process group.
pub(crate) fn lead_group(command: &mut Command) -> &mut Command {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0)
}

/// A command that dies with the tests, even if they are killed: a watcher in its group waits for the end of stdin, a pipe
/// that [`Process`] holds, and kills the group. The program itself has an empty stdin.
pub(crate) fn tethered(program: impl AsRef<OsStr>) -> Command {
    let script = r#"exec 3<&0; { cat <&3; kill -KILL 0; } >/dev/null 2>&1 & exec "$@" </dev/null 3<&-"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(program).stdin(Stdio::piped());
    lead_group(&mut command);
    command
}

/// The exit code; a death by signal N is -N, so that it is never taken for an exit code.
pub(crate) fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
}

/// Living processes whose environment carries this mark. Elsewhere than on Linux: none are found.
pub(crate) fn marked(mark: &str) -> Vec<Pid> {
    let wanted = format!("{MARK}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter_map(|entry| {
            let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
            // A zombie has an empty environment, so it is not counted among the living.
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let marked = environment.split(|byte| *byte == 0).any(|item| item == wanted.as_bytes());
            if marked { Pid::from_raw(pid) } else { None }
        })
        .collect()
}

/// What a pipe delivered so far, filled by a thread of its own.
#[derive(Clone, Default)]
pub(crate) struct Capture(Arc<(Mutex<Captured>, Condvar)>);

#[derive(Default)]
struct Captured {
    bytes: Vec<u8>,
    ended: bool,
}

impl Capture {
    pub(crate) fn of(mut pipe: impl Read + Send + 'static) -> Capture {
        let capture = Capture::default();
        let writer = capture.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                writer.lock().bytes.extend_from_slice(&buffer[..n]);
                writer.0.1.notify_all();
            }
            writer.lock().ended = true;
            writer.0.1.notify_all();
        });
        capture
    }

    /// Everything so far, as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().bytes).into_owned()
    }

    /// Wait until `text` was seen. False when the pipe ended, or `limit` passed, without it.
    pub(crate) fn wait_for(&self, text: &str, limit: Duration) -> bool {
        self.wait_until(limit, |captured| String::from_utf8_lossy(&captured.bytes).contains(text))
    }

    /// Wait for the end of the pipe.
    pub(crate) fn wait_for_end(&self, limit: Duration) -> bool {
        self.wait_until(limit, |captured| captured.ended)
    }

    fn wait_until(&self, limit: Duration, found: impl Fn(&Captured) -> bool) -> bool {
        let end = Instant::now() + limit;
        let mut captured = self.lock();
        loop {
            if found(&captured) {
                return true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if captured.ended || left.is_zero() {
                return false;
            }
            captured = self.0.1.wait_timeout(captured, left).expect("no thread panics while it holds this lock").0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Captured> {
        self.0.0.lock().expect("no thread panics while it holds this lock")
    }
}

/// A lock between processes, held until the value is dropped.
pub(crate) struct FileLock(#[expect(dead_code, reason = "held, not read")] File);

impl FileLock {
    pub(crate) fn take(path: &std::path::Path) -> std::io::Result<FileLock> {
        let file = File::create(path)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok(FileLock(file))
    }
}
