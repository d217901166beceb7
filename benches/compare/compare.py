#!/usr/bin/env python3
"""Measures mcpcall beside its rivals and the floors: the same work, against the same server, in turns.

    compare.py --install              set the rivals up, from the lock files in rivals/
    compare.py                        measure all that is there, and print the tables
    compare.py --write                and put them into benches/README.md, the ratios into README.md
    compare.py --only mcpcall,floor --work stdio,http
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import clients
import kit
import rivals
import table
import turns
import work as works


def read_arguments():
    parser = argparse.ArgumentParser(description="Measures mcpcall beside its rivals and the floors.")
    parser.add_argument("--install", action="store_true", help="set the rivals up, and do no more")
    parser.add_argument("--only", metavar="CLIENTS", help="mcpcall, floor and the rivals to measure, with commas")
    parser.add_argument("--work", metavar="KEYS", help="only this work: " + ", ".join(w.key for w in works.all_work(False)))
    parser.add_argument("--rounds", type=int, default=25, help="rounds for what is fast; rivals get fewer (default 25)")
    parser.add_argument("--quick", action="store_true", help="small amounts: to see whether it runs, not how fast")
    parser.add_argument("--mcpcall", metavar="PATH", help="the program (default: the release build)")
    parser.add_argument("--write", action="store_true", help="write the tables into benches/README.md, the ratios into README.md")
    arguments = parser.parse_args()
    if arguments.write and (arguments.only or arguments.work or arguments.quick):
        parser.error("--write is for the whole, without --only, --work and --quick")
    if arguments.rounds < 1:
        parser.error("--rounds takes a number from 1")
    return arguments


def chosen(asked, there, what):
    """Those of the list `there` that were asked for, by name."""
    if not asked:
        return list(there.values())
    names = asked.split(",")
    for name in names:
        if name not in there:
            raise kit.Missing(f"there is no {what} {name}; there is: {', '.join(there)}")
    return [value for name, value in there.items() if name in names]


def environment(folder):
    """Nobody's settings, and no terminal."""
    home = folder / "home"
    home.mkdir()
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TMPDIR": str(folder),
            # Where the Inspector would first look for a keyring.
            "MCP_INSPECTOR_SECRET_STORE": "file"}


def main():
    arguments = read_arguments()
    if arguments.install:
        return kit.install()
    mcpcall = clients.Mcpcall(kit.mcpcall(arguments.mcpcall))
    everyone = {"mcpcall": [mcpcall], "floor": [clients.Floor(mcpcall), clients.Curls(mcpcall)]}
    there = rivals.present()
    everyone |= {name: [rival] for name, rival in there.items()}
    present = [client for group in chosen(arguments.only, everyone, "client") for client in group]
    todo = chosen(arguments.work, {work.key: work for work in works.all_work(arguments.quick)}, "work")
    lacking = [] if arguments.only else [rival.name for rival in rivals.ALL if rival.name not in there]
    if lacking:
        print(f"without {', '.join(lacking)}: not installed, see --install", file=sys.stderr)
    tools = kit.build()
    with tempfile.TemporaryDirectory(prefix="mcpcall-bench-") as folder:
        folder = Path(folder)
        # It ends when its stdin does, so also when this script is killed.
        server = subprocess.Popen([tools["server"], "--http", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            place = clients.Place(tools, folder, server.stdout.readline().strip(), environment(folder))
            found = {}
            for work in todo:
                print(f"{work.title} …", file=sys.stderr)
                found[work.key] = turns.compare(work, present, place, arguments.rounds)
        finally:
            server.stdin.close()
            server.wait()
    measured = table.Measured(todo, present, found, mcpcall.program, arguments.quick)
    print(table.text(measured), end="")
    if arguments.write:
        table.write(measured)


if __name__ == "__main__":
    # So that what was started is ended then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except (kit.Missing, turns.Wrong) as problem:
        sys.exit(f"compare.py: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
