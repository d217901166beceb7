//! Starts a server process in a process group of its own and ends it without leaving anything behind. It reads and
//! writes none of the pipes: that is `stdio`.

use crate::failure::{Failure, Result};
use crate::guard::{self, Guarded};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::{Pid, Signal, test_kill_process_group};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How long a server has to end after its stdin was closed, and again after SIGTERM.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// What is tried in turn on a server that does not end by itself.
const SIGNALS: [Signal; 2] = [Signal::TERM, Signal::KILL];

/// How often a group without its leader is looked at, while the session lasts and while it is being ended.
const WATCH: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(20);

/// What to start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spawn {
    /// A path, or a name to look up in `PATH`.
    pub(crate) program: String,
    /// Its arguments; no shell sees them.
    pub(crate) args: Vec<String>,
    /// Variables to add to the environment that is inherited.
    pub(crate) env: Vec<(String, String)>,
    /// Variables to take away from it.
    pub(crate) unset: Vec<String>,
    /// Its working directory; `None`: ours.
    pub(crate) cwd: Option<PathBuf>,
}

/// A running server and its pipes.
pub(crate) struct Process {
    /// Closed by dropping it.
    pub(crate) stdin: ChildStdin,
    /// Protocol.
    pub(crate) stdout: ChildStdout,
    /// Free text.
    pub(crate) stderr: ChildStderr,
    /// For watching and ending the process.
    pub(crate) handle: Handle,
}

/// Watches and ends a process; the process itself belongs to a task.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    stop: CancellationToken,
    gone: CancellationToken,
    exit: watch::Receiver<Option<String>>,
}

impl Spawn {
    /// Starts the process.
    ///
    /// # Errors
    /// When it cannot be started: a connection failure that names the program or directory that is missing.
    pub(crate) fn start(&self) -> Result<Process> {
        // The group is what keeps ^C at the terminal from the server, and what makes wrappers (npx, sh) end whole.
        let child = CommandWrap::with_new(&self.program, |command| {
            for name in &self.unset {
                command.env_remove(name);
            }
            command
                .args(&self.args)
                .envs(self.env.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(cwd) = &self.cwd {
                command.current_dir(cwd);
            }
        })
        .wrap(ProcessGroup::leader())
        .spawn();
        let mut group = Group::new(child.map_err(|error| self.cannot_start(&error))?);
        let child = &mut group.child;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin().take(), child.stdout().take(), child.stderr().take())
        else {
            return Err(Failure::connect(format!("cannot start {}: it has no pipes", self.program)));
        };
        Ok(Process { stdin, stdout, stderr, handle: Handle::new(group) })
    }

    /// The system reports a missing directory, program and interpreter alike, so look which one it is.
    fn cannot_start(&self, error: &io::Error) -> Failure {
        let program = &self.program;
        let why = match (self.bad_cwd(), error.kind()) {
            (Some(why), _) => why,
            (None, io::ErrorKind::NotFound) if self.program_file().as_deref().is_some_and(Path::exists) => {
                "the interpreter that its first line names is missing".into()
            }
            (None, io::ErrorKind::NotFound) if program.contains('/') => "there is no such file".into(),
            (None, io::ErrorKind::NotFound) => "there is no such program in PATH".into(),
            (None, io::ErrorKind::PermissionDenied) => "it is not executable".into(),
            (None, _) => error.to_string(),
        };
        let failure = Failure::connect(format!("cannot start {program}: {why}"));
        match error.kind() == io::ErrorKind::NotFound && program.contains(' ') {
            true => failure.hint(
                "this is the name of a program, whole; arguments are words of their own (\"args\" in a configuration file)",
            ),
            false => failure,
        }
    }

    fn bad_cwd(&self) -> Option<String> {
        let cwd = self.cwd.as_deref().filter(|cwd| !cwd.is_dir())?;
        let why = if cwd.exists() { "is not a directory" } else { "does not exist" };
        Some(format!("the working directory {} {why}", cwd.display()))
    }

    /// The file that is meant, unless it is looked up in `PATH`.
    fn program_file(&self) -> Option<PathBuf> {
        // The child is in its new directory already when it looks for the program.
        let base = self.cwd.clone().unwrap_or_default();
        self.program.contains('/').then(|| base.join(&self.program))
    }
}

impl Handle {
    fn new(group: Group) -> Self {
        let (exit, exited) = watch::channel(None);
        let handle = Handle { stop: CancellationToken::new(), gone: CancellationToken::new(), exit: exited };
        tokio::spawn(supervise(group, handle.clone(), exit));
        handle
    }

    /// Waits until the process has ended, and tells how: "exited with status 3".
    pub(crate) async fn exited(&mut self) -> String {
        let words = self.exit.wait_for(Option::is_some).await.ok().and_then(|words| words.clone());
        // The watching task sends before it ends, unless the runtime goes down.
        words.unwrap_or_else(|| "ended".into())
    }

    /// Begins to end the process; its stdin must be closed already.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Ends the process and all that it started: waits `GRACE`, then SIGTERM, `GRACE`, SIGKILL. What it leaves behind
    /// has `GRACE` again before the next signal. Returns when all are gone, or do not die at all.
    pub(crate) async fn shutdown(&self) {
        self.stop();
        self.gone.cancelled().await;
    }
}

/// A process group that does not outlive this value.
#[derive(Debug)]
struct Group {
    /// The leader.
    child: Box<dyn ChildWrapper>,
    id: Option<Pid>,
    guarded: Option<Guarded>,
    /// Seen without members. Its number may be another's by now, so it is not signalled any more.
    is_empty: bool,
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nobody waits for pipes that a grandchild may still hold.
        self.signal(Signal::KILL);
    }
}

impl Group {
    fn new(child: Box<dyn ChildWrapper>) -> Self {
        // It leads the group, so their numbers are the same.
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Group { child, id, guarded: id.map(guard::watch), is_empty: false }
    }

    /// To all members.
    fn signal(&self, signal: Signal) {
        if !self.is_empty {
            let _ = self.child.signal(signal.as_raw());
        }
    }

    /// Waits for the leader, with each of `signals` in turn when it does not end. Leaves those not used.
    async fn end_leader(&mut self, signals: &mut impl Iterator<Item = Signal>) -> io::Result<ExitStatus> {
        loop {
            let late = match timeout(GRACE, self.child.wait()).await {
                Ok(status) => return status,
                Err(late) => late,
            };
            self.signal(signals.next().ok_or(late)?);
        }
    }

    /// The same for what the leader left behind.
    async fn end_rest(&mut self, signals: impl Iterator<Item = Signal>) {
        for signal in signals {
            if timeout(GRACE, self.emptied(POLL)).await.is_ok() {
                return;
            }
            self.signal(signal);
        }
    }

    /// Waits until no member is left of the group, whose leader has ended already.
    async fn emptied(&mut self, every: Duration) {
        // An orphan that nobody reaps counts as a member: in a container whose first process does not care.
        while self.id.is_some_and(|id| test_kill_process_group(id).is_ok()) {
            sleep(every).await;
        }
        self.is_empty = true;
        self.guarded = None;
    }
}

async fn supervise(mut group: Group, handle: Handle, exit: watch::Sender<Option<String>>) {
    let _gone = handle.gone.drop_guard();
    let mut signals = SIGNALS.into_iter();
    let status = tokio::select! {
        status = group.child.wait() => status,
        () = handle.stop.cancelled() => group.end_leader(&mut signals).await,
    };
    exit.send_replace(Some(describe(&status)));
    // A launcher may exit and leave the real server behind: it may live until the session is over.
    tokio::select! {
        () = group.emptied(WATCH) => {}
        () = handle.stop.cancelled() => group.end_rest(signals).await,
    }
    handle.stop.cancelled().await;
}

/// Says how a process ended, as the predicate of a sentence.
fn describe(status: &io::Result<ExitStatus>) -> String {
    let status = match status {
        Ok(status) => status,
        Err(error) => return format!("could not be waited for: {error}"),
    };
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("was killed by signal {signal} ({name})"),
            None => format!("was killed by signal {signal}"),
        },
        (None, None) => format!("ended: {status}"),
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    let names = [
        (Signal::HUP, "HUP"),
        (Signal::INT, "INT"),
        (Signal::QUIT, "QUIT"),
        (Signal::ILL, "ILL"),
        (Signal::ABORT, "ABRT"),
        (Signal::BUS, "BUS"),
        (Signal::FPE, "FPE"),
        (Signal::KILL, "KILL"),
        (Signal::SEGV, "SEGV"),
        (Signal::PIPE, "PIPE"),
        (Signal::TERM, "TERM"),
        (Signal::XCPU, "XCPU"),
    ];
    names.iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn sh(script: &str) -> Spawn {
        Spawn { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Spawn::default() }
    }

    #[test]
    fn what_cannot_start_is_told_apart() {
        let dir = tempfile::tempdir().expect("a directory");
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/nope/python\n").expect("written");
        let script = script.display().to_string();
        let spawn = |program: &str, cwd: Option<&str>| Spawn {
            program: program.into(),
            cwd: cwd.map(Into::into),
            ..Spawn::default()
        };
        let executable = |path: &str| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("changed");
        };
        let start = |spawn: Spawn| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let started = runtime.expect("a runtime").block_on(async { spawn.start() });
            started.err().expect("a failure").message
        };
        for (case, why) in [
            (spawn("/nope", None), "cannot start /nope: there is no such file"),
            (spawn("nope-7", None), "cannot start nope-7: there is no such program in PATH"),
            (spawn("sh", Some("/nope")), "cannot start sh: the working directory /nope does not exist"),
            (spawn(&script, None), &format!("cannot start {script}: it is not executable")),
        ] {
            assert_eq!(start(case), why);
        }
        executable(&script);
        assert!(start(spawn(&script, None)).ends_with("first line names is missing"));
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_told_in_words() {
        for (script, words) in [("exit 3", "exited with status 3"), ("kill -9 $$", "was killed by signal 9 (KILL)")] {
            let mut process = sh(script).start().expect("started");
            assert_eq!(process.handle.exited().await, words);
        }
    }

    #[tokio::test]
    async fn a_server_that_ends_at_eof_gets_no_signal() {
        let process = sh("trap 'exit 9' TERM; cat >/dev/null; sleep 0.3; exit 0").start().expect("started");
        drop(process.stdin);
        let mut handle = process.handle;
        handle.shutdown().await;
        assert_eq!(handle.exited().await, "exited with status 0");
    }

    /// Starts a server with a child in the background, whose script is given, and shuts it down after the child is up.
    /// Returns what the child wrote, and how long it took.
    async fn leave_behind(child: &str) -> (String, Duration) {
        let dir = tempfile::tempdir().expect("a directory");
        let script = format!("({child}) & cat >/dev/null");
        let mut spawn = sh(&script);
        spawn.cwd = Some(dir.path().into());
        let process = spawn.start().expect("started");
        let begin = Instant::now();
        while !dir.path().join("up").exists() {
            assert!(begin.elapsed() < PATIENCE, "the child is not up");
            sleep(POLL).await;
        }
        drop(process.stdin);
        let begin = Instant::now();
        process.handle.shutdown().await;
        let took = begin.elapsed();
        (std::fs::read_to_string(dir.path().join("log")).unwrap_or_default(), took)
    }

    /// Far more than anything here takes.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn what_a_server_leaves_behind_is_killed() {
        let child = "trap '' TERM; sh -c 'echo $PPID' >log; touch up; while :; do sleep 1; done";
        let (pid, took) = leave_behind(child).await;
        assert!(took >= 2 * GRACE && took < PATIENCE, "{took:?}");
        // Signals take a moment, and orphans stay zombies where no init reaps them.
        let stat = format!("/proc/{}/stat", pid.trim());
        let dead = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
        let begin = Instant::now();
        while !dead() {
            assert!(begin.elapsed() < PATIENCE, "still alive");
            sleep(POLL).await;
        }
    }

    #[tokio::test]
    async fn what_a_server_leaves_behind_may_end_by_itself_or_is_asked_to() {
        let on_signal = "trap 'echo graceful >log; exit' TERM; touch up; while :; do sleep 0.1; done";
        let (log, took) = leave_behind(on_signal).await;
        assert_eq!(log, "graceful\n");
        assert!(took >= GRACE, "{took:?}");

        let by_itself = "trap 'echo signal >log; exit' TERM; touch up; sleep 0.5; echo done >log";
        assert_eq!(leave_behind(by_itself).await.0, "done\n");
    }
}
