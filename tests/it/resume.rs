//! A call that was put down at its questions (`--stop-on-input --save-state`) and taken up again (`mcpcall resume`): what
//! the file holds, and what is wrong with one that was edited.

use crate::support::Target as _;
use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::{Run, mcpcall};
use serde_json::{Value, json};

const TOOLS: &str = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]}"#;
const OK: &str = r#"{"resultType":"complete","content":[{"type":"text","text":"ok"}]}"#;
/// With what a reader of JSON would change: an escape, a number that no float holds, a space.
const ASKS: &str = r#"{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}},"requestState":"\u0041 9007199254740993 \/"}"#;

/// A server at which a call stops.
fn asking() -> HttpScript {
    HttpScript::new().step("POST tools/list", Reply::result(TOOLS)).step("POST tools/call", Reply::result(ASKS))
}

/// The same, and the rest of the call.
fn finishing() -> HttpScript {
    asking().step("POST tools/list", Reply::result(TOOLS)).step("POST tools/call", Reply::result(OK))
}

/// Puts a call down and returns the file.
fn put_down(server: &Scripted, more: &[&str]) -> String {
    let run = mcpcall(["t", "a=b", "--stop-on-input", "--save-state", "s.json"]).args(more).on(server).code(7);
    run.stderr_has("asks for input: elicitation/create (who)")
        .stderr_has("mcpcall resume s.json goes on")
        .check()
        .file("s.json")
}

fn resume<'a>(state: &str) -> Run<'a> {
    mcpcall(["resume", "s.json", "--answer", "name=Ada"]).file("s.json", state)
}

#[test]
fn a_call_goes_on_where_it_was_put_down() {
    let server = finishing().start();
    let state = put_down(&server, &[]);
    resume(&state).stdout("ok\n").check();
    let requests = server.requests();
    let [first, second] = [&requests[1].body["params"], &requests[3].body["params"]];
    for key in ["name", "arguments"] {
        assert_eq!(first[key], second[key]);
    }
    assert_eq!(second["requestState"], "A 9007199254740993 /");
    assert_eq!(second["inputResponses"], json!({ "who": { "action": "accept", "content": { "name": "Ada" } } }));
}

#[test]
fn the_file_is_the_users_alone_and_holds_no_secrets() {
    let server = asking().start();
    let url = server.url().replace("http://", "http://user:SECRET-1@");
    let secrets = ["-H", "Authorization: Bearer SECRET-2", "--answer", "other=SECRET-3"];
    let run = mcpcall(["t", "--stop-on-input", "--save-state", "s.json"]).args(secrets).url(&url).code(7).any_stderr();
    let output = run.check();
    let state = output.file("s.json");
    assert!(!state.contains("SECRET"), "{state}");
    assert_eq!(output.mode("s.json"), 0o600);
    // The user has a say in what the file is called, and an older one is replaced whole.
    let told: Value = serde_json::from_str(&state).unwrap();
    assert_eq!((&told["mcpcall"], &told["protocol"], &told["round"]), (&json!(1), &json!("2026-07-28"), &json!(1)));
    assert_eq!(told["server"]["url"], server.url());
    assert!(state.contains(r#""\u0041 9007199254740993 \/""#), "the state stays byte for byte what it was: {state}");
}

each_peer!([rounds_python_stdio] fn no_environment_is_kept(server) {
    let run = mcpcall(["ask", "--stop-on-input", "--save-state", "s.json", "-e", "TOKEN=SECRET"]).on(server).code(7);
    let output = run.any_stderr().check();
    assert!(!output.file("s.json").contains("SECRET") && !output.file("s.json").contains("TOKEN"));
    assert_eq!(output.mode("s.json"), 0o600);
});

#[test]
fn an_older_file_is_replaced_with_its_permissions() {
    let server = asking().start();
    let run = mcpcall(["t", "--stop-on-input", "--save-state", "s.json"]).file("s.json", "x".repeat(100_000));
    let output = run.on(&server).code(7).any_stderr().check();
    assert!(serde_json::from_str::<Value>(&output.file("s.json")).is_ok());
    assert_eq!(output.mode("s.json"), 0o600);
}

#[test]
fn a_file_that_cannot_be_read_is_a_mistake() {
    let server = asking().start();
    let state = put_down(&server, &[]);
    let edited = |pointer: &str, value: Value| {
        let mut edited: Value = serde_json::from_str(&state).unwrap();
        *edited.pointer_mut(pointer).unwrap() = value;
        edited.to_string()
    };
    let without = |key: &str| {
        let mut edited: Value = serde_json::from_str(&state).unwrap();
        edited.as_object_mut().unwrap().remove(key);
        edited.to_string()
    };
    // The one server of this test has no step left: none of these may reach it.
    for (text, words) in [
        (String::new(), "is not what --save-state writes"),
        ("{".into(), "is not what --save-state writes"),
        ("[]".into(), "is not what --save-state writes"),
        ("not JSON".into(), "is not what --save-state writes"),
        (state[..state.len() / 2].to_owned(), "is not what --save-state writes"),
        (without("params"), "is not what --save-state writes, which has"),
        (without("result"), "is not what --save-state writes, which has"),
        (edited("/mcpcall", json!(2)), "mcpcall is 2, which another version of mcpcall wrote"),
        (edited("/mcpcall", json!("1")), "another version of mcpcall"),
        (edited("/protocol", json!("2025-11-25")), "protocol is \"2025-11-25\", in which no call is put down"),
        (edited("/protocol", json!("2099-01-01")), "protocol is \"2099-01-01\""),
        (edited("/protocol", json!(7)), "protocol is 7"),
        (edited("/params", json!([])), "params has no name"),
        (edited("/params/name", json!(7)), "params has no name"),
        (edited("/round", json!(-1)), "round is not a number"),
        (edited("/round", json!("x")), "round is not a number"),
        (edited("/result", json!({})), "result is not of resultType \"input_required\""),
        (edited("/result", json!({ "resultType": "input_required" })), "result asks for input, but has neither"),
        (edited("/result/inputRequests", json!([])), "result has inputRequests that are not an object"),
        (edited("/server", json!(7)), "the saved call names no server"),
        (edited("/server", json!({ "url": 7 })), "the saved call names no server"),
        (edited("/server", json!({ "command": [] })), "the saved call names no server"),
    ] {
        let output = resume(&text).code(2).stderr_has(words).check();
        assert_eq!(output.stderr.lines().filter(|line| line.contains("error:")).count(), 1, "{}", output.report());
    }
    mcpcall(["resume", "nothing.json"]).code(2).stderr_has("nothing.json: No such file").check();
    mcpcall(["resume", "."]).code(2).stderr_has("mcpcall: error: .: ").check();
    mcpcall(["resume"]).code(2).any_stderr().check();
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_file_that_cannot_be_written_is_a_mistake_and_nothing_is_lost() {
    for path in ["no/such/folder/s.json", "file/s.json", "."] {
        // Found out before the server is asked for anything.
        let run = mcpcall(["t", "--stop-on-input", "--save-state", path]).file("file", "");
        let run = run.args(["--", "sh", "-c", "touch started; cat >/dev/null"]).code(2);
        let output = run.stderr_has(&format!("mcpcall: error: --save-state {path}: ")).check();
        assert_eq!(output.files(), ["file"], "{path}");
    }
}

#[test]
fn a_file_that_was_there_stays_as_it_was_when_nothing_is_written() {
    let server = HttpScript::new()
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .start();
    let run = mcpcall(["t", "--stop-on-input", "--save-state", "s.json"]).file("s.json", "older").on(&server);
    let output = run.stdout("ok\n").check();
    assert_eq!(output.file("s.json"), "older");
    assert_eq!(output.files(), ["s.json"]);
}

#[test]
fn flags_that_do_not_go_together_are_a_mistake() {
    for (args, words) in [
        (&["--save-state", "s.json"][..], "--save-state goes with --stop-on-input"),
        (&["--stop-on-input", "--protocol", "legacy"], "--stop-on-input needs --protocol modern"),
        (&["--stop-on-input", "--protocol", "2025-11-25"], "--stop-on-input needs --protocol modern"),
        (&["--stop-on-input", "--protocol", "both"], "--stop-on-input does not go with --protocol both"),
        (&["--save-state", "s.json", "--protocol", "both"], "--save-state goes with --stop-on-input"),
    ] {
        // The server is not even started.
        let run = mcpcall(["t"]).args(args).args(["--", "sh", "-c", "touch started; cat >/dev/null"]).code(2);
        let output = run.stderr_has(words).check();
        assert!(output.files().is_empty(), "{args:?}: {}", output.report());
    }
    let server = asking().start();
    let state = put_down(&server, &[]);
    resume(&state)
        .args(["--save-state", "2.json"])
        .code(2)
        .stderr_has("--save-state goes with --stop-on-input")
        .check();
    for protocol in ["legacy", "2024-11-05", "both"] {
        let run = resume(&state).args(["--protocol", protocol]).code(2);
        run.stderr("mcpcall: error: the call was put down in 2026-07-28, and goes on in that\n").check();
    }
    assert_eq!(server.requests().len(), 2, "a mistake does not reach the server");
}

#[test]
fn without_a_file_the_questions_are_told() {
    let server = asking().start();
    let run = mcpcall(["t", "--stop-on-input"]).on(&server).code(7).stderr_has("elicitation/create (who)");
    run.stderr_has("--save-state FILE would write down where the call stands").check();
    let server = asking().start();
    let output = mcpcall(["t", "--stop-on-input", "--json"]).on(&server).code(7).any_stderr().check();
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "unanswered");
    assert_eq!(error["error"]["data"]["who"]["params"]["message"], "Name?");
}

each_peer!([rounds_python_stdio, rounds_python_http, rounds_node_http] fn another_server_does_not_know_the_call(server) {
    let output = mcpcall(["ask", "--stop-on-input", "--save-state", "s.json", "--protocol", "modern"]).on(server).code(7);
    let output = output.any_stderr().check();
    let state = output.file("s.json");
    // One that is not there.
    let run = resume(&state).args(["--url", "http://127.0.0.1:1/mcp"]).code(4);
    run.stderr_has("cannot connect to http://127.0.0.1:1/mcp").check();
    // One of the handshake era.
    let old = HttpScript::new().always("POST tools/list", Reply::status(400)).always("POST server/discover", Reply::status(400)).start();
    let run = resume(&state).url(&old.url()).code(4).stderr_has("does not speak 2026-07-28");
    run.check();
    // One that takes the state for a forgery.
    let error = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"Invalid or expired requestState"}}"#;
    let strange = HttpScript::new()
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::body(400, "application/json", error))
        .start();
    resume(&state).url(&strange.url()).code(6).stderr_has("Invalid or expired requestState").check();
    // The file is still good.
    resume(&state).stdout("Hello, Ada!\n").check();
});

#[test]
fn a_resumed_call_may_ask_for_a_lot_more() {
    // The round is counted on from where it was.
    let server = asking().step("POST tools/list", Reply::result(TOOLS)).start();
    let state = put_down(&server, &[]);
    let mut edited: Value = serde_json::from_str(&state).unwrap();
    edited["round"] = json!(11);
    resume(&edited.to_string()).code(6).stderr_has("more than 10 times").check();
}

#[test]
fn headers_are_given_again() {
    let server = finishing().start();
    let state = put_down(&server, &["-H", "X-Key: SECRET"]);
    resume(&state).args(["-H", "X-Key: again"]).stdout("ok\n").check();
    let keys: Vec<_> = server.requests().iter().map(|request| request.header("x-key").map(str::to_owned)).collect();
    assert_eq!(keys, ["SECRET", "SECRET", "again", "again"].map(|key| Some(key.to_owned())), "{}", server.story());
}
