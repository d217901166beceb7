//! All that there is to know of a tool, and the line to call it by.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use serde_json::json;

each_peer!([surface_http] fn a_tool_reads_well(server) {
    let output = mcpcall(["show", "send_parcel"]).on(server).run();
    assert!(output.stdout.lines().all(|line| line.chars().count() <= 80), "{}", output.stdout);
    snapshot!("send_parcel", output);
});

each_peer!([forms_http] fn nested_arguments_read_well(server) {
    snapshot!("order", mcpcall(["show", "order"]).on(server).run());
});

each_peer!([everything_http] fn server_everything_reads_well(server) {
    snapshot!("get_structured_content", mcpcall(["show", "get-structured-content"]).on(server).run());
});

each_peer!([surface_stdio, surface_http, everything_http] fn its_last_lines_call_the_tool(server) {
    let tools: &[&str] = match server.stdio_command().iter().any(|word| word.contains("surface.py")) {
        true => &["send_parcel", "countries", "track"],
        false => &["echo", "get-sum", "get-structured-content"],
    };
    for tool in tools {
        let shown = mcpcall(["show", tool]).on(server).stdout_has(tool).any_stderr().check().stdout;
        let line = shown.split("\nTo call it\n").nth(1).unwrap_or_else(|| panic!("{shown}"));
        let words = shell_words::split(&line.replace("\\\n", " ")).unwrap();
        assert_eq!(words[0], "mcpcall", "{line}");
        mcpcall(&words[1..]).any_stdout().any_stderr().check();
    }
});

each_peer!([surface_http] fn secrets_of_the_line_stay_out_of_it(server) {
    let flags = ["-H", "Authorization: Bearer s3cret", "-H", "X-Plain: seen it", "--protocol", "2025-11-25"];
    let output = mcpcall(["show", "countries"]).args(flags).on(server).stdout_has("X-Plain: seen it").check();
    assert!(!output.stdout.contains("s3cret"), "{}", output.stdout);
    for words in [r#"-H "Authorization: $AUTHORIZATION""#, "--protocol 2025-11-25", "mcpcall countries"] {
        assert!(output.stdout.contains(words), "{words} in {}", output.stdout);
    }
});

each_peer!([surface_stdio] fn a_name_that_is_none_is_told_and_what_was_meant(server) {
    let none = |name: &str| format!("mcpcall: error: the server has no tool {name}\n");
    let run = mcpcall(["show", "trak"]).on(server).code(6);
    run.stderr(format!("{}  did you mean track?\n", none("trak"))).check();
    let run = mcpcall(["show", "thank"]).on(server).code(6);
    run.stderr(format!("{}  that is a prompt: mcpcall prompt thank\n", none("thank"))).check();
    let run = mcpcall(["show", "zebra"]).on(server).code(6);
    run.stderr(format!("{}  it has: send_parcel, countries, track\n", none("zebra"))).check();
});

fn server(pages: &[&str]) -> Scripted {
    let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
    pages.iter().fold(script, |script, page| script.step("POST tools/list", Reply::result(page))).start()
}

#[test]
fn json_is_the_tool_byte_for_byte_whatever_page_it_is_on() {
    let tool = r#"{ "inputSchema":{"maximum":1.10}, "name":"\u0074" ,"x":[18446744073709551616],"x":"é \u00e9"}"#;
    let last = format!(r#"{{"tools":[ {{"name":"u"}},  {tool} ]}}"#);
    let server = server(&[r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#, &last]);
    mcpcall(["show", "t", "--json"]).url(&server.url()).stdout(format!("{tool}\n")).check();
}

#[test]
fn odd_schemas_are_shown_and_noted() {
    for (tool, words) in [
        (r#"{"name":"t"}"#, vec!["inputSchema is missing, or no object: arguments go unchecked"]),
        (r#"{"name":"t","inputSchema":7,"outputSchema":[]}"#, vec!["inputSchema is missing, or no object"]),
        (r#"{"name":"t","inputSchema":{"type":"object"},"annotations":[1]}"#, vec!["Arguments\n  none\n"]),
        (
            r#"{"name":"t","inputSchema":{"type":"object","required":["gone"],"properties":{
                "n":{"type":"integer","minimum":5,"maximum":1},"list":{"type":"string","enum":[]}}}}"#,
            vec![
                "inputSchema: n: contradictory: `minimum` is above `maximum`",
                "inputSchema: gone: required, and not described",
                "inputSchema: list: contradictory: `enum` without a value",
            ],
        ),
        (
            r##"{"name":"t","inputSchema":{"type":"object","properties":{"n":{"$ref":"#/nowhere"}}}}"##,
            vec!["inputSchema: it cannot be used:", "  n  any"],
        ),
        (
            r#"{"name":"list","inputSchema":{"type":"object","properties":{"o":{"type":"object","properties":{"x":{}}}}}}"#,
            vec!["  o.x  any", "mcpcall call list --url"],
        ),
    ] {
        let server = server(&[&format!(r#"{{"tools":[{tool}]}}"#)]);
        let name = if tool.contains(r#""list","inputSchema"#) { "list" } else { "t" };
        let output = mcpcall(["show", name]).url(&server.url()).stdout_has("To call it").check();
        for word in words {
            assert!(output.stdout.contains(word), "{word} in {}", output.stdout);
        }
        // The protocol's forms are smaller than what a tool's arguments may be.
        assert!(!output.stdout.contains("beyond the protocol"), "{}", output.stdout);
    }
}

#[test]
fn the_line_to_call_by_is_one_that_is_taken_or_says_so() {
    let n = |schema: &str| format!(r#"{{"type":"object","properties":{{"n":{schema}}},"required":["n"]}}"#);
    for (schema, typed, mind) in [
        (n(r#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}"#), "mcpcall t n=0.25 ", ""),
        (n(r#"{"type":"integer","minimum":10,"maximum":20,"multipleOf":7}"#), "mcpcall t n=14 ", ""),
        (r#"{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}"#.into(), "mcpcall t a=example ", ""),
        (
            n(r#"{"type":"string","pattern":"^\\\\d{4}-[a-f]+$"}"#).replace("\\\\", "\\"),
            "mcpcall t n=... ",
            "put a value",
        ),
        (n(r#"{"enum":["x\u001b"]}"#), r#"mcpcall t '{"n":"x\u001b"}' "#, "goes into a JSON object"),
        (
            r#"{"type":"object","properties":{"":{"type":"string"},"b":{"type":"string"}},"required":["","b"]}"#.into(),
            r#"mcpcall t '{"":"example"}' b=example "#,
            "goes into a JSON object",
        ),
    ] {
        let server = server(&[&format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#)]);
        let shown = mcpcall(["show", "t"]).url(&server.url()).stdout_has(typed).check().stdout;
        assert_eq!(shown.contains("\nMind\n"), !mind.is_empty(), "{shown}");
        assert!(shown.contains(mind), "{shown}");
    }
}

#[test]
fn what_the_schema_forbids_is_not_offered() {
    let page = r#"{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":false,"y":true}}}]}"#;
    let shown = mcpcall(["show", "t"]).url(&server(&[page]).url()).stdout_has("  y  ").check().stdout;
    assert!(!shown.contains("  x  "), "{shown}");
    let server = server(&[page]);
    let run = mcpcall(["t", "x=1"]).url(&server.url()).code(2);
    run.stderr_has("argument `x` is one that the schema forbids").check();
}

/// Each takes minutes where the time grows with the square of the size: the run is ended after half of one.
#[test]
fn a_tool_of_tens_of_thousands_of_parts_is_shown_and_called() {
    let names = |n: usize| (0..n).map(|n| format!("p{n}")).collect::<Vec<_>>();
    let all: serde_json::Map<_, _> =
        names(40_000).into_iter().map(|name| (name, json!({ "type": "string" }))).collect();
    let one_of: Vec<_> = (0..40_000).map(|n| json!({ "type": "string", "maxLength": n })).collect();
    for (schema, argument, shown) in [
        (json!({ "type": "object", "properties": { "p1": {} }, "required": names(40_000) }), "p1=x", "p39999:=null"),
        (json!({ "type": "object", "properties": all, "required": names(40_000) }), "p1=x", "p39999=example"),
        (
            json!({ "type": "object", "properties": { "p1": { "anyOf": one_of } }, "required": ["p1"] }),
            "q=x",
            "To call it",
        ),
    ] {
        let page = json!({ "tools": [{ "name": "t", "inputSchema": schema }] }).to_string();
        mcpcall(["show", "t"]).url(&server(&[&page]).url()).stdout_has(shown).check();
        mcpcall(["t", argument]).url(&server(&[&page]).url()).code(2).stderr_has("argument").check();
    }
}
