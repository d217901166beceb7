#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# a server that does things when nothing is called. TOOLS: later (answers, and 0.3 s after that asks for a name; what comes is logged), grow (has one more tool from then on,
# grown, and says so), die (answers, and exits 3 0.3 s after that), say (answers, and logs "still here" 0.3 s after that).
# Run: mcpcall shell -- python3 stdio_shell.py [halves]     (halves: tools/list has a second page, which is an error)
# RIGHT: the question is put at once where nothing is typed, else after the line; grown can be completed after grow; after die the shell ends with 4 and says why at once;
# "still here" stands above the prompt, and what is half typed stays.
import json, os, sys, threading, time
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f:
            f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def send(m): sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\n"); sys.stdout.flush()
def ok(i, r): send({"id": i, "result": r})
TOOLS = ["later", "grow", "die", "say"]
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
def after(what): threading.Timer(0.3, what).start()
def ask(): send({"id": "q", "method": "elicitation/create", "params": {"message": "Who is there?", "requestedSchema": FORM}})
for line in sys.stdin:
    m = json.loads(line); log(got=m); k, i = m.get("method"), m.get("id")
    if k == "initialize":
        caps = {"tools": {"listChanged": True}, "logging": {}}
        ok(i, {"protocolVersion": "2025-11-25", "capabilities": caps, "serverInfo": {"name": "odd", "version": "1"}})
    elif k == "tools/list" and "cursor" in m.get("params", {}): send({"id": i, "error": {"code": -32000, "message": "page torn out"}})
    elif k == "tools/list":
        more = {"nextCursor": "2"} if sys.argv[1:] == ["halves"] else {}
        ok(i, {"tools": [{"name": n, "inputSchema": {"type": "object"}} for n in TOOLS], **more})
    elif k == "tools/call":
        name = m["params"]["name"]
        if name not in TOOLS: send({"id": i, "error": {"code": -32602, "message": "Unknown tool: " + name}}); continue
        if name == "grow": TOOLS.append("grown"); send({"method": "notifications/tools/list_changed"})
        ok(i, {"content": [{"type": "text", "text": "done " + name}]})
        if name == "later": after(ask)
        elif name == "die": after(lambda: os._exit(3))
        elif name == "say": after(lambda: send({"method": "notifications/message", "params": {"level": "info", "data": "still here"}}))
    elif i is not None and k: send({"id": i, "error": {"code": -32601, "message": "Method not found: " + k}}) if k not in ("logging/setLevel", "ping") else ok(i, {})
log(eof=True)
