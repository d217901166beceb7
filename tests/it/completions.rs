//! TAB: in the shells themselves, and what they are answered.

use crate::support::auth_server::{AuthServer, browser};
use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::output::Output;
use crate::support::peers::{Peer, Running};
use crate::support::run::{Run, mcpcall};
use crate::support::scripted::case;
use crate::support::terminal::Terminal;
use crate::support::terminal::keys::CTRL_U;
use crate::support::{Target as _, on_path, root, setup};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

const HOME: &str = "\x01";
const FORWARD: &str = "\x06";
const TAB: &str = "\t";
const CLEAR: &str = "\x0c";

/// A shell at a terminal, completion loaded; None, after saying so, where it is missing.
fn shell(name: &str) -> Option<Terminal> {
    let found = on_path(name).ok_or_else(|| format!("there is no {name} on PATH"));
    let program = setup::or_skip(found)?;
    let script = mcpcall(["completions", name]).stdout_has("mcpcall").check().stdout;
    let args: &[&str] = match name {
        "bash" => &["--noprofile", "--rcfile", "rc", "-i"],
        "zsh" => &["-d", "-i"],
        _ => &["--no-config", "--init-command", "source rc", "-i"],
    };
    let rc = match name {
        "bash" => format!("PS1='READY> '\nbind 'set enable-bracketed-paste off'\n{script}"),
        "zsh" => {
            "autoload -Uz compinit; compinit -u -D\nbindkey -e\nunsetopt prompt_sp\nPS1='READY> '\nsource ./script\n"
                .into()
        }
        _ => format!(
            "function fish_prompt; echo -n 'READY> '; end\nset -g fish_autosuggestion_enabled 0\nset -g fish_greeting\n{script}"
        ),
    };
    let rc_name = if name == "zsh" { ".zshrc" } else { "rc" };
    let run = mcpcall(args.iter().copied()).within(program.to_str().unwrap()).file(rc_name, rc).file("script", script);
    let run = run.env("ZDOTDIR", ".").env("MCPCALL_COMPLETE_TIMEOUT", "15").stdout_at_terminal();
    let mut terminal = run.terminal_of_size(24, 250);
    terminal.wait_for("READY> ");
    Some(terminal)
}

/// Types a line, goes back to just behind its beginning, and presses TAB.
fn complete_within(terminal: &mut Terminal, beginning: &str, rest: &str) {
    terminal.send(&format!("{beginning}{rest}")).wait_for(rest.trim_end());
    terminal.send(HOME).send(&FORWARD.repeat(beginning.chars().count())).send(TAB);
}

fn library() -> Option<(Running, String)> {
    let server = Peer::named("rust_stdio").start()?;
    // The shells' ways to quote a quote differ: there is to be none.
    let command = server.stdio_command().join(" ");
    Some((server, command))
}

const PAINT: &str = r#"{"tools":[{"name":"paint","description":"Paint a wall","inputSchema":{"type":"object","properties":{"shade":{"type":"string","enum":["green","grey","blue"]},"wet":{"type":"boolean"},"note":{"type":"string","enum":["as is","it's"]},"motto":{"enum":["say \"hi\"","no"]},"size":{"type":"string"}},"required":["wet"]}}]}"#;

const FILES: &str = r#"{"resources":[{"uri":"file:///repo/a.txt","name":"a"},{"uri":"file:///b","name":"b"}]}"#;

/// A server over HTTP that may be asked any number of times.
fn painter() -> Scripted {
    let result =
        r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}"#;
    let script = HttpScript::new().always("POST initialize", Reply::result(result));
    let script = script.always("POST notifications/initialized", Reply::status(202)).always("GET", Reply::status(405));
    let script = script.always("POST resources/list", Reply::result(FILES));
    script.always("POST tools/list", Reply::result(PAINT)).start()
}

fn a_tool_in_the_middle_and_at_the_end(name: &str) {
    let Some((_server, command)) = library() else { return };
    let Some(mut terminal) = shell(name) else { return };
    complete_within(&mut terminal, "mcpcall iss", &format!(" --stdio '{command}'"));
    terminal.wait_for("mcpcall issue_card ").wait_for("--stdio '");
    terminal.send("\x05").send(CTRL_U).wait_gone("issue_card");
    let line = format!("mcpcall --stdio '{command}' iss");
    terminal.send(&line).wait_for("' iss").send(TAB).wait_for("' issue_card");
}

fn names_and_values_of_arguments(name: &str) {
    let Some(mut terminal) = shell(name) else { return };
    let server = painter();
    let url = format!(" --url {}", server.url());
    complete_within(&mut terminal, "mcpcall paint shade=b", &url);
    terminal.wait_for("mcpcall paint shade=blue ");
    terminal.send("\x05").send(CTRL_U).wait_gone("blue");
    // Nothing may follow the sign: the value is next.
    complete_within(&mut terminal, "mcpcall paint we", &url);
    terminal.wait_for("paint wet=").send("t").send(TAB).wait_for("paint wet=true ");
    terminal.send("\x05").send(CTRL_U).wait_gone("wet");
    terminal.send(&format!("mcpcall{url} paint shade=gr")).wait_for("shade=gr").send(TAB).wait_for("shade=gre");
    terminal.send(TAB).send(TAB);
    terminal.wait_for("green").wait_for("grey");
    if name != "fish" {
        terminal
            .send(CTRL_U)
            .send(CLEAR)
            .wait_gone("shade=gr")
            .send(&format!("mcpcall{url} paint note='as"))
            .wait_for("'as")
            .send(TAB);
        terminal.wait_for(if name == "bash" { "note='as is'" } else { "note=as\\ is" });
    }
}

#[test]
fn bash_completes_tools() {
    a_tool_in_the_middle_and_at_the_end("bash");
}

#[test]
fn zsh_completes_tools() {
    a_tool_in_the_middle_and_at_the_end("zsh");
}

#[test]
fn fish_completes_tools() {
    a_tool_in_the_middle_and_at_the_end("fish");
}

#[test]
fn bash_completes_arguments() {
    names_and_values_of_arguments("bash");
}

#[test]
fn zsh_completes_arguments() {
    names_and_values_of_arguments("zsh");
}

#[test]
fn fish_completes_arguments() {
    names_and_values_of_arguments("fish");
}

each_peer!([surface_http] fn what_the_server_proposes_is_proposed(server) {
    let words = shell_words::join(server.args());
    for (typed, expected) in [
        ("prompt complain tone=", &["tone=polite", "tone=angry", "tone=hurt"][..]),
        ("prompt complain tone=a", &["tone=angry"]),
        ("complete complain tone=h", &["tone=hurt"]),
    ] {
        let output = ask(&format!("mcpcall {typed}| {words}")).any_stdout().any_stderr().check();
        assert_eq!(values(&output), expected, "{}", output.report());
    }
});

#[test]
fn who_declares_no_proposals_is_not_asked_for_any() {
    let server = painter();
    let output = ask(&format!("mcpcall prompt p a=| --url {}", server.url())).any_stdout().check();
    assert!(values(&output).is_empty());
    assert!(server.requests().iter().all(|request| request.body["method"] != "completion/complete"));
}

/// What fish is answered, the cursor at `|`.
fn ask<'a>(line: &str) -> Run<'a> {
    let (before, after) = line.split_once('|').unwrap();
    let run = mcpcall(["--", before, &format!("{before}{after}")]);
    run.env("MCPCALL_COMPLETE", "fish").env("MCPCALL_COMPLETE_TIMEOUT", "15")
}

/// The candidates alone.
fn values(output: &Output) -> Vec<&str> {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.report());
    output.stdout.lines().map(|line| line.split('\t').next().unwrap()).collect()
}

each_peer!([python_v2_stdio, python_v1_http, rust_http, everything_stdio] fn every_server_is_asked(server) {
    let words = shell_words::join(server.args());
    let tool = if words.contains("everything") { "ec" } else { "iss" };
    let output = ask(&format!("mcpcall call {tool}| {words}")).any_stdout().any_stderr().check();
    let expected = if tool == "ec" { "echo" } else { "issue_card" };
    assert_eq!(values(&output), [expected], "{}", output.report());
    output.nothing_left_running();
});

#[test]
fn what_may_stand_at_the_cursor() {
    let server = painter();
    let url = server.url();
    let inputs = json!([{ "id": "key", "type": "promptString" },
        { "id": "region", "type": "pickString", "options": ["eu", { "label": "States", "value": "us" }] }]);
    let config = json!({ "inputs": inputs, "mcpServers": { "paint": { "url": url }, "library": { "command": "x" } } })
        .to_string();
    for (line, expected) in [
        ("mcpcall pa| --url URL", &["paint"][..]),
        ("mcpcall paint | --url URL", &["wet=", "shade=", "note=", "motto=", "size="]),
        ("mcpcall call paint wet=true | --url URL", &["shade=", "note=", "motto=", "size="]),
        ("mcpcall paint shade=| --url URL", &["shade=green", "shade=grey", "shade=blue"]),
        ("mcpcall paint shade:=\"g| --url URL", &[]),
        ("mcpcall paint wet:=t| --url URL", &["wet:=true"]),
        ("mcpcall paint wet=@fi| --url URL", &["wet=@file"]),
        ("mcpcall listen file:///r| --url URL", &["file:///repo/a.txt"]),
        ("mcpcall list --server | --config c.json", &["paint", "library"]),
        ("mcpcall list --config c.json --input |", &["key=", "region=eu", "region=us"]),
        ("mcpcall pa| --config c.json --server paint", &["paint"]),
        ("mcpcall --protocol 2025-1| paint", &["2025-11-25"]),
        ("mcpcall --on-elicit d|", &["defaults", "decline"]),
        ("mcpcall --auto-answer fi|", &["file"]),
        ("mcpcall list prom|", &["prompts"]),
        ("mcpcall req|", &["request"]),
        ("mcpcall --save-s|", &["--save-state"]),
        ("mcpcall zzz| --url URL", &[]),
        ("mcpcall t -- fi|", &["file"]),
        ("cd x; A=1 mcpcall requ|", &["request"]),
    ] {
        let run = ask(&line.replace("URL", &url)).file("c.json", &config).file("file", "");
        let output = run.any_stdout().check();
        assert_eq!(values(&output), expected, "{line}\n{}", output.report());
    }
    let output = ask("mcpcall |").any_stdout().check();
    let found = values(&output);
    assert!(found.contains(&"list") && found.contains(&"call") && !found.contains(&"--url"), "{found:?}");
    let output = ask(&format!("mcpcall paint | --url {url}")).any_stdout().check();
    assert!(
        output.stdout.contains("wet=\ttrue or false") && output.stdout.contains("shade=\toptional; "),
        "{}",
        output.report()
    );
}

#[test]
fn the_environment_may_name_the_server() {
    let server = painter();
    let output = ask("mcpcall pa|").env("MCPCALL_URL", server.url()).any_stdout().check();
    assert_eq!(values(&output), ["paint"]);
}

#[test]
fn what_fails_is_no_candidate_and_nothing_is_printed() {
    for line in [
        "mcpcall x| --url http://127.0.0.1:1/",
        "mcpcall x| --stdio /no/such/program",
        "mcpcall x| --stdio 'sh -c \"echo noise; echo more >&2\"'",
        "mcpcall x| --url http://127.0.0.1:1/ --stdio y",
        "mcpcall x| --config none.json",
        "mcpcall x| --config c.json",
        "mcpcall x| --url 'unclosed",
        "mcpcall --server x| --config none.json",
    ] {
        let asking = json!({ "inputs": [{ "id": "a", "type": "promptString" }],
            "servers": { "s": { "command": "touch", "args": ["started", "${input:a}"] } } });
        let output = ask(line).file("c.json", asking.to_string()).check();
        assert!(!output.files().contains(&"started".to_owned()));
    }
    for [shell, rest @ ..] in [["bash", "", ""], ["fish", "a", "b"], ["tcsh", "x", "y"], ["zsh", "\u{0}1", "|"]] {
        let rest = rest.map(|word| word.trim_start_matches('\0').to_owned());
        mcpcall(["--".to_owned()].into_iter().chain(rest)).env("MCPCALL_COMPLETE", shell).check();
    }
}

#[test]
fn a_server_that_says_nothing_is_waited_for_two_seconds_and_ended() {
    let start = Instant::now();
    let run = ask("mcpcall x| --stdio 'sh -c \"trap : TERM; while :; do sleep 1; done\"'")
        .env("MCPCALL_COMPLETE_TIMEOUT", "");
    let output = run.check();
    assert!(start.elapsed() > Duration::from_millis(1900) && start.elapsed() < Duration::from_secs(8));
    output.nothing_left_running();
}

#[test]
fn the_next_tab_asks_nobody_and_what_is_kept_has_no_secrets() {
    let server = painter();
    let cache = tempfile::tempdir().unwrap();
    let line = format!("mcpcall pa| --url {} -H 'Authorization: SECRET'", server.url().replace("://", "://u:SECRET@"));
    let tab = || ask(&line).env("XDG_CACHE_HOME", cache.path()).any_stdout().check();
    assert_eq!(values(&tab()), ["paint"]);
    let n_requests = server.requests().len();
    assert_eq!(values(&tab()), ["paint"]);
    assert_eq!(server.requests().len(), n_requests);
    let folder = cache.path().join("mcpcall/completions");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let mode = |path: &Path| {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode(file), mode(&folder)), (0o600, 0o700));
    assert!(!std::fs::read_to_string(file).unwrap().contains("SECRET"));
    // Half a minute later it is stale.
    let old = std::time::SystemTime::now() - Duration::from_secs(31);
    std::fs::File::options().write(true).open(file).unwrap().set_modified(old).unwrap();
    assert_eq!(values(&tab()), ["paint"]);
    assert!(server.requests().len() > n_requests);
}

#[test]
fn a_server_in_front_of_the_program_is_seen() {
    let server = painter();
    let output = ask(&format!("MCPCALL_URL={} mcpcall pa|", server.url())).any_stdout().check();
    assert_eq!(values(&output), ["paint"]);
}

#[test]
fn a_login_that_is_there_is_used_and_none_is_made() {
    let server = AuthServer::start();
    let home = tempfile::tempdir().unwrap();
    let line = format!("mcpcall t| --url {} --state-dir {}", server.mcp(), home.path().display());
    let tab = || ask(&line).any_stdout().check();
    assert!(values(&tab()).is_empty());
    let login = mcpcall(["login", "--state-dir"]).args([home.path()]).url(&server.mcp()).args(browser());
    login.any_stdout().any_stderr().check();
    let n_tokens = server.seen("POST /token").len();
    assert_eq!(values(&tab()), ["t"]);
    // A token that is no longer one is not renewed.
    server.forget_tokens();
    assert!(values(&tab()).is_empty());
    assert_eq!(server.seen("POST /token").len(), n_tokens);
}

#[test]
fn what_a_server_calls_its_things_steers_no_terminal() {
    let Some(server) = case("stdio_hostile", &[]) else { return };
    let words = shell_words::join(server.args());
    let output = ask(&format!("mcpcall call | {words}")).any_stdout().any_stderr().run();
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(output.code == 0 && !output.stdout.contains(steers), "{}", output.report());
}

#[test]
fn the_scripts_of_the_repository_are_those_that_are_printed() {
    for (shell, file) in [("bash", "mcpcall.bash"), ("zsh", "_mcpcall"), ("fish", "mcpcall.fish")] {
        let script = mcpcall(["completions", shell]).stdout_has("MCPCALL_COMPLETE").check().stdout;
        assert_eq!(script, std::fs::read_to_string(root().join("completions").join(file)).unwrap());
    }
    for shell in ["elvish", "powershell"] {
        mcpcall(["completions", shell]).stdout_has("MCPCALL_COMPLETE").check();
        let run = mcpcall(["--", "mcpcall", "req"]).env("MCPCALL_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", "1");
        run.stdout_has("request").check();
    }
}
