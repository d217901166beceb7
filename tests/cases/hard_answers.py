# What the hard servers send, whatever carries it: `stdio_hard.py` and `http_hard.py`. answer(mode, id) gives the bytes of the messages that come
# of tools/call, without line ends; question(n) is one elicitation. A text is made only when it is asked for: some have 300 MB.
import json
MIB = 1 << 20
def dump(m): return json.dumps({"jsonrpc": "2.0", **m}, ensure_ascii=False).encode()
def result(i, r): return b'{"jsonrpc":"2.0","id":%d,"result":%s}' % (i, r)
def text(s): return b'{"content":[{"type":"text","text":"%s"}]}' % s
def question(n, name={"type": "string"}): return dump({"id": "q-%d" % n, "method": "elicitation/create", "params": {"message": "Name %d?" % n, "requestedSchema": {"type": "object", "properties": {"name": name}, "required": ["name"]}}})
def note(n): return dump({"method": "notifications/message", "params": {"level": "info", "data": "note %d" % n}})
NEST = 100000
ODD = {  # results
    "deep": b'{"content":[{"type":"text","text":"deep"}],"structuredContent":' + b'{"a":' * NEST + b"1" + b"}" * NEST + b"}",
    "deeplist": b'{"content":[{"type":"text","text":"deep"}],"x":' + b"[" * NEST + b"]" * NEST + b"}",
    "deepopen": b'{"content":' + b"[" * NEST + b"}",
    "utf8": text(b"caf\xe9 \xff\xfe end"),
    "surrogate": text(b"a\\ud800b"),
    "pieces": text("é 世界 \U0001f389 a\u2028b\u2029c\u0085d".encode()),
    "nul": text(b"a\x00b"),
    "nulescaped": text(b"a\\u0000b"),
    "twice": b'{"content":[{"type":"text","text":"first"}],"content":[{"type":"text","text":"second"}],"isError":true,"isError":false}',
    "numbers": b'{"content":[{"type":"text","text":"many"}],"structuredContent":{"a":1e400,"b":-1E-999999,"c":0.10,"d":123456789012345678901234567890,"e":-0}}',
    "nothing": b"null", "number": b"7", "list": b"[]", "content": b'{"content":{"type":"text"}}', "blocks": b'{"content":[null,7,"x",[],{},{"type":7}]}',
    "longkey": b'{"content":[{"type":"text","text":"ok"}],"' + b"k" * MIB + b'":1}',
}
def answer(mode, i):
    if mode in ODD: yield result(i, ODD[mode])
    elif mode == "ask_deep": yield b'{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Deep?","requestedSchema":' + b'{"type":"object","properties":{"a":' * 20000 + b"{}" + b"}}" * 20000 + b"}}"; yield result(i, text(b"went on"))
    elif mode == "ask_id": yield b'{"jsonrpc":"2.0","id":{"a":[1]},"method":"ping"}'; yield b'{"jsonrpc":"2.0","id":"' + b"i" * MIB + b'","method":"ping"}'; yield result(i, text(b"went on"))
    elif mode == "takenback": yield question(0); yield dump({"method": "notifications/cancelled", "params": {"requestId": "q-0"}}); yield result(i, text(b"went on"))
    elif mode == "flood":
        for n in range(100000): yield note(n)
        yield result(i, text(b"after the flood"))
    elif mode == "unknown":
        for n in range(20000): yield b'{"jsonrpc":"2.0","id":%d,"result":{}}' % (10 ** 6 + n)
        yield result(i, text(b"after the flood"))
    elif mode == "broken":
        for n in range(20000): yield b'{"jsonrpc":"2.0","method":'
        yield result(i, text(b"after the flood"))
    elif mode == "big": yield result(i, text(b"x" * (300 * MIB)))
    elif mode == "array": yield b"[" + b",".join([note(n) for n in range(1000)] + [result(i, text(b"in a batch"))]) + b"]"
    else: yield result(i, text(b"ok"))
