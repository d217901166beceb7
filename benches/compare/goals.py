"""What mcpcall is held to, and how it stands."""

import os
from dataclasses import dataclass

import rivals


@dataclass
class Goal:
    what: str
    figure: float
    limit: float
    unit: str = ""
    # The figure is to be no less than the limit, instead of no more.
    least: bool = False

    @property
    def met(self):
        return self.figure >= self.limit if self.least else self.figure <= self.limit


def goals(found, program):
    """Those that can be judged by what was measured."""

    def sample(key, client="mcpcall"):
        taken = found.get(key, {}).get(client)
        return None if isinstance(taken, str) else taken

    def times(key, base, what, limit):
        ours, theirs = sample(key), sample(key, base)
        if ours and theirs:
            yield Goal(what, ours.wall / theirs.wall, limit, "×")

    def memory(key, what, limit):
        if sample(key):
            yield Goal(what, sample(key).memory, limit, " MB")

    def slower(key, what):
        theirs = [taken for taken in (sample(key, rival.name) for rival in rivals.ALL) if taken]
        ratios = [taken.wall / sample(key).wall for taken in theirs if sample(key)]
        if ratios:
            yield Goal(f"{what}: the fastest rival takes", min(ratios), 10, "×", least=True)

    def growth(few, many):
        if sample(few) and sample(many):
            yield Goal(f"from {few[5:]} to {many[5:]} questions the time grows", sample(many).wall / sample(few).wall, 10.5, "×")

    yield from times("http", "floor", "one call, HTTP: of curl's time, one process and connection", 0.9)
    yield from times("http", "curls", "one call, HTTP: of curl's time, a process a request", 0.9)
    yield from times("stdio", "floor", "one call, stdio: of the C program's time", 1.3)
    yield from slower("stdio", "one call, stdio")
    yield from slower("http", "one call, HTTP")
    yield from memory("stdio", "one call, stdio: peak memory", 16)
    yield from memory("http", "one call, HTTP: peak memory", 16)
    for key, what in (("text", "50 MB as text, stdio"), ("json", "50 MB as JSON, stdio"), ("http-json", "50 MB as JSON, HTTP")):
        yield from times(key, "floor", f"{what}: of the floor's time", 2)
        # The message is as long as it is on the wire: what --json prints.
        yield from memory(key, f"{what}: peak memory (the message and 40 MB)", 52.4 + 40)
    yield from times("logs", "floor", "100,000 notifications: of the floor's time", 3)
    yield from growth("asks-100", "asks-1000")
    yield from growth("asks-1000", "asks-10000")
    yield from times("version", "floor", "--version: of a bare Rust program's time", 3)
    yield Goal("the program's size", os.path.getsize(program) / 1e6, 9, " MB")
