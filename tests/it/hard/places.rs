//! Nothing a server says steers a terminal, place by place: what is odd in its answers and is told, names that are proposed,
//! problems with what it wrote. Each is said by `stdio_says.py`, to a terminal that takes stdout too.

use crate::output::is_harmless;
use crate::support::run::mcpcall;
use crate::support::scripted::case;

/// What stands for each `EVIL` below, in JSON: the sequences of `stdio_hostile.py`, and a line of its own.
const EVIL: &str = r"x\u001b[6;7m\u001b]2;owned\u0007\u009b6;8m\u202e\u2066\rSPOOF\nSPOOF-E";

/// What is typed, what the server says, and the exit code.
type Place = (&'static [&'static str], &'static str, i32);

const CALL: &[&str] = &["t", "-v"];
const MODERN: &[&str] = &["t", "-v", "--protocol", "modern", "--no-input"];

const PLACES: &[Place] = &[
    // Results: links, kinds that nobody knows, bytes, values.
    (
        CALL,
        r#"tools/call = {"content":[{"type":"resource_link","uri":"a:EVIL","name":"EVIL","title":"EVIL","description":"EVIL","mimeType":"EVIL","annotations":{"audience":["EVIL"],"EVIL":1}}]}"#,
        0,
    ),
    (
        CALL,
        r#"tools/call = {"content":[{"type":"EVIL","EVIL":"EVIL"},{"type":"resource","resource":{"uri":"EVIL","mimeType":"EVIL","blob":""}}]}"#,
        0,
    ),
    (CALL, r#"tools/call = {"content":[],"structuredContent":{"EVIL":"EVIL"}}"#, 0),
    (&["t", "--select", "/none"], r#"tools/call = {"content":[],"EVIL":"EVIL"}"#, 8),
    (&["t", "--auto-answer", "e.json"], r#"tools/call = {"content":[{"type":"text","text":"EVIL"}]}"#, 8),
    (&["read", "a:b"], r#"resources/read = {"contents":[{"uri":"EVIL","mimeType":"EVIL","blob":"!EVIL"}]}"#, 6),
    (&["prompt", "p"], r#"prompts/get = {"EVIL":"EVIL"}"#, 6),
    (&["complete", "prompt:p", "x="], r#"completion/complete = {"completion":"EVIL"}"#, 6),
    // Errors.
    (
        CALL,
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":"EVIL","message":"EVIL","data":{"EVIL":"EVIL"}}}"#,
        6,
    ),
    (CALL, r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":"EVIL"}"#, 6),
    (
        &["t", "--on-elicit", "decline"],
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-32042,"message":"EVIL","data":{"elicitations":[{"mode":"url","elicitationId":"EVIL","message":"EVIL","url":"https://a.example/"}]}}}"#,
        6,
    ),
    (
        &["t", "--on-elicit", "decline"],
        r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","message":"EVIL","url":"javascript:EVIL"}} && answer : {"jsonrpc":"2.0","id":3,"result":{"content":[]}}"#,
        6,
    ),
    // Names of its own that are proposed, or asked for.
    (
        &["nothing"],
        r#"tools/list = {"tools":[{"name":"EVIL","inputSchema":{}},{"name":"nothinEVIL","inputSchema":{}}]} && tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"no"}}"#,
        6,
    ),
    (
        &["prompt", "nothing"],
        r#"prompts/list = {"prompts":[{"name":"EVIL"}]} && prompts/get : {"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"no"}}"#,
        6,
    ),
    (
        &["t", "y=1"],
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{"type":"object","required":["EVIL"],"properties":{"EVIL":{},"y":{"enum":["EVIL"]}}}}]}"#,
        2,
    ),
    (
        &["t", "y=1"],
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"y":{"pattern":"[EVIL"}}}}]}"#,
        2,
    ),
    (
        &["t", "--check"],
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"required":["EVIL"],"properties":{"y":{"const":"EVIL"},"EVIL":{}}}}]} && tools/call = {"content":[],"structuredContent":{"y":1}}"#,
        8,
    ),
    // What is odd, and told.
    (
        CALL,
        r#"tools/call : EVIL
$OK"#,
        0,
    ),
    (&["t", "--timeout", "1"], r#"tools/call : {"jsonrpc":"2.0","id":"EVIL","result":{}}"#, 124),
    (
        CALL,
        r#"tools/call : {"jsonrpc":"2.0","method":"notifications/EVIL","params":{"EVIL":"EVIL"}}
{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"EVIL","logger":"EVIL","data":{"EVIL":"EVIL"}}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":1,"message":"EVIL"}}
$OK"#,
        0,
    ),
    (
        CALL,
        r#"tools/call : {"jsonrpc":"2.0","id":"EVIL","method":"EVIL"}
{"jsonrpc":"2.0","id":"EVIL","method":"elicitation/create","params":"EVIL"}
$OK"#,
        0,
    ),
    (&["list"], r#"tools/list = {"tools":[],"nextCursor":"EVIL"}"#, 0),
    (&["list"], r#"tools/list = {"EVIL":"EVIL"}"#, 6),
    (CALL, r#"initialize = {"protocolVersion":"EVIL"}"#, 4),
    (CALL, r#"initialize = {"protocolVersion":"9999-01-01","capabilities":"EVIL"}"#, 0),
    (&["t", "--protocol", "modern"], r#"server/discover = {"supportedVersions":["EVIL"]}"#, 4),
    (MODERN, r#"tools/call = {"resultType":"EVIL"}"#, 6),
    (MODERN, r#"tools/call = {"resultType":"input_required","inputRequests":{"EVIL":{"method":"EVIL"}}}"#, 6),
    (
        MODERN,
        r#"tools/call = {"resultType":"input_required","inputRequests":{"EVIL":{"method":"elicitation/create","params":{"message":"EVIL","requestedSchema":{"type":"object","required":["EVIL"],"properties":{"EVIL":{"type":"string","title":"EVIL"}}}}}}}"#,
        7,
    ),
    (
        &["listen", "--count", "1"],
        r#"notifications/initialized : {"jsonrpc":"2.0","method":"notifications/EVIL","params":{"EVIL":"EVIL"}}"#,
        0,
    ),
];

#[test]
fn nothing_that_is_told_of_a_server_steers_a_terminal() {
    let expected = r#"{"expect": {"result": {"/content/0/text": "other"}}}"#;
    let mut wrong = Vec::new();
    for (args, words, code) in PLACES {
        let Some(server) = case("stdio_says", &[&words.replace("EVIL", EVIL)]) else { return };
        let run = mcpcall(args.iter().copied()).file("e.json", expected).on(&server);
        let end = run.stdout_at_terminal().terminal_of_size(60, 200).finish();
        is_harmless(&end.raw);
        let told = String::from_utf8_lossy(&end.raw).replace("\\u{1b}", "TOLD").replace("\\u001b", "TOLD");
        // No line of its own, but in results and what is logged, which have several.
        let has_lines = words.contains("notifications/message") || words.contains("\"text\":");
        let own = end.screen.lines().any(|line| line.starts_with("SPOOF"));
        if end.code != *code || !told.contains("TOLD") || (own && !has_lines) {
            wrong.push(format!("{args:?} {words}\n{}\n{}", end.code, end.screen));
        }
    }
    assert!(wrong.is_empty(), "exit code, nothing told, or a line of its own:\n{}", wrong.join("\n\n"));
}
