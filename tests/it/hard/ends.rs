//! What breaks on our side while a server is called: a stdout that is closed, a terminal that goes away.

use crate::support::poll;
use crate::support::process::{self, Process, code};
use crate::support::run::{Stdin, mcpcall};
use crate::support::scripted::case;
use crate::support::terminal::keys::CTRL_C;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::Signal;
use std::process::Stdio;
use std::time::{Duration, Instant};

const NAME: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;

#[test]
fn a_stdout_that_was_never_open_takes_nothing_and_breaks_nothing() {
    // As `>/dev/null`: Rust opens it in place of what is missing, before `main`.
    let Some(server) = case("stdio_hard", &[""]) else { return };
    mcpcall(["t"]).on(&server).under(r#"exec "$@" >&-"#).check().nothing_left_running();
}

#[test]
fn a_terminal_that_goes_away_at_a_prompt_ends_the_run() {
    // Told by a signal, or found out by reading: the end is the same.
    for script in [r#"exec "$@""#, r#"trap "" HUP; exec "$@""#] {
        let Some(server) = case("stdio_form", &[NAME]) else { return };
        let (pty, pts) = pty_process::blocking::open().unwrap();
        let mark = format!("gone-{}-{}", std::process::id(), script.len());
        let mut command = pty_process::blocking::Command::new("sh").args(["-c", script, "sh"]);
        command = command.arg(env!("CARGO_BIN_EXE_mcpcall")).arg("t").args(crate::support::Target::args(&server));
        command = command.env(process::MARK, &mark).stdout(Stdio::null());
        let mut process = Process::watch(command.spawn(pts).unwrap(), Some(mark.clone()));
        wait_for_prompt(&pty);
        let start = Instant::now();
        drop(pty);
        let status = process.wait(Duration::from_secs(10)).expect("it ends");
        assert_eq!(code(status), 143, "{script}: {status}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        let gone = poll(Duration::from_secs(1), || process::marked(&mark).is_empty().then_some(()));
        assert!(gone.is_some(), "{script}: processes live on");
    }
}

#[test]
fn a_pipe_that_nobody_reads_holds_no_signal_up() {
    // Stuck in a write: to stdout, to stderr.
    for (mode, args, signal, expected) in [
        ("longkey", &["t", "--json"][..], Signal::TERM, 143),
        ("longkey", &["t", "--json"], Signal::INT, 130),
        ("stderr", &["t"], Signal::HUP, 143),
    ] {
        let Some(server) = case("stdio_hard", &[mode]) else { return };
        let mark = format!("stuck-{}-{mode}-{expected}", std::process::id());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mcpcall"));
        command.args(args).args(crate::support::Target::args(&server)).env(process::MARK, &mark);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process::lead_group(&mut command);
        let mut process = Process::watch(command.spawn().unwrap(), Some(mark.clone()));
        // One that is stuck itself, at its stderr, reads nothing.
        if mode != "stderr" {
            server.wait_for_entry(|entry| entry["got"]["method"] == "tools/call");
        }
        // Time to get stuck.
        std::thread::sleep(Duration::from_millis(700));
        process.signal(signal);
        let status = process.wait(Duration::from_secs(10)).expect("it ends");
        assert_eq!(code(status), expected, "{mode}: {status}");
        let gone = poll(Duration::from_secs(5), || process::marked(&mark).is_empty().then_some(()));
        assert!(gone.is_some(), "{mode}: processes live on");
    }
}

/// Reads the terminal until the question stands there.
fn wait_for_prompt(mut pty: &pty_process::blocking::Pty) {
    use std::io::Read as _;
    let (mut seen, mut buffer) = (String::new(), [0; 4096]);
    while !seen.contains("Enter: send") {
        let limit = Timespec { tv_sec: 20, tv_nsec: 0 };
        let ready = rustix::event::poll(&mut [PollFd::new(pty, PollFlags::IN)], Some(&limit)).unwrap();
        assert!(ready > 0, "no question came: {seen}");
        let n = pty.read(&mut buffer).unwrap();
        seen.push_str(&String::from_utf8_lossy(&buffer[..n]));
    }
}

#[test]
fn a_form_of_every_shape_shows_titles_at_a_terminal() {
    let Some(server) = case("stdio_elicit_zoo", &["interactive"]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).stdin(Stdin::NeverEnding).terminal_of_size(60, 100);
    terminal.wait_for("(1/20) legacy:").wait_for("    Medium").wait_for("Enter: choose").send(CTRL_C);
    let end = terminal.finish();
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}
