#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# subscriptions over stdio. MODE: modern (2026-07-28: acknowledges, then tells of res://a twice), less (acknowledges no resource), ends (acknowledges, then ends the subscription with
# a result), cancels (the same with notifications/cancelled), dies (acknowledges, exits 3), quiet (acknowledges and says nothing more), refuses (-32601), foreign (tells of another
# subscription, then its own), legacy (2025-11-25: resources/subscribe, then tells of res://a twice), deaf (the same, but refuses resources/subscribe).
# Run: mcpcall listen res://a --protocol modern -- python3 stdio_listen.py MODE
# RIGHT: one line a notification, none for the acknowledgement; less: a warning that names res://a; ends, cancels, dies, refuses: exit 4 or 6 with the reason. At ^C with
# an open subscription: notifications/cancelled with the id of the subscription before stdin is closed. modern: server/discover before subscriptions/listen, no initialize.
import json, os, sys, time
MODE = sys.argv[1] if len(sys.argv) > 1 else "modern"
def log(**k):
    if os.environ.get("CASE_LOG"):
        with open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f:
            f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def send(m): sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\n"); sys.stdout.flush()
def ok(i, r): send({"id": i, "result": r})
def err(i, c, msg): send({"id": i, "error": {"code": c, "message": msg}})
def told(k, **p): send({"method": "notifications/" + k, "params": p})
SUB = "io.modelcontextprotocol/subscriptionId"
for line in sys.stdin:
    m = json.loads(line); log(got=m); k, i, p = m.get("method"), m.get("id"), m.get("params") or {}
    if k == "initialize" and MODE in ("legacy", "deaf"):
        ok(i, {"protocolVersion": "2025-11-25", "capabilities": {"resources": {"subscribe": True}}, "serverInfo": {"name": "fake", "version": "1"}})
    elif k == "resources/subscribe" and MODE == "legacy":
        ok(i, {})
        for _ in range(2): told("resources/updated", uri=p["uri"])
    elif k == "server/discover" and MODE not in ("legacy", "deaf"):
        ok(i, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"})
    elif k == "subscriptions/listen" and MODE not in ("legacy", "deaf", "refuses"):
        meta = {SUB: i}; wanted = p["notifications"]
        if MODE == "less": wanted = {"toolsListChanged": True}
        told("subscriptions/acknowledged", _meta=meta, notifications=wanted)
        if MODE in ("modern", "less"):
            for _ in range(2): told("resources/updated", _meta=meta, uri="res://a")
        elif MODE == "foreign":
            told("resources/updated", _meta={SUB: "other"}, uri="res://b"); told("resources/updated", _meta=meta, uri="res://a")
        elif MODE == "ends": ok(i, {"resultType": "complete", "_meta": meta})
        elif MODE == "cancels": told("cancelled", requestId=i, reason="enough")
        elif MODE == "dies": sys.exit(3)
    elif i is not None: err(i, -32601, "Method not found: " + str(k))
log(eof=True)
