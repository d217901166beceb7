//! Files are written whole or not at all: when the disk is full, and when the server dies at any step.

use crate::support::http_script::{HttpScript, Reply, Scripted};
use crate::support::run::mcpcall;
use crate::support::scripted::case;

/// No file may have more than 4 KiB: what a full disk does, without a disk.
const FULL: &str = r#"trap "" XFSZ; ulimit -S -f 8; exec "$@""#;

/// The same with 200 KiB.
const NEARLY_FULL: &str = r#"trap "" XFSZ; ulimit -S -f 400; exec "$@""#;

const NAME: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;

/// A server whose result is one image of 30,000 bytes.
fn painter() -> Scripted {
    let image = "A".repeat(40_000);
    let result = format!(r#"{{"content":[{{"type":"image","mimeType":"image/png","data":"{image}"}}]}}"#);
    HttpScript::new()
        .always("GET", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#))
        .step("POST tools/call", Reply::result(&result))
        .start()
}

#[test]
fn a_full_disk_leaves_no_half_of_a_result() {
    let server = painter();
    let run = mcpcall(["t", "--out", "."]).url(&server.url()).under(FULL).code(1).stdout_has("[image]");
    let output = run.stderr_has("content/0 cannot be written to --out: File too large").check();
    assert!(output.files().is_empty(), "{:?}", output.files());
}

#[test]
fn a_full_disk_leaves_no_half_of_a_recording_and_what_was_there() {
    for there in [None, Some("{\"name\": \"old\"}")] {
        let Some(server) = case("stdio_form", &[NAME]) else { return };
        // The server has a disk of its own.
        let own = ["--", "sh", "-c", r#"ulimit -S -f unlimited; exec "$@""#, "sh"];
        let answers = format!(r#"{{"name": "{}"}}"#, "y".repeat(10_000));
        let mut run = mcpcall(["t", "--auto-answer", "a.json", "--record-answers", "new.json"]).file("a.json", answers);
        if let Some(text) = there {
            run = run.file("new.json", text);
        }
        let run = run.args(own).args(&crate::support::Target::args(&server)[1..]);
        let run = run.under(FULL).stdout_has("yyy").stderr_has("error: --record-answers ");
        let output = run.stderr_has("new.json: file too large").code(1).check();
        match there {
            None => assert_eq!(output.files(), ["a.json"]),
            Some(text) => assert_eq!((output.files().len(), output.file("new.json").as_str()), (2, text)),
        }
    }
}

/// A server whose results are larger than the disk.
const LARGE: &str = r#"tools/call = {"content":[{"type":"text","text":"$900000*y*"}]}"#;

#[test]
fn a_full_disk_leaves_no_half_of_a_report() {
    // Found out at once, and at the end.
    for (disk, code, why) in [
        (FULL, 2, "error: --report run.html: File too large (os error 27)\n"),
        (NEARLY_FULL, 1, "error: cannot write the report of --report: File too large (os error 27)\n"),
    ] {
        let Some(server) = case("http_says", &[LARGE]) else { return };
        let run = mcpcall(["t", "--report", "run.html"]).on(&server).under(disk).code(code).any_stdout();
        let output = run.stderr(format!("mcpcall: {why}")).check();
        assert!(output.files().is_empty(), "{:?}", output.files());
    }
}

#[test]
fn a_full_disk_leaves_whole_lines_of_a_trace_and_the_result() {
    let Some(server) = case("http_says", &[LARGE]) else { return };
    let run = mcpcall(["t", "--trace-file", "trace"]).on(&server).under(NEARLY_FULL).stdout_has("yyy");
    let output = run.stderr("mcpcall: warning: the trace file takes no more: File too large (os error 27)\n").check();
    let trace = output.file("trace");
    assert!(trace.ends_with("}\n") && trace.lines().count() > 5, "{trace}");
    assert!(trace.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{trace}");
}

#[test]
fn a_full_disk_leaves_no_half_of_a_state_and_shows_it() {
    let asks = r#"tools/call = {"resultType":"input_required","requestState":"$9000*y*","inputRequests":{"a":{"method":"roots/list"}}}"#;
    let Some(server) = case("http_says", &[asks]) else { return };
    let run = mcpcall(["t", "--protocol", "modern", "--stop-on-input", "--save-state", "state.json"]).on(&server);
    let run = run
        .under(FULL)
        .code(1)
        .any_stdout()
        .stderr_has("error: --save-state state.json: File too large (os error 27)\n");
    let output = run.stderr_has("what was to be written:").stderr_has("yyy").check();
    assert!(output.files().is_empty(), "{:?}", output.files());
}

#[test]
fn a_full_disk_leaves_no_half_of_what_judges_a_call() {
    // 20,000 bytes of an expectation that fails are in the report of it.
    let expect = format!(r#"{{"expect": {{"result": {{"/content/0/text": "{}"}}}}}}"#, "x".repeat(20_000));
    let Some(server) = case("http_says", &[""]) else { return };
    let run = mcpcall(["t", "--auto-answer", "e.json", "--junit", "j.xml"]).file("e.json", expect).on(&server);
    let output = run.under(FULL).code(8).any_stdout().stderr_has("the report of --junit: File too large").check();
    assert_eq!(output.files(), ["e.json"]);
}

#[test]
fn a_server_that_dies_at_any_step_leaves_whole_files() {
    let flags =
        ["t", "--answer", "name=Ada", "--record-answers", "new.json", "--trace-file", "trace", "--report", "run.html"];
    for name in ["stdio_hard", "http_hard"] {
        for (mode, code) in [
            ("die_initialize", 4),
            ("die_list", 4),
            ("die_call", 4),
            ("die_ask", 4),
            ("die_answer", 4),
            // How far it gets within a time nobody knows; within a size it is sure to be cut off.
            ("endless", 4),
            ("hang", if name == "http_hard" { 124 } else { 0 }),
            ("", 0),
        ] {
            let Some(server) = case(name, &[mode]) else { return };
            let seconds = if code == 124 { "1" } else { "25" };
            let run =
                mcpcall(flags).args(["--lenient-answers", "--timeout", seconds, "--junit", "j.xml", "--out", "."]);
            let run = run.args(["--max-message-size", "1M"]).on(&server).code(code).any_stdout().any_stderr();
            let output = run.check();
            output.nothing_left_running();
            let what = format!("{name} {mode}: {}", output.report());
            // A recording is there when something was answered, or there was nothing to ask.
            let recorded = output.files().contains(&"new.json".to_owned());
            let mut files = vec!["j.xml", "run.html", "trace"];
            files.extend(recorded.then_some("new.json"));
            files.sort_unstable();
            assert_eq!(output.files(), files, "{what}");
            assert!(recorded || code != 0, "{what}");
            assert!(!recorded || serde_json::from_str::<serde_json::Value>(&output.file("new.json")).is_ok(), "{what}");
            let page = output.file("run.html");
            assert!(page.trim_end().ends_with("</html>") && page.contains(&format!("\"exit\":{code}")), "{what}");
            assert!(output.file("j.xml").trim_end().ends_with("</testsuites>"), "{what}");
            let trace = output.file("trace");
            assert!(trace.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{what}");
        }
    }
}
