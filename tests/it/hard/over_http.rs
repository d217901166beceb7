//! The same over HTTP, and what only HTTP has: encodings, bodies without end, broken connections.

use super::table::{Row, row};

const SERVER: &str = "http_hard";

pub(super) const ROWS: &[Row] = &[
    row(SERVER, &["", "gzip", "br", "zstd", "v6", "never"]).out("ok\n").got(&["\"verb\": \"DELETE\""]),
    row(SERVER, &["nogzip"]).code(4).says(&["tools/call: the answer cannot be decoded as its Content-Encoding says: "]),
    row(SERVER, &["bomb", "endless"])
        .line(&["t", "--max-message-size", "4M"])
        .code(4)
        .says(&["the answer is larger than 4194304 bytes"]),
    row(SERVER, &["endlesssse"])
        .line(&["t", "--max-message-size", "4M"])
        .code(4)
        .says(&["an event is larger than 4194304 bytes"]),
    row(SERVER, &["lines"])
        .line(&["t", "--max-message-size", "1M"])
        .code(4)
        .says(&["an event is larger than 1048576 bytes"]),
    row(SERVER, &["headers"]).code(4).says(&["message head is too large"]),
    row(SERVER, &["error"]).code(4).says(&["HTTP 500", r"\u{1b}[31mtrouble"]),
    row(SERVER, &["cut"]).code(4).says(&["tools/call: end of file before message length reached"]),
    // Nothing of this is a sign of life.
    row(SERVER, &["drip", "dripsse", "hang", "comments"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["no answer to tools/call within 1 s"])
        .got(&["notifications/cancelled"]),
    row(SERVER, &["retry"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["may be taken up again after 86400 s", "no answer to tools/call within 1 s"]),
    row(SERVER, &["late"])
        .line(&["batch", "calls", "--timeout", "1"])
        .files(&[("calls", "{\"tool\":\"t\"}\n{\"tool\":\"t\"}\n")])
        .code(124)
        .out_has(r#"{"line":2,"exit":0,"result":{"content":[{"type":"text","text":"ok"}]}}"#)
        .counts(&[("notifications/cancelled", 1), ("tools/call", 2)]),
    row(SERVER, &["asks"])
        .line(&["t", "--answer", "name=Ada"])
        .code(6)
        .says(&["tools/call: the server has more than 256 questions open", "--max-asks raises the limit"]),
    row(SERVER, &["die_initialize"]).code(4).says(&["initialize: connection error: Connection reset by peer"]),
    // A call that was not lost is answered all the same.
    row(SERVER, &["die_initialized"]).out("ok\n").says(&["notifications/initialized was not delivered"]),
    row(SERVER, &["die_list"]).code(4).says(&["tools/list: connection error: Connection reset by peer"]),
    // Never sent again: nobody knows whether the server did it.
    row(SERVER, &["die_call"])
        .code(4)
        .says(&["tools/call: connection error: Connection reset by peer"])
        .counts(&[("tools/call", 1)]),
    row(SERVER, &["die_ask"]).line(&["t", "--answer", "name=Ada", "--lenient-answers"]).code(4).says(&["tools/call: "]),
    row(SERVER, &["die_answer"])
        .line(&["t", "--answer", "name=Ada"])
        .code(4)
        .says(&["the answer to elicitation/create was not delivered", "tools/call: "]),
    row(SERVER, &["deep", "json_deep"]).out("deep\n"),
    row(SERVER, &["ask_deep"]).out("went on\n").says(&["elicitation/create: params cannot be read"]),
    // Characters that are cut, and line ends of Unicode that are none here.
    row(SERVER, &["pieces"]).out("é 世界 🎉 a\u{2028}b\u{2029}c\u{85}d\n"),
    row(SERVER, &["utf8", "json_utf8"]).out("caf\u{fffd} \u{fffd}\u{fffd} end\n").says(&["bytes that are not UTF-8"]),
    row(SERVER, &["nul", "json_nul"]).code(4).says(&["tools/call: the answer is broken: not JSON (control character"]),
    row(SERVER, &["numbers", "json_numbers"]).line(&["t", "--json"]).out_has(r#"{"a":1e400,"b":-1E-999999,"#),
    row(SERVER, &["flood"]).out("after the flood\n").within(20),
    row(SERVER, &["big"]).code(4).says(&["larger than 268435456 bytes"]).within(25),
];
