//! How questions are drawn and typed whatever they are about: searching, narrow windows, resizing, scripts of the world.

use crate::support::run::mcpcall;
use crate::support::scripted::{Case, case};
use crate::support::terminal::Terminal;
use crate::support::terminal::keys::{BACKSPACE, DOWN, ENTER, ESC, PAGE_DOWN, UP};
use serde_json::{Value, json};

fn form(properties: Value, required: &[&str]) -> String {
    json!({"type": "object", "properties": properties, "required": required}).to_string()
}

#[track_caller]
fn content(terminal: Terminal) -> Value {
    let end = terminal.finish();
    assert!(end.code == 0 && !end.cursor_hidden && end.cooked, "{}", end.screen);
    let result: Value = serde_json::from_str(&end.stdout).expect(&end.screen);
    assert_eq!(result["action"], "accept", "{}", end.screen);
    result["content"].clone()
}

fn animals() -> Value {
    json!([
        "Aardvark",
        "Badger",
        "Cat",
        "Dog",
        "Elephant",
        "Flamingo",
        "Giraffe",
        "Hamster",
        "Ibex",
        "Jackal",
        "Koala",
        "Lion",
        "Mole",
        "Newt",
        "Otter",
        "Polar Bear",
        "Quail",
        "Raccoon",
        "Swan",
        "Tapir"
    ])
}

fn one_animal() -> Option<Case> {
    case("stdio_form", &[&form(json!({"a": {"enum": animals(), "title": "Animal"}}), &["a"])])
}

fn several_animals() -> Option<Case> {
    let several = json!({"a": {"type": "array", "items": {"enum": animals()}, "title": "Animals", "minItems": 2}});
    case("stdio_form", &[&form(several, &["a"])])
}

#[test]
fn a_long_list_is_searched_by_typing() {
    let Some(server) = one_animal() else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal();
    terminal.wait_for("Esc: decline");
    snapshot!("long", terminal);
    terminal.send("AR").wait_for("Search: AR  (2 of 20)").wait_for("> Aardvark");
    snapshot!("searched", terminal);
    terminal.send("x").wait_for("(nothing fits)").send(ENTER).wait_for("! nothing is chosen");
    snapshot!("not_found", terminal);
    terminal
        .send(BACKSPACE)
        .wait_for("(2 of 20)")
        .wait_gone("! nothing")
        .send(ESC)
        .wait_gone("Search:")
        .wait_for("> Aardvark");
    terminal.send(PAGE_DOWN).wait_for("> Mole").send(DOWN).wait_for("> Newt").send("bear").wait_for("> Polar Bear");
    terminal.send(ESC).wait_gone("Search:").wait_for("> Polar Bear").send(ESC).wait_for("> Go on").send(ESC);
    terminal.wait_for("> Polar Bear").send("r b").wait_for("(1 of 20)").send(ENTER);
    assert_eq!(content(terminal), json!({"a": "Polar Bear"}));
}

#[test]
fn ticks_outlast_the_search() {
    let Some(server) = several_animals() else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal();
    terminal.wait_for("Esc: decline").send("koa").wait_for("> [ ] Koala").send(" ").wait_for("> [x] Koala");
    snapshot!("ticked", terminal);
    terminal.send(ENTER).wait_for("! ").send(ESC).wait_for("1 ticked)").send("sw").wait_for("> [ ] Swan").send(" ");
    terminal.wait_for("> [x] Swan").send(ENTER);
    assert_eq!(content(terminal), json!({"a": ["Koala", "Swan"]}));
}

#[test]
fn a_short_list_is_searched_too_though_nothing_says_so() {
    let Some(server) = case("stdio_form", &[&form(json!({"ok": {"type": "boolean"}}), &["ok"])]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal();
    terminal.wait_for("> No").wait_for("Esc:");
    assert!(!terminal.screen().contains("search"), "{}", terminal.screen());
    terminal.send("y").wait_for("> Yes").send(ENTER);
    assert_eq!(content(terminal), json!({"ok": true}));
}

/// A form with each kind of screen, labels of all kinds.
fn world() -> Option<Case> {
    let fields = json!({
        "name": {"type": "string", "title": "お名前（カードに印刷されます）", "description": "姓と名のあいだに空白を入れてください。ローマ字でもかまいません。"},
        "city": {"type": "string", "title": "עיר המגורים", "description": "شارع ومدينة e\u{301} \u{202e}"},
        "size": {"type": "string", "title": "How large should the card that is issued to you be?", "enum": ["小さい", "中", "A size that is as long as an option can be, and longer"]},
        "when": {"type": "array", "items": {"enum": ["утро", "päivä"]}, "title": "When"}});
    case("stdio_form", &[&form(fields, &["name", "city", "size", "when"])])
}

#[test]
fn forty_columns_and_the_scripts_of_the_world() {
    let Some(server) = world() else { return };
    let mut terminal = mcpcall(["t"]).on(&server).env("NO_COLOR", "1").terminal_of_size(24, 40);
    terminal.wait_for("(1/4)").wait_for("Esc:").send("山田").send(BACKSPACE).send("田 太郎").wait_for("太郎");
    terminal.wait_until("the cursor behind the text", |screen| screen.cursor_position().1 == 13);
    snapshot!("line_wide", terminal);
    terminal.send(ENTER).wait_for("(2/4)").wait_for("go back").send("חיפה").wait_for("חיפה");
    terminal.wait_until("the cursor behind the text", |screen| screen.cursor_position().1 == 8);
    snapshot!("line_right_to_left", terminal);
    terminal.send(ENTER).wait_for("(3/4)").wait_for("go back").send(UP).wait_for("> A size");
    snapshot!("list", terminal);
    terminal.send(ENTER).wait_for("(4/4)").wait_for("go back").send("P").wait_for("Search: P").send(" ");
    terminal.wait_for("> [x] päivä");
    snapshot!("several", terminal);
    terminal.send(ESC).wait_gone("Search").send(ESC).wait_for("> Go on");
    snapshot!("leave", terminal);
    terminal.send(ESC).wait_for("When").send(ENTER).wait_for("> Send").wait_for("Esc:").send(ENTER);
    assert_eq!(
        content(terminal),
        json!({"name": "山田 太郎", "city": "חיפה", "size": "A size that is as long as an option can be, and longer", "when": ["päivä"]})
    );
}

/// Waits until a list is drawn to its end: then the cursor waits at its title.
#[track_caller]
fn drawn<'a>(terminal: &'a mut Terminal, text: &str) -> &'a mut Terminal {
    terminal.wait_for(text).wait_until("the cursor at the title", |screen| {
        let (row, column) = screen.cursor_position();
        column == 0 && screen.rows(0, 20).nth(row.into()).is_some_and(|row| row.starts_with("  Animals:"))
    })
}

/// What is above the question must stay, once, and the question must be there once.
#[track_caller]
fn whole(terminal: &mut Terminal, once: &[&str]) {
    let screen = terminal.screen();
    for text in once {
        assert_eq!(screen.matches(text).count(), 1, "{text:?} in\n{screen}");
    }
}

#[test]
fn a_list_is_drawn_anew_when_the_window_changes() {
    // Terminals that break lines anew, and those that cut them.
    type Resize = fn(&mut Terminal, u16, u16) -> &mut Terminal;
    for resize in [Terminal::resize_reflowing as Resize, Terminal::resize as Resize] {
        let Some(server) = several_animals() else { return };
        let mut terminal = mcpcall(["t"]).on(&server).terminal_of_size(30, 80);
        let hints = "Type to search   Space: tick   Enter: done   Esc: decline or cancel";
        terminal.wait_for(hints).send(DOWN);
        resize(drawn(&mut terminal, "> [ ] Badger"), 30, 25);
        drawn(&mut terminal, "Enter: done\n").wait_for("Esc: decline or cancel");
        whole(&mut terminal, &["Fill in", "Animals:", "Aardvark", "Badger", "Space: tick", "Esc:"]);
        resize(&mut terminal, 12, 60);
        drawn(&mut terminal, "above, 14 below");
        whole(&mut terminal, &["Animals:", "Aardvark", "Badger", "Space: tick", "Esc:"]);
        resize(&mut terminal, 30, 100);
        drawn(&mut terminal, hints).wait_for("Lion");
        whole(&mut terminal, &["Animals:", "Aardvark", "Badger", "Space: tick", "Esc:"]);
        terminal.send(" ").wait_for("> [x] Badger").send(DOWN).send(" ").wait_for("> [x] Cat").send(ENTER);
        assert_eq!(content(terminal), json!({"a": ["Badger", "Cat"]}));
    }
}

/// Waits until a line is drawn to its end: then the cursor is behind what was typed.
#[track_caller]
fn typed(terminal: &mut Terminal) {
    terminal.wait_until("the cursor behind the text", |screen| {
        let (row, column) = screen.cursor_position();
        !screen.hide_cursor() && screen.rows(0, column).nth(row.into()).is_some_and(|row| row.ends_with("日本"))
    });
}

#[test]
fn a_line_is_drawn_anew_when_the_window_changes() {
    let help = "Two short words about the thing, which is to be described here.";
    let field = json!({"f": {"type": "string", "title": "A thing that has a rather long name, longer than a line", "description": help}});
    let Some(server) = case("stdio_form", &[&form(field, &["f"])]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal_of_size(24, 60);
    terminal.wait_for("Esc:").send("It is a text that fills most of the row 日本");
    typed(&mut terminal);
    snapshot!("wide", terminal);
    terminal.resize_reflowing(24, 25).wait_for("Enter: send\n").wait_for("Esc: decline or cancel");
    typed(&mut terminal);
    whole(&mut terminal, &["Fill in", "longer than", "日本", "Two short", "Esc:", "> "]);
    snapshot!("narrower", terminal);
    terminal
        .resize_reflowing(24, 80)
        .wait_for("Enter: send   ^O: editor   Esc: decline or cancel")
        .wait_for("It is a text");
    typed(&mut terminal);
    whole(&mut terminal, &["Fill in", "longer than", "日本", "Two short", "Esc:", "> "]);
    snapshot!("wider", terminal);
    terminal.send(ENTER);
    assert_eq!(content(terminal), json!({"f": "It is a text that fills most of the row 日本"}));
}

#[test]
fn help_that_fills_the_window_is_shown_once_above() {
    let help: String = (1..=30).map(|n| format!("Sentence number {n} of many. ")).collect();
    let field = json!({"f": {"type": "string", "title": "Field", "description": help}});
    let Some(server) = case("stdio_form", &[&form(field, &["f"])]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal_of_size(12, 40);
    terminal.wait_for("Enter: send").send("abc").wait_for("Field: abc").send("d").wait_for("Field: abcd");
    whole(&mut terminal, &["number 30", "Field:", "Enter: send", "Esc:"]);
    terminal.send(ENTER);
    assert_eq!(content(terminal), json!({"f": "abcd"}));
}
