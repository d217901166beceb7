//! The engine against a scripted server in the same process and a host that only records.

mod modern;

use super::host::{Answer, Ask, Capability, Event, Host, Pause, Reply};
use super::{Call, Options, Session, Stop};
use crate::failure::{Failure, Kind};
use crate::jsonrpc::Raw;
use crate::session::era::negotiate::Protocol;
use crate::transport::memory::{Peer, pair};
use crate::transport::{Ended, Headers, Incoming, Outgoing, Verb};
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// Records what it is told; answers `slow` asks when released, others at once.
#[derive(Default)]
struct Recorder {
    told: Mutex<Vec<String>>,
    release: Notify,
}

impl Host for Recorder {
    fn capabilities(&self) -> Vec<Capability> {
        Vec::new()
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(async move {
            let tool = ask.tool.clone().unwrap_or_default();
            self.told.lock().unwrap().push(format!("ask {} {} {tool}", ask.id, ask.method));
            if ask.params["hang"] == true {
                std::future::pending::<()>().await;
            }
            if ask.method == "slow" {
                let _held = ask.pause.hold();
                self.release.notified().await;
            }
            Reply::Result(json!({ "for": ask.params }))
        })
    }
    fn finished<'a>(&'a self, _: &'a Ask, _: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async { true })
    }
    fn event(&self, event: Event<'_>) {
        let line = match event {
            Event::Notification { method, .. } => method.to_owned(),
            Event::Warning(text) => format!("warning: {text}"),
            Event::Gather(_) => return,
            other => format!("{other:?}"),
        };
        self.told.lock().unwrap().push(line);
    }
    fn wants_wire(&self) -> bool {
        false
    }
}

struct Bench {
    host: Arc<Recorder>,
    peer: Peer,
    http: bool,
}

impl Bench {
    async fn next(&mut self) -> (Outgoing, Value) {
        let outgoing = self.peer.sent.recv().await.expect("the engine sent nothing");
        let message = serde_json::from_str(&outgoing.body).unwrap_or(Value::Null);
        (outgoing, message)
    }

    async fn expect(&mut self, method: &str) -> (u64, Value) {
        let (outgoing, message) = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        (outgoing.exchange, message)
    }

    async fn put(&self, exchange: u64, message: &Value) {
        let exchange = self.http.then_some(exchange);
        let incoming = Incoming::Message { exchange, text: message.to_string(), headers: Arc::default() };
        self.peer.to.send(incoming).await.unwrap();
    }

    async fn reply(&self, exchange: u64, id: &Value, result: Value) {
        self.put(exchange, &json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
    }

    async fn end(&self, exchange: u64, how: Ended) {
        self.peer.to.send(Incoming::Ended { exchange, how }).await.unwrap();
    }

    /// Plays the server's part of the handshake.
    async fn shake(&mut self, session: Option<&str>) {
        let (exchange, message) = self.expect("initialize").await;
        let result = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": { "name": "s" } });
        let headers: Headers = session.iter().map(|id| ("Mcp-Session-Id".into(), (*id).into())).collect();
        let text = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }).to_string();
        let incoming = Incoming::Message { exchange: self.http.then_some(exchange), text, headers: Arc::new(headers) };
        self.peer.to.send(incoming).await.unwrap();
        let (exchange, _) = self.expect("notifications/initialized").await;
        if self.http {
            self.end(exchange, Ended::Complete).await;
            assert_eq!(self.next().await.0.verb, Verb::Listen);
        }
    }

    fn told(&self) -> Vec<String> {
        self.host.told.lock().unwrap().clone()
    }
}

async fn open(http: bool, timeout: Option<Duration>) -> (Arc<Session>, Bench, Stop) {
    let (mut bench, stop, dialling) = dial(http, timeout, Protocol::Auto);
    let (session, ()) = tokio::join!(dialling, bench.shake(http.then_some("s1")));
    (Arc::new(session.unwrap()), bench, stop)
}

fn dial(
    http: bool,
    timeout: Option<Duration>,
    protocol: Protocol,
) -> (Bench, Stop, impl Future<Output = Result<Session, Failure>>) {
    let host = Arc::new(Recorder::default());
    let (transport, inbox, peer) = pair(http);
    let stop = Stop::default();
    let options = Options {
        carrier: super::Carrier::Usual,
        protocol,
        log_level: None,
        probe_timeout: Duration::from_secs(15),
        max_rounds: 2,
        max_asks: 100,
        max_list: 1 << 20,
        address: "here".into(),
        timeout,
        max_time: None,
        handshake_timeout: timeout,
        pause: Pause::new(),
        stop: stop.clone(),
    };
    let bench = Bench { host: host.clone(), peer, http };
    let once = Mutex::new(Some((transport as _, inbox)));
    let dialling = async move {
        let dial = |_, _| once.lock().unwrap().take().ok_or_else(|| Failure::connect("there is one connection only"));
        Session::open(&dial, host, options).await
    };
    (bench, stop, dialling)
}

fn call(session: &Arc<Session>) -> tokio::task::JoinHandle<Result<Raw, Failure>> {
    let session = session.clone();
    tokio::spawn(async move {
        session.request(Call { method: "tools/call", params: Some(json!({ "name": "t" })), tool: Some("t") }).await
    })
}

#[tokio::test]
async fn a_ping_is_answered_while_a_question_stands_and_order_is_kept() {
    let (session, mut bench, _) = open(false, None).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    assert_eq!(message["params"]["_meta"]["progressToken"], message["id"]);
    // The server's ids equal ours; nothing may be mixed up.
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": message["id"], "method": "slow", "params": {} })).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "method": "one" })).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" })).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "method": "two" })).await;
    let (_, pong) = bench.next().await;
    assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
    bench.host.release.notify_one();
    let (_, answer) = bench.next().await;
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "for": {} } }));
    bench.reply(exchange, &message["id"], json!({ "ok": 1 })).await;
    assert_eq!(calling.await.unwrap().unwrap().get(), r#"{"ok":1}"#);
    let told = bench.told();
    assert_eq!(told.iter().filter(|line| *line == "one" || *line == "two").collect::<Vec<_>>(), ["one", "two"]);
    assert!(told.contains(&format!("ask {} slow t", message["id"])), "{told:?}");
}

#[tokio::test]
async fn a_withdrawn_question_is_dropped_without_an_answer() {
    let (session, mut bench, _) = open(false, None).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": 7, "method": "slow" })).await;
    bench
        .put(exchange, &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }))
        .await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": 8, "method": "quick" })).await;
    assert_eq!(bench.next().await.1["id"], 8);
    bench.reply(exchange, &message["id"], json!({})).await;
    calling.await.unwrap().unwrap();
    assert!(!bench.told().contains(&"notifications/cancelled".to_owned()));
}

#[tokio::test]
async fn a_second_question_with_an_open_id_is_refused() {
    let (session, mut bench, _) = open(false, None).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": 7, "method": "slow" })).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": 7, "method": "quick" })).await;
    assert_eq!(bench.next().await.1["error"]["code"], -32600);
    bench.host.release.notify_one();
    assert_eq!(bench.next().await.1["result"], json!({ "for": null }));
    bench.reply(exchange, &message["id"], json!({})).await;
    calling.await.unwrap().unwrap();
}

#[tokio::test]
async fn odd_replies_end_the_call_and_are_noted() {
    let cases = [
        (json!({ "jsonrpc": "2.0", "id": "ID", "result": {} }), None),
        (json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": "no" } }), Some(-32000)),
        (json!({ "jsonrpc": "2.0", "error": { "code": -1 } }), Some(-1)),
        (json!({ "jsonrpc": "2.0", "id": "ID" }), Some(0)),
    ];
    for (reply, code) in cases {
        let (session, mut bench, _) = open(false, None).await;
        let calling = call(&session);
        let (exchange, message) = bench.expect("tools/call").await;
        let text = reply.to_string().replace("\"ID\"", &format!("\"{}\"", message["id"]));
        bench.put(exchange, &serde_json::from_str(&text).unwrap()).await;
        match (calling.await.unwrap(), code) {
            (Ok(_), None) => {}
            (Err(failure), Some(code)) => {
                assert_eq!(failure.kind, Kind::Protocol, "{reply}");
                assert_eq!(failure.code.map_or(0, |code| code.as_i64().unwrap()), code, "{reply}");
            }
            (outcome, _) => panic!("{reply}: {outcome:?}"),
        }
    }
}

#[tokio::test]
async fn late_double_and_invented_replies_are_dropped_with_a_note() {
    let (session, mut bench, _) = open(false, None).await;
    bench.reply(0, &json!(1), json!({})).await;
    bench.reply(0, &json!(99), json!({})).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    bench.reply(exchange, &message["id"], json!({ "right": true })).await;
    assert_eq!(calling.await.unwrap().unwrap().get(), r#"{"right":true}"#);
    let told = bench.told();
    assert_eq!(
        told,
        [
            "warning: a late or second reply to request 1 was dropped",
            "warning: a reply to request 99, which was never made, was dropped"
        ]
    );
}

#[tokio::test]
async fn a_reply_with_anothers_id_counts_when_its_exchange_ends_without_a_better_one() {
    let taken =
        |id: &str| format!("warning: a reply with id {id} is taken for the answer to request 2, unless that comes too");
    for (ids, right, told) in [
        // Sent again, or invented: the right one is waited for.
        (
            &[json!(1), json!(99)][..],
            true,
            vec![taken("1"), "warning: a reply to request 99, which was never made, was dropped".into()],
        ),
        // A server that counts otherwise.
        (&[json!(0)], false, vec![taken("0")]),
        (&[json!("x")], false, vec![taken("\"x\"")]),
    ] {
        for how in [Ended::Complete, Ended::Broken { reason: "reset".into(), unsent: false }] {
            let (session, mut bench, _) = open(true, None).await;
            let calling = call(&session);
            let (exchange, message) = bench.expect("tools/call").await;
            assert_eq!(message["id"], 2);
            for id in ids {
                bench.reply(exchange, id, json!({ "of": id })).await;
            }
            if right {
                bench.reply(exchange, &message["id"], json!({ "of": 2 })).await;
            }
            bench.end(exchange, how).await;
            let of = if right { json!(2) } else { ids[0].clone() };
            assert_eq!(calling.await.unwrap().unwrap().get(), json!({ "of": of }).to_string());
            assert_eq!(bench.told(), told);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_tells_the_server_and_progress_or_a_person_holds_it_off() {
    let (session, mut bench, _) = open(false, Some(Duration::from_secs(10))).await;
    let calling = call(&session);
    let (exchange, message) = bench.expect("tools/call").await;
    let start = tokio::time::Instant::now();
    tokio::time::sleep(Duration::from_secs(8)).await;
    let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": message["id"], "progress": 1 } });
    bench.put(exchange, &progress).await;
    tokio::time::sleep(Duration::from_secs(8)).await;
    bench.put(exchange, &json!({ "jsonrpc": "2.0", "id": 7, "method": "slow" })).await;
    tokio::time::sleep(Duration::from_secs(100)).await;
    bench.host.release.notify_one();
    assert_eq!(bench.next().await.1["id"], 7);
    // A token of somebody else does not count.
    let other = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": "x", "progress": 1 } });
    bench.put(exchange, &other).await;
    let (_, cancelled) = bench.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], message["id"]);
    assert_eq!(start.elapsed().as_secs(), 118);
    assert_eq!(calling.await.unwrap().unwrap_err().kind, Kind::Timeout);
}

#[tokio::test]
async fn stopping_cancels_the_call_at_the_server() {
    let (session, mut bench, stop) = open(false, None).await;
    let calling = call(&session);
    bench.expect("tools/call").await;
    stop.stop(Kind::Interrupted);
    bench.expect("notifications/cancelled").await;
    assert_eq!(calling.await.unwrap().unwrap_err().kind, Kind::Interrupted);
}

#[tokio::test]
async fn a_dead_transport_ends_calls_now_and_later() {
    let (session, mut bench, _) = open(false, None).await;
    let calling = call(&session);
    bench.expect("tools/call").await;
    bench.peer.to.send(Incoming::Closed { reason: "the server exited with status 3".into() }).await.unwrap();
    for calling in [calling, call(&session)] {
        let failure = calling.await.unwrap().unwrap_err();
        assert_eq!(failure.kind, Kind::Connect);
        assert!(failure.message.contains("status 3"), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_forgotten_wire_session_is_opened_anew_once() {
    let refused = || Ended::Refused { status: 404, headers: Arc::default(), body: "gone".into() };
    let (session, mut bench, _) = open(true, None).await;
    let calling = call(&session);
    let (exchange, _) = bench.expect("tools/call").await;
    bench.end(exchange, refused()).await;
    bench.shake(Some("s2")).await;
    let (outgoing, _) = bench.next().await;
    assert!(outgoing.headers.contains(&("Mcp-Session-Id".into(), "s2".into())), "{:?}", outgoing.headers);
    bench.end(outgoing.exchange, refused()).await;
    let failure = calling.await.unwrap().unwrap_err();
    assert_eq!(failure.kind, Kind::Connect);
    assert!(failure.message.contains("HTTP 404"), "{}", failure.message);
}

#[tokio::test]
async fn what_http_refuses_becomes_the_failure_it_means() {
    let cases = [
        (401, "", Kind::Auth, "wants authorization"),
        (500, "oops\n<b>", Kind::Connect, "HTTP 500 Internal Server Error: oops <b>"),
        (
            400,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"bad"}}"#,
            Kind::Protocol,
            "error -32602: bad",
        ),
        (200, "<html>", Kind::Connect, "neither JSON nor an event stream"),
    ];
    for (status, body, kind, words) in cases {
        let (session, mut bench, _) = open(true, None).await;
        let calling = call(&session);
        let (exchange, _) = bench.expect("tools/call").await;
        bench.end(exchange, Ended::Refused { status, headers: Arc::default(), body: body.into() }).await;
        let failure = calling.await.unwrap().unwrap_err();
        assert_eq!(failure.kind, kind, "{status}");
        assert!(failure.message.contains(words), "{status}: {}", failure.message);
    }
}
