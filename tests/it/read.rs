//! The contents of resources.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;

const PRICES: &str = "to 2 kg  4.50\nto 10 kg 8.00";

each_peer!([surface_stdio, surface_http] fn a_text_is_printed_as_it_is(server) {
    mcpcall(["read", "post://prices"]).on(server).stdout(PRICES).check();
    mcpcall(["read", "post://parcels/7"]).on(server).stdout(r#"{"id": "7"}"#).check();
    let json = mcpcall(["read", "post://prices", "--json"]).on(server).stdout_has("contents").check().json();
    assert_eq!(json["contents"][0]["text"], PRICES);
});

each_peer!([surface_http] fn binary_contents_are_bytes_in_a_pipe_and_not_for_a_terminal(server) {
    let flags = crate::support::Target::args(server);
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_mcpcall"));
    let output = run.args(["read", "post://logo"]).args(flags).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.stdout, (0..=255).collect::<Vec<u8>>(), "{output:?}");
    let end = mcpcall(["read", "post://logo"]).on(server).stdout_at_terminal().terminal_of_size(24, 120).finish();
    assert_eq!(end.code, 2, "{}", end.screen);
    for words in ["post://logo is binary (image/png, 256 bytes), which is not for a terminal", "--out DIR"] {
        assert!(end.screen.contains(words), "{}", end.screen);
    }
});

each_peer!([surface_stdio] fn out_keeps_what_is_binary(server) {
    let output = mcpcall(["read", "post://logo", "--out", "kept"]).on(server).stdout_has("image/png").any_stderr().check();
    assert!(output.stdout.contains("kept/"), "{}", output.stdout);
});

each_peer!([surface_stdio] fn a_text_at_a_terminal_ends_its_line(server) {
    let end = mcpcall(["read", "post://prices"]).on(server).stdout_at_terminal().terminal().finish();
    assert_eq!(String::from_utf8_lossy(&end.raw), PRICES.replace('\n', "\r\n") + "\r\n");
});

each_peer!([surface_stdio, surface_http] fn a_resource_may_ask(server) {
    let run = mcpcall(["read", "post://box/3", "--answer", "name=Ada"]).on(server);
    run.stdout("Box 3 is empty, Ada.").check();
    mcpcall(["read", "post://box/3"]).on(server).code(7).stderr_has("nobody answered: Who are you?").check();
});

each_peer!([rounds_python_http, rounds_python_stdio] fn a_resource_may_take_a_round(server) {
    let run = mcpcall(["read", "res://asked/tea", "--protocol", "modern", "--answer", "name=Ada"]).on(server);
    run.stdout("tea, for Ada").check();
});

each_peer!([surface_stdio, surface_http, everything_stdio] fn a_resource_that_is_not_there_is_told_and_what_was_meant(server) {
    let is_ours = server.stdio_command().iter().any(|word| word.contains("surface.py"));
    let folder = "demo://resource/static/document";
    let [slip, name, meant] = match is_ours {
        true => ["post://price", "prices", "post://prices"].map(str::to_owned),
        false => [format!("{folder}/feature.md"), "features.md".to_owned(), format!("{folder}/features.md")],
    };
    for typed in [slip, name] {
        let run = mcpcall(["read", typed.as_str(), "-q"]).on(server).code(6).stderr_has("resources/read: ");
        run.stderr_has(&format!("  did you mean {meant}?\n")).check();
    }
    let run = mcpcall(["read", "zebra://nothing/like/it", "-q"]).on(server).code(6);
    run.stderr_has("  mcpcall list resources|templates says what there is\n").check();
});

each_peer!([rust_stdio] fn a_server_without_resources_is_told_of(server) {
    let run = mcpcall(["read", "a:b"]).on(server).code(6).stderr_has("resources/read: ");
    run.stderr_has("the server does not declare that it has resources").check();
});

fn server(result: &str) -> Scripted {
    let script = HttpScript::new().always("GET", Reply::status(405)).handshake();
    script.step("POST resources/read", Reply::result(result)).start()
}

#[test]
fn json_is_the_result_byte_for_byte() {
    let result = r#"{ "contents":[ {"uri":"a:b","text":"\u00e9","x":1.10}],"_meta":{"n":18446744073709551616}}"#;
    let server = server(result);
    mcpcall(["read", "a:b", "--json"]).url(&server.url()).stdout(format!("{result}\n")).check();
    assert_eq!(
        server.requests().iter().find(|r| r.name == "POST resources/read").unwrap().body["params"]["uri"],
        "a:b"
    );
}

#[test]
fn several_contents_come_in_order_and_odd_ones_are_shown() {
    for (result, code, stdout, stderr) in [
        (r#"{"contents":[{"text":"a"},{"text":"b\n"},{"blob":"Yw=="},{"x":1}]}"#, 0, "a\nb\nc{\"x\":1}", ""),
        (r#"{"contents":[{"text":"a\n"},{"text":""},{"text":"b"},7]}"#, 0, "a\nb\n7", ""),
        (r#"{"contents":[{"text":"a"},{"blob":"Yg\r\n=="},{"blob":"Yw"},{"text":"d"}]}"#, 0, "abcd", ""),
        (r#"{"contents":[{"uri":"a:b","text":"a"},{"uri":"a:c","blob":"?"}]}"#, 6, "", "the blob of a:c is not base64"),
        (r#"{"contents":[]}"#, 0, "", "mcpcall: the resource has no contents\n"),
        (r#"{"contents":[{"uri":"a:b","blob":"?"}]}"#, 6, "", "the blob of a:b is not base64"),
        (r#"{"contents":7}"#, 6, "", "resources/read: the result has no list \"contents\""),
        (r#"[]"#, 6, "", "resources/read: the result has no list \"contents\""),
    ] {
        let server = server(result);
        mcpcall(["read", "a:b"]).url(&server.url()).code(code).stdout(stdout).stderr_has(stderr).check();
        if code == 6 && stdout.is_empty() && !stderr.contains("base64") {
            mcpcall(["read", "a:b", "--out", "kept"])
                .url(&self::server(result).url())
                .code(code)
                .stderr_has(stderr)
                .check();
        }
    }
}
