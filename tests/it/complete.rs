//! What servers propose for arguments.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use serde_json::json;

each_peer!([surface_stdio, surface_http] fn values_are_printed_one_a_line(server) {
    mcpcall(["complete", "complain", "tone="]).on(server).stdout("polite\nangry\nhurt\n").check();
    mcpcall(["complete", "complain", "tone=po"]).on(server).stdout("polite\n").check();
    // Nothing is known of it yet.
    mcpcall(["complete", "prompt:complain", "tone"]).on(server).stdout("polite\nangry\nhurt\n").check();
    let sent = server.wait_for_entry(|entry| entry["method"] == "completion/complete");
    assert_eq!(sent["params"]["ref"], json!({"type": "ref/prompt", "name": "complain"}));
    assert_eq!(sent["params"]["argument"], json!({"name": "tone", "value": ""}));
    assert!(sent["params"].get("context").is_none(), "{sent}");
});

each_peer!([surface_stdio, surface_http] fn what_is_known_already_narrows_them(server) {
    let template = "post://offices/{country}/{city}";
    for reference in [template.to_owned(), format!("resource:{template}")] {
        mcpcall(["complete", reference.as_str(), "city=b", "country=ch"]).on(server).stdout("basel\nbern\n").check();
    }
    let sent = server.wait_for_entry(|entry| entry["method"] == "completion/complete");
    assert_eq!(sent["params"]["ref"], json!({"type": "ref/resource", "uri": template}));
    assert_eq!(sent["params"]["context"], json!({"arguments": {"country": "ch"}}));
});

each_peer!([everything_stdio, everything_http] fn server_everything_completes_too(server) {
    let args = ["complete", "completable-prompt", "name=", "department=Sales", "-q"];
    mcpcall(args).on(server).stdout("David\nEve\nFrank\n").check();
    mcpcall(["complete", "demo://resource/dynamic/text/{resourceId}", "resourceId=7", "-q"]).on(server).stdout("7\n").check();
});

each_peer!([surface_stdio] fn more_values_than_came_are_told_of(server) {
    let output = mcpcall(["complete", "complain", "parcel=1"]).on(server);
    let output = output.stdout_has("1000\n1001\n").stderr("mcpcall: these are 100 of 250; a longer prefix finds the others\n").check();
    assert_eq!(output.stdout.lines().count(), 100);
    let output = mcpcall(["complete", "complain", "parcel=1", "--json"]).on(server).stdout_has("hasMore").check();
    assert_eq!(output.json()["completion"]["total"], 250);
    mcpcall(["complete", "complain", "parcel=1", "-q"]).on(server).stdout_has("1099\n").check();
});

each_peer!([surface_stdio] fn nothing_is_explained(server) {
    for (args, why) in [
        (["complain", "tone=x"], "nothing is proposed for tone=x\n"),
        (["complain", "ton="], "nothing is proposed for ton=; it takes no ton: did you mean tone?\n"),
        (["thank", "x="], "nothing is proposed for x=; it takes no arguments\n"),
        (["complian", "tone=x"], "there is no complian: did you mean complain?\n"),
        (["post://parcels/{id}", "number="], "it takes no number, but id\n"),
        (["post://parcels/{no}", "no="], "there is no post://parcels/{no}: did you mean post://parcels/{id}?\n"),
    ] {
        mcpcall(["complete"]).args(args).on(server).stderr_has(why).check();
    }
});

each_peer!([rust_stdio] fn a_server_that_completes_nothing_says_so(server) {
    let run = mcpcall(["complete", "p", "x="]).on(server).code(6);
    run.stderr_has("the server has no completions: it declares no such capability").check();
});

each_peer!([surface_http] fn an_old_version_has_no_context(server) {
    let args = ["complete", "post://offices/{country}/{city}", "city=b", "country=ch", "--protocol", "2025-03-26"];
    let run = mcpcall(args).on(server);
    run.stderr_has("2025-03-26 has no way to say what the other arguments are: they are not sent").check();
    let sent = server.wait_for_entry(|entry| entry["method"] == "completion/complete");
    assert!(sent["params"].get("context").is_none(), "{sent}");
});

#[test]
fn mistakes_on_the_line_are_told() {
    for (args, said) in [
        (vec!["p", "=x"], "no name before the `=`"),
        (vec!["p", "a=", "b"], "not an argument: `b`; it is OTHER=VALUE"),
        (vec!["p"], "<ARG=PREFIX>"),
    ] {
        mcpcall(["complete"]).args(args).url("http://127.0.0.1:1/mcp").code(2).stderr_has(said).check();
    }
}

fn server(result: &str) -> Scripted {
    let initialized =
        r#"{"protocolVersion":"2025-11-25","capabilities":{"completions":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    HttpScript::new()
        .always("GET", Reply::status(405))
        .step("POST initialize", Reply::result(initialized))
        .step("POST notifications/initialized", Reply::status(202))
        .step("POST completion/complete", Reply::result(result))
        .start()
}

#[test]
fn results_are_read_leniently_and_json_is_byte_for_byte() {
    let result = r#"{ "completion":{"values":["a\nb",7, {"x":1.10}],"hasMore":true}}"#;
    let server_ = server(result);
    let run = mcpcall(["complete", "p", "x="]).url(&server_.url()).stdout("a b\n7\n{\"x\":1.10}\n");
    run.stderr("mcpcall: there are more; a longer prefix finds them\n").check();
    let server_ = server(result);
    mcpcall(["complete", "p", "x=", "--json"]).url(&server_.url()).stdout(format!("{result}\n")).check();
    for result in ["{}", r#"{"completion":[]}"#, r#"{"completion":{"values":"x"}}"#, "[]"] {
        let server_ = server(result);
        let run = mcpcall(["complete", "p", "x="]).url(&server_.url()).code(6);
        run.stderr_has("completion/complete: the result has no list of values").check();
    }
}

#[test]
fn names_in_a_hint_steer_no_terminal() {
    let initialized = r#"{"protocolVersion":"2025-11-25","capabilities":{"completions":{},"prompts":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    let prompts = r#"{"prompts":[{"name":"p","arguments":[{"name":"tone\u001b[2J\nmcpcall: error"}]}]}"#;
    let server = HttpScript::new()
        .always("GET", Reply::status(405))
        .step("POST initialize", Reply::result(initialized))
        .step("POST notifications/initialized", Reply::status(202))
        .step("POST completion/complete", Reply::result(r#"{"completion":{"values":[]}}"#))
        .step("POST prompts/list", Reply::result(prompts))
        .start();
    let said = "mcpcall: nothing is proposed for x=; it takes no x, but tone\\u{1b}[2J\\nmcpcall: error\n";
    mcpcall(["complete", "p", "x="]).url(&server.url()).stderr(said).check();
}
