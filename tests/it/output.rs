//! What stands on stdout and stderr.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::peers::Server;
use crate::support::run::mcpcall;
use crate::support::say;
use crate::support::scripted::case;
use crate::support::terminal::keys::{DOWN, ENTER, ESC, UP};

/// A server with one tool that gives this result.
fn server(result: &str) -> crate::support::http_script::Scripted {
    HttpScript::new()
        .always("GET", Reply::status(405))
        .always("DELETE", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#))
        .step("POST tools/call", Reply::result(result))
        .start()
}

#[test]
fn json_is_the_servers_text_byte_for_byte() {
    let result = r#"{ "z":1.10, "content":[ {"type":"text","text":"é \u00e9"} ],"a":{"x" : 1E400}, "_meta":{"future":[18446744073709551616]},"isError":false}"#;
    let server = server(result);
    mcpcall(["t", "--json"]).url(&server.url()).stdout(format!("{result}\n")).check();
}

#[test]
fn text_blocks_come_in_order_and_others_as_a_line() {
    let server = server(
        r#"{"content":[{"type":"text","text":"one"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"},
            {"type":"text","text":"two\n"},{"type":"resource_link","uri":"file:///a","name":"a"},{"type":"hologram","x":1}]}"#,
    );
    let expected = "one\n[image] image/png (5 bytes)\ntwo\n[link] a file:///a\n{\"type\":\"hologram\",\"x\":1}\n";
    mcpcall(["t"]).url(&server.url()).stdout(expected).check();
}

#[test]
fn structured_content_is_printed_where_there_is_no_text() {
    let server = server(r#"{"content":[],"structuredContent":{"n":9007199254740993}}"#);
    mcpcall(["t"]).url(&server.url()).stdout("{\n  \"n\": 9007199254740993\n}\n").check();
}

#[test]
fn what_is_nested_too_deep_to_read_is_printed_as_it_is() {
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let result = format!(r#"{{"content":[],"structuredContent":{deep}}}"#);
    let server = server(&result);
    mcpcall(["t"]).url(&server.url()).stdout(format!("{deep}\n")).check();
}

#[test]
fn a_pipe_gets_the_text_as_it_is_and_stderr_never_an_escape_sequence() {
    let server = server(r#"{"content":[{"type":"text","text":"\u001b[31mred\u001b[0m \u202etxt"}]}"#);
    mcpcall(["t"]).url(&server.url()).stdout("\u{1b}[31mred\u{1b}[0m \u{202e}txt\n").check();
    let failing =
        HttpScript::new().step("POST initialize", Reply::body(502, "text/html", "<b>\u{1b}[2Jgone\u{7}</b>")).start();
    let output = mcpcall(["t"]).url(&failing.url()).code(4).stderr_has("\\u{1b}[2Jgone").check();
    assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
}

#[test]
fn a_result_at_a_terminal_is_made_harmless() {
    let result = r#"{"content":[{"type":"text","text":"\u001b[31mred\u001b[0m \u202etxt\nline"}]}"#;
    for (args, shown) in [
        (vec!["t", "-q"], "\\u{1b}[31mred\\u{1b}[0m \\u{202e}txt\r\nline\r\n".to_owned()),
        // JSON has its own words for some of it.
        (vec!["t", "-q", "--json"], format!("{result}\r\n")),
    ] {
        let server = server(result);
        let end = mcpcall(args).url(&server.url()).stdout_at_terminal().terminal().finish();
        assert_eq!((end.code, String::from_utf8(end.raw).unwrap()), (0, shown));
    }
}

/// What `tests/cases/stdio_hostile.py` puts into every text, as bytes that must not reach a terminal.
#[track_caller]
pub(crate) fn is_harmless(raw: &[u8]) {
    let text = String::from_utf8_lossy(raw);
    for bad in ["\u{1b}[6;7m", "\u{1b}]", "\u{7}", "\u{9b}", "\u{202e}", "\u{2066}", "\rSPOOF"] {
        assert!(!text.contains(bad), "{bad:?} in {text:?}");
    }
}

/// The place's text stands there in words.
#[track_caller]
fn is_told(raw: &[u8], place: &str) {
    let text = String::from_utf8_lossy(raw);
    // It may be wrapped or cut off at the edge of the screen, so only its beginning is looked for.
    assert!(text.contains(&format!("{place}\\u{{1b}}[6;7m")), "{place} in {text:?}");
}

/// The places whose texts have a line that begins with what the server wrote, however it is indented.
fn begin_lines(screen: &str) -> Vec<&str> {
    let begun = screen.lines().filter_map(|line| line.trim_start().strip_prefix("SPOOF-"));
    begun.filter_map(|rest| rest.get(..2)).collect()
}

#[test]
fn nothing_in_a_form_steers_the_terminal() {
    let Some(server) = case("stdio_hostile", &["form"]) else { return };
    let args = ["t", "-v", "--trace", "--log-level", "debug"];
    let mut terminal = mcpcall(args).on(&server).stdout_at_terminal().terminal_of_size(60, 200);
    let list = "Up/Down, Enter: choose   Esc: decline";
    // Texts of several lines keep them: the message, descriptions, what was logged, progress, the result. No others.
    let several = ["ms", "td", "cd", "md", "lg", "pr", "rs"];
    let mut screens = Vec::new();
    for (number, seen, keys) in [
        ("(1/5)", "Enter: next", ENTER),
        ("(2/5)", list, ESC),
        ("", "> Go on answering", ESC),
        ("(2/5)", list, DOWN),
        ("(2/5)", list, ENTER),
        ("(3/5)", "Space: tick", " "),
        ("(3/5)", "> [x]", ENTER),
        ("(4/5)", list, UP),
        ("(4/5)", list, ENTER),
        ("(5/5)", list, ENTER),
        ("Send this?", list, ENTER),
    ] {
        terminal.wait_for(number).wait_for(seen);
        screens.push(terminal.screen());
        terminal.send(keys);
    }
    let end = terminal.finish();
    assert_eq!(end.code, 0, "{}", end.screen);
    is_harmless(&end.raw);
    // Server name, message; titles, descriptions, default, options; its stderr, log, progress; the result.
    for place in "sn ms tt td tv ct cd o1 o2 mt md et en name se lo lg pr notifications/un rs im".split(' ') {
        is_told(&end.raw, place);
    }
    for screen in &screens {
        // What the server is called, and what kind of image it sends, are looked at elsewhere.
        for place in begin_lines(screen).into_iter().filter(|place| *place != "sn") {
            assert!(several.contains(&place), "{place} begins a line of its own:\n{screen}");
        }
    }
    let answer = server.received().into_iter().find(|message| message["id"] == "e-1").unwrap();
    assert!(answer["result"]["content"]["text"].as_str().unwrap().starts_with("tv\u{1b}[6;7m"), "{answer}");
}

#[test]
fn nothing_in_other_texts_steers_the_terminal() {
    for (mode, args, code, places) in [
        // A URL with such characters is refused as a whole.
        ("url", vec!["t"], 6, "sn https://u.example/ rs"),
        ("form", vec!["t", "--no-input"], 7, "sn ms"),
        ("form", vec!["t", "--on-elicit", "cancel"], 0, "rs"),
        ("error", vec!["t"], 6, "er"),
        ("error", vec!["t", "--json"], 6, ""),
        ("form", vec!["list"], 0, "ld ln"),
        ("surface", vec!["show", "t"], 0, "ti ld td o1 name"),
        ("surface", vec!["list", "prompts"], 0, "pd pa"),
        ("surface", vec!["list", "resources"], 0, "ru rn"),
        ("surface", vec!["prompt", "p"], 0, "ro pt"),
        ("surface", vec!["read", "a:b"], 0, "rt"),
        ("surface", vec!["complete", "p", "x="], 0, "cv"),
    ] {
        let Some(server) = case("stdio_hostile", &[mode]) else { return };
        let end = mcpcall(&args).on(&server).stdout_at_terminal().terminal_of_size(60, 200).finish();
        assert_eq!(end.code, code, "{mode} {args:?}\n{}", end.screen);
        is_harmless(&end.raw);
        for place in places.split(' ').filter(|place| !place.is_empty()) {
            is_told(&end.raw, place);
        }
    }
}

#[test]
fn a_closed_stdout_is_a_quiet_end() {
    let big = format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, "x".repeat(1 << 20));
    let server = server(&big);
    let program = env!("CARGO_BIN_EXE_mcpcall");
    let line = format!("'{program}' t --url '{}' | head -c 1; exit ${{PIPESTATUS[0]}}", server.url());
    let output = std::process::Command::new("bash").args(["-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (b"x".as_slice(), b"".as_slice()));
}

#[test]
fn a_result_that_cannot_be_written_is_1_and_told() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return say("skipped: output: there is no /dev/full");
    }
    let server = server(r#"{"content":[{"type":"text","text":"ok"}]}"#);
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_mcpcall"));
    run.args(["t", "--url", &server.url()]).stdin(std::process::Stdio::null());
    let output = run.stdout(std::fs::File::create(full).unwrap()).output().unwrap();
    let told = "mcpcall: error: cannot write the result to stdout: No space left on device (os error 28)\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(1), told));
}

each_peer!([python_v2_stdio, rust_stdio, everything_stdio] fn the_trace_shows_both_directions_over_stdio_too(server) {
    let tool = if server.peer.server == Server::Everything { ["echo", "message=hi"] } else { ["issue_card", "--answer=name=Ada"] };
    let trace = mcpcall(tool).args(["--trace"]).on(server).any_stdout().any_stderr().check().stderr;
    // `> +0.123s {...}`: which way, and what.
    let messages: Vec<(&str, serde_json::Value)> = trace
        .lines()
        .filter_map(|line| {
            let (way, rest) = line.split_once(" +")?;
            let (time, text) = rest.split_once("s ")?;
            time.parse::<f64>().ok()?;
            Some((way, serde_json::from_str(text).ok()?))
        })
        .collect();
    let find = |way: &str, wanted: &dyn Fn(&serde_json::Value) -> bool| {
        messages.iter().position(|(w, message)| *w == way && wanted(message)).unwrap_or_else(|| panic!("{trace}"))
    };
    let call = find(">", &|message| message["method"] == "tools/call");
    let id = &messages[call].1["id"];
    let result = find("<", &|message| message["id"] == *id && message["result"]["content"].is_array());
    assert!(find(">", &|message| message["method"] == "initialize") < call && call < result, "{trace}");
    if server.peer.server != Server::Everything {
        let asked = find("<", &|message| message["method"] == "elicitation/create");
        let answered = find(">", &|message| message["result"]["content"]["name"] == "Ada");
        assert!(call < asked && asked < answered && answered < result, "{trace}");
    }
});

#[test]
fn the_trace_shows_both_directions_and_masks_secrets() {
    let server = server(r#"{"content":[{"type":"text","text":"ok"}]}"#);
    let run = mcpcall([
        "t",
        "--trace",
        "-H",
        "Authorization: Bearer SECRET-1",
        "-H",
        "X-Api-Key: SECRET-2",
        "-H",
        "X-Plain: seen",
    ]);
    let output = run.url(&server.url()).stdout("ok\n").stderr_has("x-plain: seen").check();
    assert!(!output.stderr.contains("SECRET"), "{}", output.stderr);
    for words in [
        "> ",
        "< ",
        "POST http://127.0.0.1",
        "authorization: ***",
        "x-api-key: ***",
        r#""method":"tools/call""#,
        r#""text":"ok""#,
    ] {
        assert!(output.stderr.contains(words), "{words} in {}", output.stderr);
    }
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer SECRET-1"));
    assert_eq!(server.requests()[0].header("x-api-key"), Some("SECRET-2"));
}

each_peer!([everything_stdio] fn quiet_leaves_errors_only(server) {
    mcpcall(["echo", "message=hi", "-q"]).on(server).stdout("Echo: hi\n").check();
    mcpcall(["echo", "message=hi"]).on(server).stdout("Echo: hi\n").stderr_has("[server] ").check();
});

each_peer!([rust_stdio] fn failures_read_well(server) {
    assert!(server.stdio_command().len() > 1);
    snapshot!("unknown_argument", mcpcall(["add", "a=1", "c=2"]).on(server).run());
    snapshot!("nobody_answered", mcpcall(["issue_card"]).on(server).run());
});

each_peer!([rust_stdio] fn the_list_reads_well(server) {
    snapshot!("list", mcpcall(["list"]).on(server).run());
});

#[test]
fn a_json_failure_parses_whatever_the_server_said() {
    let body =
        r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-1,"message":"\u200fشلوم\u007f\u001b[31m","data":["\u202e"]}}"#;
    let reply = Reply::body(200, "application/json", body);
    let server = HttpScript::new().step("POST initialize", reply.clone()).step("POST server/discover", reply).start();
    let output = mcpcall(["t", "--json"]).url(&server.url()).code(4).stderr_has("{").check();
    let error: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().contains("\u{200f}شلوم\u{7f}\u{1b}"), "{error}");
}

// A server must not be able to draw lines that look like ours. See `begin_lines`.

#[test]
fn the_servers_name_stays_on_its_line() {
    let Some(server) = case("stdio_hostile", &["form"]) else { return };
    let mut terminal = mcpcall(["t", "-q"]).on(&server).terminal_of_size(60, 200);
    terminal.wait_for("(1/5)").wait_for("Enter: next");
    let screen = terminal.screen();
    assert!(!begin_lines(&screen).contains(&"sn"), "{screen}");
}

#[test]
fn a_url_stays_on_its_line() {
    let Some(server) = case("stdio_hostile", &["url"]) else { return };
    let end = mcpcall(["t", "-q"]).on(&server).terminal_of_size(60, 200).finish();
    assert_eq!(end.code, 6, "{}", end.screen);
    assert!(!begin_lines(&end.screen).contains(&"ht"), "{}", end.screen);
}

#[test]
fn a_list_has_one_line_an_item() {
    let Some(server) = case("stdio_hostile", &["form"]) else { return };
    let end = mcpcall(["list", "-q"]).on(&server).stdout_at_terminal().terminal_of_size(60, 200).finish();
    assert_eq!(end.screen.lines().count(), 2, "{}", end.screen);
}
