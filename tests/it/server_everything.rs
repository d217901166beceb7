//! The TypeScript SDK's show server: each thing it asks or tells, scripted and at a terminal.

use crate::support::run::mcpcall;
use crate::support::terminal::keys::{CTRL_U, ENTER};

each_peer!([everything_stdio, everything_http] fn it_asks_for_roots(server) {
    let run = mcpcall(["get-roots-list", "--root", "notebooks=/tmp"]).on(server).any_stderr();
    run.stdout_has("notebooks").stdout_has("file:///tmp").check();
});

each_peer!([everything_stdio, everything_http] fn it_logs(server) {
    let level = ["--log-level", "debug", "--trace-file", "trace"];
    let output = mcpcall(["toggle-simulated-logging"]).args(level).on(server).stdout_has("logging").any_stderr().check();
    assert!(output.file("trace").contains("logging/setLevel"));
});

each_peer!([everything_stdio, everything_http] fn it_shows_progress(server) {
    let run = mcpcall(["trigger-long-running-operation", "duration=0.3", "steps=3"]).on(server);
    run.stdout_has("Steps: 3").stderr_has("[progress 1/3]\n[progress 2/3]\n[progress 3/3]\n").check();
});

each_peer!([everything_stdio, everything_http] fn its_progress_holds_off_the_timeout(server) {
    let args = ["trigger-long-running-operation", "duration=4", "steps=8", "--timeout", "2"];
    mcpcall(args).on(server).stdout_has("Steps: 8").any_stderr().check();
});

each_peer!([everything_stdio, everything_http] fn it_asks_for_a_visit_by_error_and_by_question(server) {
    let accept = r#"{"answers": [{"on": "elicitation", "match": {"mode": "url"}, "action": "accept", "times": "any"}]}"#;
    for path in ["errorPath=true", "errorPath=false"] {
        let run = mcpcall(["trigger-url-elicitation", "url=https://a.example/x", path, "--auto-answer", "a.json"]);
        run.file("a.json", accept).on(server).any_stdout().stderr_has("the URL to visit: https://").check();
    }
});

each_peer!([everything_stdio] fn its_form_is_filled_in_at_a_terminal(server) {
    let mut terminal = mcpcall(["trigger-elicitation-request"]).on(server).terminal_of_size(50, 100);
    // Whatever the fields are: take what is offered, and give a name where one is needed.
    let mut n = 0;
    loop {
        n += 1;
        let position = format!("({n}/");
        terminal.wait_until("the next question", |screen| {
            let text = screen.contents();
            text.contains("Send this?") || text.contains(&position) && text.contains("Esc: decline")
        });
        if terminal.screen().contains("Send this?") {
            break;
        }
        if n == 1 {
            terminal.send(CTRL_U).send("Ada Lovelace").wait_for(": Ada Lovelace");
        }
        terminal.send(ENTER);
        let next = format!("({}/", n + 1);
        terminal.wait_until("an accepted answer", |screen| {
            let text = screen.contents();
            text.contains(&next) || text.contains("Send this?")
        });
    }
    terminal.wait_for("> Send").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(end.stdout.contains("Ada Lovelace"), "{}\n{}", end.stdout, end.screen);
});

each_peer!([everything_stdio] fn its_sampling_request_is_approved_at_a_terminal(server) {
    let args = ["trigger-sampling-request", "prompt=hello", "--sampling-text", "The answer is 42."];
    let mut terminal = mcpcall(args).on(server).terminal_of_size(50, 100);
    terminal.wait_for("hello").wait_for("Up/Down").send(ENTER).wait_for("The answer is 42.").wait_for("Edit").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(end.stdout.contains("The answer is 42."), "{}", end.stdout);
});

each_peer!([everything_stdio] fn its_progress_is_a_bar_at_a_terminal(server) {
    let args = ["trigger-long-running-operation", "duration=2", "steps=2"];
    let mut terminal = mcpcall(args).on(server).terminal();
    terminal.wait_for("[##########----------] 1/2");
    let end = terminal.finish();
    assert!(end.code == 0 && end.stdout.contains("Steps: 2") && !end.screen.contains('#'), "{}", end.screen);
});
