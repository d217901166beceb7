//! Roots from flags and from answer files.

use crate::support::peers::Server;
use crate::support::run::mcpcall;
use serde_json::json;

each_peer!(fn roots_are_told_when_the_server_asks(server) {
    let tool = if server.peer.server == Server::Rust { "shelves" } else { "list_roots" };
    let run = mcpcall([tool, "--root", "notebooks=a b/ü", "--root", "/"]).file("a b", "");
    // A file stands where the folder should be, so there is a warning; the URI is told all the same.
    let output = run.on(server).any_stderr().run();
    assert_eq!(output.code, 0, "{}", output.report());
    assert!(output.stderr.contains("warning: --root notebooks=a b/ü: there is no such folder"), "{}", output.stderr);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(lines[0].starts_with("notebooks file:///") && lines[0].ends_with("/a%20b/%C3%BC"), "{}", output.stdout);
    assert_eq!(lines[1], "- file:///");
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio] fn roots_come_from_an_answer_file_too(server) {
    let tool = if server.peer.server == Server::Rust { "shelves" } else { "list_roots" };
    let file = json!({ "version": 1, "answers": [
        { "on": "roots", "match": { "tool": tool }, "roots": ["file:///repo", { "uri": "file:///x", "name": "ex" }] }] });
    let run = mcpcall([tool, "--auto-answer", "a.json"]).file("a.json", file.to_string()).on(server);
    run.stdout("- file:///repo\nex file:///x\n").check();
});

each_peer!(fn the_three_capabilities_follow_the_flags(server) {
    let features = |args: &[&str]| {
        mcpcall(["client_features", "--json"]).args(args).on(server).any_stderr().run().json()["structuredContent"]["result"].clone()
    };
    assert_eq!(features(&["--root", "/"]), json!(["roots"]));
    assert_eq!(features(&["--root", "/", "--answer", "name=x"]), json!(["elicitation", "roots"]));
    assert_eq!(features(&["--sampling-text", "x"]), json!(["sampling"]));
    assert_eq!(features(&["--sampling-text", "x", "--root", "/"]), json!(["sampling", "roots"]));
    let all = ["--root", "/", "--answer", "name=x", "--sampling-cmd", "true"];
    assert_eq!(features(&all), json!(["elicitation", "sampling", "roots"]));
    assert_eq!(features(&[]), json!([]));
});

each_peer!([python_v2_stdio, python_v2_http] fn the_declared_roots_object_is_the_tables(server) {
    mcpcall(["client_features", "--root", "/"]).on(server).stdout_has("roots").check();
    let entry = server.wait_for_entry(|entry| entry["call"] == "client_features");
    assert_eq!(entry["client"]["capabilities"], json!({"roots": {"listChanged": true}}));
});

#[test]
fn what_is_no_root_is_exit_2() {
    let cases = [
        ("https://x/", "--root https://x/: a root is a path or a file:// URI"),
        ("name=", "--root name=: names no folder"),
    ];
    for (root, words) in cases {
        mcpcall(["t", "--root", root, "--", "/nope"]).code(2).stderr_has(words).check();
    }
    let file = r#"{"answers": [{"on": "roots", "roots": ["/x"]}]}"#;
    let run = mcpcall(["t", "--auto-answer", "a.json", "--", "/nope"]).file("a.json", file).code(2);
    run.stderr_has("a.json:1:40: /answers/0/roots/0: `/x` is no file:// URI").check();
}

each_peer!([rust_stdio] fn roots_declared_with_nothing_behind_are_refused(server) {
    let run = mcpcall(["shelves", "--cap", "roots=listChanged", "--trace-file", "trace"]).on(server).code(6).any_stdout();
    let output = run.stderr_has("-32603").stderr_has("nothing is left to answer with").check();
    assert!(output.file("trace").contains(r#""roots":{"listChanged":true}"#));
});
