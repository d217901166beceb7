//! The HTTP transport against scripted servers: each connection gets one answer.

use super::script::{Server, Step, answer, events, options, outgoing, redirect};
use super::*;
use crate::transport::Ended;
use tokio::time::Instant;

/// One line for each thing that came until the exchange ended.
async fn all(inbox: &mut Inbox) -> Vec<String> {
    let mut seen = Vec::new();
    loop {
        seen.push(match inbox.recv().await.expect("something") {
            Incoming::Message { text, exchange, .. } => {
                assert_eq!(exchange, Some(7));
                format!("m {text}")
            }
            Incoming::Warning(text) => format!("w {text}"),
            Incoming::TooLarge { .. } => panic!("over HTTP that is `Broken`"),
            Incoming::Ended { how, .. } => {
                seen.push(match how {
                    Ended::Complete => "complete".into(),
                    Ended::Refused { status, body, .. } => format!("refused {status} {body}"),
                    Ended::Broken { reason, unsent } => format!("broken {unsent} {reason}"),
                    Ended::Unauthorized(failure) => format!("unauthorized {failure}"),
                });
                return seen;
            }
            Incoming::Stderr(_) | Incoming::Closed { .. } => panic!("not on HTTP"),
        });
    }
}

/// Sends one thing and collects what comes of it.
async fn exchange(server: &Server, outgoing: Outgoing) -> Vec<String> {
    let (transport, mut inbox) = open(options(&server.url)).expect("valid options");
    transport.send(outgoing);
    all(&mut inbox).await
}

#[test]
fn an_address_is_not_mended() {
    use super::client::legal_url;
    for url in ["http:/u:p@h/", "https:u:p@h", "http:///u:p@h/", "http://\\h", "http:\\\\h", "http://\t/u:p@h", "h"] {
        assert!(legal_url(url).is_err_and(|why| !why.contains("u:p")), "{url}");
    }
    assert!(legal_url("HTTP://u:p@h/mcp").is_ok() && legal_url(" http://h").is_ok());
}

#[tokio::test]
async fn answers_are_read_by_what_they_hold() {
    let sse = "text/event-stream";
    let wrong =
        |declared: &str, really: &str| format!("w an answer declared as {declared} is {really} and was read as such");
    let rows: Vec<(Vec<Step>, Vec<String>)> = vec![
        (answer("200 OK", "Application/JSON; charset=utf-8", "{}"), vec!["m {}".into(), "complete".into()]),
        (answer("200 OK", "application/json", "null"), vec!["m null".into(), "complete".into()]),
        (answer("200 OK", "application/json", " \r\n"), vec!["complete".into()]),
        (answer("202 Accepted", "", ""), vec!["complete".into()]),
        (
            answer("200 OK", "text/event-stream; charset=utf-8", "data: 1\n\ndata: 2\r\n\r\n"),
            vec!["m 1".into(), "m 2".into(), "complete".into()],
        ),
        (
            events("event: ping\ndata: now\n\nevent: odd\ndata: {}\n\nevent: message\ndata: x\n\n"),
            vec!["m {}".into(), "m x".into(), "complete".into()],
        ),
        (
            answer("200 OK", "application/json", "event: message\ndata: {}\n\n"),
            vec![wrong("application/json", "an event stream"), "m {}".into(), "complete".into()],
        ),
        (answer("200 OK", sse, "{\"a\":1}"), vec![wrong(sse, "JSON"), "m {\"a\":1}".into(), "complete".into()]),
        (answer("200 OK", "", "[1]"), vec![wrong("no content type", "JSON"), "m [1]".into(), "complete".into()]),
        (answer("200 OK", "text/html", "<html>"), vec!["refused 200 <html>".into()]),
        (answer("404 Not Found", "", "gone"), vec!["refused 404 gone".into()]),
        (
            events("data: {\"cut\n"),
            vec!["w the event stream ended within an event: {\"cut\n".into(), "complete".into()],
        ),
    ];
    for (steps, expected) in rows {
        let server = Server::start(vec![steps]).await;
        assert_eq!(exchange(&server, outgoing(Verb::Post)).await, expected);
    }
}

#[tokio::test]
async fn what_is_too_large_or_broken_ends_the_exchange_with_a_reason() {
    let long = "x".repeat(2000);
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\nContent-Type: ".to_string();
    let begin = "x".repeat(200);
    let rows = [
        (
            answer("200 OK", "application/json", &long),
            format!("broken false the answer is larger than 1000 bytes; it begins with: {begin}"),
        ),
        (
            events(&format!("data:{long}")),
            format!("broken false an event is larger than 1000 bytes; it begins with: data:{}", &begin[5..]),
        ),
        (
            vec![Step::Write(format!("{cut}application/json\r\n\r\n{{"))],
            "broken false end of file before message length reached".into(),
        ),
        (
            vec![Step::Write(format!("{cut}text/event-stream\r\n\r\n:\n"))],
            "broken false end of file before message length reached".into(),
        ),
        (vec![], "broken false connection closed before message completed".into()),
        (
            vec![Step::Write("HTTP/1.1 200 OK\r\nContent-Encoding: lzma\r\n\r\n???".into())],
            "broken false the answer has Content-Encoding \"lzma\", which is not read here".into(),
        ),
    ];
    for (steps, expected) in rows {
        let server = Server::start(vec![steps]).await;
        assert_eq!(exchange(&server, outgoing(Verb::Post)).await, [expected]);
    }
    let mut unreachable = options("http://127.0.0.1:1/");
    unreachable.headers = vec![("A".into(), "b".into())];
    let (transport, mut inbox) = open(unreachable).expect("valid options");
    transport.send(outgoing(Verb::Post));
    assert!(all(&mut inbox).await[0].starts_with("broken true Connection refused"));
}

#[tokio::test]
async fn an_endless_refusal_is_cut() {
    let mut steps = answer("500 Oops", "text/plain", &"x".repeat(100_000));
    steps.push(Step::Hang);
    let server = Server::start(vec![steps]).await;
    let begin = Instant::now();
    let seen = exchange(&server, outgoing(Verb::Post)).await;
    assert_eq!(seen[0].len(), "refused 500 ".len() + crate::transport::EXCERPT);
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn headers_of_the_user_replace_ours_and_credentials_stay_out_of_sight() {
    let mut server = Server::start(vec![answer("200 OK", "application/json", "{}")]).await;
    let mut options = options(&server.url.replace("http://", "http://user:p%40ss@"));
    let add = |name: &str, value: &str| (name.to_string(), value.to_string());
    options.headers = vec![add("accept", "a/b"), add("X-Twice", "1"), add("x-twice", "2")];
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    options.tap = Some(Arc::new(move |wire| {
        log.lock().expect("a lock").push(format!("{} {}", wire.line, wire.text));
    }));
    let (transport, mut inbox) = open(options).expect("valid options");
    transport.send(outgoing(Verb::Post));
    all(&mut inbox).await;
    let (_, request) = server.request().await;
    let lines: Vec<&str> = request.lines().collect();
    for line in [
        "POST /mcp HTTP/1.1",
        "accept: a/b",
        "content-type: application/json",
        "x-twice: 1",
        "x-twice: 2",
        "x-era: one",
        "authorization: Basic dXNlcjpwQHNz",
    ] {
        assert!(lines.contains(&line), "{line} is missing in {request}");
    }
    assert!(!request.contains("event-stream"));
    let expected = [format!("POST {} {{\"q\":1}}", server.url), "200 OK ".into(), "body {}".into()];
    assert_eq!(*seen.lock().expect("a lock"), expected);
}

#[test]
fn options_that_cannot_work_are_usage_failures() {
    let with = |url: &str, change: &dyn Fn(&mut HttpOptions)| {
        let mut options = options(url);
        change(&mut options);
        open(options).err().expect("a failure")
    };
    let rows = [
        (with("localhost:80/x", &|_| {}), "localhost:, not http"),
        (with("/x", &|_| {}), "relative URL without a base"),
        (with("http://a/", &|o| o.headers = vec![("a b".into(), String::new())]), "\"a b\""),
        (with("http://a/", &|o| o.headers = vec![("x".into(), "1\n2".into())]), "\"x\""),
        (with("https://a/", &|o| o.cacert = Some(b"no".to_vec())), "no certificate"),
        (with("http://a/", &|o| o.proxy = Some("http://[".into())), "IPv6"),
    ];
    for (failure, part) in rows {
        assert_eq!(failure.kind, crate::failure::Kind::Usage);
        assert!(failure.message.contains(part), "{}", failure.message);
    }
}

#[tokio::test]
async fn redirects_keep_method_and_body_and_never_leave_the_origin() {
    for status in ["307 T", "308 P", "301 M", "302 F"] {
        let done = answer("200 OK", "application/json", "{}");
        let mut server = Server::start(vec![redirect(status, "/mcp/"), done]).await;
        assert_eq!(exchange(&server, outgoing(Verb::Post)).await, ["m {}", "complete"]);
        server.request().await;
        let (_, second) = server.request().await;
        assert!(second.starts_with("POST /mcp/ HTTP/1.1\r\n"), "{second}");
        assert!(second.contains("x-era: one\r\n") && second.ends_with("\r\n\r\n{\"q\":1}"));
    }
    let server = Server::start(vec![redirect("307 T", "http://127.0.0.1:1/?secret")]).await;
    assert_eq!(
        exchange(&server, outgoing(Verb::Post)).await,
        ["broken false redirected (307) to another origin, http://127.0.0.1:1: not followed"]
    );
    let hops = (0..6).map(|n| redirect("307 T", &format!("/{n}"))).collect();
    let server = Server::start(hops).await;
    let seen = exchange(&server, outgoing(Verb::Post)).await;
    assert_eq!(seen, ["broken false redirected more than 5 times"]);
}

#[tokio::test]
async fn a_stream_with_ids_is_resumed_after_the_retry_time() {
    let mut prime = events("id: e1\nretry: 300\ndata:\n\n");
    prime.push(Step::Wait(100));
    let answers =
        vec![prime, events("data: first\n\n"), events("id: e2\ndata: second\n\n"), answer("404 Gone", "", "")];
    let mut server = Server::start(answers).await;
    let mut request = outgoing(Verb::Post);
    request.resume = Some(vec![("X-Resume".into(), "two".into())]);
    let seen = exchange(&server, request).await;
    let refused = "broken false the server refused to resume the event stream: 404 Not Found";
    assert_eq!(seen, ["m first", "m second", refused]);
    let (posted, _) = server.request().await;
    let (second, get) = server.request().await;
    let waited = (second - posted).as_millis();
    assert!((400..2000).contains(&waited), "{waited} ms");
    assert!(get.starts_with("GET /mcp "));
    for line in ["last-event-id: e1", "x-resume: two", "accept: text/event-stream"] {
        assert!(get.contains(&format!("{line}\r\n")), "{get}");
    }
    assert!(server.request().await.1.contains("last-event-id: e1\r\n"));
    assert!(server.request().await.1.contains("last-event-id: e2\r\n"));
}

#[tokio::test]
async fn resuming_is_given_up_after_five_fruitless_attempts_and_needs_an_id() {
    let mut answers = vec![events("id: e1\nretry: 0\ndata:\n\n")];
    answers.extend(vec![events(": nothing\n\n"); 5]);
    let mut server = Server::start(answers).await;
    let mut request = outgoing(Verb::Post);
    request.resume = Some(Vec::new());
    let seen = exchange(&server, request.clone()).await;
    assert_eq!(seen, ["broken false could not resume the event stream in 5 attempts"]);
    let (mut before, _) = server.request().await;
    for _ in 0..5 {
        let (at, _) = server.request().await;
        assert!((at - before).as_millis() >= 100, "hammered after {} ms", (at - before).as_millis());
        before = at;
    }

    let server = Server::start(vec![events("retry: 1\ndata: x\n\n")]).await;
    assert_eq!(exchange(&server, request).await, ["m x", "complete"]);
}

#[tokio::test]
async fn the_standing_stream_reconnects_but_takes_a_refusal_for_an_answer() {
    let first = events("id: a\nretry: 100\ndata: one\n\n");
    let mut server = Server::start(vec![first, events("data: two\n\n"), answer("405 No", "", "")]).await;
    assert_eq!(exchange(&server, outgoing(Verb::Listen)).await, ["m one", "m two", "refused 405 "]);
    assert!(!server.request().await.1.contains("last-event-id"));
    assert!(server.request().await.1.contains("last-event-id: a\r\n"));

    let server = Server::start(vec![answer("200 OK", "application/json", "{}")]).await;
    assert_eq!(exchange(&server, outgoing(Verb::Listen)).await, ["refused 200 {}"]);

    let server = Server::start(vec![events("retry: 1\n\n"); 1]).await;
    let (transport, mut inbox) = open(options(&server.url)).expect("valid options");
    transport.send(outgoing(Verb::Listen));
    let nothing = tokio::time::timeout(Duration::from_millis(50), inbox.recv()).await;
    assert!(nothing.is_err(), "{nothing:?}");
}

#[tokio::test]
async fn what_is_done_is_dropped_without_a_word() {
    let mut steps = events("data: {}\n\n");
    steps.push(Step::Hang);
    let server = Server::start(vec![steps, answer("202 Accepted", "", "")]).await;
    let (transport, mut inbox) = open(options(&server.url)).expect("valid options");
    let request = outgoing(Verb::Post);
    transport.send(request.clone());
    assert!(matches!(inbox.recv().await, Some(Incoming::Message { .. })));
    request.done.cancel();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(inbox.try_recv().is_err());
}

#[tokio::test]
async fn closing_waits_for_acknowledgements_but_not_for_streams() {
    let hanging = vec![Step::Hang];
    let slow = vec![Step::Wait(200), Step::Write("HTTP/1.1 202 Accepted\r\n\r\n".into())];
    let mut server = Server::start(vec![hanging, slow]).await;
    let (transport, mut inbox) = open(options(&server.url)).expect("valid options");
    transport.send(outgoing(Verb::Listen));
    server.request().await;
    let begin = Instant::now();
    transport.send(Outgoing { wants_reply: false, ..outgoing(Verb::Post) });
    transport.close().await;
    assert!((200..10_000).contains(&begin.elapsed().as_millis()));
    assert_eq!(all(&mut inbox).await, ["complete"]);
    drop(transport);
    assert!(inbox.recv().await.is_none());
}
