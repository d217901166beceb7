//! What is hot, timed alone: `cargo bench --features inside`. How long a whole run takes is measured by `benches/compare`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mcpcall::inside::work::{self, Answers};
use serde_json::json;
use std::hint::black_box;

/// What a pipe and a socket give at once.
const CHUNK: usize = 64 << 10;
const N: usize = 1000;

/// Log messages as a server sends them.
fn notifications() -> String {
    let line = |n| {
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/message",
            "params": { "level": "info", "logger": "worker", "data": format!("step {n} of {N} is done") },
        })
    };
    (0..N).map(|n| format!("{}\n", line(n))).collect()
}

/// One reply with a text of this size, in which every so many characters one is escaped.
fn reply(bytes: usize, every: usize) -> String {
    let text: String = (0..bytes).map(|n| if n % every == every - 1 { '\n' } else { 'a' }).collect();
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": 3, "result": result }))
}

fn readers(criterion: &mut Criterion) {
    let many = notifications();
    let events: String = many.lines().map(|line| format!("event: message\ndata: {line}\n\n")).collect();
    let large = reply(1 << 20, 1000);
    let escaped = reply(1 << 20, 20);
    for (name, stream) in [("notifications", &many), ("a large reply", &large), ("a large escaped reply", &escaped)] {
        let mut group = criterion.benchmark_group("lines and messages");
        group.throughput(Throughput::Bytes(stream.len() as u64));
        group.bench_function(name, |b| b.iter(|| work::messages(black_box(stream.as_bytes()), CHUNK)));
        group.finish();
    }
    let event = format!("event: message\ndata: {large}\n");
    for (name, stream) in [("notifications", &events), ("a large event", &event)] {
        let mut group = criterion.benchmark_group("event stream");
        group.throughput(Throughput::Bytes(stream.len() as u64));
        group.bench_function(name, |b| b.iter(|| work::sse(black_box(stream.as_bytes()), CHUNK)));
        group.finish();
    }
    let mut group = criterion.benchmark_group("text for a terminal");
    group.throughput(Throughput::Bytes(many.len() as u64));
    group.bench_function("notifications", |b| b.iter(|| work::visible(black_box(&many))));
    group.finish();
}

fn answers(criterion: &mut Criterion) {
    let entry =
        |n: usize| json!({ "on": "elicitation", "match": { "message": format!("question {n}") }, "action": "decline" });
    let file = |n: usize| json!({ "version": 1, "answers": (0..n).map(entry).collect::<Vec<_>>() }).to_string();
    for n in [100, N] {
        let (text, mut group) = (file(n), criterion.benchmark_group("answers"));
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(format!("a file of {n}, read"), |b| b.iter(|| Answers::read(black_box(&text))));
        let questions: Vec<String> = (0..n).map(|n| format!("question {n}")).collect();
        let ask = |answers: Answers| questions.iter().filter(|question| answers.take(question).is_some()).count();
        assert_eq!(ask(Answers::read(&text)), n);
        let all = format!("a file of {n}, all its questions");
        group.bench_function(all, |b| b.iter_batched(|| Answers::read(&text), ask, BatchSize::SmallInput));
        group.finish();
    }
}

fn forms(criterion: &mut Criterion) {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "title": "Name", "minLength": 1 },
            "email": { "type": "string", "format": "email" },
            "age": { "type": "integer", "minimum": 0 },
            "plan": { "type": "string", "enum": ["free", "pro"], "default": "free" },
        },
        "required": ["name", "email"],
    });
    let content = json!({ "name": "Ada Lovelace", "email": "ada@example.com", "age": 36, "plan": "pro" });
    assert_eq!(work::check(&schema, &content), 0);
    criterion.bench_function("form: its fields and an example", |b| b.iter(|| work::form(black_box(&schema))));
    criterion.bench_function("form: content that fits", |b| b.iter(|| work::check(black_box(&schema), &content)));
    let wrong = json!({ "name": "", "age": "old" });
    assert!(work::check(&schema, &wrong) > 2);
    criterion.bench_function("form: content that does not", |b| b.iter(|| work::check(black_box(&schema), &wrong)));
}

criterion_group!(benches, readers, answers, forms);
criterion_main!(benches);
