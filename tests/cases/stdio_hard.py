#!/usr/bin/env python3
# Hard on whoever reads: MODE is one of `hard_answers.py`, or
# die_STEP (exits 3 when that message comes: initialize, initialized, list, call, answer; die_ask: after it asked, die_result: after it answered the call),
# asks (10,000 questions at once, and no answer to the call), asks_N (N, and the answer when all N are answered), pings_N (the same with pings), takenback (asks, takes it back at once, answers the call), ask_regex (a form with a pattern that takes for ever), ask_enum (one with 100,000 options), drip (a byte a second), pieces (a byte at a time), endless (a line without end), deaf (closes its stdin
# before it answers with the list), late (no answer to the first call until it is cancelled, then one at once; answers the second), cursor (a next page for ever), samecursor (the same page for ever), tools (10,000 tools), stderr (8 MiB
# on stderr in one line), regex (a pattern that takes for ever on the argument x=aaaa…!), ref (a schema that is itself, and one that refers to itself), stop (stops reading: SIGSTOP to itself after the call).
# RIGHT: nothing hangs, crashes or grows without bound; what is wrong is said in a line; where the result can be shown it is.
import json, os, signal, sys, time
from hard_answers import MIB, answer, question, result, text
MODE = sys.argv[1] if len(sys.argv) > 1 else ""
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f: f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def raw(b): sys.stdout.buffer.write(b)
def put(b): raw(b + b"\n"); sys.stdout.buffer.flush()
def ok(i, r): put(json.dumps({"jsonrpc": "2.0", "id": i, "result": r}).encode())
def die(step):
    if MODE == "die_" + step: sys.stderr.write("fatal: died at %s\n" % step); sys.stderr.flush(); os._exit(3)
SCHEMA = {"type": "object"}
if MODE.endswith("regex"): SCHEMA = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$", "maxLength": 100000}, "y": {"type": "string", "pattern": "(((a{1,100}){1,100}){1,100}){1,100}"}}}
if MODE == "ref": SCHEMA = {"type": "object", "$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}, "l": {"$ref": "#/$defs/l"}}, "properties": {"n": {"$ref": "#/$defs/n"}, "l": {"$ref": "#/$defs/l"}, "s": {"$ref": "#"}, "gone": {"$ref": "#/$defs/gone"}, "far": {"$ref": "http://127.0.0.1:9/x.json"}}}
wanted = int(MODE.split("_")[1]) if MODE.startswith(("asks_", "pings_")) else 10000 if MODE == "asks" else 1 if MODE in ("ask_regex", "ask_enum") else 0
def ask(n):
    if MODE.startswith("pings"): return b'{"jsonrpc":"2.0","id":"p-%d","method":"ping"}' % n
    if MODE == "ask_enum": return question(n, {"enum": ["x%d" % n for n in range(100000)]})
    return question(n, SCHEMA["properties"]["x"]) if MODE == "ask_regex" else question(n)
call, answered, calls = None, set(), 0
if MODE == "stderr": sys.stderr.write("e" * (8 * MIB)); sys.stderr.flush()
while True:
    line = sys.stdin.buffer.readline()
    if not line: log(eof=True); break
    m = json.loads(line); log(got=m); k, i = m.get("method"), m.get("id")
    if k == "initialize":
        die("initialize")
        ok(i, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "hard", "version": "1"}})
    elif k == "notifications/initialized": die("initialized")
    elif k == "tools/list":
        die("list")
        if MODE == "deaf": os.close(0)
        one = {"name": "t", "inputSchema": SCHEMA}
        if MODE == "tools": ok(i, {"tools": [{**one, "name": "t%d" % n, "description": "d" * 200} for n in range(10000)]})
        elif MODE == "cursor": ok(i, {"tools": [{**one, "name": "n" + str(i)}], "nextCursor": "c%d" % i})
        elif MODE == "samecursor": ok(i, {"tools": [], "nextCursor": "same"})
        else: ok(i, {"tools": [one]})
        if MODE == "deaf": time.sleep(20); break
    elif k == "tools/call":
        die("call"); calls += 1; call = i
        if MODE in ("die_ask", "die_answer"): put(question(0)); die("ask")
        elif wanted:
            for n in range(wanted): raw(ask(n) + b"\n")
            sys.stdout.buffer.flush()
        elif MODE == "drip":
            for b in result(i, text(b"x" * 60)): raw(bytes([b])); sys.stdout.buffer.flush(); time.sleep(1)
        elif MODE == "pieces":
            for b in b"".join(answer(MODE, i)) + b"\n": raw(bytes([b])); sys.stdout.buffer.flush(); time.sleep(0.002)
        elif MODE == "endless":
            while True: raw(b"x" * MIB)
        elif MODE == "stop": sys.stdout.buffer.flush(); os.kill(os.getpid(), signal.SIGSTOP)
        elif MODE == "late" and calls == 1: pass
        else:
            for b in answer(MODE, i): raw(b + b"\n")
            sys.stdout.buffer.flush(); die("result")
    elif k == "notifications/cancelled":
        if MODE == "late": put(result(m["params"]["requestId"], text(b"too late")))
    elif k is None and call is not None:
        die("answer"); answered.add(json.dumps(i))
        if len(answered) == wanted and MODE != "asks": put(result(call, text(b"all answered")))
    elif k == "ping": ok(i, {})
