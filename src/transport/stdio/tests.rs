//! The stdio transport against small shell scripts.

use super::*;
use std::time::Instant;

fn sh(script: &str, max_message: usize) -> (Arc<StdioTransport>, Inbox) {
    let args = vec!["-c".into(), script.into()];
    let spawn = Spawn { program: "sh".into(), args, ..Spawn::default() };
    open(&spawn, StdioOptions { max_message, ears: Ears::default() }).expect("started")
}

fn post(transport: &StdioTransport, body: &str) {
    transport.send(Outgoing {
        kept: None,
        exchange: 1,
        verb: Verb::Post,
        body: body.into(),
        headers: Vec::new(),
        wants_reply: true,
        resume: None,
        done: CancellationToken::new(),
    });
}

/// One line for each thing that came: `m` message, `e` stderr, `w` warning, `c` closed.
async fn all(inbox: &mut Inbox) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(incoming) = inbox.recv().await {
        let closed = matches!(incoming, Incoming::Closed { .. });
        seen.push(match incoming {
            Incoming::Message { text, .. } => format!("m {text}"),
            Incoming::Stderr(text) => format!("e {text}"),
            Incoming::Warning(text) => format!("w {text}"),
            Incoming::TooLarge { head, limit } => format!("large {limit} {head}"),
            Incoming::Closed { reason } => format!("c {reason}"),
            Incoming::Ended { .. } => "ended".into(),
        });
        if closed {
            break;
        }
    }
    seen
}

#[tokio::test]
async fn odd_lines_are_survived() {
    let script = r#"printf '\357\273\277hello\r\n \n\n{"a":1}\r\n\377\n\357\273\277{"b":2}\nlast'"#;
    let (_transport, mut inbox) = sh(script, 100);
    let replaced = "w replaced bytes that are not UTF-8 in a line from the server";
    let expected = [
        "m hello",
        "m {\"a\":1}",
        replaced,
        "m \u{FFFD}",
        "m {\"b\":2}",
        "m last",
        "c the server exited with status 0",
    ];
    assert_eq!(all(&mut inbox).await, expected);
}

#[tokio::test]
async fn a_line_over_the_limit_is_reported_and_the_next_one_arrives() {
    let (_transport, mut inbox) = sh("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo ok", 1000);
    let seen = all(&mut inbox).await;
    assert!(seen[0].starts_with("large 1000 xxx"));
    assert!(seen[0].len() < 300);
    assert_eq!(seen[1], "m ok");
}

#[tokio::test]
async fn a_dying_server_is_reported_at_once_with_its_last_words() {
    for (script, last) in [
        ("echo fatal >&2; exit 3", "c the server exited with status 3"),
        ("exec >&-; echo fatal >&2; exec sleep 60 2>&-", "c the server closed its stdout"),
        ("exec <&-; echo fatal >&2; exec sleep 60", "c the server closed its stdin"),
        // A grandchild holds all pipes open.
        ("sleep 60 & echo fatal >&2; kill -9 $$", "c the server was killed by signal 9 (KILL)"),
    ] {
        let begin = Instant::now();
        let (transport, mut inbox) = sh(script, 1000);
        let first = inbox.recv().await;
        assert!(matches!(&first, Some(Incoming::Stderr(words)) if words == "fatal"), "{script}: {first:?}");
        post(&transport, "{}");
        assert_eq!(all(&mut inbox).await, [last], "{script}");
        assert!(begin.elapsed() < Duration::from_secs(5), "{script}");
    }
}

#[tokio::test]
async fn reading_goes_on_while_a_large_write_is_stuck() {
    let script = "head -c 4000000 /dev/zero | tr '\\0' x; echo; wc -c; wc -c >&2";
    let (transport, mut inbox) = sh(script, 10_000_000);
    post(&transport, &"y".repeat(2_000_000));
    let Some(Incoming::Message { text, .. }) = inbox.recv().await else { panic!("no message") };
    assert_eq!(text.len(), 4_000_000);
    let closing = tokio::spawn(async move { transport.close().await });
    assert_eq!(all(&mut inbox).await[0].trim(), "m 2000001");
    closing.await.expect("closed");
}

#[tokio::test]
async fn many_lines_do_not_get_lost_when_the_reader_is_slow_and_the_server_exits() {
    let (_transport, mut inbox) = sh("seq 1 5000; echo end >&2", 1000);
    tokio::time::sleep(Duration::from_millis(800)).await;
    let seen = all(&mut inbox).await;
    assert_eq!(seen.iter().filter(|line| line.starts_with("m ")).count(), 5000);
    assert!(seen.contains(&"e end".to_string()));
}

#[tokio::test]
async fn closing_ends_a_server_that_is_stuck_in_a_write() {
    let dir = tempfile::tempdir().expect("a directory");
    let marker = dir.path().join("ended");
    let script = format!("trap '' TERM; seq 1 1000000; cat >/dev/null; touch {}", marker.display());
    let (transport, mut inbox) = sh(&script, 1000);
    assert!(matches!(inbox.recv().await, Some(Incoming::Message { .. })));
    transport.close().await;
    assert!(marker.exists(), "it was killed");
    drop(inbox);
}

#[tokio::test]
async fn stderr_without_line_ends_is_drained() {
    let script = "head -c 300000 /dev/zero | tr '\\0' e >&2; echo done";
    let (_transport, mut inbox) = sh(script, 1000);
    let seen = all(&mut inbox).await;
    let shown: usize = seen.iter().filter(|line| line.starts_with("e ")).map(|l| l.len() - 2).sum();
    assert_eq!(shown, 300_000);
    assert!(seen.contains(&"m done".to_string()));
}
