//! Questions at a terminal: what the person sees, what they can do, what the server gets.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::{BACKSPACE, CTRL_C, CTRL_D, CTRL_U, DOWN, ENTER, ESC, UP};
use serde_json::json;

each_peer!(fn the_question_is_asked_and_the_answer_sent(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("What name should go on the card?").wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["answer"], json!({"action": "accept", "content": {"name": "Ada"}}));
});

each_peer!([rust_stdio] fn the_screen_reads_well(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("Enter: send");
    snapshot!("question", terminal);
    terminal.send(ENTER).wait_for("Send an empty text?").wait_for("> No");
    snapshot!("question_left_empty", terminal);
    terminal.send(ENTER).wait_for("Enter: send").send("Adx").send(BACKSPACE).send("a").send(ENTER);
    let end = terminal.finish();
    snapshot!("question_answered", end);
});

each_peer!([rust_stdio, python_v2_http] fn escape_offers_to_cancel_too(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("Esc: decline or cancel").send(ESC).wait_for("Cancel: dismiss the question");
    terminal.send(DOWN).send(DOWN).wait_for("> Cancel").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "No card issued.\n"), "{}", end.screen);
    assert!(end.screen.contains("(cancelled)") && !end.cursor_hidden && end.cooked, "{}", end.screen);
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["answer"]["action"], "cancel");
    assert!(entry["answer"].get("content").is_none_or(serde_json::Value::is_null));
});

each_peer!([rust_stdio, python_v2_http] fn escape_offers_to_decline(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("Esc: decline or cancel").send(ESC).wait_for("Decline: tell the server no");
    terminal.send(ESC).wait_for("Enter: send").send("A").wait_for("Name: A").send(ESC);
    terminal.wait_for("Decline: tell the server no").send(DOWN).wait_for("> Decline").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "No card issued.\n"), "{}", end.screen);
    assert!(end.screen.contains("(declined)") && !end.cursor_hidden && end.cooked, "{}", end.screen);
    let entry = server.wait_for_entry(|entry| entry["ask"] == "elicitation");
    assert_eq!(entry["answer"]["action"], "decline");
    assert!(entry["answer"].get("content").is_none_or(serde_json::Value::is_null));
});

each_peer!([rust_stdio, python_v2_stdio] fn control_c_cancels_the_question_and_the_call_goes_on(server) {
    for key in [CTRL_C, CTRL_D] {
        let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
        terminal.wait_for("Enter: send").send(key);
        let end = terminal.finish();
        assert_eq!((end.code, end.stdout.as_str()), (0, "No card issued.\n"), "{}", end.screen);
        assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    }
    assert_eq!(server.wait_for_entry(|entry| entry["ask"] == "elicitation")["answer"]["action"], "cancel");
});

each_peer!([python_v2_stdio, python_v2_http] fn a_second_control_c_leaves(server) {
    let mut terminal = mcpcall(["parallel", "n=2"]).on(server).terminal();
    terminal.wait_for("Enter: send").send(CTRL_C).wait_for("(cancelled)").wait_for("Enter: send").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (130, ""), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    server.wait_for_entry(|entry| entry["cancelled"] == "parallel");
});

each_peer!([rust_stdio] fn every_kind_of_field_is_asked_in_its_way(server) {
    let mut terminal = mcpcall(["reserve_book"]).on(server).terminal_of_size(30, 80);
    terminal.wait_for("(1/5)").send("Emma").send(ENTER);
    terminal.wait_for("(2/5)").wait_for("Enter: next");
    snapshot!("copies", terminal);
    terminal.send(CTRL_U).send("9").send(ENTER).wait_for("! ").send(BACKSPACE).send("2").send(ENTER);
    terminal.wait_for("(3/5)").wait_for("audio");
    snapshot!("format", terminal);
    terminal.send(DOWN).send(ENTER).wait_for("(4/5)").wait_for("Yes").send(UP).send(ENTER);
    terminal.wait_for("(5/5)").send(ENTER).wait_for("Send this?").wait_for("Cancel: dismiss");
    snapshot!("review", terminal);
    // The review can change a field, and then send.
    terminal.send(DOWN).wait_for("> Change").send(ENTER).wait_for("(1/5)").send(CTRL_U).send("Persuasion").send(ENTER);
    terminal.wait_for("Send this?").wait_for("> Send").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    let sent: serde_json::Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(sent["title"], "Persuasion");
    assert_eq!(sent["copies"], 2);
    assert!(sent.get("note").is_none_or(serde_json::Value::is_null), "{sent}");
});

each_peer!([python_v2_stdio] fn one_can_go_back_to_the_field_before(server) {
    let mut terminal = mcpcall(["two_fields"]).on(server).terminal();
    terminal.wait_for("(1/2)").send("Ad").send(ENTER).wait_for("(2/2)").send(ESC).wait_for("Back to the question before");
    terminal.send(DOWN).wait_for("> Back").send(ENTER).wait_for("(1/2)").wait_for(": Ad").send("a").send(ENTER);
    terminal.wait_for("(2/2)").send("2").send(ENTER).wait_for("> Send").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "2 cards for Ada.\n"), "{}", end.screen);
});

each_peer!([rust_stdio] fn lines_that_arrive_meanwhile_stand_above_the_question(server) {
    // The server's stderr line comes while the question stands.
    let wrapper = "sh -c '(sleep 1; echo late news >&2) & exec \"$0\" \"$@\"' ";
    let command = shell_words::join(server.stdio_command());
    let mut terminal = mcpcall(["issue_card", "--stdio", &format!("{wrapper}{command}")]).terminal();
    terminal.wait_for("Enter: send").send("Ad").wait_for("[server] late news").wait_for("Name: Ad").send("a").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
});

each_peer!([rust_stdio] fn narrow_plain_and_resized_terminals_work(server) {
    let mut terminal = mcpcall(["issue_card"]).env("NO_COLOR", "1").on(server).terminal_of_size(24, 40);
    terminal.wait_for("Enter: send");
    snapshot!("narrow", terminal);
    terminal.resize(24, 20);
    terminal.send("A name that is too long for it").wait_for("long for it").resize(24, 80);
    terminal.wait_for("Name: A name that is too long for it").send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.stdout, "Card issued to A name that is too long for it.\n", "{}", end.screen);
});

each_peer!([rust_stdio] fn a_terminal_is_used_though_stdin_is_a_pipe(server) {
    let mut terminal = mcpcall(["issue_card", "-"]).stdin(crate::support::run::Stdin::Text("{}".into())).on(server).terminal();
    terminal.wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
});

each_peer!([rust_stdio] fn no_input_means_nobody_is_asked_though_somebody_is_there(server) {
    let end = mcpcall(["issue_card", "--no-input"]).on(server).terminal().finish();
    assert_eq!((end.code, end.stdout.as_str()), (7, ""), "{}", end.screen);
    let null = crate::support::run::Stdin::Null;
    let end = mcpcall(["issue_card"]).stdin(null).on(server).terminal().finish();
    assert_eq!(end.code, 7, "{}", end.screen);
});

each_peer!([rust_stdio] fn prepared_values_are_offered_where_they_do_not_cover_the_form(server) {
    let mut terminal = mcpcall(["reserve_book", "--answer", "copies=3"]).on(server).terminal_of_size(30, 80);
    terminal.wait_for("(1/5)").send("Emma").send(ENTER).wait_for("(2/5)").wait_for(": 3").send(CTRL_C);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
});

/// A form for `tests/cases/stdio_form.py` with a field of each kind of screen.
fn form(fields: &[&str]) -> String {
    let field = |name: &str| match name {
        "line" => json!({"type": "string"}),
        "list" => json!({"type": "string", "enum": ["red", "green"]}),
        _ => json!({"type": "array", "items": {"type": "string", "enum": ["red", "green"]}}),
    };
    let properties: serde_json::Map<_, _> = fields.iter().map(|name| ((*name).to_owned(), field(name))).collect();
    json!({"type": "object", "properties": properties, "required": fields}).to_string()
}

/// The fields of a form; what to wait for and the keys to send, one by one, to get to a screen; what stands on it.
type Screen<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

#[test]
fn control_c_cancels_the_question_on_every_kind_of_screen() {
    let list = "Up/Down, Enter: choose   Esc: decline";
    let screens: [Screen; 7] = [
        (&["list"], &[], list),
        (&["many"], &[], "Space: tick"),
        (&[], &[], "> Accept"),
        (&["line"], &[("Enter: send", ESC)], "> Go on answering"),
        (&["list"], &[(list, ESC)], "> Go on answering"),
        (&["line", "list"], &[("Enter: next", "x\r"), (list, ENTER)], "> Send"),
        (&["line", "list"], &[("Enter: next", "x\r"), (list, ENTER), ("> Send", ESC)], "> Go on answering"),
    ];
    for (fields, way, last) in screens {
        for key in [CTRL_C, CTRL_D] {
            // ^D is no key of the menu after Esc.
            if key == CTRL_D && last == "> Go on answering" {
                continue;
            }
            let Some(server) = case("stdio_form", &[&form(fields)]) else { return };
            let mut terminal = mcpcall(["t"]).on(&server).terminal();
            for (seen, keys) in way {
                terminal.wait_for(seen).send(keys);
            }
            terminal.wait_for(last).wait_until("the cursor to hide", |screen| screen.hide_cursor()).send(key);
            let end = terminal.finish();
            let what = format!("{key:?} at {last:?} of {fields:?}\n{}", end.screen);
            assert_eq!((end.code, end.stdout.as_str()), (0, "{\"action\": \"cancel\"}\n"), "{what}");
            assert!(end.screen.contains("(cancelled)"), "{what}");
            assert!(!end.cursor_hidden && end.cooked, "{what}");
        }
    }
}

#[test]
fn a_question_that_the_server_takes_back_leaves_the_screen_and_the_call_goes_on() {
    let list = "Up/Down, Enter: choose   Esc: decline";
    let screens: [Screen; 5] = [
        (&["line"], &[("Enter: send", "half an ans")], "half an ans"),
        (&["list"], &[], list),
        (&["many"], &[], "Space: tick"),
        (&["line"], &[("Enter: send", ESC)], "> Go on answering"),
        (&["line", "list"], &[("Enter: next", "x\r"), (list, ENTER)], "> Send"),
    ];
    for (fields, way, last) in screens {
        let Some(server) = case("stdio_form", &[&form(fields), "withdraw"]) else { return };
        let mut terminal = mcpcall(["t"]).on(&server).terminal();
        for (seen, keys) in way {
            terminal.wait_for(seen).send(keys);
        }
        terminal.wait_for(last);
        server.tell("withdraw");
        terminal.wait_for("the server took its question back").wait_gone(last).wait_given_back();
        server.tell("finish");
        let end = terminal.finish();
        assert_eq!((end.code, end.stdout.as_str()), (0, "went on\n"), "{last}\n{}", end.screen);
        assert!(!end.cursor_hidden && end.cooked, "{last}\n{}", end.screen);
        // Nothing was answered.
        assert!(!server.methods().contains(&"response".to_owned()), "{:?}", server.received());
    }
}

each_peer!([rust_stdio] fn the_terminal_is_found_though_stderr_is_a_file(server) {
    let mut terminal = mcpcall(["issue_card", "--trace"]).stderr_to_file("err").on(server).terminal();
    terminal.wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked && end.screen.contains("Name: Ada"), "{}", end.screen);
    let stderr = end.file("err");
    assert!(stderr.contains("\"tools/call\"") && !stderr.contains("Enter: send"), "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "{stderr}");
});

each_peer!([rust_stdio, python_v2_http] fn asking_can_be_asked_for(server) {
    let mut terminal = mcpcall(["issue_card", "--on-elicit", "prompt"]).on(server).terminal();
    terminal.wait_for("Enter: send").send("Ada").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
    // Where nobody is there it is as good as a refusal.
    mcpcall(["issue_card", "--on-elicit", "prompt"]).on(server).code(7).any_stdout().stderr_has("nobody answered").check();
});

each_peer!([rust_stdio, python_v2_stdio] fn a_policy_answers_though_somebody_is_there(server) {
    for policy in ["cancel", "decline"] {
        let end = mcpcall(["issue_card", "--on-elicit", policy]).on(server).terminal().finish();
        assert_eq!((end.code, end.stdout.as_str(), end.screen.as_str()), (0, "No card issued.\n", ""));
        server.wait_for_entry(|entry| entry["answer"]["action"] == policy);
    }
});
