"""Runs the clients in turns, and takes their measure."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from clients import No

# Whose failure is ours.
OURS = ("mcpcall", "floor", "curls")

# What takes fewer seconds than this is run once more, unmeasured, right before it is measured: the turn before was a program
# of a hundred megabytes, which leaves the caches to it.
QUICK = 0.1

# How many seconds a client may take for a piece of work: once, and all rounds of it.
PATIENCE, OUR_SECONDS, RIVAL_SECONDS = 40, 6, 5


@dataclass
class Sample:
    wall: float
    cpu: float
    memory: float


class Wrong(Exception):
    """A client did not do the work."""

    verdict = "failed"


class Late(Wrong):
    """It was not done in time."""

    verdict = f"> {PATIENCE} s"


def measure(place, command, work, seconds):
    """Runs a command once. `Wrong` unless it did the work."""
    report, out, err = (str(place.folder / name) for name in ("report", "stdout", "stderr"))
    argv = [str(place.kit["measure"]), report, command.stdin or "/dev/null", out, err, *map(str, command.argv)]
    Path(report).unlink(missing_ok=True)
    prepare = one_core if work.one_core else None
    process = subprocess.Popen(argv, env=place.env, cwd=place.folder, stdin=subprocess.DEVNULL, preexec_fn=prepare)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Late(f"not done after {seconds} s") from None
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode != 0:
        raise Wrong(Path(err).read_text(errors="replace"))
    code, wall, user, system, memory = map(int, Path(report).read_text().split())
    said = Path(out).read_bytes()
    if code != 0 or work.proof.encode() not in said or len(said) < work.size * command.part:
        complaint = Path(err).read_text(errors="replace").strip() or said[-400:].decode(errors="replace")
        raise Wrong(f"exit {code}, {len(said)} bytes; {complaint[-400:]}")
    return Sample(wall / 1e6 / command.part, (user + system) / 1e3 / command.part, memory * 1024 / 1e6)


def one_core():
    """Keeps this process, and what it starts, on one of its cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def prepared(client, work, place):
    """The client's command for the work, or why there is none."""
    place.client = client.name
    try:
        return client.command(work, place)
    except No as no:
        return str(no)


def compare(work, present, place, rounds):
    """What each client took, by name, or in a word why there is nothing."""
    commands = {client.name: prepared(client, work, place) for client in present}
    results = {name: command for name, command in commands.items() if isinstance(command, str)}
    commands = {name: command for name, command in commands.items() if name not in results}
    try:
        results |= samples(work, commands, place, rounds)
        return {name: summary(taken) for name, taken in results.items()}
    finally:
        for command in commands.values():
            aside(command.after, place)


def samples(work, commands, place, most_rounds):
    taken, rounds, quick = {}, {}, set()

    def turn(name):
        try:
            if name in quick:
                measure(place, commands[name], work, PATIENCE)
            return measure(place, commands[name], work, PATIENCE)
        except Wrong as wrong:
            if name in OURS:
                raise Wrong(f"{name}, {work.title}: {wrong}") from None
            print(f"{name}, {work.title}: {wrong}", file=sys.stderr)
            taken[name] = wrong.verdict
            rounds.pop(name, None)
            return None

    for name, command in commands.items():
        aside(command.before, place)
        begin = time.monotonic()
        # To warm the caches; also says how many rounds are to be had.
        if first := turn(name):
            taken[name] = []
            if first.wall < QUICK * 1000:
                quick.add(name)
            budget = OUR_SECONDS if name in OURS else RIVAL_SECONDS
            rounds[name] = max(1, min(most_rounds, int(budget / (time.monotonic() - begin))))
    most = max(rounds.values(), default=0)
    for number in range(most):
        for name, own in list(rounds.items()):
            # Those with fewer rounds take theirs spread over the whole.
            if (number + 1) * own // most > number * own // most and (sample := turn(name)):
                taken[name].append(sample)
    return taken


def aside(argv, place):
    """Runs what is not measured. If it fails, what is measured tells."""
    if argv:
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        try:
            subprocess.run(argv, env=place.env, cwd=place.folder, timeout=PATIENCE, check=False, **quiet)
        except subprocess.TimeoutExpired:
            print(f"not done after {PATIENCE} s: {' '.join(argv)}", file=sys.stderr)


def summary(taken):
    if isinstance(taken, str):
        return taken
    walls, cpus, memories = ([getattr(sample, what) for sample in taken] for what in ("wall", "cpu", "memory"))
    return Sample(median(walls), median(cpus), max(memories))
