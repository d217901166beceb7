//! How a version is agreed on: `auto` opens with the handshake, `modern` makes a request of 2026-07-28 and never falls
//! back, and a tool is never called in an era that the server has not shown to speak.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use crate::support::scripted::{Case, case};
use serde_json::Value;

/// What must come of a mode: exit code, stdout, words on stderr.
type Outcome = (i32, &'static str, &'static str);

const LEGACY: Outcome = (0, "legacy ok\n", "");
const MODERN: Outcome = (0, "modern ok\n", "");
/// The handshake is refused and nothing else is allowed.
const TRY_MODERN: Outcome = (4, "", "--protocol modern may work");
/// The server is of the handshake era, and nothing else is allowed.
const TRY_LEGACY: Outcome = (4, "", "--protocol legacy may work");

/// Case, mode, and what comes of it under `auto`, `legacy` and `modern`.
const TABLE: &[(&str, &str, Outcome, Outcome, Outcome)] = &[
    ("http_probe", "400session", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "400text", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "400empty", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "400version", LEGACY, LEGACY, (4, "", "supported versions: 2025-06-18")),
    ("http_probe", "400init", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "404html", LEGACY, LEGACY, TRY_LEGACY),
    // `server/discover` is not there, which the handshake's refusal leaves to ask for: no era is shown.
    ("http_probe", "404rpc", (4, "", "handshake failed: "), TRY_MODERN, MODERN),
    ("http_probe", "405", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "406", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "200err", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "200errsse", LEGACY, LEGACY, TRY_LEGACY),
    ("http_probe", "200obj", LEGACY, LEGACY, (4, "", "ended its response without an answer")),
    ("http_probe", "500", LEGACY, LEGACY, (4, "", "HTTP 500")),
    ("http_probe", "hang", LEGACY, LEGACY, (124, "", "no answer to tools/list within 1 s")),
    ("http_probe", "newer", LEGACY, LEGACY, (4, "", "2099-01-01")),
    ("http_probe", "older", LEGACY, LEGACY, (4, "", "--protocol 2025-11-25 may work")),
    ("http_probe", "mismatch", LEGACY, LEGACY, (6, "", "-32020")),
    ("http_probe", "auth", LEGACY, LEGACY, (3, "", "HTTP 401")),
    ("http_probe", "ok", MODERN, TRY_MODERN, MODERN),
    ("stdio_legacy_probe", "silent", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "silent_strict", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "32602", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "32600", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "32000", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "0", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "nullid", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "die", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "result", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "crashlog", LEGACY, LEGACY, TRY_LEGACY),
    ("stdio_legacy_probe", "newer", LEGACY, LEGACY, (4, "", "2099-01-01")),
    ("stdio_legacy_probe", "both", LEGACY, LEGACY, (4, "", "--protocol 2025-11-25 may work")),
    ("stdio_legacy_probe", "toolsfirst", MODERN, TRY_MODERN, MODERN),
];

/// Runs every mode of a case under each `--protocol`.
fn each_mode(name: &str) {
    for (_, mode, auto, legacy, modern) in TABLE.iter().filter(|row| row.0 == name) {
        for (protocol, (code, stdout, words)) in [("auto", auto), ("legacy", legacy), ("modern", modern)] {
            let Some(server) = case(name, &[mode]) else { return };
            let run = mcpcall(["t", "--protocol", protocol, "--connect-timeout", "1", "--timeout", "1"]).on(&server);
            let output = run.any_stderr().run();
            let what = format!("{name} {mode} under {protocol}");
            assert_eq!((output.code, output.stdout.as_str()), (*code, *stdout), "{what}\n{}", output.report());
            assert!(output.stderr.contains(words), "{what}: {words:?}\n{}", output.report());
            let own: Vec<&str> = output.stderr.lines().filter(|line| line.contains("may work")).collect();
            assert!(!words.is_empty() || own.is_empty(), "{what}\n{}", output.report());
            output.nothing_left_running();
            // -32020 is an error of 2026-07-28, so that one is shown.
            received(&server, protocol, matches!(code, 0 | 6), &what);
        }
    }
}

/// What the server may have got.
fn received(server: &Case, protocol: &str, is_shown: bool, what: &str) {
    let got = server.received();
    let of = |method: &str| got.iter().filter(|message| message["method"] == method).collect::<Vec<_>>();
    let version = |message: &Value| message.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").cloned();
    let story = || format!("{what}: {got:?}");
    assert_eq!(of("tools/call").len(), usize::from(is_shown), "{}", story());
    let n_openings = of("initialize").len();
    assert!(if protocol == "modern" { n_openings == 0 } else { n_openings == 1 }, "{}", story());
    if protocol == "legacy" {
        assert!(got.iter().all(|message| version(message).is_none()), "{}", story());
    }
    // The handshake comes before everything else and is finished before the tool is called.
    if n_openings == 1 {
        assert_eq!(got[0]["method"], "initialize", "{}", story());
    }
    if is_shown && version(of("tools/call")[0]).is_none() {
        assert_eq!(got[1]["method"], "notifications/initialized", "{}", story());
    }
    for entry in server.log().iter().filter(|entry| entry["got"]["method"] == "initialize") {
        let headers = &entry["headers"];
        assert!(headers["mcp-protocol-version"].is_null() && headers["mcp-session-id"].is_null(), "{}", story());
    }
    assert!(got.len() <= 6, "{}", story());
}

#[test]
fn each_http_server_is_spoken_to_in_an_era_it_has_shown() {
    each_mode("http_probe");
}

#[test]
fn each_stdio_server_is_spoken_to_in_an_era_it_has_shown() {
    each_mode("stdio_legacy_probe");
}

#[test]
fn a_call_without_a_list_is_proven_first_too() {
    // On stdio the tool need not be listed, so that the call would be the first message.
    for (mode, words) in [("silent", "no answer to server/discover"), ("32602", "error -32602"), ("result", "discover")]
    {
        let Some(server) = case("stdio_legacy_probe", &[mode]) else { return };
        let run = mcpcall(["t", "--protocol", "modern", "--no-validate", "--connect-timeout", "1"]).on(&server);
        run.code(4).stderr_has("does not speak 2026-07-28").stderr_has(words).check().nothing_left_running();
        assert!(!server.methods().contains(&"tools/call".to_owned()), "{mode}: {:?}", server.methods());
    }
    let Some(server) = case("stdio_legacy_probe", &["toolsfirst"]) else { return };
    mcpcall(["t", "--protocol", "modern", "--no-validate"]).on(&server).stdout("modern ok\n").check();
    assert_eq!(server.methods(), ["server/discover", "tools/call"]);
    // `request` names any method, this one too.
    let Some(server) = case("http_probe", &["400text"]) else { return };
    let run = mcpcall(["request", "tools/call", r#"{"name": "t"}"#, "--protocol", "modern"]).on(&server);
    run.code(4).stderr_has("--protocol legacy may work").check();
    assert_eq!(server.methods(), ["server/discover"]);
}

// A server inside the test, for what the cases do not do.

const TOOLS: &str = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#;
const OK: &str = r#"{"resultType":"complete","content":[{"type":"text","text":"ok"}]}"#;

/// -32022 with these versions.
fn unsupported(versions: &str) -> Reply {
    let error = format!(r#"{{"code":-32022,"message":"no","data":{{"supported":{versions},"requested":"x"}}}}"#);
    Reply::body(400, "application/json", &format!(r#"{{"jsonrpc":"2.0","id":$id,"error":{error}}}"#))
}

/// The requests that came, in order.
fn names(server: &Scripted) -> Vec<String> {
    server.requests().into_iter().map(|request| request.name).collect()
}

#[test]
fn a_server_that_names_its_versions_gets_one_of_them() {
    // What the list is, the requests that follow, code and words. The first is made in 2026-07-28.
    let mixed = r#"["2026-07-28","2025-11-25"]"#;
    let server = HttpScript::new()
        .step("POST tools/list", unsupported(mixed))
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .start();
    mcpcall(["t", "--protocol", "modern"]).on(&server).stdout("ok\n").check();
    // Never asked again and again.
    let server =
        HttpScript::new().step("POST tools/list", unsupported(mixed)).step("POST tools/list", unsupported(mixed));
    let server = server.step("POST tools/call", unsupported(mixed)).step("POST tools/call", unsupported(mixed)).start();
    let run = mcpcall(["t", "--protocol", "modern"]).on(&server);
    run.code(6).stderr_has("error: tools/call: the server answered error -32022").check();
    for (versions, words) in [
        (r#"["2025-11-25","2025-06-18"]"#, "--protocol 2025-11-25 may work"),
        (r#"["2024-11-05"]"#, "--protocol 2024-11-05 may work"),
        (r#"["2099-01-01"]"#, "2099-01-01"),
        ("[]", "-32022"),
    ] {
        let server = HttpScript::new().step("POST tools/list", unsupported(versions)).start();
        let output = mcpcall(["t", "--protocol", "modern"]).on(&server).code(4).stderr_has(words).check();
        assert!(!output.stderr.contains("--protocol legacy"), "{}", output.report());
    }
}

#[test]
fn a_handshake_that_is_answered_with_versions_goes_on_in_one_of_them() {
    let initialized = |version: &str| {
        let result = format!(r#"{{"protocolVersion":"{version}","capabilities":{{}},"serverInfo":{{"name":"s"}}}}"#);
        HttpScript::new()
            .always("GET", Reply::status(405))
            .step("POST initialize", unsupported(&format!(r#"["{version}"]"#)))
            .step("POST initialize", Reply::result(&result))
            .step("POST notifications/initialized", Reply::status(202))
            .step("POST tools/list", Reply::result(TOOLS))
            .step("POST tools/call", Reply::result(OK))
            .start()
    };
    for protocol in ["auto", "legacy"] {
        let server = initialized("2025-06-18");
        mcpcall(["t", "--protocol", protocol]).on(&server).stdout("ok\n").check();
        assert_eq!(server.requests()[1].body["params"]["protocolVersion"], "2025-06-18");
    }
    let both = r#"["2026-07-28","2025-06-18"]"#;
    let server = HttpScript::new()
        .step("POST initialize", unsupported(both))
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .start();
    mcpcall(["t"]).on(&server).stdout("ok\n").check();
    for (protocol, versions, words) in [
        ("legacy", r#"["2026-07-28"]"#, "--protocol modern may work"),
        ("2025-03-26", r#"["2026-07-28"]"#, "--protocol modern may work"),
        ("auto", r#"["2099-01-01"]"#, "2099-01-01"),
        ("legacy", r#"["2099-01-01"]"#, "2099-01-01"),
    ] {
        let server = HttpScript::new().step("POST initialize", unsupported(versions)).start();
        mcpcall(["t", "--protocol", protocol]).on(&server).code(4).stderr_has(words).check();
    }
}

#[test]
fn a_server_that_wants_credentials_or_is_busy_is_not_taken_for_an_old_one() {
    for (status, code) in [(401, 3), (403, 3), (429, 4), (500, 4), (502, 4), (503, 4)] {
        for (args, first) in [
            (&["t"][..], "POST tools/list"),
            (&["list"], "POST tools/list"),
            (&["request", "tools/call", r#"{"name": "t"}"#], "POST server/discover"),
            (&["listen"], "POST server/discover"),
        ] {
            let server = HttpScript::new().step(first, Reply::body(status, "text/plain", "not now")).start();
            let run = mcpcall(args).args(["--protocol", "modern"]).on(&server).code(code);
            let output = run.stderr_has(&format!("HTTP {status}")).stderr_has("not now").check();
            assert!(!output.stderr.contains("--protocol"), "{}", output.report());
            assert!(!output.stderr.contains("2026-07-28"), "{}", output.report());
        }
        // Nor is the handshake given up for 2026-07-28 then.
        let server = HttpScript::new().step("POST initialize", Reply::body(status, "text/plain", "not now")).start();
        mcpcall(["t"]).on(&server).code(code).stderr_has(&format!("HTTP {status}")).check();
    }
}

#[test]
fn a_modern_call_takes_two_requests() {
    let server = HttpScript::new()
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .start();
    let run = mcpcall(["t", "--protocol", "modern", "--trace-file", "trace"]).on(&server);
    let output = run.stdout("ok\n").check();
    assert_eq!(names(&server), ["POST tools/list", "POST tools/call"]);
    for request in server.requests() {
        assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"), "{}", request.name);
        assert_eq!(request.header("mcp-method"), request.name.strip_prefix("POST "), "{}", request.name);
        assert_eq!(request.header("mcp-session-id"), None, "{}", request.name);
    }
    let trace: Vec<Value> = output.file("trace").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(trace.len() >= 4, "{trace:?}");
    assert!(trace.iter().all(|entry| entry["era"] == "modern"), "{trace:?}");
}

each_peer!([rounds_python_http, rounds_node_http] fn a_modern_call_takes_two_requests_of_the_sdks_too(server) {
    mcpcall(["greet", "--protocol", "modern"]).on(server).stdout("Hello, World!\n").check();
    let methods: Vec<Value> = server.log().iter().map(|entry| entry["method"].clone()).collect();
    assert_eq!(methods, ["tools/list", "tools/call"]);
});
