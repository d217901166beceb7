//! What is done with a result: pictures and bytes as files or drawings, one value of it, and whether it is what the tool
//! says of its results.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::End;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// A server whose tool `t` is listed with `more` and gives this result.
fn server_with(more: &str, result: &str) -> Scripted {
    let tool = format!(r#"{{"tools":[{{"name":"t","inputSchema":{{"type":"object"}}{more}}}]}}"#);
    HttpScript::new()
        .always("GET", Reply::status(405))
        .always("DELETE", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(&tool))
        .step("POST tools/call", Reply::result(result))
        .start()
}

fn server(result: &str) -> Scripted {
    server_with("", result)
}

fn picture(width: u32, height: u32, format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture =
        image::RgbImage::from_fn(width, height, |x, y| image::Rgb([((x * 7919) ^ (y * 104_729)) as u8, y as u8, 7]));
    image::DynamicImage::from(picture).write_to(&mut std::io::Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn image_block(bytes: &[u8], mime: &str) -> String {
    json!({ "type": "image", "data": STANDARD.encode(bytes), "mimeType": mime }).to_string()
}

// Files.

each_peer!([everything_stdio, everything_http] fn an_image_is_saved_byte_for_byte(server) {
    let whole = mcpcall(["get-tiny-image", "--json", "-q"]).on(server).any_stdout().check().json();
    let block = whole["content"].as_array().unwrap().iter().find(|block| block["type"] == "image").unwrap().clone();
    let run = mcpcall(["get-tiny-image", "--out", "pictures/new", "-q"]).on(server);
    let output = run.stdout_has("[image] image/png (4033 bytes) -> pictures/new/get-tiny-image.png\n").check();
    let saved = output.bytes("pictures/new/get-tiny-image.png");
    assert_eq!(saved, STANDARD.decode(block["data"].as_str().unwrap()).unwrap());
    assert!(saved.starts_with(b"\x89PNG"));
    assert_eq!(output.mode("pictures/new/get-tiny-image.png") & 0o600, 0o600);
});

each_peer!([everything_stdio, everything_http] fn a_resource_is_saved_by_its_own_name(server) {
    let params = r#"{"uri": "demo://resource/dynamic/blob/1"}"#;
    let request = ["request", "resources/read", params, "-q", "--out", "."];
    let output = mcpcall(request).on(server).any_stdout().check();
    let blob = output.json()["contents"][0]["blob"].as_str().unwrap().to_owned();
    assert_eq!(output.bytes("1.txt"), STANDARD.decode(blob).unwrap());
    let embedded = ["get-resource-reference", "resourceType=Blob", "resourceId=1", "--out", "."];
    // It has the time of day in it, which is longer from ten to twelve.
    let run = mcpcall(embedded).on(server).any_stderr().stdout_has("[resource] demo://resource/dynamic/blob/1 text/plain (5");
    let output = run.stdout_has(" bytes) -> ./1.txt\n").check();
    assert_eq!(output.files(), ["1.txt"]);
});

#[test]
fn names_are_harmless_and_no_file_is_overwritten() {
    let blob = |uri: &str, mime: &str| {
        let resource = json!({ "uri": uri, "mimeType": mime, "blob": "aGVsbG8" });
        json!({ "type": "resource", "resource": resource }).to_string()
    };
    let png = picture(2, 2, image::ImageFormat::Png);
    let blocks = [
        blob("file:///a/../../%2e%2e%2f.bashrc%0a", "text/plain"),
        blob("file:///etc/report.pdf?v=1", "application/octet-stream"),
        image_block(&png, "image/jpeg"),
        image_block(b"hello", "image/svg+xml"),
        r#"{"type":"audio","data":"aGVs\nbG8=","mimeType":"audio/wav"}"#.into(),
    ];
    let server = server(&format!(r#"{{"content":[{}]}}"#, blocks.join(",")));
    let expected = "\
[resource] file:///a/../../%2e%2e%2f.bashrc%0a text/plain (5 bytes) -> ./bashrc_n.txt
[resource] file:///etc/report.pdf?v=1 application/octet-stream (5 bytes) -> ./report-2.pdf
[image] image/jpeg (N bytes) -> ./t.png
[image] image/svg+xml (5 bytes) -> ./t.svg
[audio] audio/wav (5 bytes) -> ./t-2.wav
";
    let run = mcpcall(["t", "--out", "."]).url(&server.url()).file("report.pdf", "mine").file("t.wav", "mine");
    let output = run.stdout(expected.replace('N', &png.len().to_string())).check();
    assert_eq!(output.files(), ["bashrc_n.txt", "report-2.pdf", "report.pdf", "t-2.wav", "t.png", "t.svg", "t.wav"]);
    assert_eq!((output.file("report.pdf").as_str(), output.file("report-2.pdf").as_str()), ("mine", "hello"));
    assert_eq!(output.file("t-2.wav"), "hello");
}

#[test]
fn bad_base64_is_told_and_loses_nothing() {
    let result = r#"{"content":[{"type":"image","data":"no base64!","mimeType":"image/png"},{"type":"text","text":"after"},
        {"type":"audio","data":"aGk=","mimeType":"audio/wav"}]}"#;
    let odd = server(result);
    let expected = "[image] image/png (6 bytes) -> ./t.base64\nafter\n[audio] audio/wav (2 bytes) -> ./t.wav\n";
    let run = mcpcall(["t", "--out", "."])
        .url(&odd.url())
        .stdout(expected)
        .stderr_has("mcpcall: warning: content/0: the image is not base64: ");
    let output = run.check();
    assert_eq!((output.file("t.base64"), output.file("t.wav")), ("no base64!".into(), "hi".into()));
    // Without the flag it is nobody's business.
    let odd = server(result);
    mcpcall(["t"]).url(&odd.url()).stdout_has("after\n").check();
}

#[test]
fn json_stays_the_servers_and_stderr_says_what_was_saved() {
    let result = format!(r#"{{"content":[ {} ],"future":1.10}}"#, image_block(b"hello", "image/gif"));
    for (more, stdout) in [("--json", result.as_str()), ("--select=/future", "1.10")] {
        let server = server(&result);
        let run = mcpcall(["t", more, "--out", "."]).url(&server.url()).stdout(format!("{stdout}\n"));
        assert_eq!(run.stderr("[out] content/0: ./t.gif\n").check().file("t.gif"), "hello");
    }
}

#[test]
fn a_folder_that_takes_no_files_is_found_before_the_call() {
    let server = HttpScript::new().start();
    let run = mcpcall(["t", "--out", "file"]).file("file", "").url(&server.url()).code(2);
    run.stderr("mcpcall: error: --out file: is no folder\n").check();
    let run = mcpcall(["t", "--out", "file/below"]).file("file", "").url(&server.url()).code(2);
    run.stderr_has("mcpcall: error: --out file/below: ").check();
    assert!(server.requests().is_empty());
}

#[test]
fn what_is_for_one_call_is_refused_with_several() {
    for flag in ["--out=x", "--check", "--show-images"] {
        for several in [&["--matrix", "--yes"][..], &["--protocol", "both"]] {
            let run = mcpcall(["t", flag, "--url", "http://127.0.0.1:9/"]).args(several).code(2);
            run.stderr_has("is for one call; --matrix and --protocol both make several").check();
        }
    }
}

// Drawings.

#[track_caller]
fn drawn(bytes: &[u8], mime: &str, args: &[&str], env: &[(&str, &str)]) -> End {
    let server = server(&format!(r#"{{"content":[{},{{"type":"text","text":"after"}}]}}"#, image_block(bytes, mime)));
    let mut run = mcpcall(["t"]).args(args).url(&server.url()).stdout_at_terminal().env("NO_COLOR", "1");
    for (name, value) in env {
        run = run.env(name, value);
    }
    let end = run.terminal().finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    end
}

fn text(end: &End) -> String {
    String::from_utf8_lossy(&end.raw).into_owned()
}

/// The pictures that kitty would be sent.
fn kitty(raw: &str) -> Vec<u8> {
    let parts: Vec<&str> = raw.split("\x1b_G").skip(1).map(|part| part.split_once("\x1b\\").unwrap().0).collect();
    let chunks: Vec<&str> = parts.iter().map(|part| part.split_once(';').unwrap().1).collect();
    assert!(chunks.iter().all(|chunk| chunk.len() <= 4096), "chunks of {:?}", chunks.iter().map(|c| c.len()));
    let (last, others) = parts.split_last().unwrap();
    assert!(last.contains("m=0;") && others.iter().all(|part| part.contains("m=1;")));
    STANDARD.decode(chunks.concat()).unwrap()
}

#[test]
fn kitty_gets_pngs_as_they_are_and_others_as_pngs() {
    let png = picture(300, 200, image::ImageFormat::Png);
    assert!(png.len() > 3 * 4096 / 4, "more than one chunk");
    for env in [&[("TERM", "xterm-kitty")][..], &[("TERM_PROGRAM", "ghostty")], &[("KITTY_WINDOW_ID", "1")]] {
        let raw = text(&drawn(&png, "image/png", &["--show-images"], env));
        assert!(raw.contains("\x1b_Ga=T,f=100,q=2,m="), "{raw:?}");
        assert_eq!(kitty(&raw), png);
        assert!(raw.starts_with("[image] image/png (") && raw.ends_with("\x1b\\\r\nafter\r\n"), "{raw:?}");
    }
    // Wider than the terminal, which is taken to have 8 pixels a column.
    let wide = drawn(&picture(700, 2, image::ImageFormat::Png), "image/png", &["--show-images=kitty"], &[]);
    assert!(text(&wide).contains("\x1b_Ga=T,f=100,q=2,c=80,m=0;"), "{:?}", text(&wide));
    let jpeg = picture(1280, 4, image::ImageFormat::Jpeg);
    let sent = kitty(&text(&drawn(&jpeg, "image/jpeg", &["--show-images=kitty"], &[])));
    let sent = image::load_from_memory_with_format(&sent, image::ImageFormat::Png).unwrap();
    assert_eq!((sent.width(), sent.height()), (640, 2));
}

#[test]
fn iterm_gets_any_picture_as_it_is() {
    let jpeg = picture(20, 10, image::ImageFormat::Jpeg);
    for env in [&[("TERM_PROGRAM", "iTerm.app")][..], &[("TERM_PROGRAM", "WezTerm"), ("KITTY_WINDOW_ID", "1")]] {
        let raw = text(&drawn(&jpeg, "image/jpeg", &["--show-images"], env));
        let expected = format!(
            "\x1b]1337;File=inline=1;size={};width=auto;height=auto:{}\x07",
            jpeg.len(),
            STANDARD.encode(&jpeg)
        );
        assert!(raw.contains(&expected), "{raw:?}");
    }
}

#[test]
fn a_terminal_that_nothing_is_known_of_is_asked_for_sixel() {
    let png = picture(20, 12, image::ImageFormat::Png);
    let result = format!(r#"{{"content":[{}]}}"#, image_block(&png, "image/png"));
    for (answer, has_sixel) in [("\x1b[?62;4;22c", true), ("\x1b[?62;22c", false)] {
        let server = server(&result);
        let mut terminal =
            mcpcall(["t", "--show-images"]).url(&server.url()).stdout_at_terminal().env("NO_COLOR", "1").terminal();
        terminal.wait_for_bytes("\x1b[c").send(answer);
        let end = terminal.finish();
        let raw = text(&end);
        assert!(end.code == 0 && end.cooked, "{raw:?}");
        assert!(!end.screen.contains("62;"), "the answer is echoed: {}", end.screen);
        match has_sixel {
            true => {
                let sixel = &raw[raw.find("\x1bP").unwrap()..raw.find("\x1b\\").unwrap() + 2];
                let seen = icy_sixel::SixelImage::decode(sixel.as_bytes()).unwrap();
                assert_eq!((seen.width, seen.height), (20, 12));
            }
            false => assert!(raw.contains("[images] not shown: the terminal is none that is known"), "{raw:?}"),
        }
    }
    // One that says nothing costs a second, and no more.
    let raw = text(&drawn(&png, "image/png", &["--show-images"], &[]));
    assert!(raw.contains("[images] not shown: ") && raw.contains("after"), "{raw:?}");
}

#[test]
fn where_nothing_can_be_drawn_one_line_says_why() {
    let png = picture(2, 2, image::ImageFormat::Png);
    let block = image_block(&png, "image/png");
    let piped = server(&format!(r#"{{"content":[{block},{block}]}}"#));
    let run = mcpcall(["t", "--show-images=kitty"]).url(&piped.url());
    run.stdout_has("[image] image/png").stderr("[images] not shown: stdout is not a terminal\n").check();
    let note = |env: &[(&str, &str)]| text(&drawn(&png, "image/png", &["--show-images=kitty"], env));
    assert!(note(&[("TMUX", "x")]).contains("[images] not shown: tmux and screen do not pass"));
    assert!(note(&[("TERM", "dumb")]).contains("[images] not shown: TERM says"));
    for more in ["--json", "--select=/content"] {
        mcpcall(["t", "--url=x:", "--show-images", more]).code(2).any_stderr().check();
    }
    mcpcall(["t", "--url=x:", "--show-images=ascii"])
        .code(2)
        .stderr_has("[possible values: auto, kitty, iterm, sixel]")
        .check();
}

#[test]
fn a_picture_that_is_none_or_too_large_is_not_drawn() {
    // The head of a PNG of 60000 by 60000 pixels, and nothing more: its checksum is right.
    let mut bomb = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0".to_vec();
    bomb.extend(0x80_d2_75_42_u32.to_be_bytes());
    let png = picture(20, 20, image::ImageFormat::Png);
    for (bytes, why) in [
        (bomb.as_slice(), ""),
        (b"\x1b[31mnothing".as_slice(), "it is of no known format"),
        (&png[..png.len() / 2], ""),
    ] {
        for how in ["kitty", "iterm", "sixel"] {
            let raw = text(&drawn(bytes, "image/png", &[&format!("--show-images={how}")], &[]));
            let is_half = bytes.len() == png.len() / 2 && how != "sixel";
            let told = raw.contains(&format!("[images] content/0 is not shown: {why}"));
            // What is cut off is the terminal's to notice where it decodes.
            assert!(told || is_half, "{how}: {raw:?}");
            assert!(!raw.contains("\x1b[31m") && raw.contains("after"), "{how}: {raw:?}");
        }
    }
}

// Lines.

each_peer!([everything_stdio, everything_http] fn links_and_annotations_are_lines(server) {
    let run = mcpcall(["get-resource-links", "count=1", "-q"]).on(server);
    let link = "[link] Blob Resource 1 demo://resource/dynamic/blob/1 (text/plain): Resource 1: plaintext resource\n";
    run.stdout_has(link).check();
    let args = ["get-annotated-message", "messageType=success", "includeImage=true", "-v"];
    let run = mcpcall(args).on(server).stdout_has("(4033 bytes, for user, priority 0.5)\n");
    run.stderr_has("mcpcall: content/0 is for user, priority 0.7\n").check();
});

#[test]
fn a_long_text_comes_whole() {
    let line = "é\\n\\t\\\"\\u00e9\\ud83d\\ude00 and some more text to make it long\\n";
    let shown = "é\n\t\"é😀 and some more text to make it long\n";
    let server = server(&format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, line.repeat(40_000)));
    let output = mcpcall(["t"]).url(&server.url()).any_stdout().check();
    assert!(output.stdout == shown.repeat(40_000), "{} bytes", output.stdout.len());
}

// One value.

#[test]
fn one_value_is_printed_as_it_was_written() {
    let result = r#"{ "content":[{"type":"text","text":"a\nb"}],"structuredContent":{"n":1.50,"big":18446744073709551616,
        "o":{ "z":1, "a" :[ ] },"s/t":"x","e":"","nul":null,"u":"\u00e9"} }"#;
    for (pointer, json, stdout) in [
        ("/content/0/text", false, "a\nb\n"),
        ("/content/0/text", true, "\"a\\nb\"\n"),
        ("/structuredContent/n", false, "1.50\n"),
        ("/structuredContent/big", true, "18446744073709551616\n"),
        ("/structuredContent/o", false, "{ \"z\":1, \"a\" :[ ] }\n"),
        ("/structuredContent/s~1t", false, "x\n"),
        ("/structuredContent/e", false, ""),
        ("/structuredContent/nul", false, "null\n"),
        ("/structuredContent/u", true, "\"\\u00e9\"\n"),
        ("", false, result),
    ] {
        let server = server(result);
        let mut run = mcpcall(["t", "--select", pointer]).url(&server.url());
        if json {
            run = run.args(["--json"]);
        }
        let output = run.any_stdout().check();
        assert_eq!(output.stdout.trim_end_matches('\n'), stdout.trim_end_matches('\n'), "{pointer}");
        assert_eq!(output.stdout.ends_with('\n'), !stdout.is_empty(), "{pointer}");
    }
}

each_peer!([everything_stdio, rust_http] fn every_verb_has_values(server) {
    let first = mcpcall(["list", "--select", "/tools/0/name", "-q"]).on(server).any_stdout().check().stdout;
    mcpcall(["list", "-q"]).on(server).stdout_has(first.trim()).check();
    mcpcall(["request", "tools/list", "--select", "/tools/0/name", "-q"]).on(server).stdout(first).check();
    mcpcall(["info", "--select", "/protocols", "-q"]).on(server).stdout_has("2025-11-25").check();
});

#[test]
fn a_value_that_is_not_there_is_8_and_what_is_there_is_told() {
    let server = server(r#"{"content":[],"structuredContent":{"id":1,"name":"x"}}"#);
    let told = "mcpcall: error: --select /structuredContent/nam: there is no such value\n  \
                /structuredContent has: id, name; did you mean name?\n";
    mcpcall(["t", "--select", "/structuredContent/nam"]).url(&server.url()).code(8).stderr(told).check();
    let server = HttpScript::new().start();
    let told = "mcpcall: error: --select structuredContent.name: not a JSON pointer, which begins with /\n  \
                did you mean /structuredContent/name?\n";
    mcpcall(["t", "--select", "structuredContent.name"]).url(&server.url()).code(2).stderr(told).check();
    assert!(server.requests().is_empty());
}

#[test]
fn a_failed_tool_is_5_whatever_is_selected() {
    let result = r#"{"content":[{"type":"text","text":"no such card"}],"isError":true}"#;
    let odd = server(result);
    let told = "mcpcall: error: tool t reported an error\n    no such card\n";
    mcpcall(["t", "--select", "/structuredContent/id"]).url(&odd.url()).code(5).stderr(told).check();
    let odd = server(result);
    let run = mcpcall(["t", "--select", "/content/0/text"]).url(&odd.url()).code(5).stdout("no such card\n");
    run.stderr("mcpcall: error: tool t reported an error\n").check();
}

#[test]
fn listen_passes_over_what_has_no_such_value() {
    let Some(server) = case("stdio_listen", &["modern"]) else { return };
    let args = ["listen", "res://a", "--protocol", "modern", "--count", "1", "-q", "--select"];
    mcpcall(args).args(["/params/uri"]).on(&server).stdout("res://a\n").check();
    let Some(server) = case("stdio_listen", &["modern"]) else { return };
    mcpcall(args).args(["/params/none"]).on(&server).check();
}

// What the tool says of its results.

const SCHEMA: &str = r#","outputSchema":{"type":"object","properties":{"n":{"type":"integer"},"a":{"type":"array","items":{"type":"string"}}},"required":["n"]}"#;

#[test]
fn a_result_is_held_against_the_output_schema() {
    let breaks = "structuredContent/n is not an integer; structuredContent/a/1 is not a string";
    let breaks = format!("the result of t breaks its outputSchema: {breaks}");
    let missing = "the result of t has no structuredContent, which its outputSchema asks for";
    let nothing = "--check has nothing to check: the tool t has no outputSchema";
    let broken = "the result of t was not checked against its outputSchema: ";
    // What is said without --check and with it, and the exit code with it.
    for (more, result, warning, strict, code) in [
        (SCHEMA, r#"{"content":[],"structuredContent":{"n":1,"more":2}}"#, "", "", 0),
        (
            SCHEMA,
            r#"{"content":[],"structuredContent":{"n":"1","a":["x",7]}}"#,
            breaks.as_str(),
            "the result of t breaks its outputSchema",
            8,
        ),
        (SCHEMA, r#"{"content":[]}"#, missing, missing, 8),
        (
            SCHEMA,
            r#"{"content":[],"structuredContent":null}"#,
            "structuredContent is not an object",
            "structuredContent is not an object",
            8,
        ),
        (
            SCHEMA,
            r#"{"content":[],"structuredContent":{"n":"1"},"isError":true}"#,
            "reported an error",
            "reported an error",
            5,
        ),
        (r#","outputSchema":{"type":"array"}"#, r#"{"content":[],"structuredContent":[1]}"#, "", "", 0),
        (r#","outputSchema":null"#, r#"{"content":[]}"#, "", nothing, 0),
        ("", r#"{"content":[],"structuredContent":7}"#, "", nothing, 0),
        (r#","outputSchema":{"type":"objekt"}"#, r#"{"content":[],"structuredContent":{}}"#, broken, broken, 8),
        (
            r#","outputSchema":{"$ref":"http://127.0.0.1:9/x"}"#,
            r#"{"content":[],"structuredContent":{}}"#,
            broken,
            broken,
            8,
        ),
    ] {
        for (args, told, code) in
            [(&["t"][..], warning, if code == 5 { 5 } else { 0 }), (&["t", "--check"], strict, code)]
        {
            let server = server_with(more, result);
            let output = mcpcall(args).url(&server.url()).run();
            assert!(output.code == code && output.stderr.contains(told), "{}", output.report());
            assert_eq!(output.stderr.is_empty(), told.is_empty(), "{}", output.report());
        }
    }
}

#[test]
fn a_check_reads_well_and_goes_with_the_rest() {
    let result = r#"{"content":[{"type":"text","text":"ok"}],"structuredContent":{"a":[1]}}"#;
    let checked = |args: &[&str]| {
        let server = server_with(SCHEMA, result);
        mcpcall(args).url(&server.url()).file("e.json", r#"{"expect": {"result": {"/content/0/text": "no"}}}"#).run()
    };
    snapshot!("check", checked(&["t", "--check"]));
    // The definition is needed though the arguments are not checked.
    assert_eq!(checked(&["t", "--check", "--no-validate"]).code, 8);
    let output = checked(&["--check", "call", "t", "--junit", "r.xml", "--auto-answer", "e.json", "--select", "/none"]);
    assert_eq!(output.code, 8, "{}", output.report());
    for words in [
        "breaks its outputSchema",
        "expectation failed: result /content/0/text",
        "--select /none: there is no such value",
    ] {
        assert!(output.stderr.contains(words), "{}", output.report());
    }
    let report = output.file("r.xml");
    assert!(report.contains("failures=\"2\"") && report.contains("breaks its outputSchema"), "{report}");
    let error = checked(&["t", "--check", "--json"]).stderr;
    let error: serde_json::Value = serde_json::from_str(&error).unwrap();
    let problems = json!(["structuredContent/n is required", "structuredContent/a/0 is not a string"]);
    assert_eq!((&error["error"]["exit"], &error["error"]["data"]["problems"]), (&json!(8), &problems));
}

each_peer!([everything_stdio, everything_http] fn a_tool_that_keeps_its_word_passes(server) {
    mcpcall(["get-structured-content", "location=Chicago", "--check", "-q"]).on(server).any_stdout().check();
});

each_peer!([python_v2_stdio, rust_http] fn nobody_answered_is_the_cause_of_what_breaks(server) {
    mcpcall(["issue_card", "--check", "--no-input"]).on(server).code(7).any_stdout().any_stderr().check();
});

#[test]
fn what_cannot_be_looked_up_cannot_be_checked() {
    let none = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no"}}"#;
    for (args, code) in [(&["t"][..], 0), (&["t", "--check"], 8)] {
        let server = HttpScript::new()
            .always("GET", Reply::status(405))
            .always("DELETE", Reply::status(405))
            .handshake()
            .step("POST tools/list", Reply::body(200, "application/json", none))
            .step("POST tools/call", Reply::result(r#"{"content":[],"structuredContent":7}"#))
            .start();
        let output = mcpcall(args).url(&server.url()).code(code).stdout("7\n").any_stderr().check();
        assert_eq!(output.stderr.contains("error: --check: what the result of t should be is not known"), code == 8);
    }
}

#[test]
fn a_resumed_call_is_checked_too() {
    let head = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"public","#;
    let tools = format!(r#"{head}"tools":[{{"name":"t","inputSchema":{{"type":"object"}}{SCHEMA}}}]}}"#);
    let asks = r#"{"resultType":"input_required","requestState":"s","inputRequests":{"who":{"method":"roots/list"}}}"#;
    let server = HttpScript::new()
        .step("POST tools/list", Reply::result(&tools))
        .step("POST tools/call", Reply::result(asks))
        .step("POST tools/list", Reply::result(&tools))
        .step("POST tools/call", Reply::result(r#"{"resultType":"complete","content":[]}"#))
        .start();
    let stop = ["t", "--root", "/", "--stop-on-input", "--save-state", "call.json"];
    let state = mcpcall(stop).on(&server).code(7).any_stderr().check().file("call.json");
    let told = "mcpcall: error: the result of t has no structuredContent, which its outputSchema asks for\n";
    let run = mcpcall(["resume", "call.json", "--root", "/", "--check"]).file("call.json", state);
    run.code(8).stderr(told).check();
}
