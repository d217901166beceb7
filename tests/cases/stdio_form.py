#!/usr/bin/env python3
# Tool "t" asks with the message "Fill in" and the schema given as the first argument, and returns what was answered, as JSON.
# Second argument, MODE: (none), hang (never answers the call), say TEXT (returns that), withdraw (takes the question back, notifications/cancelled, once
# a file "withdraw" lies beside CASE_LOG, and answers the call "went on" once "finish" does).
# RIGHT: withdraw: the prompt leaves the screen, the terminal is given back, no answer is sent, the call goes on.
import json, os, sys, threading, time
SCHEMA = json.loads(sys.argv[1])
MODE = sys.argv[2] if len(sys.argv) > 2 else ''
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f:
            f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def send(m): sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **m}, ensure_ascii=False).encode() + b"\n"); sys.stdout.buffer.flush()
def ok(i, r): send({"id": i, "result": r})
def text(s): return {"content": [{"type": "text", "text": s}]}
def told(what):
    while not os.path.exists(os.path.join(os.path.dirname(os.environ["CASE_LOG"]), what)): time.sleep(0.02)
def withdraw():
    told("withdraw"); send({"method": "notifications/cancelled", "params": {"requestId": "e-1", "reason": "never mind"}})
    told("finish"); ok(call, text("went on"))
call = None
while line := sys.stdin.buffer.readline():
    m = json.loads(line); log(got=m)
    k, i = m.get("method"), m.get("id")
    if k == "initialize":
        ok(i, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "form", "version": "1"}})
    elif k == "tools/list": ok(i, {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
    elif k == "tools/call":
        call = i; send({"id": "e-1", "method": "elicitation/create", "params": {"message": "Fill in", "requestedSchema": SCHEMA}})
        if MODE == "withdraw": threading.Thread(target=withdraw, daemon=True).start()
    elif k is None and i == "e-1" and not MODE: ok(call, text(json.dumps(m.get("result") or {"error": m.get("error")})))
    elif k is None and i == "e-1" and MODE == "say": ok(call, text(sys.argv[3]))
    elif k == "ping": ok(i, {})
log(eof=True); os._exit(0)
