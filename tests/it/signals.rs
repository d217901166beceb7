//! ^C and TERM during a call: the server is told, the child reaped, the exit code says so.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use rustix::process::Signal;
use std::time::{SystemTime, UNIX_EPOCH};

each_peer!([python_v2_stdio, python_v2_http, python_v1_stdio, python_v1_http]
fn control_c_during_a_call_tells_the_server(server) {
    let run = mcpcall(["slow", "seconds=60"]).on(server).signal_after_log("\"call\": \"slow\"", Signal::INT);
    run.code(130).stderr_has("mcpcall: error: interrupted\n").check().nothing_left_running();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
});

each_peer!([python_v2_stdio, python_v2_http] fn term_during_a_call_tells_the_server_too(server) {
    let run = mcpcall(["slow", "seconds=60"]).on(server).signal_after_log("\"call\": \"slow\"", Signal::TERM);
    run.code(143).stderr("mcpcall: error: terminated\n").check().nothing_left_running();
    server.wait_for_entry(|entry| entry["cancelled"] == "slow");
});

each_peer!([rust_stdio] fn term_at_a_prompt_gives_the_terminal_back(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("Enter: send").signal(Signal::TERM);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (143, ""), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
});

#[test]
fn a_signal_before_there_is_a_session_ends_the_run_too() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 143)] {
        let run = mcpcall(["t", "--", "sh", "-c", "echo up >&2; exec cat >/dev/null"]);
        run.signal_after_stderr("up", signal).code(code).any_stderr().check().nothing_left_running();
    }
}

#[test]
fn a_second_signal_does_not_wait_for_a_stubborn_server() {
    // Ignores the end of its stdin, TERM, and the call: going in good order takes two times `GRACE`, 4 s.
    let Some(server) = case("stdio_stubborn", &["hang"]) else { return };
    let run = mcpcall(["t"]).on(&server).signal_after_log(r#""method": "tools/call""#, Signal::INT);
    // The first one was taken: the call is cancelled, the server's stdin closed, and now it is waited for.
    let run = run.signal_after_log(r#""eof": true"#, Signal::INT).code(130).any_stderr();
    run.check().nothing_left_running();
    let end = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
    assert!(server.methods().contains(&"notifications/cancelled".to_owned()), "{:?}", server.log());
    let eof = server.wait_for_entry(|entry| entry["eof"] == true);
    let took = end - eof["t"].as_f64().unwrap();
    assert!(took < 2.0, "{took} s");
    // It was not even asked to go.
    assert!(!server.log().iter().any(|entry| entry.get("sig").is_some()), "{:?}", server.log());
}
