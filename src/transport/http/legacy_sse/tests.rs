//! The transport of 2024-11-05 against scripted servers: the first connection is the event stream, the others are POSTs.

use super::*;
use crate::transport::http::script::{Server, Step, answer, events, options, outgoing, redirect};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

/// The begin of a stream that stays open.
fn open_stream(begin: &str) -> Vec<Step> {
    [events(begin), vec![Step::Hang]].concat()
}

/// A stream that names its endpoint, and goes on with more after some milliseconds.
fn stream(pause: u64, more: &str) -> Vec<Step> {
    let steps = vec![Step::Wait(pause), Step::Write(more.into()), Step::Hang];
    [events("event: endpoint\ndata: /post?s=1\n\n"), steps].concat()
}

fn accepted() -> Vec<Step> {
    answer("202 Accepted", "text/plain", "Accepted")
}

fn late(pause: u64, steps: Vec<Step>) -> Vec<Step> {
    [vec![Step::Wait(pause)], steps].concat()
}

fn request(exchange: u64) -> Outgoing {
    Outgoing { exchange, body: format!("{{\"q\":{exchange}}}"), ..outgoing(Verb::Post) }
}

fn notification(exchange: u64) -> Outgoing {
    Outgoing { wants_reply: false, ..request(exchange) }
}

fn dial(server: &Server) -> (Arc<LegacySse>, Inbox) {
    open_legacy_sse(options(&server.url)).expect("valid options")
}

/// The next thing that comes, as one line.
async fn next(inbox: &mut Inbox) -> String {
    match timeout(Duration::from_secs(10), inbox.recv()).await.expect("in time").expect("something") {
        Incoming::Message { text, exchange, headers } => {
            assert_eq!(exchange, None);
            assert_eq!(crate::transport::header(&headers, "Content-Type"), Some("text/event-stream"));
            format!("m {text}")
        }
        Incoming::Warning(text) => format!("w {text}"),
        Incoming::Ended { exchange, how: Ended::Complete } => format!("{exchange} complete"),
        Incoming::Ended { exchange, how: Ended::Refused { status, body, headers } } => {
            assert!(!headers.is_empty());
            format!("{exchange} refused {status} {body}")
        }
        Incoming::Ended { exchange, how: Ended::Broken { reason, unsent } } => {
            format!("{exchange} broken {unsent} {reason}")
        }
        Incoming::Closed { reason } => format!("closed: {reason}"),
        other => panic!("{other:?} on HTTP"),
    }
}

async fn assert_quiet(inbox: &mut Inbox) {
    let more = timeout(Duration::from_millis(150), inbox.recv()).await;
    assert!(matches!(more, Err(_) | Ok(None)), "{more:?}");
}

/// The next POST: its path and its body.
async fn posted(server: &mut Server) -> String {
    let (_, request) = server.request().await;
    let (head, body) = request.split_once("\r\n\r\n").expect("a whole request");
    format!("{} {body}", head.split(' ').nth(1).expect("a path"))
}

#[tokio::test]
async fn messages_go_where_the_first_event_says() {
    let named = |data: &str| open_stream(&format!(": hello\n\nretry: 5\ndata:\n\nevent: endpoint\ndata: {data}\n\n"));
    let rows = [
        (vec![named("/messages/?session_id=1")], "/messages/?session_id=1"),
        (vec![named("messages")], "/messages"),
        (vec![named("ORIGIN/a/b?c#d")], "/a/b?c"),
        (vec![redirect("307 T", "/deep/sse"), named("messages")], "/deep/messages"),
    ];
    for (mut answers, path) in rows {
        let n_gets = answers.len();
        answers.push(accepted());
        let mut server = Server::start(answers).await;
        let mut options = options(&server.url);
        options.headers = vec![("X-User".into(), "me".into())];
        let (transport, mut inbox) = open_legacy_sse(options).expect("valid options");
        transport.send(notification(1));
        assert_eq!(next(&mut inbox).await, "1 complete", "{path}");
        for _ in 0..n_gets {
            let (_, get) = server.request().await;
            assert!(get.starts_with("GET /"), "{get}");
            assert!(get.contains("accept: text/event-stream\r\n") && get.contains("x-user: me\r\n"), "{get}");
        }
        let (_, post) = server.request().await;
        assert!(post.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{post}");
        for line in ["content-type: application/json", "x-user: me", "x-era: one"] {
            assert!(post.contains(&format!("{line}\r\n")), "{line} is missing in {post}");
        }
        assert!(post.ends_with("\r\n\r\n{\"q\":1}"), "{post}");
    }
}

#[tokio::test]
async fn what_waited_for_the_endpoint_is_posted_in_order_one_after_the_other() {
    let slow = || late(100, accepted());
    let get = late(100, stream(0, ""));
    let mut server = Server::start(vec![get, slow(), slow(), slow(), accepted()]).await;
    let (transport, mut inbox) = dial(&server);
    let withdrawn = request(4);
    for outgoing in [request(1), withdrawn.clone(), notification(2), notification(3)] {
        transport.send(outgoing);
    }
    withdrawn.done.cancel();
    server.request().await;
    let mut before = None;
    for n in 1..=3 {
        let (at, post) = server.request().await;
        assert!(post.ends_with(&format!("{{\"q\":{n}}}")), "{post}");
        if let Some(before) = before.replace(at) {
            assert!(at - before >= Duration::from_millis(100), "{n} did not wait");
        }
    }
    // This one has not waited for the endpoint and does not wait for the third.
    transport.send(notification(5));
    assert_eq!(posted(&mut server).await, "/post?s=1 {\"q\":5}");
    assert_eq!(next(&mut inbox).await, "2 complete");
    assert_eq!(next(&mut inbox).await, "5 complete");
    assert_eq!(next(&mut inbox).await, "3 complete");
}

#[tokio::test]
async fn answers_come_on_the_stream_and_bodies_of_posts_are_ignored() {
    let more = ": still here\n\nid: 1\ndata:\n\nevent: ping\ndata: now\n\nevent: odd\ndata: {}\n\n\
        event: endpoint\ndata: /other\n\nevent: message\ndata: {\"a\":1}\n\ndata: \u{e9}\n\n";
    let body = answer("200 OK", "application/json", "{\"body\":1}");
    let mut server = Server::start(vec![stream(300, more), accepted(), body, accepted()]).await;
    let (transport, mut inbox) = dial(&server);
    transport.send(request(1));
    server.request().await;
    assert_eq!(posted(&mut server).await, "/post?s=1 {\"q\":1}");
    transport.send(request(2));
    posted(&mut server).await;
    assert_quiet(&mut inbox).await;
    for expected in ["m {}", "w the server named a second endpoint, which is ignored", "m {\"a\":1}", "m \u{e9}"] {
        assert_eq!(next(&mut inbox).await, expected);
    }
    transport.send(notification(3));
    assert_eq!(posted(&mut server).await, "/post?s=1 {\"q\":3}");
    assert_eq!(next(&mut inbox).await, "3 complete");
    assert_quiet(&mut inbox).await;
}

#[tokio::test]
async fn without_an_endpoint_every_exchange_ends() {
    let long = "x".repeat(2000);
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\nContent-Type: text/event-stream\r\n\r\n: x\n";
    let late = "broken false the server named no endpoint within 0.3 s";
    let rows: Vec<(Vec<Step>, &str)> = vec![
        (answer("404 Not Found", "", "gone"), "refused 404 gone"),
        (answer("401 Unauthorized", "text/event-stream", ""), "refused 401 "),
        (answer("200 OK", "text/html", "<html>"), "refused 200 <html>"),
        (
            open_stream("event: endpoint\ndata: http://127.0.0.1:1/secret\n\n"),
            "broken false the event stream of ORIGIN names an endpoint of another origin, http://127.0.0.1:1: not used",
        ),
        (open_stream("event: endpoint\n\n"), "broken false the server's endpoint event names no URL"),
        (open_stream("data: {}\n\n"), "broken false the event stream begins with \"message\", not with \"endpoint\""),
        (
            open_stream("event: a\tb\ndata: {}\n\n"),
            "broken false the event stream begins with \"a\\tb\", not with \"endpoint\"",
        ),
        (open_stream(": alive\n\n"), late),
        (vec![Step::Hang], late),
        (events(""), "broken false the event stream ended before it named an endpoint"),
        (
            vec![Step::Write(cut.into())],
            "broken false the event stream broke before it named an endpoint: end of file before message length reached",
        ),
        (open_stream(&format!("data: {long}")), "broken false an event is larger than 1000 bytes; it begins with: "),
        (redirect("307 T", "/mcp"), "broken false redirected (307) to itself"),
    ];
    for (steps, expected) in rows {
        // What would be posted would be accepted.
        let mut server = Server::start(vec![steps, accepted(), accepted()]).await;
        let mut options = options(&server.url);
        options.connect_timeout = Duration::from_millis(300);
        let (transport, mut inbox) = open_legacy_sse(options).expect("valid options");
        transport.send(request(1));
        transport.send(notification(2));
        let expected = expected.replace("ORIGIN", server.url.trim_end_matches("/mcp"));
        for n in 1..=2 {
            let seen = next(&mut inbox).await;
            assert!(seen.starts_with(&format!("{n} {expected}")), "{seen} instead of {expected}");
        }
        transport.send(request(3));
        let seen = next(&mut inbox).await;
        assert!(seen.starts_with(&format!("3 {expected}")), "{seen} instead of {expected}");
        assert_quiet(&mut inbox).await;
        server.request().await;
        assert!(server.requests.try_recv().is_err(), "more than the GET");
    }
    let (transport, mut inbox) = open_legacy_sse(options("http://127.0.0.1:1/")).expect("valid options");
    transport.send(request(1));
    let seen = next(&mut inbox).await;
    assert!(seen.starts_with("1 broken true Connection refused"), "{seen}");
}

#[tokio::test]
async fn a_refusal_may_take_longer_than_the_endpoint() {
    let mut refusal = answer("500 Oops", "text/plain", "it ");
    refusal.extend([Step::Wait(500), Step::Write("broke".into())]);
    let server = Server::start(vec![refusal]).await;
    let mut options = options(&server.url);
    options.connect_timeout = Duration::from_millis(200);
    let (transport, mut inbox) = open_legacy_sse(options).expect("valid options");
    transport.send(request(1));
    assert_eq!(next(&mut inbox).await, "1 refused 500 it broke");
}

#[tokio::test]
async fn a_connection_that_cannot_be_made_is_told_as_such() {
    // Takes the connection, but never speaks TLS.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}/sse", listener.local_addr().expect("an address"));
    // Two clocks run; once is not enough to see which one is ahead.
    let dial = |_| {
        let options = HttpOptions { connect_timeout: Duration::from_millis(300), ..options(&url) };
        open_legacy_sse(options).expect("valid options")
    };
    let dialled: Vec<_> = (0..50).map(dial).collect();
    for (transport, mut inbox) in dialled {
        transport.send(request(1));
        assert_eq!(next(&mut inbox).await, "1 broken true no connection within 0.3 s");
    }
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end_of_the_transport() {
    let begin = "event: endpoint\ndata: /post\n\ndata: {}\n\n";
    let cut = format!("HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Type: text/event-stream\r\n\r\n{begin}");
    let long = "x".repeat(2000);
    let head = "x".repeat(194);
    let rows = [
        (events(begin), vec!["closed: the server ended the event stream".to_string()]),
        (
            vec![Step::Write(cut)],
            vec!["closed: the event stream broke: end of file before message length reached".into()],
        ),
        (
            events(&format!("{begin}data: half")),
            vec![
                "w the event stream ended within an event: data: half".into(),
                "closed: the server ended the event stream".into(),
            ],
        ),
        (
            open_stream(&format!("{begin}data: {long}\n\n")),
            vec![format!("closed: an event is larger than 1000 bytes; it begins with: data: {head}")],
        ),
    ];
    for (steps, expected) in rows {
        let server = Server::start(vec![steps, late(50, accepted()), accepted()]).await;
        let (transport, mut inbox) = dial(&server);
        assert_eq!(next(&mut inbox).await, "m {}");
        transport.send(notification(1));
        for expected in expected {
            assert_eq!(next(&mut inbox).await, expected);
        }
        // Nothing comes of that, nor of what was on its way.
        transport.send(notification(2));
        assert_quiet(&mut inbox).await;
    }
}

#[tokio::test]
async fn posts_share_a_connection_although_their_bodies_are_ignored() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/sse", listener.local_addr().expect("an address"));
    let (transport, mut inbox) = open_legacy_sse(options(&url)).expect("valid options");
    let (mut events, _) = listener.accept().await.expect("the GET");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    events.write_all(format!("{head}event: endpoint\ndata: /post\n\n").as_bytes()).await.expect("writable");
    transport.send(notification(1));
    let (mut posts, _) = listener.accept().await.expect("the POST");
    for n in 1..=3 {
        let mut buffer = [0; 4096];
        let length = timeout(Duration::from_secs(5), posts.read(&mut buffer)).await.expect("a request here");
        assert!(length.expect("readable") > 0, "closed before request {n}");
        posts.write_all(b"HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\n").await.expect("writable");
        assert_eq!(next(&mut inbox).await, format!("{n} complete"));
        posts.write_all(b"Accepted").await.expect("writable");
        sleep(Duration::from_millis(50)).await;
        transport.send(notification(n + 1));
    }
}

#[tokio::test]
async fn a_post_that_fails_ends_its_exchange() {
    let rows = [
        (answer("400 Bad", "text/plain", "no such session"), "refused 400 no such session"),
        (vec![], "broken false connection closed before message completed"),
        (
            redirect("307 T", "http://127.0.0.1:1/"),
            "broken false redirected (307) to another origin, http://127.0.0.1:1: not followed",
        ),
    ];
    for (steps, expected) in rows {
        let server = Server::start(vec![stream(0, ""), steps.clone(), steps]).await;
        let (transport, mut inbox) = dial(&server);
        transport.send(request(1));
        assert_eq!(next(&mut inbox).await, format!("1 {expected}"));
        transport.send(notification(2));
        assert_eq!(next(&mut inbox).await, format!("2 {expected}"));
    }
}

#[tokio::test]
async fn there_is_nothing_to_listen_to_and_nothing_to_end() {
    let mut server = Server::start(vec![vec![Step::Hang], accepted()]).await;
    let (transport, mut inbox) = dial(&server);
    server.request().await;
    for verb in [Verb::Listen, Verb::End] {
        transport.send(outgoing(verb));
        assert_eq!(next(&mut inbox).await, "7 complete");
    }
    assert!(transport.is_http());
    assert!(server.requests.try_recv().is_err());
}

#[tokio::test]
async fn what_is_done_is_dropped_without_a_word() {
    let refusal = late(200, answer("400 Bad", "", ""));
    let mut server = Server::start(vec![stream(0, ""), refusal.clone(), refusal]).await;
    let (transport, mut inbox) = dial(&server);
    let (waited, later) = (request(1), request(2));
    transport.send(waited.clone());
    server.request().await;
    server.request().await;
    waited.done.cancel();
    transport.send(later.clone());
    server.request().await;
    later.done.cancel();
    sleep(Duration::from_millis(200)).await;
    assert_quiet(&mut inbox).await;
}

#[tokio::test]
async fn closing_waits_for_acknowledgements_but_not_for_ever() {
    let get = late(200, stream(0, ""));
    let server = Server::start(vec![get, late(200, accepted())]).await;
    let (transport, mut inbox) = dial(&server);
    let begin = Instant::now();
    transport.send(notification(1));
    transport.close().await;
    assert!((400..1900).contains(&begin.elapsed().as_millis()), "{:?}", begin.elapsed());
    assert_eq!(next(&mut inbox).await, "1 complete");
    drop(transport);
    assert!(inbox.recv().await.is_none());

    let server = Server::start(vec![stream(0, ""), vec![Step::Hang]]).await;
    let (transport, mut inbox) = dial(&server);
    let begin = Instant::now();
    transport.send(request(1));
    transport.close().await;
    assert!(begin.elapsed() < Duration::from_secs(1), "waited for an answer");
    assert_quiet(&mut inbox).await;

    let server = Server::start(vec![vec![Step::Hang]]).await;
    let (transport, mut inbox) = dial(&server);
    let begin = Instant::now();
    transport.send(notification(1));
    transport.close().await;
    assert!((1900..4000).contains(&begin.elapsed().as_millis()), "{:?}", begin.elapsed());
    drop(transport);
    assert!(inbox.recv().await.is_none());
}

#[tokio::test]
async fn a_dropped_transport_lets_go_of_its_stream() {
    let mut server = Server::start(vec![stream(0, "")]).await;
    let (transport, mut inbox) = dial(&server);
    server.request().await;
    drop(transport);
    let end = timeout(Duration::from_secs(5), inbox.recv()).await.expect("in time");
    assert!(end.is_none(), "{end:?}");
}
