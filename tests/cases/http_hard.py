#!/usr/bin/env python3
# Hard on whoever reads, over HTTP: MODE is one of `hard_answers.py` (in an event stream), or `json_` and one of them (in a JSON body), or
# br, gzip, zstd (a body so encoded), bomb (64 MiB of blanks in 64 KiB of gzip), nogzip (says gzip, and is not), die_STEP (resets the connection at that message: initialize, initialized,
# list, call, ask, answer), cut (half a body), drip and dripsse (a byte a second), pieces (a byte at a time), endless and endlesssse (a body, an event without end), lines (an event of one-byte data lines without end), comments (comments for ever),
# headers (8 MiB of headers), asks (10,000 questions on the call's stream, whose answers it does not acknowledge), late (no answer to the first call until it is cancelled), v6 (listens on ::1), hang (accepts the call and is silent), error (a 500 with 8 MiB of body), retry (ends the stream before the answer, which is to be had in a day), never
# (answers, and leaves the stream open with comments).
# RIGHT: as in `stdio_hard.py`.
import gzip, json, os, socket, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from hard_answers import MIB, answer, question, result, text
MODE = sys.argv[2] if len(sys.argv) > 2 else ""
LOCK = threading.Lock()
def log(**k):
    if os.environ.get("CASE_LOG"):
        with LOCK, open(os.environ["CASE_LOG"], "a", encoding="utf-8") as f: f.write(json.dumps({"t": round(time.time(), 3), **k}) + "\n")
def brotli(b):  # stored
    out = b""
    for n in range(0, len(b), 65536):
        part = b[n:n + 65536]; bits = (len(part) - 1) << 3 | 1 << 19
        out += (bits << 1).to_bytes(3, "little") + part if n == 0 else bits.to_bytes(3, "little") + part
    return out + b"\x03"
def zstd(b):  # stored
    out = b"\x28\xb5\x2f\xfd\xa0" + len(b).to_bytes(4, "little")
    return out + (len(b) << 3 | 1).to_bytes(3, "little") + b
calls, cancelled = [0], threading.Event()
class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def reply(self, code, b=b"", ctype="application/json", length=None, **hdr):
        self.send_response(code); self.send_header("Content-Type", ctype)
        for k, v in hdr.items(): self.send_header(k.replace("_", "-"), v)
        self.send_header("Content-Length", str(len(b) if length is None else length)); self.end_headers(); self.wfile.write(b)
    def stream(self, ctype="text/event-stream"):
        self.send_response(200); self.send_header("Content-Type", ctype); self.send_header("Connection", "close"); self.end_headers(); self.close_connection = True
    def put(self, b): self.wfile.write(b); self.wfile.flush()
    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0"); self.close_connection = True
        self.wfile = self.rfile; self.connection.close()
    def do_GET(self): log(verb="GET"); self.reply(405)
    def do_DELETE(self): log(verb="DELETE"); self.reply(200)
    def do_POST(self):
        try: self.post()
        except (BrokenPipeError, ConnectionResetError): log(gone=True)
    def post(self):
        m = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0))); log(got=m); k, i = m.get("method"), m.get("id")
        step = {"initialize": "initialize", "notifications/initialized": "initialized", "tools/list": "list", "tools/call": "call", None: "answer"}.get(k)
        if MODE == "die_%s" % step: return self.reset()
        if k == "initialize": return self.reply(200, result(i, b'{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hard"}}'), Mcp_Session_Id="s1")
        if k == "notifications/cancelled": cancelled.set()
        if MODE == "asks" and k is None: cancelled.wait(10)
        if i is None or k is None: return self.reply(202)
        if k == "tools/list": return self.reply(200, result(i, b'{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}'))
        calls[0] += 1; ok = result(i, text(b"ok"))
        if MODE == "gzip": self.reply(200, gzip.compress(ok), Content_Encoding="gzip")
        elif MODE == "br": self.reply(200, brotli(ok), Content_Encoding="br")
        elif MODE == "zstd": self.reply(200, zstd(ok), Content_Encoding="zstd")
        elif MODE == "bomb": self.reply(200, gzip.compress(b" " * (64 * MIB) + ok), Content_Encoding="gzip")
        elif MODE == "nogzip": self.reply(200, ok, Content_Encoding="gzip")
        elif MODE == "cut": self.reply(200, ok[:30], length=len(ok)); self.close_connection = True
        elif MODE == "hang": cancelled.wait(20); self.close_connection = True
        elif MODE == "error": self.reply(500, b"\x1b[31mtrouble " * (MIB // 2), "text/plain")
        elif MODE == "headers": self.reply(200, ok, **{"X-%d" % n: "h" * 1000 for n in range(8000)})
        elif MODE in ("drip", "dripsse"):
            self.stream("application/json" if MODE == "drip" else "text/event-stream")
            for b in (b"" if MODE == "drip" else b"data: ") + ok: self.put(bytes([b])); time.sleep(1)
        elif MODE == "pieces":
            self.stream()
            for b in b"data: " + b"".join(answer(MODE, i)) + b"\n\n": self.put(bytes([b])); time.sleep(0.002)
        elif MODE in ("endless", "endlesssse"):
            self.stream("application/json" if MODE == "endless" else "text/event-stream"); self.put(b"data: " if MODE != "endless" else b'{"')
            while True: self.put(b"x" * MIB)
        elif MODE == "retry": self.stream(); self.put(b"id: 1\nretry: 99999999999\ndata:\n\n")
        elif MODE == "lines":
            self.stream()
            while True: self.put(b"data:x\n" * 50000)
        elif MODE == "comments":
            self.stream()
            while not cancelled.is_set(): self.put(b": still here\n\n"); time.sleep(0.05)
        elif MODE == "asks":
            self.stream()
            for n in range(10000): self.wfile.write(b"data: " + question(n) + b"\n\n")
            cancelled.wait(20)
        elif MODE == "late" and calls[0] == 1: self.stream(); cancelled.wait(20); self.put(b"data: " + ok + b"\n\n")
        elif MODE.startswith("json_"): self.reply(200, b"".join(answer(MODE[5:], i)))
        else:
            self.stream()
            if MODE in ("die_ask", "die_answer"):
                self.put(b"data: " + question(0) + b"\n\n")
                if MODE == "die_ask": return self.reset()
                time.sleep(1); return
            for b in answer(MODE, i): self.wfile.write(b"data: " + b + b"\n\n")
            self.wfile.flush()
            while MODE == "never": self.put(b": on\n\n"); time.sleep(0.2)
class Six(ThreadingHTTPServer): address_family = socket.AF_INET6
if __name__ == "__main__":
    s = Six(("::1", 0), H) if MODE == "v6" else ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), H); s.daemon_threads = True
    print("http://%s:%d/mcp" % ("[::1]" if MODE == "v6" else "127.0.0.1", s.server_address[1]), flush=True)
    s.serve_forever()
