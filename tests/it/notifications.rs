//! What a server tells without asking.

use crate::support::run::mcpcall;
use crate::support::scripted::case;

each_peer!([python_v2_stdio, python_v2_http, python_v1_stdio, rust_stdio] fn logs_are_shown_from_the_level_that_was_asked_for(server) {
    let tool = if server.peer.server == crate::support::peers::Server::Rust { "log" } else { "log_all" };
    let labels = |args: &[&str]| -> Vec<String> {
        let output = mcpcall([tool]).args(args).on(server).stdout("logged\n").any_stderr().check();
        let label = |line: &str| line.strip_prefix('[')?.split([' ', ']']).next().map(str::to_owned);
        output.stderr.lines().filter_map(label).collect()
    };
    assert_eq!(labels(&["--log-level", "warning"]), ["warning", "error", "critical", "alert", "emergency"]);
    assert_eq!(labels(&["--log-level", "debug"]).len(), 8);
    assert!(labels(&[]).is_empty());
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio, rust_http] fn progress_is_shown_line_by_line(server) {
    let n = if server.peer.server == crate::support::peers::Server::Rust { "to=3" } else { "n=3" };
    let output = mcpcall(["count", n]).on(server).stdout("counted to 3\n").any_stderr().check();
    assert_eq!(output.stderr.lines().filter(|line| line.starts_with("[progress ")).count(), 3, "{}", output.stderr);
    mcpcall(["count", n, "-q"]).on(server).stdout("counted to 3\n").check();
});

#[test]
fn unknown_notifications_are_shown_when_asked_for() {
    let Some(server) = case("stdio_reentrant", &["nosampling"]) else { return };
    let output = mcpcall(["t", "-v"]).on(&server).any_stderr().run();
    assert!(output.stderr.contains("[codex/event] {\"type\": \"x\"}"), "{}", output.stderr);
    assert!(output.stderr.contains("[notifications/tools/list_changed]"), "{}", output.stderr);
    let output = mcpcall(["t"]).on(&server).any_stderr().run();
    assert!(!output.stderr.contains("codex/event"), "{}", output.stderr);
}
