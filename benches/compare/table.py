"""The tables, no wider than 100 columns, and their place in benches/README.md."""

import datetime
import os
import platform
import subprocess
import sys
from dataclasses import dataclass

import goals
import kit
import rivals
import turns

BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"


@dataclass
class Measured:
    todo: list
    present: list
    found: dict
    program: str
    quick: bool


def time_text(ms):
    if ms >= 999.5:
        return f"{number_text(ms / 1000)} s"
    return f"{ms:.{0 if ms >= 99.95 else 1 if ms >= 9.995 else 2}f} ms"


def number_text(number):
    return f"{number:,.{0 if number >= 99.5 else 1 if number >= 9.95 else 2}f}"


def grid(title, head, body):
    """Columns: the first to the left, the others to the right."""
    lines = [[title, *head], *body]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for first, *others in lines:
        yield first.ljust(widths[0]) + "".join("  " + text.rjust(width) for text, width in zip(others, widths[1:]))


def nothing(why):
    """What stands where there is no figure: a failure is not the same as what a client does not do."""
    return why if why in (turns.Wrong.verdict, turns.Late.verdict) else "–"


def tables(measured):
    names = [client.name for client in measured.present]

    def table(title, cell):
        body = []
        for work in measured.todo:
            results = measured.found[work.key]
            taken = [results[name] for name in names]
            body.append([work.title, *(nothing(it) if isinstance(it, str) else cell(it, results) for it in taken)])
        return grid(title, names, body)

    yield table("Wall time", lambda it, _: time_text(it.wall))
    if "mcpcall" in names:
        yield table("in times of mcpcall's", lambda it, results: number_text(it.wall / results["mcpcall"].wall))
    yield table("CPU time", lambda it, _: time_text(it.cpu))
    yield table("Peak memory, MB", lambda it, _: number_text(it.memory))
    if "mcpcall" in names and not measured.quick:
        yield grid("Goal", ["measured", "wanted", ""], [
            [goal.what, number_text(goal.figure) + goal.unit, f"{'≥' if goal.least else '≤'} {goal.limit:g}{goal.unit}",
             "met" if goal.met else "NOT MET"]
            for goal in goals.goals(measured.found, measured.program)])


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def about(measured):
    """When, what, where, and how again."""
    processor = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), processor)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    yield f"{datetime.date.today()}, {os.cpu_count()} cores of {processor}, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"
    versions = [first_line(measured.program, "--version"), " ".join(first_line("curl", "--version").split()[:2])]
    others = [client for client in measured.present if isinstance(client, rivals.Rival)]
    versions += [f"{rival.name} {rival.version()}" for rival in others]
    runtimes = {first_line(*rival.runtime()).replace("v", "Node ") for rival in others}
    yield ", ".join(versions + sorted(runtimes))
    yield "benches/compare/compare.py " + " ".join(sys.argv[1:])


def text(measured):
    parts = [about(measured), *tables(measured)]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


# What the project's README quotes: these pieces of work, and these clients.
QUOTED = ("stdio", "http", "ask", "list", "calls")


def quoted(measured):
    """Ratios alone, as a table of Markdown."""
    names = [client.name for client in measured.present if client.name != "curls"]
    yield "| | " + " | ".join(names) + " |"
    yield "|---|" + "---:|" * len(names)
    for work in measured.todo:
        results = measured.found[work.key]
        if work.key in QUOTED:
            cells = [nothing(it) if isinstance(it, str) else number_text(it.wall / results["mcpcall"].wall)
                     for it in (results[name] for name in names)]
            yield f"| {work.title} | " + " | ".join(cells) + " |"


def write(measured):
    """Puts the tables between their marks."""
    between(kit.HERE.parent / "README.md", f"```text\n{text(measured)}```\n")
    between(kit.HERE.parents[1] / "README.md", "\n".join(quoted(measured)) + "\n")


def between(page, what):
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    page.write_text(before + BEGIN + what + END + rest.split(END)[1], encoding="utf-8")
