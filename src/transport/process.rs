//! Starts a server process in a process group of its own and ends it without leaving anything behind. It reads and
//! writes none of the pipes: that is `stdio`.

use crate::failure::{Failure, Result};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::Signal;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long a server has to end after its stdin was closed, and again after SIGTERM.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// What to start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spawn {
    /// A path, or a name to look up in `PATH`.
    pub(crate) program: String,
    /// Its arguments; no shell sees them.
    pub(crate) args: Vec<String>,
    /// Variables to add to the environment that is inherited.
    pub(crate) env: Vec<(String, String)>,
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
    /// Starts the process. A program or directory that is missing is a connection failure that names it.
    pub(crate) fn start(&self) -> Result<Process> {
        // The group is what keeps ^C at the terminal from the server, and what makes wrappers (npx, sh) end whole.
        let child = CommandWrap::with_new(&self.program, |command| {
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
        let mut group = Group(child.map_err(|error| self.cannot_start(&error))?);
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (group.0.stdin().take(), group.0.stdout().take(), group.0.stderr().take())
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
        Failure::connect(format!("cannot start {program}: {why}"))
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

    /// Ends the process and all that it started: waits `GRACE`, then SIGTERM, `GRACE`, SIGKILL. Returns when it is
    /// gone, or does not die at all.
    pub(crate) async fn shutdown(&self) {
        self.stop();
        self.gone.cancelled().await;
    }
}

/// A process group that does not outlive this value.
#[derive(Debug)]
struct Group(Box<dyn ChildWrapper>);

impl Drop for Group {
    fn drop(&mut self) {
        // Fails when nothing is left, which is the rule. Nobody waits for pipes that a grandchild may still hold.
        let _ = self.0.start_kill();
    }
}

async fn supervise(mut group: Group, handle: Handle, exit: watch::Sender<Option<String>>) {
    let _gone = handle.gone.drop_guard();
    let status = tokio::select! {
        status = group.0.wait() => status,
        () = handle.stop.cancelled() => end(&mut *group.0).await,
    };
    exit.send_replace(Some(describe(&status)));
    // A launcher may exit and leave the real server behind: it may live until the session is over.
    handle.stop.cancelled().await;
    drop(group);
}

async fn end(child: &mut dyn ChildWrapper) -> io::Result<ExitStatus> {
    for signal in [Signal::TERM, Signal::KILL] {
        if let Ok(status) = timeout(GRACE, child.wait()).await {
            return status;
        }
        // To the whole group.
        let _ = child.signal(signal.as_raw());
    }
    timeout(GRACE, child.wait()).await?
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

    #[tokio::test]
    async fn what_a_server_leaves_behind_is_killed() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("pid");
        let script = format!("sleep 60 & echo $! > {}; cat >/dev/null", file.display());
        let process = sh(&script).start().expect("started");
        tokio::time::sleep(Duration::from_millis(200)).await;
        drop(process.stdin);
        let begin = Instant::now();
        process.handle.shutdown().await;
        assert!(begin.elapsed() < Duration::from_secs(1), "waited for a pipe");
        let pid = std::fs::read_to_string(file).expect("a pid");
        // Signals take a moment, and orphans stay zombies where no init reaps them.
        let stat = format!("/proc/{}/stat", pid.trim());
        let dead = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
        while !dead() {
            assert!(begin.elapsed() < Duration::from_secs(3), "still alive");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
