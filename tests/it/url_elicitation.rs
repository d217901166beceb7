//! URL questions: shown, consented to, opened by what the user names, and never fetched by us.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::{DOWN, ENTER};
use serde_json::json;

const ACCEPT_URLS: &str = r#"{"answers": [{"on": "elicitation", "match": {"mode": "url", "host": "/\\.invalid$/"}, "action": "accept", "times": "any"}]}"#;

#[test]
fn a_call_that_needs_urls_visited_is_offered_again_after_consent() {
    for mode in ["once", "nonotify"] {
        let Some(server) = case("stdio_url_required", &[mode]) else { return };
        let run =
            mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", ACCEPT_URLS).on(&server).stdout("authorized\n");
        let run = run.stderr_has("https://one.example.invalid/start?state=a%2Fb");
        let output = run.stderr_has("https://two.example.invalid/start").check();
        assert_eq!(
            output.stderr.contains("[elicitation] the server reports the visit to one.example.invalid complete"),
            mode == "once",
            "{}",
            output.stderr
        );
        let ids: Vec<_> =
            server.log().iter().filter(|entry| entry.get("call").is_some()).map(|entry| entry["id"].clone()).collect();
        assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
    }
}

#[test]
fn a_server_that_is_never_content_is_given_up() {
    let Some(server) = case("stdio_url_required", &["forever"]) else { return };
    let run = mcpcall(["t", "--auto-answer", "a.json", "-q"]).file("a.json", ACCEPT_URLS).on(&server);
    run.code(6).stderr_has("-32042").stderr_has("https://one.example.invalid").check();
}

#[test]
fn without_consent_the_call_is_not_made_again() {
    for (args, code) in
        [(&["--on-elicit", "decline"][..], 6), (&["--no-input"], 7), (&["--open", "never", "--answer", "x=y"], 7)]
    {
        let Some(server) = case("stdio_url_required", &["once"]) else { return };
        mcpcall(["t"]).args(args).on(&server).code(code).stderr_has("Sign in to one").check();
        assert_eq!(server.log().iter().filter(|entry| entry.get("call").is_some()).count(), 1, "{args:?}");
    }
}

#[test]
fn a_person_sees_the_host_and_it_is_opened_only_after_yes() {
    let Some(server) = case("stdio_url", &["https://pay.example.com@evil.example/x"]) else { return };
    let open = ["--open", "sh -c 'echo \"$0\" >> opened'"];
    let mut terminal = mcpcall(["t"]).file("opened", "").args(open).on(&server).terminal();
    terminal
        .wait_for("Host: evil.example")
        .wait_for("! What stands before the @ is no host")
        .wait_for("Cancel: dismiss");
    terminal.send(DOWN).send(DOWN).wait_for("> Decline").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "{\"action\": \"decline\"}\n"), "{}", end.screen);
    assert_eq!(end.file("opened"), "");

    let mut terminal = mcpcall(["t"]).file("opened", "").args(open).on(&server).terminal();
    terminal.wait_for("> Accept, and open it").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "{\"action\": \"accept\"}\n"), "{}", end.screen);
    let opened = crate::support::poll(std::time::Duration::from_secs(10), || {
        Some(end.file("opened")).filter(|text| !text.is_empty())
    });
    assert_eq!(opened.as_deref(), Some("https://pay.example.com@evil.example/x\n"));
}

#[test]
fn what_is_no_web_address_is_refused_by_name() {
    for url in ["javascript:alert(1)", "file:///etc/passwd"] {
        let Some(server) = case("stdio_url", &[url]) else { return };
        let run = mcpcall(["t", "--on-elicit", "cancel"]).on(&server).code(6).any_stdout();
        run.stderr_has(&format!("asked to open {url}, which is no plain http or https URL")).check();
    }
}

#[test]
fn never_declares_no_url_mode() {
    let Some(server) = case("stdio_url", &["https://x.example/"]) else { return };
    mcpcall(["t", "--open", "never", "--answer", "a=b"]).on(&server).code(7).any_stdout().any_stderr().check();
    let initialize = server.received().into_iter().find(|message| message["method"] == "initialize").unwrap();
    assert_eq!(initialize["params"]["capabilities"], json!({"elicitation": {"form": {}}}));
}

#[test]
fn a_person_says_when_the_visit_is_done_unless_the_server_does() {
    for mode in ["once", "nonotify"] {
        let Some(server) = case("stdio_url_required", &[mode]) else { return };
        let mut terminal = mcpcall(["t", "--open", "true"]).on(&server).terminal_of_size(50, 100);
        for name in ["one", "two"] {
            terminal.wait_for(&format!("Host: {name}.example.invalid")).wait_for("> Accept, and open it").send(ENTER);
        }
        if mode == "nonotify" {
            terminal.wait_for("Waiting for you").wait_for("> Done: call again").send(ENTER);
        }
        let end = terminal.finish();
        assert_eq!((end.code, end.stdout.as_str()), (0, "authorized\n"), "{mode}: {}", end.screen);
        assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    }
}

#[test]
fn stopping_during_a_visit_says_so() {
    let Some(server) = case("stdio_url_required", &["nonotify"]) else { return };
    let mut terminal = mcpcall(["t", "--open", "true"]).on(&server).terminal_of_size(50, 100);
    terminal
        .wait_for("Host: one.example.invalid")
        .wait_for("> Accept, and open it")
        .signal(rustix::process::Signal::TERM);
    let end = terminal.finish();
    assert_eq!(end.code, 143, "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}

#[test]
fn an_entry_for_forms_consents_to_no_url() {
    let file = r#"{"answers": [{"on": "elicitation", "action": "accept", "fill": "defaults", "times": "any"}]}"#;
    let Some(server) = case("stdio_url", &["https://x.example/"]) else { return };
    let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file).on(&server).any_stdout();
    run.code(7).stderr_has("nobody answered: Please sign in").check();
    // And no entry consents to what is no address of the web.
    let file = r#"{"answers": [{"on": "elicitation", "action": "accept", "times": "any"}]}"#;
    let Some(server) = case("stdio_url", &["--output=/tmp/x"]) else { return };
    let run = mcpcall(["t", "--auto-answer", "a.json", "--open", "sh -c 'echo \"$0\" > opened'"]).file("opened", "");
    let run = run.file("a.json", file).on(&server).any_stdout().code(6);
    let output = run.stderr_has("--output=/tmp/x, which is no plain http or https URL").check();
    assert_eq!(output.file("opened"), "");
}
