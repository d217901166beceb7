//! A call, its question and its result, on every SDK and both transports.

use crate::support::peers::{Server, Transport};
use crate::support::run::{Stdin, mcpcall};
use serde_json::json;

each_peer!(fn a_question_is_answered_from_a_file(server) {
    mcpcall(["issue_card", "--auto-answer", "a.json"])
        .file("a.json", r#"{"name": "Ada Lovelace"}"#)
        .stdin(Stdin::Null)
        .on(server)
        .stdout("Card issued to Ada Lovelace.\n")
        .check()
        .nothing_left_running();
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["answer"], json!({"action": "accept", "content": {"name": "Ada Lovelace"}}));
});

each_peer!([rust_stdio, python_v2_http] fn stdin_may_be_closed(server) {
    let run = mcpcall(["issue_card", "--answer", "name=Ada"]).stdin(Stdin::Closed).on(server);
    run.stdout("Card issued to Ada.\n").check().nothing_left_running();
});

each_peer!(fn declining_is_an_answer(server) {
    mcpcall(["issue_card", "--on-elicit", "decline"]).on(server).stdout("No card issued.\n").check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["answer"]["action"], "decline");
});

each_peer!(fn cancelling_is_an_answer_too(server) {
    mcpcall(["issue_card", "--on-elicit", "cancel"]).on(server).stdout("No card issued.\n").check();
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["answer"]["action"], "cancel");
});

each_peer!(fn a_question_nobody_answers_is_refused_and_exits_7(server) {
    let run = mcpcall(["issue_card"]).on(server).code(7).stderr_has("nobody answered: What name should go on the card?");
    let run = run.stderr_has(r#""content":{"name":""}"#);
    // SDK 1.x makes a result of the refusal, the others a JSON-RPC error; exit 7 either way.
    let run = if server.peer.server == Server::PythonV1 { run.stdout_has("Elicitation not supported") } else { run };
    run.check();
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["error"]["code"], -32600);
    assert_eq!(entry["error"]["message"], "Elicitation not supported");
});

each_peer!(fn a_handler_is_a_declared_capability(server) {
    let features = |args: &[&str]| mcpcall(["client_features", "--json"]).args(args).on(server).any_stderr().run().json();
    assert_eq!(features(&["--answer", "name=Ada"])["structuredContent"], json!({"result": ["elicitation"]}));
    assert_eq!(features(&["--on-elicit", "cancel"])["structuredContent"], json!({"result": ["elicitation"]}));
    assert_eq!(features(&["--no-input"])["structuredContent"], json!({"result": []}));
    assert_eq!(features(&["--on-elicit", "fail"])["structuredContent"], json!({"result": []}));
});

each_peer!([python_v2_stdio, python_v2_http] fn the_declared_object_is_the_tables(server) {
    mcpcall(["client_features", "--answer", "name=Ada"]).on(server).stdout_has("elicitation").check();
    let entry = server.wait_for_entry(|entry| entry["call"] == "client_features");
    assert_eq!(entry["client"]["capabilities"], json!({"elicitation": {"form": {}, "url": {}}}));
    assert_eq!(entry["client"]["clientInfo"]["name"], "mcpcall");
});

each_peer!(fn typed_arguments_arrive_typed(server) {
    mcpcall(["add", "a=2", "b=3"]).on(server).stdout_has("5").check();
});

each_peer!([everything_stdio, everything_http] fn the_typescript_sdk_is_called_too(server) {
    mcpcall(["echo", "message=hello"]).on(server).stdout("Echo: hello\n").any_stderr().check().nothing_left_running();
    mcpcall(["get-sum", "a=2", "b=3"]).on(server).stdout_has("5").any_stderr().check();
});

each_peer!([everything_stdio, everything_http] fn the_typescript_sdk_asks_a_whole_form(server) {
    mcpcall(["trigger-elicitation-request", "--auto-answer", "a.json", "--json"])
        .file("a.json", r#"{"name": "Ada", "check": "yes", "color": "Blue"}"#)
        .on(server)
        .stdout_has("Ada")
        .any_stderr()
        .check();
});

each_peer!(fn tools_are_listed(server) {
    let output = mcpcall(["list"]).on(server).stdout_has("issue_card").check();
    let first = output.stdout.lines().find(|line| line.starts_with("issue_card")).unwrap();
    assert!(first.contains("Issue a new library card"), "{first}");
    let listed = mcpcall(["list", "tools", "--json"]).on(server).stdout_has("inputSchema").check().json();
    assert!(listed["tools"].as_array().unwrap().len() > 5);
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio, rust_http] fn older_versions_can_be_asked_for(server) {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let run = mcpcall(["add", "a=1", "b=1", "--protocol", version, "--trace"]).on(server);
        let trace = run.stdout_has("2").any_stderr().check().stderr;
        // What the server answered, not what it was asked for.
        let answered = |line: &str| -> Option<String> {
            let text = line.strip_prefix('<')?;
            let message: serde_json::Value = serde_json::from_str(&text[text.find('{')?..]).ok()?;
            Some(message["result"]["protocolVersion"].as_str()?.to_owned())
        };
        let answers: Vec<String> = trace.lines().filter_map(answered).collect();
        assert_eq!(answers, [version], "{trace}");
        // Both sides keep to it: over HTTP it goes with what follows, in the versions that know the header.
        let said: Vec<&str> =
            trace.lines().filter_map(|line| line.strip_prefix(">   mcp-protocol-version: ")).collect();
        let knows = server.peer.transport == Transport::Http && version >= "2025-06-18";
        assert_eq!(!said.is_empty(), knows, "{trace}");
        assert!(said.iter().all(|said| *said == version), "{trace}");
    }
});

each_peer!([python_v2_http, python_v1_http, rust_http] fn a_wire_session_is_kept_and_ended(server) {
    assert_eq!(server.peer.transport, Transport::Http);
    let trace = mcpcall(["add", "a=1", "b=1", "--trace"]).on(server).stdout_has("2").any_stderr().check().stderr;
    assert!(trace.contains("DELETE http://127.0.0.1"), "{trace}");
    assert!(trace.contains("Mcp-Session-Id: ***") || trace.contains("mcp-session-id: ***"), "{trace}");
});
