//! `mcpcall shell`, at a terminal.

use crate::support::poll;
use crate::support::run::{Run, Stdin, mcpcall};
use crate::support::scripted::case;
use crate::support::terminal::Terminal;
use crate::support::terminal::keys::{BACKSPACE, CTRL_C, CTRL_D, CTRL_U, DOWN, ENTER, ESC, UP};
use rustix::process::Signal;
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

fn shell<'a>() -> Run<'a> {
    mcpcall(["shell"])
}

/// Wait for an empty prompt on the last line.
#[track_caller]
fn at_prompt<'t>(terminal: &'t mut Terminal, label: &str) -> &'t mut Terminal {
    terminal.wait_until("an empty prompt", |screen| {
        screen
            .contents()
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            // The terminal itself writes ^C where it comes between two prompts.
            .is_some_and(|line| line.trim_end().trim_start_matches("^C") == label)
    })
}

/// Spaces aside: each server lays JSON out in its way.
#[track_caller]
fn stdout_has(terminal: &Terminal, text: &str) {
    let bare = |text: &str| text.replace(' ', "");
    let came = poll(Duration::from_secs(10), || bare(&terminal.stdout()).contains(&bare(text)).then_some(()));
    assert!(came.is_some(), "{text:?} never came on stdout:\n{}\n{}", terminal.stdout(), terminal.screen());
}

/// Leaves with ^D, and demands a good end.
#[track_caller]
fn leave(mut terminal: Terminal, label: &str) -> String {
    at_prompt(&mut terminal, label).send(CTRL_D);
    let end = terminal.finish();
    assert!(end.code == 0 && !end.cursor_hidden && end.cooked, "{}", end.block());
    end.stdout
}

each_peer!([python_v2_stdio, python_v2_http, python_v1_stdio] fn names_are_completed_and_stdout_is_the_results_alone(server) {
    let mut terminal = shell().args(["-q"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    // The tools are listed in the background.
    at_prompt(&mut terminal, &label).send("issu");
    let is_completed = || {
        terminal.send("\t");
        terminal.screen().contains("Library> issue_card").then_some(())
    };
    assert!(poll(Duration::from_secs(10), is_completed).is_some(), "{}", terminal.screen());
    terminal.send(CTRL_U);
    terminal.send("ad\t").wait_for("Library> add").send("\t").wait_for("  a=   b=");
    snapshot!("completed", terminal);
    terminal.send("a=40 b\t").wait_for("add a=40 b=");
    terminal.send("2").send(ENTER);
    stdout_has(&terminal, "\"sum\": 42");
    at_prompt(&mut terminal, &label).send("add a=40 b=3 --select /structuredContent/sum").wait_for("add a=40 b=3 --select /structuredContent/sum").send(ENTER);
    stdout_has(&terminal, "}\n43\n");
    at_prompt(&mut terminal, &label).send("image --out pictures").wait_for("image --out pictures").send(ENTER);
    stdout_has(&terminal, "pictures/");
    at_prompt(&mut terminal, &label).send("echo_args si\tsm\t --js\x7f\x7f\x7f\x7f\x7f--json").wait_for("echo_args size=small --json").send(ENTER);
    stdout_has(&terminal, "\\\"size\\\": \\\"small\\\"");
    at_prompt(&mut terminal, &label).send("list r\t").wait_for("Library> list resources").send(CTRL_U);
    let stdout = leave(terminal, &label);
    assert!(stdout.starts_with("{\n  \"sum\": 42\n}\n43\nA red dot:\n"), "{stdout}");
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio] fn a_call_that_asks_is_answered_as_ever(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("issue_card").wait_for("issue_card").send(ENTER);
    terminal.wait_for("What name should go on the card?").wait_for("Enter: send").send("Ada").send(ENTER);
    stdout_has(&terminal, "Card issued to Ada.\n");
    at_prompt(&mut terminal, &label).send("issue_card").wait_for("issue_card").send(ENTER).wait_for("Enter: send").send(ESC);
    terminal.wait_for("Decline: tell").send(DOWN).wait_for("> Decline").send(ENTER);
    stdout_has(&terminal, "No card issued.\n");
    // Arguments that are missing are asked for, too.
    at_prompt(&mut terminal, &label).send("add a=1").wait_for("add a=1").send(ENTER).wait_for("add needs").wait_for("Enter: ").send("4").send(ENTER);
    stdout_has(&terminal, "\"sum\": 5");
    leave(terminal, &label);
});

each_peer!([python_v2_stdio, python_v2_http, python_v1_stdio] fn control_c_calls_off_the_call_and_nothing_else(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    for _ in 0..2 {
        let n_calls = || server.log().iter().filter(|entry| entry["call"] == "slow").count();
        let before = n_calls();
        at_prompt(&mut terminal, &label).send("slow").wait_for("slow").send(ENTER);
        assert!(poll(Duration::from_secs(10), || (n_calls() > before).then_some(())).is_some());
        terminal.send(CTRL_C).send(CTRL_C).wait_for("mcpcall: error: interrupted");
    }
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
    // A question is left by ^C, too, and a second one calls off the call that asked.
    at_prompt(&mut terminal, &label).send("ask_twice").wait_for("ask_twice").send(ENTER).wait_for("Enter: send").send(CTRL_C);
    stdout_has(&terminal, "Stopped at the first question: cancel.\n");
    at_prompt(&mut terminal, &label).send("half typed").wait_for("half typed").send(CTRL_C).wait_for("half typed^C");
    at_prompt(&mut terminal, &label).send("add a=1 b=2").wait_for("add a=1 b=2").send(ENTER);
    stdout_has(&terminal, "\"sum\": 3");
    leave(terminal, &label);
});

each_peer!([rust_stdio] fn a_line_that_fails_is_told_and_the_shell_goes_on(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    for (line, words) in [
        ("isue_card", "did you mean issue_card?"),
        ("lst", "or the verb list?"),
        ("add a=x b=1", "argument a: `x` is not an integer"),
        ("fail", "tool fail reported an error"),
        ("add 'a=1", "a quote is not closed"),
        ("list everything", "invalid value 'everything'"),
        ("request no/such", "-32601"),
        ("add -", "-: stdin is where you type"),
        ("add a=@- b=1", "a=@-: stdin is where you type"),
        ("request ping -", "-: stdin is where you type"),
        ("root remove nowhere", "nowhere: is no root"),
        ("add a=1 b=1 --nope", "unexpected argument '--nope'"),
    ] {
        at_prompt(&mut terminal, &label).send(line).send(ENTER).wait_for(words);
        // Each on a screen of its own.
        at_prompt(&mut terminal, &label).send("\x0c");
        terminal.wait_gone(words);
    }
    // What goes before the tool counts as well, and a paste may hold several lines.
    terminal.send("\x1b[200~--json add a=1 b=1\nadd a=2 b=2\x1b[201~").send(ENTER);
    stdout_has(&terminal, "\"sum\": 4");
    at_prompt(&mut terminal, &label).send("fail --json").wait_for("fail --json").send(ENTER).wait_for("{\"error\":{\"kind\":\"tool\"");
    at_prompt(&mut terminal, &label).send("quit").wait_for("quit").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
});

each_peer!([python_v2_stdio] fn what_was_typed_is_kept_for_the_next_time(server) {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("mcpcall/history");
    let run = || shell().env("XDG_STATE_HOME", state.path()).on(server);
    let mut terminal = run().terminal();
    let label = terminal_label(&mut terminal);
    for line in ["add a=1 b=1", "add a=1 b=1", " add a=2 b=2", "add a=3 b=3", "list"] {
        at_prompt(&mut terminal, &label).send(line).wait_for(&format!("{label} {line}")).send(ENTER);
    }
    leave(terminal, &label);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "add a=1 b=1\nadd a=3 b=3\nlist\n");
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let mut terminal = run().terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send(UP).wait_for("Library> list").send(UP).wait_for("Library> add a=3 b=3");
    terminal.send(DOWN).wait_for("Library> list").send(CTRL_U);
    // What is typed chooses among them.
    at_prompt(&mut terminal, &label).send("ad").send(UP).send(UP).wait_for("Library> add a=1 b=1").send(BACKSPACE).send("5").send(ENTER);
    stdout_has(&terminal, "\"sum\": 6");
    leave(terminal, &label);
    let mut terminal = run().args(["--no-history"]).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send(UP).send("info").wait_for("Library> info").send(ENTER);
    leave(terminal, &label);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "add a=1 b=1\nadd a=3 b=3\nlist\nadd a=1 b=5\n");
});

#[test]
fn without_a_state_folder_of_its_own_history_is_under_the_home() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let home = tempfile::tempdir().unwrap();
    let mut terminal = shell().env("HOME", home.path()).on(&server).terminal();
    at_prompt(&mut terminal, "odd>").send("list").wait_for("list").send(ENTER);
    leave(terminal, "odd>");
    assert_eq!(std::fs::read_to_string(home.path().join(".local/state/mcpcall/history")).unwrap(), "list\n");
}

each_peer!([everything_stdio, everything_http] fn roots_change_and_the_server_is_told(server) {
    let mut terminal = shell().args(["--log-level", "info", "--trace-file", "trace"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    terminal.send("root").send(ENTER).wait_for("there are no roots");
    at_prompt(&mut terminal, &label).send("root add here=.").wait_for("root add here=.").send(ENTER);
    let trace = terminal.work().join("trace");
    // The server asks for them anew, and is told.
    let told = |part: &str| {
        let read = || std::fs::read_to_string(&trace).unwrap_or_default();
        let is_answer = |line: &str| line.contains(part) && line.contains("\"result\":{\"roots\":[");
        let came = poll(Duration::from_secs(20), || read().lines().any(is_answer).then_some(()));
        assert!(came.is_some(), "{}", read());
    };
    told("\"name\":\"here\"");
    at_prompt(&mut terminal, &label).send("root list").wait_for("root list").send(ENTER);
    stdout_has(&terminal, "/work  here\n");
    at_prompt(&mut terminal, &label).send("root add /no/such").wait_for("root add /no/such").send(ENTER).wait_for("/no/such: there is no such folder");
    told("file:///no/such");
    at_prompt(&mut terminal, &label).send("root remove h\t").wait_for("root remove here").send(ENTER);
    told("[{\"uri\":\"file:///no/such\"}]");
    let text = std::fs::read_to_string(&trace).unwrap_or_default();
    assert_eq!(text.matches("notifications/roots/list_changed").count(), 3, "{text}");
    leave(terminal, &label);
});

/// The prompt of whatever server it is.
fn terminal_label(terminal: &mut Terminal) -> String {
    terminal.wait_until("a prompt", |screen| screen.contents().trim_end().ends_with('>'));
    terminal.screen().lines().last().unwrap_or_default().to_owned()
}

each_peer!([python_v2_http] fn where_roots_are_not_announced_they_are_told_when_asked(server) {
    let mut terminal = shell().args(["--protocol", "modern"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("root add /").wait_for("root add /").send(ENTER).wait_for("the server is not told");
    leave(terminal, &label);
});

each_peer!([python_v2_stdio, python_v1_http] fn roots_that_were_added_are_answered_with(server) {
    let mut terminal = shell().args(["--root", "/"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("root add b=/b").wait_for("root add b=/b").send(ENTER).wait_for("no such folder");
    at_prompt(&mut terminal, &label).send("list_roots").wait_for("list_roots").send(ENTER);
    stdout_has(&terminal, "- file:///\nb file:///b\n");
    at_prompt(&mut terminal, &label).send("root remove /").wait_for("root remove /").send(ENTER);
    at_prompt(&mut terminal, &label).send("root list --json").wait_for("root list --json").send(ENTER);
    stdout_has(&terminal, "{\"roots\":[{\"uri\":\"file:///b\",\"name\":\"b\"}]}\n");
    leave(terminal, &label);
});

each_peer!([python_v2_stdio, python_v2_http] fn logs_are_shown_from_the_level_that_is_asked_for(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("log_all").wait_for("log_all").send(ENTER);
    stdout_has(&terminal, "logged\n");
    at_prompt(&mut terminal, &label);
    assert!(!terminal.screen().contains("[error"), "{}", terminal.screen());
    terminal.send("log err\t").wait_for("log error").send(ENTER);
    at_prompt(&mut terminal, &label).send("log_all").wait_for("log_all").send(ENTER).wait_for("[emergency").wait_for("[error");
    assert!(!terminal.screen().contains("[warning"), "{}", terminal.screen());
    leave(terminal, &label);
});

#[test]
fn a_question_at_the_prompt_is_put_at_once_or_after_the_line() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().on(&server).terminal();
    at_prompt(&mut terminal, "odd>")
        .send("later")
        .wait_for("later")
        .send(ENTER)
        .wait_for("Who is there?")
        .wait_for("Enter: send");
    terminal.send("Ada").send(ENTER);
    server.wait_for_entry(|entry| entry["got"]["result"]["content"]["name"] == "Ada");
    at_prompt(&mut terminal, "odd>").send("later").wait_for("later").send(ENTER);
    at_prompt(&mut terminal, "odd>").send("gr");
    terminal.wait_for("mcpcall: the server asks something").wait_for("odd> gr").send("ow").wait_for("odd> grow");
    snapshot!("a_question_waits", terminal);
    // It is put as soon as nothing is typed any more, and ^C leaves no more than that, however often.
    terminal.send(CTRL_U).wait_for("Enter: send").send(CTRL_C);
    for _ in 0..2 {
        at_prompt(&mut terminal, "odd>")
            .send("later")
            .wait_for("later")
            .send(ENTER)
            .wait_for("Enter: send")
            .send(CTRL_C);
    }
    at_prompt(&mut terminal, "odd>").send("later").wait_for("later").send(ENTER);
    at_prompt(&mut terminal, "odd>").send("grow").wait_for("mcpcall: the server asks something; it is put to you when");
    terminal.wait_for("odd> grow");
    // It goes before the line that is done.
    terminal.send(ENTER).wait_for("Enter: send").send("Bob").send(ENTER);
    server.wait_for_entry(|entry| entry["got"]["result"]["content"]["name"] == "Bob");
    stdout_has(&terminal, "done grow\n");
    leave(terminal, "odd>");
}

#[test]
fn what_the_server_says_stands_above_the_prompt_and_new_tools_are_known() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().args(["--log-level", "debug"]).on(&server).terminal();
    at_prompt(&mut terminal, "odd>").send("say").wait_for("say").send(ENTER);
    at_prompt(&mut terminal, "odd>").send("gro\t").wait_for("odd> grow").wait_for("[info] still here");
    terminal.wait_until("the line below", |screen| screen.contents().trim_end().ends_with("odd> grow")).send(ENTER);
    stdout_has(&terminal, "done grow\n");
    // It is listed anew in the background.
    let lists = || server.methods().iter().filter(|method| *method == "tools/list").count();
    assert!(poll(Duration::from_secs(10), || (lists() >= 4).then_some(())).is_some(), "{:?}", server.methods());
    at_prompt(&mut terminal, "odd>").send("grown\t").wait_for("odd> grown").send(ENTER);
    stdout_has(&terminal, "done grown\n");
    leave(terminal, "odd>");
}

#[test]
fn a_connection_that_ends_ends_the_shell() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().on(&server).terminal();
    at_prompt(&mut terminal, "odd>").send("die").wait_for("die").send(ENTER);
    at_prompt(&mut terminal, "odd>").send("half");
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (4, "done die\n"), "{}", end.screen);
    assert!(end.cooked && !end.cursor_hidden, "{}", end.screen);
    assert!(end.screen.contains("exited with status 3"), "{:?}", String::from_utf8_lossy(&end.raw));
    // In a call, it is told once.
    let Some(server) = case("stdio_exit_early", &["call"]) else { return };
    let mut terminal = shell().on(&server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("t").wait_for("t").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.screen.matches("mcpcall: error: ").count()), (4, 1), "{}", end.screen);
}

each_peer!([python_v2_stdio] fn the_shell_reads_well(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("help").wait_for("help").send(ENTER).wait_for("Leave");
    at_prompt(&mut terminal, &label);
    snapshot!("help", terminal);
    terminal.send("help root").send(ENTER).wait_for("Remove one");
    at_prompt(&mut terminal, &label).send("info").wait_for("info").send(ENTER);
    stdout_has(&terminal, "Protocol versions\n  2025-11-25  yes\n");
    at_prompt(&mut terminal, &label).send("show add").wait_for("show add").send(ENTER);
    stdout_has(&terminal, "Add two integers");
    at_prompt(&mut terminal, &label).send("read no:such").wait_for("read no:such").send(ENTER).wait_for("mcpcall: error:");
    at_prompt(&mut terminal, &label).send("prompt nope").wait_for("prompt nope").send(ENTER).wait_for("prompt nope");
    at_prompt(&mut terminal, &label).send("complete nope a=b").wait_for("complete nope a=b").send(ENTER).wait_for("complete nope a=b");
    at_prompt(&mut terminal, &label).send("ping").wait_for("ping").send(ENTER);
    at_prompt(&mut terminal, &label).send("request ping").wait_for("request ping").send(ENTER);
    stdout_has(&terminal, "{}\n");
    leave(terminal, &label);
    let mut terminal = shell().args(["-q"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label);
    assert_eq!(terminal.screen(), label);
    leave(terminal, &label);
});

#[test]
fn a_terminal_that_only_prints_will_do() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().env("TERM", "dumb").on(&server).terminal();
    at_prompt(&mut terminal, "odd>").send("later\n").wait_for("the server asks something").send("say\n");
    terminal.wait_for("Who is there?").wait_for("/cancel").send("Ada\n");
    server.wait_for_entry(|entry| entry["got"]["result"]["content"]["name"] == "Ada");
    stdout_has(&terminal, "done say\n");
    at_prompt(&mut terminal, "odd>").send("gro\x03").wait_for("gro^C");
    at_prompt(&mut terminal, "odd>").send(CTRL_D);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "done later\ndone say\n"), "{}", end.screen);
    assert!(!end.raw.contains(&0x1b), "{}", String::from_utf8_lossy(&end.raw));
}

#[test]
fn lines_that_are_typed_ahead_all_count_where_the_terminal_only_prints() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().env("TERM", "dumb").on(&server).terminal();
    let long = format!("say a={}", "x".repeat(3000));
    at_prompt(&mut terminal, "odd>").send(&format!("grow\n{long}\nsay\ngrown\nsa"));
    stdout_has(&terminal, "done grow\ndone say\ndone say\ndone grown\n");
    // What was half typed goes on.
    at_prompt(&mut terminal, "odd>").send("y\n");
    stdout_has(&terminal, "done grown\ndone say\n");
    at_prompt(&mut terminal, "odd>").send(CTRL_D);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.matches("done").count()), (0, 5), "{}", end.screen);
    assert!(end.screen.contains("odd> grown"), "each stands at its prompt: {}", end.screen);
}

#[test]
fn history_that_cannot_be_kept_is_told_of_once() {
    let Some(server) = case("stdio_shell", &[]) else { return };
    let mut terminal = shell().env("XDG_STATE_HOME", "/proc/nowhere").on(&server).terminal();
    for (line, done) in [("say", "done say\n"), ("grow", "done grow\n"), ("say", "done grow\ndone say\n")] {
        at_prompt(&mut terminal, "odd>").send(line).send(ENTER);
        stdout_has(&terminal, done);
    }
    // It is known until the end all the same.
    at_prompt(&mut terminal, "odd>").send("g").send(UP).wait_for("odd> grow").send(CTRL_U);
    at_prompt(&mut terminal, "odd>").send(CTRL_D);
    let end = terminal.finish();
    assert_eq!((end.code, end.screen.matches("what is typed is not kept: ").count()), (0, 1), "{}", end.screen);
}

#[test]
fn half_a_list_is_no_reason_to_say_what_is_not_there() {
    let Some(server) = case("stdio_shell", &["halves"]) else { return };
    let mut terminal = shell().args(["-v"]).on(&server).terminal();
    terminal.wait_for("tools/list for completion: tools/list: the server answered error -32000: page torn out");
    at_prompt(&mut terminal, "odd>").send("lst").wait_for("lst").send(ENTER).wait_for("Unknown tool: lst");
    at_prompt(&mut terminal, "odd>");
    assert!(!terminal.screen().contains("or the verb"), "{}", terminal.screen());
    leave(terminal, "odd>");
}

each_peer!([python_v2_stdio] fn values_with_blanks_and_flags_with_values_are_completed(server) {
    let mut terminal = shell().args(["-q"]).on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("--out a\\ b issu");
    let is_completed = || {
        terminal.send("\t");
        terminal.screen().contains("--out a\\ b issue_card").then_some(())
    };
    assert!(poll(Duration::from_secs(10), is_completed).is_some(), "{}", terminal.screen());
    terminal.send(CTRL_U);
    leave(terminal, &label);
});

each_peer!([python_v2_stdio] fn the_terminal_is_asked_for_pictures_once_and_takes_no_typing(server) {
    let mut terminal = shell().args(["--show-images"]).on(server).stdout_at_terminal().terminal();
    terminal.wait_for_bytes("\x1b[c").send("\x1b[?62;4c");
    let label = terminal_label(&mut terminal);
    for n in 1..3 {
        at_prompt(&mut terminal, &label).send("image").wait_for("image").send(ENTER);
        // Typed while the picture comes.
        terminal.send("ping").wait_until("a picture more", |screen| screen.contents().matches("[image]").count() == n);
        terminal.wait_for(&format!("{label} ping")).send(CTRL_U);
    }
    at_prompt(&mut terminal, &label).send(CTRL_D);
    let end = terminal.finish();
    let raw = String::from_utf8_lossy(&end.raw);
    assert_eq!((end.code, raw.matches("\x1b[c").count(), raw.matches("\x1bP").count()), (0, 1, 2), "{raw:?}");
});

each_peer!([rust_stdio] fn term_at_the_prompt_gives_the_terminal_back(server) {
    let mut terminal = shell().on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("half").wait_for("half").signal(Signal::TERM);
    let end = terminal.finish();
    assert!(end.code == 143 && end.cooked && !end.cursor_hidden, "{}", end.block());
});

#[test]
fn without_a_terminal_there_is_no_shell() {
    let run = shell().args(["--", "sh", "-c", "exit 9"]).code(2);
    run.stderr("mcpcall: error: a shell needs a terminal to type at\n  mcpcall batch - makes many calls without one\n")
        .check();
    // Lines in a pipe are for a batch, though the errors go to a terminal.
    let run = shell().args(["--", "sh", "-c", "exit 9"]).stdin(Stdin::Text("list\n".into()));
    let end = run.terminal().finish();
    assert!(end.code == 2 && end.screen.contains("mcpcall batch -"), "{}", end.screen);
    let file = json!({"version": 1, "answers": [], "expect": {"isError": false}}).to_string();
    let run = shell().args(["--auto-answer", "a.json", "--", "sh", "-c", "exit 9"]).file("a.json", file);
    let end = run.terminal().finish();
    assert!(end.code == 2 && end.screen.contains("is for one call, and a shell makes many"), "{}", end.screen);
}

each_peer!([python_v2_stdio] fn answers_and_their_absence_work_line_by_line(server) {
    let answers = json!([{ "on": "elicitation", "action": "accept", "content": { "name": "Ada" } }, { "on": "elicitation", "match": { "tool": "x" }, "action": "decline" }]);
    let file = json!({ "version": 1, "answers": answers }).to_string();
    let run = shell().args(["--auto-answer", "a.json", "--no-input"]).file("a.json", file);
    let mut terminal = run.on(server).terminal();
    let label = terminal_label(&mut terminal);
    at_prompt(&mut terminal, &label).send("issue_card").wait_for("issue_card").send(ENTER);
    stdout_has(&terminal, "Card issued to Ada.\n");
    at_prompt(&mut terminal, &label).send("issue_card").wait_for("issue_card").send(ENTER).wait_for("nobody answered");
    at_prompt(&mut terminal, &label).send("add a=1 b=2").wait_for("add a=1 b=2").send(ENTER);
    stdout_has(&terminal, "\"sum\": 3");
    // An answer that is left is no failure here.
    leave(terminal, &label);
});
