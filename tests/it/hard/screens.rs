//! Nothing a server says steers a terminal: the places that `output.rs` does not look at, one by one. Each is run at a terminal
//! that takes stdout too, against the server whose every text holds escape sequences, bidirectional controls and lines that
//! look like ours.

use crate::output::is_harmless;
use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::{CTRL_D, ENTER};

/// What a hostile text is in an HTTP header or body, as far as HTTP lets it through.
const EVIL: &str = "x\u{1b}[6;7m\u{1b}]2;owned\u{7}\u{202e}SPOOF";

#[test]
fn in_verbs_that_look_around() {
    let file: &[&str] = &["info", "ping", "request", "both", "trace", "batch", "report", "matrix", "debug"];
    for what in file {
        let (mode, args): (_, &[&str]) = match *what {
            "info" => ("surface", &["info"]),
            "ping" => ("surface", &["ping", "-v"]),
            "request" => ("surface", &["request", "prompts/get", r#"{"name": "p"}"#]),
            "both" => ("form", &["t", "--protocol", "both", "--on-elicit", "cancel"]),
            "trace" => ("error", &["t", "--trace", "-v"]),
            "batch" => ("form", &["batch", "calls", "-v", "--on-elicit", "cancel"]),
            "report" => ("form", &["t", "--report", "run.html", "-v", "--on-elicit", "cancel"]),
            "matrix" => ("form", &["t", "--matrix", "--yes", "-v"]),
            _ => ("form", &["list", "--json", "--trace"]),
        };
        let Some(server) = case("stdio_hostile", &[mode]) else { return };
        let calls = "{\"tool\":\"t\"}\n{\"tool\":\"none\\u001b[6;7m\"}\n{\"method\":\"resources/read\",\"params\":{\"uri\":\"a:b\"}}\n";
        let run = mcpcall(args.iter().copied()).file("calls", calls).on(&server);
        let end = run.stdout_at_terminal().terminal_of_size(60, 200).finish();
        is_harmless(&end.raw);
        assert!(String::from_utf8_lossy(&end.raw).contains("1b"), "{what} showed nothing of it:\n{}", end.screen);
    }
}

#[test]
fn in_a_report_that_is_printed_by_a_pager() {
    let Some(server) = case("stdio_hostile", &["form"]) else { return };
    let run =
        mcpcall(["t", "--report", "run.html", "-v", "--on-elicit", "cancel"]).on(&server).any_stdout().any_stderr();
    is_harmless(&run.check().bytes("run.html"));
}

#[test]
fn in_the_shell() {
    let Some(server) = case("stdio_hostile", &["surface"]) else { return };
    let run = mcpcall(["shell", "--no-history", "--on-elicit", "cancel"]).on(&server);
    let mut terminal = run.stdout_at_terminal().terminal_of_size(60, 200);
    let lines =
        [("list prompts", "pd"), ("prompt p", "pt"), ("read a:b", "rt"), ("list resources", "ru"), ("show t", "ti")];
    for (line, place) in lines {
        let at_prompt = |screen: &vt100::Screen| screen.contents().trim_end().ends_with('>');
        terminal.wait_until("the prompt", at_prompt).send(line).send(ENTER);
        terminal.wait_for_bytes(&format!("{place}\\u{{1b}}")).wait_until("the prompt", at_prompt);
    }
    terminal.send(CTRL_D);
    let end = terminal.finish();
    is_harmless(&end.raw);
}

#[test]
fn in_what_http_says() {
    let replies = [
        Reply::body(500, "text/plain", EVIL),
        Reply::body(401, "text/plain", EVIL).header("WWW-Authenticate", "Bearer error=\"\u{202e}SPOOF\""),
        Reply::body(200, &format!("text/plain; {}", "\u{202e}"), EVIL),
        Reply::status(308).header("Location", "http://127.0.0.1:9/\u{202e}SPOOF"),
        Reply::status(308).header("Location", "\u{202e}://SPOOF"),
        Reply::raw(&format!("HTTP/1.1 500 {EVIL}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")),
        Reply::raw(EVIL),
        Reply::body(200, "application/json", EVIL),
        Reply::events(&format!("event: {EVIL}\ndata: {EVIL}\n\n")),
    ];
    for reply in replies {
        let server = HttpScript::new()
            .always("GET", reply.clone())
            .always("POST initialize", reply.clone())
            .always("POST server/discover", reply)
            .start();
        let run = mcpcall(["t", "--trace", "--no-login"]).url(&server.url()).stdout_at_terminal();
        let end = run.terminal_of_size(60, 200).finish();
        assert!(matches!(end.code, 3 | 4 | 6), "{}", end.screen);
        is_harmless(&end.raw);
    }
}
