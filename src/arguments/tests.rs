//! Tables for the argument layer; the schemas are like those of real servers.

use super::*;
use serde_json::json;
use std::cell::Cell;

/// `n.txt`, `args.json`, `bad.json`, and a stdin that counts.
#[derive(Default)]
struct Disk {
    stdin_reads: Cell<usize>,
}

impl Files for Disk {
    fn read(&self, path: &str) -> std::result::Result<Vec<u8>, String> {
        match path {
            "n.txt" => Ok(b"42\n".to_vec()),
            "args.json" => Ok("\u{feff}{\"s\":\"base\",\"n\":1}\n".into()),
            "bad.json" => Ok(b"{a:1}".to_vec()),
            "bytes" => Ok(vec![0xff]),
            _ => Err("No such file or directory".into()),
        }
    }

    fn stdin(&self) -> std::result::Result<Vec<u8>, String> {
        self.stdin_reads.set(self.stdin_reads.get() + 1);
        Ok(br#"{"s":"in"}"#.to_vec())
    }
}

fn parse(words: &[&str]) -> Result<Vec<Item>> {
    words.iter().map(|word| Item::parse(word)).collect()
}

/// The arguments as JSON, or the error's line.
fn built(words: &[&str], schema: Option<&Value>) -> String {
    match parse(words).and_then(|items| build(&items, schema, &Disk::default(), false)) {
        Ok(arguments) => Value::Object(arguments).to_string(),
        Err(failure) => failure.message,
    }
}

/// Builds and checks: `ok`, or the error's line.
fn checked(words: &[&str], schema: &Value) -> String {
    let items = parse(words).unwrap();
    let arguments = build(&items, Some(schema), &Disk::default(), false).unwrap();
    match check(&items, &arguments, schema).verdict() {
        Ok(note) => note.unwrap_or_else(|| "ok".into()),
        Err(failure) => {
            assert_eq!(failure.hints, ["--no-validate sends it anyway"]);
            assert_eq!(failure.kind.exit(), 2);
            failure.message
        }
    }
}

/// `{"properties": {"x": …}}`
fn x(property: Value) -> Value {
    json!({ "type": "object", "properties": { "x": property } })
}

/// Strings keep their zeros, numbers their digits, and text the schema allows stays text.
#[test]
fn the_schema_decides_the_type() {
    let schema = json!({"type": "object", "properties": {
        "id": {"type": "string"}, "pin": {"type": "string"}, "n": {"type": "integer"}, "big": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"},
        "nul": {"type": ["string", "null"]}, "arr": {"type": "array"}, "obj": {"type": "object"}, "empty": {"type": "string"}, "eq": {"type": "string"}, "uni": {"type": "string"},
        "u": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}});
    let words = [
        "id=2003886907",
        "pin=000123",
        "n=-5",
        "big=9223372036854775808",
        "f=1e3",
        "b=true",
        "s=true",
        "nul=null",
        r#"arr=[1,"2"]"#,
        r#"obj={"a": {"b": 1}}"#,
        "empty=",
        "eq=a=b",
        "uni=é",
        "u=null",
    ];
    assert_eq!(
        built(&words, Some(&schema)),
        r#"{"id":"2003886907","pin":"000123","n":-5,"big":9223372036854775808,"f":1e3,"b":true,"s":"true","nul":null,"arr":[1,"2"],"obj":{"a":{"b":1}},"empty":"","eq":"a=b","uni":"é","u":null}"#
    );
    assert_eq!(checked(&words, &schema), "ok");
    assert_eq!(built(&["n=abc"], Some(&schema)), "argument n: `abc` is not an integer");
    assert_eq!(built(&["n=5", "id=5"], None), r#"{"n":"5","id":"5"}"#);
    assert_eq!(
        built(&[r#"{"id":"007","huge":123456789012345678901234567890,"fl":1.10,"n":9007199254740993}"#], None),
        r#"{"id":"007","huge":123456789012345678901234567890,"fl":1.10,"n":9007199254740993}"#
    );
}

#[test]
fn items_are_told_apart() {
    for (word, expected) in [
        ("k=v", r#"{"k":"v"}"#),
        ("k=", r#"{"k":""}"#),
        ("k=a:=b", r#"{"k":"a:=b"}"#),
        ("k:=[1, 2]", r#"{"k":[1,2]}"#),
        ("k:=\"=@x\"", r#"{"k":"=@x"}"#),
        ("a:b=c", r#"{"a:b":"c"}"#),
        ("k=@n.txt", "{\"k\":\"42\\n\"}"),
        ("k:=@n.txt", r#"{"k":42}"#),
        ("k=@@x", r#"{"k":"@x"}"#),
        ("k=@-", r#"{"k":"{\"s\":\"in\"}"}"#),
        (r"a\=b=c", r#"{"a=b":"c"}"#),
        (r"a\:=c", r#"{"a:":"c"}"#),
        (r"\@k=c", r#"{"@k":"c"}"#),
        (r"a\b=c\d", r#"{"a\\b":"c\\d"}"#),
        ("a.b=c", r#"{"a.b":"c"}"#),
        ("a.=c", r#"{"a.":"c"}"#),
        ("-5=-5", r#"{"-5":"-5"}"#),
        (r#"{"path": "a b"}"#, r#"{"path":"a b"}"#),
        ("@args.json", r#"{"s":"base","n":1}"#),
        ("-", r#"{"s":"in"}"#),
        ("@-", r#"{"s":"in"}"#),
    ] {
        assert_eq!(built(&[word], None), expected, "{word}");
    }
}

/// One line, with what was received.
#[test]
fn a_bad_item_is_shown_as_received() {
    for (words, expected) in [
        (&["{a:1}"][..], "not JSON: key must be a string at line 1 column 2, received `{a:1}`"),
        (&["k:=abc"], "not JSON: expected value at line 1 column 1, received `k:=abc`"),
        (&["k:=@bad.json"], "not JSON: key must be a string at line 1 column 2, received `k:=@bad.json`"),
        (&["@n.txt"], "arguments must be a JSON object, received `@n.txt`"),
        (&["@gone.json"], "@gone.json: No such file or directory"),
        (&["k=@bytes"], "k=@bytes: not UTF-8 text"),
        (&["k=@"], "no file name after `@` in `k=@`"),
        (&["=v"], "no name before the separator in `=v`"),
        (&["word"], "not an argument: `word`"),
        (&["[1]"], "not an argument: `[1]`"),
        (&["-", "k=@-"], "k=@-: standard input can be read only once"),
        (&["{}", "k=v", "-"], "only one item can be all of the arguments, received `{}` and `-`"),
    ] {
        assert_eq!(built(words, None), expected);
    }
}

#[test]
fn stdin_is_read_only_when_an_item_says_so() {
    let disk = Disk::default();
    build(&parse(&["k=v", "@args.json"]).unwrap(), None, &disk, false).unwrap();
    assert_eq!(disk.stdin_reads.get(), 0);
}

#[test]
fn pairs_override_the_base() {
    let schema =
        json!({"properties": {"n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}}});
    assert_eq!(built(&["n=2", "@args.json"], Some(&schema)), r#"{"s":"base","n":2}"#);
    assert_eq!(built(&[r#"{"tags":["old"]}"#, "tags=a", "tags=b"], Some(&schema)), r#"{"tags":["a","b"]}"#);
    assert_eq!(built(&["n=@n.txt"], Some(&schema)), r#"{"n":42}"#);
}

#[test]
fn a_text_is_read_as_the_first_type_it_fits() {
    let nullable = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
    let mixed = json!({"type": ["string", "integer"]});
    let loose = json!({"anyOf": [{"type": "string"}, {"type": "object"}, {"type": "boolean"}]});
    let strings = json!({"type": "array", "items": {"type": "string"}});
    let numbers = json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]});
    for (property, text, expected) in [
        (&nullable, "null", "null"),
        (&nullable, "7", "7"),
        (&nullable, "x", "argument x: `x` is not an integer or null"),
        (&nullable, "7.0", "argument x: `7.0` is not an integer or null"),
        (&mixed, "5", "5"),
        (&mixed, "007", r#""007""#),
        (&mixed, "+7", r#""+7""#),
        (&mixed, "5x", r#""5x""#),
        (&loose, r#"{"a":1}"#, r#"{"a":1}"#),
        (&loose, "{a", r#""{a""#),
        (&loose, "true", "true"),
        (&loose, "TRUE", r#""TRUE""#),
        (&loose, "[1]", r#""[1]""#),
        (&json!({"type": ["string", "null"]}), "null", "null"),
        (&json!({"type": "string"}), "null", r#""null""#),
        (&json!({"type": "number"}), "0.10", "0.10"),
        (&json!({"type": "number"}), "", "argument x: `` is not a number"),
        (&json!({"type": "integer"}), "1e3", "argument x: `1e3` is not an integer"),
        (&json!({"type": "boolean"}), "yes", "argument x: `yes` is not true or false"),
        (&json!({"type": "object"}), "[1]", "argument x: `[1]` is not an object"),
        (&json!({"enum": [1, 2.5]}), "2.5", "2.5"),
        (&json!({"enum": [1, "1"]}), "1", r#""1""#),
        (&json!({"enum": ["null", null]}), "null", r#""null""#),
        (&json!({"oneOf": [{"const": 1}, {"const": 2}]}), "2", "2"),
        (&json!({"description": "whatever"}), "5", r#""5""#),
        (&json!({"$ref": "#/$defs/N"}), "5", "5"),
        (&json!({"allOf": [{"type": "integer"}, {"minimum": 0}]}), "5", "5"),
        (&strings, "5", r#"["5"]"#),
        (&strings, r#"["a"]"#, r#"["a"]"#),
        (&strings, "[a", "argument x: `[a` is not JSON: expected value at line 1 column 2"),
        (&numbers, "5", "[5]"),
        (&numbers, "a", "argument x: `a` is not an integer"),
        (&json!({"type": "array"}), "5", r#"["5"]"#),
        (&json!({"$ref": "#/$defs/A"}), "5", "argument x: `5` is not an array"),
        (&json!({"$ref": "#/$defs/A"}), "[[]]", "[[]]"),
        (&json!({"type": "array", "items": {"type": "object"}}), r#"{"a":1}"#, r#"[{"a":1}]"#),
    ] {
        let mut schema = x(property.clone());
        schema["$defs"] = json!({"N": {"type": "integer"}, "A": {"type": "array", "items": {"$ref": "#/$defs/A"}}});
        let got = built(&[&format!("x={text}")], Some(&schema));
        let value = got.strip_prefix(r#"{"x":"#).and_then(|rest| rest.strip_suffix('}')).unwrap_or(&got);
        assert_eq!(value, expected, "{property} {text:?}");
    }
}

#[test]
fn dots_nest_where_the_schema_has_the_object() {
    let schema = json!({"properties": {
        "user": {"$ref": "#/$defs/User"}, "meta": {"type": "object"}, "a": {"type": "string"},
        "lit.eral": {"type": "integer"}, "opt": {"anyOf": [{"$ref": "#/$defs/User"}, {"type": "null"}]}},
        "$defs": {"User": {"properties": {"age": {"type": "integer"}, "home": {"type": "object", "properties": {"zip": {"type": "string"}}}}}}});
    for (words, expected) in [
        (&["user.age=7", "user.home.zip=007"][..], r#"{"user":{"age":7,"home":{"zip":"007"}}}"#),
        (&["opt.age=7"], r#"{"opt":{"age":7}}"#),
        (&["meta.a.b=1"], r#"{"meta":{"a":{"b":"1"}}}"#),
        (&["meta.a:=1", "meta.b:=2"], r#"{"meta":{"a":1,"b":2}}"#),
        (&["lit.eral=7"], r#"{"lit.eral":7}"#),
        (&["a.b=1"], r#"{"a.b":"1"}"#),
        (&["no.such=1"], r#"{"no.such":"1"}"#),
        (&[r"user\.age=7"], r#"{"user.age":"7"}"#),
        (&[r#"{"user":{"home":{"zip":"1"},"age":1}}"#, "user.age=2"], r#"{"user":{"home":{"zip":"1"},"age":2}}"#),
        (&["user:=5", "user.age=2"], "argument user.age: user is not an object"),
        (&["user.age=x"], "argument user.age: `x` is not an integer"),
    ] {
        assert_eq!(built(words, Some(&schema)), expected);
    }
}

#[test]
fn only_typed_or_nested_items_need_the_schema() {
    for (words, expected) in
        [(&["k:=1", "{}"][..], false), (&["-"], false), (&["k=1"], true), (&["k=@f"], true), (&["a.b:=1"], true)]
    {
        assert_eq!(needs_schema(&parse(words).unwrap()), expected, "{words:?}");
    }
}

#[test]
fn everything_wrong_is_told_in_one_line() {
    let schema = json!({"type": "object", "required": ["name", "age"], "properties": {
        "name": {"type": "string"}, "age": {"type": "integer", "minimum": 0},
        "home": {"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]}}});
    let open = json!({"properties": {"name": {}}, "additionalProperties": true});
    let closed = json!({"properties": {"name": {}}, "additionalProperties": false});
    let spread = json!({"properties": {"name": {}}, "allOf": [{"properties": {"more": {}}}, {}]});
    for (words, schema, expected) in [
        (&["name=Ada", "age=1"][..], &schema, "ok"),
        (&[], &schema, "missing required arguments: name, age"),
        (&["name=Ada"], &schema, "missing required argument: age"),
        (&["name=Ada", "age=-1"], &schema, "argument age is less than 0"),
        (
            &["nmae=Ada", "age=1"],
            &schema,
            "unknown argument `nmae`, did you mean `name`?; missing required argument: name",
        ),
        (&["name=Ada", "age=1", "zebra=1"], &schema, "unknown argument `zebra` (known: name, age, home)"),
        (
            &["name=Ada", "age=1", "home.zpi=1"],
            &schema,
            "unknown argument `home.zpi`, did you mean `zip`?; missing required argument: home/zip",
        ),
        (&[r#"{"name":"Ada","age":1,"zebra":1}"#], &schema, "ok"),
        (&[r#"{"name":7,"age":1.5}"#], &schema, "argument name is not a string; argument age is not an integer"),
        (&["zebra=1"], &open, "ok"),
        (&["more=1"], &spread, "ok"),
        (&["Name=1"], &closed, "unknown argument `Name`, did you mean `name`?"),
        (&[r#"{"nam":1}"#], &closed, "unknown argument `nam`, did you mean `name`?"),
        (&["anything=1"], &json!({"type": "object"}), "ok"),
        (&["anything=1"], &json!({"type": "object", "properties": {}}), "ok"),
    ] {
        assert_eq!(checked(words, schema), expected, "{words:?}");
    }
}

/// A person is asked for what is missing only where nothing else is wrong.
#[test]
fn what_is_missing_can_be_asked_for() {
    let schema = json!({"type": "object", "required": ["a", "x/y"], "properties": {
        "a": {"type": "integer"}, "x/y": {}, "home": {"type": "object", "required": ["zip"], "properties": {"zip": {}}}}});
    for (words, expected) in [
        (&[][..], Some(&["a", "x/y"][..])),
        (&["a=1", "x/y=1"], None),
        (&["a=1", "x/y=1", "home:={}"], Some(&["home"])),
        (&["b=1"], None),
        (&["{\"a\": \"x\"}"], None),
    ] {
        let items = parse(words).unwrap();
        let arguments = build(&items, Some(&schema), &Disk::default(), false).unwrap();
        let names = check(&items, &arguments, &schema).to_ask();
        assert_eq!(names, expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect()), "{words:?}");
    }
}

#[test]
fn a_broken_schema_is_a_note_and_names_are_still_checked() {
    let schema = json!({"properties": {"a": {"type": "any"}, "b": {"type": "integer"}}, "required": ["b"]});
    let note = checked(&["a=1", "b=2"], &schema);
    assert!(
        note.starts_with("the tool's inputSchema cannot be used, arguments are checked by name only: at "),
        "{note}"
    );
    assert_eq!(checked(&["a=1"], &schema), "missing required argument: b");
}

#[test]
fn countless_alternatives_are_given_up() {
    let mut schema = x(json!({ "$ref": "#/$defs/a0" }));
    for n in 0..8 {
        let next = json!({ "$ref": format!("#/$defs/a{}", n + 1) });
        schema["$defs"][format!("a{n}")] = json!({ "anyOf": vec![next; 50] });
    }
    assert_eq!(built(&["x=5"], Some(&schema)), r#"{"x":"5"}"#);
}

#[test]
fn what_the_schema_forbids_is_named() {
    let empty = json!({ "type": "object", "additionalProperties": false });
    let with = |inner: &Value| json!({ "type": "object", "properties": { "o": inner, "p": {} } });
    for (words, schema, expected) in [
        (&["a=1"][..], empty.clone(), "unknown argument `a`"),
        (&[r#"{"a":1,"b":2}"#], empty.clone(), "unknown argument `a`; unknown argument `b`"),
        (&[r#"o:={"k":1}"#], with(&empty), "unknown argument `o.k`"),
        (&["o.k=1"], with(&empty), "unknown argument `o.k`"),
        (&["o=1"], with(&json!(false)), "argument `o` is one that the schema forbids"),
        (&[r#"o:={"k":1}"#], with(&json!({ "propertyNames": false })), "unknown argument `o.k`"),
        (
            &[r#"o:={"kk":1}"#],
            with(&json!({ "propertyNames": { "maxLength": 1 } })),
            "argument o/kk has a name that is longer than 1 character",
        ),
        (&["o:=[1]"], with(&json!({ "items": false })), "unknown argument `o.0`"),
        (&["o=1"], json!({ "allOf": [false] }), "the tool's inputSchema forbids any arguments"),
        (
            &["o=1"],
            json!({ "properties": { "o": {} }, "if": { "required": ["o"] }, "then": false }),
            "the object of arguments is not allowed as it is",
        ),
    ] {
        assert_eq!(checked(words, &schema), expected, "{words:?} {schema}");
    }
}

#[test]
fn of_many_mistakes_a_few_are_told() {
    let many: Map<String, Value> = (0..100).map(|n| (n.to_string(), json!(1))).collect();
    let told = checked(&[&json!(many).to_string()], &json!({ "type": "object", "additionalProperties": false }));
    assert!(told.ends_with("unknown argument `11`; and at least 38 more"), "{told}");
}
