#!/usr/bin/env python3
"""Measures mcpcall beside its rivals and the floors: the same work, against the same server, in turns.

    compare.py --install              set the rivals up, from the lock files in rivals/
    compare.py                        measure all that is there, and print the tables
    compare.py --write                and put them into benches/README.md
    compare.py --only mcpcall,floor --work stdio,http
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import clients
import kit
import rivals
import table
import work as works


# Whose failure is ours.
OURS = ("mcpcall", "floor", "curls")

# How many seconds a client may take for a piece of work: once, and all rounds of it.
PATIENCE, OUR_SECONDS, RIVAL_SECONDS = 60, 6, 5


@dataclass
class Sample:
    wall: float
    cpu: float
    memory: float


class Wrong(Exception):
    """A client did not do the work."""


def read_arguments():
    parser = argparse.ArgumentParser(description="Measures mcpcall beside its rivals and the floors.")
    parser.add_argument("--install", action="store_true", help="set the rivals up, and do no more")
    parser.add_argument("--only", metavar="CLIENTS", help="mcpcall, floor and the rivals to measure, with commas")
    parser.add_argument("--work", metavar="KEYS", help="only this work: " + ", ".join(w.key for w in works.all_work(False)))
    parser.add_argument("--rounds", type=int, default=25, help="rounds for what is fast; rivals get fewer (default 25)")
    parser.add_argument("--quick", action="store_true", help="small amounts: to see whether it runs, not how fast")
    parser.add_argument("--mcpcall", metavar="PATH", help="the program (default: the release build)")
    parser.add_argument("--write", action="store_true", help="write the tables into benches/README.md")
    arguments = parser.parse_args()
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


def measure(place, command, work, seconds):
    """Runs a command once. `Wrong` unless it did the work."""
    report, out, err = (str(place.folder / name) for name in ("report", "stdout", "stderr"))
    argv = [str(place.kit["measure"]), report, command.stdin or "/dev/null", out, err, *map(str, command.argv)]
    process = subprocess.Popen(argv, env=place.env, cwd=place.folder, stdin=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Wrong(f"not done after {seconds:.0f} s") from None
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    code, wall, user, system, memory = map(int, Path(report).read_text().split())
    said = Path(out).read_bytes()
    if code != 0 or work.proof.encode() not in said or len(said) < work.size * command.part:
        complaint = Path(err).read_text(errors="replace").strip() or said[-400:].decode(errors="replace")
        raise Wrong(f"exit {code}, {len(said)} bytes; {complaint[-400:]}")
    return Sample(wall / 1e6 / command.part, (user + system) / 1e3 / command.part, memory * 1024 / 1e6)


def prepared(client, work, place):
    """The client's command for the work, or why there is none."""
    place.client = client.name
    try:
        return client.command(work, place)
    except clients.No as no:
        return str(no)


def compare(work, present, place, arguments):
    """Samples by client, in turns; or the reason why there are none."""
    commands = {client.name: prepared(client, work, place) for client in present}
    results = {name: command for name, command in commands.items() if isinstance(command, str)}
    commands = {name: command for name, command in commands.items() if name not in results}
    try:
        return results | samples(work, commands, place, arguments)
    finally:
        for command in commands.values():
            aside(command.after, place)


def samples(work, commands, place, arguments):
    results, left = {}, {}
    for name, command in commands.items():
        aside(command.before, place)
        begin = time.monotonic()
        try:
            # To warm the caches; also says how many rounds are to be had.
            measure(place, command, work, PATIENCE)
        except Wrong as wrong:
            if name in OURS:
                raise Wrong(f"{name}, {work.title}: {wrong}") from None
            print(f"{name}, {work.title}: {wrong}", file=sys.stderr)
            results[name] = "failed"
            continue
        results[name] = []
        budget = OUR_SECONDS if name in OURS else RIVAL_SECONDS
        left[name] = max(1, min(arguments.rounds, int(budget / (time.monotonic() - begin))))
    most = max(left.values(), default=0)
    for turn in range(most):
        for name, rounds in left.items():
            # Those with fewer rounds take theirs spread over the whole.
            if (turn + 1) * rounds // most > turn * rounds // most:
                results[name].append(measure(place, commands[name], work, PATIENCE))
    return results


def aside(argv, place):
    """Runs what is not measured."""
    if argv:
        subprocess.run(argv, env=place.env, cwd=place.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=60, check=False)


def summary(samples):
    if isinstance(samples, str):
        return samples
    middle = lambda what: median(getattr(sample, what) for sample in samples)
    return Sample(middle("wall"), middle("cpu"), max(sample.memory for sample in samples))


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
                results = compare(work, present, place, arguments)
                found[work.key] = {name: summary(samples) for name, samples in results.items()}
        finally:
            server.stdin.close()
            server.wait()
    measured = table.Measured(todo, present, found, mcpcall.program, arguments.quick)
    text = table.text(measured)
    print(text, end="")
    if arguments.write:
        table.write(text)


if __name__ == "__main__":
    try:
        main()
    except (kit.Missing, Wrong) as problem:
        sys.exit(f"compare.py: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
