#!/usr/bin/env python3
"""A small server for the soak test, of the handshake generation: over stdio, or over HTTP with `--http` (prints its port).
Tools: `add` answers at once, `log` logs ten times and tells its progress first, `ask` asks for a name. `--chatter SECONDS`
sends notifications without being asked."""
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHATTER = float(sys.argv[sys.argv.index("--chatter") + 1]) if "--chatter" in sys.argv else 0
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NUMBER = {"type": "integer"}
TOOLS = [
    {"name": "add", "inputSchema": {"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"]}},
    {"name": "log", "inputSchema": {"type": "object"}},
    {"name": "ask", "inputSchema": {"type": "object"}},
]


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def note(n):
    data = {"level": "info", "logger": "soak", "data": "line %d %s" % (n, "x" * 60)}
    return {"method": "notifications/message", "params": data}


def answer(message, send, ask):
    """The result of a request. `send` tells, `ask` asks and gives the reply."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        info = {"name": "soak", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method != "tools/call":
        return {}
    arguments = params.get("arguments") or {}
    if params["name"] == "add":
        return text(str(arguments["a"] + arguments["b"]))
    if params["name"] == "log":
        token = (params.get("_meta") or {}).get("progressToken")
        for n in range(10):
            send(note(n))
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": n + 1, "total": 10}})
        return text("logged")
    reply = ask({"message": "Who?", "requestedSchema": FORM})
    return text("Hello %s" % reply["result"]["content"]["name"])


def on_stdio():
    lock, n_asked = threading.Lock(), 0

    def send(message):
        with lock:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            sys.stdout.flush()

    def chatter():
        n, end = 0, time.time() + CHATTER
        while time.time() < end:
            send(note(n))
            n += 1
            if n % 50 == 0:
                time.sleep(0.05)

    waiting = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "method" not in message:
            call = waiting.pop(message["id"])
            send({"id": call, "result": text("Hello %s" % message["result"]["content"]["name"])})
        elif message.get("id") is None:
            if CHATTER and message["method"] == "notifications/initialized":
                threading.Thread(target=chatter, daemon=True).start()
        elif (message.get("params") or {}).get("name") == "ask":
            n_asked += 1
            waiting["ask-%d" % n_asked] = message["id"]
            params = {"message": "Who?", "requestedSchema": FORM}
            send({"id": "ask-%d" % n_asked, "method": "elicitation/create", "params": params})
        else:
            send({"id": message["id"], "result": answer(message, send, None)})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    lock, replies, n_asked = threading.Condition(), {}, 0

    def log_message(self, *_):
        pass

    def head(self, code, **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def event(self, message):
        data = b"data: " + json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def ask(self, params):
        with self.lock:
            Handler.n_asked += 1
            name = "ask-%d" % Handler.n_asked
        self.event({"id": name, "method": "elicitation/create", "params": params})
        with self.lock:
            assert self.lock.wait_for(lambda: name in self.replies, 30), "no reply"
            return self.replies.pop(name)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "method" not in message:
            with self.lock:
                self.replies[message["id"]] = message
                self.lock.notify_all()
        if message.get("id") is None or "method" not in message:
            self.head(202, Content_Length="0")
        elif (message.get("params") or {}).get("name") in ("log", "ask"):
            self.head(200, Content_Type="text/event-stream", Transfer_Encoding="chunked")
            self.event({"id": message["id"], "result": answer(message, self.event, self.ask)})
            self.wfile.write(b"0\r\n\r\n")
        else:
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer(message, None, None)}
            body = json.dumps(reply).encode()
            headers = {"Content_Type": "application/json", "Content_Length": str(len(body))}
            if message["method"] == "initialize":
                headers["Mcp_Session_Id"] = "s"
            self.head(200, **headers)
            self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        if not CHATTER:
            self.head(405, Content_Length="0", Allow="POST, DELETE")
            return
        self.head(200, Content_Type="text/event-stream", Transfer_Encoding="chunked")
        n, end = 0, time.time() + CHATTER
        try:
            while time.time() < end:
                self.event(note(n))
                n += 1
                if n % 50 == 0:
                    time.sleep(0.05)
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True

    def do_DELETE(self):
        self.head(200, Content_Length="0")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if "--http" in sys.argv:
    http = Server(("127.0.0.1", 0), Handler)
    print(http.server_address[1], flush=True)
    http.serve_forever()
else:
    on_stdio()
