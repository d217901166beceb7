//! Streamable HTTP: sessions, streams that break, redirects, refusals.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use crate::support::{poll, say};
use rustix::process::Signal;
use std::time::{Duration, Instant};

const TOOLS: &str = r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#;
const OK: &str = r#"{"content":[{"type":"text","text":"ok"}]}"#;

fn script() -> HttpScript {
    HttpScript::new().always("GET", Reply::status(405)).handshake().step("POST tools/list", Reply::result(TOOLS))
}

#[test]
fn a_stream_that_breaks_is_resumed_with_the_last_id() {
    let answer = r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"resumed"}]}}"#;
    let server = HttpScript::new()
        .handshake()
        .always("GET", Reply::status(405))
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::events("id: e7\nretry: 50\ndata:\n\n"))
        .step("GET after e7", Reply::events("id: e8\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"))
        .step("GET after e8", Reply::events(&format!("data: {answer}\n\n")))
        .start();
    mcpcall(["t"]).url(&server.url()).stdout("resumed\n").check();
    let requests = server.requests();
    let mut gets = requests.iter().filter(|request| request.name.starts_with("GET"));
    assert!(gets.all(|request| request.header("mcp-session-id") == Some("s1")));
}

#[test]
fn what_a_server_answers_instead_is_named() {
    let cases = [
        (Reply::body(404, "text/html", "<h1>nope</h1>"), 4, "is no MCP endpoint: HTTP 404 Not Found: <h1>nope</h1>"),
        (
            Reply::body(401, "text/plain", "who?").header("WWW-Authenticate", "Bearer realm=x"),
            3,
            "wants authorization: HTTP 401 Unauthorized: who? (Bearer realm=x)",
        ),
        (Reply::body(200, "text/html", "<html>login</html>"), 4, "neither JSON nor an event stream (text/html)"),
        (Reply::body(503, "text/plain", ""), 4, "HTTP 503 Service Unavailable"),
        (
            Reply::body(
                400,
                "application/json",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}"#,
            ),
            4,
            "handshake failed: initialize: the server answered error -32600: no",
        ),
    ];
    for (reply, code, words) in cases {
        // Under `auto`, what may come of the other era is asked in its words too.
        let server = HttpScript::new()
            .step("POST initialize", reply.clone())
            .always("POST server/discover", reply)
            .always("GET", Reply::status(405))
            .start();
        mcpcall(["t"]).url(&server.url()).code(code).stderr_has(words).check();
    }
}

#[test]
fn what_is_no_http_is_a_failure_to_connect() {
    for bytes in
        ["SSH-2.0-OpenSSH_9.9\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Type: application/json\r\n\r\n{"]
    {
        let server = HttpScript::new().step("POST initialize", Reply::raw(bytes)).start();
        mcpcall(["t"]).url(&server.url()).code(4).stderr_has("mcpcall: error: ").check();
    }
}

#[test]
fn an_answer_is_enough_though_its_stream_stays_open() {
    let answer = format!("data: {{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{OK}}}\n\n");
    let server = script().step("POST tools/call", Reply::events(&answer).stays_open()).start();
    let start = Instant::now();
    mcpcall(["t"]).url(&server.url()).stdout("ok\n").check();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn any_2xx_acknowledges_a_notification() {
    for reply in [
        Reply::status(200),
        Reply::status(204),
        Reply::body(200, "application/json", "{}"),
        Reply::body(202, "text/plain", "ok"),
    ] {
        let result = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}"#;
        let server = HttpScript::new()
            .always("GET", Reply::status(405))
            .step("POST initialize", Reply::result(result))
            .step("POST notifications/initialized", reply)
            .step("POST tools/list", Reply::result(TOOLS))
            .step("POST tools/call", Reply::result(OK))
            .start();
        mcpcall(["t"]).url(&server.url()).stdout("ok\n").check();
    }
}

#[test]
fn the_protocol_version_goes_with_everything_but_the_first_request() {
    let server = script().step("POST tools/call", Reply::result(OK)).start();
    mcpcall(["t"]).url(&server.url()).stdout("ok\n").check();
    let requests = server.requests();
    assert_eq!(requests[0].header("mcp-protocol-version"), None);
    assert_eq!(requests[0].header("accept"), Some("application/json, text/event-stream"));
    for request in &requests[1..] {
        assert_eq!(request.header("mcp-protocol-version"), Some("2025-11-25"), "{}", request.name);
        assert_eq!(request.header("mcp-session-id"), Some("s1"), "{}", request.name);
    }
}

#[test]
fn a_stream_cut_off_without_an_answer_ends_the_call() {
    let server =
        script().step("POST tools/call", Reply::events("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n")).start();
    let run = mcpcall(["t"]).url(&server.url()).code(4);
    run.stderr("mcpcall: error: tools/call: the server ended its response without an answer\n").check();
}

#[test]
fn a_silent_server_is_given_up_after_the_timeout() {
    let server = HttpScript::new().step("POST initialize", Reply::silence()).start();
    mcpcall(["t", "--timeout", "0.5", "--connect-timeout", "0.5"])
        .url(&server.url())
        .code(124)
        .stderr_has("no answer to initialize within 0.5 s")
        .check();
}

#[test]
fn an_acknowledgement_that_never_comes_is_told_and_not_waited_for() {
    let script = || {
        let result = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}"#;
        HttpScript::new()
            .always("DELETE", Reply::status(204))
            .always("GET", Reply::status(405))
            .step("POST initialize", Reply::result(result))
            .step("POST notifications/initialized", Reply::silence())
    };
    let server =
        script().step("POST tools/list", Reply::result(TOOLS)).step("POST tools/call", Reply::result(OK)).start();
    // 0: for ever, as at a terminal.
    let run = mcpcall(["t", "--timeout", "0", "--connect-timeout", "0.5"]).url(&server.url()).stdout("ok\n");
    run.stderr("mcpcall: warning: notifications/initialized was not acknowledged within 0.5 s\n").check();
    let server = script().start();
    let run =
        mcpcall(["t", "--trace"]).url(&server.url()).signal_after_stderr("notifications/initialized", Signal::TERM);
    run.code(143).stderr_has("error: terminated").check();
}

/// A server with a session that does not answer its end.
fn without_goodbye() -> Scripted {
    let result = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}"#;
    HttpScript::new()
        .always("GET", Reply::status(405))
        .step("POST initialize", Reply::result(result).header("Mcp-Session-Id", "s1"))
        .step("POST notifications/initialized", Reply::status(202))
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .step("DELETE", Reply::silence())
        .start()
}

#[test]
fn a_goodbye_that_is_not_answered_costs_two_seconds_at_most() {
    let server = without_goodbye();
    let start = Instant::now();
    mcpcall(["t"]).url(&server.url()).stdout("ok\n").check();
    assert!(start.elapsed() < Duration::from_millis(3500), "{:?}", start.elapsed());
}

#[test]
fn an_interruption_ends_the_goodbye_and_changes_nothing_else() {
    for signal in [Signal::INT, Signal::TERM] {
        let server = without_goodbye();
        let run = mcpcall(["t"]).url(&server.url()).stdout("ok\n").any_stderr().start();
        let came = || server.requests().iter().any(|request| request.name == "DELETE").then_some(());
        poll(Duration::from_secs(20), came).expect("a DELETE comes");
        let start = Instant::now();
        run.signal(signal);
        run.check();
        assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    }
}

#[test]
fn a_404_that_answers_the_request_itself_is_no_lost_session() {
    let error = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"no such card"}}"#;
    let server = script().step("POST tools/call", Reply::body(404, "application/json", error)).start();
    mcpcall(["t"])
        .url(&server.url())
        .code(6)
        .stderr("mcpcall: error: tools/call: the server answered error -32602: no such card\n")
        .check();
    // One about another request, or none, may come of whoever looks for sessions.
    for id in ["null", "77"] {
        let error = error.replace("$id", id);
        let server = script()
            .step("POST tools/call", Reply::body(404, "application/json", &error))
            .handshake()
            .step("POST tools/call", Reply::result(OK))
            .start();
        mcpcall(["t"]).url(&server.url()).stdout("ok\n").stderr_has("the server has forgotten the session").check();
    }
}

#[test]
fn an_error_of_the_web_framework_is_no_json_rpc_error() {
    let body = r#"{"timestamp":1,"status":404,"error":"Not Found","path":"/mcp"}"#;
    let reply = Reply::body(404, "application/json", body);
    let server = HttpScript::new()
        .step("POST initialize", reply.clone())
        .step("POST server/discover", reply)
        .always("GET", Reply::status(404))
        .start();
    mcpcall(["t"]).url(&server.url()).code(4).stderr_has("is no MCP endpoint: HTTP 404 Not Found: {").check();
}

#[test]
fn a_refused_version_is_asked_for_once_more_in_one_the_server_names() {
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}"#;
    let result = r#"{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s"}}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .step("POST initialize", Reply::body(200, "application/json", refused))
        .step("POST initialize", Reply::result(result))
        .step("POST notifications/initialized", Reply::status(202))
        .step("POST tools/list", Reply::result(TOOLS))
        .step("POST tools/call", Reply::result(OK))
        .start();
    mcpcall(["t"]).url(&server.url()).stdout("ok\n").check();
    assert_eq!(server.requests()[1].body["params"]["protocolVersion"], "2024-11-05");
}

#[test]
fn a_pinned_version_that_the_server_does_not_take_is_told() {
    let server = script().step("POST tools/call", Reply::result(OK)).start();
    let run = mcpcall(["t", "--protocol", "2025-03-26"]).url(&server.url()).stdout("ok\n");
    run.stderr("mcpcall: warning: asked for 2025-03-26, but the server speaks 2025-11-25\n").check();
}

#[test]
fn an_address_that_swallows_packets_is_given_up_after_the_connect_timeout() {
    // Linux drops the SYN to a listener whose queue is full; std asks for a queue of 128 at most.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let connect = || std::net::TcpStream::connect_timeout(&address, Duration::from_millis(500));
    let mut held = Vec::new();
    let full = loop {
        match connect() {
            Ok(stream) => held.push(stream),
            Err(error) => break error.kind() == std::io::ErrorKind::TimedOut,
        }
        if held.len() > 500 {
            break false;
        }
    };
    if !full {
        if cfg!(target_os = "linux") {
            panic!("the queue never filled: {} connections", held.len());
        }
        return say("skipped: connect timeout: a full queue does not hold up connections on this system");
    }
    let start = Instant::now();
    let run = mcpcall(["t", "--connect-timeout", "1", "--timeout", "60"]).url(&format!("http://{address}/mcp"));
    run.code(4).stderr_has("no connection within 1 s").check();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
