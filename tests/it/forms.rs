//! Forms at a terminal: every kind of field, filled in, mis-filled and corrected, skipped, changed at the review, declined
//! and cancelled. The schemas go beyond the protocol's forms, as those of real servers do.

use crate::support::run::{Run, mcpcall};
use crate::support::scripted::case;
use crate::support::terminal::Terminal;
use crate::support::terminal::keys::{CTRL_C, CTRL_O, DOWN, ENTER, ESC, UP};
use serde_json::{Value, json};

/// What to wait for and the keys to send then, one after the other.
type Steps = &'static [(&'static str, &'static str)];

/// A kind of field, as the first of two: its schema, a way to fill it in that goes wrong first, a straight way, and what
/// is sent.
struct Kind {
    property: &'static str,
    mended: Steps,
    straight: Steps,
    sent: &'static str,
}

/// `\x15` is ^U, which clears the line, `\x1b[A` and `\x1b[B` are up and down.
const KINDS: &[Kind] = &[
    Kind {
        property: r#"{"type": "string", "title": "Name", "minLength": 2, "maxLength": 5}"#,
        mended: &[("(1/2) Name", "x\r"), ("! is shorter than 2", "\x15Ada\r")],
        straight: &[("(1/2) Name", "Ada\r")],
        sent: r#""Ada""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "Code", "pattern": "^[A-Z]+$", "description": "Capital letters only"}"#,
        mended: &[("(1/2) Code", "ab\r"), ("! does not match", "\x15AB\r")],
        straight: &[("(1/2) Code", "AB\r")],
        sent: r#""AB""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "Mail", "format": "email"}"#,
        mended: &[("(1/2) Mail", "ada\r"), ("! is not an email address", "@example.com\r")],
        straight: &[("(1/2) Mail", "ada@example.com\r")],
        sent: r#""ada@example.com""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "Site", "format": "uri"}"#,
        mended: &[("(1/2) Site", "example\r"), ("! is not a URI", "\x15https://example.com/\r")],
        straight: &[("(1/2) Site", "https://example.com/\r")],
        sent: r#""https://example.com/""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "Day", "format": "date"}"#,
        mended: &[("(1/2) Day", "2026-02-30\r"), ("! is not a date", "\x152026-02-28\r")],
        straight: &[("(1/2) Day", "2026-02-28\r")],
        sent: r#""2026-02-28""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "When", "format": "date-time"}"#,
        mended: &[("(1/2) When", "2026-02-28\r"), ("! is not a date and", "T10:00:00Z\r")],
        straight: &[("(1/2) When", "2026-02-28T10:00:00Z\r")],
        sent: r#""2026-02-28T10:00:00Z""#,
    },
    Kind {
        property: r#"{"type": "string", "title": "At", "format": "time"}"#,
        mended: &[("(1/2) At", "noon\r"), ("! is not a time", "\x1512:00:00Z\r")],
        straight: &[("(1/2) At", "12:00:00Z\r")],
        sent: r#""12:00:00Z""#,
    },
    Kind {
        property: r#"{"type": "integer", "title": "Copies", "minimum": 1}"#,
        mended: &[
            ("(1/2) Copies", "0\r"),
            ("! is less than 1", "\x152.0\r"),
            ("! is not a whole", "\x159007199254740993\r"),
        ],
        straight: &[("(1/2) Copies", "9007199254740993\r")],
        sent: "9007199254740993",
    },
    Kind {
        property: r#"{"type": "number", "title": "Ratio", "exclusiveMinimum": 0, "maximum": 1}"#,
        mended: &[("(1/2) Ratio", "0\r"), ("! is not more than 0", ".25\r")],
        straight: &[("(1/2) Ratio", ".25\r")],
        sent: "0.25",
    },
    Kind {
        property: r#"{"type": "boolean", "title": "Gift"}"#,
        mended: &[("> (leave out)", UP), ("> No", UP), ("> Yes", ENTER)],
        straight: &[("> (leave out)", "\x1b[A\x1b[A\r")],
        sent: "true",
    },
    Kind {
        property: r#"{"oneOf": [{"const": 1, "title": "Small"}, {"const": 2, "title": "Large"}], "title": "Size"}"#,
        mended: &[("> (leave out)", UP), ("> Large", ENTER)],
        straight: &[("> (leave out)", "\x1b[A\r")],
        sent: "2",
    },
    Kind {
        property: r#"{"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1, "title": "Some"}"#,
        mended: &[("> [ ] a", " \x1b[B \r"), ("! has more than 1 item", " \r")],
        straight: &[("> [ ] a", " \r")],
        sent: r#"["a"]"#,
    },
    Kind {
        property: r#"{"type": "string", "title": "API token"}"#,
        mended: &[("looks like a secret", "x\r")],
        straight: &[("(1/2) API token", "x\r")],
        sent: r#""x""#,
    },
];

impl Kind {
    /// The form: this field and a note, both optional.
    fn form(&self) -> String {
        let property: Value = serde_json::from_str(self.property).unwrap();
        json!({"type": "object", "properties": {"f": property, "note": {"type": "string"}}}).to_string()
    }
}

/// Fills a form in at a terminal; `act` does it. Gives what the server got.
fn filled(schema: &str, size: (u16, u16), plain: bool, act: impl FnOnce(&mut Terminal)) -> Option<Value> {
    let server = case("stdio_form", &[schema])?;
    let run: Run = mcpcall(["t"]).on(&server);
    let run = if plain { run.env("NO_COLOR", "1") } else { run };
    let mut terminal = run.terminal_of_size(size.0, size.1);
    act(&mut terminal);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    let coloured = end.raw.windows(4).any(|bytes| bytes == b"\x1b[0m");
    assert_eq!(coloured, !plain, "{}", String::from_utf8_lossy(&end.raw));
    Some(serde_json::from_str(&end.stdout).unwrap())
}

fn take(terminal: &mut Terminal, steps: &[(&str, &str)]) {
    for (seen, keys) in steps {
        terminal.wait_for(seen).send(keys);
    }
}

/// The content with `f` alone.
fn accepted(kind: &Kind) -> Value {
    let sent: Value = serde_json::from_str(kind.sent).unwrap();
    json!({ "action": "accept", "content": { "f": sent } })
}

/// Screens put under each other, for one snapshot of many.
struct Screens(String);

impl Screens {
    fn block(&self) -> &str {
        &self.0
    }
}

/// Fills every kind in, with its mistake, and shows the screen before the last answer to it.
fn every_kind(size: (u16, u16), plain: bool) -> Option<Screens> {
    let mut screens = String::new();
    for kind in KINDS {
        let content = filled(&kind.form(), size, plain, |terminal| {
            let (last, before) = kind.mended.split_last().unwrap();
            take(terminal, before);
            terminal.wait_for(last.0).wait_for("Esc: decline");
            let screen = terminal.screen();
            let question = screen.split_once("Fill in\n\n").map_or(screen.as_str(), |(_, question)| question);
            screens.push_str(&format!("{question}\n\n"));
            terminal.send(last.1);
            take(terminal, &[("(2/2) note", ENTER), ("> Send", ENTER)]);
        })?;
        assert_eq!(content, accepted(kind), "{}", kind.property);
    }
    Some(Screens(screens))
}

#[test]
fn a_mistake_is_told_with_its_reason_and_can_be_mended() {
    let Some(screens) = every_kind((30, 80), false) else { return };
    snapshot!("mended", screens);
}

#[test]
fn so_it_is_in_40_columns_without_colour() {
    let Some(screens) = every_kind((30, 40), true) else { return };
    snapshot!("mended_narrow", screens);
}

#[test]
fn what_was_skipped_is_left_out_and_can_be_filled_in_at_the_review() {
    for kind in KINDS {
        let skip: &[(&str, &str)] = &[("(1/2)", ENTER), ("(2/2) note", ENTER)];
        let none =
            filled(&kind.form(), (30, 40), true, |terminal| take(terminal, &[skip, &[("> Send", ENTER)]].concat()));
        let Some(none) = none else { return };
        assert_eq!(none, json!({"action": "accept", "content": {}}), "{}", kind.property);
        let changed = filled(&kind.form(), (30, 80), false, |terminal| {
            take(terminal, skip);
            take(terminal, &[("> Send", DOWN), ("> Change", ENTER)]);
            take(terminal, kind.straight);
            take(terminal, &[("> Send", ENTER)]);
        });
        assert_eq!(changed, Some(accepted(kind)), "{}", kind.property);
    }
}

#[test]
fn every_kind_can_be_declined_and_cancelled() {
    for kind in KINDS {
        let leave: &[(&str, &str)] = &[("Esc: decline", ESC), ("Decline: tell", DOWN), ("> Decline", ENTER)];
        let left = filled(&kind.form(), (30, 40), true, |terminal| take(terminal, leave));
        let Some(left) = left else { return };
        assert_eq!(left, json!({"action": "decline"}), "{}", kind.property);
        let left = filled(&kind.form(), (30, 80), false, |terminal| take(terminal, &[("Esc: decline", CTRL_C)]));
        assert_eq!(left, Some(json!({"action": "cancel"})), "{}", kind.property);
    }
}

#[test]
fn the_review_can_decline_and_cancel() {
    for (up, action) in [(&[UP, UP][..], "decline"), (&[UP], "cancel")] {
        let left = filled(&KINDS[0].form(), (30, 40), true, |terminal| {
            take(terminal, &[("(1/2)", ENTER), ("(2/2) note", ENTER)]);
            terminal.wait_for("> Send").send(&up.concat()).send(ENTER);
        });
        let Some(left) = left else { return };
        assert_eq!(left, json!({ "action": action }));
    }
}

#[test]
fn an_empty_text_is_sent_on_purpose_only() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}).to_string();
    let content = filled(&schema, (24, 40), true, |terminal| {
        take(terminal, &[("Enter: send", ENTER), ("Send an empty text?", ENTER)]);
        take(terminal, &[("Enter: send", ENTER), ("> No", DOWN), ("> Yes", ENTER)]);
    });
    let Some(content) = content else { return };
    assert_eq!(content, json!({"action": "accept", "content": {"a": ""}}));
}

#[test]
fn a_rule_among_the_fields_leads_back_to_the_field_it_names() {
    let schema = json!({"type": "object", "properties": {
        "card": {"type": "string", "title": "Card"}, "cvc": {"type": "string", "title": "Check digits"}},
        "dependentRequired": {"card": ["cvc"]}});
    let content = filled(&schema.to_string(), (24, 80), false, |terminal| {
        take(terminal, &[("(1/2) Card", "1\r"), ("(2/2) Check", ENTER), ("> Send", ENTER)]);
        terminal.wait_for("! Check digits is required").wait_for("Esc: decline");
        snapshot!("led_back", terminal);
        take(terminal, &[("Enter: next", "2\r"), ("> Send", ENTER)]);
    });
    let Some(content) = content else { return };
    assert_eq!(content["content"], json!({"card": "1", "cvc": "2"}));
}

#[test]
fn what_has_no_shape_is_written_as_json_in_the_editor() {
    let schema = json!({"type": "object", "required": ["pair"], "properties": {
        "pair": {"type": "array", "title": "Pair", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        "any": {"type": "object", "title": "Anything", "examples": [{"a": 1}]}}});
    let Some(server) = case("stdio_form", &[&schema.to_string()]) else { return };
    // Wrong twice, by the schema and by JSON, and then right; the last text is given back as it was.
    let editor = r#"
        n=$(ls was.* 2>/dev/null | wc -l); cp "$1" was.$n
        case $n in 0) echo '[1, 2]' >"$1";; 1) echo '[1,' >"$1";; 2) echo '[1, "x"]' >"$1";; esac"#;
    let run = mcpcall(["t"]).on(&server).file("ed", editor).env("EDITOR", "sh ./ed").env("NO_COLOR", "1");
    let mut terminal = run.terminal_of_size(30, 40);
    take(&mut terminal, &[("(1/2) Pair", ""), ("Enter: open sh", ENTER), ("! 1 is not a string", ENTER)]);
    terminal.wait_for("and not JSON").wait_for("Enter: open sh");
    snapshot!("json", terminal);
    take(
        &mut terminal,
        &[("Enter: open sh", ENTER), ("(2/2) Anything", UP), ("> Write it", ENTER), ("Enter: open sh", ENTER)],
    );
    take(&mut terminal, &[("nothing was changed", "s"), ("> Send", ENTER)]);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    let got: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(got["content"], json!({"pair": [1, "x"], "any": {"a": 1}}), "{}", end.screen);
    // What was begun is gone on with; an example is where one begins.
    assert_eq!((end.file("was.1"), end.file("was.3")), ("[1, 2]\n".into(), "{\n  \"a\": 1\n}\n".into()));
}

#[test]
fn every_text_can_be_written_in_the_editor() {
    let schema =
        json!({"type": "object", "required": ["note"], "properties": {"note": {"type": "string", "maxLength": 20}}});
    let Some(server) = case("stdio_form", &[&schema.to_string()]) else { return };
    let run = mcpcall(["t"]).on(&server).file("ed", r#"printf 'two\nlines\n' >"$1""#).env("EDITOR", "sh ./ed");
    let mut terminal = run.terminal();
    take(&mut terminal, &[("Enter: send", CTRL_O), ("two↵lines", ENTER)]);
    let end = terminal.finish();
    let got: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(got["content"], json!({"note": "two\nlines"}), "{}", end.screen);
}

each_peer!([forms_stdio, forms_http] fn defaults_of_five_kinds_are_offered(server) {
    let defaults = json!({"nickname": "Ada", "books": 3, "rating": 4.5, "shelf": "science", "newsletter": true});
    let mut terminal = mcpcall(["defaults"]).on(server).terminal_of_size(30, 80);
    let enter = ["(1/5) Nickname: Ada", "(2/5) Books: 3", "(3/5) Rating: 4.5", "> science", "> Yes", "> Send"];
    take(&mut terminal, &enter.map(|seen| (seen, ENTER)));
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert_eq!(serde_json::from_str::<Value>(&end.stdout).unwrap(), defaults);
    let mut terminal = mcpcall(["defaults"]).on(server).terminal_of_size(30, 80);
    take(&mut terminal, &[("(1/5) Nickname: Ada", " L\r"), ("(2/5) Books: 3", "\x157\r"), ("(3/5) Rating: 4.5", "\x15\r")]);
    take(&mut terminal, &[("> science", DOWN), ("> poetry", ENTER), ("> Yes", DOWN), ("> No", ENTER), ("> Send", ENTER)]);
    let end = terminal.finish();
    let changed = json!({"nickname": "Ada L", "books": 7, "shelf": "poetry", "newsletter": false});
    assert_eq!(serde_json::from_str::<Value>(&end.stdout).unwrap(), changed, "{}", end.screen);
    let file = json!({"answers": [{"on": "elicitation", "action": "accept", "fill": "defaults", "content": {"books": "7", "shelf": "POETRY"}}]});
    let run = mcpcall(["defaults", "--auto-answer", "a.json"]).file("a.json", file.to_string()).on(server).run();
    assert_eq!(run.json(), json!({"nickname": "Ada", "books": 7, "rating": 4.5, "shelf": "poetry", "newsletter": true}));
});

each_peer!([forms_stdio] fn options_are_shown_by_title_and_sent_by_value(server) {
    let sent = json!({"plain": "large", "titled": "#0f0", "legacy": "m", "some": ["a", "c"], "some_titled": ["#00f"]});
    let mut terminal = mcpcall(["options"]).on(server).terminal_of_size(30, 80);
    take(&mut terminal, &[("> small", DOWN), ("> large", ENTER), ("> Red", DOWN), ("> Green", ENTER), ("> Small", DOWN), ("> Medium", ENTER)]);
    take(&mut terminal, &[("(4/5) some", ENTER), ("! has fewer than 1 item", " \x1b[B\x1b[B "), ("[x] c", ENTER)]);
    take(&mut terminal, &[("(5/5) some_titled", UP), ("> [ ] Blue", " \r"), ("> Send", "")]);
    terminal.wait_for("Esc: decline");
    snapshot!("options", terminal);
    terminal.send(ENTER);
    let end = terminal.finish();
    assert_eq!(serde_json::from_str::<Value>(&end.stdout).unwrap(), sent, "{}", end.screen);
    let file = r##"{"plain": "large", "titled": "green", "legacy": "Medium", "some": "a,c", "some_titled": ["Blue"]}"##;
    let run = mcpcall(["options", "--auto-answer", "a.json"]).file("a.json", file).on(server).run();
    assert_eq!(run.json(), sent);
});

each_peer!([forms_stdio, forms_http] fn a_pydantic_model_is_filled_in(server) {
    let sent = json!({"traveller": "Ada", "bags": 2, "travel_class": "business", "home": {"street": "Via Appia 1", "city": "Rome"},
                      "day": "2026-12-24", "meals": ["vegan", "kosher"]});
    let mut terminal = mcpcall(["trip", "-v"]).on(server).terminal_of_size(36, 80);
    take(&mut terminal, &[("(1/7) Traveller", "Ada\r"), ("(2/7) Bags", "5\r"), ("! is more than 3", "\x152\r")]);
    take(&mut terminal, &[("> economy", DOWN), ("> business", ENTER), ("(4/7) Home > Street", "")]);
    terminal.wait_for("Esc: decline");
    snapshot!("nested", terminal);
    take(&mut terminal, &[("Enter: next", "Via Appia 1\r"), ("(5/7) Home > City", "R\r"), ("! is shorter than 2", "ome\r")]);
    take(&mut terminal, &[("(6/7) Day", "24.12.\r"), ("! is not a date", "\x152026-12-24\r"), ("(7/7) Meals", " \x1b[A "), ("[x] kosher", ENTER)]);
    terminal.wait_for("> Send").wait_for("Esc: decline");
    snapshot!("nested_review", terminal);
    terminal.send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert_eq!(serde_json::from_str::<Value>(&end.stdout).unwrap(), sent, "{}", end.screen);
    // The same from a file, some of it as text, and by flags.
    let file = r#"{"traveller": "Ada", "bags": "2", "travel_class": "Business", "home": {"city": "Oslo", "street": "Via Appia 1"}, "day": "2026-12-24"}"#;
    let run = mcpcall(["trip", "--auto-answer", "a.json", "--answer", "home.city=Rome", "--answer", "meals=vegan, kosher"]);
    assert_eq!(run.file("a.json", file).on(server).run().json(), sent);
    // What is missing within is missed.
    let file = r#"{"traveller": "Ada", "travel_class": "economy", "home": {"street": "Via Appia 1"}, "day": "2026-12-24"}"#;
    mcpcall(["trip", "--auto-answer", "a.json"]).file("a.json", file).on(server).code(7).any_stdout().stderr_has("nobody answered").check();
    let entry = json!({"answers": [{"on": "elicitation", "action": "accept", "content": serde_json::from_str::<Value>(file).unwrap()}]});
    let run = mcpcall(["trip", "--auto-answer", "a.json"]).file("a.json", entry.to_string()).on(server);
    run.code(7).any_stdout().stderr_has("for more than /answers/0 has (home.city)").check();
});

each_peer!([forms_stdio] fn lists_maps_and_unions_are_filled_in(server) {
    let sent = json!({"guests": [{"name": "Ada", "age": 36}, {"name": "Bob", "age": null}], "seats": {"Ada": 1},
                      "payment": {"by": "card", "number": "1234"}, "host": null, "budget": 200, "extra": {}});
    let mut terminal = mcpcall(["party"]).on(server).terminal_of_size(40, 80);
    take(&mut terminal, &[("Guests #1 > Name", "Ada\r"), ("Guests #1 > Age", "36\r"), ("add another Guest?", "")]);
    terminal.wait_for("Esc: decline");
    snapshot!("list", terminal);
    take(&mut terminal, &[("> No", UP), ("> Yes", ENTER), ("Guests #2 > Name", "Bob\r"), ("Guests #2 > Age", ENTER), ("(2 so far)", ENTER)]);
    take(&mut terminal, &[("Seats: add an entry?", UP), ("> Yes", ENTER)]);
    take(&mut terminal, &[("name of entry 1", "Ada\r"), ("Seats > Ada", "one\r"), ("! is not a whole number", "\x151\r"), ("add another entry?", ENTER)]);
    take(&mut terminal, &[("Payment: which of these?", DOWN), ("> Invoice", UP), ("> Card", ENTER), ("Payment > Last four", "12\r"), ("! does not match", "34\r")]);
    take(&mut terminal, &[("Fill in Host?", ENTER), ("Budget: which", "")]);
    terminal.wait_for("Esc: decline");
    snapshot!("union", terminal);
    take(&mut terminal, &[("> none", UP), ("> a whole number", ENTER), ("(15/16) Budget", "200\r"), ("> Keep {}", ENTER)]);
    terminal.wait_for("> Send").wait_for("Esc: decline");
    snapshot!("tree", terminal);
    terminal.send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    assert_eq!(serde_json::from_str::<Value>(&end.stdout).unwrap(), sent, "{}", end.screen);
    let file = r#"{"guests": [{"name": "Ada", "age": "36"}, {"name": "Bob"}], "seats": {"Ada": "1"}, "budget": 200,
                   "payment": {"by": "card", "number": "1234"}}"#;
    let run = mcpcall(["party", "--auto-answer", "a.json"]).file("a.json", file).on(server).run();
    assert_eq!(run.json(), sent);
    // The stub of a refusal is an answer as it stands.
    let run = mcpcall(["party", "--no-input"]).on(server).run();
    let stub: Value = run.stderr.lines().find_map(|line| serde_json::from_str(line.trim()).ok()).unwrap();
    let run = mcpcall(["party", "--auto-answer", "a.json"]).file("a.json", json!({ "answers": [stub] }).to_string()).on(server).run();
    assert_eq!(run.json()["guests"][0]["name"], "x", "{}", run.report());
});

each_peer!([forms_stdio] fn items_are_removed_and_fields_changed_at_the_review(server) {
    let mut terminal = mcpcall(["party"]).on(server).terminal_of_size(40, 40);
    take(&mut terminal, &[("(1/8)", "Ada\r"), ("(2/8)", ENTER), ("> No", UP), ("> Yes", ENTER), ("(4/11)", "Bob\r"), ("(5/11)", ENTER)]);
    take(&mut terminal, &[("(2 so far)", ENTER), ("Seats: add an entry?", ENTER), ("> Card", DOWN), ("> Invoice", ENTER)]);
    take(&mut terminal, &[("(9/13)", "Via\r"), ("(10/13)", "Rome\r"), ("Fill in Host?", ENTER)]);
    take(&mut terminal, &[("Budget: which", ENTER), ("> Keep {}", ENTER), ("> Send", "\x1b[B\x1b[B"), (">   #1:", ENTER)]);
    take(&mut terminal, &[("> Change", DOWN), ("> Remove", ENTER)]);
    terminal.wait_for("Change Guests: 1 item").wait_for("> Send").wait_for("Esc: decline");
    snapshot!("tree_narrow", terminal);
    take(&mut terminal, &[("> Send", "\x1b[B\x1b[B\x1b[B"), (">     Name: Bob", ENTER), (": Bob", "\x15Bea\r"), ("> Send", ENTER)]);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    let sent: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(sent["guests"], json!([{"name": "Bea", "age": null}]), "{}", end.screen);
    assert_eq!(sent["payment"]["to"], json!({"street": "Via", "city": "Rome"}));
});

each_peer!([forms_stdio, forms_http] fn missing_arguments_are_asked_for(server) {
    let mut terminal = mcpcall(["order", "gift=true"]).on(server).terminal();
    terminal.wait_for("order needs:").wait_for("(1/2) Sku").wait_for("Esc: cancel");
    snapshot!("missing", terminal);
    take(&mut terminal, &[("(1/2) Sku", "a-1\r"), ("(2/2) Copies", "9\r"), ("! is more than 5", "\x152\r"), ("> Call", "")]);
    terminal.wait_for("Esc: cancel");
    snapshot!("missing_review", terminal);
    terminal.send(ENTER);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    let got: Value = serde_json::from_str(&end.stdout).unwrap();
    assert_eq!(got, json!({"sku": "a-1", "copies": 2, "gift": true, "to": null}), "{}", end.screen);
    server.wait_for_entry(|entry| entry["arguments"] == json!({"gift": true, "sku": "a-1", "copies": 2}));
});

each_peer!([forms_stdio] fn both_eras_get_what_was_asked_for_once(server) {
    let mut terminal = mcpcall(["order", "sku=x", "--protocol", "both", "--yes-twice"]).on(server).terminal();
    take(&mut terminal, &[("Copies", "2\r")]);
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    let calls: Vec<Value> = server.log().iter().filter(|entry| entry["call"] == "order").map(|entry| entry["arguments"].clone()).collect();
    assert_eq!(calls, [json!({"sku": "x", "copies": 2}), json!({"sku": "x", "copies": 2})]);
});

each_peer!([forms_stdio] fn a_call_whose_arguments_nobody_gives_is_not_made(server) {
    for (keys, last) in [(&[(CTRL_C, "")][..], ""), (&[(ESC, "Cancel: do not call it"), (DOWN, "> Cancel"), (ENTER, "")], "")] {
        let mut terminal = mcpcall(["order", "sku=x"]).on(server).terminal();
        terminal.wait_for("Copies").wait_for("Esc: cancel");
        for (keys, seen) in keys {
            terminal.send(keys).wait_for(seen);
        }
        let end = terminal.finish();
        assert_eq!((end.code, end.stdout.as_str()), (2, last), "{}", end.screen);
        assert!(end.screen.contains("missing required argument: copies"), "{}", end.screen);
        assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
    }
    // Nobody is asked where nobody may be, or where something else is wrong.
    let end = mcpcall(["order", "sku=x", "--no-input"]).on(server).terminal().finish();
    assert!(end.code == 2 && !end.screen.contains("needs"), "{}", end.screen);
    let end = mcpcall(["order", "sku=x", "bag=1"]).on(server).terminal().finish();
    assert!(end.code == 2 && end.screen.contains("unknown argument `bag`") && !end.screen.contains("needs"), "{}", end.screen);
    let end = mcpcall(["order", "sku=x", "--no-validate"]).on(server).terminal().finish();
    assert!(end.code == 5 && !end.screen.contains("needs"), "{}", end.screen);
    assert!(!server.log().iter().any(|entry| entry["call"] == "order" && entry["arguments"] != json!({"sku": "x"})));
});

each_peer!([forms_stdio] fn notes_say_where_a_schema_leaves_the_protocol(server) {
    let run = mcpcall(["party", "-v", "--on-elicit", "cancel"]).on(server).run();
    let notes: Vec<&str> = run.stderr.lines().filter(|line| line.contains("protocol's forms")).collect();
    assert_eq!(notes.len(), 6, "{}", run.report());
    assert!(notes[0].ends_with("guests: beyond the protocol's forms: a list of something else than options"), "{notes:?}");
    let run = mcpcall(["party", "--on-elicit", "cancel"]).on(server).run();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("cancel\n", ""));
});
