//! `kill -9` of mcpcall, wherever it is: nothing that it has started lives on.

use crate::support::run::{Run, mcpcall};
use crate::support::scripted::{Case, case};
use crate::support::terminal::keys::{DOWN, ENTER};
use crate::support::{Target as _, process};
use rustix::process::Signal;

const NAME: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;

/// The server, with a child that no end of its stdin and no signal but one ends.
fn with_child<'a>(run: Run<'a>, server: &Case, start: &str) -> Run<'a> {
    run.args(["--", "sh", "-c", &format!(r#"trap "" TERM HUP INT; {start} sleep 61 & exec "$@""#), "sh"])
        .args(&server.args()[1..])
}

#[test]
fn killed_it_leaves_no_server_behind() {
    // Ignores the end of its stdin and TERM, and has a child that does.
    let Some(server) = case("stdio_stubborn", &["hang"]) else { return };
    let run = mcpcall(["t"]).on(&server).signal_after_log("\"method\": \"tools/call\"", Signal::KILL);
    run.code(-9).check().nothing_left_running();
}

#[test]
fn killed_it_leaves_no_sampling_command_behind() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let command = "trap '' TERM HUP; sleep 60 & echo up >&2; sleep 60";
    let run = mcpcall(["t", "--sampling-cmd", command]).on(&server).signal_after_stderr("up", Signal::KILL);
    run.code(-9).any_stderr().check().nothing_left_running();
}

#[test]
fn killed_in_a_batch_or_while_it_listens_it_leaves_no_server_behind() {
    for (args, last) in [
        (&["batch", "calls"][..], "\"method\": \"tools/call\""),
        (&["listen"], "notifications/initialized"),
        (&["ping", "--count", "1000000"], "\"method\": \"ping\""),
        (&["t", "--matrix", "--yes"], "\"method\": \"tools/call\""),
    ] {
        let Some(server) = case("stdio_stubborn", &["hang"]) else { return };
        let run = mcpcall(args.iter().copied()).file("calls", "{\"tool\":\"t\"}\n").on(&server);
        let run = run.signal_after_log(last, Signal::KILL);
        run.code(-9).any_stdout().any_stderr().check().nothing_left_running();
    }
}

#[test]
fn killed_at_a_question_it_leaves_no_server_behind() {
    let Some(server) = case("stdio_form", &[NAME]) else { return };
    let mut terminal = with_child(mcpcall(["t"]), &server, "").terminal();
    terminal.wait_for("Enter: send").signal(Signal::KILL);
    terminal.finish().nothing_left_running();
}

#[test]
fn killed_at_the_prompt_of_a_shell_it_leaves_no_server_behind() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = with_child(mcpcall(["shell", "--no-history"]), &server, "").terminal();
    terminal.wait_until("the prompt", |screen| screen.contents().trim_end().ends_with('>')).signal(Signal::KILL);
    terminal.finish().nothing_left_running();
}

#[test]
fn killed_while_somebody_edits_it_leaves_neither_editor_nor_server_behind() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let run = mcpcall(["t", "--sampling-text", "one\ntwo"]).file("ed", "trap '' HUP TERM INT; echo I am up; sleep 62");
    let mut terminal = with_child(run.env("EDITOR", "sh ./ed"), &server, "").terminal();
    terminal.wait_for("> Send").wait_for("Up/Down").send(DOWN).wait_for("> Edit").send(ENTER);
    terminal.wait_for("Enter: open sh").send(ENTER).wait_for("I am up").signal(Signal::KILL);
    terminal.finish().nothing_left_running();
}

#[test]
fn what_has_left_the_group_of_the_server_is_left_to_itself() {
    let Some(server) = case("stdio_stubborn", &["hang"]) else { return };
    if crate::support::on_path("setsid").is_none() {
        return crate::support::say("skipped: there is no setsid on PATH");
    }
    let run = with_child(mcpcall(["t"]), &server, "setsid");
    let running = run.start();
    server.wait_for_entry(|entry| entry["got"]["method"] == "tools/call");
    running.signal(Signal::KILL);
    let output = running.finish();
    let alive = || {
        let all = process::marked(&output.mark());
        let command = |pid: &rustix::process::Pid| {
            std::fs::read_to_string(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default()
        };
        all.iter().map(command).collect::<Vec<_>>()
    };
    let only =
        crate::support::poll(std::time::Duration::from_secs(5), || Some(alive()).filter(|alive| alive.len() == 1));
    assert_eq!(only.unwrap_or_else(alive), ["sleep\x0061\0"]);
}
