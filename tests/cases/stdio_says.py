#!/usr/bin/env python3
# Says what its MODE says, see `says.py`.
# RIGHT: whatever is said, every call ends, with one clear sentence where it is wrong.
import json, sys
from says import answer, begin, log
begin(sys.argv[1] if len(sys.argv) > 1 else "")
while True:
    line = sys.stdin.buffer.readline()
    if not line: log(eof=True); break
    m = json.loads(line); log(got=m); said = answer(m)
    if said: sys.stdout.buffer.write(said[1].encode("utf-8", "surrogatepass") + b"\n"); sys.stdout.buffer.flush()
