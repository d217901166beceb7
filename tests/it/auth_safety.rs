//! What servers and networks may try while somebody logs in: each ends with one clear sentence, and nothing secret is
//! shown or sent to anybody else.

use crate::support::auth_server::{Answer, AuthServer, browser};
use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;
use serde_json::json;

const PROTECTED: &str = "/.well-known/oauth-protected-resource/mcp";
const METADATA: &str = "/.well-known/oauth-authorization-server";

/// A login that must come to nothing.
struct Attempt {
    /// What the servers do.
    faults: fn(&AuthServer),
    /// What stands in the error.
    words: &'static str,
    /// Whether a code or a token was asked for.
    asks: &'static [&'static str],
}

const ATTEMPTS: &[Attempt] = &[
    Attempt {
        faults: |server| server.metadata("issuer", json!("https://evil.example")),
        words: "calls itself \"https://evil.example\": not used",
        asks: &[],
    },
    Attempt {
        faults: |server| server.metadata("code_challenge_methods_supported", json!(["plain"])),
        words: "does not say that it takes PKCE with S256",
        asks: &[],
    },
    Attempt {
        faults: |server| {
            server.reply(
                PROTECTED,
                Answer::json(200, r#"{"resource": "https://evil.example/mcp", "authorization_servers": ["$origin"]}"#),
            );
        },
        words: "is that of another resource, https://evil.example/mcp",
        asks: &[],
    },
    Attempt {
        faults: |server| {
            server.reply(
                PROTECTED,
                Answer::json(200, r#"{"resource": "$origin/mcp", "authorization_servers": ["http://as.example"]}"#),
            );
        },
        words: "http://as.example is plain http, which others can read",
        asks: &[],
    },
    Attempt {
        faults: |server| {
            server.reply(
                PROTECTED,
                Answer::json(
                    200,
                    r#"{"resource": "$origin/mcp", "authorization_servers": ["https://169.254.169.254"]}"#,
                ),
            );
        },
        words: "169.254.169.254 is a private address",
        asks: &[],
    },
    Attempt {
        faults: |server| server.metadata("authorization_endpoint", json!("javascript:alert(1)")),
        words: "authorization_endpoint of",
        asks: &[],
    },
    Attempt {
        faults: |server| server.metadata("token_endpoint", json!("http://token.example/")),
        words: "http://token.example is plain http",
        asks: &[],
    },
    Attempt {
        faults: |server| server.reply(METADATA, Answer::redirect("$origin/.well-known/oauth-authorization-server")),
        words: "redirected more than 5 times",
        asks: &[],
    },
    Attempt {
        faults: |server| server.reply(METADATA, Answer::redirect("http://169.254.169.254/latest/meta-data")),
        words: "which others can read",
        asks: &[],
    },
    Attempt {
        faults: |server| {
            server.reply(METADATA, Answer::json(200, format!("{{\"issuer\": \"{}\"}}", "x".repeat(1 << 21))));
        },
        words: "the answer is larger than 1048576 bytes",
        asks: &[],
    },
    Attempt {
        faults: |server| {
            server.reply("/authorize", Answer::redirect("$redirect?code=st0len&state=another&iss=$origin"))
        },
        words: "its state is another one",
        asks: &["GET /authorize"],
    },
    Attempt {
        faults: |server| {
            server.reply(
                "/authorize",
                Answer::redirect("$redirect?code=st0len&state=$state&iss=https%3A%2F%2Fevil.example"),
            );
        },
        words: "comes from \"https://evil.example\": not used",
        asks: &["GET /authorize"],
    },
    Attempt {
        faults: |server| server.reply("/authorize", Answer::redirect("$redirect?code=st0len&state=$state")),
        words: "does not say that it is from there (iss)",
        asks: &["GET /authorize"],
    },
    Attempt {
        faults: |server| {
            let to = "$redirect?error=access_denied&error_description=not%20you%1b%5B2J&state=$state&iss=$origin";
            server.reply("/authorize", Answer::redirect(to));
        },
        words: "refused the login: access_denied: not you\\u{1b}[2J",
        asks: &["GET /authorize"],
    },
    // A code that somebody has used before.
    Attempt {
        faults: |server| {
            server.reply("/authorize", Answer::redirect("$redirect?code=used-up&state=$state&iss=$origin"))
        },
        words: "gives no token: invalid_grant",
        asks: &["GET /authorize", "POST /token"],
    },
    Attempt {
        faults: |server| {
            server.reply(
                "/token",
                Answer::json(400, r#"{"error": "invalid_grant", "error_description": "the code $code is bad"}"#),
            );
        },
        words: "invalid_grant: the code *** is bad",
        asks: &["GET /authorize", "POST /token"],
    },
    Attempt {
        faults: |server| server.reply("/token", Answer::redirect("$origin/elsewhere")),
        words: "redirected (302), and secrets are not sent on",
        asks: &["GET /authorize", "POST /token"],
    },
    Attempt {
        faults: |server| {
            server.reply("/token", Answer::json(200, r#"{"access_token": "a\nb", "token_type": "Bearer"}"#))
        },
        words: "has characters that no token may have",
        asks: &["GET /authorize", "POST /token"],
    },
    Attempt {
        faults: |server| server.reply("/token", Answer::json(200, r#"{"access_token": "x", "token_type": "mac"}"#)),
        words: "is of type \"mac\", which is not known here",
        asks: &["GET /authorize", "POST /token"],
    },
    // A token that the server itself does not take: nobody is asked again.
    Attempt {
        faults: |server| {
            server.reply("/token", Answer::json(200, r#"{"access_token": "unheard-of", "token_type": "Bearer"}"#))
        },
        words: "refuses the token that http",
        asks: &["GET /authorize", "POST /token"],
    },
];

#[test]
fn what_must_not_be_believed_ends_the_login() {
    for (at, attempt) in ATTEMPTS.iter().enumerate() {
        let server = AuthServer::start();
        (attempt.faults)(&server);
        let output = mcpcall(["t", "--trace-file", "trace"]).args(browser()).url(&server.mcp()).run();
        assert_eq!(output.code, 3, "{at}: {}", output.report());
        assert!(output.stderr.contains(attempt.words), "{at}: {}\n{:?}", output.report(), server.lines());
        let asked: Vec<String> =
            server.lines().into_iter().filter(|line| line == "GET /authorize" || line == "POST /token").collect();
        assert_eq!(asked, attempt.asks, "{at}: {}", output.report());
        server.nothing_secret_in(&output.stderr);
        server.nothing_secret_in(&output.file("trace"));
        assert!(!output.stderr.contains('\x1b'), "{at}");
    }
}

#[test]
fn a_server_outside_may_not_lead_inside() {
    // The proxy plays the whole internet.
    let proxy = AuthServer::start();
    let inside = AuthServer::start();
    for link in [format!("{}/secret", inside.origin), "http://10.0.0.1/x".into(), "http://169.254.169.254/x".into()] {
        proxy.reply(
            "/mcp",
            Answer::status(401).header("WWW-Authenticate", &format!("Bearer resource_metadata=\"{link}\"")),
        );
        let run = mcpcall(["t", "--url", "http://mcp.example/mcp", "--insecure-http", "--proxy", &proxy.origin]);
        run.args(browser()).code(3).stderr_has("is a private address, which a server outside may not lead to").check();
    }
    assert!(inside.lines().is_empty());
    assert!(proxy.lines().iter().all(|line| line == "POST /mcp"), "{:?}", proxy.lines());
}

#[test]
fn nobody_logs_in_where_others_can_read() {
    let proxy = AuthServer::start();
    let run = || mcpcall(["t", "--url", "http://mcp.example/mcp", "--proxy", &proxy.origin]).args(browser()).code(3);
    run().stderr_has("no login: http://mcp.example is plain http").stderr_has("--insecure-http allows it").check();
    assert_eq!(proxy.lines(), ["POST /mcp"]);
    // Then it goes on, to where the next trap is.
    run().args(["--insecure-http"]).stderr_has("is a private address").check();
}

#[test]
fn a_token_goes_to_its_server_alone() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str], url: &str| mcpcall(args).url(url).args(["--state-dir"]).args([folder.path()]);
    run(&["login"], &server.mcp()).args(browser()).any_stdout().any_stderr().check();
    let elsewhere = AuthServer::start();
    server.reply("/mcp", Answer::status(307).header("Location", &elsewhere.mcp()));
    run(&["t", "-H", "X-Key: k3y"], &server.mcp()).code(4).stderr_has("to another origin").check();
    assert!(elsewhere.lines().is_empty());
    // Nor does another path of the same origin get it.
    server.as_usual("/mcp");
    let other = HttpScript::new().step("POST initialize", Reply::status(401)).start();
    run(&["t", "--no-login"], &other.url()).code(3).any_stderr().check();
    assert_eq!(other.requests()[0].header("authorization"), None);
    run(&["t", "--no-login"], &format!("{}/mcp2", server.origin)).code(4).any_stderr().check();
    assert!(server.seen("POST /mcp2").iter().all(|seen| !seen.headers.contains_key("authorization")));
}

#[test]
fn nothing_secret_is_shown_anywhere() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let base = |args: &[&str]| {
        let run = mcpcall(args).url(&server.mcp()).args(["--state-dir"]).args([folder.path()]);
        run.args(["--trace", "--trace-file", "trace", "-v"])
    };
    let mut shown = String::new();
    let secret = ["--client-id", "mine", "--client-secret-file", "secret"];
    server.metadata("token_endpoint_auth_methods_supported", json!(["client_secret_post"]));
    for args in
        [&["login"][..], &["t"], &["t", "--junit", "report.xml"], &["auth", "status"], &["t", "--json"], &["logout"]]
    {
        let run = base(args).args(browser()).args(secret).file("secret", "cl1ent-s3cret");
        let output = run.any_stdout().any_stderr().run();
        assert_eq!(output.code, 0, "{}", output.report());
        shown += &output.stdout;
        shown += &output.stderr;
        if args.contains(&"--junit") {
            shown += &output.file("report.xml");
        }
        if args != ["auth", "status"] {
            shown += &output.file("trace");
        }
        if args == ["t"] {
            server.forget_tokens();
        }
    }
    assert!(shown.contains("POST ") && shown.contains("/token"), "the trace shows what was asked");
    let secrets = server.secrets();
    assert!(secrets.iter().any(|secret| secret == "cl1ent-s3cret") && secrets.len() > 8, "{secrets:?}");
    server.nothing_secret_in(&shown);
}

#[test]
fn a_token_that_a_server_repeats_is_hidden() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let run = mcpcall(args).url(&server.mcp()).args(["--state-dir"]).args([folder.path()]);
        run.args(["--trace", "--trace-file", "trace", "--report", "page.html"])
    };
    run(&["login"]).args(browser()).any_stdout().any_stderr().check();
    let error = r#"{"jsonrpc": "2.0", "id": $id, "error": {"code": -1, "message": "not $authorization", "data": {"was": "$authorization"}}}"#;
    for answer in [
        Answer::json(200, error),
        Answer::json(500, "no $authorization").header("X-Echo", "$authorization"),
        Answer::json(403, "no").header("WWW-Authenticate", "Bearer error=\"odd\", realm=\"$authorization\""),
    ] {
        server.reply("/mcp", answer);
        for json in [&[][..], &["--json"]] {
            let args: Vec<&str> = ["t", "--no-login"].iter().chain(json).copied().collect();
            let output = run(&args).any_stdout().any_stderr().run();
            assert!(output.code > 2 && output.stderr.contains("***"), "{}", output.report());
            for text in [&output.stdout, &output.stderr, &output.file("trace"), &output.file("page.html")] {
                server.nothing_secret_in(text);
            }
        }
    }
    // A token of one's own, too.
    let output = run(&["t", "--bearer-env", "TOKEN"]).env("TOKEN", "my0wn-token").any_stdout().any_stderr().run();
    assert!(!output.stderr.contains("my0wn") && !output.file("page.html").contains("my0wn"), "{}", output.report());
}

#[test]
fn a_client_secret_that_is_repeated_is_hidden() {
    let server = AuthServer::start();
    server.reply("/token", Answer::json(400, r#"{"error": "odd", "error_description": "who is $authorization?"}"#));
    let run = mcpcall(["login", "--client-id", "mine", "--client-secret-file", "secret"]).url(&server.mcp());
    let output = run.args(browser()).file("secret", "cl1ent/s3cret").code(3).stderr_has("odd: who is Basic ***?").run();
    assert_eq!(output.code, 3, "{}", output.report());
    assert!(output.stderr.contains("odd: who is Basic ***?"), "{}", output.report());
}

#[test]
fn a_key_in_the_address_stays_here() {
    let server = AuthServer::start();
    server.reply(PROTECTED, Answer::status(404));
    server.reply("/.well-known/oauth-protected-resource", Answer::status(404));
    let folder = tempfile::tempdir().unwrap();
    let url = format!("{}?api_key=k3y-of-mine", server.mcp());
    let run = |args: &[&str]| mcpcall(args).url(&url).args(["--state-dir"]).args([folder.path()]);
    let output = run(&["login"]).args(browser()).any_stdout().any_stderr().check();
    let status = run(&["auth", "status"]).any_stdout().check();
    for text in [&output.stdout, &output.stderr, &status.stdout] {
        assert!(!text.contains("k3y"), "{text}");
    }
    assert_eq!(server.seen("GET /authorize")[0].form["resource"], server.mcp());
}

#[test]
fn metadata_is_looked_for_further_where_a_place_is_in_trouble() {
    let server = AuthServer::start();
    server.reply(PROTECTED, Answer::status(500));
    let place = "/.well-known/oauth-protected-resource";
    let document = r#"{"resource": "$origin/mcp", "authorization_servers": ["$origin"]}"#;
    server.reply(place, Answer::json(200, document));
    mcpcall(["t"]).args(browser()).url(&server.mcp()).stdout("let in\n").any_stderr().check();
    server.reply(place, Answer::status(404));
    let run = mcpcall(["t"]).args(browser()).url(&server.mcp()).code(3);
    run.stderr_has("/.well-known/oauth-protected-resource/mcp: HTTP 500").check();
}

#[test]
fn metadata_is_looked_for_further_whatever_a_place_refuses_with() {
    let document = r#"{"resource": "$origin/mcp", "authorization_servers": ["$origin"]}"#;
    for status in [400, 401, 403, 404, 405, 429] {
        let server = AuthServer::start();
        server.reply(PROTECTED, Answer::status(status));
        server.reply("/.well-known/oauth-protected-resource", Answer::json(200, document));
        // That of OAuth is not there, that of OpenID Connect is.
        server.reply(METADATA, Answer::status(status));
        let endpoints = r#""authorization_endpoint": "$origin/authorize", "token_endpoint": "$origin/token", "registration_endpoint": "$origin/register""#;
        let document = format!(r#"{{"issuer": "$origin", {endpoints}, "code_challenge_methods_supported": ["S256"]}}"#);
        server.reply("/.well-known/openid-configuration", Answer::json(200, document));
        mcpcall(["t"]).args(browser()).url(&server.mcp()).stdout("let in\n").any_stderr().check();
    }
}

#[test]
fn a_refusal_that_names_no_metadata_leads_to_the_usual_places() {
    let server = AuthServer::start();
    server.reply("/mcp", Answer::status(401));
    let run = mcpcall(["t"]).args(browser()).url(&server.mcp()).code(3);
    // It is never content; but it was asked with a token.
    run.stderr_has("refuses the token that http").check();
    assert!(server.lines().contains(&format!("GET {PROTECTED}")), "{:?}", server.lines());
}

#[test]
fn who_keeps_the_credentials_waiting_is_named() {
    let client = ["--grant", "client-credentials", "--client-id", "mine", "--client-secret-file", "secret"];
    for (path, answer) in [
        (PROTECTED, Answer::silence()),
        (METADATA, Answer::drip()),
        ("/token", Answer::silence()),
        ("/token", Answer::drip()),
    ] {
        let server = AuthServer::start();
        server.reply(path, answer);
        let run = mcpcall(["t", "--timeout", "1", "--connect-timeout", "1"]).args(client).file("secret", "cl1ent");
        let why = format!("initialize was not authorized within 1 s: no answer from {}{path}", server.origin);
        let hint = "--timeout SECONDS waits longer";
        run.url(&server.mcp()).code(124).stderr(format!("mcpcall: error: {why}\n  {hint}\n")).check();
    }
}

#[test]
fn a_renewal_that_never_comes_is_not_the_fault_of_the_call() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| mcpcall(args).url(&server.mcp()).args(["--state-dir"]).args([folder.path()]);
    // It is over as soon as it is given.
    server.lifetime(Some(0));
    run(&["login"]).args(browser()).any_stdout().any_stderr().check();
    server.reply("/token", Answer::silence());
    let run = || run(&["t", "--no-login", "--timeout", "1", "--connect-timeout", "1"]).code(124);
    run().stderr_has(&format!("was not authorized within 1 s: no answer from {}/token", server.origin)).check();
    // Nor is another process that is at it.
    let lock = std::fs::File::open(folder.path().join("auth.lock")).unwrap();
    lock.lock().unwrap();
    run().stderr_has("was not authorized within 1 s: another process holds the logins locked").check();
}

#[test]
fn a_client_that_was_registered_draws_no_line_of_its_own() {
    let server = AuthServer::start();
    let id = "a\\n  issuer  http://spoof.example\\u001b[2J";
    server.reply("/register", Answer::json(201, format!(r#"{{"client_id": "{id}"}}"#)));
    let run = mcpcall(["login"]).url(&server.mcp()).args(browser()).any_stderr();
    run.stdout_has("  client  a\\n  issuer  http://spoof.example\\u{1b}[2J\n").check();
}
