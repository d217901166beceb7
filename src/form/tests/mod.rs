//! Tables for the form layer; the schemas are those seen in the wild.

use super::value::{parse, show};
use super::*;
use serde_json::json;

mod nested;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn map(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

/// A form with the one property `f`.
fn one(property: &str) -> Form {
    Form::new(&json(&format!(
        r##"{{"type":"object","properties":{{"f":{property}}},
             "$defs":{{"P":{{"enum":["low","high"],"title":"P"}},"Loop":{{"$ref":"#/$defs/Loop"}},
                       "Deep":{{"type":"object","properties":{{"p":{{"$ref":"#/$defs/P"}}}}}},
                       "Tree":{{"type":"object","properties":{{"value":{{"type":"integer"}},"children":{{"type":"array",
                                "items":{{"$ref":"#/$defs/Tree"}}}}}},"required":["value"]}}}}}}"##
    )))
}

/// The kind in a few characters: choices as `[value=title …]`, `?` for nullable.
fn shape(field: &Field) -> String {
    let options = || {
        let named = field.options().iter().map(|option| match &option.title {
            Some(title) => format!("{}={title}", show(&option.value)),
            None => show(&option.value),
        });
        named.collect::<Vec<_>>().join(" ")
    };
    let kind = match &field.kind {
        Kind::Text { .. } => "text".into(),
        Kind::Integer { .. } => "integer".into(),
        Kind::Number { .. } => "number".into(),
        Kind::Boolean => "boolean".into(),
        Kind::Choice { .. } => format!("one of [{}]", options()),
        Kind::Choices { .. } => format!("some of [{}]", options()),
        Kind::Group { fields, entries } => {
            let member =
                |field: &Field| format!("{}{} {}", field.name, if field.required { ":" } else { "?:" }, shape(field));
            let members = fields.iter().map(member).chain(entries.iter().map(|entry| format!("* {}", shape(entry))));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Kind::List { item, min_items, max_items, unique } => {
            let most = max_items.map_or(String::new(), |max| max.to_string());
            format!("{}{min_items}..{most} of {}", if *unique { "set " } else { "" }, shape(item))
        }
        Kind::Either { branches } => {
            let branch = |branch: &Field| format!("<{}> {}", branch.label(), shape(branch));
            branches.iter().map(branch).collect::<Vec<_>>().join(" or ")
        }
        Kind::Raw { blank } => format!("raw {blank}"),
    };
    kind + if field.nullable { "?" } else { "" }
}

/// Every spelling of a field is told apart.
#[test]
fn every_shape_becomes_a_field() {
    for (property, expected) in [
        (r#"{"type":"string"}"#, "text"),
        (r#"{"type":"string","enum":["s","m"]}"#, "one of [s m]"),
        (r#"{"type":"string","enum":["s","m"],"enumNames":["Small","Medium"]}"#, "one of [s=Small m=Medium]"),
        (r#"{"enum":[null,"m"],"enumNames":["None","Medium"]}"#, "one of [m=Medium]?"),
        (r##"{"type":"string","oneOf":[{"const":"#f00","title":"Red"}]}"##, "one of [#f00=Red]"),
        (r#"{"anyOf":[{"const":1,"title":"One"},{"const":2}]}"#, "one of [1=One 2]"),
        (r#"{"type":"array","items":{"type":"string","enum":["a","b"]}}"#, "some of [a b]"),
        (r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#, "some of [a=A]"),
        (r#"{"type":"array","items":{"oneOf":[{"const":"a","title":"A"}]}}"#, "some of [a=A]"),
        (r##"{"type":"array","items":{"$ref":"#/$defs/P"}}"##, "some of [low high]"),
        (r##"{"$ref":"#/$defs/P","default":"low"}"##, "one of [low high]"),
        (r##"{"allOf":[{"$ref":"#/$defs/P"}]}"##, "one of [low high]"),
        (r##"{"anyOf":[{"$ref":"#/$defs/P"},{"type":"null"}]}"##, "one of [low high]?"),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "integer?"),
        (r#"{"type":["string","null"]}"#, "text?"),
        (r#"{"const":"only","type":"string"}"#, "one of [only]"),
        (r#"{"enum":["a",2]}"#, "one of [a 2]"),
        (r#"{"type":"boolean","enum":[true,false]}"#, "boolean"),
        (r#"{"type":"boolean","enum":[true]}"#, "one of [true]"),
        (r#"{"type":"number","exclusiveMinimum":0}"#, "number"),
        (r#"{"format":"email"}"#, "text"),
        (r#"{"title":"Any"}"#, "raw null"),
        (r#"{"type":["string","integer"]}"#, "<a text> text or <a whole number> integer"),
        (r#"{"type":["string","number","integer","null"]}"#, "<a text> text or <a number> number?"),
        (r#"{"type":"array","items":{"type":"string"}}"#, "0.. of text"),
        (r#"{"items":{"type":"integer"},"minItems":1,"maxItems":3,"uniqueItems":true}"#, "set 1..3 of integer"),
        (r#"{"type":"array","items":{"enum":["a","b"]},"minItems":3}"#, "3.. of one of [a b]"),
        (r#"{"type":"array"}"#, "raw []"),
        (r#"{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}"#, "raw []"),
        (r#"{"type":"array","items":{"type":"array","items":{"type":"number"}}}"#, "0.. of 0.. of number"),
        (r##"{"$ref":"#/$defs/Deep"}"##, "{p?: one of [low high]}"),
        (r##"{"anyOf":[{"$ref":"#/$defs/Deep"},{"type":"null"}]}"##, "{p?: one of [low high]}?"),
        (r##"{"type":"array","items":{"$ref":"#/$defs/Deep"}}"##, "0.. of {p?: one of [low high]}"),
        (r##"{"$ref":"#/$defs/Tree"}"##, "{value: integer, children?: 0.. of raw {}}"),
        (r#"{"properties":{"a":{"type":"string"}},"required":["a","b"]}"#, "{a: text, b: raw null}"),
        (r#"{"type":"object","additionalProperties":{"type":"integer"}}"#, "{* integer}"),
        (
            r#"{"type":"object","properties":{"a":{"type":"null"}},"additionalProperties":{"type":"integer"}}"#,
            "{a?: one of [null], * integer}",
        ),
        (r#"{"type":"object","additionalProperties":true}"#, "raw {}"),
        (r#"{"type":"object"}"#, "raw {}"),
        (
            r##"{"allOf":[{"$ref":"#/$defs/Deep"},{"properties":{"q":{"type":"string"}},"required":["q"]}]}"##,
            "{p?: one of [low high], q: text}",
        ),
        (
            r#"{"anyOf":[{"type":"integer"},{"type":"string","format":"date"}]}"#,
            "<a whole number> integer or <a date like 2026-02-28> text",
        ),
        (r#"{"anyOf":[{"const":"auto"},{"type":"integer"}]}"#, "<auto> one of [auto] or <a whole number> integer"),
        (
            r#"{"oneOf":[{"type":"object","properties":{"by":{"const":"mail"},"to":{"type":"string"}},"required":["by","to"]},
                         {"type":"object","properties":{"by":{"const":"post"}},"title":"Letter"}]}"#,
            "<mail> {by: one of [mail], to: text} or <Letter> {by?: one of [post]}",
        ),
        (
            r#"{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}"#,
            "<a> {a?: text} or <b> {b?: text}",
        ),
        (r#"{"type":"string","anyOf":[{"format":"email"},{"format":"uri"}]}"#, "text"),
        (r##"{"$ref":"#/$defs/Loop"}"##, "raw null"),
        (r##"{"$ref":"#/$defs/None"}"##, "raw null"),
        (r#"{"type":"frobnicate"}"#, "raw null"),
        (r#"{"enum":[]}"#, "raw null"),
        ("true", "raw null"),
        ("7", "raw null"),
    ] {
        assert_eq!(shape(&one(property).fields()[0]), expected, "{property}");
    }
}

/// A title that came with a `$ref` names the type; the field's own name says what it is here.
#[test]
fn a_field_is_called_by_its_own_title_or_name() {
    let form = Form::new(&json(
        r##"{"properties":{"home":{"$ref":"#/$defs/Address"},"work_place":{"anyOf":[{"$ref":"#/$defs/Address"},{"type":"null"}]},
             "other":{"$ref":"#/$defs/Address","title":"Holiday home"},"x":{"type":"string"},"y":{"type":"string","title":" "},
             "all":{"type":"array","items":{"$ref":"#/$defs/Address"}}},
             "$defs":{"Address":{"type":"object","title":"Address","properties":{"city":{"type":"string"}}}}}"##,
    ));
    let labels: Vec<_> = form.fields().iter().map(Field::label).collect();
    assert_eq!(labels, ["Home", "Work Place", "Holiday home", "x", "y", "all"]);
    let Kind::List { item, .. } = &form.fields()[5].kind else { panic!("no list") };
    assert_eq!(item.label(), "Address");
}

/// What people type, with nothing cut, rounded or guessed: `42xyz` is no number.
#[test]
fn the_whole_text_must_match() {
    let integer = r#"{"type":"integer"}"#;
    let number = r#"{"type":"number"}"#;
    let size = r#"{"enum":["s","m"],"enumNames":["Small","Medium"]}"#;
    let many = r#"{"type":"array","items":{"enum":["a","b"]},"minItems":1}"#;
    for (property, text, expected) in [
        (integer, "42", Ok("42")),
        (integer, " -7 ", Ok("-7")),
        (integer, "+7", Ok("7")),
        (integer, "08", Ok("8")),
        (integer, "123456789012345678901234567890", Ok("123456789012345678901234567890")),
        (integer, "42xyz", Err("is not a whole number")),
        (integer, "42.0", Err("is not a whole number")),
        (integer, "1e3", Err("is not a whole number")),
        (integer, "٣", Err("is not a whole number")),
        (integer, "", Err("is not a whole number")),
        (r#"{"type":"integer","minimum":0}"#, "-1", Err("is less than 0")),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, "null", Ok("null")),
        (number, "0.50", Ok("0.50")),
        (number, ".5", Ok("0.5")),
        (number, "+5", Ok("5")),
        (number, "1e3", Ok("1e3")),
        (number, "-1.10E400", Ok("-1.10E400")),
        (number, "1.", Err("is not a number")),
        (number, ".", Err("is not a number")),
        (number, "NaN", Err("is not a number")),
        (number, "1,5", Err("is not a number")),
        (r#"{"type":"number","exclusiveMinimum":0}"#, "0", Err("is not more than 0")),
        (r#"{"type":"boolean"}"#, "Yes", Ok("true")),
        (r#"{"type":"boolean"}"#, "0", Ok("false")),
        (r#"{"type":"boolean"}"#, "maybe", Err("is not yes or no")),
        (size, "m", Ok(r#""m""#)),
        (size, "medium", Ok(r#""m""#)),
        (size, "l", Err("is not one of: s (Small), m (Medium)")),
        (r#"{"enum":["a","A"]}"#, "A", Ok(r#""A""#)),
        (r#"{"enum":["ab","AB"]}"#, "Ab", Err("may mean more than one of the options")),
        (r#"{"enum":[1,2.50]}"#, "2.50", Ok("2.50")),
        (many, "b, a,b", Ok(r#"["b","a"]"#)),
        (many, r#"["b"]"#, Ok(r#"["b"]"#)),
        (many, "a,c", Err("has `c`, which is not one of: a, b")),
        (many, "", Err("has fewer than 1 item")),
        (r#"{"type":"array","items":{"enum":["x, y","z"]}}"#, "x, y", Ok(r#"["x, y"]"#)),
        (r#"{"type":"string"}"#, " 007 ", Ok(r#"" 007 ""#)),
        (r#"{"type":["string","null"]}"#, "null", Ok(r#""null""#)),
        (r#"{"type":"string","maxLength":2}"#, "éé", Ok(r#""éé""#)),
        (r#"{"type":"string","maxLength":2}"#, "ééé", Err("is longer than 2 characters")),
        (r#"{"type":"string","format":"date"}"#, "2026-02-30", Err("is not a date like 2026-02-28")),
        (r#"{"type":"string","format":"email"}"#, "ada", Err("is not an email address")),
        (r#"{"title":"Any"}"#, "42", Ok("42")),
        (r#"{"title":"Any"}"#, "hello", Ok(r#""hello""#)),
        (r#"{"type":["string","boolean"]}"#, "42", Ok(r#""42""#)),
        (r#"{"type":"object"}"#, r#"{"a":1}"#, Ok(r#"{"a":1}"#)),
        (r#"{"type":"object"}"#, "[1]", Err("is not an object")),
    ] {
        let got = parse(&one(property).fields()[0], text).map(|value| value.to_string());
        assert_eq!(got.as_deref().map_err(String::as_str), expected, "{property} {text:?}");
    }
    let Err(reason) = parse(&one(r#"{"type":"object"}"#).fields()[0], "{a:1}") else { panic!("accepted") };
    assert!(reason.starts_with("is not an object, and not JSON: key must be a string"), "{reason}");
}

/// A default that is one value for a choice of many, or does not fit at all.
#[test]
fn a_bad_default_is_mended_or_ignored_with_a_note() {
    let many = |default: &str| format!(r#"{{"type":"array","items":{{"enum":["a","b"]}},"default":{default}}}"#);
    for (property, expected, note) in [
        (many(r#"["a"]"#), Some(json!(["a"])), ""),
        (many(r#""a""#), Some(json!(["a"])), r#"default of f: `"a"` is taken as `["a"]`"#),
        (many(r#""z""#), None, r#"default of f: `"z"` has `z`, which is not one of: a, b, so it is ignored"#),
        (many("[1]"), None, "default of f: `[1]` has `1`, which is not one of: a, b, so it is ignored"),
        (r#"{"type":"integer","default":3}"#.into(), Some(json!(3)), ""),
        (r#"{"type":"integer","default":3.0}"#.into(), Some(json!(3)), ""),
        (r#"{"type":"integer","default":3.5}"#.into(), None, "default of f: `3.5` is not an integer, so it is ignored"),
        (
            r#"{"enum":["m"],"enumNames":["Medium"],"default":"Medium"}"#.into(),
            Some(json!("m")),
            r#"default of f: `"Medium"` is taken as `"m"`"#,
        ),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}"#.into(), None, ""),
    ] {
        let form = one(&property);
        assert_eq!(form.fields()[0].default, expected, "{property}");
        let defaults = form.notes.iter().filter(|note| note.starts_with("default")).cloned();
        assert_eq!(defaults.collect::<Vec<_>>().join("; "), note, "{property}");
    }
}

#[test]
fn a_secret_is_known_by_a_word_of_its_name() {
    for (name, property, expected) in [
        ("apiKey", r#"{"type":"string"}"#, true),
        ("github_token", r#"{"type":"string"}"#, true),
        ("pin", r#"{"type":"integer"}"#, true),
        ("x", r#"{"type":"string","title":"Your password"}"#, true),
        ("x", r#"{"type":"string","format":"password"}"#, true),
        ("max_tokens", r#"{"type":"integer"}"#, false),
        ("shipping", r#"{"type":"string"}"#, false),
        ("key", r#"{"type":"string"}"#, false),
        ("secret", r#"{"type":"boolean"}"#, false),
    ] {
        let form = Form::new(&json!({ "properties": { name: json(property) } }));
        assert_eq!(form.fields()[0].secret, expected, "{name} {property}");
    }
}

/// One field of every shape seen in the wild; the extra keys at the top are no reason to refuse.
fn zoo() -> Form {
    Form::new(&json(
        r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Form", "description": "From a docstring",
        "additionalProperties": false, "type": "object",
        "$defs": {"P": {"type": "string", "enum": ["low", "high"], "title": "P"}}, "required": ["legacy", "age", "ref", "mail"],
        "properties": {
          "legacy": {"type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]},
          "titled": {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
          "many": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2},
          "manyt": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}},
          "ref": {"$ref": "#/$defs/P"}, "opt": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null, "title": "Opt"},
          "lit": {"const": "only", "title": "Lit", "type": "string"}, "age": {"type": "integer", "minimum": 0, "title": "Age"},
          "ratio": {"type": "number", "exclusiveMinimum": 0}, "ok": {"type": "boolean"}, "mail": {"type": "string", "format": "email", "minLength": 3},
          "day": {"type": "string", "format": "date"}, "when": {"type": "string", "format": "date-time"}, "site": {"type": "string", "format": "uri"},
          "note": {"type": "string", "maxLength": 5}, "dflt": {"type": "string", "default": "x"}, "dint": {"type": "integer", "default": 3},
          "dmany": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]}, "dscalar": {"type": ["string", "null"]}, "untyped": {"title": "Any"}}}"##,
    ))
}

/// Defaults fill in, other optional fields are left out; strings become what the schema says.
#[test]
fn the_zoo_is_filled_as_its_server_wants_it() {
    let answer = map(
        r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":"42","ratio":"0.5","ok":"yes","mail":"a@b.co","day":"2026-02-28"}"##,
    );
    let form = zoo();
    assert!(form.covers(&answer));
    assert_eq!(
        serde_json::to_string(&complete(&form, &answer, true).unwrap()).unwrap(),
        r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":42,"ratio":0.5,"ok":true,"mail":"a@b.co","day":"2026-02-28","dflt":"x","dint":3,"dmany":["a"]}"##
    );
    assert!(!complete(&form, &answer, false).unwrap().contains_key("dflt"));
}

#[test]
fn every_wrong_answer_is_named() {
    let answer = map(
        r#"{"legacy":"Medium","age":"42xyz","day":"2026-02-30","many":["a","z"],"opt":null,"manyt":["A"],"nmae":1}"#,
    );
    let problems = complete(&zoo(), &answer, true).unwrap_err();
    let mut lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    let unknown = lines.remove(3);
    assert!(unknown.starts_with("nmae is not a field of this form (legacy, titled, many,"), "{unknown}");
    assert_eq!(
        lines,
        [
            "many has `z`, which is not one of: a, b",
            "age is not a whole number",
            "day is not a date like 2026-02-28",
            "ref is required",
            "mail is required"
        ]
    );
}

#[test]
fn integers_are_sent_whole() {
    let form = one(r#"{"type":"integer"}"#);
    for (given, sent) in [("42.0", "42"), ("\"42\"", "42"), ("9007199254740993", "9007199254740993"), ("-0.0", "0")] {
        let content = complete(&form, &map(&format!(r#"{{"f":{given}}}"#)), false).unwrap();
        assert_eq!(content["f"].to_string(), sent);
    }
}

#[test]
fn unknown_keys_pass_only_where_the_schema_invites_them() {
    let given = map(r#"{"b":1}"#);
    for (schema, accepted) in [
        (r#"{"properties":{"a":{}}}"#, false),
        (r#"{"properties":{"a":{}},"additionalProperties":false}"#, false),
        (r#"{"properties":{"a":{}},"additionalProperties":true}"#, true),
        (r#"{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}"#, true),
        (r#"{"properties":{"a":{}},"additionalProperties":{"type":"string"}}"#, false),
    ] {
        assert_eq!(complete(&Form::new(&json(schema)), &given, false).is_ok(), accepted, "{schema}");
    }
}

/// Nothing to ask is still a question.
#[test]
fn an_empty_schema_is_a_confirm_that_no_short_answer_covers() {
    for schema in [r#"{"type":"object","properties":{}}"#, "{}", "null", "true"] {
        let form = Form::new(&json(schema));
        assert!(form.is_confirm() && !form.covers(&map(r#"{"a":1}"#)), "{schema}");
        assert_eq!(complete(&form, &Map::new(), true), Ok(Map::new()), "{schema}");
    }
}

#[test]
fn a_form_with_a_broken_schema_is_still_filled() {
    let form = Form::new(&json(
        r#"{"properties":{"a":{"type":"string","pattern":"("},"n":{"type":"integer"}},"required":["a","gone"]}"#,
    ));
    assert!(
        form.notes[0].starts_with("the form's schema cannot be used, answers are checked loosely: "),
        "{:?}",
        form.notes
    );
    assert_eq!(form.required().collect::<Vec<_>>(), ["a", "gone"]);
    let problems = complete(&form, &map(r#"{"a":1,"n":"x"}"#), true).unwrap_err();
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["a is not a string", "n is not a whole number", "gone is required"]);
    assert!(complete(&form, &map(r#"{"a":"x","gone":[1]}"#), true).is_ok());
}

#[test]
fn a_root_behind_a_reference_is_found() {
    let form = Form::new(&json(
        r##"{"$ref":"#/$defs/M","$defs":{"M":{"type":"object","properties":{"p":{"$ref":"#/$defs/P"}},"required":["p"]},"P":{"type":"integer"}}}"##,
    ));
    assert_eq!(form.fields().iter().map(shape).collect::<Vec<_>>(), ["integer"]);
    assert!(!form.covers(&Map::new()) && form.covers(&map(r#"{"p":1}"#)));
}

#[test]
fn many_fields_and_large_definitions_take_neither_time_nor_memory() {
    const FIELDS: usize = 10_000;
    let inner = (0..4000).map(|n| (format!("p{n}"), json!({ "type": "string", "description": "x".repeat(100) })));
    let large = json!({ "type": "object", "properties": inner.collect::<Map<_, _>>() });
    let property = |n: usize| match n % 4 {
        0 => json!({ "$ref": "#/$defs/Large" }),
        1 => json!({ "type": "array", "items": { "$ref": "#/$defs/Large" } }),
        2 => json!({ "type": "integer", "default": n, "maximum": FIELDS }),
        _ => json!({ "$ref": "#/$defs/Level", "default": "low" }),
    };
    let answer = |n: usize| match n % 4 {
        0 => json!({ "p1": "x" }),
        1 => json!([{ "p1": "x" }]),
        2 => json!(n.to_string()),
        _ => json!("high"),
    };
    let name = |n: usize| format!("f{n}");
    let mut schema = json!({
        "properties": (0..FIELDS).map(|n| (name(n), property(n))).collect::<Map<_, _>>(),
        "required": (0..FIELDS).map(name).collect::<Vec<_>>(),
        "$defs": { "Large": large, "Level": { "enum": ["low", "high"] } },
    });
    let answers: Map<_, _> = (0..FIELDS).map(|n| (name(n), answer(n))).collect();
    // With one field that is broken, too.
    for broken in [false, true] {
        if broken {
            schema["properties"]["bad"] = json!({ "pattern": "(" });
        }
        let begin = std::time::Instant::now();
        let form = Form::new(&schema);
        assert_eq!(form.notes.len(), 21 + usize::from(broken));
        assert_eq!(form.pick(&answers).len(), FIELDS);
        assert_eq!(complete(&form, &answers, false).unwrap().len(), FIELDS);
        let problems = complete(&form, &map(r#"{"f0":{"p1":1},"f2":"10001"}"#), false).unwrap_err();
        let expected = if broken { "f2 is more than 10000" } else { "f0/p1 is not a string" };
        assert!(problems.iter().any(|problem| problem.to_string() == expected), "{expected}");
        let took = begin.elapsed();
        assert!(took.as_secs() < 120, "{took:?}");
    }
}

#[test]
fn one_broken_field_does_not_let_the_others_pass() {
    let form = Form::new(&json(r#"{"properties":{"a":{"pattern":"("},"n":{"type":"integer","minimum":5}}}"#));
    let problems = complete(&form, &map(r#"{"a":"x","n":1}"#), true).unwrap_err();
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), ["n is less than 5"]);
}

#[test]
fn what_is_lacking_is_named_at_any_depth() {
    let form = Form::new(&json!({ "required": ["a", "g", "d", "h"], "properties": {
        "a": { "type": "integer" }, "b": { "type": "string" }, "d": { "type": "integer", "default": 1 },
        "g": { "type": "object", "required": ["x", "y"],
            "properties": { "x": { "type": "integer" }, "y": { "type": "integer", "default": 2 } } },
        "h": { "type": "object", "required": ["z"], "properties": { "z": { "type": "integer", "default": 3 } } },
        "l": { "type": "array", "items": { "type": "object", "required": ["m"], "properties": { "m": { "type": "integer" } } } },
    } }));
    for (given, defaults, expected) in [
        (json!({}), false, &["a", "d", "g", "h"][..]),
        (json!({}), true, &["a", "g"]),
        (json!({ "a": 1, "g": {}, "l": [{ "m": 1 }, {}] }), true, &["g.x", "l.1.m"]),
        (json!({ "a": 1, "d": 1, "g": { "x": 1 }, "h": {} }), false, &["g.y", "h.z"]),
        (json!({ "a": 1, "g": { "x": 1 } }), true, &[]),
    ] {
        assert_eq!(lacking(&form, given.as_object().unwrap(), defaults), expected, "{given}");
    }
}
