//! Prompts and their arguments.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use crate::support::terminal::keys::ENTER;
use serde_json::json;

each_peer!([surface_stdio, surface_http] fn messages_are_printed_by_role(server) {
    mcpcall(["prompt", "thank"]).on(server).stdout("user: Thank the postman.\nIn two lines.\n\nassistant: Dear postman,\n").check();
    let run = mcpcall(["prompt", "complain", "parcel=0007", "tone=hurt"]).on(server);
    run.stdout("user: Write a hurt complaint about parcel 0007.\n").check();
    // All of them are texts, however much they look like numbers.
    let sent = server.wait_for_entry(|entry| entry["method"] == "prompts/get" && entry["params"]["name"] == "complain");
    assert_eq!(sent["params"]["arguments"], json!({"parcel": "0007", "tone": "hurt"}));
});

each_peer!([everything_stdio, everything_http] fn server_everything_has_prompts_too(server) {
    let run = mcpcall(["prompt", "args-prompt", "city=Graz", "-q"]).on(server);
    run.stdout("user: What's weather in Graz?\n").check();
    let args = ["prompt", "resource-prompt", "resourceType=Text", "resourceId=1", "-q"];
    mcpcall(args).on(server).stdout_has("user: Resource 1: This is a plaintext resource").check();
});

each_peer!([surface_stdio] fn arguments_are_checked_before_they_are_sent(server) {
    let said = |what: &str| format!("mcpcall: error: {what}\n  --no-validate sends it anyway\n");
    for (args, what) in [
        (vec!["complain"], "missing required argument: parcel"),
        (vec!["complain", "parcel=1", "ton=x"], "unknown argument `ton`, did you mean `tone`?"),
        (vec!["complain", "parcel:=1"], "argument parcel: is not text (got 1)"),
    ] {
        let run = mcpcall(["prompt"]).args(args).on(server).code(2);
        let run = if what.contains("is not text") { run.stderr_has("argument parcel") } else { run.stderr(said(what)) };
        run.check();
    }
    let run = mcpcall(["prompt", "complain", "--no-validate"]).on(server).code(6);
    run.stderr_has("Missing required arguments").check();
    let run = mcpcall(["--no-validate", "prompt", "complain", "-"]).stdin(crate::support::run::Stdin::Text(r#"{"parcel":"9"}"#.into()));
    run.on(server).stdout_has("about parcel 9").check();
});

each_peer!([surface_stdio, surface_http] fn missing_arguments_are_asked_for(server) {
    let mut terminal = mcpcall(["prompt", "complain"]).on(server).terminal();
    terminal.wait_for("complain needs").wait_for("parcel").send("12").wait_for("12").send(ENTER);
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "user: Write a polite complaint about parcel 12.\n"), "{}", end.screen);
});

each_peer!([surface_stdio, surface_http] fn a_prompt_may_ask(server) {
    let run = mcpcall(["prompt", "sign", "text=Regards,", "--answer", "name=Ada"]).on(server);
    run.stdout("user: Regards,\n\nAda\n").check();
    mcpcall(["prompt", "sign", "text=x", "--no-input"]).on(server).code(7).stderr_has("nobody answered: Who signs?").check();
});

each_peer!([rounds_python_stdio, rounds_python_http, rounds_node_http] fn a_prompt_may_take_a_round(server) {
    let run = mcpcall(["prompt", "asked", "topic=tea", "--protocol", "modern", "--answer", "name=Ada"]).on(server);
    run.stdout("user: Write about tea for Ada.\n").check();
});

each_peer!([surface_stdio] fn a_name_that_is_none_is_told_and_what_was_meant(server) {
    for (name, hint) in [
        ("complian", "did you mean complain?"),
        ("track", "that is a tool: mcpcall call track"),
        ("zebra", "it has: complain, thank, sign"),
    ] {
        let run = mcpcall(["prompt", name]).on(server).code(6).stderr_has(&format!("Unknown prompt: {name}"));
        run.stderr_has(&format!("  {hint}\n")).check();
    }
});

fn server(list: Reply, result: &str) -> Scripted {
    let initialized =
        r#"{"protocolVersion":"2025-11-25","capabilities":{"prompts":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    HttpScript::new()
        .always("GET", Reply::status(405))
        .step("POST initialize", Reply::result(initialized))
        .step("POST notifications/initialized", Reply::status(202))
        .step("POST prompts/list", list)
        .step("POST prompts/get", Reply::result(result))
        .start()
}

#[test]
fn json_is_the_result_byte_for_byte() {
    let result =
        r#"{ "messages":[ {"role":"user","content":{"type":"text","text":"\u00e9","x":1.10}}],"description":null}"#;
    let server = server(Reply::result(r#"{"prompts":[{"name":"p"}]}"#), result);
    mcpcall(["prompt", "p", "--json"]).url(&server.url()).stdout(format!("{result}\n")).check();
    let got = server.requests().into_iter().find(|request| request.name == "POST prompts/get").unwrap();
    assert_eq!((&got.body["params"]["name"], got.body["params"].get("arguments")), (&json!("p"), None));
}

#[test]
fn odd_results_are_shown_and_a_server_that_cannot_list_is_asked_all_the_same() {
    let server_ = server(
        Reply::result(r#"{"prompts":7}"#),
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},7]},7]}"#,
    );
    let run = mcpcall(["prompt", "p", "a=1"]).url(&server_.url()).stdout("user: a\n7\n\n7\n");
    run.stderr_has("the prompts could not be listed, so arguments go unchecked").check();
}

#[test]
fn a_result_without_messages_is_none() {
    for result in [r#"{"messages":"x"}"#, "{}", "null", "[]"] {
        let server = || server(Reply::result(r#"{"prompts":[{"name":"p"}]}"#), result);
        let server_ = server();
        let error = format!("mcpcall: error: prompts/get: the result has no list \"messages\"\n    {result}\n");
        mcpcall(["prompt", "p"]).url(&server_.url()).code(6).stderr(error).check();
        let server_ = server();
        mcpcall(["prompt", "p", "--json"]).url(&server_.url()).stdout(format!("{result}\n")).check();
    }
}

#[test]
fn a_role_draws_no_line_of_its_own() {
    let result = r#"{"messages":[{"role":"user: hi\n\nassistant","content":{"type":"text","text":"no"}}]}"#;
    let server = server(Reply::result(r#"{"prompts":[{"name":"p"}]}"#), result);
    mcpcall(["prompt", "p"]).url(&server.url()).stdout("user: hi\\n\\nassistant: no\n").check();
}

#[test]
fn what_is_kept_changes_no_more_than_its_line() {
    let result = r#"{"messages":[
        {"role":"user","content":[{"type":"text","text":"a\n"},7]}, 7, {"role":"assistant","content":"bare"},
        {"role":"user","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}, {"content":"x"}]}"#;
    let said = |kept: &str| {
        let image = format!("user: [image] image/png (2 bytes){kept}");
        format!("user: a\n7\n\n7\n\nassistant: bare\n\n{image}\n\n{{\"content\":\"x\"}}\n")
    };
    let run = |flags: &[&str]| {
        let server = server(Reply::result(r#"{"prompts":[{"name":"p"}]}"#), result);
        mcpcall(["prompt", "p"]).args(flags).url(&server.url()).any_stdout().any_stderr().check()
    };
    assert_eq!(run(&[]).stdout, said(""));
    assert_eq!(run(&["--show-images"]).stdout, said(""));
    let output = run(&["--out", "kept"]);
    assert_eq!(output.stdout, said(" -> kept/p.png"));
    assert_eq!(output.file("kept/p.png"), "hi");
}
