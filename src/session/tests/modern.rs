//! 2026-07-28, and how the engine gets there.

use super::{Bench, call, dial, open};
use crate::failure::{Failure, Kind};
use crate::jsonrpc::Raw;
use crate::session::era::legacy::Legacy;
use crate::session::era::negotiate::Protocol;
use crate::session::pager::TOOLS;
use crate::session::{Call, Stop};
use crate::transport::Ended;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

fn modern() -> Protocol {
    Protocol::read("modern").unwrap()
}

fn found() -> Value {
    json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {} })
}

#[tokio::test]
async fn a_refused_handshake_leads_to_the_era_without_one() {
    for (http, data, probes) in [(false, json!({ "supported": ["2026-07-28"] }), false), (true, Value::Null, true)] {
        let (mut bench, _, dialling) = dial(http, None, Protocol::Auto);
        let playing = async {
            let (exchange, message) = bench.expect("initialize").await;
            let error = json!({ "code": -32022, "message": "no", "data": data });
            let code = if probes { json!({ "code": -32601, "message": "no" }) } else { error };
            bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": code })).await;
            if probes {
                let (exchange, message) = bench.expect("server/discover").await;
                bench.reply(exchange, &message["id"], found()).await;
            }
        };
        let (session, ()) = tokio::join!(dialling, playing);
        assert_eq!(session.unwrap().date(), Some("2026-07-28"));
    }
}

#[tokio::test]
async fn nothing_is_called_before_the_era_is_shown() {
    let (mut bench, _, dialling) = dial(false, None, modern());
    let session = Arc::new(dialling.await.unwrap());
    let calling = call(&session);
    let (exchange, message) = bench.expect("server/discover").await;
    bench.reply(exchange, &message["id"], found()).await;
    let (exchange, message) = bench.expect("tools/call").await;
    bench.reply(exchange, &message["id"], json!({ "resultType": "complete", "ok": 1 })).await;
    assert!(calling.await.unwrap().is_ok());

    let (mut bench, _, dialling) = dial(false, None, modern());
    let session = Arc::new(dialling.await.unwrap());
    let calling = call(&session);
    let (exchange, message) = bench.expect("server/discover").await;
    let error = json!({ "code": -32601, "message": "no" });
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })).await;
    let failure = calling.await.unwrap().unwrap_err();
    assert!(failure.kind == Kind::Connect && failure.message.contains("does not speak 2026-07-28"), "{failure}");
    assert!(bench.peer.sent.try_recv().is_err());
}

#[tokio::test]
async fn a_version_that_the_server_names_is_used_once_even_if_it_is_the_same() {
    for n_refusals in [1, 2] {
        let (mut bench, _, dialling) = dial(true, None, modern());
        let session = Arc::new(dialling.await.unwrap());
        let for_task = session.clone();
        let listing = tokio::spawn(async move { for_task.find(&TOOLS, "t").await });
        for _ in 0..n_refusals {
            let (exchange, message) = bench.expect("tools/list").await;
            let error = json!({ "code": -32022, "message": "no", "data": { "supported": ["2026-07-28"] } });
            bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })).await;
        }
        if n_refusals == 1 {
            let (exchange, message) = bench.expect("tools/list").await;
            bench.reply(exchange, &message["id"], json!({ "resultType": "complete", "tools": [] })).await;
            assert!(listing.await.unwrap().is_ok());
        } else {
            assert_eq!(listing.await.unwrap().unwrap_err().code, Some(json!(-32022)));
        }
    }
}

/// A session that has shown its era, and a call under way in it.
async fn called(http: bool) -> (Bench, Stop, tokio::task::JoinHandle<Result<Raw, Failure>>, u64, Value) {
    let (mut bench, stop, dialling) = dial(http, Some(Duration::from_secs(60)), modern());
    let session = Arc::new(dialling.await.unwrap());
    let calling = call(&session);
    let (exchange, message) = bench.expect("server/discover").await;
    bench.reply(exchange, &message["id"], found()).await;
    let (exchange, message) = bench.expect("tools/call").await;
    (bench, stop, calling, exchange, message)
}

#[tokio::test]
async fn all_questions_of_a_round_are_answered_in_one_retry() {
    let (mut bench, _, calling, exchange, message) = called(true).await;
    let requests = json!({
        "s": { "method": "sampling/createMessage", "params": { "n": 1 } },
        "e": { "method": "elicitation/create", "params": { "n": 2 } },
        "r": { "method": "roots/list" },
    });
    let asks = json!({ "resultType": "input_required", "inputRequests": requests, "requestState": "opaque" });
    bench.reply(exchange, &message["id"], asks).await;
    let (exchange, again) = bench.expect("tools/call").await;
    assert_ne!(again["id"], message["id"]);
    let params = &again["params"];
    assert_eq!(params["inputResponses"]["e"], json!({ "for": { "n": 2 } }));
    assert_eq!(params["inputResponses"].as_object().unwrap().len(), 3);
    assert_eq!((&params["requestState"], &params["name"]), (&json!("opaque"), &json!("t")));
    let told = bench.told();
    let asked: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("ask ")).collect();
    let expected = ["\"r\" roots/list t", "\"e\" elicitation/create t", "\"s\" sampling/createMessage t"];
    assert_eq!(asked, expected);
    // The next round has no state: the old one is not sent again.
    let asks = json!({ "resultType": "input_required", "inputRequests": { "r": { "method": "roots/list" } } });
    bench.reply(exchange, &again["id"], asks.clone()).await;
    let (exchange, third) = bench.expect("tools/call").await;
    assert!(third["params"].get("requestState").is_none(), "{third}");
    assert_eq!(third["params"]["inputResponses"].as_object().unwrap().len(), 1);
    // Two rounds is what this session allows.
    bench.reply(exchange, &third["id"], asks).await;
    let failure = calling.await.unwrap().unwrap_err();
    assert!(failure.kind == Kind::Protocol && failure.message.contains("more than 2 times"), "{failure}");
}

#[tokio::test]
async fn a_request_of_the_server_ends_the_call_and_a_ping_does_not() {
    let (mut bench, _, calling, exchange, message) = called(true).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" })).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "method": "one" })).await;
    while !bench.told().contains(&"one".to_owned()) {
        tokio::task::yield_now().await;
    }
    assert!(!calling.is_finished());
    let ask = json!({ "jsonrpc": "2.0", "id": message["id"], "method": "elicitation/create", "params": {} });
    bench.put(exchange, &ask).await;
    let failure = calling.await.unwrap().unwrap_err();
    assert!(failure.kind == Kind::Protocol && failure.hints[0].contains("--protocol legacy"), "{failure:?}");
    // Nothing has been answered, and nobody asked.
    assert!(bench.peer.sent.try_recv().is_err());
    assert!(bench.told().iter().all(|line| !line.starts_with("ask ")), "{:?}", bench.told());
}

#[tokio::test]
async fn a_call_is_called_off_as_its_transport_has_it() {
    for http in [false, true] {
        let (mut bench, stop, dialling) = dial(http, None, modern());
        let session = Arc::new(dialling.await.unwrap());
        let calling = call(&session);
        let (exchange, message) = bench.expect("server/discover").await;
        bench.reply(exchange, &message["id"], found()).await;
        let (outgoing, message) = bench.next().await;
        stop.stop(Kind::Interrupted);
        assert_eq!(calling.await.unwrap().unwrap_err().kind, Kind::Interrupted);
        assert!(outgoing.done.is_cancelled());
        if http {
            assert!(bench.peer.sent.try_recv().is_err());
        } else {
            let (_, cancelled) = bench.expect("notifications/cancelled").await;
            assert_eq!(cancelled["params"]["requestId"], message["id"]);
        }
    }
}

#[tokio::test]
async fn headers_that_do_not_fit_are_made_again_from_a_fresh_list_once() {
    for n_refusals in [1, 2] {
        let (mut bench, _, dialling) = dial(true, None, modern());
        let session = Arc::new(dialling.await.unwrap());
        let for_task = session.clone();
        let calling = tokio::spawn(async move {
            let params = json!({ "name": "t", "arguments": { "a": "x" } });
            for_task.request(Call { method: "tools/call", params: Some(params), tool: Some("t") }).await
        });
        let (exchange, message) = bench.expect("server/discover").await;
        bench.reply(exchange, &message["id"], found()).await;
        let mismatch = |message: &Value| {
            let error = json!({ "code": -32020, "message": "headers" });
            json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })
        };
        let (exchange, message) = bench.expect("tools/call").await;
        bench.put(exchange, &mismatch(&message)).await;
        let (exchange, message) = bench.expect("tools/list").await;
        let properties = json!({ "a": { "type": "string", "x-mcp-header": "A" } });
        let tool = json!({ "name": "t", "inputSchema": { "properties": properties } });
        bench.reply(exchange, &message["id"], json!({ "resultType": "complete", "tools": [tool] })).await;
        let (outgoing, message) = bench.next().await;
        assert!(outgoing.headers.contains(&("Mcp-Param-A".into(), "x".into())), "{:?}", outgoing.headers);
        if n_refusals == 1 {
            bench.reply(outgoing.exchange, &message["id"], json!({ "resultType": "complete" })).await;
            assert!(calling.await.unwrap().is_ok());
        } else {
            bench.put(outgoing.exchange, &mismatch(&message)).await;
            assert_eq!(calling.await.unwrap().unwrap_err().code, Some(json!(-32020)));
        }
    }
}

#[tokio::test]
async fn what_a_tool_wants_in_headers_is_kept_while_the_era_is_being_shown() {
    let (mut bench, _, dialling) = dial(true, None, modern());
    let session = Arc::new(dialling.await.unwrap());
    let for_task = session.clone();
    let calling = tokio::spawn(async move {
        for_task.find(&TOOLS, "t").await?;
        let params = json!({ "name": "t", "arguments": { "a": "x" } });
        for_task.request(Call { method: "tools/call", params: Some(params), tool: Some("t") }).await
    });
    let (exchange, message) = bench.expect("tools/list").await;
    let properties = json!({ "a": { "type": "string", "x-mcp-header": "A" } });
    // Without `resultType` this could be an old server's answer.
    bench
        .reply(
            exchange,
            &message["id"],
            json!({ "tools": [{ "name": "t", "inputSchema": { "properties": properties } }] }),
        )
        .await;
    let (exchange, message) = bench.expect("server/discover").await;
    bench.reply(exchange, &message["id"], found()).await;
    let (outgoing, message) = bench.next().await;
    assert!(outgoing.headers.contains(&("Mcp-Param-A".into(), "x".into())), "{:?}", outgoing.headers);
    bench.reply(outgoing.exchange, &message["id"], json!({})).await;
    assert!(calling.await.unwrap().is_ok());
}

#[tokio::test]
async fn codes_of_the_new_era_mean_nothing_in_the_old_one() {
    let (session, mut bench, _) = open(true, None).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    let error = json!({ "code": -32020, "message": "mine", "data": { "supported": ["2026-07-28"] } });
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })).await;
    let failure = calling.await.unwrap().unwrap_err();
    assert_eq!((failure.kind, failure.code), (Kind::Protocol, Some(json!(-32020))));
    assert!(bench.peer.sent.try_recv().is_err());
}

#[tokio::test]
async fn an_error_with_a_list_is_about_versions_only_under_its_code() {
    let (mut bench, _, calling, exchange, message) = called(true).await;
    let error = json!({ "code": -32602, "message": "no", "data": { "supported": ["png"] } });
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })).await;
    assert_eq!(calling.await.unwrap().unwrap_err().kind, Kind::Protocol);
    assert!(bench.peer.sent.try_recv().is_err());
}

#[tokio::test]
async fn what_says_nothing_about_the_era_is_reported_as_it_is() {
    for (status, kind) in [(401, Kind::Auth), (503, Kind::Connect), (429, Kind::Connect)] {
        let (mut bench, _, dialling) = dial(true, None, modern());
        let session = Arc::new(dialling.await.unwrap());
        let calling = call(&session);
        let (exchange, _) = bench.expect("server/discover").await;
        bench.end(exchange, Ended::Refused { status, headers: Arc::default(), body: String::new() }).await;
        let failure = calling.await.unwrap().unwrap_err();
        assert_eq!(failure.kind, kind, "{status}");
        assert!(!failure.message.contains("does not speak"), "{failure}");
    }
}

#[tokio::test]
async fn a_handshake_is_made_again_in_the_newest_version_that_both_allow() {
    let (mut bench, _, dialling) = dial(false, None, Protocol::Legacy);
    let playing = async {
        let (exchange, message) = bench.expect("initialize").await;
        let error = json!({ "code": -32022, "message": "no", "data": { "supported": ["2026-07-28", "2025-06-18"] } });
        bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })).await;
        let (exchange, message) = bench.expect("initialize").await;
        let result = json!({ "protocolVersion": message["params"]["protocolVersion"], "capabilities": {} });
        bench.reply(exchange, &message["id"], result).await;
    };
    let (session, ()) = tokio::join!(dialling, playing);
    assert_eq!(session.unwrap().date(), Some("2025-06-18"));
}

#[tokio::test(start_paused = true)]
async fn questions_of_a_round_are_under_the_clock_unless_a_person_is_asked() {
    let (bench, _, calling, exchange, message) = called(true).await;
    let request = json!({ "method": "elicitation/create", "params": { "hang": true } });
    let asks = json!({ "resultType": "input_required", "inputRequests": { "e": request } });
    bench.reply(exchange, &message["id"], asks).await;
    assert_eq!(calling.await.unwrap().unwrap_err().kind, Kind::Timeout);
}

#[tokio::test]
async fn a_result_is_read_in_the_era_of_its_request() {
    let (mut bench, _, dialling) = dial(false, None, modern());
    let session = Arc::new(dialling.await.unwrap());
    let calling = call(&session);
    let (exchange, message) = bench.expect("server/discover").await;
    bench.reply(exchange, &message["id"], found()).await;
    let (exchange, message) = bench.expect("tools/call").await;
    // Another call has moved on meanwhile.
    *session.core.era.lock().unwrap() = Arc::new(Legacy::opening());
    let asks = json!({ "resultType": "input_required", "inputRequests": { "r": { "method": "roots/list" } } });
    bench.reply(exchange, &message["id"], asks).await;
    // In the handshake era that would have been the end of it.
    let (exchange, message) = bench.expect("tools/call").await;
    bench.reply(exchange, &message["id"], json!({ "ok": 1 })).await;
    assert_eq!(calling.await.unwrap().unwrap().get(), r#"{"ok":1}"#);
}
