//! Servers that configuration files name: those of Claude, Cursor and the like, and those of VS Code with what it asks for.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::peers::{Peer, Running};
use crate::support::run::{Run, mcpcall};
use crate::support::terminal::keys::{CTRL_C, DOWN, ENTER, ESC, UP};
use crate::support::{Target as _, root};
use rustix::process::Signal;
use serde_json::{Value, json};

pub(crate) const CARD: &str = "Card issued to Ada.\n";

/// A call that needs no more than a server.
pub(crate) fn call<'a>(more: &[&str]) -> Run<'a> {
    mcpcall(["issue_card", "--answer", "name=Ada"]).args(more)
}

/// The entry that starts or reaches a peer.
pub(crate) fn entry(server: &Running) -> Value {
    match server.args().as_slice() {
        [flag, url] if flag == "--url" => json!({ "url": url }),
        [_, program, args @ ..] => json!({ "command": program, "args": args }),
        other => panic!("{other:?}"),
    }
}

/// An entry that starts a peer by way of a shell, which notes what it was given in `seen`.
fn noting(server: &Running, what: &str) -> Value {
    let script = format!("printf '%s' \"{what}\" >\"$0\"; exec \"$@\"");
    let args: Vec<Value> = [json!("-c"), json!(script), json!("${SEEN}")]
        .into_iter()
        .chain(server.stdio_command().into_iter().map(Value::from))
        .collect();
    json!({ "type": "stdio", "command": "sh", "args": args })
}

/// A place outside of the working directory for what a server notes.
fn seen() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen").display().to_string();
    (folder, path)
}

each_peer!(fn a_file_of_claude_names_the_server(server) {
    let text = format!(
        "\u{feff}// my servers\n{{\n  \"mcpServers\": {{\n    /* the library */ \"library\": {},\n    \"other\": {{ \"command\": \"no-such\", \"env\": {{\"A\": \"${{NOT_SET}}\"}}, }},\n  }},\n  \"theme\": \"dark\",\n}}\n",
        entry(server)
    );
    call(&["--config", "c.json", "--server", "library"]).file("c.json", &text).stdout(CARD).check();
});

each_peer!([everything_stdio] fn a_server_of_node_is_started_from_its_file(server) {
    let text = json!({ "mcpServers": { "everything": entry(server) } }).to_string();
    let run = mcpcall(["echo", "message=hi", "--config", "c.json"]).file("c.json", text);
    run.stdout("Echo: hi\n").any_stderr().check();
});

each_peer!([rust_stdio, python_v2_stdio] fn a_file_of_vs_code_has_inputs_and_variables(server) {
    let mut entry = noting(server, "$TOKEN|$HOST|$FROM_FILE|$FLAG|$PWD");
    entry["env"] = json!({ "TOKEN": "${input:token}", "HOST": "${env:THE_HOST}:${PORT:-80}", "PORT": 1, "GONE": null });
    entry["envFile"] = "${workspaceFolder}/.env".into();
    let inputs = json!([
        { "id": "token", "type": "promptString", "description": "API token", "password": true },
        { "id": "unused", "type": "command", "command": "x.y" },
    ]);
    for nested in [false, true] {
        let whole = json!({ "inputs": inputs, "servers": { "library": entry } });
        let whole = if nested { json!({ "mcp": whole, "editor.tabSize": 2 }) } else { whole };
        let text = format!("// settings\n{whole}");
        let (_folder, seen) = seen();
        let run = call(&["--config", "c.json", "--server", "library", "--input", "token=s=1", "-e", "FLAG=f"]);
        let run = run.env("THE_HOST", "h").env("SEEN", &seen).env("GONE", "no").file("c.json", text);
        let run = run.file(".env", "# c\nFROM_FILE='x y'\nTOKEN=overridden\n");
        run.stdout(CARD).check();
        let seen = std::fs::read_to_string(&seen).unwrap();
        assert!(seen.starts_with("s=1|h:80|x y|f|"), "{seen}");
    }
});

#[test]
fn a_project_is_where_its_file_lies() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let project = tempfile::tempdir().unwrap();
    let project = project.path().canonicalize().unwrap();
    std::fs::create_dir_all(project.join(".vscode")).unwrap();
    std::fs::create_dir_all(project.join("sub")).unwrap();
    let file = project.join(".vscode/mcp.json");
    for (cwd, flag, expected) in [
        (None, None, project.clone()),
        (Some("sub"), None, project.join("sub")),
        (Some("${workspaceFolder}/sub"), None, project.join("sub")),
        (Some("sub"), Some("/"), "/".into()),
    ] {
        let mut entry = noting(&server, "$PWD");
        if let Some(cwd) = cwd {
            entry["cwd"] = cwd.into();
        }
        std::fs::write(&file, json!({ "servers": { "library": entry } }).to_string()).unwrap();
        let (_folder, seen) = seen();
        let flags: Vec<&str> = flag.iter().flat_map(|folder| ["--cwd", folder]).collect();
        call(&["--config", file.to_str().unwrap()]).args(flags).env("SEEN", &seen).stdout(CARD).check();
        assert_eq!(std::fs::read_to_string(&seen).unwrap(), expected.display().to_string());
    }
}

const LIST: &str = r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#;

#[test]
fn headers_are_sent_and_those_on_the_line_have_the_last_word() {
    let server = HttpScript::new()
        .handshake()
        .always("POST tools/list", Reply::result(LIST))
        .always("GET", Reply::status(405))
        .start();
    let entry = json!({ "type": "streamable-http", "url": "${BASE}/mcp",
        "headers": { "Authorization": "Bearer ${KEY}", "x-b": "file" } });
    let text = json!({ "mcpServers": { "s": entry } }).to_string();
    let base = server.url().strip_suffix("/mcp").unwrap().to_owned();
    let run = mcpcall(["list", "--config", "c.json", "--server", "s", "-H", "X-B: line", "--trace"]);
    let output = run.env("BASE", base).env("KEY", "SECRET").file("c.json", text).stdout_has("t").any_stderr().check();
    assert!(!output.stderr.contains("SECRET"), "{}", output.stderr);
    for request in server.requests() {
        assert_eq!((request.header("authorization"), request.header("x-b")), (Some("Bearer SECRET"), Some("line")));
    }
}

each_peer!([python_v1_sse] fn a_server_of_type_sse_is_spoken_to_in_http_sse(server) {
    let mut entry = entry(server);
    entry["type"] = "sse".into();
    let text = json!({ "mcpServers": { "library": entry } }).to_string();
    let run = call(&["--config", "c.json", "--trace"]).file("c.json", text).stdout(CARD).any_stderr();
    let output = run.check();
    let first = output.stderr.lines().find(|line| line.contains("GET ") || line.contains("POST ")).unwrap();
    assert!(first.contains("GET "), "nothing else is tried first: {first}");
});

#[test]
fn the_environment_names_a_server_where_no_flag_does() {
    let Some(server) = Peer::named("rust_http").start() else { return };
    let text = json!({ "mcpServers": { "library": entry(&server), "other": { "command": "no-such" } } }).to_string();
    let url = server.args()[1].clone();
    call(&[]).env("MCPCALL_URL", &url).stdout(CARD).check();
    call(&[])
        .env("MCPCALL_CONFIG", "c.json")
        .env("MCPCALL_SERVER", "library")
        .file("c.json", &text)
        .stdout(CARD)
        .check();
    call(&["--server", "library"]).env("MCPCALL_CONFIG", "c.json").file("c.json", &text).stdout(CARD).check();
    let run =
        call(&["--url", &url]).env("MCPCALL_CONFIG", "nowhere").env("MCPCALL_SERVER", "x").env("MCPCALL_URL", "y");
    run.stdout(CARD).check();
    let run = call(&["--config", "c.json", "--server", "library"]).env("MCPCALL_URL", "http://127.0.0.1:1/");
    run.file("c.json", &text).stdout(CARD).check();
    let run = call(&[]).env("MCPCALL_URL", &url).env("MCPCALL_CONFIG", "c.json").file("c.json", &text).code(2);
    run.stderr_has("MCPCALL_URL and MCPCALL_CONFIG are set").check();
    call(&[]).env("MCPCALL_URL", "").code(2).stderr_has("which server?").check();
}

#[test]
fn a_wrong_name_lists_the_right_ones() {
    let text = json!({ "mcpServers": {
        "library": { "command": "python3", "args": ["--key", "SECRET"] },
        "weather": { "url": "https://u:SECRET@example.com/mcp?key=SECRET" },
    }})
    .to_string();
    let run = |more: &[&str]| mcpcall(["list", "--config", "c.json"]).args(more).file("c.json", &text).run();
    snapshot!("wrong_name", run(&["--server", "libary"]));
    snapshot!("strange_name", run(&["--server", "zebra"]));
    snapshot!("no_name", run(&[]));
    let run = mcpcall(["list", "--server", "x"]).env("MCPCALL_CONFIG", "c.json").file("c.json", r#"{"servers": {}}"#);
    run.code(2).stderr("mcpcall: error: c.json has no servers\n").check();
}

#[test]
fn what_is_wrong_is_told_before_anything_is_started_and_where_it_stands() {
    let cases = [
        (json!({ "command": "x", "env": { "K": "${NO}" } }), "server s: env/K: the environment variable NO is not set"),
        (
            json!({ "url": "http://x", "headers": { "A": "${env:NO}" } }),
            "server s: headers/A: the environment variable NO",
        ),
        (json!({ "command": "x", "args": ["a", ["b"]] }), "server s: args/1 is not a text"),
        (json!({ "command": "x", "args": "a" }), "server s: args is not a list"),
        (json!({ "args": [] }), "server s: has neither a \"command\" nor a \"url\""),
        (json!({ "command": "x", "url": "y" }), "server s: has a command and a url"),
        (json!({ "type": "ws", "url": "y" }), "server s: type ws is not known"),
        (json!({ "type": "http", "command": "y" }), "server s: has no \"url\""),
        (json!({ "command": "x", "envFile": "none" }), "server s: envFile "),
        (json!({ "command": "${command:pick}" }), "server s: command: ${command:pick} is known to the editor alone"),
        (
            json!({ "command": "x", "args": ["${input:who}"] }),
            "server s: ${input:who} is not among the inputs of the file",
        ),
        (json!({ "command": "x", "args": ["${input:run}"] }), "the input run is the result of an editor's command"),
        (json!("x"), "server s: is not an object"),
    ];
    for (entry, why) in cases {
        let inputs = json!([{ "id": "run", "type": "command", "command": "a.b" }]);
        let text = format!("{{\"inputs\": {inputs},\n \"servers\": {{\n  \"s\": {entry}}}}}");
        let output = mcpcall(["list", "--config", "c.json"]).file("c.json", text).code(2).stderr_has(why).check();
        assert!(output.stderr.contains("c.json"), "{}", output.stderr);
    }
    let run = mcpcall(["list", "--config", "c.json"]).file("c.json", "{\n  \"mcpServers\": {\n    \"a\": {]\n");
    run.code(2).stderr_has("c.json:3:11: not JSON: ").check();
    mcpcall(["list", "--config", "none.json"]).code(2).stderr_has("--config none.json: No such file").check();
    mcpcall(["list", "--config", "."]).code(2).stderr_has("--config .: is a folder").check();
    mcpcall(["list", "--server", "x"]).code(2).stderr_has("in which file?").check();
    mcpcall(["list", "--input", "a=b", "--url", "x"]).code(2).stderr_has("--input goes with --config only").check();
    let both = mcpcall(["list", "--config", "c.json", "--url", "http://127.0.0.1:1/"]);
    both.code(2).stderr_has("more than one server given").check();
}

#[test]
fn secrets_are_in_no_error() {
    let text =
        json!({ "mcpServers": { "s": { "url": "ftp://u:SECRET@x/?key=SECRET", "headers": { "A": "SECRET" } } } });
    for flags in [
        ["--server", "s"],
        ["--server", "t"],
        ["--input", "noseparatorSECRET"],
        ["-H", "noseparatorSECRET"],
        ["-e", "noseparatorSECRET"],
    ] {
        let run = mcpcall(["list", "--config", "c.json"]).args(flags).file("c.json", text.to_string());
        let output = run.run();
        assert!(output.code == 2 && !output.stderr.contains("SECRET"), "{}", output.report());
    }
}

#[test]
fn a_disabled_server_that_is_named_is_used_and_told_of() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let mut entry = entry(&server);
    entry["disabled"] = true.into();
    let text = json!({ "mcpServers": { "library": entry } }).to_string();
    let run = call(&["--config", "c.json", "--server", "library"]).file("c.json", text);
    run.stdout(CARD).stderr_has("library is disabled in c.json").check();
}

/// A file of VS Code's that asks for a token and a region.
fn asking(server: &Running) -> String {
    let mut entry = noting(server, "$TOKEN|$REGION");
    entry["env"] = json!({ "TOKEN": "${input:token}", "REGION": "${input:region}-${input:region}" });
    let inputs = json!([
        { "id": "token", "type": "promptString", "description": "API token", "password": true },
        { "id": "region", "type": "pickString", "description": "Region", "options": ["eu", "us"], "default": "us" },
        { "id": "unused", "type": "promptString", "description": "Never asked" },
    ]);
    format!("// asks\n{}", json!({ "inputs": inputs, "servers": { "library": entry } }))
}

#[test]
fn inputs_are_asked_for_once_and_secrets_are_not_shown() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let (_folder, seen) = seen();
    let start = || call(&["--config", "c.json"]).file("c.json", asking(&server)).env("SEEN", &seen).terminal();
    let mut terminal = start();
    terminal.wait_for("library needs (c.json)").wait_for("Enter: next");
    snapshot!("secret_asked", terminal);
    terminal.send(ENTER).wait_for("a value is needed here").send("hush-hush").wait_for("•••••••••").send(ENTER);
    terminal.wait_for("> us").send(UP).wait_for("> eu").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, CARD), "{}", end.screen);
    assert!(!String::from_utf8_lossy(&end.raw).contains("hush"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    snapshot!("inputs_given", end);
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "hush-hush|eu-eu");

    // What is given is not asked for; ^C starts nothing.
    std::fs::remove_file(&seen).unwrap();
    let mut terminal = call(&["--config", "c.json", "--input", "region=eu"])
        .file("c.json", asking(&server))
        .env("SEEN", &seen)
        .terminal();
    terminal.wait_for("Enter: start").send(CTRL_C);
    let end = terminal.finish();
    assert!(end.code == 130 && end.cooked && !end.cursor_hidden && !end.screen.contains("Region"), "{}", end.screen);
    let mut terminal = start();
    terminal
        .wait_for("Enter: next")
        .send(ESC)
        .wait_for("Cancel: do not start it")
        .send(DOWN)
        .wait_for("> Cancel")
        .send(ENTER);
    let end = terminal.finish();
    // There is no server yet that could be told no.
    assert!(!String::from_utf8_lossy(&end.raw).to_lowercase().contains("decline"), "{}", end.screen);
    assert!(end.code == 2 && end.screen.contains("the input token was given no value"), "{}", end.screen);
    let mut terminal = start();
    terminal.wait_for("Enter: next").signal(Signal::TERM);
    let end = terminal.finish();
    assert!(end.code == 143 && end.cooked && !end.cursor_hidden, "{}", end.screen);
    assert!(!std::path::Path::new(&seen).exists());
}

#[test]
fn an_input_may_say_which_env_file_is_meant() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let (_folder, seen) = seen();
    let mut entry = noting(&server, "$TOKEN");
    entry["envFile"] = "${input:stage}.env".into();
    let inputs = json!([{ "id": "stage", "type": "promptString", "description": "Stage" }]);
    let text = json!({ "inputs": inputs, "servers": { "library": entry } }).to_string();
    let run = |more: &[&str]| {
        let run = call(&["--config", "c.json"]).args(more).file("c.json", &text).file("prod.env", "TOKEN=hush");
        run.env("SEEN", &seen)
    };
    run(&["--input", "stage=prod"]).stdout(CARD).check();
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "hush");
    run(&["--input", "stage=none"]).code(2).stderr_has("envFile ").stderr_has("none.env").check();
    let mut terminal = run(&[]).terminal();
    terminal.wait_for("Stage").send("prod").wait_for("prod").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, CARD), "{}", end.screen);
}

#[test]
fn nobody_is_asked_before_mistakes_are_found() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let mistakes: &[(&[&str], &str)] = &[
        (&["issue_card", "name"], "not an argument: `name`"),
        (&["issue_card", "@none.json"], "none.json"),
        (&["issue_card", "-H", "a: b"], "-H goes with a server at a URL"),
        (&["issue_card", "--auto-answer", "none.json"], "--auto-answer none.json"),
        (&["issue_card", "--trace-file", "x", "--junit", "x"], "--trace-file and --junit name the same file"),
        (&["issue_card", "--save-state", "x"], "--save-state goes with --stop-on-input"),
        (&["issue_card", "--matrix"], "--yes allows it"),
        (&["issue_card", "--protocol", "both", "--check"], "--check is for one call"),
        (&["prompt", "p", "name"], "not an argument: `name`"),
        (&["request", "ping", "{"], "the params are not JSON"),
        (&["batch", "none.ndjson"], "none.ndjson"),
        (&["batch", "c.json", "--auto-answer", "expect.json"], "a batch makes many"),
    ];
    for (words, what) in mistakes {
        let is_one_call = !["both", "--matrix", "batch"].iter().any(|many| words.contains(many));
        let out: &[&str] = if is_one_call { &["--out", "kept"] } else { &[] };
        let run =
            mcpcall(*words).args(["--config", "c.json"]).args(out).file("c.json", asking(&server)).env("SEEN", "x");
        let mut terminal =
            run.file("expect.json", r#"{"version": 1, "answers": [], "expect": {"rounds": 1}}"#).terminal();
        terminal.wait_for("mcpcall: error");
        let work = terminal.work();
        let end = terminal.finish();
        let screen = end.screen.replace('\n', " ");
        assert!(end.code == 2 && !screen.contains("needs (c.json)"), "{words:?}\n{screen}");
        assert!(screen.contains(what), "{words:?}: {what}\n{screen}");
        assert!(!work.join("kept").exists(), "{words:?}");
    }
    let mut odd: Value = serde_json::from_str(asking(&server).split_once('\n').unwrap().1).unwrap();
    odd["servers"]["library"]["disabled"] = "no".into();
    let run = call(&["--config", "c.json"]).file("c.json", odd.to_string()).env("SEEN", "x");
    let end = run.terminal().wait_for("mcpcall: error").screen();
    assert!(end.contains("disabled is neither true nor false") && !end.contains("needs (c.json)"), "{end}");
}

#[test]
fn a_terminal_without_drawing_does_not_echo_a_secret() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let (_folder, seen) = seen();
    let run = call(&["--config", "c.json", "--input", "region=us"]).file("c.json", asking(&server));
    let mut terminal = run.env("SEEN", &seen).env("TERM", "dumb").terminal();
    terminal.wait_for("API token").wait_for("\n>").send("hush-hush\r");
    let end = terminal.finish();
    assert!(!end.screen.contains("/decline") && end.screen.contains("/cancel"), "{}", end.screen);
    assert_eq!((end.code, end.stdout.as_str()), (0, CARD), "{}", end.screen);
    assert!(!String::from_utf8_lossy(&end.raw).contains("hush") && end.cooked, "{}", end.screen);
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "hush-hush|us-us");
}

#[test]
fn where_nobody_can_be_asked_the_flags_are_told() {
    let Some(server) = Peer::named("rust_stdio").start() else { return };
    let (_folder, seen) = seen();
    let run =
        |more: &[&str]| call(&["--config", "c.json"]).args(more).file("c.json", asking(&server)).env("SEEN", &seen);
    run(&[])
        .code(2)
        .stderr_has("server library needs the input token, region, and nobody can be asked")
        .stderr_has("give --input token=VALUE --input region=VALUE")
        .check();
    let end = run(&["--no-input", "--input", "region=us"]).terminal().finish();
    assert!(end.code == 2 && end.screen.contains("--input token=VALUE"), "{}", end.screen);
    run(&["--input", "token=1", "--input", "region=mars"])
        .code(2)
        .stderr_has("--input region: not one of eu, us")
        .check();
    run(&["--input", "tokn=1"]).code(2).stderr_has("did you mean token?").check();
    run(&["--input", "zebra=1"]).code(2).stderr_has("it has: token, region, unused").check();
    assert!(!std::path::Path::new(&seen).exists());
    run(&["--input", "token=1", "--input", "region=us"]).stdout(CARD).check();
}

each_peer!([rounds_python_stdio] fn a_call_that_was_put_down_goes_on_from_its_file(server) {
    let mut entry = entry(server);
    entry["env"] = json!({ "TOKEN": "${TOKEN}" });
    let text = json!({ "mcpServers": { "rounds": entry } }).to_string();
    let run = mcpcall(["ask", "--config", "c.json", "--stop-on-input", "--save-state", "s.json"]).env("TOKEN", "SECRET");
    let output = run.file("c.json", &text).code(7).any_stderr().check();
    let state = output.file("s.json");
    assert!(!state.contains("SECRET") && state.contains(r#""name":"rounds""#), "{state}");
    let file = serde_json::from_str::<Value>(&state).unwrap()["server"]["config"].as_str().unwrap().to_owned();
    assert!(std::path::Path::new(&file).is_absolute() && std::fs::read_to_string(file).unwrap() == text, "{state}");
    let run = mcpcall(["resume", "s.json", "--answer", "name=Ada"]).env("TOKEN", "SECRET");
    let run = run.env("MCPCALL_URL", "http://127.0.0.1:1/").file("s.json", &state);
    run.stdout("Hello, Ada!\n").check();
});

each_peer!([rust_stdio] fn a_report_hides_what_the_file_tells_and_asks_for(server) {
    let script = "echo \"got $ONE $TWO $THREE\" >&2; exec \"$@\"";
    let mut entry = json!({ "command": "sh", "env": { "ONE": "from-the-file", "TWO": "${input:two}" } });
    entry["args"] = ["-c", script, "sh"].into_iter().map(str::to_owned).chain(server.stdio_command()).collect();
    entry["envFile"] = ".env".into();
    let inputs = json!([{ "id": "two", "type": "promptString", "password": true }]);
    let text = json!({ "inputs": inputs, "servers": { "library": entry } }).to_string();
    let run = || call(&["--config", "c.json", "--report", "r.html"]).file("c.json", &text).file(".env", "THREE=of-a-file");
    let mut terminal = run().terminal();
    terminal.wait_for("Enter: start").send("typed-unseen").send(ENTER);
    let typed = terminal.finish();
    let given = run().args(["--input", "two=typed-unseen"]).stdout(CARD).stderr_has("got from-the-file typed-unseen");
    for page in [typed.file("r.html"), given.check().file("r.html")] {
        assert!(page.contains("got *** *** ***"), "{page}");
        assert!(["from-the-file", "typed-unseen", "of-a-file"].iter().all(|secret| !page.contains(secret)));
    }
});

#[test]
fn what_a_file_puts_into_headers_and_addresses_is_hidden() {
    let listed = r#"{"tools":[{"name":"hush-hush","title":"quiet-too","inputSchema":{"type":"object"}}]}"#;
    let start = || {
        HttpScript::new()
            .handshake()
            .always("POST tools/list", Reply::result(listed).header("X-Echo", "typed-key"))
            .always("GET", Reply::status(405))
            .start()
    };
    for flags in [&["--report", "r.html"][..], &["--trace", "--trace-file", "r.html"]] {
        let server = start();
        let entry = json!({ "url": format!("{}?k=${{input:key}}", server.url()),
            "headers": { "Authorization": "Bearer ${KEY}", "X-Custom": "${OTHER}", "X-Plain": "shown" } });
        let text =
            json!({ "inputs": [{ "id": "key", "type": "promptString" }], "servers": { "s": entry } }).to_string();
        let run = mcpcall(["list", "--config", "c.json", "--input", "key=typed-key"]).args(flags).file("c.json", text);
        let run = run.env("KEY", "hush-hush").env("OTHER", "quiet-too").stdout_has("hush-hush");
        let output = if flags[0] == "--trace" { run.any_stderr().check() } else { run.check() };
        let file = output.file("r.html");
        for told in [&file, &output.stderr] {
            assert!(!told.contains("typed-key"), "{told}");
        }
        assert!(file.contains("?k=***") && file.contains("shown"), "{file}");
        // The body of an answer is shown in a trace as it is, but for what proves who we are.
        let echoed = ["hush-hush", "quiet-too"].map(|secret| file.matches(secret).count());
        assert_eq!(echoed, if flags[0] == "--trace" { [0, 1] } else { [0, 0] }, "{file}");
    }
}

#[test]
fn the_readme_shows_files_that_work() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let block = readme.split("```jsonc\n").nth(1).expect("README.md shows a file").split("```").next().unwrap();
    let run = mcpcall(["list", "--config", "c.json", "--server", "weathr"]).file("c.json", block).code(2);
    run.stderr_has("did you mean weather?").check();
}
