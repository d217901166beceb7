//! What a server has: every page of it, whole or as wide as the terminal, and what to say where there is nothing.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use serde_json::json;

const LISTS: [(&str, &str, &str); 4] = [
    ("tools", "tools/list", "tools"),
    ("resources", "resources/list", "resources"),
    ("templates", "resources/templates/list", "resourceTemplates"),
    ("prompts", "prompts/list", "prompts"),
];

each_peer!([surface_stdio, surface_http] fn every_page_is_read(server) {
    for (list, method, key) in LISTS {
        let output = mcpcall(["list", list, "--json"]).on(server).stdout_has(key).check();
        assert_eq!(output.json()[key].as_array().map(Vec::len), Some(3), "{}", output.stdout);
        // The second page is at a cursor that is an empty text.
        server.wait_for_entry(|entry| entry["method"] == method && entry["params"]["cursor"] == "");
    }
});

each_peer!([surface_stdio, surface_http] fn lists_read_well(server) {
    let list = |list: &str| mcpcall(["list", list]).on(server).run();
    snapshot!("tools", list("tools"));
    snapshot!("resources", list("resources"));
    snapshot!("templates", list("templates"));
    snapshot!("prompts", list("prompts"));
});

each_peer!([everything_stdio] fn server_everything_reads_well_too(server) {
    let list = |list: &str| mcpcall(["list", list, "-q"]).on(server).run();
    snapshot!("everything_tools", list("tools"));
    snapshot!("everything_resources", list("resources"));
    snapshot!("everything_templates", list("templates"));
    snapshot!("everything_prompts", list("prompts"));
});

each_peer!([rust_stdio, rust_http] fn what_is_not_declared_is_said_kindly(server) {
    let said = "mcpcall: error: the server has no prompts: it declares no such capability\n";
    let hint = "  `mcpcall request prompts/list` asks all the same; `mcpcall info` says what there is\n";
    mcpcall(["list", "prompts"]).on(server).code(6).stderr(format!("{said}{hint}")).check();
    mcpcall(["list", "templates"]).on(server).code(6).stderr_has("the server has no resources").check();
});

#[test]
fn a_method_that_is_not_known_is_explained() {
    let unknown = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}"#;
    let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
    let server = script.step("POST tools/list", Reply::body(200, "application/json", unknown)).start();
    let run = mcpcall(["list"]).url(&server.url()).code(6).stderr_has("error -32601: Method not found");
    run.stderr_has("  the server has no tools, as it seems; `mcpcall info` says what there is\n").check();
}

/// A server whose list of tools is these pages.
fn paged(pages: &[&str]) -> Scripted {
    let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
    pages.iter().fold(script, |script, page| script.step("POST tools/list", Reply::result(page))).start()
}

#[test]
fn a_list_that_is_none_is_told_and_what_was_meant() {
    let run = mcpcall(["list", "promts"]).url("http://127.0.0.1:1/mcp").code(2).stderr_has("invalid value 'promts'");
    run.stderr_has("  did you mean prompts?\n").check();
}

#[test]
fn an_empty_list_says_so() {
    let server = paged(&[r#"{"tools":[]}"#]);
    mcpcall(["list"]).url(&server.url()).stderr("mcpcall: the server has no tools\n").check();
    let server = paged(&[r#"{"tools":[]}"#]);
    mcpcall(["list", "-q"]).url(&server.url()).check();
}

#[test]
fn a_tool_that_looks_like_a_flag_is_reached_by_request() {
    for args in [["call", "-dash"], ["show", "-dash"]] {
        let run = mcpcall(args).url("http://127.0.0.1:1/").code(2).stderr_has("unexpected argument '-d' found");
        run.stderr_has("a tool whose name begins with - is called by: mcpcall request tools/call").check();
    }
}

#[test]
fn cursors_end_a_list_or_are_warned_of() {
    let page = |name: &str, cursor: &str| format!(r#"{{"tools":[{{"name":"{name}"}}]{cursor}}}"#);
    let warning = |what: &str| format!("mcpcall: warning: tools/list: {what}\n");
    let again = warning("the list does not end: the cursor \"x\" came before");
    for (pages, stdout, stderr) in [
        (vec![page("a", "")], "a\n", String::new()),
        (vec![page("a", r#","nextCursor":null"#)], "a\n", String::new()),
        (vec![page("a", r#","nextCursor":"""#), page("b", "")], "a\nb\n", String::new()),
        // It has not moved, once with something new and once without.
        (vec![page("a", r#","nextCursor":"x""#), page("b", r#","nextCursor":"x""#)], "a\nb\n", again.clone()),
        (vec![page("a", r#","nextCursor":"x""#), page("a", r#","nextCursor":"x""#)], "a\n", again.clone()),
        // It goes round in a circle, or has a new name for every turn.
        (
            vec![
                page("a", r#","nextCursor":"x""#),
                page("b", r#","nextCursor":"y""#),
                page("a", r#","nextCursor":"x""#),
            ],
            "a\nb\n",
            again,
        ),
        (
            vec![
                page("a", r#","nextCursor":"x""#),
                page("b", r#","nextCursor":"y""#),
                page("a", r#","nextCursor":"z""#),
            ],
            "a\nb\n",
            warning("the list does not end: a page came before"),
        ),
        (
            vec![page("a", r#","nextCursor":7"#), page("b", "")],
            "a\nb\n",
            warning("nextCursor is 7 and not a text; it is sent back as it is"),
        ),
        (
            vec![page("a", r#","nextCursor":false"#)],
            "a\n",
            warning("nextCursor is false and not a text; taken for the end of the list"),
        ),
        (
            vec![page("a", r#","nextCursor":{"p":1}"#)],
            "a\n",
            warning(r#"nextCursor is {"p":1} and not a text; taken for the end of the list"#),
        ),
    ] {
        let server = paged(&pages.iter().map(String::as_str).collect::<Vec<_>>());
        mcpcall(["list"]).url(&server.url()).stdout(stdout).stderr(stderr).check();
    }
}

#[test]
fn a_cursor_goes_back_as_it_came() {
    let server = paged(&[r#"{"tools":[],"nextCursor":"ü \"x\"="}"#, r#"{"tools":[{"name":"a"}]}"#]);
    mcpcall(["list"]).url(&server.url()).stdout("a\n").check();
    let asked: Vec<_> = server.requests().into_iter().filter(|request| request.name == "POST tools/list").collect();
    assert_eq!(asked[1].body["params"]["cursor"], json!("ü \"x\"="));
}

#[test]
fn json_keeps_the_servers_spelling_over_pages() {
    let server = paged(&[
        r#"{"tools":[ {"name":"a", "x":1.10,"é":"\u00e9"} ],"nextCursor":"2"}"#,
        r#"{"tools":[{"x" : 1E400,"name":"b"}]}"#,
    ]);
    let expected =
        "{\"tools\":[\n{\"name\":\"a\", \"x\":1.10,\"é\":\"\\u00e9\"},\n{\"x\" : 1E400,\"name\":\"b\"}\n]}\n";
    mcpcall(["list", "--json"]).url(&server.url()).stdout(expected).check();
}

/// Two tools that cannot be read as a whole, and one that can.
fn with_odd_tools() -> Scripted {
    let deep = format!("{}{}", r#"{"properties":{"a":"#.repeat(200), "{}".to_owned() + &"}}".repeat(200));
    let tools = format!(
        r#"{{"tools":[{{"name":"half","description":"lone \ud800","inputSchema":{{"type":"object"}}}},
        {{"name":"deep","description":"Deep","inputSchema":{deep}}},
        {{"name":"plain","inputSchema":{{"type":"object","properties":{{"n":{{"type":"integer"}}}}}}}}]}}"#
    );
    let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
    let script = script.always("POST tools/list", Reply::result(&tools));
    script.always("POST tools/call", Reply::result(r#"{"content":[{"type":"text","text":"called"}]}"#)).start()
}

#[test]
fn one_odd_tool_costs_no_other() {
    let text = "half   lone \u{fffd}\ndeep   Deep\nplain\n";
    mcpcall(["list"]).url(&with_odd_tools().url()).stdout(text).check();
    mcpcall(["list", "--json"]).url(&with_odd_tools().url()).stdout_has(r"lone \ud800").check();
    mcpcall(["show", "plain"]).url(&with_odd_tools().url()).stdout_has("  n  integer").check();
    let server = with_odd_tools();
    let run = mcpcall(["show", "half"]).url(&server.url());
    run.stdout_has("lone \u{fffd}").stdout_has("--json prints it").check();
    let server = with_odd_tools();
    mcpcall(["plain", "n=5"]).url(&server.url()).stdout("called\n").check();
    assert!(server.requests().iter().any(|request| request.body["params"]["arguments"] == json!({ "n": 5 })));
    mcpcall(["plain", "m=5"]).url(&with_odd_tools().url()).code(2).stderr_has("unknown argument `m`").check();
}

#[test]
fn only_a_terminal_has_an_end() {
    let about = "word ".repeat(60);
    let tools = format!(r#"{{"tools":[{{"name":"t","description":"{about}","inputSchema":{{"type":"object"}}}}]}}"#);
    let whole = format!("t  {}\n", about.trim());
    mcpcall(["list"]).url(&paged(&[&tools]).url()).stdout(whole).check();
    let server = paged(&[&tools]);
    let mut terminal = mcpcall(["list"]).url(&server.url()).stdout_at_terminal().terminal_of_size(24, 120);
    terminal.wait_for(&format!("t  {}…", &about[..116]));
}
