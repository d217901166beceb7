//! `--report`: one page of the run, which a browser shows without asking for anything.

use std::path::PathBuf;
use std::process::Command;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::output::Output;
use crate::support::peers::Peer;
use crate::support::run::mcpcall;
use crate::support::scripted::{Case, case};
use crate::support::{on_path, root, setup};

/// The records of a report, and the end of it.
#[track_caller]
fn read(page: &str) -> (Vec<Value>, Value) {
    let block = |id: &str| {
        let rest = page.split(&format!("id=\"{id}\">")).nth(1).expect("the page has its blocks");
        rest.split("</script>").next().unwrap().trim().to_owned()
    };
    let record = |line: &str| serde_json::from_str(line).expect("a record is JSON");
    (block("records").lines().map(record).collect(), serde_json::from_str(&block("end")).unwrap())
}

/// What `report.mjs` sees in Chromium; None where one is missing.
fn open(output: &Output, name: &str) -> Option<Value> {
    let programs = || -> Result<(PathBuf, PathBuf, PathBuf), String> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path);
        Ok((setup::node_program()?, setup::node_modules()?.to_owned(), chromium.ok_or("there is no chromium on PATH")?))
    };
    let (node, modules, chromium) = setup::or_skip(programs())?;
    let mut command = Command::new(node);
    command.arg(root().join("tests/peers/node/report.mjs")).arg("--modules").arg(modules).arg(chromium);
    let run = command.arg(output.path(name)).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    Some(serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("the browser says nothing: {said}")))
}

const PASSWORD: &str = "hunter-22";

/// A run with an elicitation, logs and a failure.
#[track_caller]
fn story(server: &Case) -> Output {
    let run = mcpcall(["t", "--log-level", "debug", "--answer", "user=Ada", "--report", "run.html", "-q"]);
    let run = run.args(["--answer".into(), format!("password={PASSWORD}")]).on(server).code(5);
    run.stdout(format!("no such login: {PASSWORD}\n")).any_stderr().check()
}

#[test]
fn a_browser_shows_the_run_and_asks_for_nothing() {
    let Some(server) = case("stdio_story", &[]) else { return };
    let output = story(&server);
    assert!(!output.file("run.html").contains(PASSWORD));
    let Some(seen) = open(&output, "run.html") else { return };
    let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();

    assert_eq!(text("title"), "exit 5 · tool · mcpcall report");
    assert!(text("verdict").contains("tool t reported an error"), "{seen:#}");
    assert!(text("command").contains("--answer 'password=***'"), "{seen:#}");
    assert!(text("facts").contains("story 1.0 · MCP 2025-11-25 · stdio"), "{seen:#}");
    // The server's stderr comes by another way, and may stand before or behind what it says at that moment.
    let rows = seen["rows"].as_array().unwrap();
    let lines: Vec<String> = rows
        .iter()
        .filter(|row| !row["kind"].as_str().unwrap().contains("stderr"))
        .map(|row| {
            let kind = row["kind"].as_str().unwrap().replace("row ", "").replace(" chosen", "").replace(" mate", "");
            let text: String = row["text"].as_str().unwrap().chars().take(60).collect();
            format!("{kind}: {text}")
        })
        .collect();
    insta::assert_snapshot!("rows", lines.join("\n"));
    assert!(rows.iter().any(|row| row["text"] == "login refused"));
    let call = rows.iter().find(|row| row["text"].as_str().unwrap().starts_with("tools/call")).unwrap();
    assert!(call["took"].as_str().unwrap().ends_with("ms") || call["took"].as_str().unwrap().ends_with('s'));

    // What went wrong is shown first.
    assert_eq!(text("first"), "tool errorno such login: ***");
    assert!(text("firstDetail").contains("its request"), "{seen:#}");
    // Filters, search, keys.
    let kinds = seen["filtered"].as_array().unwrap();
    assert_eq!(kinds.len(), rows.len() - 1);
    assert!(kinds.iter().all(|kind| !kind.as_str().unwrap().contains("progress")));
    assert_eq!(text("filteredShown"), format!("{} of {} messages", rows.len() - 1, rows.len()));
    assert_eq!(seen["found"], serde_json::json!(["elicitation/createWho are you?"]));
    assert_eq!(
        (text("enter").as_str(), text("home").as_str()),
        ("elicitation/createWho are you?", "initialize2025-11-25")
    );
    assert!(text("mate").starts_with("accept{"), "{seen:#}");
    assert!(text("down").starts_with("initialize result"), "{seen:#}");
    assert_eq!(text("end"), rows.last().unwrap()["text"].as_str().unwrap());
    assert_eq!(seen["folds"], serde_json::json!([true, false]));
    assert!(text("raw").starts_with("{\"jsonrpc\":\"2.0\""), "{seen:#}");
    assert_ne!(text("light"), text("dark"));

    // Nothing leaves the page, and nothing that the server wrote is part of it.
    assert_eq!(seen["fetch"], "TypeError");
    assert_eq!(seen["requests"].as_array().unwrap().len(), 1, "{seen:#}");
    assert!(seen["requests"][0].as_str().unwrap().starts_with("file://"));
    assert_eq!((&seen["scripts"], &seen["images"]), (&3.into(), &0.into()));
    assert_eq!(seen["complaints"], serde_json::json!([]));
}

#[test]
fn a_flood_does_not_hang_the_browser() {
    let Some(server) = case("stdio_story", &["30000"]) else { return };
    let output = story(&server);
    let Some(seen) = open(&output, "run.html") else { return };
    assert_eq!(seen["shown"], "30016 messages");
    // Only what is in view is there; its last row is the end of the run.
    assert!(seen["rows"].as_array().unwrap().len() < 100, "{seen:#}");
    assert_eq!(seen["filteredShown"], "16 of 30016 messages");
    assert!(seen["loaded"].as_u64().unwrap() < 20_000, "{}", seen["loaded"]);
}

each_peer!([python_v2_http, rust_http] fn a_report_has_statuses_and_headers_and_masks_secrets(server) {
    let secret = "SECRET-TOKEN";
    let header = format!("Authorization: Bearer {secret}");
    let run = mcpcall(["issue_card", "--answer", "name=Ada", "--report", "r.html", "-H", &header]).on(server);
    let output = run.stdout("Card issued to Ada.\n").check();
    let page = output.file("r.html");
    assert!(!page.contains(secret));
    let (records, end) = read(&page);
    assert!(end["command"].as_str().unwrap().contains("-H 'Authorization: ***'"), "{end}");
    assert_eq!((&end["exit"], &end["kind"]), (&0.into(), &"success".into()));
    let posts: Vec<&Value> =
        records.iter().filter(|record| record["line"].as_str().is_some_and(|line| line.starts_with("POST "))).collect();
    let has = |record: &Value, name: &str, value: &str| {
        let mut headers = record["headers"].as_array().into_iter().flatten();
        headers.any(|header| header[0] == name && header[1] == value)
    };
    assert!(posts.iter().all(|post| has(post, "authorization", "***")), "{posts:?}");
    assert!(posts[1..].iter().all(|post| has(post, "mcp-session-id", "***")), "{posts:?}");
    assert!(records.iter().any(|record| record["line"] == "200 OK" && record["dir"] == "received"));
    let texts: Vec<&str> = records.iter().filter_map(|record| record["text"].as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("elicitation/create")) && texts.iter().any(|text| text.contains("Card issued")));
    // A browser shows the call that was made first, and its headers.
    let Some(seen) = open(&output, "r.html") else { return };
    assert_eq!(seen["first"], "tools/callissue_card");
    let headers: Vec<&str> = seen["headers"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(headers.contains(&"authorization: ***") && headers.contains(&"mcp-session-id: ***"), "{headers:?}");
    assert!(seen["rows"].as_array().unwrap().iter().any(|row| row["text"] == "200 OK"), "{seen:#}");
    assert_eq!(seen["complaints"], serde_json::json!([]));
});

#[test]
fn a_secret_is_masked_however_its_flag_is_typed() {
    let Some(server) = Peer::named("python_v2_stdio").start() else { return };
    let script = "printf 'has %s\\n' \"$MYTOK\" >&2; exec \"$@\"";
    let run = mcpcall(["issue_card", "--answer", "name=Ada", "--report", "r.html", "-ve", "MYTOK=hush-hush", "--"]);
    let run = run.args(["sh", "-c", script, "sh"]).args(server.stdio_command());
    let output = run.stdout("Card issued to Ada.\n").stderr_has("has hush-hush").check();
    let page = output.file("r.html");
    assert!(!page.contains("hush-hush"));
    let (records, end) = read(&page);
    assert!(end["command"].as_str().unwrap().contains("-v -e 'MYTOK=***' -- sh -c"), "{end}");
    assert!(records.iter().any(|record| record["text"] == "has ***"), "{records:?}");
}

each_peer!([python_v2_http] fn a_header_is_masked_behind_other_flags(server) {
    let run = mcpcall(["list", "--report", "r.html", "-qH", "X-Api-Key: hush-hush"]).on(server).any_stdout();
    let page = run.check().file("r.html");
    assert!(!page.contains("hush-hush"));
    assert!(read(&page).1["command"].as_str().unwrap().contains("-q -H 'X-Api-Key: ***'"));
});

#[test]
fn headers_that_repeat_a_secret_argument_are_masked() {
    let Some(server) = case("http_modern_headers", &["secret"]) else { return };
    for region in ["pssst", "größe", "hush-hush"] {
        let run = mcpcall(["sql", "limit=7", "--protocol", "modern", "--report", "r.html"]).on(&server);
        let output = run.args([format!("region={region}")]).stdout("headers ok\n").check();
        let page = output.file("r.html");
        assert!(!page.contains("Z3LDtsOfZQ"), "{region} is there in Base64");
        let (records, end) = read(&page);
        let call = records.iter().find(|record| {
            record["text"].as_str().is_some_and(|text| text.contains("\"sql\"") && record["dir"] == "sent")
        });
        let call = call.unwrap();
        assert!(!call.to_string().contains(region), "{call}");
        let header = |name: &str| {
            let mut headers = call["headers"].as_array().unwrap().iter();
            headers.find(|header| header[0].as_str().unwrap().eq_ignore_ascii_case(name)).unwrap()[1].clone()
        };
        assert_eq!((header("mcp-param-region"), header("mcp-param-limit")), ("***".into(), "7".into()));
        // The command line does not know the schema; what is long enough is found.
        assert_eq!(end["command"].as_str().unwrap().contains(region), region == "pssst", "{end}");
    }
}

#[test]
fn a_report_is_written_however_the_run_ends() {
    // Nobody there.
    let output = mcpcall(["t", "--report", "r.html", "--", "/nope"]).code(4).any_stderr().check();
    let (_, end) = read(&output.file("r.html"));
    assert_eq!((&end["exit"], &end["kind"]), (&4.into(), &"connect".into()));
    assert!(output.stderr.contains(end["message"].as_str().unwrap()), "{end}");

    // Too late, and ^C.
    let Some(server) = case("stdio_timeout", &["never"]) else { return };
    let run = mcpcall(["t", "--timeout", "0.5", "--report", "r.html"]).on(&server).code(124);
    let (_, end) = read(&run.any_stderr().any_stdout().check().file("r.html"));
    assert_eq!(end["kind"], "timeout");
    let Some(server) = case("stdio_timeout", &["ctrlc"]) else { return };
    let run = mcpcall(["t", "--report", "r.html"]).on(&server).signal_after_log("tools/call", Signal::INT);
    let output = run.run();
    let (_, end) = read(&output.file("r.html"));
    assert_eq!((output.code, &end["exit"]), (130, &130.into()), "{}", output.report());
    // Nothing else is left behind.
    assert_eq!(output.files(), ["r.html"]);
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_anything_is_called() {
    let run = mcpcall(["t", "--report", "/no/such/dir/r.html", "--", "sh", "-c", "touch called"]).code(2);
    let output = run.stderr_has("--report /no/such/dir/r.html: ").check();
    assert!(output.files().is_empty());
    mcpcall(["list", "--report", "x", "--trace-file", "./x", "--", "/nope"])
        .code(2)
        .stderr_has("--trace-file and --report name the same file")
        .check();
}

#[test]
fn a_file_named_twice_keeps_what_it_holds() {
    let run = mcpcall(["t", "--trace-file", "a.json", "--auto-answer", "a.json", "--", "/nope"]);
    let output = run.file("a.json", "{\"name\": \"Ada\"}").code(2).stderr_has("name the same file").check();
    assert_eq!(output.file("a.json"), "{\"name\": \"Ada\"}");
}
