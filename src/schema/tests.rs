//! Words, limits and absences of `schema`.

use super::*;
use serde_json::json;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn problems(schema: &str, instance: &str) -> String {
    let found = check(&value(schema), &value(instance)).unwrap();
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn problems_are_told_in_short_words() {
    for (schema, instance, expected) in [
        (r#"{"type":"integer"}"#, r#""x""#, "is not an integer"),
        (r#"{"type":["string","null"]}"#, "1", "is not null or a string"),
        (r#"{"required":["a/b"]}"#, "{}", "a~1b is required"),
        (r#"{"properties":{"a":{}},"additionalProperties":false}"#, r#"{"a":1,"b":2}"#, "b is not allowed here"),
        (r#"{"enum":["a",1]}"#, "2", "is not one of: a, 1"),
        (r#"{"const":"only"}"#, "2", "is not only"),
        (r#"{"minimum":0}"#, "-1", "is less than 0"),
        (r#"{"exclusiveMinimum":0}"#, "0", "is not more than 0"),
        (r#"{"maxLength":1}"#, r#""éé""#, "is longer than 1 character"),
        (r#"{"maxLength":2}"#, r#""éé""#, ""),
        (r#"{"minItems":2}"#, "[]", "has fewer than 2 items"),
        (r#"{"pattern":"^a"}"#, r#""b""#, "does not match the pattern ^a"),
        (r#"{"format":"date"}"#, r#""2026-02-30""#, "is not a date like 2026-02-28"),
        (r#"{"format":"date-time"}"#, r#""2026-02-28""#, "is not a date and time like 2026-02-28T13:45:00Z"),
        (r#"{"format":"time"}"#, r#""25:00:00Z""#, "is not a time like 13:45:00Z"),
        (r#"{"format":"email"}"#, r#""a""#, "is not an email address"),
        (r#"{"format":"uri"}"#, r#""example""#, "is not a URI like https://example.com/"),
        (r#"{"format":"no-such-format"}"#, r#""x""#, ""),
        (r#"{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}"#, "-1", "is less than 0"),
        (r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, r#""x""#, "is not an integer or null"),
        (r#"{"oneOf":[{"const":"a"},{"const":"b"}]}"#, r#""x""#, "is not one of: a, b"),
        (r#"{"items":{"properties":{"n":{"type":"number"}}}}"#, r#"[{},{"n":"1"}]"#, "1/n is not a number"),
    ] {
        assert_eq!(problems(schema, instance), expected, "{schema} {instance}");
    }
}

#[test]
fn numbers_are_compared_digit_by_digit() {
    for (schema, instance, expected) in [
        (
            r#"{"type":"integer","maximum":123456789012345678901234567890}"#,
            "123456789012345678901234567891",
            "is more than 123456789012345678901234567890",
        ),
        (r#"{"exclusiveMinimum":0.1}"#, "0.10000000000000000000000001", ""),
        (r#"{"type":"integer"}"#, "9007199254740993", ""),
        (r#"{"enum":[2.5]}"#, "2.50", ""),
    ] {
        assert_eq!(problems(schema, instance), expected, "{schema} {instance}");
    }
}

#[test]
fn a_schema_that_cannot_be_used_says_why() {
    for (schema, reason) in [
        (r#"{"properties":{"a":{"type":"any"}}}"#, "at /properties/a/type: \"any\" is not valid"),
        (r#"{"properties":{"a\nb":{"type":"any"}}}"#, "at /properties/a b/type: \"any\" is not valid"),
        (r#"{"pattern":"("}"#, "at /pattern: \"(\" is not a \"regex\""),
        (r##"{"$ref":"#/$defs/none"}"##, "Pointer '/$defs/none' does not exist"),
        (r#"{"$ref":"https://example.com/x.json"}"#, "Resource 'https://example.com/x.json' is not present"),
        (r#"{"$ref":"file:///etc/passwd"}"#, "Resource 'file:///etc/passwd' is not present"),
    ] {
        let SchemaError(text) = check(&value(schema), &json!({})).unwrap_err();
        assert!(text.starts_with(reason), "{schema}: {text}");
        assert!(!text.contains('\n'));
    }
}

#[test]
fn an_unknown_dialect_is_read_as_the_usual_one() {
    assert_eq!(problems(r#"{"$schema":"https://example.com/mine","type":"integer"}"#, "true"), "is not an integer");
}

/// `a0` needs `a1` twice, which needs `a2` twice, and so on; `reference` is the keyword and what it says for a number.
fn laughs(reference: impl Fn(usize) -> (&'static str, String)) -> Value {
    let apply = |n: usize| {
        let (keyword, target) = reference(n);
        json!({ keyword: target })
    };
    let definitions = (0..60).map(|n| {
        let next = apply(n + 1);
        (
            format!("a{n}"),
            json!({ "$anchor": format!("a{n}"), "$dynamicAnchor": format!("d{n}"), "allOf": [next, next] }),
        )
    });
    let mut definitions: serde_json::Map<_, _> = definitions.collect();
    definitions.insert("a60".into(), json!({ "$anchor": "a60", "$dynamicAnchor": "d60" }));
    json!({ "$defs": definitions, "properties": { "x": apply(0) } })
}

const TOO_LONG: &str = "checking against it would take too long (--max-complexity raises the limit)";

#[test]
fn an_expensive_schema_is_given_up() {
    let backtracking = json!({ "pattern": "^(?:(?=a)a|a)*(?!z)$" });
    let long = json!(format!("{}!", "a".repeat(60)));
    assert_eq!(
        check(&backtracking, &long).unwrap(),
        [Problem::new("", "cannot be compared with its pattern: that takes too long")]
    );
    let by_pointer = || laughs(|n| ("$ref", format!("#/$defs/a{n}")));
    let other = json!({ "$id": "https://example.com/other", "$defs": by_pointer()["$defs"] });
    let by_id =
        json!({ "properties": { "x": { "$ref": "https://example.com/other#/$defs/a0" } }, "$defs": { "o": other } });
    for schema in [
        by_pointer(),
        laughs(|n| ("$ref", format!("#/%24defs/a{n}"))),
        laughs(|n| ("$ref", format!("#a{n}"))),
        // A name that leads to pointers.
        laughs(|n| ("$ref", if n == 0 { "#a0".into() } else { format!("#/$defs/a{n}") })),
        laughs(|n| ("$dynamicRef", format!("#d{n}"))),
        laughs(|n| ("$dynamicRef", format!("#/$defs/a{n}"))),
        by_id,
        json!({ "$ref": "#" }),
    ] {
        assert_eq!(check(&schema, &json!({ "x": 1 })), Err(SchemaError(TOO_LONG.into())), "{schema}");
    }
}

#[test]
fn a_schema_that_is_expensive_to_compile_is_given_up() {
    for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
        let mut schema = laughs(|n| ("$ref", format!("#/$defs/a{n}")));
        schema["properties"]["x"][keyword] = json!(false);
        assert_eq!(usable(&schema), Err(SchemaError(TOO_LONG.into())), "{keyword}");
    }
    let tree = json!({ "$defs": { "n": { "anyOf": [{ "type": "null" }, { "$ref": "#" }] } },
        "properties": { "kid": { "$ref": "#/$defs/n" } }, "allOf": [{ "$ref": "#" }], "unevaluatedProperties": false });
    assert_eq!(usable(&tree), Ok(()));
}

#[test]
fn every_keyword_that_applies_a_schema_is_counted() {
    let a0 = json!({ "$ref": "#/$defs/a0" });
    for (keyword, value, instance) in [
        ("allOf", json!([a0]), json!(1)),
        ("anyOf", json!([a0]), json!(1)),
        ("oneOf", json!([a0]), json!(1)),
        ("not", a0.clone(), json!(1)),
        ("if", a0.clone(), json!(1)),
        ("properties", json!({ "x": a0 }), json!({ "x": 1 })),
        ("patternProperties", json!({ "x": a0 }), json!({ "x": 1 })),
        ("additionalProperties", a0.clone(), json!({ "x": 1 })),
        ("unevaluatedProperties", a0.clone(), json!({ "x": 1 })),
        ("propertyNames", a0.clone(), json!({ "x": 1 })),
        ("dependentSchemas", json!({ "x": a0 }), json!({ "x": 1 })),
        ("dependencies", json!({ "x": a0 }), json!({ "x": 1 })),
        ("prefixItems", json!([a0]), json!([1])),
        ("items", a0.clone(), json!([1])),
        ("unevaluatedItems", a0.clone(), json!([1])),
        ("contains", a0.clone(), json!([1])),
    ] {
        // A reference to itself has no end.
        let mut schema = json!({ "$defs": { "a0": a0 } });
        schema[keyword] = value;
        assert_eq!(check(&schema, &instance), Err(SchemaError(TOO_LONG.into())), "{keyword}");
    }
}

#[test]
fn a_recursive_schema_is_no_problem() {
    let tree = r##"{"$defs":{"n":{"properties":{"kids":{"items":{"$ref":"#/$defs/n"}},"v":{"type":"integer"}}}},"$ref":"#/$defs/n"}"##;
    assert_eq!(problems(tree, r#"{"kids":[{"kids":[{"v":"x"}]}]}"#), "kids/0/kids/0/v is not an integer");
}

#[test]
fn definitions_with_names_of_their_own_are_no_problem() {
    let list = |target: &str| {
        json!({ "$id": "https://example.com/list", "$ref": target, "$defs": { "node": {
            "$id": "node", "$anchor": "n", "properties": { "next": { "$ref": target }, "v": { "type": "integer" } } } } })
    };
    for target in ["node", "https://example.com/node"] {
        let found = check(&list(target), &json!({ "next": { "next": { "v": "x" } } })).unwrap();
        assert_eq!(found, [Problem::new("/next/next/v", "is not an integer")], "{target}");
    }
    let many = (0..100).map(|n| (format!("f{n}"), json!({ "$ref": "#text" })));
    let many: serde_json::Map<_, _> = many.collect();
    let schema = json!({ "properties": many, "$defs": { "t": { "$anchor": "text", "type": "string" } } });
    assert_eq!(check(&schema, &json!({ "f7": 1 })).unwrap(), [Problem::new("/f7", "is not a string")]);
}

#[test]
fn a_schema_of_too_many_parts_or_too_long_a_pattern_is_given_up() {
    let wide = json!({ "allOf": vec![json!({}); 100_000] });
    assert_eq!(usable(&wide).unwrap_err().0, "it has more than 100000 parts (--max-complexity raises the limit)");
    assert!(usable(&json!({ "allOf": vec![json!({}); 10_000] })).is_ok());
    let long = "a?".repeat(10_000);
    for schema in [json!({ "pattern": long }), json!({ "items": { "patternProperties": { long.as_str(): {} } } })] {
        assert_eq!(usable(&schema).unwrap_err().0, "it has a pattern of more than 10000 bytes");
    }
    // Many that are large each.
    assert!(usable(&json!({ "allOf": vec![json!({ "pattern": "a{1,5000}" }); 2] })).is_ok());
    assert!(usable(&json!({ "allOf": vec![json!({ "pattern": "a{1,5000}" }); 2_000] })).is_err());
}

#[test]
fn what_a_schema_forbids_is_told_of_the_place_that_has_it() {
    for (schema, instance, expected) in [
        (r#"{"additionalProperties":false}"#, r#"{"a":1,"b":2}"#, "a is not allowed here; b is not allowed here"),
        (
            r#"{"properties":{"o":{"additionalProperties":false}}}"#,
            r#"{"o":{"a/b":{},"c":2}}"#,
            "o/a~1b is not allowed here; o/c is not allowed here",
        ),
        (
            r##"{"items":{"$ref":"#/$defs/e"},"$defs":{"e":{"additionalProperties":false}}}"##,
            r#"[{"a":1}]"#,
            "0/a is not allowed here",
        ),
        (
            r#"{"properties":{"o":{"anyOf":[{"additionalProperties":false},{"type":"null"}]}}}"#,
            r#"{"o":{"a":1}}"#,
            "o/a is not allowed here",
        ),
        // Called like a keyword.
        (
            r#"{"properties":{"additionalProperties":false,"then":false}}"#,
            r#"{"additionalProperties":{"x":1},"then":1}"#,
            "additionalProperties is not allowed here; then is not allowed here",
        ),
        (r#"{"propertyNames":false}"#, r#"{"a":1,"b":2}"#, "a is not allowed here; b is not allowed here"),
        (r#"{"properties":{"o":{"propertyNames":{"allOf":[false]}}}}"#, r#"{"o":{"a":1}}"#, "o/a is not allowed here"),
        (
            r#"{"properties":{"o":{"propertyNames":{"maxLength":1}}}}"#,
            r#"{"o":{"a":1,"bb":1}}"#,
            "o/bb has a name that is longer than 1 character",
        ),
        (r#"{"propertyNames":{"enum":["a","b"]}}"#, r#"{"x":1}"#, "x has a name that is not one of: a, b"),
        (r#"{"properties":{"a":false}}"#, r#"{"a":1}"#, "a is not allowed here"),
        (r#"{"patternProperties":{"a":false}}"#, r#"{"a":1,"b":1}"#, "a is not allowed here"),
        (r#"{"unevaluatedProperties":false}"#, r#"{"a":1}"#, "a is not allowed here"),
        (r#"{"items":false}"#, "[1]", "0 is not allowed here"),
        (r#"{"prefixItems":[{},false]}"#, "[1,2]", "1 is not allowed here"),
        (r#"{"prefixItems":[{}],"unevaluatedItems":false}"#, "[1,2]", "has 1 item that is not allowed"),
        (r#"{"unevaluatedItems":false}"#, "[1,2]", "has 2 items that are not allowed"),
        (
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false}"#,
            "[1,2]",
            "has more than 1 item",
        ),
        (r#"{"contains":{"const":1}}"#, "[2]", "has no item of the kind that must be there"),
        (r#"{"properties":{"a":{"not":{}}}}"#, r#"{"a":1}"#, "a is not allowed here"),
        (r#"{"not":{"const":1}}"#, "1", r#"is what it must not be: {"const":1}"#),
        (r#"{"if":{"required":["a"]},"then":false}"#, r#"{"a":1}"#, "is not allowed as it is"),
        (r#"{"dependentSchemas":{"a":false}}"#, r#"{"a":1}"#, "is not allowed as it is"),
    ] {
        assert_eq!(problems(schema, instance), expected, "{schema} {instance}");
    }
}

#[test]
fn more_problems_than_help_anybody_are_not_told() {
    let many: serde_json::Map<_, _> = (0..1000).map(|n| (n.to_string(), json!(1))).collect();
    for schema in
        [json!({ "additionalProperties": false }), json!({ "properties": { "a": {} }, "additionalProperties": false })]
    {
        assert_eq!(check(&schema, &json!(many)).unwrap().len(), MAX_PROBLEMS);
    }
}
