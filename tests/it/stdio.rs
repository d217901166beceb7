//! A server as a child process.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use std::time::{Duration, Instant};

#[test]
fn noise_on_stdout_is_skipped_with_a_warning() {
    for mode in ["all", "bomjson", "noeol"] {
        let Some(server) = case("stdio_noise", &[mode]) else { return };
        let output = mcpcall(["t"]).on(&server).stdout("clean\n").any_stderr().check();
        assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
        if mode == "all" {
            assert!(output.stderr.contains("no message"), "{}", output.stderr);
        }
        assert_eq!(server.methods().iter().filter(|method| *method == "initialize").count(), 1);
    }
}

#[test]
fn a_server_that_dies_ends_the_call_at_once_with_its_last_words() {
    for mode in ["start", "init", "call", "partial", "closeout", "code0"] {
        let Some(server) = case("stdio_exit_early", &[mode]) else { return };
        let start = Instant::now();
        let output = mcpcall(["t"]).on(&server).code(4).stderr_has("mcpcall: error: ").check();
        assert!(start.elapsed() < Duration::from_secs(8), "{mode} took {:?}", start.elapsed());
        let gist = match mode {
            "closeout" => "closed its stdout",
            "code0" => "exited with status 0",
            _ => "exited with status 3",
        };
        assert!(output.stderr.contains(gist), "{mode}: {}", output.stderr);
        if !matches!(mode, "closeout" | "code0") {
            assert!(output.stderr.contains("[server] fatal: missing DB_URL"), "{mode}: {}", output.stderr);
        }
        output.nothing_left_running();
    }
}

#[test]
fn the_child_is_asked_to_go_then_told_and_nothing_is_left() {
    for mode in ["tree", "slow", "eofonly"] {
        let Some(server) = case("stdio_stubborn", &[mode]) else { return };
        let start = Instant::now();
        let output = mcpcall(["t"]).on(&server).any_stdout().any_stderr().check();
        assert!(start.elapsed() < Duration::from_secs(8), "{mode} took {:?}", start.elapsed());
        output.nothing_left_running();
        let log = server.log();
        match mode {
            "slow" => assert!(log.iter().any(|entry| entry["graceful"] == true), "{log:?}"),
            "eofonly" => assert!(!log.iter().any(|entry| entry.get("sig").is_some()), "{log:?}"),
            _ => {}
        }
    }
}

#[test]
fn both_directions_may_be_full_at_once() {
    let Some(server) = case("stdio_backpressure", &[]) else { return };
    let big = format!(r#"{{"x": "{}"}}"#, "y".repeat(2_000_000));
    mcpcall(["t", "@big.json"]).file("big.json", big).on(&server).stdout_has("got=2000000").any_stderr().check();
}

#[test]
fn requests_of_the_server_are_answered_while_the_call_is_pending() {
    let Some(server) = case("stdio_reentrant", &["nosampling"]) else { return };
    let start = Instant::now();
    let output = mcpcall(["t"]).on(&server).any_stderr().run();
    assert!(start.elapsed() < Duration::from_secs(8));
    // Roots are not declared here, so their refusal is the only complaint the server may have.
    assert!(output.stdout.starts_with("verdict: "), "{}", output.stdout);
    assert!(!output.stdout.contains("ping") && !output.stdout.contains("foo/bar"), "{}", output.stdout);
}

#[test]
fn time_runs_as_documented() {
    for (mode, code, stdout) in
        [("progress", 0, "slept\n"), ("wrongtoken", 124, ""), ("silent", 124, ""), ("never", 124, "")]
    {
        let Some(server) = case("stdio_timeout", &[mode]) else { return };
        mcpcall(["t", "--timeout", "1"])
            .on(&server)
            .code(code)
            .stdout(stdout)
            .any_stderr()
            .check()
            .nothing_left_running();
        let received = server.received();
        let call = received.iter().find(|message| message["method"] == "tools/call").unwrap();
        assert!(!call["params"]["_meta"]["progressToken"].is_null(), "{call}");
        let cancelled = received.iter().find(|message| message["method"] == "notifications/cancelled");
        match code {
            124 => assert_eq!(cancelled.unwrap()["params"]["requestId"], call["id"], "{mode}"),
            _ => assert!(cancelled.is_none(), "{mode}"),
        }
    }
}

#[test]
fn control_c_reaches_the_server_only_as_a_message() {
    let Some(server) = case("stdio_timeout", &["ctrlc"]) else { return };
    let run = mcpcall(["t"]).on(&server).signal_after_log("tools/call", rustix::process::Signal::INT);
    run.code(130).any_stderr().check().nothing_left_running();
    assert!(!server.log().iter().any(|entry| entry.get("sig").is_some()), "{:?}", server.log());
    assert!(server.methods().contains(&"notifications/cancelled".to_owned()));
}

#[test]
fn environment_and_folder_are_the_servers() {
    let script = r#"echo "$WHO in $(pwd)" >&2; exit 3"#;
    let run = mcpcall(["t", "-e", "WHO=Ada", "--cwd", "/", "--", "sh", "-c", script]);
    run.code(4).stderr("[server] Ada in /\nmcpcall: error: initialize: the server exited with status 3\n").check();
}

each_peer!([python_v2_stdio, rust_stdio, everything_stdio] fn a_server_can_be_one_string_quoted_as_in_a_shell(server) {
    let command = shell_words::join(server.stdio_command());
    if server.peer.server == crate::support::peers::Server::Everything {
        mcpcall(["echo", "message=hi"]).stdio(&command).stdout("Echo: hi\n").any_stderr().check().nothing_left_running();
    } else {
        let run = mcpcall(["issue_card", "--answer", "name=Ada"]).stdio(&command);
        run.stdout("Card issued to Ada.\n").check().nothing_left_running();
    }
});

#[test]
fn quotes_in_that_string_make_words_and_no_shell_reads_it() {
    let script = r#"printf '%s\n' "$@" >&2; exit 3"#;
    let command = format!("sh -c {} sh 'two words' \"it's\" $HOME \\; '*'", shell_words::quote(script));
    let run = mcpcall(["t", "--stdio", &command]).code(4);
    let words = ["two words", "it's", "$HOME", ";", "*"].map(|word| format!("[server] {word}\n")).concat();
    run.stderr(format!("{words}mcpcall: error: initialize: the server exited with status 3\n")).check();
}

#[test]
fn a_message_over_the_limit_is_told_and_ends_its_call() {
    // The server lives on: nothing but the size can end the call.
    let script = r#"read x; printf '{"jsonrpc":"2.0","method":"big","params":{"pad":"%03000d"}}\n' 1
        printf '{"jsonrpc":"2.0","id":1,"result":{"pad":"%03000d"}}\n' 1; cat >/dev/null"#;
    let run = mcpcall(["t", "--max-message-size", "2K", "--", "sh", "-c", script]).code(4);
    let run = run.stderr_has("warning: a message of more than 2048 bytes was dropped, which began with: {\"jsonrpc\"");
    run.stderr_has("error: initialize: the answer is too large (--max-message-size raises the limit)").check();
}

#[test]
fn every_shape_of_form_field_is_answered_right() {
    let Some(server) = case("stdio_elicit_zoo", &[]) else { return };
    let answers = r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":"42","ratio":"0.5","ok":"yes","mail":"a@b.co","day":"2026-02-28"}"##;
    let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", answers).on(&server);
    run.stdout("verdict: []\n").any_stderr().check();
    for (from, to) in [("\"42\"", "\"42xyz\""), ("2026-02-28", "2026-02-30")] {
        let Some(server) = case("stdio_elicit_zoo", &["bad"]) else { return };
        let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", answers.replace(from, to)).on(&server);
        let output = run.any_stderr().run();
        assert_eq!(output.code, 2, "{}", output.report());
        let sent = server.received();
        assert!(!sent.iter().any(|message| message["result"]["action"] == "accept"), "{sent:?}");
    }
}
