//! A server made up to break whoever reads it, on stdio.

use super::table::{Row, row};

const SERVER: &str = "stdio_hard";

pub(super) const ROWS: &[Row] = &[
    // JSON as deep as anyone likes: it is never built as a tree.
    row(SERVER, &["deep", "deeplist"]).out("deep\n"),
    row(SERVER, &["deep"]).line(&["t", "--json"]).out_has(r#"{"a":{"a":{"a":"#),
    row(SERVER, &["deep"]).line(&["t", "--select", "/structuredContent/a/a"]).out_has(r#"{"a":{"a":{"a":"#),
    row(SERVER, &["deepopen"]).code(4).says(&["tools/call: the answer is broken: not JSON"]),
    // A question that is too deep to be read is refused, and the call goes on.
    row(SERVER, &["ask_deep"]).out("went on\n").says(&["elicitation/create: params cannot be read"]).got(&["-32602"]),
    row(SERVER, &["ask_id"]).out("went on\n").counts(&[("response", 2)]),
    // Characters that are cut, and line ends of Unicode that are none here.
    row(SERVER, &["pieces"]).out("é 世界 🎉 a\u{2028}b\u{2029}c\u{85}d\n"),
    row(SERVER, &["utf8"]).out("caf\u{fffd} \u{fffd}\u{fffd} end\n").says(&["bytes that are not UTF-8"]),
    // Half a character has no bytes to be printed as.
    row(SERVER, &["surrogate"]).out_has(r"a\ud800b"),
    row(SERVER, &["nul"]).code(4).says(&["tools/call: the answer is broken: not JSON (control character"]),
    row(SERVER, &["nulescaped"]).out("a\0b\n"),
    // The last of two keys counts, as it does nearly everywhere; `--json` shows both.
    row(SERVER, &["twice"]).out("second\n"),
    row(SERVER, &["twice"]).line(&["t", "--json"]).out_has(r#""text":"first""#),
    row(SERVER, &["numbers"])
        .line(&["t", "--json"])
        .out_has(r#"{"a":1e400,"b":-1E-999999,"c":0.10,"d":123456789012345678901234567890,"e":-0}"#),
    row(SERVER, &["numbers"]).line(&["t", "--select", "/structuredContent/a"]).out("1e400\n"),
    row(SERVER, &["nothing", "number", "list"]).code(6).says(&["the result is not an object"]),
    row(SERVER, &["content"]).out("{\"type\":\"text\"}\n").says(&["content that is not a list"]),
    row(SERVER, &["blocks"]).out("null\n7\n\"x\"\n[]\n{}\n{\"type\":7}\n"),
    row(SERVER, &["longkey"]).out("ok\n"),
    row(SERVER, &["array"]).out("in a batch\n"),
    // Much of everything.
    row(SERVER, &["flood"]).out("after the flood\n").within(20),
    row(SERVER, &["unknown"]).out("after the flood\n").says(&["request 1000000, which was never made"]).within(20),
    row(SERVER, &["broken"]).out("after the flood\n").says(&["no message"]).within(20),
    row(SERVER, &["tools"]).line(&["list"]).out_has("t9999"),
    row(SERVER, &["tools"]).line(&["t9999"]).out("ok\n"),
    row(SERVER, &["cursor", "samecursor"]).out("ok\n").says(&["the list does not end"]),
    row(SERVER, &["stderr"]).out("ok\n").says(&["[server] eeee"]),
    // Other verbs take no harm from the same.
    row(SERVER, &["cursor", "samecursor"]).line(&["list"]).out_has("").says(&["the list does not end"]),
    row(SERVER, &["die_initialize"]).line(&["info"]).code(4).says(&["the server exited with status 3"]),
    row(SERVER, &["flood"]).line(&["listen", "--count", "1", "--timeout", "1"]).code(124),
    row(SERVER, &["big"]).code(4).says(&["--max-message-size raises the limit"]).within(25),
    row(SERVER, &["endless"])
        .line(&["t", "--max-message-size", "1M"])
        .code(4)
        .says(&["a message of more than 1048576 bytes", "--max-message-size raises the limit"]),
    row(SERVER, &["asks_50"]).line(&["t", "--answer", "name=Ada"]).out("all answered\n").counts(&[("response", 50)]),
    // More questions than may be open at once end the call; so does a server that takes no answers meanwhile.
    row(SERVER, &["asks", "asks_3000"])
        .line(&["t", "--answer", "name=Ada"])
        .code(6)
        .says(&["tools/call: the server has more than 256 questions open", "--max-asks raises the limit"])
        .within(25),
    row(SERVER, &["asks_3000"])
        .line(&["t", "--answer", "name=Ada", "--max-asks", "5000", "-q"])
        .out("all answered\n")
        .counts(&[("response", 3000)])
        .within(20),
    row(SERVER, &["pings_1000"]).out("all answered\n").counts(&[("response", 1000)]),
    row(SERVER, &["takenback"])
        .line(&["t", "--answer", "name=Ada", "--lenient-answers"])
        .out("went on\n")
        .says(&["the server took its question back"])
        .counts(&[("response", 0)]),
    // Slow, silent, deaf.
    row(SERVER, &["drip", "stop"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["no answer to tools/call within 1 s"]),
    row(SERVER, &["deaf"]).code(4).says(&["tools/call: the server closed its stdin"]),
    // The answer that comes after the cancellation is nobody's, and the next call has its own.
    row(SERVER, &["late"])
        .line(&["batch", "calls", "--timeout", "1"])
        .files(&[("calls", "{\"tool\":\"t\"}\n{\"tool\":\"t\"}\n")])
        .code(124)
        .out_has(r#"{"line":2,"exit":0,"result":{"content":[{"type":"text","text":"ok"}]}}"#)
        .unsaid(&["too late"])
        .counts(&[("notifications/cancelled", 1), ("tools/call", 2)]),
    // Dead at each step of the conversation.
    row(SERVER, &["die_initialize"])
        .code(4)
        .says(&["initialize: the server exited with status 3", "died at initialize"]),
    row(SERVER, &["die_initialized", "die_list"]).code(4).says(&["tools/list: the server exited with status 3"]),
    row(SERVER, &["die_call"]).code(4).says(&["tools/call: the server exited with status 3"]),
    row(SERVER, &["die_ask", "die_answer"])
        .line(&["t", "--answer", "name=Ada"])
        .code(4)
        .says(&["tools/call: the server exited with status 3"]),
    row(SERVER, &["die_result"]).out("ok\n"),
    // Schemas that would take for ever, or never end.
    row(SERVER, &["regex"])
        .line(&["t", "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"])
        .out("ok\n")
        .says(&["inputSchema"]),
    row(SERVER, &["ask_regex"])
        .line(&["t", "--answer", "name=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"])
        .code(2)
        .out_has("")
        .says(&["name does not match the pattern ^(a+)+$"]),
    row(SERVER, &["ask_enum"]).line(&["t", "--answer", "name=x99999"]).out("all answered\n").within(10),
    row(SERVER, &["regex", "ref"]).line(&["show", "t"]).out_has("Odd in its schema"),
    row(SERVER, &["ref"]).line(&["t", "n.next.next:={}"]).out("ok\n").says(&["inputSchema cannot be used"]),
];
