#!/usr/bin/env python3
# Tool "t" asks the person to visit the URL given as the argument (elicitation, mode url) and returns what was answered, as JSON.
# RIGHT: the host is shown apart; the URL is opened only after a yes; what is neither http nor https is refused with an error.
import json, os, sys
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f: f.write(json.dumps(k) + "\n")
def send(m): sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **m}, ensure_ascii=False).encode() + b"\n"); sys.stdout.buffer.flush()
call = None
while line := sys.stdin.buffer.readline():
    m = json.loads(line); log(got=m)
    k, i = m.get("method"), m.get("id")
    if k == "initialize":
        send({"id": i, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "url", "version": "1"}}})
    elif k == "tools/list": send({"id": i, "result": {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}})
    elif k == "tools/call":
        call = i
        send({"id": "u-1", "method": "elicitation/create", "params": {"mode": "url", "elicitationId": "e-1", "message": "Please sign in", "url": sys.argv[1]}})
    elif k is None and i == "u-1":
        send({"id": call, "result": {"content": [{"type": "text", "text": json.dumps(m.get("result") or {"error": m.get("error")})}]}})
