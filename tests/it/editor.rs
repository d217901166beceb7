//! Longer texts in the person's editor: what it is given, what comes back, who has the terminal meanwhile.

use crate::support::run::{Run, mcpcall};
use crate::support::scripted::{Case, case};
use crate::support::terminal::keys::{BACKSPACE, CTRL_C, CTRL_O, CTRL_U, CTRL_Z, DOWN, ENTER, ESC};
use crate::support::terminal::{End, Terminal};
use rustix::process::Signal;
use std::path::Path;

/// A run that asks for a reply of two lines, with a shell script as the editor.
fn run<'a>(server: &'a Case, script: &str) -> Run<'a> {
    mcpcall(["t", "--sampling-text", "one\ntwo"]).on(server).file("ed", script).env("EDITOR", "sh ./ed")
}

/// Goes to the question that the editor answers.
fn ask(run: Run<'_>) -> Terminal {
    let mut terminal = run.terminal();
    terminal.wait_for("Send this reply?").wait_for("> Send").wait_for("Up/Down").send(DOWN).wait_for("> Edit");
    terminal.send(ENTER).wait_for("Esc: decline, cancel or go back");
    terminal
}

/// The end of a run that went well.
#[track_caller]
fn end(terminal: Terminal) -> End {
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    end
}

/// The text that the server got.
#[track_caller]
fn sent(end: &End) -> String {
    let result: serde_json::Value = serde_json::from_str(&end.stdout).expect(&end.screen);
    result["content"]["text"].as_str().expect(&end.stdout).to_owned()
}

#[test]
fn the_text_is_a_private_file_for_a_while() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let script = r#"cp "$1" was; echo "$1" >path; ls -l "$1" | cut -c 1-10 >mode; printf 'three\n\nfour\n' >"$1""#;
    let mut terminal = ask(run(&server, script));
    let work = terminal.work();
    terminal.wait_for("Reply: one … (2 lines)").wait_for("Enter: open sh");
    snapshot!("question", terminal);
    terminal.send(ENTER).wait_for("Reply: three … (3 lines)");
    let read = |name: &str| std::fs::read_to_string(work.join(name)).unwrap();
    assert_eq!((read("was").as_str(), read("mode").as_str()), ("one\ntwo\n", "-rw-------\n"));
    let path = read("path");
    assert!(path.ends_with(".txt\n") && !Path::new(path.trim()).parent().unwrap().exists(), "{path}");
    assert_eq!(sent(&end(terminal)), "three\n\nfour");
}

#[test]
fn a_text_that_will_not_do_is_opened_again() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let script = r#"if [ -e once ]; then cp "$1" again; echo good >"$1"; else touch once; echo " " >"$1"; fi"#;
    let mut terminal = ask(run(&server, script));
    terminal.send(ENTER).wait_for("! a reply has a text").wait_for("Enter: open sh").send(ENTER);
    let end = end(terminal);
    assert_eq!((sent(&end), end.file("again")), ("good".into(), " \n".into()));
}

#[test]
fn a_text_that_nobody_changed_is_sent_only_when_told_to() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let mut terminal = ask(run(&server, "true"));
    terminal.send(ENTER).wait_for("! nothing was changed").wait_for("s: send as it is").send("s");
    assert_eq!(sent(&end(terminal)), "one\ntwo");
}

#[test]
fn an_editor_that_fails_changes_nothing_and_a_line_can_be_typed() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let mut terminal = ask(run(&server, r#"echo bad >"$1"; exit 3"#));
    terminal
        .send(ENTER)
        .wait_for("! sh exited with status 3; the text is as it was")
        .wait_for("Reply: one … (2 lines)");
    terminal.send("t").wait_for("Reply: one↵two").send(BACKSPACE).send("x").wait_for("one↵twx");
    terminal.send(CTRL_U).send("typed").send(ENTER);
    assert_eq!(sent(&end(terminal)), "typed");

    let mut terminal = ask(run(&server, r#"kill -9 $$"#));
    terminal.send(ENTER).wait_for("! sh was killed by signal 9");
    terminal.send(ESC).wait_for("> Go on").send(DOWN).wait_for("> Back").send(ENTER).wait_for("> Send\n").send(ENTER);
    assert_eq!(sent(&end(terminal)), "one\ntwo");
}

#[test]
fn a_missing_editor_is_named() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let mut terminal = ask(run(&server, "").env("VISUAL", "/nowhere/no-such-editor -w"));
    terminal.send(ENTER).wait_for("there is no such program");
    snapshot!("missing", terminal);
    terminal.send(ESC).wait_for("> Go on").send(DOWN).wait_for("> Back").send(ENTER).wait_for("> Send\n").send(ENTER);
    assert_eq!(sent(&end(terminal)), "one\ntwo");
}

#[test]
fn the_editor_has_the_terminal_to_itself() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    // Its own ^C, and ^Z, which the system ignores where no shell could let it go on.
    let script = r#"trap : INT; sh -c 'echo I am up; exec cat'; echo caught; read line; echo "$line" >"$1""#;
    let mut terminal = ask(run(&server, script));
    terminal.send(ENTER).wait_for("I am up").wait_given_back();
    terminal.send(CTRL_C).wait_for("caught").send(CTRL_Z).send("it went on\r");
    assert_eq!(sent(&end(terminal)), "it went on");
}

#[test]
fn a_line_can_be_taken_into_the_editor_and_back() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let script = r#"cp "$1" was; printf 'more\nlast\n' >>"$1""#;
    let run = mcpcall(["t", "--sampling-text", "fine"]).on(&server).file("ed", script).env("EDITOR", "sh ./ed");
    let mut terminal = ask(run);
    terminal.wait_for("Reply: fine").wait_for("^O: editor").send("!").wait_for("fine!");
    terminal.send(CTRL_O).wait_for("Reply: fine!↵more↵last").wait_for("Enter: send");
    snapshot!("back", terminal);
    terminal.send(BACKSPACE).send(ENTER);
    let end = end(terminal);
    assert_eq!((sent(&end), end.file("was")), ("fine!\nmore\nlas".into(), "fine!\n".into()));
}

#[test]
fn lines_that_arrive_meanwhile_wait_until_it_is_closed() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let script = r#"touch open; while [ ! -e news ]; do sleep 0.02; done; read line; echo closing; echo "$line" >"$1""#;
    let wrapper =
        "sh -c '(while [ ! -e open ]; do sleep 0.02; done; echo late news >&2; touch news) & exec \"$0\" \"$@\"'";
    let command = crate::support::Target::args(&server).split_off(1);
    let command = format!("{wrapper} {}", shell_words::join(command));
    let run = mcpcall(["t", "--sampling-text", "one\ntwo", "--stdio", &command]);
    let mut terminal = ask(run.file("ed", script).env("EDITOR", "sh ./ed"));
    terminal.send(ENTER).wait_for("(sh is open)").wait_given_back();
    terminal.send("done\r").wait_for("late news");
    let end = terminal.finish();
    assert!(end.code == 0 && end.stdout.contains("done"), "{}", end.screen);
    let raw = String::from_utf8_lossy(&end.raw);
    assert!(raw.find("closing").unwrap() < raw.find("late news").unwrap(), "{raw}");
}

#[test]
fn a_run_that_is_ended_ends_the_editor_too() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let mut terminal = ask(run(&server, "stty raw; echo I am up; sleep 600"));
    terminal.send(ENTER).wait_for("I am up").signal(Signal::TERM);
    // Only when nothing holds the terminal any more is this the end.
    let end = terminal.finish();
    assert_eq!((end.code, end.cooked, end.cursor_hidden), (143, true, false), "{}", end.screen);
}

#[test]
fn a_request_that_the_server_takes_back_ends_the_editor() {
    // One that ends when it is told to, one that must be killed; both have left things on.
    let draws = r"printf '\033[?1049h\033[?25lI am up\n'; stty raw -echo";
    let polite = format!("trap 'stty sane; echo told >hup; exit 1' HUP; {draws}; while :; do sleep 0.05; done");
    let stubborn = format!("trap '' HUP TERM INT; {draws}; while :; do sleep 0.05; done");
    for (script, is_polite) in [(polite, true), (stubborn, false)] {
        let Some(server) = case("stdio_sampling", &["takeback"]) else { return };
        let mut terminal = ask(run(&server, &script));
        let hup = terminal.work().join("hup");
        terminal.send(ENTER).wait_for("I am up").wait_until("the editor's cursor", |screen| screen.hide_cursor());
        server.tell("withdraw");
        terminal.wait_for("the server took its question back").wait_given_back();
        assert_eq!(hup.exists(), is_polite);
        server.tell("finish");
        let end = end(terminal);
        assert_eq!(end.stdout, "went on\n");
        assert!(is_polite || end.screen.contains("fake asks"), "{}", end.screen);
    }
}
