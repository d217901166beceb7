//! The way in for fuzzers and micro-benchmarks: each function takes bytes and drives the code that reads such bytes when a
//! server or a user sends them. It holds that code to what it promises, and panics where a promise is broken. `work` has
//! the same doors without the checks, to be timed. No interface: compiled for tests and the feature `inside` alone.

mod answers;
mod arguments;
mod challenge;
mod config;
mod dice;
mod form;
mod lines;
mod schemas;
mod shown;
mod sse;
#[cfg(test)]
mod tests;
pub mod work;

/// What a fuzzer calls.
pub type Target = fn(&[u8]);

/// All targets, by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("sse", sse),
    ("lines", lines),
    ("form", form),
    ("answers", answers),
    ("arguments", arguments),
    ("challenge", challenge),
    ("config", config),
    ("shown", shown),
];

/// More than this is not looked at.
const MAX_INPUT: usize = 64 << 10;

/// An event stream: the first two bytes say how it is cut and how much is allowed, the rest is the stream.
pub fn sse(data: &[u8]) {
    sse::check(cut(data));
}

/// What a server over stdio writes, cut likewise: lines, then messages.
pub fn lines(data: &[u8]) {
    lines::check(cut(data));
}

/// A form: a schema as JSON, then, perhaps, content. Bytes that are neither choose both.
pub fn form(data: &[u8]) {
    form::check(cut(data));
}

/// The text of an answer file.
pub fn answers(data: &[u8]) {
    answers::check(cut(data));
}

/// A tool's schema as JSON, then what is typed behind the tool, a word a line.
pub fn arguments(data: &[u8]) {
    arguments::check(cut(data));
}

/// The values of `WWW-Authenticate`, one a line.
pub fn challenge(data: &[u8]) {
    challenge::check(cut(data));
}

/// The text of a configuration file of an editor.
pub fn config(data: &[u8]) {
    config::check(cut(data));
}

/// A text on its way to a terminal, or from a shell's prompt.
pub fn shown(data: &[u8]) {
    shown::check(cut(data));
}

fn cut(data: &[u8]) -> &[u8] {
    &data[..data.len().min(MAX_INPUT)]
}

/// The JSON value that bytes begin with, and the bytes behind it.
fn first_value(data: &[u8]) -> Option<(serde_json::Value, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(data).into_iter();
    let value = values.next()?.ok()?;
    Some((value, &data[values.byte_offset()..]))
}

/// Whether serde_json takes some object of this text for one of its own numbers or texts: it says something else then.
fn is_magic(text: &str) -> bool {
    text.contains("serde_json") || text.contains("\\u")
}
