//! Mistakes in configuration files: told where they stand, and in the way of nobody else.

use crate::config::{CARD, call, entry};
use crate::support::peers::Peer;
use crate::support::run::mcpcall;
use serde_json::json;

#[test]
fn a_name_that_stands_twice_is_no_guess() {
    let other = json!({ "command": "no-such" });
    let listed = |more: &[&str], text: &str| mcpcall(["list", "--config", "c.json"]).args(more).file("c.json", text);
    for (text, here, there) in [
        (
            format!("{{\n \"servers\": {{\"a\": {other}, \"b\": {other}}},\n \"mcpServers\": {{\"a\": {other}}}}}"),
            "c.json:2:14: ",
            "3:17",
        ),
        (
            format!("{{\n \"mcpServers\": {{\"b\": {other}, \"a\": {other},\n \"a\": {other}}}}}"),
            "c.json:3:2: ",
            "2:45",
        ),
    ] {
        let output = listed(&["--server", "a"], &text).code(2).stderr_has("c.json:").any_stderr().check();
        let said = format!("{here}server a: there is another one of this name at {there}");
        assert!(output.stderr.contains(&said), "{}", output.stderr);
        // The others are not concerned.
        listed(&["--server", "b"], &text).code(4).stderr_has("cannot start no-such").check();
        listed(&[], &text).code(2).stderr_has(&format!("another one of this name at {there}")).check();
    }
}

#[test]
fn a_value_that_cannot_be_used_is_wrong_in_its_place() {
    for (entry, why) in [
        (json!({ "command": 5 }), ": server s: command is not a text"),
        (json!({ "command": "x", "cwd": true }), ": server s: cwd is not a text"),
        (json!({ "url": "nota url" }), ": server s: url is not valid"),
        (json!({ "url": "http:/u:SECRET@x" }), ": server s: url is not valid: no host stands behind `://`"),
        (json!({ "serverUrl": "ftp://x" }), ": server s: serverUrl is ftp:, not http or https"),
        (json!({ "url": "http://x", "headers": { "a b": "c" } }), ": server s: headers/a b: this name is not legal"),
        (json!({ "url": "http://x", "headers": { "a": "b\nSECRET" } }), ": server s: headers/a: this value is not"),
        (json!({ "command": "x", "env": { "A=B": "c" } }), ": server s: env: \"A=B\" cannot be the name of a variable"),
        (json!({ "command": "x", "env": { "": "c" } }), ": server s: env: \"\" cannot be the name of a variable"),
        (json!({ "command": "x", "args": ["a\0b"] }), ": server s: args/0 has a NUL character in it"),
    ] {
        let text = format!("{{\"mcpServers\": {{\n \"s\": {entry}, \"t\": {{\"command\": \"x\"}}}}}}");
        let listed = |more: &[&str]| mcpcall(["list", "--config", "c.json"]).args(more).file("c.json", &text).code(2);
        let output = listed(&["--server", "s"]).stderr_has(why).check();
        assert!(output.stderr.contains("c.json:2:") && !output.stderr.contains("SECRET"), "{}", output.stderr);
        // A list of the servers does not praise it either.
        listed(&[]).stderr_has(why).check();
    }
    // What is yet to be asked for is judged when it is there.
    let text = json!({ "inputs": [{ "id": "u" }], "servers": { "s": { "url": "${input:u}" } } }).to_string();
    let listed = |input: &str| mcpcall(["list", "--config", "c.json", "--input", input]).file("c.json", &text);
    listed("u=http://127.0.0.1:1/").code(4).stderr_has("it is the server s of c.json").check();
    listed("u=nota url").code(2).stderr_has("server s: url is not valid").check();
}

#[test]
fn a_command_with_its_arguments_in_it_is_explained() {
    let text = json!({ "mcpServers": { "s": { "command": "no-such server.py" } } }).to_string();
    let run = mcpcall(["list", "--config", "c.json"]).file("c.json", text).code(4);
    run.stderr_has("\"args\" in a configuration file").stderr_has("it is the server s of c.json").check();
}

#[test]
fn an_input_without_a_name_is_in_the_way_of_none() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let inputs = json!([{ "type": "promptString" }, { "id": "a" }, { "id": "a" }]);
    let mut asks = entry(&server);
    asks["env"] = json!({ "X": "${input:lost}", "Y": "${input:a}" });
    let text = json!({ "inputs": inputs, "servers": { "s": entry(&server), "asks": asks } }).to_string();
    call(&["--config", "c.json", "--server", "s"]).file("c.json", &text).stdout(CARD).check();
    let run =
        |more: &[&str]| call(&["--config", "c.json", "--server", "asks"]).args(more).file("c.json", &text).code(2);
    run(&[]).stderr_has("${input:lost} is not among the inputs").stderr_has(": an input has no id").check();
    run(&["--input", "zebra=1"]).stderr_has("it has: a, lost\n").check();
    let text = json!({ "inputs": 5, "servers": { "s": entry(&server) } }).to_string();
    call(&["--config", "c.json"]).file("c.json", &text).stdout(CARD).check();
    call(&["--config", "c.json", "--input", "a=b"])
        .file("c.json", &text)
        .code(2)
        .stderr_has("inputs is not a list")
        .check();
}

#[test]
fn a_file_of_type_sse_says_so_where_the_server_speaks_otherwise() {
    let Some(server) = Peer::named("rust_http").start() else { return };
    let mut entry = entry(&server);
    entry["type"] = "sse".into();
    let text = json!({ "mcpServers": { "library": entry } }).to_string();
    let output = call(&["--config", "c.json"]).file("c.json", text).any_stderr().run();
    assert!(output.code != 0 && output.stderr.contains("its type there is sse"), "{}", output.report());
}

#[test]
fn the_name_in_the_environment_is_of_the_file_in_the_environment() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let text = json!({ "mcpServers": { "library": entry(&server) } }).to_string();
    let run = call(&["--config", "c.json"]).env("MCPCALL_SERVER", "other").env("MCPCALL_CONFIG", "none.json");
    run.file("c.json", &text).stdout(CARD).check();
    let run = call(&["--config", "c.json", "--server", ""]).file("c.json", &text).code(2);
    run.stderr_has("--server is empty").check();
}
