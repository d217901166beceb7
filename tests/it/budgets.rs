//! How much a run may take, in what can be counted: requests for each verb, since every one is a round trip, instructions
//! for a call, and crates in the program. What goes beyond fails. How large the program's file is, `.ci/run` looks at.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::support::http_script::{HttpScript, Reply};
use crate::support::peers::{Running, Transport};
use crate::support::run::mcpcall;
use crate::support::{on_path, root, setup};

/// A command line, and what is sent for it between the opening and the end: after a handshake, and without one over HTTP
/// and on stdio.
const REQUESTS: &[(&[&str], [&str; 3])] = &[
    (&["countries"], ["tools/list tools/call", "tools/list tools/call", "tools/list tools/call"]),
    // The tool is on the second page.
    (
        &["track", "id=7"],
        ["tools/list tools/list tools/call", "tools/list tools/list tools/call", "tools/list tools/list tools/call"],
    ),
    // Nothing is to be typed or checked; over HTTP 2026-07-28 wants to know the headers all the same.
    (&["track", "id:=7", "--no-validate"], ["tools/call", "tools/list tools/list tools/call", "tools/call"]),
    (
        &["request", "tools/call", r#"{"name": "countries"}"#],
        ["tools/call", "server/discover tools/call", "tools/call"],
    ),
    (&["list", "tools"], ["tools/list tools/list", "tools/list tools/list", "tools/list tools/list"]),
    (&["show", "countries"], ["tools/list", "tools/list", "tools/list"]),
    (&["read", "post://prices"], ["resources/read", "resources/read", "resources/read"]),
    (&["prompt", "thank"], ["prompts/list prompts/get", "prompts/list prompts/get", "prompts/list prompts/get"]),
    (&["complete", "prompt:complain", "tone=a"], ["completion/complete"; 3]),
    // The first one is not timed: it opens the connection.
    (&["ping"], ["ping", "server/discover server/discover", "server/discover"]),
];

/// The methods that a run sends, a word each; a request without a message is its HTTP method.
fn sent(server: &Running, args: &[&str], protocol: &str) -> Vec<String> {
    let run = mcpcall(args.iter().copied()).args(["--protocol", protocol, "--trace-file", "trace"]).on(server);
    let output = run.any_stdout().any_stderr().check();
    let trace = output.file("trace");
    let records = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let word = |record: Value| match record["message"]["method"].as_str() {
        Some(method) => method.to_owned(),
        None => record["line"].as_str().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned(),
    };
    records.filter(|record| record["dir"] == "sent").map(word).collect()
}

each_peer!([surface_stdio, surface_http] fn each_verb_keeps_to_its_budget(server) {
    let is_http = server.peer.transport == Transport::Http;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for (args, [handshake, http, stdio]) in REQUESTS {
        let expected = match is_http {
            true => format!("initialize notifications/initialized GET {handshake} DELETE"),
            false => format!("initialize notifications/initialized {handshake}"),
        };
        assert_eq!(sent(server, args, "legacy"), words(&expected), "{args:?}");
        // On stdio the era is asked for first, always.
        let expected = if is_http { (*http).to_owned() } else { format!("server/discover {stdio}") };
        assert_eq!(sent(server, args, "modern"), words(&expected), "{args:?}");
    }
});

/// Instructions that one call may take in a build for tests, a third more than it does take: what is noticed is work that
/// does not belong there, such as a schema compiled or a certificate read.
const INSTRUCTIONS: u64 = 21_000_000;

#[test]
fn a_call_keeps_to_its_instructions() {
    let found = on_path("valgrind").ok_or_else(|| "there is no valgrind on PATH".to_owned());
    if setup::or_skip(found).is_none() || !cfg!(debug_assertions) {
        return;
    }
    let tool = r#"{"name": "t", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(&format!(r#"{{"tools": [{tool}]}}"#)))
        .step("POST tools/call", Reply::result(r#"{"content": [{"type": "text", "text": "done"}]}"#))
        .start();
    let counted = r#"exec valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@""#;
    let run = mcpcall(["t", "n=7", "--connect-timeout", "60"]).url(&server.url()).under(counted);
    let output = run.stdout("done\n").stderr_has("refs:").check();
    let count = output.stderr.split("refs:").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let count: u64 = count.trim().replace(',', "").parse().unwrap();
    assert!(count < INSTRUCTIONS, "{count} instructions");
    // A budget that is never nearly used guards nothing.
    assert!(count > INSTRUCTIONS / 3, "{count} instructions: lower the budget");
}

/// The most crates that may go into the program, those that only help to compile it included.
const CRATES: usize = 204;

#[test]
fn the_program_is_made_of_few_crates() {
    let tree = ["tree", "--edges", "normal", "--prefix", "none", "--offline", "--locked", "--format", "{p}"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(tree).args(["--target", "x86_64-unknown-linux-gnu"]).current_dir(root());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let crates: BTreeSet<_> = tree.lines().filter(|line| !line.is_empty()).map(name).collect();
    assert!(crates.contains(&format!("mcpcall v{}", env!("CARGO_PKG_VERSION"))), "{crates:?}");
    assert!(
        crates.len() <= CRATES,
        "{} crates, {CRATES} are allowed: `cargo tree -e normal` shows who brings what, and `cargo tree -e normal -d` what \
         comes twice. Where a new one is worth it, raise CRATES here",
        crates.len()
    );
}
