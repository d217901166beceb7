//! Sampling: requests for a message of a language model, answered by commands, texts, answer files, and with a person's approval.

use crate::support::peers::{Running, Server};
use crate::support::poll;
use crate::support::run::{Run, mcpcall};
use crate::support::scripted::{Case, case};
use crate::support::terminal::keys::{CTRL_C, CTRL_U, DOWN, ENTER, ESC};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The tool that samples, on each of the library servers.
fn tool(server: &Running) -> Vec<&'static str> {
    if server.peer.server == Server::Rust { vec!["summarize", "text=Emma"] } else { vec!["sample"] }
}

fn answers(entries: Value) -> String {
    json!({ "version": 1, "answers": entries }).to_string()
}

/// What the scripted server's client sent back: a result, or an object with `error`.
fn sent(run: Run<'_>) -> Value {
    run.any_stderr().run().json()
}

/// One run against the scripted server, which gives back what came.
fn reply_to(server: &Case, args: &[&str]) -> Value {
    sent(mcpcall(["t"]).args(args).on(server))
}

each_peer!(fn a_commands_text_is_the_reply(server) {
    let run = mcpcall(tool(server)).args(["--sampling-cmd", "echo The answer is 42."]).on(server);
    run.stdout_has("The answer is 42.\n").check();
});

each_peer!([python_v1_stdio, python_v2_http, rust_stdio] fn a_command_may_print_a_whole_result(server) {
    let script = "cat >/dev/null\ncat <<'END'\n{\"role\": \"assistant\", \"model\": \"m-1\", \"stopReason\": \"maxTokens\",\n \"content\": {\"type\": \"text\", \"text\": \"The answer is 42.\"}}\nEND\n";
    let run = mcpcall(tool(server)).args(["--sampling-cmd", "sh ./llm"]).file("llm", script).on(server);
    let output = run.stdout_has("The answer is 42.").check();
    if server.peer.server != Server::Rust {
        assert_eq!(output.stdout, "m-1: The answer is 42.\n");
        let answer = server.wait_for_entry(|entry| entry["ask"] == "sampling")["answer"].clone();
        assert_eq!(answer["stopReason"], "maxTokens");
    }
});

each_peer!([everything_stdio, everything_http] fn the_everything_server_samples(server) {
    let args = ["trigger-sampling-request", "prompt=hi", "--sampling-cmd", "jq -r .systemPrompt 2>/dev/null || echo none"];
    mcpcall(args).on(server).stdout_has("LLM sampling result").any_stderr().check();
    let text = ["trigger-sampling-request", "prompt=hi", "--sampling-text", "hello there"];
    mcpcall(text).on(server).stdout_has("\"text\": \"hello there\"").any_stderr().check();
});

each_peer!([python_v1_stdio, python_v2_stdio, rust_stdio] fn a_command_that_fails_refuses_with_its_last_line(server) {
    let run = mcpcall(tool(server)).args(["--sampling-cmd", "echo busy >&2; echo no quota left >&2; exit 1"]).on(server);
    let output = run.any_stderr().run();
    assert!(output.code == 5 || output.code == 6, "{}", output.report());
    assert!(output.stderr.contains("[command] busy\n[command] no quota left\n"), "{}", output.report());
    let told = if server.peer.server == Server::Rust { "-1: no quota left" } else { "no quota left" };
    assert!(output.stdout.contains(told) || output.stderr.contains(told), "{}", output.report());
    if server.peer.server != Server::Rust {
        let error = server.wait_for_entry(|entry| entry["ask"] == "sampling")["error"].clone();
        assert_eq!((&error["code"], &error["message"]), (&json!(-1), &json!("no quota left")));
    }
});

each_peer!([python_v1_http, python_v2_stdio] fn a_canned_text_needs_no_command_and_names_a_model(server) {
    mcpcall(["sample", "--sampling-text", "Fine."]).on(server).stdout("mcpcall: Fine.\n").check();
    let answer = server.wait_for_entry(|entry| entry["ask"] == "sampling")["answer"].clone();
    assert_eq!((&answer["role"], &answer["stopReason"]), (&json!("assistant"), &json!("endTurn")));
    let run = mcpcall(["sample", "--sampling-text", "Fine.", "--sampling-model", "canned"]).on(server);
    run.stdout("canned: Fine.\n").check();
    // The model of a command's own result wins.
    let result = r#"{"role": "assistant", "content": {"type": "text", "text": "a"}}"#;
    let run = mcpcall(["sample", "--sampling-model", "own", "--sampling-cmd", "cat r.json"]).file("r.json", result);
    run.on(server).stdout("own: a\n").check();
});

each_peer!([python_v2_stdio, python_v2_http, rust_stdio] fn the_capability_follows_what_can_answer(server) {
    let run = mcpcall(["client_features", "--json", "--sampling-text", "x"]).on(server);
    assert_eq!(run.run().json()["structuredContent"]["result"], json!(["sampling"]));
    let run = mcpcall(["client_features", "--json"]).on(server);
    assert_eq!(run.run().json()["structuredContent"]["result"], json!([]));
});

each_peer!([python_v2_stdio] fn entries_of_an_answer_file_go_first(server) {
    let file = answers(json!([
        { "on": "sampling", "match": { "text": "/poem/" }, "text": "A poem.", "times": "any" },
        { "on": "sampling", "match": { "tool": "sample", "text": "Say one" }, "text": "One.", "model": "m" },
        { "on": "sampling", "match": { "text": "run" }, "command": ["sh", "-c", "echo \"$0 $MCPCALL_TOOL\"", "words"] },
        { "on": "sampling", "match": { "text": "shell" }, "command": "echo line $MCPCALL_TOOL", "model": "sh" },
        { "on": "sampling", "match": { "text": "whole" },
          "result": { "role": "assistant", "content": [{ "type": "text", "text": "Whole." }], "model": "w" } },
        { "on": "sampling", "match": { "message": "/never/" }, "error": { "code": -7, "message": "not this" } },
    ]));
    for (prompt, reply) in [
        ("a poem, please", "mcpcall: A poem.\n"), ("Say one", "m: One.\n"), ("run", "mcpcall: words sample\n"),
        ("shell", "sh: line sample\n"), ("whole", "w: Whole.\n"), ("else", "mcpcall: canned\n"),
    ] {
        let args = ["sample", "--auto-answer", "a.json", "--lenient-answers", "--sampling-text", "canned"];
        mcpcall(args).args([format!("prompt={prompt}")]).file("a.json", &file).on(server).stdout(reply).check();
    }
    let run = mcpcall(["sample", "prompt=never say", "--auto-answer", "a.json", "--lenient-answers"]).file("a.json", &file);
    assert_ne!(run.on(server).any_stderr().run().code, 0);
    let refused = server.wait_for_entry(|entry| entry["error"]["code"] == -7);
    assert_eq!(refused["error"]["message"], "not this");
});

each_peer!([python_v2_stdio, python_v1_http] fn what_nobody_answers_ends_with_7_and_an_entry_to_paste(server) {
    let stub = r#"{"on":"sampling","match":{"tool":"sample","text":"Summarise the catalogue."},"text":""}"#;
    let run = mcpcall(["sample"]).on(server).code(7).stdout_has("");
    run.stderr_has("nobody answered: Summarise the catalogue.").stderr_has(stub).check();
    server.wait_for_entry(|entry| entry["error"]["code"] == -32601);
    let file = answers(json!([{ "on": "sampling", "match": { "text": "other" }, "text": "x" }]));
    let run = mcpcall(["sample", "--auto-answer", "a.json"]).file("a.json", file).on(server);
    run.code(7).stdout_has("").stderr_has(stub).check();
    server.wait_for_entry(|entry| entry["error"]["code"] == -32603);
    // The entry, pasted, answers.
    let file = answers(json!([serde_json::from_str::<Value>(stub).unwrap()]));
    mcpcall(["sample", "--auto-answer", "a.json"]).file("a.json", file).on(server).stdout("mcpcall: \n").check();
});

#[test]
fn mistakes_are_exit_2_before_anything_is_started() {
    for (args, words) in [
        (&["--sampling-cmd", "a", "--sampling-text", "b"][..], "--sampling-cmd and --sampling-text: one of them"),
        (&["--sampling-cmd", " "], "--sampling-cmd is empty"),
        (&["--sampling-tools"], "--sampling-tools: nothing here answers sampling requests"),
        (&["--sampling-context"], "--sampling-context: nothing here answers sampling requests"),
    ] {
        mcpcall(["t"]).args(args).args(["--", "/nope"]).code(2).stderr_has(words).check();
    }
    let file = answers(json!([{ "on": "sampling", "text": "a", "command": "b" }]));
    let run = mcpcall(["t", "--auto-answer", "a.json", "--", "/nope"]).file("a.json", file);
    run.code(2).stderr_has("/answers/0: has \"text\" and \"command\"; one of them").check();
}

#[test]
fn the_sub_features_are_declared_on_demand() {
    for (args, version, declared) in [
        (&[][..], "2025-11-25", json!({})),
        (&["--sampling-tools"], "2025-11-25", json!({"tools": {}})),
        (&["--sampling-context"], "2025-11-25", json!({"context": {}})),
        (&["--sampling-tools", "--sampling-context"], "2025-11-25", json!({"tools": {}, "context": {}})),
        (&["--sampling-tools"], "2025-06-18", json!({})),
    ] {
        let Some(server) = case("stdio_sampling", &["zoo", version]) else { return };
        reply_to(&server, &[&["--sampling-text", "x", "--protocol", version], args].concat());
        assert_eq!(server.received()[0]["params"]["capabilities"], json!({ "sampling": declared }), "{args:?}");
    }
}

#[test]
fn the_params_reach_the_command_as_they_are_and_their_context_in_the_environment() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let command = "cat >stdin; echo \"$MCPCALL_REQUEST_ID|$MCPCALL_META|$MCPCALL_TOOL|$MCPCALL_SERVER\"";
    let output = mcpcall(["t", "--sampling-cmd", command]).on(&server).run();
    let meta = r#"{"trace":"aé\"b","n":1}"#;
    assert_eq!(output.json()["content"]["text"], format!("s-1|{meta}|t|fake"), "{}", output.report());
    let stdin = output.file("stdin");
    assert!(
        stdin.starts_with(r#"{"_meta":{"trace":"aé\"b","n":1},"maxTokens":50,"temperature":0.5,"unknown":[null,{}],"#)
    );
    for part in [
        r#"{"role":"user","content":{"type":"text","text":"Look at this"}}"#,
        r#"[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]"#,
        r#"{"type":"tool_use","id":"u1","name":"add","input":{"a":1}}"#,
        r#"{"type":"tool_result","toolUseId":"u1","content":[{"type":"text","text":"2"}]}"#,
        r#"{"type":"hologram","x":1}"#,
        r#""stopSequences":["\n\n"],"metadata":{"a":1},"#,
        r#""speedPriority":1.0}"#,
    ] {
        assert!(stdin.contains(part), "{part} in {stdin}");
    }
    // Without `_meta` the variable is there, and empty.
    let Some(server) = case("stdio_sampling", &["control"]) else { return };
    let command = "cat >/dev/null; echo \"<${MCPCALL_META-unset}>$MCPCALL_SERVER\"";
    assert_eq!(reply_to(&server, &["--sampling-cmd", command])["content"]["text"], "<>fa\u{1b}[31mke");
}

#[test]
fn tools_are_refused_unless_they_were_declared() {
    for mode in ["tools", "choice"] {
        let Some(server) = case("stdio_sampling", &[mode]) else { return };
        let output = mcpcall(["t", "--sampling-text", "x"]).on(&server).any_stderr().run();
        assert_eq!(output.json()["error"]["code"], -32602, "{mode}");
        assert!(output.stderr.contains("--sampling-tools declares it"), "{}", output.stderr);
        let reply = r#"{"role":"assistant","content":[{"type":"text","text":"I add"},{"type":"tool_use","id":"u","name":"add","input":{}}],"stopReason":"toolUse"}"#;
        let run = mcpcall(["t", "--sampling-cmd", "cat r.json", "--sampling-tools"]).file("r.json", reply).on(&server);
        if mode == "choice" {
            // No tool came with it, so none can be used.
            run.code(2).any_stdout().stderr_has("it uses the tool add, which did not come with the request").check();
            continue;
        }
        let reply = sent(run);
        assert_eq!((&reply["content"][1]["name"], &reply["model"]), (&json!("add"), &json!("mcpcall")), "{reply}");
    }
    let Some(server) = case("stdio_sampling", &["nulltools"]) else { return };
    assert_eq!(reply_to(&server, &["--sampling-text", "x"])["content"]["text"], "x");
}

#[test]
fn a_reply_is_checked_against_the_protocol_version() {
    let text = json!({"type": "text", "text": "a"});
    let one = json!({ "role": "assistant", "content": [text] }).to_string();
    let two = json!({ "role": "assistant", "content": [text, text] }).to_string();
    let bad = json!({ "role": "assistant", "content": { "type": "image", "data": "" } }).to_string();
    for (version, reply, why) in [
        ("2025-11-25", &one, None),
        ("2025-06-18", &one, None),
        ("2025-11-25", &two, None),
        ("2025-06-18", &two, Some("content has 2 blocks, but protocol version 2025-06-18 knows only one")),
        ("2025-11-25", &bad, Some("content/mimeType is missing or not a string")),
    ] {
        let Some(server) = case("stdio_sampling", &["odd", version]) else { return };
        let run =
            mcpcall(["t", "--sampling-cmd", "cat r.json", "--protocol", version]).file("r.json", reply).on(&server);
        match why {
            None => assert_eq!(sent(run)["content"].is_array(), reply == &two, "{version}"),
            Some(why) => {
                let words = format!("the reply of the sampling command is no CreateMessageResult: {why}");
                run.code(2).stdout_has("-32603").stderr_has(&words).check();
                server.wait_for_entry(|entry| entry["got"]["error"]["code"] == -32603);
            }
        }
    }
}

#[test]
fn what_a_command_does_wrong_is_told_and_never_hangs() {
    let Some(server) = case("stdio_sampling", &["odd"]) else { return };
    let error = |command: &str| reply_to(&server, &["--sampling-cmd", command])["error"].clone();
    assert_eq!(error("cat >/dev/null"), json!({"code": -32603, "message": "the sampling command printed nothing"}));
    assert_eq!(error("exit 3"), json!({"code": -1, "message": "the sampling command exited with status 3"}));
    assert_eq!(error("kill -9 $$"), json!({"code": -32603, "message": "the sampling command was killed by signal 9"}));
    // What it leaves behind holds the pipes, but nobody waits for it.
    let begin = Instant::now();
    let output = mcpcall(["t", "--sampling-cmd", "echo hi; sleep 60 &"]).on(&server).run();
    assert_eq!(output.json()["content"]["text"], "hi");
    assert!(begin.elapsed() < Duration::from_secs(10));
    output.nothing_left_running();
    let file = answers(json!([{ "on": "sampling", "command": ["/nope/llm"] }]));
    let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file).on(&server);
    run.code(2).stdout_has("-32603").stderr_has("cannot start /nope/llm: No such file").check();
    // Params that are no object cannot be understood.
    let Some(server) = case("stdio_sampling", &["list"]) else { return };
    assert_eq!(reply_to(&server, &["--sampling-text", "x"])["error"]["code"], -32602);
}

#[test]
fn a_command_that_says_nothing_leaves_the_question_unanswered() {
    let Some(server) = case("stdio_sampling", &["odd"]) else { return };
    let run = |command: &str| mcpcall(["t", "--sampling-cmd", command]).on(&server).any_stdout();
    for (command, did) in [
        ("true", "printed nothing"),
        ("cat >/dev/null; echo", "printed nothing"),
        ("kill -9 $$", "was killed by signal 9"),
        ("yes", "printed more than 67108864 bytes"),
    ] {
        let output = run(command).code(7).any_stderr().check();
        let warning =
            format!("mcpcall: warning: the sampling command {did}\nmcpcall: error: fake asked for sampling (tool t)");
        assert!(output.stderr.starts_with(&warning), "{command}: {}", output.report());
        assert!(output.stderr.contains("nobody answered"), "{command}: {}", output.report());
    }
    // A status is an answer: no. But it is told.
    run("exit 3")
        .stderr("mcpcall: warning: the sampling command exited with status 3: the request was refused\n")
        .check();
    run("exit 3").args(["-q"]).check();
    let file = answers(json!([{ "on": "sampling", "command": "exit 3" }]));
    let named =
        "warning: the command of entry 0 of the answer file (/answers/0) exited with status 3: the request was refused";
    let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file).on(&server).any_stdout();
    run.stderr_has(named).check();
}

#[test]
fn huge_prompts_and_huge_replies_pass() {
    let Some(server) = case("stdio_sampling", &["huge"]) else { return };
    let reply = reply_to(&server, &["--sampling-cmd", "cat; cat /dev/null"]);
    assert!(reply["content"]["text"].as_str().unwrap().len() > 1_000_000);
    // A command that reads none of it is no problem, and neither is the entry for it.
    assert_eq!(reply_to(&server, &["--sampling-cmd", "echo short"])["content"]["text"], "short");
    let output = mcpcall(["t"]).on(&server).any_stderr().run();
    assert!(output.code == 7 && output.stderr.len() < 2000, "{}", output.stderr.len());
    let stub = output.stderr.lines().last().unwrap().trim();
    let file = answers(json!([serde_json::from_str::<Value>(stub).unwrap()]));
    let run = mcpcall(["t", "--auto-answer", "a.json"]).file("a.json", file).on(&server);
    assert_eq!(sent(run)["content"]["text"], "");
}

#[test]
fn several_requests_run_their_commands_at_once() {
    let Some(server) = case("stdio_sampling", &["many"]) else { return };
    let begin = Instant::now();
    let command = r#"sleep 2; sed 's/.*\(n=[0-9]\).*/\1/'"#;
    mcpcall(["t", "--sampling-cmd", command]).on(&server).stdout("n=0, n=1, n=2, n=3, n=4\n").check();
    assert!(begin.elapsed() < Duration::from_secs(8), "one after the other");
}

#[test]
fn the_command_of_a_request_that_is_taken_back_is_killed() {
    let Some(server) = case("stdio_sampling", &["withdraw"]) else { return };
    let command = "sleep 61 & echo $! >pid; wait; echo late";
    let output = mcpcall(["t", "--sampling-cmd", command]).on(&server).stdout("withdrawn\n").any_stderr().check();
    output.nothing_left_running();
    assert!(!output.file("pid").is_empty());
    assert!(server.received().iter().all(|message| message["id"] != "s-1"));
}

#[test]
fn control_c_ends_the_command_with_the_run() {
    let Some(server) = case("stdio_sampling", &["odd"]) else { return };
    let command = "echo begun >&2; sleep 62 & wait";
    let run = mcpcall(["t", "--sampling-cmd", command]).on(&server);
    let run = run.signal_after_stderr("begun", rustix::process::Signal::INT);
    run.code(130).any_stderr().check().nothing_left_running();
}

#[test]
fn a_person_approves_what_goes_out_and_what_comes_back() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let mut terminal = mcpcall(["t", "--sampling-cmd", "echo fine"]).on(&server).terminal_of_size(40, 80);
    terminal.wait_for("fake asks (tool t):").wait_for("system: Be brief.").wait_for("user: Look at this");
    terminal.wait_for("[image image/png, 4 characters of base64]").wait_for("At most 50 tokens; model: claude, small");
    terminal.wait_for("> Send to the command").wait_for("Up/Down");
    terminal.send(ENTER).wait_for("The reply:").wait_for("fine").wait_for("> Send\n").send(ENTER);
    let end = terminal.finish();
    assert!(end.code == 0 && end.stdout.contains(r#""text": "fine""#), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}

each_peer!([python_v2_stdio, rust_stdio] fn a_person_may_refuse_before_and_after(server) {
    let run = || mcpcall(tool(server)).args(["--sampling-cmd", "echo ran >>ran; echo fine"]).on(server).terminal();
    let mut terminal = run();
    terminal.wait_for("> Send to the command").wait_for("Up/Down").send(DOWN).wait_for("> Refuse").send(ENTER);
    let end = terminal.finish();
    assert!(end.code == 6 || end.code == 5, "{}", end.screen);
    let mut terminal = run();
    terminal.wait_for("> Send to the command").wait_for("Up/Down").send(ENTER).wait_for("Send this reply?").wait_for("> Send");
    terminal.send(DOWN).wait_for("> Edit").send(DOWN).wait_for("> Refuse").send(ENTER);
    let end = terminal.finish();
    assert!(end.code == 6 || end.code == 5, "{}", end.screen);
    assert_eq!(end.file("ran"), "ran\n");
    let error = json!({"code": -1, "message": "User rejected sampling request"});
    if server.peer.server != Server::Rust {
        server.wait_for_entry(|entry| entry["error"] == error);
    }
});

each_peer!([python_v2_stdio] fn a_person_may_edit_the_reply(server) {
    let mut terminal = mcpcall(["sample", "--sampling-text", "fine"]).on(server).terminal();
    // A canned reply is shown at once: there is no command to send anything to.
    terminal.wait_for("Summarise the catalogue.").wait_for("Send this reply?").wait_for("> Send").send(DOWN);
    terminal.wait_for("> Edit").send(ENTER).wait_for("Reply: fine").send(ESC).wait_for("Back to the question before");
    terminal.send(DOWN).wait_for("> Back").send(ENTER).wait_for("Send this reply?").send(DOWN).wait_for("> Edit");
    terminal.send(ENTER).wait_for("Reply: fine").send(CTRL_U).send("Better.").wait_for("Reply: Better.").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "mcpcall: Better.\n"), "{}", end.screen);
});

each_peer!([python_v2_stdio] fn control_c_refuses_and_the_call_goes_on(server) {
    let mut terminal = mcpcall(["sample", "--sampling-text", "fine"]).on(server).terminal();
    terminal.wait_for("Send this reply?").wait_for("Up/Down").send(CTRL_C);
    let end = terminal.finish();
    assert!(end.code == 6 || end.code == 5, "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    server.wait_for_entry(|entry| entry["error"]["code"] == -1);
});

each_peer!([python_v2_stdio] fn nobody_is_asked_with_yes_sampling_no_input_or_an_entry(server) {
    for flag in ["--yes-sampling", "--no-input"] {
        let end = mcpcall(["sample", "--sampling-cmd", "echo fine", flag]).on(server).terminal().finish();
        assert_eq!((end.code, end.stdout.as_str()), (0, "mcpcall: fine\n"), "{}", end.screen);
        assert!(!end.screen.contains("asks"), "{}", end.screen);
    }
    let file = answers(json!([{ "on": "sampling", "text": "prepared" }]));
    let end = mcpcall(["sample", "--auto-answer", "a.json"]).file("a.json", file).on(server).terminal().finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "mcpcall: prepared\n"), "{}", end.screen);
});

#[test]
fn a_second_control_c_leaves() {
    let Some(server) = case("stdio_sampling", &["many"]) else { return };
    let mut terminal = mcpcall(["t", "--sampling-text", "fine"]).on(&server).terminal();
    terminal.wait_for("Up/Down").send(CTRL_C).wait_for("(cancelled)").wait_for("Up/Down").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (130, ""), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}

#[test]
fn control_c_while_the_command_runs_ends_the_run() {
    let Some(server) = case("stdio_sampling", &["odd"]) else { return };
    let mut terminal = mcpcall(["t", "--sampling-cmd", "touch begun; sleep 63"]).on(&server).terminal();
    terminal.wait_for("> Send to the command").wait_for("Up/Down").send(ENTER);
    let begun = terminal.work().join("begun");
    poll(Duration::from_secs(10), || begun.exists().then_some(())).expect("the command runs");
    terminal.send(CTRL_C);
    let end = terminal.finish();
    assert_eq!(end.code, 130, "{}", end.screen);
}

#[test]
fn what_a_server_wrote_cannot_steer_the_terminal() {
    let Some(server) = case("stdio_sampling", &["control"]) else { return };
    let mut terminal = mcpcall(["t", "--sampling-text", "fine"]).on(&server).terminal();
    terminal
        .wait_for("fa\\u{1b}[31mke")
        .wait_for("red \\u{1b}[31m and \\u{0}")
        .wait_for("> Send")
        .wait_for("Up/Down")
        .send(ENTER);
    assert_eq!(terminal.finish().code, 0);
}
