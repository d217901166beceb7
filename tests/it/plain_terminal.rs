//! A terminal that only prints (`TERM=dumb`, or none): questions as a dialogue, line by line.

use crate::support::run::{Run, mcpcall};
use crate::support::scripted::{Case, case};
use crate::support::terminal::keys::{CTRL_C, CTRL_D, ENTER};
use crate::support::terminal::{End, Terminal};
use serde_json::{Value, json};

fn form(properties: Value, required: &[&str]) -> String {
    json!({"type": "object", "properties": properties, "required": required}).to_string()
}

fn colours() -> Value {
    json!({"type": "string", "enum": ["red", "light green", "green"]})
}

fn start(run: Run<'_>) -> Terminal {
    run.env("TERM", "dumb").terminal_of_size(30, 60)
}

fn call(server: &Case) -> Terminal {
    start(mcpcall(["t"]).on(server))
}

/// The end of a run that went well, with no escape sequence on the way.
#[track_caller]
fn end(terminal: Terminal) -> End {
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(end.cooked && !end.raw.contains(&0x1b), "{}", String::from_utf8_lossy(&end.raw).escape_debug());
    end
}

#[track_caller]
fn content(terminal: Terminal) -> Value {
    let end = end(terminal);
    let result: Value = serde_json::from_str(&end.stdout).expect(&end.screen);
    assert_eq!(result["action"], "accept", "{}", end.screen);
    result["content"].clone()
}

/// Waits until the terminal waits for an answer, with this text since the answer before.
#[track_caller]
fn prompt<'a>(terminal: &'a mut Terminal, text: &str) -> &'a mut Terminal {
    terminal.wait_until(&format!("{text:?} and a prompt"), |screen| {
        let contents = screen.contents();
        let since = contents.rmatch_indices("\n> ").find(|(at, _)| !contents[at + 3..].trim().is_empty());
        let since = since.map_or(contents.as_str(), |(at, _)| &contents[at..]);
        since.contains(text) && since.ends_with("\n> ") && screen.cursor_position().1 == 2
    })
}

#[test]
fn a_line_is_typed() {
    let name = json!({"name": {"type": "string", "title": "Name", "minLength": 1, "description": "As on the card."}});
    let Some(server) = case("stdio_form", &[&form(name, &["name"])]) else { return };
    let mut terminal = call(&server);
    prompt(&mut terminal, "Name:").send(ENTER);
    prompt(&mut terminal, "! an answer is needed here").send("/tmp\r");
    prompt(&mut terminal, "! there is no /tmp here; as an answer: //tmp").send("//tmp\r");
    let end = end(terminal);
    snapshot!("line", end);
    let sent: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(sent["content"], json!({"name": "/tmp"}));
}

#[test]
fn a_default_is_kept_or_emptied() {
    let fields = json!({"a": {"type": "string", "default": "x"}, "b": {"type": "string", "default": "y"}});
    let Some(server) = case("stdio_form", &[&form(fields, &[])]) else { return };
    let mut terminal = call(&server);
    prompt(&mut terminal, "Enter alone: x").send(ENTER);
    prompt(&mut terminal, "(2/2) b:").wait_for("/back").send("/back\r");
    prompt(&mut terminal, "(1/2) a:").send("z\r");
    prompt(&mut terminal, "Enter alone: y").send("/empty\r");
    prompt(&mut terminal, "Enter alone: Send").send(ENTER);
    assert_eq!(content(terminal), json!({"a": "z"}));
}

#[test]
fn one_of_a_list_is_a_number_or_a_name() {
    let Some(server) = case("stdio_form", &[&form(json!({"c": colours()}), &["c"])]) else { return };
    let mut terminal = call(&server);
    prompt(&mut terminal, "Enter alone: red").send("4\r");
    prompt(&mut terminal, "! no option fits \"4\"").send("e\r");
    prompt(&mut terminal, "! 3 options fit").send("?\r");
    prompt(&mut terminal, "more / before it.").send("2\r");
    let end = end(terminal);
    snapshot!("list", end);
    for (typed, value) in [("GREEN\r", "green"), ("light\r", "light green"), (ENTER, "red"), ("#3\r", "green")] {
        let Some(server) = case("stdio_form", &[&form(json!({"c": colours()}), &["c"])]) else { return };
        let mut terminal = call(&server);
        prompt(&mut terminal, "Enter alone: red").send(typed);
        assert_eq!(content(terminal), json!({"c": value}));
    }
}

#[test]
fn several_of_a_list_are_numbers_or_names() {
    let many = json!({"m": {"type": "array", "items": colours(), "minItems": 1, "default": ["red"]}});
    let Some(server) = case("stdio_form", &[&form(many, &["m"])]) else { return };
    let mut terminal = call(&server);
    prompt(&mut terminal, "Enter alone: red").send("/none\r");
    prompt(&mut terminal, "! has fewer").send("light green, 1\r");
    let end = end(terminal);
    snapshot!("several", end);
    let sent: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(sent["content"], json!({"m": ["red", "light green"]}));
}

#[test]
fn a_long_list_is_searched() {
    let options: Vec<String> = (1..=120).map(|n| format!("item {n}")).collect();
    let Some(server) = case("stdio_form", &[&form(json!({"i": {"enum": options}}), &["i"])]) else { return };
    let mut terminal = start(mcpcall(["t"]).on(&server));
    prompt(&mut terminal, "(and 80 more)").send("em 11\r");
    prompt(&mut terminal, "! 11 options fit").wait_for("110. item 110").send("item 11\r");
    assert_eq!(content(terminal), json!({"i": "item 11"}));
}

#[test]
fn a_text_of_several_lines_ends_with_a_dot_or_is_edited() {
    let Some(server) = case("stdio_sampling", &["zoo"]) else { return };
    let run = || mcpcall(["t", "--sampling-text", "one\ntwo"]).on(&server);
    let ask = |run: Run<'_>| {
        let mut terminal = start(run);
        prompt(&mut terminal, "Enter alone: Send").send("edit\r");
        prompt(&mut terminal, "| two");
        terminal
    };
    let sent =
        |terminal: Terminal| serde_json::from_str::<Value>(&end(terminal).stdout).unwrap()["content"]["text"].clone();
    let mut terminal = ask(run());
    terminal.send("/empty\r");
    prompt(&mut terminal, "! a reply has a text").wait_for("a line with only . ends it").send("first\r\r/.\r.\r");
    assert_eq!(sent(terminal), "first\n\n.");
    let mut terminal = ask(run());
    terminal.send(".\r");
    assert_eq!(sent(terminal), "one\ntwo");
    // What is for terminals that draw is not started here.
    let script = r#"echo three >>"$1""#;
    let mut terminal = ask(run().file("ed", script).env("VISUAL", "false").env("EDITOR", "sh ./ed"));
    terminal.wait_for("/edit: in sh").send("/edit\r");
    assert_eq!(sent(terminal), "one\ntwo\nthree");
    let mut terminal = ask(run());
    terminal.send("/edit\r");
    prompt(&mut terminal, "! EDITOR names no editor").send("/back\r");
    prompt(&mut terminal, "Send this reply?").send("send\r");
    assert_eq!(sent(terminal), "one\ntwo");
}

#[test]
fn every_kind_of_question_can_be_left() {
    let fields = [json!({"type": "string"}), colours(), json!({"type": "array", "items": colours()})];
    for field in fields {
        for (typed, action) in
            [("/decline\r", "decline"), ("/cancel\r", "cancel"), (CTRL_C, "cancel"), (CTRL_D, "cancel")]
        {
            let Some(server) = case("stdio_form", &[&form(json!({"f": field}), &["f"])]) else { return };
            let mut terminal = call(&server);
            prompt(&mut terminal, "/decline").send(typed);
            let end = end(terminal);
            assert_eq!(end.stdout, format!("{{\"action\": \"{action}\"}}\n"), "{}", end.screen);
        }
    }
}

#[test]
fn half_a_line_is_dropped_with_control_c_and_a_second_one_leaves() {
    let Some(server) = case("stdio_sampling", &["many"]) else { return };
    let mut terminal = start(mcpcall(["t", "--sampling-text", "fine"]).on(&server));
    prompt(&mut terminal, "Enter alone: Send").send("se").wait_for("> se").send(CTRL_C).wait_for("(cancelled)");
    prompt(&mut terminal, "question 2 of 5").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str(), end.cooked), (130, "", true), "{}", end.screen);
}

#[test]
fn a_question_that_is_taken_back_is_over() {
    let Some(server) = case("stdio_form", &[&form(json!({"f": {"type": "string"}}), &["f"]), "withdraw"]) else {
        return;
    };
    let mut terminal = call(&server);
    prompt(&mut terminal, "f:").send("half an ans").wait_for("> half an ans");
    server.tell("withdraw");
    terminal.wait_for("the server took its question back").wait_given_back();
    server.tell("finish");
    let end = end(terminal);
    snapshot!("taken_back", end);
}

#[test]
fn a_terminal_without_a_name_is_plain_too() {
    let Some(server) = case("stdio_form", &[&form(json!({"f": {"type": "boolean"}}), &["f"])]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).env("TERM", "").terminal();
    prompt(&mut terminal, "Enter alone: No").send("yes\r");
    assert_eq!(content(terminal), json!({"f": true}));
}
