#!/usr/bin/env python3
# Tool "t" asks MESSAGE (first argument) with the schema given as the second, and answers "issued NAME" (the values in order)
# for content that the schema allows, isError for other content, and "nothing issued" for a no. Third argument, FAULTS, with
# commas between them: careless (a no and wrong content are as good as a yes), again (asks again after wrong content), hang
# (no answer to the call after decline), crash (exits after cancel), fixed ("done" whatever comes).
# RIGHT: `mcpcall t --matrix --yes` tells each fault and nothing else; a fresh process for each way.
import json, os, sys, time
MESSAGE, SCHEMA = sys.argv[1], json.loads(sys.argv[2])
FAULTS = sys.argv[3].split(",") if len(sys.argv) > 3 else []
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f:
            f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def send(m): sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **m}, ensure_ascii=False).encode() + b"\n"); sys.stdout.buffer.flush()
def text(s, **k): send({"id": call, "result": {"content": [{"type": "text", "text": s}], **k}})
def wrong(content):
    for name in SCHEMA.get("required", []):
        if name not in content: return name + " is missing"
    for name, value in content.items():
        field = SCHEMA["properties"][name]
        types = {"string": str, "integer": int, "boolean": bool}[field["type"]]
        if not isinstance(value, types) or types is int and isinstance(value, bool): return name + " is no " + field["type"]
        if isinstance(value, str) and not field.get("minLength", 0) <= len(value) <= field.get("maxLength", 99): return name + " has a bad length"
        if types is int and not field.get("minimum", value) <= value <= field.get("maximum", value): return name + " is out of range"
        if "enum" in field and value not in field["enum"]: return name + " is no option"
n_asked, call = 0, None
def ask():
    global n_asked
    n_asked += 1
    send({"id": "e-%d" % n_asked, "method": "elicitation/create", "params": {"message": MESSAGE, "requestedSchema": SCHEMA}})
def answered(m):
    result = m.get("result") or {}
    action, content = result.get("action"), result.get("content") or {}
    log(answered=action or "error", content=content)
    if "crash" in FAULTS and action == "cancel": os._exit(3)
    if "hang" in FAULTS and action == "decline": return
    if "fixed" in FAULTS: return text("done")
    why = wrong(content) if action == "accept" else None
    if "again" in FAULTS and why: return ask()
    if "careless" in FAULTS: return text("issued")
    if why: return text(why, isError=True)
    if action == "accept": return text(" ".join(["issued"] + [str(value) for value in content.values()]))
    text("nothing issued")
while line := sys.stdin.buffer.readline():
    m = json.loads(line); log(got=m)
    k, i = m.get("method"), m.get("id")
    if k == "initialize":
        send({"id": i, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "ask", "version": "1"}}})
    elif k == "tools/list": send({"id": i, "result": {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}})
    elif k == "tools/call": call = i; ask()
    elif k is None and str(i).startswith("e-"): answered(m)
    elif k == "ping": send({"id": i, "result": {}})
log(eof=True); os._exit(0)
