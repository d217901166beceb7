//! What a row of the table says, and the run of all rows. A row is held against the exit code, stdout, the gist of stderr, and
//! what the server logged; and, whatever it says, against the time it took, panics, escape sequences and processes left behind.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::output::Output;
use crate::support::run::mcpcall;
use crate::support::scripted::{Case, case};
use crate::support::{Target as _, env, say};

/// One server, the modes that come to the same, and what must come of each.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) server: &'static str,
    modes: &'static [&'static str],
    line: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    code: i32,
    stdout: Stdout,
    stderr: &'static [&'static str],
    unsaid: &'static [&'static str],
    got: &'static [&'static str],
    never: &'static [&'static str],
    counts: &'static [(&'static str, usize)],
    seconds: u64,
    under: Option<&'static str>,
}

/// What must stand on stdout.
#[derive(Clone, Copy)]
pub(super) enum Stdout {
    Is(&'static str),
    Has(&'static str),
}

/// The row of a server and its modes: a call of `t` that succeeds silently within 8 seconds, unless more is said.
pub(super) const fn row(server: &'static str, modes: &'static [&'static str]) -> Row {
    Row {
        server,
        modes,
        line: &["t"],
        files: &[],
        code: 0,
        stdout: Stdout::Is(""),
        stderr: &[],
        unsaid: &[],
        got: &[],
        never: &[],
        counts: &[],
        seconds: 8,
        under: None,
    }
}

impl Row {
    /// The same for another server.
    pub(super) const fn of(mut self, server: &'static str) -> Self {
        self.server = server;
        self
    }

    /// The command line, without the server.
    pub(super) const fn line(mut self, line: &'static [&'static str]) -> Self {
        self.line = line;
        self
    }

    /// Files in the working directory.
    pub(super) const fn files(mut self, files: &'static [(&'static str, &'static str)]) -> Self {
        self.files = files;
        self
    }

    pub(super) const fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    /// All of stdout.
    pub(super) const fn out(mut self, text: &'static str) -> Self {
        self.stdout = Stdout::Is(text);
        self
    }

    pub(super) const fn out_has(mut self, text: &'static str) -> Self {
        self.stdout = Stdout::Has(text);
        self
    }

    /// What stderr must say.
    pub(super) const fn says(mut self, texts: &'static [&'static str]) -> Self {
        self.stderr = texts;
        self
    }

    /// What neither stream may say.
    pub(super) const fn unsaid(mut self, texts: &'static [&'static str]) -> Self {
        self.unsaid = texts;
        self
    }

    /// What the server's log must hold.
    pub(super) const fn got(mut self, texts: &'static [&'static str]) -> Self {
        self.got = texts;
        self
    }

    /// What it may not hold.
    pub(super) const fn never(mut self, texts: &'static [&'static str]) -> Self {
        self.never = texts;
        self
    }

    /// How often the server must have received a method.
    pub(super) const fn counts(mut self, counts: &'static [(&'static str, usize)]) -> Self {
        self.counts = counts;
        self
    }

    /// How long it may take.
    pub(super) const fn within(mut self, seconds: u64) -> Self {
        self.seconds = seconds;
        self
    }

    pub(super) const fn is_bounded(&self) -> bool {
        self.under.is_some()
    }

    /// It may take no more than 400 MB of addresses, large as the messages are. For HTTP: on stdio the server would have to
    /// do with it too.
    pub(super) const fn bounded(mut self) -> Self {
        self.under = Some(r#"ulimit -v 400000; exec "$@""#);
        self.within(30)
    }

    /// All that is wrong with what came of a mode.
    fn complaints(&self, server: &Case, output: &Output, took: Duration) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut demand = |holds: bool, what: String| {
            if !holds {
                wrong.push(what);
            }
        };
        demand(output.code == self.code, format!("exit {} instead of {}", output.code, self.code));
        match self.stdout {
            Stdout::Is(text) => demand(output.stdout == text, format!("stdout is not {text:?}")),
            Stdout::Has(text) => demand(output.stdout.contains(text), format!("stdout lacks {text:?}")),
        }
        for text in self.stderr {
            demand(output.stderr.contains(text), format!("stderr lacks {text:?}"));
        }
        for text in self.unsaid.iter().chain(&["panicked", "\u{1b}"]) {
            let said = output.stderr.contains(text) || output.stdout.contains(text);
            demand(!said, format!("it says {text:?}"));
        }
        let log = server.log_file().map(|file| std::fs::read_to_string(file).unwrap_or_default()).unwrap_or_default();
        for text in self.got {
            demand(log.contains(text), format!("the server's log lacks {text:?}"));
        }
        for text in self.never {
            demand(!log.contains(text), format!("the server's log has {text:?}"));
        }
        let methods = server.methods();
        for (method, count) in self.counts {
            let n = methods.iter().filter(|name| name == method).count();
            demand(n == *count, format!("the server got {n} {method} instead of {count}"));
        }
        demand(took < Duration::from_secs(SLACK * self.seconds), format!("it took {took:.1?}"));
        wrong
    }

    /// Runs one mode. None where there is no python3.
    fn try_mode(&self, mode: &str) -> Option<Result<(), String>> {
        let server = case(self.server, &[mode])?;
        let mut run = mcpcall(self.line.iter().copied()).on(&server);
        for (name, text) in self.files {
            run = run.file(name, made(text));
        }
        if let Some(script) = self.under {
            run = run.under(script);
        }
        let start = Instant::now();
        let output = run.run();
        let wrong = self.complaints(&server, &output, start.elapsed());
        output.nothing_left_running();
        let report = || output.report().chars().take(4000).collect::<String>();
        Some(if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{}", wrong.join("; "), report())) })
    }
}

/// A file's text; `$2MB` stands for two million bytes.
fn made(text: &str) -> String {
    text.replace("$2MB", &"y".repeat(2_000_000))
}

/// How many times as long a row may take before it counts as hanging: machines are busy.
const SLACK: u64 = 4;

/// How many rows run at a time: most of them wait.
const AT_ONCE: usize = 6;

/// Runs every mode of every row, and says how many there were.
pub(super) fn run(rows: &[Row], elsewhere: &[(&str, &[&str], &str)]) {
    let filter = env("MCPCALL_HARD").unwrap_or_default();
    let all: Vec<(&Row, &str)> = rows
        .iter()
        .flat_map(|row| row.modes.iter().map(move |mode| (row, *mode)))
        .filter(|(row, mode)| format!("{} {mode}", row.server).contains(&filter))
        .collect();
    let (next, failed, skipped) = (AtomicUsize::new(0), Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((row, mode)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A run that never ends panics, and is one failure of many.
                    match catch_unwind(AssertUnwindSafe(|| row.try_mode(mode))) {
                        Ok(Some(Ok(()))) => {}
                        Ok(None) => drop(skipped.fetch_add(1, Ordering::Relaxed)),
                        Ok(Some(Err(what))) => {
                            failed.lock().unwrap().push(format!("{} {mode} ({:?}): {what}", row.server, row.line));
                        }
                        Err(_) => failed.lock().unwrap().push(format!("{} {mode}: panicked, see above", row.server)),
                    }
                }
            });
        }
    });
    let on = |prefix: &str| {
        let of = || all.iter().filter(move |(row, _)| row.server.starts_with(prefix));
        let servers: BTreeSet<&str> = of().map(|(row, _)| row.server).collect();
        let modes: BTreeSet<(&str, &str)> = of().map(|(row, mode)| (row.server, *mode)).collect();
        format!("{} servers with {} modes in {} runs", servers.len(), modes.len(), of().count())
    };
    let (n_servers, n_modes) = (elsewhere.len(), elsewhere.iter().map(|(_, modes, _)| modes.len()).sum::<usize>());
    say(&format!(
        "hard servers: on stdio {}, over HTTP {}; in tests of their own {n_servers} servers with {n_modes} modes",
        on("stdio_"),
        on("http_")
    ));
    let (failed, skipped) = (failed.into_inner().unwrap(), skipped.into_inner());
    assert!(failed.is_empty(), "{} of {} failed:\n\n{}", failed.len(), all.len() - skipped, failed.join("\n\n"));
}
