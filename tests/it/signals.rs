//! ^C and TERM during a call: the server is told, the child reaped, the exit code says so.

use crate::support::run::mcpcall;
use rustix::process::Signal;

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
fn a_second_signal_does_not_wait_for_a_stubborn_server() {
    let Some(server) = crate::support::scripted::case("stdio_stubborn", &["tree"]) else { return };
    let start = std::time::Instant::now();
    let script = format!("trap '' TERM; {}; sleep 60", "echo ready >&2");
    let run = mcpcall(["t", "--", "sh", "-c", &script]).signal_after_stderr("ready", Signal::INT);
    let run = run.signal_after_stderr("ready", Signal::INT).code(130).any_stderr();
    run.check().nothing_left_running();
    assert!(start.elapsed().as_secs() < 10);
    drop(server);
}
