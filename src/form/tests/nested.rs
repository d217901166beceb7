//! Tables for what stands in groups, lists, maps and unions, and for what is said and made up of forms.

use super::*;

/// One line for each place that leaves the protocol's forms, or that nothing can satisfy; none for what stays within.
#[test]
fn notes_say_what_is_odd() {
    let within = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"F","type":"object","additionalProperties":false,
        "required":["s"],"properties":{
        "s":{"type":"string","title":"S","description":"d","minLength":1,"maxLength":9,"format":"email","default":"a@b.co"},
        "n":{"type":"number","minimum":0,"maximum":1},"i":{"type":"integer"},"b":{"type":"boolean","default":true},
        "e":{"type":"string","enum":["a"],"enumNames":["A"]},"o":{"type":"string","oneOf":[{"const":"a","title":"A"}]},
        "m":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b"]},"default":["a"]},
        "t":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}}}"##;
    assert_eq!(Form::new(&json(within)).notes, Vec::<String>::new());
    for (property, note) in [
        (r#"{"type":"string","pattern":"^a$"}"#, "f: beyond the protocol's forms: `pattern`"),
        (r#"{"type":"string","format":"time"}"#, "f: beyond the protocol's forms: `format` \"time\""),
        (r#"{"title":"Any"}"#, "f: beyond the protocol's forms: no `type`, no kind of field"),
        (r#"{"type":["integer","null"]}"#, "f: beyond the protocol's forms: several types"),
        (r#"{"type":"integer","enum":[1,2]}"#, "f: beyond the protocol's forms: options that are no strings"),
        (r##"{"$ref":"#/$defs/P"}"##, "f: beyond the protocol's forms: `$ref`"),
        (
            r#"{"type":"array","items":{"type":"string"}}"#,
            "f: beyond the protocol's forms: a list of something else than options",
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"integer","minimum":2,"maximum":1}}}"#,
            "f/a: contradictory: `minimum` is above `maximum`; f: beyond the protocol's forms: an object in the form",
        ),
        (r#"{"type":"string","minLength":3,"maxLength":2}"#, "f: contradictory: `minLength` is above `maxLength`"),
        (
            r#"{"type":"string","enum":["a",1]}"#,
            "f: contradictory: the option 1 is no string; beyond the protocol's forms: options that are no strings",
        ),
        (r#"{"type":"string","enum":["a","a"]}"#, "f: contradictory: the option \"a\" is there twice"),
        (r#"{"type":"string","enum":["a"],"enumNames":["A","B"]}"#, "f: contradictory: 2 `enumNames` for 1 values"),
        (r#"{"type":"integer","minimum":5,"default":3}"#, "default of f: `3` is less than 5, so it is ignored"),
        (
            r##"{"$ref":"#/$defs/Tree"}"##,
            "f/children/[]: asked for as JSON, since it contains itself; f: beyond the protocol's forms: `$ref`, an object in the form",
        ),
    ] {
        // The first note is on the form of the tests, which does not say that it is an object when it is broken.
        assert_eq!(one(property).notes.join("; "), note, "{property}");
    }
    let form = Form::new(&json(
        r#"{"properties":{"a":{"type":"string"}},"required":["a","b"],"oneOf":[{"required":["a"]}],"additionalProperties":true}"#,
    ));
    let notes = [
        "the form: beyond the protocol's forms: `oneOf`, `additionalProperties`, `type` is not \"object\"",
        "b: required, and not described",
    ];
    assert_eq!(form.notes[..2], notes);
}

#[test]
fn what_has_no_end_or_is_too_much_is_asked_for_as_json() {
    let mut deep = json!({"type": "string"});
    for _ in 0..12 {
        deep = json!({"type": "object", "properties": {"in": deep}});
    }
    let form = Form::new(&json!({"type": "object", "properties": {"f": deep}}));
    let (mut field, mut depth) = (&form.fields()[0], 0);
    while let [inner] = field.fields() {
        (field, depth) = (inner, depth + 1);
    }
    assert_eq!((shape(field), depth), ("raw {}".into(), 8));
    assert!(
        form.notes.iter().any(|note| note.ends_with("asked for as JSON, since it is too deep")),
        "{:?}",
        form.notes
    );
    // Ten objects of ten objects of ten objects of ten.
    let mut wide = json!({"type": "string"});
    for _ in 0..4 {
        wide = json!({"type": "object", "properties": (0..10).map(|n| (n.to_string(), wide.clone())).collect::<Map<_, _>>()});
    }
    let form = Form::new(&json!({"type": "object", "properties": {"f": wide}}));
    fn count(field: &Field) -> usize {
        1 + field.fields().iter().map(count).sum::<usize>()
    }
    assert!((2_000..2_200).contains(&count(&form.fields()[0])), "{}", count(&form.fields()[0]));
    assert!(form.notes.iter().any(|note| note.ends_with("since the form is too large")));
}

/// Answers for what stands in groups, lists, maps and unions: typed by their schemas, and named in full where they are wrong.
#[test]
fn nested_answers_are_read_and_checked_like_flat_ones() {
    let schema = r##"{"type":"object","required":["home"],"properties":{
        "home":{"$ref":"#/$defs/Home"},"work":{"anyOf":[{"$ref":"#/$defs/Home"},{"type":"null"}]},
        "lines":{"type":"array","items":{"$ref":"#/$defs/Home"},"uniqueItems":true},"tags":{"type":"array","items":{"type":"string"}},
        "scores":{"type":"object","additionalProperties":{"type":"integer","maximum":9}},
        "pay":{"oneOf":[{"type":"object","properties":{"by":{"const":"card"},"no":{"type":"integer"}},"required":["by","no"]},{"type":"integer"}]}},
        "$defs":{"Home":{"type":"object","title":"Home","required":["city","n"],"additionalProperties":false,"properties":{
            "city":{"type":"string","minLength":2},"n":{"type":"integer","default":1},"size":{"enum":["s","m"],"enumNames":["Small","Medium"]}}}}}"##;
    let form = Form::new(&json(schema));
    let home = r#""home":{"city":"Rome","n":1}"#;
    for (given, expected) in [
        (r#"{"home":{"city":"Rome","n":"7","size":"medium"}}"#, Ok(r#"{"home":{"city":"Rome","n":7,"size":"m"}}"#)),
        (r#"{"home":{"city":"Rome"}}"#, Ok(r#"{"home":{"city":"Rome","n":1}}"#)),
        (r#"{"home":"{\"city\":\"Rome\",\"n\":2}"}"#, Ok(r#"{"home":{"city":"Rome","n":2}}"#)),
        (r#"{HOME,"work":null}"#, Ok(r#"{HOME,"work":null}"#)),
        (
            r#"{HOME,"lines":[{"city":"Oslo","n":"2"}],"tags":"one","scores":{"a":"3"}}"#,
            Ok(r#"{HOME,"lines":[{"city":"Oslo","n":2}],"tags":["one"],"scores":{"a":3}}"#),
        ),
        (r#"{HOME,"tags":"[\"a\",\"b\"]","pay":"5"}"#, Ok(r#"{HOME,"tags":["a","b"],"pay":5}"#)),
        (r#"{HOME,"pay":{"by":"card","no":"12"}}"#, Ok(r#"{HOME,"pay":{"by":"card","no":12}}"#)),
        (
            r#"{"home":{"city":"R","n":"x","size":"l"}}"#,
            Err(
                "home/city is shorter than 2 characters; home/n is not a whole number; home/size is not one of: s (Small), m (Medium)",
            ),
        ),
        (r#"{"home":{"n":1}}"#, Err("home/city is required")),
        (r#"{"home":{"city":"Rome","n":1,"x":1}}"#, Err("home/x is not allowed here")),
        (
            r#"{HOME,"lines":[{"city":"Oslo"},{"city":"O"}],"scores":{"a":10}}"#,
            Err("lines/1/city is shorter than 2 characters; scores/a is more than 9"),
        ),
        (r#"{HOME,"lines":[{"city":"Oslo"},{"city":"Oslo"}]}"#, Err("lines has an item twice")),
        (r#"{"home":[1]}"#, Err("home is not an object")),
    ] {
        let given = map(&given.replace("HOME", home));
        let got = complete(&form, &given, true).map(|content| Value::Object(content).to_string());
        let got = got.map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
        assert_eq!(
            got.as_deref().map_err(String::as_str),
            expected.map(|text| text.replace("HOME", home)).as_deref().map_err(|why| *why),
            "{given:?}"
        );
    }
    for (given, covers) in [
        ("{}", false),
        (r#"{"home":{}}"#, false),
        (r#"{"home":{"city":"Rome"}}"#, true),
        (r#"{"home":{"city":"Rome"},"work":{}}"#, false),
        (r#"{"home":{"city":"Rome"},"lines":[{}]}"#, false),
        (r#"{"home":{"city":"Rome"},"work":null,"lines":[]}"#, true),
    ] {
        assert_eq!(form.covers(&map(given)), covers, "{given}");
    }
    for (given, picked) in [
        (r#"{"home.city":"Rome","home.n":"2","x.y":1,"home.x":1}"#, r#"{"home":{"city":"Rome","n":"2"}}"#),
        (r#"{"home":{"city":"Oslo","n":3},"home.city":"Rome"}"#, r#"{"home":{"city":"Rome","n":3}}"#),
        (
            r#"{"scores.a":"1","scores.b.c":"2","pay.no":"3","work.city":"X"}"#,
            r#"{"scores":{"a":"1","b.c":"2"},"pay":{"no":"3"},"work":{"city":"X"}}"#,
        ),
        (r#"{"nothing":1}"#, "{}"),
    ] {
        assert_eq!(Value::Object(form.pick(&map(given))).to_string(), picked, "{given}");
    }
}

/// A group that is required and needs nobody: its fields have defaults.
#[test]
fn defaults_within_make_a_default() {
    let form = Form::new(&json(
        r#"{"required":["g"],"properties":{"g":{"type":"object","required":["a"],"properties":{"a":{"type":"integer","default":1},"b":{"type":"integer"}}},
            "o":{"type":"object","properties":{"a":{"type":"integer","default":1}}}}}"#,
    ));
    assert!(form.covers(&Map::new()));
    assert_eq!(Value::from(complete(&form, &Map::new(), true).unwrap()).to_string(), r#"{"g":{"a":1}}"#);
}

#[test]
fn an_example_fits_whatever_the_kind() {
    for (property, expected) in [
        (r#"{"type":"string"}"#, r#""""#),
        (r#"{"type":"string","minLength":3}"#, r#""xxx""#),
        (r#"{"type":"string","format":"email"}"#, r#""name@example.com""#),
        (r#"{"type":"string","format":"date-time"}"#, r#""2026-01-31T12:00:00Z""#),
        (r#"{"type":"string","format":"time"}"#, r#""12:00:00Z""#),
        (r#"{"type":"string","pattern":"^[0-9]{4}$"}"#, r#""0000""#),
        (r#"{"type":"string","examples":["Rome"]}"#, r#""Rome""#),
        (r#"{"type":"integer"}"#, "0"),
        (r#"{"type":"integer","minimum":5}"#, "5"),
        (r#"{"type":"integer","exclusiveMaximum":-5}"#, "-6"),
        (r#"{"type":"number","exclusiveMinimum":0.5}"#, "1.5"),
        (r#"{"type":"boolean"}"#, "false"),
        (r#"{"enum":["s","m"]}"#, r#""s""#),
        (r#"{"type":"array","items":{"enum":["a","b"]},"minItems":1}"#, r#"["a"]"#),
        (r#"{"type":"array","items":{"type":"integer","minimum":1},"minItems":2}"#, "[1,1]"),
        (
            r#"{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":1},"b":{"type":"string"}}}"#,
            r#"{"a":"x"}"#,
        ),
        (r#"{"type":"object","additionalProperties":{"type":"integer"}}"#, "{}"),
        (r#"{"anyOf":[{"type":"integer","minimum":3},{"type":"string"}]}"#, "3"),
        (r#"{"type":"object"}"#, "{}"),
        (r#"{"type":"array"}"#, "[]"),
        (r#"{"title":"Any","default":[1]}"#, "[1]"),
    ] {
        let mut schema = json!({"type": "object", "required": ["f"], "properties": {"f": json(property)}});
        let made = example(&Form::new(&schema), &Map::new(), Taste::Blank);
        assert_eq!(made["f"].to_string(), expected, "{property}");
        schema["properties"]["f"]["title"] = json!("T");
        assert!(complete(&Form::new(&schema), &made, false).is_ok(), "{property}");
    }
}
