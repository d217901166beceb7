//! Logging in: once, by which browser there is, and what is kept of it.

use crate::support::auth_server::{Answer, AuthServer, browser};
use crate::support::poll;
use crate::support::run::{Run, mcpcall};
use crate::support::terminal::keys::{CTRL_C, DOWN, ENTER};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A folder for logins that several runs share.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn run<'a>(&self, server: &AuthServer, args: &[&str]) -> Run<'a> {
        mcpcall(args).url(&server.mcp()).args(["--state-dir"]).args([self.0.path()])
    }

    fn store(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.file()).unwrap()).unwrap()
    }

    fn file(&self) -> std::path::PathBuf {
        self.0.path().join("auth.json")
    }

    #[track_caller]
    fn log_in(&self, server: &AuthServer) {
        self.run(server, &["login"]).args(browser()).any_stdout().any_stderr().check();
    }
}

#[test]
fn without_credentials_a_script_ends_and_says_how_to_log_in() {
    let server = AuthServer::start();
    for args in [&["t"][..], &["t", "--no-login"], &["t", "--no-login", "--open", "touch opened"]] {
        let output = mcpcall(args).url(&server.mcp()).code(3).stderr_has("wants authorization: HTTP 401").run();
        assert_eq!(output.code, 3, "{}", output.report());
        let hint = format!("mcpcall login --url {} logs in", server.mcp());
        assert!(output.stderr.contains(&hint), "{}", output.report());
        assert!(output.files().is_empty(), "{}", output.report());
    }
    // Nothing was asked but the server itself.
    assert!(server.lines().iter().all(|line| line == "POST /mcp"), "{:?}", server.lines());
}

#[test]
fn one_login_serves_all_later_calls_until_it_is_ended() {
    let server = AuthServer::start();
    server.scope("read write");
    let home = Home::new();
    let output = home.run(&server, &["login"]).args(browser()).any_stdout().any_stderr().check();
    let url = server.mcp();
    let expected = format!("{url}\n  issuer  {}\n  client  client-1-", server.origin);
    assert!(output.stdout.starts_with(&expected), "{}", output.report());
    assert!(output.stdout.contains("scopes  read write") && output.stdout.contains(" min, then renewed"));
    let asked = server.seen("GET /authorize").remove(0).form;
    for (name, value) in
        [("response_type", "code"), ("code_challenge_method", "S256"), ("resource", &*url), ("scope", "read write")]
    {
        assert_eq!(asked[name], value, "{asked:?}");
    }
    let registered = server.seen("POST /register").remove(0).body;
    assert_eq!((&registered["application_type"], &registered["client_name"]), (&json!("native"), &json!("mcpcall")));
    assert_eq!(registered["redirect_uris"], json!([asked["redirect_uri"]]));

    for args in [&["t"][..], &["t", "--no-login"], &["call", "t", "--protocol", "2025-11-25"]] {
        home.run(&server, args).stdout("let in\n").check();
    }
    assert_eq!(server.seen("GET /authorize").len(), 1);
    let mode = std::os::unix::fs::PermissionsExt::mode(&home.file().metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);

    let status = home.run(&server, &["auth", "status", "--json"]).any_stdout().check().json();
    assert_eq!(status[0]["server"], url);
    assert_eq!((&status[0]["grant"], &status[0]["renews"]), (&json!("code"), &json!(true)));
    server.nothing_secret_in(&status.to_string());

    // Told to the server too, which is to forget the refresh token.
    home.run(&server, &["logout"]).stdout(format!("logged out of {url}\n")).check();
    let revoked = server.seen("POST /revoke").remove(0).form;
    assert_eq!(revoked["token_type_hint"], "refresh_token");
    home.run(&server, &["t"]).code(3).stderr_has("mcpcall login").check();
    home.run(&server, &["logout"]).code(3).stderr_has("there is no login at").check();
    home.run(&server, &["auth", "status"]).code(3).stderr_has("there is no login at").check();
    mcpcall(["auth", "status", "--state-dir"]).args([home.0.path()]).stdout("no logins\n").check();
}

#[test]
fn logins_are_kept_where_the_environment_says() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| mcpcall(args).url(&server.mcp()).env("XDG_STATE_HOME", folder.path());
    run(&["login"]).args(browser()).any_stdout().any_stderr().check();
    assert!(folder.path().join("mcpcall/auth.json").exists());
    run(&["t", "--no-login"]).stdout("let in\n").check();
}

#[test]
fn a_call_with_a_command_that_opens_addresses_logs_in_by_itself() {
    let server = AuthServer::start();
    let home = Home::new();
    let output = home.run(&server, &["t"]).args(browser()).stdout("let in\n").any_stderr().check();
    assert!(output.stderr.starts_with(&format!("[login] opening {}/authorize?", server.origin)), "{}", output.report());
    assert_eq!(server.seen("GET /authorize").len(), 1);
}

/// Goes to the address on the screen, as a browser would.
fn visit(text: &str, then: &str) -> String {
    let start = text.find("/authorize?").expect("an address to visit");
    let start = text[..start].rfind("http://").unwrap();
    let url: String = text[start..].chars().take_while(|c| !c.is_whitespace()).collect();
    let output = Command::new("curl").args(["-sS", "-o", "/dev/null", "-w", then]).arg(&url).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_person_is_asked_and_may_say_no() {
    let server = AuthServer::start();
    let home = Home::new();
    let mut terminal = home.run(&server, &["t"]).terminal_of_size(24, 400);
    terminal.wait_for("wants you to log in").wait_for("Host: 127.0.0.1").wait_for("> Open it in the browser");
    terminal.send(DOWN).send(DOWN).wait_for("> No: do not log in").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 3, "{}", end.screen);
    assert!(end.screen.contains("the login was given up"), "{}", end.screen);

    let mut terminal = home.run(&server, &["t"]).terminal_of_size(24, 400);
    terminal.wait_for("> Open it in the browser").send(CTRL_C);
    assert_eq!(terminal.finish().code, 130);

    let mut terminal = home.run(&server, &["t"]).terminal_of_size(24, 400);
    terminal.wait_for("> Open it in the browser").send(DOWN).wait_for("> I open it myself");
    let back = visit(&terminal.screen(), "%{redirect_url}");
    terminal.send(ENTER);
    let page = poll(Duration::from_secs(10), || {
        let page = Command::new("curl").arg("-sS").arg(&back).output().unwrap().stdout;
        Some(String::from_utf8(page).unwrap()).filter(|page| !page.is_empty())
    });
    assert!(page.is_some_and(|page| page.contains("mcpcall has got the answer")));
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "let in\n"), "{}", end.screen);
}

#[test]
fn an_address_can_be_pasted_where_there_is_no_browser() {
    let server = AuthServer::start();
    let home = Home::new();
    for (keys, code) in [(CTRL_C, 130), ("\x1b", 3)] {
        let mut terminal = home.run(&server, &["login", "--no-browser"]).terminal_of_size(24, 600);
        terminal.wait_for("Address:").send(keys);
        if code == 3 {
            terminal.wait_for("Give up: do not log in").send(DOWN).wait_for("> Give up").send(ENTER);
        }
        assert_eq!(terminal.finish().code, code);
    }
    let mut terminal = home.run(&server, &["login", "--no-browser"]).terminal_of_size(24, 600);
    terminal.wait_for("[login] to log in, visit http").wait_for("Address:");
    let back = visit(&terminal.screen(), "%{redirect_url}");
    terminal.send("http://127.0.0.1/nothing").send(ENTER).wait_for("it has code= and state= in it");
    terminal.send("\x15").send(&back).send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(end.stdout.contains(&format!("issuer  {}", server.origin)), "{}", end.stdout);
    home.run(&server, &["login", "--no-browser"]).code(2).stderr_has("--no-browser needs a terminal").check();
}

#[test]
fn a_login_that_nobody_makes_ends() {
    let server = AuthServer::start();
    let home = Home::new();
    let run = home.run(&server, &["login", "--open", "true", "--timeout", "0.5"]).code(124);
    run.stderr_has("nobody logged in within").check();
    let mut terminal = home.run(&server, &["login", "--open", "true"]).terminal();
    terminal.wait_for("[login] opening").send(CTRL_C);
    assert_eq!(terminal.finish().code, 130);
}

#[test]
fn a_call_is_not_timed_out_by_a_login() {
    let server = AuthServer::start();
    let home = Home::new();
    let slow =
        ["--open", "sh -c 'sleep 2; curl -sSL -o /dev/null \"$0\"'", "--timeout", "30", "--connect-timeout", "1"];
    home.run(&server, &["t", "--protocol", "2025-11-25"]).args(slow).stdout("let in\n").any_stderr().check();
}

#[test]
fn a_stream_of_2024_waits_for_a_login() {
    let server = AuthServer::start();
    let config = format!(r#"{{"mcpServers": {{"s": {{"type": "sse", "url": "{}"}}}}}}"#, server.mcp());
    let slow = ["--open", "sh -c 'sleep 2; curl -sSL -o /dev/null \"$0\"'", "--connect-timeout", "0.5"];
    // It offers no such stream, but that is known only once it lets us in.
    let run = mcpcall(["t", "--config", "c.json", "--server", "s"]).args(slow).file("c.json", config).code(4);
    run.stderr_has("HTTP 405").check();
    assert_eq!(server.seen("GET /mcp").len(), 2);
}

#[test]
fn what_is_over_is_renewed_and_what_is_revoked_is_asked_for_again() {
    let server = AuthServer::start();
    let home = Home::new();
    home.log_in(&server);
    // Refused before its time.
    server.forget_tokens();
    home.run(&server, &["t"]).stdout("let in\n").check();
    assert_eq!(server.seen("POST /token").last().unwrap().form["grant_type"], "refresh_token");
    // Over by the clock: renewed before it is sent.
    server.lifetime(Some(1));
    server.forget_tokens();
    home.run(&server, &["t"]).any_stdout().any_stderr().run();
    server.lifetime(Some(3600));
    let before = server.seen("POST /mcp").len();
    home.run(&server, &["t", "--no-login"]).stdout("let in\n").check();
    let sent = server.seen("POST /mcp").split_off(before);
    assert!(sent.iter().all(|seen| seen.headers.contains_key("authorization")));
    // Neither is any good.
    server.forget_tokens();
    server.forget_refresh();
    let output = home.run(&server, &["t", "--no-login"]).code(3).stderr_has("the login is over").run();
    assert_eq!(output.code, 3, "{}", output.report());
    assert_eq!(home.store()["logins"], json!([]));
    let n_before = server.seen("GET /authorize").len();
    home.run(&server, &["t"]).args(browser()).stdout("let in\n").any_stderr().check();
    assert_eq!(server.seen("GET /authorize").len(), n_before + 1);
}

#[test]
fn processes_beside_each_other_use_a_refresh_token_once() {
    let server = AuthServer::start();
    let home = Home::new();
    home.log_in(&server);
    server.forget_tokens();
    let runs: Vec<_> = (0..6).map(|_| home.run(&server, &["t", "--no-login"]).stdout("let in\n").start()).collect();
    for run in runs {
        run.check();
    }
    assert_eq!(server.seen("POST /token").len(), 2);
    assert_eq!(home.store()["logins"].as_array().unwrap().len(), 1);
}

#[test]
fn a_script_is_told_how_to_log_in_for_more() {
    let server = AuthServer::start();
    server.scope("read");
    let home = Home::new();
    home.log_in(&server);
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"write all\"";
    server.reply("/mcp", Answer::status(403).header("WWW-Authenticate", challenge));
    let run = home.run(&server, &["t"]).code(3).stderr_has("wants more than the login allows: the scope \"write all\"");
    run.stderr_has(&format!("mcpcall login --url {} --scope 'read write all'", server.mcp())).check();
}

#[test]
fn a_store_that_is_damaged_is_told_and_replaced_by_nobody() {
    let server = AuthServer::start();
    let home = Home::new();
    std::fs::write(home.file(), "{\"logins\": [").unwrap();
    let run = home.run(&server, &["t", "--no-login"]).code(3);
    run.stderr_has("auth.json is damaged at line 1").stderr_has("wants authorization").check();
    let run = home.run(&server, &["t"]).args(browser()).stdout("let in\n");
    run.stderr_has("the login is not kept").check();
    assert_eq!(std::fs::read_to_string(home.file()).unwrap(), "{\"logins\": [");
    mcpcall(["auth", "status", "--state-dir"]).args([home.0.path()]).code(3).stderr_has("is damaged").check();
}

#[test]
fn a_registration_is_used_again_with_its_issuer_only() {
    let server = AuthServer::start();
    let home = Home::new();
    home.log_in(&server);
    home.log_in(&server);
    assert_eq!(server.seen("POST /register").len(), 1);
    let other = AuthServer::start();
    home.log_in(&other);
    assert_eq!(other.seen("POST /register").len(), 1);
    assert_eq!(home.store()["logins"].as_array().unwrap().len(), 2);
    // A server that has forgotten it is asked for a new one next time.
    server.reply("/token", Answer::json(401, r#"{"error": "invalid_client"}"#));
    let run = home.run(&server, &["login"]).args(browser()).code(3);
    run.stderr_has("invalid_client").stderr_has("try again").check();
    server.as_usual("/token");
    home.log_in(&server);
    assert_eq!(server.seen("POST /register").len(), 2);
}

#[test]
fn a_token_of_ones_own_is_sent() {
    let server = AuthServer::start();
    let run = |args: &[&str]| mcpcall(args).url(&server.mcp());
    run(&["t", "--bearer-env", "TOKEN"]).env("TOKEN", "mine\n").code(3).stderr_has("wants authorization").check();
    assert_eq!(server.seen("POST /mcp").last().unwrap().headers["authorization"], "Bearer mine");
    run(&["t", "--bearer-env", "TOKEN"]).code(2).stderr_has("--bearer-env TOKEN: there is no such variable").check();
    for (args, words) in [
        (&["t", "--bearer-env", "TOKEN", "-H", "authorization: x"][..], "exclude each other"),
        (&["t", "--bearer-env", "TOKEN", "--client-id", "x"], "--client-id does not go with a token of your own"),
        (&["login", "--bearer-env", "TOKEN"], "there is nothing to log in to"),
        (&["login", "--no-login"], "--no-login does not go with login"),
        (&["t", "--grant", "client-credentials"], "--grant client-credentials needs --client-id"),
        (&["t", "--grant", "client-credentials", "--client-id", "x"], "needs --client-secret-file or --client-key"),
        (&["t", "--grant", "jwt-bearer", "--client-id", "x"], "--grant jwt-bearer needs --assertion-file"),
        (&["t", "--grant", "id-jag", "--client-id", "x"], "--grant id-jag needs --idp-token-url"),
        (&["t", "--client-metadata-url", "http://x/y"], "not an https URL with a path"),
        (&["t", "--redirect-uri", "http://127.0.0.1:0/y"], "port 0 is no place to come back to"),
        (&["t", "--client-key", "x"], "--client-key goes with --client-id or --client-metadata-url only"),
        (&["t", "--assertion-file", "x"], "--assertion-file goes with --grant jwt-bearer only"),
        (&["t", "--idp-client-secret-file", "x"], "--idp-client-secret-file goes with --grant id-jag only"),
        (&["t", "--redirect-uri", "https://x/y"], "not of the form http://127.0.0.1:PORT/PATH"),
        (&["t", "--client-id", "x", "--client-secret-file", "missing"], "--client-secret-file missing: No such file"),
    ] {
        run(args).env("TOKEN", "mine").code(2).stderr_has(words).check();
    }
    let stdio = |args: &[&str]| mcpcall(args).stdio("true").code(2);
    stdio(&["t", "--bearer-env", "TOKEN"]).stderr_has("--bearer-env goes with --url only").check();
    stdio(&["t", "--scope", "x"]).stderr_has("--scope goes with --url only").check();
}

#[test]
fn a_server_without_any_of_it_is_left_alone() {
    let server = AuthServer::start();
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register"] {
        server.reply(path, Answer::status(404));
    }
    let home = Home::new();
    let run = home.run(&server, &["t"]).args(browser()).code(3);
    run.stderr_has("wants authorization: HTTP 401").stderr_has("--bearer-env VAR sends a token").check();
    assert!(server.seen("GET /authorize").is_empty());
    let run = home.run(&server, &["login"]).args(browser()).code(3);
    run.stderr_has("does not register this client: HTTP 404").stderr_has("--client-id ID").check();
    assert!(!Path::new(&home.file()).exists());
}
