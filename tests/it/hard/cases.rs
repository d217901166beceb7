//! The servers drawn from public bug reports; each says in its head what is right. Where it leaves more than one way, the row
//! says which is ours, and why.

use super::table::{Row, row};

const ZOO: &str = r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":"42","ratio":"0.5","ok":"yes","mail":"a@b.co","day":"2026-02-28"}"##;
const ZOO_BAD_AGE: &str = r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":"42xyz","ratio":"0.5","ok":"yes","mail":"a@b.co","day":"2026-02-28"}"##;
const ZOO_BAD_DAY: &str = r##"{"legacy":"m","titled":"#0f0","many":["b"],"ref":"low","opt":7,"lit":"only","age":"42","ratio":"0.5","ok":"yes","mail":"a@b.co","day":"2026-02-30"}"##;
const ACCEPT_URLS: &str =
    r#"{"answers": [{"on": "elicitation", "match": {"mode": "url"}, "action": "accept", "times": "any"}]}"#;
const SECRETS: &[&str] = &["t", "--trace", "-H", "Authorization: Bearer SECRET-1", "-H", "X-Api-Key: SECRET-2"];
const ALL: &[&str] =
    &["t", "--root", "/srv/a b#c%d/é", "--sampling-cmd", "cat >/dev/null; echo pong", "--answer", "name=Ada"];
/// Whatever a round of 2026-07-28 may ask for has an answer.
const EVERY_ROUND: &[&str] = &[
    "t",
    "--protocol",
    "modern",
    "--answer",
    "name=Ada",
    "--root",
    "/srv",
    "--sampling-cmd",
    "cat >/dev/null; echo hi",
];

pub(super) const ROWS: &[Row] = &[
    // What stands on stdout beside messages is skipped, with a warning that shows it.
    row("stdio_noise", &["all"]).out("clean\n").says(&["no message"]).got(&["\"eof\": true"]),
    row("stdio_noise", &["all", "noeol", "bomjson"]).out("clean\n").counts(&[("initialize", 1), ("tools/call", 1)]),
    // A server that dies ends the call at once, with its status and its last words.
    row("stdio_exit_early", &["start", "init", "call", "partial"])
        .code(4)
        .says(&["exited with status 3", "[server] fatal: missing DB_URL"])
        .within(5),
    row("stdio_exit_early", &["code0"]).code(4).says(&["exited with status 0"]).within(5),
    row("stdio_exit_early", &["closeout"]).code(4).says(&["closed its stdout"]),
    row("stdio_stubborn", &["tree"]).out_has("done"),
    row("stdio_stubborn", &["slow"]).out_has("done").got(&["\"graceful\": true"]).never(&["\"sig\""]),
    row("stdio_stubborn", &["eofonly"]).out_has("done").never(&["\"sig\""]).within(3),
    row("stdio_stubborn", &["hang"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["no answer to tools/call within 1 s"])
        .got(&["notifications/cancelled"]),
    row("stdio_backpressure", &[""])
        .line(&["t", "@big.json"])
        .files(&[("big.json", r#"{"x": "$2MB"}"#)])
        .out_has("got=2000000"),
    row("stdio_reentrant", &[""]).line(ALL).out_has("verdict: []").got(&["/srv/a b#c%d/"]).within(5),
    // Without a command for it sampling is not declared and refused. The server has its verdict, but a question that nobody
    // answered is a failure of the run whatever the server makes of it.
    row("stdio_reentrant", &["nosampling"])
        .line(&["t", "--root", "/srv"])
        .code(7)
        .says(&["sampling"])
        .out_has("verdict: []")
        .never(&["\"sampling\": {"])
        .within(5),
    // Progress starts the clock again; with a token that we never gave out it does not.
    row("stdio_timeout", &["progress"])
        .line(&["t", "--timeout", "1"])
        .out("slept\n")
        .never(&["notifications/cancelled"]),
    // Not for ever: that would be a server's way to hold us.
    row("stdio_timeout", &["progress"])
        .line(&["t", "--timeout", "1", "--max-time", "2"])
        .code(124)
        .says(&["no answer to tools/call within 2 s, only progress", "--max-time SECONDS waits longer"])
        .counts(&[("notifications/cancelled", 1)]),
    row("stdio_timeout", &["progress"]).line(&["t", "--max-time", "1", "--timeout", "0"]).code(124),
    row("stdio_timeout", &["progress"]).line(&["t", "--max-time", "0", "--timeout", "1"]).out("slept\n"),
    row("stdio_timeout", &["wrongtoken", "silent", "never"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["no answer to tools/call within 1 s"])
        .counts(&[("notifications/cancelled", 1)])
        .got(&["\"requestId\": 3", "\"eof\": true"]),
    row("stdio_elicit_zoo", &[""])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", ZOO)])
        .out("verdict: []\n"),
    // What no schema allows is never sent: the run ends as a mistake of the file.
    row("stdio_elicit_zoo", &["bad"])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", ZOO_BAD_AGE)])
        .code(2)
        .out_has("")
        .says(&["age"])
        .never(&["\"action\": \"accept\""]),
    row("stdio_elicit_zoo", &["bad"])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", ZOO_BAD_DAY)])
        .code(2)
        .out_has("")
        .says(&["day"])
        .never(&["\"action\": \"accept\""]),
    row("stdio_logging", &["nocap"])
        .line(&["t", "--log-level", "warning"])
        .out("logged\n")
        .never(&["logging/setLevel"]),
    row("stdio_logging", &["liar"])
        .line(&["t", "--log-level", "warning"])
        .out("logged\n")
        .says(&["warning: logging/setLevel"])
        .counts(&[("logging/setLevel", 1)]),
    // The client filters again: the server ignores the level.
    row("stdio_logging", &["spam"])
        .line(&["t", "--log-level", "warning"])
        .out("logged\n")
        .says(&["[warning", "[error", "[critical", "[alert", "[emergency"])
        .unsaid(&["[debug", "[info", "[notice"]),
    row("stdio_logging", &["modern"])
        .line(&["t", "--log-level", "warning", "--protocol", "modern"])
        .out("logged\n")
        .got(&["io.modelcontextprotocol/logLevel\": \"warning\""])
        .never(&["logging/setLevel"]),
    row("stdio_logging", &["modern"]).line(&["t", "--protocol", "modern"]).out("logged\n").never(&["logLevel"]),
    row("stdio_modern_mrtr", &[""]).line(EVERY_ROUND).out("verdict: []\n").counts(&[
        ("tools/call", 4),
        ("response", 0),
        ("initialize", 0),
    ]),
    row("stdio_modern_mrtr", &["endless"])
        .line(EVERY_ROUND)
        .code(6)
        .says(&["--max-rounds"])
        .counts(&[("tools/call", 12)]),
    // Consent is enough: the call is made again without waiting for a notification that may never come.
    row("stdio_url_required", &["once", "nonotify"])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", ACCEPT_URLS)])
        .out("authorized\n")
        .says(&["https://one.example.invalid/start?state=a%2Fb", "https://two.example.invalid/start"])
        .counts(&[("tools/call", 2)]),
    row("stdio_url_required", &["forever"])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", ACCEPT_URLS)])
        .code(6)
        .says(&["-32042", "https://one.example.invalid"]),
    // Without URLs it is a plain error.
    row("stdio_url_required", &["malformed"])
        .line(&["t", "--auto-answer", "a.json", "--lenient-answers"])
        .files(&[("a.json", ACCEPT_URLS)])
        .code(6)
        .says(&["-32042"])
        .counts(&[("tools/call", 1)]),
    row("stdio_url_required", &["once"])
        .line(&["t", "--on-elicit", "decline"])
        .code(6)
        .says(&["Sign in to one"])
        .counts(&[("tools/call", 1)]),
    // Arguments have tests of their own (`arguments.rs`); here is what is refused before anything is sent.
    row("stdio_args", &[""]).line(&["t", "n=abc"]).code(2).says(&["argument n"]).counts(&[("tools/call", 0)]),
    // A refused GET is no stream, and is not asked for again.
    row("http_get_stream", &["405", "404", "406", "400", "401", "500", "501", "json", "html", "empty", "hang"])
        .line(&["t", "--answer", "name=Ada", "--lenient-answers"])
        .out("got it\n")
        .counts(&[("tools/call", 1)]),
    row("http_get_stream", &["stream"]).line(&["t", "--answer", "name=Ada"]).out("got it Ada\n"),
    row("http_server_request", &["plain", "ack200", "slow"]).line(ALL).out_has("verdict: []").within(12),
    row("http_session", &["expire", "expire_ct"])
        .out("session s2\n")
        .says(&["forgotten the session"])
        .counts(&[("initialize", 2), ("tools/call", 2)]),
    row("http_session", &["forever"]).code(4).says(&["HTTP 404"]).counts(&[("initialize", 2), ("tools/call", 2)]),
    // Its words are the server's own, and it answered in JSON-RPC: a protocol error, with no second try.
    row("http_session", &["code400"])
        .code(6)
        .says(&["No valid session ID provided"])
        .counts(&[("initialize", 1), ("tools/call", 1)]),
    row("http_session", &["none"]).out("session None\n"),
    row("http_session", &["rotate"]).out("session s1\n"),
    row("http_session", &["weird"]).out_has("session !\"#$").got(&["\"verb\": \"DELETE\""]),
    // 301 and 302 are followed with the same POST, as 307 and 308 are: no server means a bodyless GET here. 303 is the one
    // status that asks for a GET, so it is an error.
    row("http_redirect", &["303"]).line(SECRETS).code(4).says(&["303"]).unsaid(&["SECRET"]),
    row("http_redirect", &["308", "307", "301", "302", "chain", "down"])
        .line(SECRETS)
        .out_has("arrived POST")
        .unsaid(&["SECRET"]),
    // Another origin gets nothing at all, be it asked by POST or by GET.
    row("http_redirect", &["cross", "loop", "nolocation"])
        .line(SECRETS)
        .code(4)
        .says(&["redirect"])
        .unsaid(&["SECRET"])
        .never(&["\"leak\""]),
    row("http_redirect", &["crossget"]).line(SECRETS).out_has("arrived POST").unsaid(&["SECRET"]).never(&["\"leak\""]),
];

/// Servers whose modes are run by tests of their own: server, modes, file under `tests/it`.
pub(super) const ELSEWHERE: &[(&str, &[&str], &str)] = &[
    // Each under every `--protocol`.
    (
        "http_probe",
        &[
            "400session",
            "400text",
            "400empty",
            "400version",
            "400init",
            "404html",
            "404rpc",
            "405",
            "406",
            "200err",
            "200errsse",
            "200obj",
            "500",
            "hang",
            "newer",
            "older",
            "mismatch",
            "auth",
            "ok",
        ],
        "versions.rs",
    ),
    (
        "stdio_legacy_probe",
        &[
            "silent",
            "silent_strict",
            "32602",
            "32600",
            "32000",
            "0",
            "nullid",
            "die",
            "result",
            "crashlog",
            "newer",
            "both",
            "toolsfirst",
        ],
        "versions.rs",
    ),
    // With a signal, or at a terminal.
    ("stdio_timeout", &["ctrlc"], "stdio.rs"),
    ("stdio_elicit_zoo", &["interactive"], "hard/ends.rs"),
    ("stdio_hostile", &["form", "url", "error", "surface"], "output.rs"),
    ("stdio_form", &["", "hang", "say", "withdraw"], "terminal.rs"),
    ("stdio_shell", &["later", "grow", "die", "say"], "shell.rs"),
    ("stdio_ping", &[""], "callbacks.rs"),
    ("stdio_url", &[""], "url_elicitation.rs"),
    ("stdio_story", &["", "30000"], "report.rs"),
    // Looked at closely.
    ("http_modern_headers", &["", "stale"], "headers.rs"),
    ("stdio_ask", &["", "careless", "again", "hang", "crash"], "matrix.rs"),
    (
        "stdio_listen",
        &["modern", "less", "ends", "cancels", "dies", "quiet", "refuses", "foreign", "legacy", "deaf"],
        "listen.rs",
    ),
    (
        "stdio_sampling",
        &["zoo", "tools", "choice", "nulltools", "huge", "control", "odd", "list", "withdraw", "takeback", "many"],
        "sampling.rs",
    ),
];
