//! The headers of 2026-07-28 that repeat what the body says, against a server that compares both.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;
use crate::support::scripted::{Case, case};
use serde_json::{Value, json};

/// No header was wrong, and nothing came that a modern server has no use for.
#[track_caller]
fn nothing_bad(server: &Case) {
    let log = server.log();
    let bad: Vec<_> = log.iter().filter(|entry| entry["bad"].as_array().is_some_and(|bad| !bad.is_empty())).collect();
    assert!(bad.is_empty(), "{bad:?}");
    assert!(!server.methods().contains(&"initialize".to_owned()), "{:?}", server.methods());
    // A session id that is offered is not taken.
    assert!(log.iter().all(|entry| entry["headers"]["mcp-session-id"].is_null()));
}

/// The headers of the calls that came.
fn calls(server: &Case) -> Vec<Value> {
    let log = server.log().into_iter().filter(|entry| entry["got"]["method"] == "tools/call");
    log.map(|entry| entry["headers"].clone()).collect()
}

#[test]
fn any_name_gets_through() {
    let Some(server) = case("http_modern_headers", &[]) else { return };
    for (tool, header) in [
        ("weather.get", "weather.get"),
        ("a/b c", "a/b c"),
        ("größe", "=?base64?Z3LDtsOfZQ==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
    ] {
        mcpcall(["call", tool, "--protocol", "modern"]).on(&server).stdout("headers ok\n").check();
        assert_eq!(calls(&server).last().unwrap()["mcp-name"], header, "{tool}");
    }
    nothing_bad(&server);
}

#[test]
fn annotated_arguments_are_repeated() {
    let Some(server) = case("http_modern_headers", &[]) else { return };
    for (args, expected) in [
        (
            &["region=Hello, 世界", "limit=-7", r#"obj={"flag":true}"#][..],
            [Some("=?base64?SGVsbG8sIOS4lueVjA==?="), Some("-7"), Some("true")],
        ),
        (&["region=", "limit=0", "obj.flag:=false"], [Some(""), Some("0"), Some("false")]),
        (&["region= eu", "limit=9007199254740991"], [Some("=?base64?IGV1?="), Some("9007199254740991"), None]),
        (&["region=a\tb"], [Some("=?base64?YQli?="), None, None]),
        (&[r#"{"limit": 42.0, "obj": {}}"#], [None, Some("42"), None]),
        (&[], [None, None, None]),
        // Without a check of the arguments the schema is read nevertheless.
        (&["limit:=5", "--no-validate"], [None, Some("5"), None]),
    ] {
        // The case compares 42.0 with its own notation; all else it checks itself.
        let output = mcpcall(["call", "sql"]).args(args).args(["--protocol", "modern"]).on(&server).any_stderr().run();
        let is_checked = !args.iter().any(|arg| arg.contains("42.0"));
        assert_eq!((output.code, output.stdout.as_str()) == (0, "headers ok\n"), is_checked, "{}", output.report());
        let sent = calls(&server).pop().unwrap();
        let names = ["mcp-param-region", "mcp-param-limit", "mcp-param-flag"];
        assert_eq!(names.map(|name| sent[name].as_str()), expected, "{args:?}");
    }
}

#[test]
fn an_argument_that_is_null_has_no_header() {
    let Some(server) = case("http_modern_headers", &[]) else { return };
    let run = mcpcall(["call", "sql", "region:=null", "limit=1", "--no-validate", "--protocol", "modern"]);
    run.on(&server).stdout("headers ok\n").any_stderr().check();
    nothing_bad(&server);
    assert!(calls(&server)[0]["mcp-param-region"].is_null());
}

#[test]
fn a_tool_whose_annotations_break_the_rules_is_left_out_of_the_list() {
    let Some(server) = case("http_modern_headers", &[]) else { return };
    let warning =
        "mcpcall: warning: the tool badhdr is left out: x: x-mcp-header \"a b\" cannot be part of a header's name\n";
    let output = mcpcall(["list", "--protocol", "modern"]).on(&server).any_stdout().stderr(warning).check();
    assert_eq!(output.stdout.lines().count(), 6, "{}", output.report());
    assert!(output.stdout.contains("sql") && !output.stdout.contains("badhdr"), "{}", output.report());
    let output = mcpcall(["list", "--json", "--protocol", "modern"]).on(&server).any_stdout().stderr(warning).check();
    let tools = output.json()["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["weather.get", "a/b c", "größe", " padded ", "=?base64?x?=", "sql"]);
    // A call of another tool has nothing to do with it.
    mcpcall(["call", "weather.get", "--protocol", "modern"]).on(&server).stdout("headers ok\n").check();
    let run = mcpcall(["call", "badhdr", "x=1", "--protocol", "modern"]).on(&server).code(6);
    run.stderr_has("the tool badhdr must not be called: x: x-mcp-header \"a b\"").check();
}

#[test]
fn annotations_mean_nothing_elsewhere() {
    // On stdio there are no headers, and in the handshake era no such annotations.
    let tools = r#"{"tools":[{"name":"badhdr","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"a b"}}}}]}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(tools))
        .step("POST tools/call", Reply::result(r#"{"content":[{"type":"text","text":"ok"}]}"#))
        .start();
    mcpcall(["badhdr", "x=1"]).on(&server).stdout("ok\n").check();
    let request = server.requests().pop().unwrap();
    let call = server.requests().into_iter().find(|request| request.name == "POST tools/call").unwrap_or(request);
    assert_eq!((call.header("mcp-param-a b"), call.header("mcp-name"), call.header("mcp-method")), (None, None, None));
}

#[test]
fn headers_that_do_not_fit_any_more_are_made_anew_once() {
    let Some(server) = case("http_modern_headers", &["stale"]) else { return };
    let run = mcpcall(["call", "sql", "region=eu", "limit=1", "--protocol", "modern"]).on(&server);
    run.stdout("headers ok\n").check();
    assert_eq!(server.methods(), ["tools/list", "tools/call", "tools/list", "tools/call"]);
    let calls = calls(&server);
    assert_eq!(calls[0]["mcp-param-region"], calls[1]["mcp-param-region"]);
    // Under a new id.
    let ids: Vec<Value> = server.received().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
}

#[test]
fn the_newest_annotations_count() {
    let tools = |header: &str| {
        let property = json!({ "type": "string", "x-mcp-header": header });
        let schema = json!({ "type": "object", "properties": { "region": property } });
        let tools = json!([{ "name": "t", "inputSchema": schema }]);
        Reply::result(
            &json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "public", "tools": tools }).to_string(),
        )
    };
    let mismatch = || {
        let error = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32020,"message":"Header mismatch"}}"#;
        Reply::body(400, "application/json", error)
    };
    let ok = Reply::result(r#"{"resultType":"complete","content":[{"type":"text","text":"ok"}]}"#);
    let begun = || HttpScript::new().step("POST tools/list", tools("Old")).step("POST tools/call", mismatch());
    let server = begun().step("POST tools/list", tools("New")).step("POST tools/call", ok).start();
    mcpcall(["t", "region=eu", "--protocol", "modern"]).on(&server).stdout("ok\n").check();
    let call = server.requests().pop().unwrap();
    assert_eq!((call.header("mcp-param-old"), call.header("mcp-param-new")), (None, Some("eu")));
    // A second refusal is the end.
    let server = begun().step("POST tools/list", tools("New")).step("POST tools/call", mismatch()).start();
    mcpcall(["t", "region=eu", "--protocol", "modern"])
        .on(&server)
        .code(6)
        .stderr_has("-32020: Header mismatch")
        .check();
}

#[test]
fn a_uri_and_a_prompt_are_named_too() {
    let server = HttpScript::new()
        .step("POST resources/read", Reply::result(r#"{"resultType":"complete","contents":[]}"#))
        .step("POST prompts/get", Reply::result(r#"{"resultType":"complete","messages":[]}"#))
        .start();
    for (method, params) in [("resources/read", r#"{"uri": "res://größe"}"#), ("prompts/get", r#"{"name": "p q"}"#)] {
        mcpcall(["request", method, params, "--protocol", "modern"]).on(&server).any_stdout().check();
    }
    let names: Vec<_> = server.requests().iter().map(|request| request.header("mcp-name").map(str::to_owned)).collect();
    assert_eq!(names, [Some("=?base64?cmVzOi8vZ3LDtsOfZQ==?=".to_owned()), Some("p q".to_owned())]);
}
