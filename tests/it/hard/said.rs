//! What a server says, word for word, and what comes of it: envelopes, ids, numbers, lists, schemas, and texts so large that
//! they must not be taken apart. Each row is run on stdio and over HTTP (`stdio_says.py`, `http_says.py`, whose head
//! explains the words), and what only HTTP has over HTTP alone.

use super::table::{Row, row};

/// Shown whatever it is; what a server asks is answered.
const LOUD: &[&str] = &["t", "-v", "--answer", "name=Ada", "--lenient-answers"];
const MODERN: &[&str] = &["t", "--protocol", "modern", "--root", "/srv", "--answer", "name=Ada", "--lenient-answers"];

/// Tools without a schema, with null for one, with none but alternatives, without a name, and one as it should be.
const ODD_TOOLS: &str = r#"tools/list = {"tools":[{"name":"none"},{"name":"null","inputSchema":null},{"name":"any","inputSchema":{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}},{"inputSchema":{}},null,{"name":"t","inputSchema":{"type":"object"}}]}"#;

/// A question without anything to fill in, and one to visit an address.
const CONFIRM: &str = r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}} && answer : {"jsonrpc":"2.0","id":3,"result":{"content":[]}}"#;
const VISIT: &str = r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","message":"Go","elicitationId":"e","url":"https://a.example/"}} && answer : {"jsonrpc":"2.0","id":3,"result":{"content":[]}}"#;
const YES: &str = r#"{"answers": [{"on": "elicitation", "action": "accept"}]}"#;

pub(super) fn rows() -> Vec<Row> {
    let on = |server| move |row: &Row| row.of(server);
    // What is bounded in memory is so for both: it is read by what they share.
    let on_both = BOTH.iter().filter(|row| !row.is_bounded()).map(on("stdio_says"));
    on_both
        .chain(BOTH.iter().map(on("http_says")))
        .chain(ON_STDIO.iter().map(on("stdio_says")))
        .chain(OVER_HTTP.iter().map(on("http_says")))
        .collect()
}

/// A row without its server.
const fn said(modes: &'static [&'static str]) -> Row {
    row("", modes).line(LOUD)
}

const BOTH: &[Row] = &[
    // A round may ask for as much as may be open at one time.
    said(&[r#"tools/call = {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}}"#])
        .line(&["t", "--protocol", "modern", "--root", "/srv", "--max-asks", "1"])
        .code(6)
        .says(&["tools/call: the server has more than 1 questions open at one time", "--max-asks raises the limit"])
        .counts(&[("tools/call", 1)]),
    // Of two keys the last counts, in envelopes too.
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":99,"id":$ID,"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"ping","method":"nope"}
$OK"#,
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"result":{"content":[]},"result":$RESULT}"#,
    ])
    .out("ok\n"),
    // An id that means ours is ours; one that is no id is nobody else's.
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":"$ID","result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":$ID.0,"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":$IDe0,"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":" $ID","result":$RESULT}"#,
        r#"tools/call : $BOM$OK"#,
    ])
    .out("ok\n"),
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":null,"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":[$ID],"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":true,"result":$RESULT}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":{"id":$ID},"result":$RESULT}"#,
    ])
    .out("ok\n")
    .says(&["is taken for the answer to request 3"]),
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"method":"x","result":$RESULT}"#,
        r#"tools/call : {"id":$ID,"result":$RESULT}"#,
    ])
    .out("ok\n")
    .says(&["warning: the reply to request 3 has "]),
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"boom"}}"#,
        r#"tools/call : {"jsonrpc":"2.0","error":{"code":-32000,"message":"boom"}}"#,
    ])
    .code(6)
    .says(&["is taken for the answer to request 3", "answered error -32000: boom"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":$ID,"result":$RESULT,"error":{"code":1,"message":"m"}}"#])
        .code(6)
        .says(&["has result and error both", "error 1: m"]),
    said(&["tools/call : [$OK,$OK]"]).out("ok\n").says(&["a late or second reply to request 3 was dropped"]),
    // One line for all that is wrong in a batch.
    said(&["tools/call : [$300000*7,*$OK]"]).out("ok\n").says(&["(not a JSON-RPC message): 7\n", "299999 more of its batch"]),
    said(&["tools/call : $OK trailing"]).code(4).says(&["the answer is broken: not JSON (trailing characters"]),
    // Requests with odd ids are answered under them, of a method that nobody knows too.
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":false,"method":"foo/bar","params":[1]}
{"jsonrpc":"2.0","id":1e400,"method":"ping"}
{"jsonrpc":"2.0","id":"\ud800","method":"ping"}
{"jsonrpc":"2.0","method":7}
$OK"#])
    .out("ok\n"),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}
{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m2","requestedSchema":{"type":"object","properties":{}}}}
$OK"#])
    .out("ok\n")
    .says(&["a request with id \"q\" is open already"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"$100000*m*","requestedSchema":{"type":"object","properties":{}}}} && answer : {"jsonrpc":"2.0","id":3,"result":$RESULT}"#])
        .line(&["t"])
        .code(7)
        .out_has("")
        .says(&["nobody answered: mmm", "(too large to be shown here; with --json it is data.stub)\n"]),
    // What is nested too deep, or is half of a character, costs nothing beside it.
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-5,"message":"the message","data":$100000*[*$100000*]*}}"#,
        r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-5,"message":"the message","data":"\ud800"}}"#,
    ])
    .code(6)
    .says(&["answered error -5: the message\n"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":["x"]}"#]).code(6).says(&["an error that is not an object"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{}}"#]).code(6).says(&["answered error: no message"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a\ud800"}}
{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"notice","x":$10000*[*$10000*]*,"data":"beside"}}
{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"shout","data":7}}
{"jsonrpc":"2.0","method":"notifications/message","params":[]}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":1,"message":"half","x":$10000*[*$10000*]*}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":"1","total":"x","message":7}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"not ours","progress":-0,"total":1e400}}
{"jsonrpc":"2.0","method":"notifications/progress"}
{"jsonrpc":"2.0","method":"notifications/cancelled"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":$10000*[*$10000*]*}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$ID}}
$OK"#])
    .out("ok\n")
    .says(&["[info] a\u{fffd}\n", "[notice] beside\n", "[shout] 7\n", "[no level] null\n", "[progress 1] half\n", "[progress ?]\n"]),
    said(&[
        r#"initialize = {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"x":$100000*[*$100000*]*},"serverInfo":{"name":"x"}}"#,
        r#"initialize = {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"a\ud800"},"instructions":"\ud800"}"#,
    ])
    .out("ok\n"),
    said(&[
        r#"initialize = {"capabilities":null,"serverInfo":"x"}"#,
        r#"initialize = {"protocolVersion":"9999-01-01","capabilities":["tools"]}"#,
    ])
    .out("ok\n")
    .says(&["warning: the server", "going on as 2025-11-25", "capabilities are not an object"]),
    said(&["initialize = null", "initialize = 7", "initialize = []"]).code(4).says(&["result of initialize is not an object"]),
    said(&[r#"initialize = {"protocolVersion":7}"#]).code(4).says(&["protocolVersion is not a string: 7"]),
    said(&[r#"server/discover = {"resultType":"complete","supportedVersions":[null,7,"2026-07-28"],"capabilities":{"x":$10000*[*$10000*]*}}"#])
        .line(MODERN)
        .out("ok\n"),
    // Results of every wrong type.
    said(&[r#"tools/call = {"content":null,"isError":"true"}"#])
        .says(&["has content that is not a list", "isError that is neither true nor false"]),
    said(&[r#"tools/call = {"structuredContent":{"a":1}}"#]).line(&["t"]).out("{\n  \"a\": 1\n}\n").unsaid(&["warning"]),
    said(&["tools/call = {}"]).out("{}\n").says(&["has neither content nor structuredContent"]),
    // What nobody knows yet costs nothing beside it.
    said(&[r#"tools/call = {"content":[{"type":"text","text":"a","annotations":{"audience":["robot"],"priority":9},"_meta":{"x":[1]}},{"type":"text","text":"b","annotations":{"audience":"user"}},{"type":"text","text":"c","annotations":7},{"type":"resource_link","uri":"file:///d","name":"d","annotations":null},{"type":"future","text":"e"}],"_meta":{"x":[1]},"future":1}"#])
        .line(&["t"])
        .out("a\nb\nc\n[link] d file:///d\n{\"type\":\"future\",\"text\":\"e\"}\n")
        .unsaid(&["warning"]),
    // A failed call says why, whatever was promised of its result.
    said(&[r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"type":"object","required":["a"]}}]} && tools/call = {"content":[{"type":"text","text":"the reason"}],"structuredContent":{"b":1},"isError":true}"#])
        .code(5)
        .out("the reason\n")
        .says(&["tool t reported an error"])
        .unsaid(&["outputSchema"]),
    said(&[r#"tools/call = {"content":[],"isError":true}"#]).code(5).says(&["tool t reported an error"]),
    said(&[r#"tools/call = {"content":[],"structuredContent":"x"}"#]).out("\"x\"\n"),
    said(&[r#"tools/call = {"content":[{"type":"text","text":7},{"type":"image","data":7},{"type":"resource","resource":7},{"type":"resource_link"}]}"#])
        .out("{\"type\":\"text\",\"text\":7}\n{\"type\":\"image\",\"data\":7}\n7\n{\"type\":\"resource_link\"}\n"),
    said(&[r#"tools/call = {"resultType":7,"content":[]}"#, r#"tools/call = {"resultType":"later","content":[]}"#])
        .line(MODERN)
        .code(6)
        .says(&["has the unknown resultType"]),
    said(&[
        r#"tools/call = {"resultType":"input_required"}"#,
        r#"tools/call = {"resultType":"input_required","inputRequests":[]}"#,
        r#"tools/call = {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":$1000*[*$1000*]*}}}"#,
        r#"tools/call = {"resultType":"input_required","requestState":7}"#,
        r#"tools/call = {"resultType":"input_required","inputRequests":{"a":{"method":"x/y"}}}"#,
    ])
    .line(MODERN)
    .code(6)
    .says(&["tools/call: the result "]),
    // The other verbs.
    said(&["tools/list = null", r#"tools/list = {"tools":{"a":1}}"#, r#"tools/list = {"tools":null}"#])
        .line(&["list"])
        .code(6)
        .says(&["tools/list: the result has no list \"tools\""]),
    said(&[r#"tools/list = {"tools":[null,7,"x",[],{},{"name":"t"}]}"#]).line(&["list"]).out("null\n7\n\"x\"\n[]\n{}\nt\n"),
    // A tool without a schema, or with one of a shape of its own, is called by its name.
    said(&[ODD_TOOLS]).line(&["none", "x=1"]).out("ok\n").got(&[r#""arguments": {"x": "1"}"#]),
    said(&[ODD_TOOLS]).line(&["null", "x=1"]).out("ok\n").got(&[r#""arguments": {"x": "1"}"#]),
    said(&[ODD_TOOLS]).line(&["any", "a=007"]).out("ok\n").got(&[r#""arguments": {"a": "007"}"#]),
    said(&[ODD_TOOLS]).line(&["any", "b:=7"]).out("ok\n").got(&[r#""arguments": {"b": 7}"#]),
    said(&[ODD_TOOLS]).line(&["any", "c=7"]).code(2).says(&["fits none of the allowed shapes"]),
    said(&[ODD_TOOLS]).line(&["t"]).out("ok\n"),
    said(&[r#"tools/list = {"tools":[],"nextCursor":7}"#]).line(&["list"]).says(&["nextCursor is 7", "the cursor 7 came before"]),
    said(&[r#"tools/list = {"tools":[],"nextCursor":$1000*[*$1000*]*}"#]).line(&["list"]).says(&["taken for the end of the list"]),
    said(&["resources/read = null", r#"resources/read = {"contents":{"uri":"a:b"}}"#])
        .line(&["read", "a:b"])
        .code(6)
        .says(&["resources/read: the result has no list \"contents\""]),
    said(&[r#"resources/read = {"contents":[null,7,{"uri":7,"text":7},{"text":"t"}]}"#])
        .line(&["read", "a:b"])
        .out("null\n7\n{\"uri\":7,\"text\":7}\nt"),
    said(&[r#"prompts/get = {"messages":[null,7,{"role":7,"content":7},{"role":"user","content":{"type":"future"}}]}"#])
        .line(&["prompt", "p"])
        .out("null\n\n7\n\n{\"role\":7,\"content\":7}\n\nuser: {\"type\":\"future\"}\n"),
    said(&["completion/complete = null", r#"completion/complete = {"completion":{"values":"x"}}"#])
        .line(&["complete", "prompt:p", "x="])
        .code(6)
        .says(&["completion/complete: the result has no list of values"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-5,"message":"the message","data":$10000*[*$10000*]*}}"#])
        .line(&["batch", "calls"])
        .files(&[("calls", "{\"tool\":\"t\"}\n")])
        .code(6)
        .out_has(r#"{"line":1,"exit":6,"error":{"kind":"protocol","exit":6,"code":-5,"message":"tools/call: the server answered error -5: the message""#)
        .says(&["error: line 1: tools/call: the server answered error -5: the message"]),
    said(&[r#"ping = $100000*[*$100000*]*"#]).line(&["request", "ping"]).out_has("[[[[[["),
    // Schemas: of arguments (unchecked, with a warning), of results (--check says that it is not known) and of questions.
    said(&[
        r##"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"$ref":"#"}}]}"##,
        r#"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","allOf":[$200000*{},*{}]}}]}"#,
        r#"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"pattern":"$300000*a?*"}}}}]}"#,
        r#"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"pattern":"(((((a{1,1000}){1,1000}){1,1000}){1,1000}){1,1000})"}}}}]}"#,
        r#"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"$ref":"http://127.0.0.1:9/x"}}}}]}"#,
    ])
    .line(&["t", "x=a"])
    .out("ok\n")
    .says(&["inputSchema cannot be used"]),
    said(&[r#"tools/list = {"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"type":"string","pattern":"^(?:(?=a)a|a)*(?!z)$"}}}}]}"#])
        .line(&["t", "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"])
        .code(2)
        .says(&["argument x cannot be compared with its pattern: that takes too long"]),
    said(&[
        r##"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"$ref":"#"}}]} && tools/call = {"content":[],"structuredContent":1}"##,
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"allOf":[$200000*{},*{}]}}]} && tools/call = {"content":[],"structuredContent":1}"#,
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"pattern":"$300000*a?*"}}]} && tools/call = {"content":[],"structuredContent":1}"#,
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{}}]} && tools/call = {"content":[],"structuredContent":$200*[*$200*]*}"#,
    ])
    .line(&["t", "--check"])
    .code(8)
    .out_has("")
    .says(&["the result of t was not checked against its outputSchema"]),
    said(&[r#"tools/list = {"tools":[{"name":"t","inputSchema":{},"outputSchema":{"properties":{"x":{"pattern":"^(?:(?=a)a|a)*(?!z)$"}}}}]} && tools/call = {"content":[],"structuredContent":{"x":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}}"#])
        .line(&["t", "--check"])
        .code(8)
        .out_has("aaaa!")
        .says(&["structuredContent/x cannot be compared with its pattern"]),
    said(&[
        r#"tools/list = {"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"type":"array","minItems":1e12,"items":{"minimum":1e999999999}}}},"outputSchema":7}]}"#,
        r##"tools/list = {"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"$ref":"#/properties/x"}}}}]}"##,
    ])
    .line(&["show", "t"])
    .out_has("To call it"),
    // 20 MB on one line are an answer like any other.
    said(&[r#"tools/call = {"content":[{"type":"text","text":"$10000000*é*end"}]}"#]).out_has("ééend\n").within(20),
    // Much more than can be held as values: what is only printed is printed, what would have to be taken apart is refused.
    said(&[r#"tools/call = {"content":[],"structuredContent":[$4000000*7,*7]}"#])
        .line(&["t", "--json"])
        .out_has("7,7]")
        .bounded(),
    said(&[r#"tools/call = {"content":[],"structuredContent":[$4000000*7,*8]}"#])
        .line(&["t", "--select", "/structuredContent/4000000"])
        .out("8\n")
        .bounded(),
    said(&[r#"tools/call = {"content":[$4000000*7,*7]}"#]).out_has("7,7]").bounded(),
    said(&[r#"tools/call : [$4000000*7,*$OK]"#]).code(4).says(&["it has more than 1000000 items; --max-complexity"]).bounded(),
    said(&[r#"tools/call : {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[$4000000*7,*7]}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[$4000000*7,*7]}}
$OK"#])
    .out("ok\n")
    .says(&["[info] null"])
    .bounded(),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":$ID,"error":{"code":-5,"message":"the message","data":[$4000000*7,*7]}}"#])
        .code(6)
        .says(&["answered error -5: the message"])
        .bounded(),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"enum":[$4000000*7,*7]}}}
$OK"#])
    .out("ok\n")
    .says(&["elicitation/create: params cannot be read: it has more than 1000000 values; --max-complexity"])
    .bounded(),
    said(&[r#"tools/list = {"tools":[$4000000*7,*7]}"#])
        .line(&["list"])
        .code(6)
        .says(&["tools/list: the list has more than 1000000 values", "--max-complexity raises the limit"])
        .bounded(),
    said(&[r#"tools/list = {"tools":[{"name":"t","inputSchema":{"enum":[$2000*7,*7]}}]}"#])
        .line(&["list", "--max-complexity", "1000"])
        .code(6)
        .says(&["the list has more than 1000 values"]),
    // Page after page, each small enough.
    said(&[r#"tools/list = {"tools":[],"x":"$300000*x*","nextCursor":"$ID"}"#])
        .line(&["list", "--max-message-size", "1M"])
        .code(6)
        .says(&["tools/list: the list has more than 1048576 bytes", "--max-message-size raises the limit"]),
];

const ON_STDIO: &[Row] = &[
    // Of very much that is wrong the first hundred, and how much more there was.
    said(&["tools/call : $300*nonsense\n*$OK"]).out("ok\n").says(&[
        "there is more to warn of: it is counted only",
        "warning: 200 more warnings were left out",
    ]),
    // An option is sent as the server wrote it.
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","enum":[1,2],"default":2.0}}}}} && answer : {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"ok"}]}}"#,
    ])
    .line(&["t", "--on-elicit", "defaults"])
    .out("ok\n")
    .got(&["\"n\": 2}"]),
    // Content goes with accept, of a form, and with nothing else; nobody accepts but the user.
    said(&[CONFIRM])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", YES)])
        .got(&[r#""result": {"action": "accept", "content": {}}}"#]),
    said(&[CONFIRM]).line(&["t", "--answer", "name=Ada", "--lenient-answers"]).code(7).never(&["accept"]),
    said(&[CONFIRM, VISIT]).line(&["t", "--on-elicit", "decline"]).got(&[r#""result": {"action": "decline"}}"#]),
    said(&[CONFIRM, VISIT]).line(&["t", "--on-elicit", "cancel"]).got(&[r#""result": {"action": "cancel"}}"#]),
    said(&[VISIT])
        .line(&["t", "--auto-answer", "a.json"])
        .files(&[("a.json", YES)])
        .got(&[r#""result": {"action": "accept"}}"#]),
    said(&["server/discover = null", r#"server/discover = {"supportedVersions":"2026-07-28"}"#])
        .line(&["t", "--protocol", "modern"])
        .code(4)
        .says(&["does not speak 2026-07-28: server/discover: the result has no list supportedVersions"]),
    // No id of ours, and one that could be somebody's: nothing says whose it is.
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":99,"result":$RESULT}"#])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["a reply to request 99, which was never made"]),
];

const OVER_HTTP: &[Row] = &[
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Length: 0$CRLFConnection: close$CRLF$CRLF",
        "tools/call > HTTP/1.1 202 Accepted$CRLFContent-Length: 0$CRLFConnection: close$CRLF$CRLF",
        "tools/call > HTTP/1.1 204 No Content$CRLFConnection: close$CRLF$CRLF",
    ])
    .code(4)
    .says(&["tools/call: the server ended its response without an answer"]),
    said(&["initialize > HTTP/1.1 200 OK$CRLFContent-Length: 0$CRLFConnection: close$CRLF$CRLF"])
        .code(4)
        .says(&["initialize: the server ended its response without an answer"]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/html$CRLFConnection: close$CRLF$CRLF<html>Sign in"])
        .code(4)
        .says(&["neither JSON nor an event stream (text/html): HTTP 200: <html>Sign in"]),
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLFTransfer-Encoding: chunked$CRLFConnection: close$CRLF$CRLF10$CRLF{\"jsonrpc\":",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFTransfer-Encoding: chunked$CRLFConnection: close$CRLF$CRLF40$CRLFdata: {",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Length: 5000$CRLFConnection: close$CRLF$CRLF$OK",
    ])
    .code(4)
    .says(&["tools/call: end of file before message length reached"]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFContent-Length: 20$CRLFConnection: close$CRLF$CRLF$OK"])
        .code(4)
        .says(&["not JSON (EOF while parsing", "tools/call: "]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Length: -1$CRLF$CRLF$OK", "tools/call > HTTP/1.1 0 Odd$CRLF$CRLF", "tools/call > $OK"])
        .code(4)
        .says(&["tools/call: invalid "]),
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLF$100000*X-A: b$CRLF*$CRLF$OK",
        "tools/call > HTTP/1.1 200 OK$CRLFX-A: $3000000*b*$CRLF$CRLF$OK",
    ])
    .code(4)
    .says(&["tools/call: message head is too large"]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Ty", "tools/call > "]).code(4).says(&["tools/call: connection closed before"]),
    // However long a server wants to be left alone: nothing is sent again by itself.
    said(&["tools/call > HTTP/1.1 429 Too Many$CRLFRetry-After: 99999999999$CRLFContent-Length: 0$CRLFConnection: close$CRLF$CRLF"])
        .code(4)
        .says(&["refused: HTTP 429"])
        .counts(&[("tools/call", 1)]),
    said(&["initialize > HTTP/1.1 503 Busy$CRLFRetry-After: -7 weeks$CRLFContent-Length: 10$CRLFConnection: close$CRLF$CRLFcome later."])
        .code(4)
        .says(&["refused: HTTP 503 Service Unavailable: come late"]),
    // Of a content type the media type counts, in any case; a wrong one is told, and the body believed.
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream; charset=utf-8$CRLFConnection: close$CRLF$CRLFdata: $OK\n\n",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: Text/Event-Stream;charset=\"UTF-8\"$CRLFConnection: close$CRLF$CRLFdata: $OK\n\n",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: Application/JSON; charset=utf-8$CRLFConnection: close$CRLF$CRLF$OK",
        // CRLF, comments, a priming event, data in several lines, and an id that is no number.
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLF: hello$CRLFid: a/é$CRLFretry: 5$CRLFdata:$CRLF$CRLFevent:message$CRLFdata:{\"jsonrpc\":\"2.0\",$CRLFdata: \"id\":$ID,$CRLFdata:\"result\":$RESULT}$CRLF$CRLF",
    ])
    .line(&["t"])
    .out("ok\n")
    .unsaid(&["warning"]),
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLF$OK",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFConnection: close$CRLF$CRLFevent: message\ndata: $OK\n\n",
        "tools/call > HTTP/1.1 200 OK$CRLFConnection: close$CRLF$CRLF$OK",
        "tools/call > HTTP/1.1 200 OK$CRLFConnection: close$CRLF$CRLFdata: $OK\n\n",
    ])
    .line(&["t"])
    .out("ok\n")
    .says(&["and was read as such"]),
    // A reply with the id of another is not taken while the right one may come.
    said(&[
        r#"tools/call : {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
$OK"#,
        r#"tools/call : {"jsonrpc":"2.0","id":"x","result":{}}
$OK"#,
    ])
    .out("ok\n")
    .says(&["is taken for the answer to request 3, unless that comes too"]),
    said(&[r#"tools/call : {"jsonrpc":"2.0","id":0,"result":$RESULT}"#])
        .out("ok\n")
        .says(&["a reply with id 0 is taken for the answer to request 3"]),
    // A level that is refused costs no call.
    said(&["logging/setLevel > HTTP/1.1 400 Bad$CRLFContent-Length: 2$CRLFConnection: close$CRLF$CRLFno"])
        .line(&["t", "--log-level", "warning"])
        .out("ok\n")
        .says(&["warning: logging/setLevel: ", "refused: HTTP 400 Bad Request: no"]),
    said(&["tools/call > HTTP/1.1 307 T$CRLFLocation: http://[::1$CRLFContent-Length: 0$CRLF$CRLF"]).code(4).says(&["a Location that is no URL"]),
    said(&["tools/call > HTTP/1.1 307 T$CRLFLocation: javascript:alert(1)$CRLFContent-Length: 0$CRLF$CRLF"])
        .code(4)
        .says(&["another origin, a javascript URL: not followed"]),
    // A session's name goes back as it came.
    said(&["initialize > HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFMcp-Session-Id: a b;\"c\"%00~é$CRLFConnection: close$CRLF$CRLF$OK"])
        .out("ok\n")
        .got(&[r#""session": "a b;\"c\"%00~"#]),
    said(&["tools/call > HTTP/1.1 404 Not Found$CRLFContent-Length: 0$CRLFConnection: close$CRLF$CRLF"])
        .code(4)
        .says(&["forgotten the session", "HTTP 404"])
        .counts(&[("tools/call", 2)]),
    said(&[
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLFdata: $OK$CR$CR",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLF$BOMdata: $OK\n\n",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLFevent: message\nid: 7\nretry: x\n\nevent: error\ndata: oops\n\ndata\n\ndata: $OK\n\n",
        "tools/call > HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFContent-Encoding: $CRLFConnection: close$CRLF$CRLF$BOM$OK",
        "tools/call > $10000*HTTP/1.1 100 Continue$CRLF$CRLF*HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFConnection: close$CRLF$CRLF$OK",
        "GET > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLFretry: 0\nid: 1\ndata:\n\n",
        "notifications/initialized > HTTP/1.1 200 OK$CRLFContent-Length: 99999999$CRLFConnection: close$CRLF$CRLFx",
    ])
    .out("ok\n"),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLFid: 1\nretry: 99999999999\ndata:\n\n"])
        .line(&["t", "--timeout", "1"])
        .code(124)
        .says(&["no answer to tools/call within 1 s"]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Type: text/event-stream$CRLFConnection: close$CRLF$CRLFid: $1000000*i*\nretry: 10\ndata:\n\n"])
        .code(4)
        .says(&["the server refused to resume the event stream"]),
    said(&["tools/call > HTTP/1.1 200 OK$CRLFContent-Type: application/json$CRLFContent-Encoding: gzip, br$CRLFConnection: close$CRLF$CRLF$OK"])
        .code(4)
        .says(&["the answer has Content-Encoding \"gzip, br\", which is not read here"]),
];
