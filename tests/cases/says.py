# What the servers `stdio_says.py` and `http_says.py` say: each MODE is the words of a server themselves, so that a table can hold them.
# `METHOD = RESULT` gives this result, `METHOD : MESSAGES` these messages instead of an answer (one a line), `METHOD > BYTES` (HTTP) this answer from
# its status line on. METHOD may be `answer`: whatever comes without a method; it is said once. What no part of MODE speaks of is answered well, in either
# generation of the protocol; parts are parted by ` && `. In a text $ID is the id of the request, $TOKEN its progress token, $RESULT a good result,
# $OK a good answer, $CRLF and $CR line ends of HTTP and of old Macs, $BOM three bytes, $NUL one; `$N*WORD*` is WORD, N times.
import json, os, re, threading, time
LOCK = threading.Lock()
def log(**k):
    if os.environ.get("CASE_LOG"):
        with LOCK, open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f: f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
TOOL = '{"name":"t","inputSchema":{"type":"object"}}'
HAS = '"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{},"logging":{}}'
GOOD = {
    "initialize": '{"protocolVersion":"2025-11-25",%s,"serverInfo":{"name":"says","version":"1"}}' % HAS,
    "server/discover": '{"resultType":"complete","supportedVersions":["2026-07-28"],%s,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"says","version":"1"}},"ttlMs":0,"cacheScope":"private"}' % HAS,
    "tools/list": '{"resultType":"complete","tools":[%s]}' % TOOL,
    "tools/call": '{"resultType":"complete","content":[{"type":"text","text":"ok"}]}',
    "resources/list": '{"resultType":"complete","resources":[{"uri":"a:b","name":"b"}]}', "resources/templates/list": '{"resultType":"complete","resourceTemplates":[{"uriTemplate":"a:{x}","name":"x"}]}',
    "resources/read": '{"resultType":"complete","contents":[{"uri":"a:b","text":"ok"}]}',
    "prompts/list": '{"resultType":"complete","prompts":[{"name":"p","arguments":[{"name":"x"}]}]}', "prompts/get": '{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"ok"}}]}',
    "completion/complete": '{"resultType":"complete","completion":{"values":["ok"]}}', "ping": '{"resultType":"complete"}',
}
PART = re.compile(r"(\S+) ([=:>]) (.*)", re.S)
SAID = {}
def begin(mode): SAID.update({m[1]: (m[2], m[3]) for m in (PART.fullmatch(part) for part in mode.split(" && ") if part) })
def fill(text, m, method):
    good = GOOD.get(method, '{"resultType":"complete"}'); i = json.dumps(m.get("id"))
    params = m.get("params"); token = json.dumps(params.get("_meta", {}).get("progressToken")) if isinstance(params, dict) else "null"
    text = text.replace("$OK", '{"jsonrpc":"2.0","id":$ID,"result":$RESULT}').replace("$RESULT", good).replace("$ID", i).replace("$TOKEN", token)
    text = re.sub(r"\$(\d+)\*(.*?)\*", lambda r: r[2] * int(r[1]), text, flags=re.S)
    return text.replace("$CRLF", "\r\n").replace("$CR", "\r").replace("$BOM", "\ufeff").replace("$NUL", "\0")
# What is said to a message: None (nothing), or how ("=", ":" or ">") and the text.
def answer(m):
    method = m.get("method", "answer") if isinstance(m, dict) else "answer"
    how, text = SAID.get(method, ("", ""))
    if method == "answer": SAID.pop("answer", None)
    if how in (":", ">"): return how, fill(text, m, method)
    if not isinstance(m, dict) or m.get("id") is None or method == "answer": return None
    if how == "" and method not in GOOD: return ":", '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}' % json.dumps(m["id"])
    return "=", fill('{"jsonrpc":"2.0","id":$ID,"result":%s}' % (text or "$RESULT"), m, method)
