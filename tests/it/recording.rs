//! What was answered in a run, written down (`--record-answers`) and played again; and what is said of the entries used.

use crate::support::peers::{Running, Server};
use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::{DOWN, ENTER, ESC};
use rustix::process::Signal;
use serde_json::{Value, json};

const NAME: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;

fn entries(file: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(file).unwrap();
    assert_eq!(file["version"], 1);
    file["answers"].as_array().unwrap().clone()
}

/// What the server saw, without what is another in each run: ids and the state it made.
fn seen(log: Vec<Value>) -> Vec<Value> {
    let strip = |mut entry: Value| {
        entry.as_object_mut().unwrap().shift_remove("id");
        if let Some(params) = entry.get_mut("params").and_then(Value::as_object_mut) {
            params.shift_remove("requestState");
        }
        entry
    };
    log.into_iter().map(strip).collect()
}

/// Plays a recording on the same server and demands that it sees the same.
fn replay(server: &Running, args: &[&str], recording: &str, first: Vec<Value>, stdout: &str) {
    let run = mcpcall(args.iter().copied()).args(["--auto-answer", "r.json", "--no-input"]).file("r.json", recording);
    run.on(server).stdout(stdout).any_stderr().check();
    let both = seen(server.log());
    let (before, after) = both.split_at(first.len());
    assert_eq!(before, first);
    assert_eq!(after, first, "{recording}");
}

each_peer!([python_v2_stdio, python_v1_http] fn what_a_person_says_is_played_again(server) {
    let mut terminal = mcpcall(["ask_twice", "--record-answers", "r.json"]).on(server).terminal();
    terminal.wait_for("What name should go on the card?").wait_for("Enter: send").send("Ada ${X}").send(ENTER);
    terminal.wait_for("How many copies?").wait_for("Copies:").send("3").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "3 cards for Ada ${X}.\n"), "{}", end.screen);
    let recording = end.file("r.json");
    let expected = json!([
        { "on": "elicitation",
          "match": { "tool": "ask_twice", "message": "What name should go on the card?", "fields": ["name"] },
          "action": "accept", "content": { "name": "Ada $${X}" } },
        { "on": "elicitation", "match": { "tool": "ask_twice", "message": "How many copies?", "fields": ["copies"] },
          "action": "accept", "content": { "copies": 3 } },
    ]);
    assert_eq!(Value::from(entries(&recording)), expected);
    let first = seen(server.log());
    replay(server, &["ask_twice"], &recording, first, &end.stdout);
});

each_peer!([python_v2_stdio, python_v2_http] fn a_no_is_written_down_as_one(server) {
    let mut terminal = mcpcall(["issue_card", "--record-answers", "r.json"]).on(server).terminal();
    terminal.wait_for("Enter: send").send(ESC).wait_for("> Go on answering").send(DOWN).wait_for("> Decline").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "No card issued.\n"), "{}", end.screen);
    let recording = end.file("r.json");
    assert_eq!(entries(&recording)[0]["action"], "decline");
    replay(server, &["issue_card"], &recording, seen(server.log()), &end.stdout);
});

each_peer!([python_v2_stdio, python_v1_stdio] fn every_source_is_written_down(server) {
    let cases: [(&[&str], &str, Value); 6] = [
        (&["issue_card", "--answer", "name=Ada"], "Card issued to Ada.\n", json!({ "action": "accept", "content": { "name": "Ada" } })),
        (&["issue_card", "--on-elicit", "cancel"], "No card issued.\n", json!({ "action": "cancel" })),
        (&["sample", "--sampling-text", "Rain."], "mcpcall: Rain.\n", json!({ "text": "Rain.", "model": "mcpcall" })),
        (&["sample", "--sampling-cmd", "echo '{\"role\": \"assistant\", \"model\": \"m\", \"content\": {\"type\": \"text\", \"text\": \"Hi\"}}'"], "m: Hi\n",
         json!({ "result": { "role": "assistant", "model": "m", "content": { "type": "text", "text": "Hi" } } })),
        (&["list_roots", "--root", "file:///a", "--root", "b=file:///b"], "- file:///a\nb file:///b\n",
         json!({ "roots": ["file:///a", { "uri": "file:///b", "name": "b" }] })),
        (&["issue_card", "--auto-answer", "a.json"], "Card issued to Bob.\n", json!({ "action": "accept", "content": { "name": "Bob" } })),
    ];
    let file = json!({ "answers": [{ "on": "elicitation", "action": "accept", "content": { "name": "Bob" } }] }).to_string();
    for (args, stdout, expected) in cases {
        let n_before = server.log().len();
        let run = mcpcall(args.iter().copied()).args(["--record-answers", "r.json"]).file("a.json", &file).on(server);
        let output = run.stdout(stdout).check();
        let recording = output.file("r.json");
        let mut entry = entries(&recording).remove(0);
        entry.as_object_mut().unwrap().retain(|key, _| !matches!(key.as_str(), "on" | "match"));
        assert_eq!(entry, expected, "{args:?}");
        // The file alone does the same.
        let first = seen(server.log().split_off(n_before));
        mcpcall([args[0], "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(server).stdout(stdout).check();
        assert_eq!(seen(server.log().split_off(n_before + first.len())), first, "{args:?}");
    }
});

each_peer!([python_v2_stdio, python_v2_http] fn refusals_are_written_down_and_wrong_answers_too(server) {
    for entry in [
        json!({ "on": "elicitation", "error": { "code": -32001, "message": "not today" } }),
        json!({ "on": "elicitation", "action": "accept", "content": { "copies": "many" }, "invalid": true }),
    ] {
        let n_before = server.log().len();
        let file = json!({ "answers": [entry] }).to_string();
        let run = mcpcall(["two_fields", "--auto-answer", "a.json", "--record-answers", "r.json"]).file("a.json", file);
        let output = run.on(server).run();
        assert!(matches!(output.code, 5 | 6), "{}", output.report());
        let first = seen(server.log().split_off(n_before));
        let recording = output.file("r.json");
        let again = mcpcall(["two_fields", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(server).run();
        assert_eq!((again.code, &again.stdout), (output.code, &output.stdout), "{}", again.report());
        assert_eq!(seen(server.log().split_off(n_before + first.len())), first, "{recording}");
    }
});

each_peer!([python_v2_stdio, rust_http] fn questions_at_once_have_an_entry_each(server) {
    let (tool, field) = if server.peer.server == Server::Rust { ("ask_many", "answer") } else { ("parallel", "name") };
    let args = [tool, "n=4", "--answer", &format!("{field}=x"), "--record-answers", "r.json"];
    let output = mcpcall(args).on(server).stdout("x, x, x, x\n").check();
    let recording = output.file("r.json");
    assert_eq!(entries(&recording).len(), 4);
    let run = mcpcall([tool, "n=4", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(server);
    run.stdout("x, x, x, x\n").check();
    if server.peer.server == Server::Rust {
        return;
    }
    // One question fewer leaves one entry unused.
    let run = mcpcall([tool, "n=3", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(server);
    run.code(8).stdout("x, x, x\n").stderr_has("answers left unused: /answers/3").check();
});

each_peer!(rounds fn rounds_are_written_down_and_played_again_in_both_eras(server) {
    for (args, stdout) in [
        (&["wizard", "--answer", "city=Oslo", "--answer", "street=Kirkeveien", "--answer", "number=7"][..], "Parcel for Kirkeveien 7, Oslo.\n"),
        (&["ask", "--on-elicit", "decline"], "declined\n"),
        (&["sample", "--sampling-text", "A summary."], "A summary.\n"),
        (&["roots", "--root", "file:///repo"], "file:///repo\n"),
    ] {
        let n_before = server.log().len();
        let run = mcpcall(args.iter().copied()).args(["--protocol", "modern", "--record-answers", "r.json"]).on(server);
        let recording = run.stdout(stdout).any_stderr().check().file("r.json");
        let first = seen(server.log().split_off(n_before));
        let play = |protocol: &str| {
            let run = mcpcall([args[0], "--protocol", protocol, "--auto-answer", "r.json", "--no-input"]);
            run.file("r.json", &recording).on(server).stdout(stdout).any_stderr().check();
        };
        play("modern");
        assert_eq!(seen(server.log().split_off(n_before + first.len())), first, "{recording}");
        play("legacy");
    }
});

#[test]
fn a_consent_is_for_the_host_that_was_consented_to() {
    let Some(server) = case("stdio_url", &["https://pay.example.com/x?once=1"]) else { return };
    let entry = r#"{"answers": [{"on": "elicitation", "match": {"mode": "url"}, "action": "accept"}]}"#;
    let run = mcpcall(["t", "--auto-answer", "a.json", "--record-answers", "r.json"]).file("a.json", entry).on(&server);
    let recording = run.any_stdout().any_stderr().check().file("r.json");
    let matching = &entries(&recording)[0]["match"];
    assert_eq!((&matching["mode"], &matching["host"]), (&json!("url"), &json!("pay.example.com")));
    assert!(matching.get("url").is_none());
    for (url, code) in [("https://pay.example.com/x?once=2", 0), ("https://evil.example/x?once=1", 7)] {
        let Some(server) = case("stdio_url", &[url]) else { return };
        let run = mcpcall(["t", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(&server);
        run.code(code).any_stdout().any_stderr().check();
    }
}

#[test]
fn a_visit_that_was_given_up_is_no_consent() {
    let Some(server) = case("stdio_url_required", &["nonotify"]) else { return };
    let mut terminal =
        mcpcall(["t", "--open", "true", "--record-answers", "r.json"]).on(&server).terminal_of_size(50, 100);
    for name in ["one", "two"] {
        terminal.wait_for(&format!("Host: {name}.example.invalid")).wait_for("> Accept, and open it").send(ENTER);
    }
    terminal.wait_for("> Done: call again").send(DOWN).wait_for("> Give up").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 6, "{}", end.screen);
    let actions: Vec<Value> = entries(&end.file("r.json")).iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, ["accept", "cancel"]);
}

#[test]
fn secrets_become_variables_and_are_named() {
    let schema = r#"{"type": "object", "properties": {"user": {"type": "string"}, "apiKey": {"type": "string"}, "pin": {"type": "integer"}},
        "required": ["user", "apiKey", "pin"]}"#;
    let Some(server) = case("stdio_form", &[schema]) else { return };
    let answers = ["--answer", "user=ada", "--answer", "apiKey=hush", "--answer", "pin=42"];
    let run = mcpcall(["t", "--record-answers", "r.json"]).args(answers).on(&server);
    let output = run.any_stdout().stderr_has("r.json needs these variables set: APIKEY, PIN\n").check();
    let recording = output.file("r.json");
    assert!(!recording.contains("hush") && !recording.contains("42"), "{recording}");
    let play = || mcpcall(["t", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(&server);
    play().code(2).stderr_has("${APIKEY} is not set").check();
    play().env("APIKEY", "hush").env("PIN", "42").stdout(&output.stdout).check();
}

#[test]
fn secrets_within_groups_and_lists_become_variables_too() {
    let schema = r#"{"type": "object", "required": ["login", "tokens"], "properties": {
        "login": {"type": "object", "required": ["user", "password"],
            "properties": {"user": {"type": "string"}, "password": {"type": "string"}}},
        "tokens": {"type": "array", "items": {"type": "object", "properties": {"token": {"type": "string"}}}}}}"#;
    let Some(server) = case("stdio_form", &[schema]) else { return };
    let given =
        json!({ "login": { "user": "ada", "password": "hush" }, "tokens": [{ "token": "mum" }, { "token": "hush" }] });
    let run = mcpcall(["t", "--auto-answer", "a.json", "--record-answers", "r.json"]).file("a.json", given.to_string());
    let run = run.on(&server).any_stdout();
    let output = run.stderr("[answers] r.json needs these variables set: PASSWORD, TOKEN, TOKEN_2\n").check();
    let recording = output.file("r.json");
    let expected = json!({ "login": { "user": "ada", "password": "${PASSWORD}" },
        "tokens": [{ "token": "${TOKEN}" }, { "token": "${TOKEN_2}" }] });
    assert_eq!(entries(&recording)[0]["content"], expected);
    let play = mcpcall(["t", "--auto-answer", "r.json", "--no-input"]).file("r.json", &recording).on(&server);
    play.env("PASSWORD", "hush").env("TOKEN", "mum").env("TOKEN_2", "hush").stdout(&output.stdout).check();
}

#[test]
fn the_file_is_private_and_there_however_the_run_ends() {
    let Some(server) = case("stdio_form", &[NAME, "hang"]) else { return };
    let args = ["t", "--answer", "name=Ada", "--record-answers", "r.json"];
    let run = mcpcall(args).on(&server).signal_after_log("\"content\"", Signal::INT);
    let output = run.code(130).any_stderr().check();
    assert_eq!(entries(&output.file("r.json")).len(), 1);
    let run = mcpcall(args).args(["--timeout", "2"]).on(&server);
    let output = run.code(124).any_stderr().check();
    assert_eq!(entries(&output.file("r.json")).len(), 1);
    assert_eq!((output.files(), output.mode("r.json")), (vec!["r.json".to_owned()], 0o600));
}

#[test]
fn what_nobody_answered_is_not_written_down() {
    let Some(server) = case("stdio_form", &[NAME]) else { return };
    let output = mcpcall(["t", "--record-answers", "r.json"])
        .file("r.json", "before")
        .on(&server)
        .code(7)
        .any_stdout()
        .any_stderr()
        .check();
    // A run that came to nothing leaves an earlier recording alone.
    assert_eq!(output.file("r.json"), "before");
    let Some(server) = case("stdio_noise", &["all"]) else { return };
    let output = mcpcall(["t", "--record-answers", "r.json"]).on(&server).any_stdout().any_stderr().check();
    assert_eq!(entries(&output.file("r.json")).len(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_found_before_the_call() {
    for (path, why) in [
        ("/no/such/r.json", "there is no folder /no/such"),
        (".", "is there, and is no plain file"),
        ("/dev/null", "is there, and is no plain file"),
    ] {
        let run = mcpcall(["t", "--record-answers", path, "--", "/nope"]).code(2);
        run.stderr(format!("mcpcall: error: --record-answers {path}: {why}\n")).check();
    }
}

// Strict accounting of what is played again.

#[test]
fn a_changed_question_is_exit_7_and_its_entry_makes_it_pass() {
    let more = r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 18}}, "required": ["name", "age"]}"#;
    let Some(server) = case("stdio_ask", &["Who?", NAME]) else { return };
    let run = mcpcall(["t", "--answer", "name=Ada", "--record-answers", "r.json"]).on(&server).stdout("issued Ada\n");
    let recording = run.check().file("r.json");
    for (message, schema, issued, told) in [
        ("Who is it?", NAME, "issued \n", "nobody answered: Who is it?"),
        (
            "Who?",
            more,
            "issued Ada 18\n",
            "asked (tool t) for more than /answers/0 has (age) and nobody answered: Who?",
        ),
    ] {
        let Some(server) = case("stdio_ask", &[message, schema]) else { return };
        let play =
            |file: &str| mcpcall(["t", "--auto-answer", "r.json", "--no-input"]).file("r.json", file).on(&server);
        let output = play(&recording).code(7).any_stdout().stderr_has(told).check();
        let stub = output.stderr.lines().find(|line| line.trim_start().starts_with('{')).unwrap();
        // In the place of the entry that is out of date.
        let mut file: Value = serde_json::from_str(&recording).unwrap();
        file["answers"][0] = serde_json::from_str(stub).unwrap();
        play(&file.to_string()).stdout(issued).check();
    }
}

each_peer!([python_v2_stdio, rust_http] fn it_is_said_which_entry_answered_what(server) {
    let file = json!({ "answers": [
        { "on": "elicitation", "match": { "message": "/copies/" }, "action": "accept", "content": { "copies": 3 } },
        { "on": "elicitation", "action": "decline" },
    ] }).to_string();
    let run = || mcpcall(["issue_card", "--auto-answer", "a.json", "--lenient-answers"]).file("a.json", &file).on(server);
    run().stdout("No card issued.\n").stderr("[answers] /answers/1 answered issue_card with decline: What name should go on the card?\n").check();
    run().args(["-q"]).stdout("No card issued.\n").check();
});
