//! What the README shows is what happens.

use std::process::{Command, Stdio};

use crate::support::peers::Peer;
use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::{Target, env, on_path, root, setup};

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

#[test]
fn the_first_picture_is_the_programs_screen() {
    let server = Peer::named("rust_stdio").start().unwrap();
    let mut terminal = mcpcall(["issue_card"]).on(&server).terminal();
    terminal.wait_for("Enter: send").send("Ada\r");
    let end = terminal.finish();
    let screen: Vec<&str> = end.screen.lines().map(str::trim_end).skip_while(|line| line.is_empty()).collect();
    let picture = format!("{}\n\n{}", screen.join("\n").trim_end(), end.stdout);
    assert!(readme().contains(&picture), "README.md does not show:\n{picture}");
}

#[test]
fn its_answer_files_are_read_and_its_commands_known() {
    let readme = readme();
    let blocks: Vec<&str> = readme.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 4);
    let server = Peer::named("rust_stdio").start().unwrap();
    for block in blocks {
        let run =
            mcpcall(["issue_card", "--auto-answer", "a.json", "--lenient-answers"]).file("a.json", block).on(&server);
        run.stdout("Card issued to Ada Lovelace.\n").check();
    }
    // Every flag the README names is in the help.
    let help = |words: &[&str]| mcpcall(words).stdout_has("--url").check().stdout;
    let verbs = [
        "call", "list", "show", "read", "prompt", "complete", "ping", "info", "listen", "resume", "request", "batch",
        "shell", "login",
    ];
    let verbs = verbs.map(|verb| help(&[verb, "--help"]));
    let help = help(&["--help"]) + &verbs.concat();
    let code = readme.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    for word in code.split([' ', '|', '\n', '[', ']']).filter(|word| word.starts_with("--") && word.len() > 2) {
        let flag = word.split('=').next().unwrap();
        assert!(
            help.contains(flag) || flag == "--path" || flag == "--stdio'" || flag == "--example",
            "README.md names {flag}"
        );
    }
}

#[test]
fn its_recipes_work() {
    if setup::or_skip(on_path("jq").ok_or_else(|| "there is no jq on PATH".to_owned())).is_none() {
        return;
    }
    let readme = readme();
    let section = readme.split("\n## Recipes\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let server = Peer::named("rust_http").start().unwrap();
    let url = server.args()[1].clone();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_mcpcall"));
    let path = format!("{}:{}", program.parent().unwrap().display(), env("PATH").unwrap_or_default());
    let mut said = Vec::new();
    for block in section.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        assert!(block.contains("http://127.0.0.1:8000/mcp"), "{block}");
        let folder = tempfile::tempdir().unwrap();
        let script = block.replace("http://127.0.0.1:8000/mcp", &url);
        let mut shell = Command::new("timeout");
        shell.args(["30", "sh", "-euc", &script]).env("PATH", &path).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{block}\n{output:?}");
        said.push(String::from_utf8_lossy(&output.stdout).into_owned());
        assert_eq!(folder.path().join("run.html").exists(), block.contains("run.html"));
    }
    let failed = "The library is closed.\nthe tool failed\n";
    assert_eq!(said, ["5\n", "", failed, "true\n", "3\n7\n", "Card issued to Ada.\n"]);
}

#[test]
fn its_recipe_for_ci_works() {
    let readme = readme();
    let section = readme.split("\n## Expectations in CI\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let block = |kind: &str| {
        let rest = section.split(&format!("```{kind}\n")).nth(1).unwrap();
        rest.split("```").next().unwrap()
    };
    let line = block("sh").trim().strip_suffix(" >result.json").unwrap();
    let words = shell_words::split(line).unwrap();
    let at = words.iter().position(|word| word == "--url").unwrap();
    assert_eq!((words[0].as_str(), words[at + 1].as_str()), ("mcpcall", "http://127.0.0.1:8000/mcp"));
    let words = [&words[1..at], &words[at + 2..]].concat();
    let server = Peer::named("rust_http").start().unwrap();
    let output = mcpcall(&words).file("card.json", block("json")).on(&server).stdout_has("Card issued to Ada").check();
    assert_eq!(output.json()["content"][0]["text"], "Card issued to Ada Lovelace.");
    assert!(
        output.file("report.xml").contains(r#"tests="7" failures="0" errors="0""#),
        "{}",
        output.file("report.xml")
    );

    // The tool as it is one day, and what CI sees then.
    let [said, expected] = ["Card printed for Ada Lovelace.", block("text")];
    let Some(server) =
        case("stdio_form", &[r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#, "say", said])
    else {
        return;
    };
    let file = block("json").replace("/name/i", "Fill in");
    let words: Vec<&str> = words.iter().map(|word| if word == "issue_card" { "t" } else { word }).collect();
    let run = mcpcall(&words).file("card.json", &file).on(&server);
    let output = run.code(8).any_stdout().stderr_has("{").check();
    let error: serde_json::Value = serde_json::from_str(output.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(error["error"]["data"]["failed"].as_array().unwrap().len(), 1);
    assert!(
        output.file("report.xml").contains(r#"tests="7" failures="1" errors="0""#),
        "{}",
        output.file("report.xml")
    );
    let words = words.into_iter().filter(|word| *word != "--json");
    let run = mcpcall(words).file("card.json", &file).on(&server).code(8).stdout(format!("{said}\n"));
    run.stderr(expected).check();
}

#[test]
fn looking_around_works_line_by_line() {
    let readme = readme();
    let section = readme.split("\n## Looking around\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks: Vec<&str> =
        section.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    for (block, peer) in blocks.into_iter().zip(["surface_http"]) {
        let Some(server) = Peer::named(peer).start() else { continue };
        let mut n_lines = 0;
        for line in block.lines().filter_map(|line| line.strip_prefix("$ mcpcall ")) {
            let command = line.split(" --url $URL").next().unwrap();
            let words = shell_words::split(command).unwrap();
            let output = mcpcall(&words).on(&server).any_stdout().any_stderr().check();
            // What is shown below a line is what comes.
            let shown: Vec<&str> = block.split(&format!("$ mcpcall {line}\n")).nth(1).unwrap().lines().collect();
            let shown: Vec<&str> =
                shown.into_iter().take_while(|line| !line.starts_with("$ ") && !line.is_empty()).collect();
            assert!(
                output.stdout.contains(&shown.join("\n")),
                "README.md shows for {line}\n{}\nand not\n{}",
                shown.join("\n"),
                output.stdout
            );
            n_lines += 1;
        }
        assert!(n_lines >= 6, "{block}");
    }
}

#[test]
fn its_sampling_recipes_work() {
    if setup::or_skip(on_path("jq").ok_or_else(|| "there is no jq on PATH".to_owned())).is_none() {
        return;
    }
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let readme = readme();
    let script = readme.split("```sh\n").find(|block| block.starts_with("#!/bin/sh")).unwrap().split("```").next();
    // What the shell finds first stands in for the endpoint.
    let command = "curl() { cat >sent; cat answer; }; . ./llm.sh";
    let answer = r#"{"model": "m-1", "choices": [{"message": {"role": "assistant", "content": "42"}}]}"#;
    let run = mcpcall(["t", "--sampling-cmd", command]).file("llm.sh", script.unwrap()).file("answer", answer);
    let output = run.on(&server).run();
    let reply = output.json();
    assert_eq!((&reply["model"], &reply["content"]["text"]), (&"m-1".into(), &"42".into()), "{}", output.report());
    let sent: serde_json::Value = serde_json::from_str(&output.file("sent")).unwrap();
    let message = |role: &str, content: &str| serde_json::json!({ "role": role, "content": content });
    assert_eq!(sent["messages"][0], message("system", "Be brief.\nBe kind."));
    assert_eq!(sent["messages"][3], message("assistant", "I use a tool"));
    assert_eq!((&sent["max_tokens"], &sent["stop"][0]), (&50.into(), &"\n\n".into()));

    let local = readme.split("--sampling-cmd '").nth(1).unwrap().split('\'').next().unwrap();
    let command = format!("ollama() {{ tail -n 1; }}; {local}");
    let output = mcpcall(["t", "--sampling-cmd", &command]).on(&server).run();
    assert_eq!(output.json()["content"]["text"], "I use a tool", "{}", output.report());
}
