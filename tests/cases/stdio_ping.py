#!/usr/bin/env python3
# Tool "t" asks for a name; once a file "ping" lies beside CASE_LOG it pings the client and logs how long the answer took.
# RIGHT: the ping is answered within a second though the person has not answered.
import json, os, sys, threading, time
def log(**k):
    with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f: f.write(json.dumps(k) + "\n")
def send(m): sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n"); sys.stdout.buffer.flush()
sent = [0.0]
def ping():
    while not os.path.exists(os.path.join(os.path.dirname(os.environ["CASE_LOG"]), "ping")): time.sleep(0.02)
    sent[0] = time.time(); send({"id": "p-1", "method": "ping"})
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
call = None
while line := sys.stdin.buffer.readline():
    m = json.loads(line); log(got=m)
    k, i = m.get("method"), m.get("id")
    if k == "initialize":
        send({"id": i, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "ping", "version": "1"}}})
    elif k == "tools/list": send({"id": i, "result": {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}})
    elif k == "tools/call":
        call = i; send({"id": "e-1", "method": "elicitation/create", "params": {"message": "Name?", "requestedSchema": FORM}})
        threading.Thread(target=ping, daemon=True).start()
    elif k is None and i == "p-1": log(pong_after=time.time() - sent[0])
    elif k is None and i == "e-1": send({"id": call, "result": {"content": [{"type": "text", "text": "done"}]}})
