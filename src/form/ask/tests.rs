//! Forms put to a script instead of a person.

use super::*;
use crate::terminal::prompter::{Asking, CheckRows, Edit, Line};
use serde_json::json;
use std::collections::VecDeque;

/// A person who answers from a script: text, rows, "back", "decline".
#[derive(Default)]
struct Script {
    says: VecDeque<Value>,
    shown: Vec<String>,
}

impl Script {
    fn next<T>(&mut self, label: &str, read: impl Fn(&Value) -> Option<T>) -> Said<T> {
        self.shown.push(label.to_owned());
        let said = self.says.pop_front().expect("the script has run out");
        match said.as_str() {
            Some("<back>") => Said::Back,
            Some("<decline>") => Said::Left(Leave::Decline),
            _ => Said::Given(read(&said).unwrap_or_else(|| panic!("{label}: {said}"))),
        }
    }
}

impl Prompter for Script {
    fn only_cancels(&mut self, _: &'static str) {}
    fn say(&mut self, text: &str) {
        self.shown.push(text.to_owned());
    }
    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String> {
        Box::pin(async move {
            loop {
                let said = self.next(question.label, |said| said.as_str().map(str::to_owned));
                match &said {
                    Said::Given(text) => match (question.check)(text) {
                        Ok(()) => return said,
                        Err(why) => self.shown.push(why),
                    },
                    _ => return said,
                }
            }
        })
    }
    fn edit<'a>(&'a mut self, question: Edit<'a>) -> Asking<'a, String> {
        let Edit { label, help, initial, check, can_go_back, .. } = question;
        self.line(Line { label, help, initial, check, enter: "next", can_go_back, in_editor: None, is_secret: false })
    }
    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize> {
        Box::pin(async move {
            let said = self.next(question.label, |said| {
                let said = said.as_str()?.trim_start();
                question.options.iter().position(|option| option.trim_start().starts_with(said))
            });
            if question.label == REPLY.question {
                self.shown.extend(question.options.iter().map(|option| format!("  {option}")));
            }
            said
        })
    }
    fn choose_many<'a>(
        &'a mut self,
        question: Choose<'a>,
        _: &'a [usize],
        check: CheckRows<'a>,
    ) -> Asking<'a, Vec<usize>> {
        Box::pin(async move {
            loop {
                let said = self.next(question.label, |said| {
                    said.as_array()
                        .map(|rows| rows.iter().filter_map(Value::as_u64).map(|row| row as usize).collect::<Vec<_>>())
                });
                match &said {
                    Said::Given(rows) => match check(rows) {
                        Ok(()) => return said,
                        Err(why) => self.shown.push(why),
                    },
                    _ => return said,
                }
            }
        })
    }
}

async fn fill(schema: Value, says: Value) -> (Filled, Vec<String>) {
    let mut script = Script { says: says.as_array().unwrap().iter().cloned().collect(), shown: Vec::new() };
    let filled = fill_in(&mut script, &Form::new(&schema), &Map::new()).await;
    assert!(script.says.is_empty(), "left over: {:?}, shown {:#?}", script.says, script.shown);
    (filled, script.shown)
}

fn content(value: Value) -> Filled {
    Filled::Content(value.as_object().cloned().unwrap())
}

/// A form with the one optional field `f`, and the one required field `f`.
fn one(property: Value) -> [Value; 2] {
    let schema = json!({"type": "object", "properties": {"f": property}, "$defs": {
        "Address": {"type": "object", "title": "Address", "required": ["city"], "properties": {
            "city": {"type": "string", "title": "City", "minLength": 2}, "zip": {"type": "string", "title": "Zip"}}}}});
    let mut required = schema.clone();
    required["required"] = json!(["f"]);
    [schema, required]
}

#[tokio::test]
async fn one_field_is_asked_and_sent_without_a_review() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string", "title": "Name", "minLength": 1}}, "required": ["name"]});
    let (filled, shown) = fill(schema, json!(["", "Ada"])).await;
    assert_eq!(filled, content(json!({"name": "Ada"})));
    assert_eq!(shown, ["Name", "an answer is needed here", "Name"]);
}

#[tokio::test]
async fn a_form_without_fields_is_not_accepted_where_its_schema_wants_some() {
    for (schema, what) in [
        (
            json!({"properties": {}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            "fits none of the allowed shapes",
        ),
        (json!({"type": "string"}), "is not a string"),
    ] {
        let (filled, shown) = fill(schema, json!(["Decline"])).await;
        assert_eq!(filled, Filled::Left(Leave::Decline));
        assert_eq!(shown[0], format!("  ! the form has no fields, but its schema takes no empty answer: {what}"));
    }
    assert_eq!(fill(json!({"type": "object"}), json!(["Accept"])).await.0, content(json!({})));
}

/// What is said to a form with one field, required or not, and what is sent.
#[tokio::test]
async fn every_kind_of_field_is_asked_in_its_way() {
    let text = json!({"type": "string"});
    let address = json!({"$ref": "#/$defs/Address"});
    let maybe_address = json!({"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]});
    let tags = json!({"type": "array", "items": {"type": "string"}});
    let two = json!({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3, "uniqueItems": true});
    let homes = json!({"type": "array", "items": {"$ref": "#/$defs/Address"}});
    let scores = json!({"type": "object", "additionalProperties": {"type": "integer", "maximum": 9}});
    let union =
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "title": "Words"}, {"$ref": "#/$defs/Address"}]});
    let tagged = json!({"oneOf": [
        {"type": "object", "properties": {"by": {"const": "mail"}, "to": {"type": "string", "format": "email"}}, "required": ["by", "to"]},
        {"type": "object", "properties": {"by": {"const": "post"}}, "required": ["by"]}]});
    let maybe = json!({"type": ["integer", "null"]});
    for (property, required, says, expected) in [
        (&text, true, json!(["", "No", "x"]), json!("x")),
        (&text, true, json!(["", "<back>", "x"]), json!("x")),
        (&text, true, json!(["", "Yes"]), json!("")),
        (&text, false, json!([""]), Value::Null),
        (&json!({"type": "integer"}), true, json!(["x", "9007199254740993"]), json!(9_007_199_254_740_993_u64)),
        (&json!({"type": "string", "format": "time"}), true, json!(["noon", "12:00:00Z"]), json!("12:00:00Z")),
        (&json!({"type": "string", "format": "uri"}), true, json!(["x y", "https://a.b/"]), json!("https://a.b/")),
        (&json!({"type": "boolean"}), false, json!(["(leave out)"]), Value::Null),
        (&json!({"const": "only"}), true, json!(["only"]), json!("only")),
        (&maybe, false, json!([""]), Value::Null),
        (&json!({"enum": ["a", null]}), false, json!(["a"]), json!("a")),
        (&address, true, json!(["x", "Rome", "", "Send"]), json!({"city": "Rome"})),
        (&address, false, json!(["Yes", "Rome", "00100", "Send"]), json!({"city": "Rome", "zip": "00100"})),
        (&address, false, json!(["No", "Send"]), Value::Null),
        (&maybe_address, false, json!(["No", "Send"]), Value::Null),
        (&tags, false, json!(["No", "Send"]), Value::Null),
        (&tags, true, json!(["No", "Send"]), json!([])),
        (&tags, false, json!(["Yes", "a", "Yes", "b", "No", "Send"]), json!(["a", "b"])),
        (&tags, true, json!(["Yes", "<back>", "No", "Send"]), json!([])),
        (&tags, true, json!(["Yes", "a", "Yes", "b", "<back>", "<back>", "No", "Send"]), json!(["a"])),
        (&two, true, json!(["1", "1", "2", "No", "Send"]), json!([1, 2])),
        (&two, false, json!(["No", "Send"]), Value::Null),
        (&two, false, json!(["Yes", "1", "2", "Yes", "2", "3", "Send"]), json!([1, 2, 3])),
        (
            &homes,
            false,
            json!(["Yes", "Rome", "", "Yes", "Oslo", "1", "No", "Send"]),
            json!([{"city": "Rome"}, {"city": "Oslo", "zip": "1"}]),
        ),
        (
            &scores,
            false,
            json!(["Yes", "", "ada", "10", "9", "Yes", "ada", "bob", "1", "No", "Send"]),
            json!({"ada": 9, "bob": 1}),
        ),
        (&scores, true, json!(["No", "Send"]), json!({})),
        (&union, true, json!(["a whole number", "7", "Send"]), json!(7)),
        (&union, true, json!(["Words", "7", "Send"]), json!("7")),
        (&union, true, json!(["Words", "<back>", "Address", "Rome", "", "Send"]), json!({"city": "Rome"})),
        (&union, false, json!(["(leave out)", "Send"]), Value::Null),
        (&tagged, true, json!(["mail", "x", "a@b.co", "Send"]), json!({"by": "mail", "to": "a@b.co"})),
        (&tagged, true, json!(["post", "Send"]), json!({"by": "post"})),
        (&json!({"type": "object"}), true, json!(["{", "", "{\"a\": [1]}"]), json!({"a": [1]})),
        (&json!({"type": "object"}), false, json!(["(leave out)"]), Value::Null),
        (&json!({"type": "object", "default": {"a": 1}}), true, json!(["Keep {\"a\":1}"]), json!({"a": 1})),
        (&json!({"type": "object", "default": {"a": 1}}), false, json!(["Change", "{}"]), json!({})),
        (&json!({"title": "Any"}), false, json!(["Write", "<back>", "Write", "[1]\n"]), json!([1])),
    ] {
        let schema = &one(property.clone())[usize::from(required)];
        let (filled, shown) = fill(schema.clone(), says.clone()).await;
        let expected = if expected.is_null() { json!({}) } else { json!({ "f": expected }) };
        assert_eq!(filled, content(expected), "{property} {says} {shown:#?}");
    }
    // Something must be there, and it may be null.
    for (property, says) in [
        (&maybe, json!([""])),
        (&maybe_address, json!(["No", "Send"])),
        (&json!({"enum": ["a", null]}), json!(["(none)"])),
    ] {
        let (filled, _) = fill(one(property.clone())[1].clone(), says).await;
        assert_eq!(filled, content(json!({ "f": null })), "{property}");
    }
}

#[tokio::test]
async fn every_kind_of_field_gives_its_type_and_skipped_ones_are_left_out() {
    let schema = json!({"type": "object", "required": ["n", "b"], "properties": {
        "n": {"type": "integer", "minimum": 1}, "x": {"type": "number"}, "b": {"type": "boolean"},
        "c": {"enum": ["a", "b"]}, "m": {"type": "array", "items": {"enum": ["p", "q"]}}, "s": {"type": "string"}}});
    let says = json!(["0", "2", "", "Yes", "(leave out)", [1], "", "Send"]);
    let (filled, _) = fill(schema, says).await;
    assert_eq!(filled, content(json!({"n": 2, "b": true, "m": ["q"]})));
}

/// A form with a group, a list and a map, which the tests of the review fill in and change.
fn order() -> Value {
    json!({"type": "object", "required": ["name", "lines"], "properties": {
        "name": {"type": "string"},
        "address": {"type": "object", "title": "Address", "properties": {
            "city": {"type": "string", "title": "City"},
            "geo": {"type": "object", "title": "Geo", "required": ["lat"], "properties": {"lat": {"type": "number", "title": "Lat"}}}}},
        "lines": {"type": "array", "title": "Lines", "minItems": 1, "items": {"type": "object", "title": "Line", "required": ["sku"],
            "properties": {"sku": {"type": "string", "title": "SKU"}, "n": {"type": "integer", "title": "N"}}}},
        "tags": {"type": "object", "title": "Tags", "additionalProperties": {"type": "string"}}}})
}

/// What is said to all of it.
fn ordered(then: &[&str]) -> Value {
    let says = ["Ada", "Yes", "Rome", "Yes", "1.25", "a-1", "2", "Yes", "b-2", "", "No", "Yes", "colour", "red", "No"];
    says.iter().chain(then).copied().collect()
}

#[tokio::test]
async fn the_questions_tell_the_way_and_the_place() {
    let (filled, shown) = fill(order(), ordered(&["Send"])).await;
    let address = json!({"city": "Rome", "geo": {"lat": 1.25}});
    assert_eq!(
        filled,
        content(
            json!({"name": "Ada", "address": address, "lines": [{"sku": "a-1", "n": 2}, {"sku": "b-2"}], "tags": {"colour": "red"}})
        )
    );
    let expected = [
        "(1/6) name",
        "(2/6) Fill in Address?",
        "(3/8) Address > City",
        "(4/8) Fill in Address > Geo?",
        "(5/9) Address > Geo > Lat",
        "(6/9) Lines #1 > SKU",
        "(7/9) Lines #1 > N",
        "(8/9) Lines (1 so far): add another Line?",
        "(9/12) Lines #2 > SKU",
        "(10/12) Lines #2 > N",
        "(11/12) Lines (2 so far): add another Line?",
        "(12/12) Tags: add an entry?",
        "(13/15) Tags: name of entry 1",
        "(14/15) Tags > colour",
        "(15/15) Tags (1 so far): add another entry?",
        "Send this?",
        "  Send",
        "  Change name: Ada",
        "  Change Address:",
        "    City: Rome",
        "    Geo:",
        "      Lat: 1.25",
        "  Change Lines: 2 items",
        "    #1:",
        "      SKU: a-1",
        "      N: 2",
        "    #2:",
        "      SKU: b-2",
        "      N: (left out)",
        "  Change Tags: 1 entry",
        "    colour: red",
        "  Decline: tell the server no",
        "  Cancel: dismiss the question",
    ];
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn the_review_changes_adds_and_removes() {
    let lines = json!([{"sku": "a-1", "n": 2}, {"sku": "b-2"}]);
    let tags = json!({"colour": "red"});
    let all = json!({"name": "Ada", "address": {"city": "Rome", "geo": {"lat": 1.25}}, "lines": lines, "tags": tags});
    let but = |name: &str, value: Value| {
        let mut all = all.clone();
        match value {
            Value::Null => all.as_object_mut().unwrap().shift_remove(name),
            value => all.as_object_mut().unwrap().insert(name.into(), value),
        };
        all
    };
    for (says, expected) in [
        (&["Change name", "Bob"][..], but("name", json!("Bob"))),
        (&["Change name", "<back>"], all.clone()),
        (&["      Lat", "x", "2"], but("address", json!({"city": "Rome", "geo": {"lat": 2}}))),
        (&["    Geo", "No"], but("address", json!({"city": "Rome"}))),
        (&["    City", "", "No: leave it out"], but("address", json!({"geo": {"lat": 1.25}}))),
        (&["    City", "", "Yes"], but("address", json!({"city": "", "geo": {"lat": 1.25}}))),
        (&["Change Address", "No"], but("address", Value::Null)),
        (&["Change Address", "Yes", "Oslo", "<back>", "<back>", "<back>"], all.clone()),
        (
            &["Change Lines", "Add", "Yes", "c", "", "No"],
            but("lines", json!([{"sku": "a-1", "n": 2}, {"sku": "b-2"}, {"sku": "c"}])),
        ),
        (&["Change Lines", "Add", "<back>"], all.clone()),
        (&["Change Lines", "Go through", "z", "", "No"], but("lines", json!([{"sku": "z"}]))),
        (&["    #1", "Remove"], but("lines", json!([{"sku": "b-2"}]))),
        (&["    #1", "Remove", "    #1", "q", "7"], but("lines", json!([{"sku": "q", "n": 7}]))),
        (&["    #2", "Change", "b-3", "1"], but("lines", json!([{"sku": "a-1", "n": 2}, {"sku": "b-3", "n": 1}]))),
        (&["    #2", "<back>"], all.clone()),
        (&["Change Tags", "Add", "Yes", "size", "L", "No"], but("tags", json!({"colour": "red", "size": "L"}))),
        (&["Change Tags", "Remove all"], but("tags", Value::Null)),
        (&["    colour", "Remove"], but("tags", Value::Null)),
        (&["    colour", "Change", "blue"], but("tags", json!({"colour": "blue"}))),
    ] {
        let (filled, shown) = fill(order(), ordered(&[says, &["Send"]].concat())).await;
        assert_eq!(filled, content(expected), "{says:?} {shown:#?}");
    }
    for (says, how) in [("Decline", Leave::Decline), ("Cancel", Leave::Cancel), ("<decline>", Leave::Decline)] {
        assert_eq!(fill(order(), ordered(&[says])).await.0, Filled::Left(how));
        assert_eq!(fill(order(), ordered(&["Change name", "<decline>"])).await.0, Filled::Left(Leave::Decline));
    }
}

/// Rules among the fields: the reason is said, and the field it is about asked for again.
#[tokio::test]
async fn what_is_wrong_with_the_whole_leads_back_to_its_field() {
    let depends = json!({"type": "object", "properties": {"card": {"type": "string", "title": "Card"}, "cvc": {"type": "string", "title": "Code"}},
        "dependentRequired": {"card": ["cvc"]}});
    let (filled, shown) = fill(depends, json!(["1", "", "Send", "2", "Send"])).await;
    assert_eq!(filled, content(json!({"card": "1", "cvc": "2"})));
    assert!(shown.contains(&"  ! Code is required".to_owned()), "{shown:#?}");
    let conditional = json!({"type": "object", "properties": {
        "kind": {"enum": ["a", "b"]},
        "more": {"type": "object", "title": "More", "properties": {"n": {"type": "integer", "title": "N"}}}},
        "if": {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        "then": {"required": ["more"], "properties": {"more": {"properties": {"n": {"minimum": 5}}}}}});
    let says = json!(["b", "No", "Send", "Yes", "1", "Send", "6", "Send"]);
    let (filled, shown) = fill(conditional, says).await;
    assert_eq!(filled, content(json!({"kind": "b", "more": {"n": 6}})));
    for reason in ["  ! More is required", "  ! More > N is less than 5"] {
        assert!(shown.contains(&reason.to_owned()), "{shown:#?}");
    }
    // What names no field leads back to the look over it all.
    let either = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "not": {"required": ["a", "b"]}});
    let (filled, _) = fill(either, json!(["1", "2", "Send", "Change b", "", "No", "Send"])).await;
    assert_eq!(filled, content(json!({"a": "1"})));
}

#[tokio::test]
async fn what_is_known_is_offered_at_every_level() {
    let given =
        json!({"name": "Ada", "address": {"city": "Rome"}, "lines": [{"sku": "a-1", "n": "2"}], "tags": {"k": "v"}});
    let form = Form::new(&order());
    let draft = Draft::of_form(&form.top, given.as_object().unwrap());
    assert_eq!(draft.content(&form.top), Some(given));
    let labels = steps::steps(&form.top, &draft, &|_| true).iter().map(words::label).collect::<Vec<_>>();
    assert_eq!(labels.len(), 11, "{labels:?}");
}

#[tokio::test]
async fn only_what_is_missing_is_asked_for_a_call() {
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
        "a": {"type": "integer"}, "b": {"type": "object", "required": ["c"], "properties": {"c": {"type": "string"}, "d": {"type": "string"}}},
        "e": {"type": "string"}}, "dependentRequired": {"a": ["e"]}});
    let given = json!({"b": {"d": "kept"}, "z": [1.0]}).as_object().cloned().unwrap();
    let says = json!(["x", "7", "c", "", "Call", "e", "Call"]);
    let mut script = Script { says: says.as_array().unwrap().iter().cloned().collect(), shown: Vec::new() };
    let form = Form::new(&schema);
    let filled = fill_missing(&mut script, &form, &given, &["a".into(), "b".into()]).await;
    let Filled::Content(filled) = filled else { panic!("{filled:?}") };
    assert_eq!(
        serde_json::to_string(&filled).unwrap(),
        r#"{"b":{"c":"c"},"z":[1.0],"a":7,"e":"e"}"#,
        "{:#?}",
        script.shown
    );
}

#[tokio::test]
async fn one_can_go_back_change_and_decline() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let (filled, shown) = fill(schema.clone(), json!(["1", "<back>", "2", "3", "Change b", "4", "Send"])).await;
    assert_eq!(filled, content(json!({"a": "2", "b": "4"})));
    assert_eq!(shown[0], "(1/2) a");
    let (filled, _) = fill(schema, json!(["1", "2", "Decline"])).await;
    assert_eq!(filled, Filled::Left(Leave::Decline));
}

#[tokio::test]
async fn a_secret_is_warned_of_before_it_is_sent() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "api_key": {"type": "string"}}});
    let form = Form::new(&schema);
    let draft = |given: Value| Draft::of_form(&form.top, given.as_object().unwrap());
    let warning = |given: Value| review::warning(&form.top, &draft(given));
    assert_eq!(warning(json!({"api_key": "x"})), "api_key looks like a secret, and will be sent as plain text.");
    assert_eq!(warning(json!({"a": "x"})), "");
}

#[tokio::test]
async fn a_form_without_fields_asks_for_yes_or_no() {
    let schema = json!({"type": "object", "properties": {}});
    assert_eq!(fill(schema.clone(), json!(["Accept"])).await.0, content(json!({})));
    assert_eq!(fill(schema, json!(["Decline"])).await.0, Filled::Left(Leave::Decline));
}
