#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# while tools/call is pending the server sends one sampling/createMessage of the shape that MODE names and answers the call with what came
# back: the result or error as JSON text. MODE:
#   zoo       everything at once: single and list content, text, image, audio, tool_use, tool_result, an unknown kind, _meta, preferences,
#             stopSequences, metadata, includeContext, numbers that must keep their spelling
#   tools / choice / nulltools   `tools`, `toolChoice` alone, or both null
#   huge      a prompt of 1 MB             control   escape sequences and a NUL in the text, the tool's and the server's name
#   odd       messages is a string, maxTokens is missing        list      params is a list
#   withdraw  a request that is taken back after the client has had 1 s; the call ends 1 s later
#   takeback  the same when a file "withdraw" lies beside CASE_LOG; the call ends ("went on") when "finish" does
#   many      five requests at once, the texts are n=0 .. n=4; the call's answer is their texts in order
# An optional second argument is the protocol version.
# RIGHT: the params reach the command unchanged; tools and toolChoice are refused with -32602 unless sampling.tools was declared; a list of
# blocks goes back only where there are several and the version knows lists (2025-11-25); nothing is sent for what was taken back, and its
# command is gone.
import json, os, sys, time
MODE = sys.argv[1] if len(sys.argv) > 1 else 'zoo'
VERSION = sys.argv[2] if len(sys.argv) > 2 else '2025-11-25'
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f:
            f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def raw(b): sys.stdout.buffer.write(b); sys.stdout.buffer.flush()
def send(m): raw(json.dumps({"jsonrpc": "2.0", **m}, ensure_ascii=False).encode() + b"\n")
def ok(i, r): send({"id": i, "result": r})
def text(s, **k): return {"content": [{"type": "text", "text": s}], **k}
def recv():
    line = sys.stdin.buffer.readline()
    if not line: log(eof=True); return None
    m = json.loads(line)
    log(got=m); return m
def block(s): return {"type": "text", "text": s}
def ask(s, **k): return {"messages": [{"role": "user", "content": block(s)}], "maxTokens": 50, **k}
NAME = "fa\x1b[31mke\x00" if MODE == "control" else "fake"
PARAMS = {
    "zoo": {
        "_meta": {"trace": "a\u00e9\"b", "n": 1}, "maxTokens": 50, "temperature": 0.50, "unknown": [None, {}],
        "systemPrompt": "Be brief.\nBe kind.", "includeContext": "thisServer", "stopSequences": ["\n\n"], "metadata": {"a": 1},
        "modelPreferences": {"hints": [{"name": "claude"}, {"name": "small"}], "costPriority": 0.3, "speedPriority": 1.0},
        "messages": [
            {"role": "user", "content": block("Look at this")},
            {"role": "user", "content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}, {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]},
            {"role": "assistant", "content": [block("I use a tool"), {"type": "tool_use", "id": "u1", "name": "add", "input": {"a": 1}}]},
            {"role": "user", "content": {"type": "tool_result", "toolUseId": "u1", "content": [block("2")]}},
            {"role": "user", "content": {"type": "hologram", "x": 1}}]},
    "tools": ask("add 1 and 2", tools=[{"name": "add", "inputSchema": {"type": "object"}}], toolChoice={"mode": "auto"}),
    "choice": ask("add 1 and 2", toolChoice={"mode": "none"}), "nulltools": ask("no tools", tools=None, toolChoice=None),
    "huge": ask("a line of text\n" * 70000), "control": ask("red \x1b[31m and \x00 nothing"),
    "odd": {"messages": "hello"}, "list": [1], "withdraw": ask("take your time"), "takeback": ask("take your time")}
def told(what):
    while not os.path.exists(os.path.join(os.path.dirname(os.environ["CASE_LOG"]), what)): time.sleep(0.02)
call, n, texts = None, 0, {}
while (m := recv()) is not None:
    k, i = m.get("method"), m.get("id")
    if k == "initialize": ok(i, {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": {"name": NAME, "version": "1"}})
    elif k == "tools/list": ok(i, {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
    elif k == "tools/call":
        call = i
        if MODE == "many":
            for j in range(5): send({"id": "s%d" % j, "method": "sampling/createMessage", "params": ask("n=%d" % j)})
            continue
        send({"id": "s-1", "method": "sampling/createMessage", "params": PARAMS[MODE]})
        if MODE == "withdraw":
            time.sleep(1)
            send({"method": "notifications/cancelled", "params": {"requestId": "s-1", "reason": "enough"}})
            time.sleep(1)
            ok(call, text("withdrawn"))
        if MODE == "takeback":
            told("withdraw"); send({"method": "notifications/cancelled", "params": {"requestId": "s-1", "reason": "enough"}})
            told("finish"); ok(call, text("went on"))
    elif k is None and MODE == "many":
        texts[i] = ((m.get("result") or {}).get("content") or {}).get("text")
        if len(texts) == 5: ok(call, text(", ".join(str(texts["s%d" % j]) for j in range(5))))
    elif k is None and i == "s-1" and MODE not in ("withdraw", "takeback"):
        ok(call, text(json.dumps(m.get("result") or {"error": m.get("error")})))
    elif i is not None and k is not None: send({"id": i, "error": {"code": -32601, "message": "Method not found: " + k}})
