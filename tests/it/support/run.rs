//! One run of mcpcall without a terminal: what it is given, what is expected, what came.
//!
//! ```ignore
//! mcpcall(["issue_card"]).on(&server).args(["--answer", "name=Ada"]).stdout("Card issued to Ada.\n").check();
//! snapshot!(mcpcall(["fail"]).on(&server).run());
//! ```
//! `check` demands what was said and nothing else: exit code 0 and two empty streams where nothing was said. `start` goes
//! on while it runs, and `check` or `finish` waits for its end.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use super::output::{Folder, Output};
use super::process::{self, Capture, Process};
use super::terminal::{Plugs, Shown, Terminal};
use super::{Target, answers, env, on_path, poll};

/// Begin a run: `mcpcall(["issue_card", "name=Ada"])`.
pub(crate) fn mcpcall<'a>(args: impl IntoIterator<Item = impl Into<OsString>>) -> Run<'a> {
    Run {
        program: PROGRAM.into(),
        args: args.into_iter().map(Into::into).collect(),
        server: None,
        env: Vec::new(),
        folder: Folder::new(),
        stdin: None,
        under: None,
        signals: Vec::new(),
        plugs: Plugs::default(),
        code: 0,
        stdout: Text::Is(String::new()),
        stderr: Text::Is(String::new()),
    }
}

/// What the program's stdin is.
#[derive(Clone, Debug)]
pub(crate) enum Stdin {
    /// A pipe that stays open and never has a byte: whoever reads it hangs. The default.
    NeverEnding,
    /// `/dev/null`.
    Null,
    /// No file descriptor 0 at all.
    Closed,
    /// A pipe with this text, then its end.
    Text(String),
}

/// A run being described.
pub(crate) struct Run<'a> {
    program: OsString,
    args: Vec<OsString>,
    server: Option<&'a dyn Target>,
    env: Vec<(OsString, OsString)>,
    folder: Folder,
    stdin: Option<Stdin>,
    under: Option<&'static str>,
    signals: Vec<(Cue, Signal)>,
    plugs: Plugs,
    code: i32,
    stdout: Text,
    stderr: Text,
}

/// When to send a signal.
enum Cue {
    Stderr(String),
    Log(String),
    /// The process sleeps, in a read for instance (Linux).
    Asleep,
}

enum Text {
    Is(String),
    Has(Vec<String>),
    Any,
}

impl<'a> Run<'a> {
    /// Call this server; its log is part of a failure's report. Its arguments come last.
    pub(crate) fn on(mut self, server: &'a dyn Target) -> Self {
        self.server = Some(server);
        self
    }

    /// At a terminal: another program, which may run mcpcall by its name.
    pub(crate) fn within(mut self, program: &str) -> Self {
        self.program = program.into();
        let folder = Path::new(PROGRAM).parent().expect("a program is in a folder");
        let path = format!("{}:{}", folder.display(), env("PATH").unwrap_or_default());
        self.env("PATH", path)
    }

    pub(crate) fn url(self, url: &str) -> Self {
        self.args(["--url", url])
    }

    pub(crate) fn stdio(self, command: &str) -> Self {
        self.args(["--stdio", command])
    }

    pub(crate) fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().into()));
        self
    }

    /// A file in the working directory.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.folder.work().join(name), content).expect("the temporary folder takes files");
        self
    }

    pub(crate) fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = Some(stdin);
        self
    }

    /// Without a terminal: started by this script of `sh`, which ends with `exec "$@"`.
    pub(crate) fn under(mut self, script: &'static str) -> Self {
        self.under = Some(script);
        self
    }

    /// Send a signal once this text stands on stderr. ^C (`Signal::INT`) goes to the group, as a terminal sends it.
    pub(crate) fn signal_after_stderr(mut self, text: &str, signal: Signal) -> Self {
        self.signals.push((Cue::Stderr(text.into()), signal));
        self
    }

    /// Send a signal once this text stands in the server's log.
    pub(crate) fn signal_after_log(mut self, text: &str, signal: Signal) -> Self {
        self.signals.push((Cue::Log(text.into()), signal));
        self
    }

    /// Send a signal once the program runs: it has opened its files and sleeps.
    pub(crate) fn signal_when_started(mut self, signal: Signal) -> Self {
        self.signals.push((Cue::Asleep, signal));
        self
    }

    pub(crate) fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    pub(crate) fn stdout(mut self, text: impl Into<String>) -> Self {
        self.stdout = Text::Is(text.into());
        self
    }

    pub(crate) fn stderr(mut self, text: impl Into<String>) -> Self {
        self.stderr = Text::Is(text.into());
        self
    }

    /// For text that is not ours; repeated, all must be there.
    pub(crate) fn stdout_has(mut self, text: &str) -> Self {
        self.stdout.also(text);
        self
    }

    pub(crate) fn any_stdout(mut self) -> Self {
        self.stdout = Text::Any;
        self
    }

    /// For text that is not ours; repeated, all must be there.
    pub(crate) fn stderr_has(mut self, text: &str) -> Self {
        self.stderr.also(text);
        self
    }

    pub(crate) fn any_stderr(mut self) -> Self {
        self.stderr = Text::Any;
        self
    }

    /// Run and demand what was expected.
    #[track_caller]
    pub(crate) fn check(self) -> Output {
        self.start().check()
    }

    /// Run and return what came, whatever it is.
    #[track_caller]
    pub(crate) fn run(self) -> Output {
        self.start().finish()
    }

    /// Start it and go on: other things are to happen while it runs.
    pub(crate) fn start(self) -> Background<'a> {
        let mut command = self.command();
        command.env("COLUMNS", "80").stdout(Stdio::piped()).stderr(Stdio::piped());
        self.set_env(&mut command);
        let stdin = self.stdin.clone().unwrap_or(Stdin::NeverEnding);
        command.stdin(if matches!(stdin, Stdin::Null | Stdin::Closed) { Stdio::null() } else { Stdio::piped() });
        let mut child = command.spawn().expect("the program starts");
        let pipe = child.stdin.take();
        let stdout = Capture::of(child.stdout.take().expect("piped"));
        let stderr = Capture::of(child.stderr.take().expect("piped"));
        let process = Process::watch(child, Some(self.folder.mark()));
        let kept_open = pipe.and_then(|pipe| feed(pipe, stdin));
        Background { run: self, process, stdout, stderr, kept_open }
    }

    /// At a terminal: stdout is the terminal too.
    pub(crate) fn stdout_at_terminal(mut self) -> Self {
        self.plugs.stdout_at_terminal = true;
        self
    }

    /// At a terminal: stderr is this file of the working directory.
    pub(crate) fn stderr_to_file(mut self, name: &str) -> Self {
        self.plugs.stderr_file = Some(self.folder.work().join(name));
        self
    }

    /// Run at a pseudo-terminal instead: stdin and stderr are the terminal, stdout is a pipe. See [`Terminal`].
    #[track_caller]
    pub(crate) fn terminal(self) -> Terminal {
        self.terminal_of_size(24, 80)
    }

    #[track_caller]
    pub(crate) fn terminal_of_size(self, rows: u16, columns: u16) -> Terminal {
        let mut command = Command::new(&self.program);
        self.fill(&mut command);
        self.set_env(&mut command);
        let log = self.server.and_then(Target::log_file).map(Path::to_owned);
        let shown = Shown { command: self.command_line(), log };
        Terminal::start(command, self.stdin, &self.plugs, self.folder, (rows, columns), shown)
    }

    /// The command, in a session of its own where the machine can do that: a run must not find the terminal at
    /// which somebody typed `cargo test`.
    fn command(&self) -> Command {
        let setsid = on_path("setsid");
        let closes = matches!(self.stdin, Some(Stdin::Closed)).then_some(r#"exec "$@" <&-"#);
        let words = setsid.iter().map(|path| path.as_os_str());
        let words: Vec<&OsStr> = words
            .chain(closes.or(self.under).map(|script| ["sh", "-c", script, "sh"].map(OsStr::new)).into_iter().flatten())
            .chain([OsStr::new(PROGRAM)])
            .collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        if setsid.is_none() {
            process::lead_group(&mut command);
        }
        self.fill(&mut command);
        command
    }

    fn fill(&self, command: &mut Command) {
        command.args(&self.args).current_dir(self.folder.work()).env_clear();
        if let Some(server) = self.server {
            command.args(server.args());
        }
        command.env("PATH", env("PATH").unwrap_or_default());
        command.env("HOME", self.folder.home()).env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.env(process::MARK, self.folder.mark());
    }

    fn set_env(&self, command: &mut Command) {
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
    }

    fn command_line(&self) -> String {
        let own = self.args.iter().map(|arg| arg.to_string_lossy().into_owned());
        let all: Vec<String> = own.chain(self.server.map(Target::args).unwrap_or_default()).collect();
        format!("mcpcall {}", shell_words::join(all))
    }
}

/// A run that has been started.
pub(crate) struct Background<'a> {
    run: Run<'a>,
    process: Process,
    stdout: Capture,
    stderr: Capture,
    kept_open: Option<std::process::ChildStdin>,
}

impl Background<'_> {
    /// Wait until this text stands on stdout.
    #[track_caller]
    pub(crate) fn wait_for_stdout(&self, text: &str) -> &Self {
        assert!(self.stdout.wait_for(text, LIMIT), "{text:?} never came on stdout\n{}", self.so_far());
        self
    }

    /// Wait until this text stands on stderr.
    #[track_caller]
    pub(crate) fn wait_for_stderr(&self, text: &str) -> &Self {
        assert!(self.stderr.wait_for(text, LIMIT), "{text:?} never came on stderr\n{}", self.so_far());
        self
    }

    /// Write to the stdin that stays open.
    #[track_caller]
    pub(crate) fn write(&mut self, text: &str) -> &mut Self {
        let pipe = self.kept_open.as_mut().expect("stdin is a pipe that stays open");
        pipe.write_all(text.as_bytes()).expect("the program reads");
        self
    }

    /// End that stdin.
    pub(crate) fn end_stdin(&mut self) -> &mut Self {
        self.kept_open = None;
        self
    }

    /// Send a signal; ^C (`Signal::INT`) goes to the group, as a terminal sends it.
    pub(crate) fn signal(&self, signal: Signal) -> &Self {
        self.process.signal(signal);
        self
    }

    /// Wait for the end and demand what was expected.
    #[track_caller]
    pub(crate) fn check(mut self) -> Output {
        let run = &mut self.run;
        let [stdout, stderr] = [&mut run.stdout, &mut run.stderr].map(|text| std::mem::replace(text, Text::Any));
        let code = run.code;
        let output = self.finish();
        let wrong: Vec<&str> = [
            (output.code == code, "exit code"),
            (stdout.accepts(&output.stdout), "stdout"),
            (stderr.accepts(&output.stderr), "stderr"),
        ]
        .into_iter()
        .filter_map(|(right, what)| (!right).then_some(what))
        .collect();
        assert!(
            wrong.is_empty(),
            "wrong {}; expected code {code}\nstdout {}\nstderr {}\n{}",
            wrong.join(" and "),
            stdout.describe(),
            stderr.describe(),
            output.report()
        );
        output
    }

    /// Send the signals, wait for the end and return what came, whatever it is.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Output {
        let mut trouble = None;
        for (cue, signal) in &self.run.signals {
            if !self.wait_for(cue) {
                trouble = Some("the moment for the signal never came".to_owned());
                break;
            }
            self.process.signal(*signal);
        }
        let status = if trouble.is_none() { self.process.wait(LIMIT) } else { None };
        if status.is_none() {
            self.process.kill();
            trouble.get_or_insert_with(|| format!("still running after {:?}", LIMIT));
        } else if !(self.stdout.wait_for_end(PIPES_END) && self.stderr.wait_for_end(PIPES_END)) {
            trouble = Some("it ended, but some process still holds its stdout or stderr".to_owned());
        }
        drop(self.kept_open);
        let args = self.run.args.clone();
        let output = Output {
            code: status.map_or(i32::MIN, process::code),
            stdout: self.stdout.text(),
            stderr: self.stderr.text(),
            command: self.run.command_line(),
            server: self.run.server.map(Target::story).unwrap_or_default(),
            folder: self.run.folder,
            _process: self.process,
        };
        if let Some(trouble) = trouble {
            panic!("{trouble}\n{}", output.report());
        }
        answers::must_agree(&args, &output.folder.work(), output.code);
        output
    }

    fn wait_for(&self, cue: &Cue) -> bool {
        match cue {
            Cue::Stderr(text) => self.stderr.wait_for(text, LIMIT),
            Cue::Asleep => poll(LIMIT, || self.process.sleeps_in(PROGRAM).then_some(())).is_some(),
            Cue::Log(text) => {
                let log = self.run.server.and_then(Target::log_file).expect("this server writes a log");
                let seen = || std::fs::read_to_string(log).is_ok_and(|log| log.contains(text)).then_some(());
                poll(LIMIT, seen).is_some()
            }
        }
    }

    fn so_far(&self) -> String {
        let (stdout, stderr) = (self.stdout.text(), self.stderr.text());
        format!("$ {}\n--- stdout\n{stdout}--- stderr\n{stderr}", self.run.command_line())
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_mcpcall");

/// How long a run may take before it is killed and the test fails.
const LIMIT: Duration = Duration::from_secs(30);

/// How long the pipes may stay open after the program ended.
pub(crate) const PIPES_END: Duration = Duration::from_secs(2);

/// Write what stdin shall hold, from a thread so that a program which reads late blocks nobody. Returns the pipe
/// that must be kept open.
pub(crate) fn feed(mut pipe: std::process::ChildStdin, stdin: Stdin) -> Option<std::process::ChildStdin> {
    match stdin {
        Stdin::NeverEnding => Some(pipe),
        Stdin::Null | Stdin::Closed => None,
        Stdin::Text(text) => {
            std::thread::spawn(move || pipe.write_all(text.as_bytes()));
            None
        }
    }
}

/// What a line begins with that says which entry of an answer file was used.
const ANSWERED: &str = "[answers] /answers/";

/// A text without such lines: they stand in most runs with an answer file, and are the business of few tests.
fn without_answered(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with(ANSWERED)).collect()
}

impl Text {
    fn also(&mut self, text: &str) {
        match self {
            Text::Has(texts) => texts.push(text.into()),
            other => *other = Text::Has(vec![text.into()]),
        }
    }

    fn accepts(&self, seen: &str) -> bool {
        match self {
            Text::Is(text) if !text.contains(ANSWERED) => *text == without_answered(seen),
            Text::Is(text) => text == seen,
            Text::Has(texts) => texts.iter().all(|text| seen.contains(text)),
            Text::Any => true,
        }
    }

    fn describe(&self) -> String {
        match self {
            Text::Is(text) => format!("exactly {text:?}"),
            Text::Has(texts) => format!("with {texts:?}"),
            Text::Any => "any".into(),
        }
    }
}
