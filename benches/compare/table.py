"""The tables, no wider than 100 columns, and their place in benches/README.md."""

import datetime
import os
import platform
import subprocess
import sys
from dataclasses import dataclass

import goals
import kit

README = kit.HERE.parent / "README.md"
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
        return f"{ms / 1000:.2f} s"
    return f"{ms:.{0 if ms >= 99.95 else 1 if ms >= 9.995 else 2}f} ms"


def number_text(number):
    return f"{number:,.{0 if number >= 99.5 else 1 if number >= 9.95 else 2}f}"


def grid(title, head, body):
    """Columns: the first to the left, the others to the right."""
    lines = [[title, *head], *body]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for first, *others in lines:
        yield first.ljust(widths[0]) + "".join("  " + text.rjust(width) for text, width in zip(others, widths[1:]))


def tables(measured):
    names = [client.name for client in measured.present]

    def table(title, cell):
        body = []
        for work in measured.todo:
            results = measured.found[work.key]
            taken = [results[name] for name in names]
            # In a word why there is nothing, where the reason is that short.
            body.append([work.title, *(("failed" if it == "failed" else "–") if isinstance(it, str) else cell(it, results) for it in taken)])
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
    for client in measured.present:
        versions += client.versions() if hasattr(client, "versions") else []
    yield ", ".join(versions)
    yield "benches/compare/compare.py " + " ".join(sys.argv[1:])


def text(measured):
    parts = [about(measured), *tables(measured)]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def write(text):
    """Puts the tables between their marks."""
    page = README.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    README.write_text(f"{before}{BEGIN}```text\n{text}```\n{END}{after}", encoding="utf-8")
