//! What is kept of logins: whose they are, what ends them, and what does not.

use crate::support::auth_server::{Answer, AuthServer, browser};
use crate::support::run::{Run, mcpcall};
use serde_json::json;
use tempfile::TempDir;

const PROTECTED: &str = "/.well-known/oauth-protected-resource/mcp";

fn run<'a>(home: &TempDir, server: &AuthServer, args: &[&str]) -> Run<'a> {
    mcpcall(args).url(&server.mcp()).args(["--state-dir"]).args([home.path()])
}

#[test]
fn each_assertion_has_a_token_of_its_own() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    for (assertion, n_tokens) in [("ann", 1), ("bob", 2), ("ann", 2)] {
        let args = ["t", "--grant", "jwt-bearer", "--client-id", "robot", "--assertion-file", "who"];
        run(&home, &server, &args).file("who", assertion).stdout("let in\n").check();
        assert_eq!(server.seen("POST /token").len(), n_tokens, "{assertion}");
    }
    let args = ["t", "--grant", "jwt-bearer", "--client-id", "robot", "--assertion-file", "who", "--no-login"];
    run(&home, &server, &args).file("who", "ann").stdout("let in\n").check();
    run(&home, &server, &args).file("who", "eve").code(3).stderr_has("wants authorization").check();
    assert_eq!(server.seen("POST /token").len(), 2);
}

#[test]
fn a_secret_is_shown_to_its_issuer_alone() {
    let (server, other, home) = (AuthServer::start(), AuthServer::start(), tempfile::tempdir().unwrap());
    let mine = |args: &[&str]| {
        let run = run(&home, &server, args).args(["--client-id", "mine", "--client-secret-file", "secret"]);
        run.args(browser()).file("secret", "s3cret")
    };
    mine(&["login"]).any_stdout().any_stderr().check();
    let elsewhere = format!(r#"{{"resource": "$origin/mcp", "authorization_servers": ["{}"]}}"#, other.origin);
    server.reply(PROTECTED, Answer::json(200, elsewhere));
    let words = format!("is guarded by {} now, and --client-id is a client of {}", other.origin, server.origin);
    mine(&["login"]).code(3).stderr_has(&words).check();
    // Refused, and no login to compare with any more.
    server.forget_tokens();
    server.forget_refresh();
    for _ in 0..2 {
        mine(&["t"]).code(3).stderr_has(&words).check();
    }
    assert!(other.seen("POST /token").is_empty() && other.seen("GET /authorize").is_empty());
    mine(&["logout"]).any_stdout().any_stderr().check();
    mine(&["login"]).any_stdout().any_stderr().check();
    assert_eq!(other.seen("POST /token").len(), 1);
}

#[test]
fn a_server_in_trouble_ends_no_login() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    run(&home, &server, &["login"]).args(browser()).any_stdout().any_stderr().check();
    server.forget_tokens();
    for answer in [
        Answer::status(429),
        Answer::status(404),
        Answer::json(400, r#"{"error": "temporarily_unavailable"}"#),
        Answer::json(401, r#"{"error": "invalid_client"}"#),
    ] {
        server.reply("/token", answer);
        run(&home, &server, &["t", "--no-login"]).code(3).stderr_has("gives no token").check();
    }
    server.as_usual("/token");
    run(&home, &server, &["t", "--no-login"]).stdout("let in\n").check();
}

#[test]
fn a_login_that_cannot_be_kept_is_not_made() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    std::fs::write(home.path().join("auth.json"), "{").unwrap();
    run(&home, &server, &["login"]).args(browser()).code(3).stderr_has("is damaged").check();
    let login = mcpcall(["login", "--state-dir", "file"]).url(&server.mcp()).args(browser()).file("file", "");
    login.code(3).stderr_has("cannot write to file").check();
    assert!(server.lines().is_empty(), "{:?}", server.lines());
    std::fs::write(home.path().join("auth.json"), "{}").unwrap();
    run(&home, &server, &["login"]).args(browser()).any_stdout().any_stderr().check();
}

#[test]
fn scopes_that_a_login_lacks_are_asked_for() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    run(&home, &server, &["login", "--scope", "a b"]).args(browser()).any_stdout().any_stderr().check();
    run(&home, &server, &["t", "--scope", "b"]).stdout("let in\n").check();
    let output = run(&home, &server, &["t", "--scope", "a c"]).code(3).stderr_has("allows \"a b\", not").run();
    assert!(output.stderr.contains("--scope 'a c' logs in anew"), "{}", output.report());
    run(&home, &server, &["t", "--scope", "a c"]).args(browser()).stdout("let in\n").any_stderr().check();
    assert_eq!(server.seen("GET /authorize").pop().unwrap().form["scope"], "a c");
}

#[test]
fn a_token_that_must_be_bound_and_is_not_is_refused() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    let bound = json!({ "resource": "$origin/mcp", "authorization_servers": ["$origin"], "dpop_bound_access_tokens_required": true });
    server.reply(PROTECTED, Answer::json(200, bound.to_string()));
    run(&home, &server, &["t"]).args(browser()).code(3).stderr_has("wants tokens that are bound to a key").check();
    assert!(server.seen("POST /mcp").iter().all(|seen| !seen.headers.contains_key("authorization")));
}

#[test]
fn a_logout_forgets_the_client_too() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    // The server does not know the client any more, and tells the browser alone.
    server.reply("/authorize", Answer::status(400));
    let login = run(&home, &server, &["login", "--timeout", "1"]).args(browser()).code(124);
    login.stderr_has("mcpcall logout").check();
    run(&home, &server, &["logout"]).any_stdout().check();
    server.as_usual("/authorize");
    run(&home, &server, &["login"]).args(browser()).any_stdout().any_stderr().check();
    assert_eq!(server.seen("POST /register").len(), 2);
}

#[test]
fn a_long_run_outlives_many_tokens() {
    let (server, home) = (AuthServer::start(), tempfile::tempdir().unwrap());
    server.lifetime(Some(1));
    let args = ["ping", "--count", "6", "--protocol", "2025-11-25"];
    let robot = ["--grant", "client-credentials", "--client-id", "robot", "--client-secret-file", "secret"];
    run(&home, &server, &args).args(robot).file("secret", "s3cret").any_stdout().check();
    assert!(server.seen("POST /token").len() > 4);
}
