#!/usr/bin/env python3
# Says what its MODE says, see `says.py`: results as a JSON body, messages as events of a stream that then ends, and with `>` any bytes, after which
# the connection ends. There `GET` and `DELETE` are methods too, and $OK in bytes that begin with `HTTP/1.1 200` needs no length.
# RIGHT: whatever is said, every call ends, with one clear sentence where it is wrong.
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from says import SAID, answer, begin, fill, log
class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def reply(self, code, b=b"", ctype="application/json", **hdr):
        self.send_response(code); self.send_header("Content-Type", ctype)
        for k, v in hdr.items(): self.send_header(k.replace("_", "-"), v)
        self.send_header("Content-Length", str(len(b))); self.end_headers(); self.wfile.write(b)
    def bytes(self, text): self.wfile.write(text.encode("utf-8", "surrogatepass")); self.wfile.flush(); self.close_connection = True
    def bare(self):
        log(verb=self.command, path=self.path, session=self.headers.get("Mcp-Session-Id")); how, text = SAID.get(self.command, ("", ""))
        if how == ">": self.bytes(fill(text, {}, self.command))
        else: self.reply(405)
    do_GET = do_DELETE = bare
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0))); log(got=m, path=self.path, session=self.headers.get("Mcp-Session-Id")); said = answer(m)
        if said is None: return self.reply(202)
        how, text = said
        if how == ">": return self.bytes(text)
        if how == "=": return self.reply(200, text.encode("utf-8", "surrogatepass"), **({"Mcp_Session_Id": "s1"} if m.get("method") == "initialize" else {}))
        events = "".join("data: %s\n\n" % line for line in text.split("\n"))
        self.bytes("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + events)
if __name__ == "__main__":
    begin(sys.argv[2] if len(sys.argv) > 2 else "")
    s = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), H); s.daemon_threads = True
    print("http://127.0.0.1:%d/mcp" % s.server_address[1], flush=True)
    s.serve_forever()
