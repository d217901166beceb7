"""What is done: the same pieces of work for every client."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Work:
    key: str
    title: str
    # "stdio", "http", or None where no server takes part.
    transport: str = None
    tool: str = None
    arguments: dict = field(default_factory=dict)
    # How often the call is made, on one connection.
    calls: int = 1
    server_args: tuple = ()
    # The result as the server wrote it, instead of its text.
    json: bool = False
    # Client and server on one core: they only ever take turns.
    one_core: bool = False
    # What stdout must have, and how long it must be at least.
    proof: str = ""
    size: int = 0

    @property
    def is_list(self):
        return self.tool is None and self.transport is not None

    @property
    def asks(self):
        return self.tool in ("ask", "asks")


def number(n):
    return f"{n:,}"


def all_work(quick):
    megabytes, logs, calls = (1, 100, 20) if quick else (50, 100_000, 1000)
    asks = (5, 10, 20) if quick else (100, 1000, 10_000)
    echo = dict(tool="echo", arguments={"text": "hello"}, proof="hello")
    some = 1 if quick else 5
    # The server's megabytes are whole lines, a little less than 2^20 bytes.
    big = dict(tool="big", arguments={"megabytes": megabytes}, size=megabytes * 1_000_000)
    some_text = dict(tool="big", arguments={"megabytes": some}, size=some * 1_000_000, proof="fragile")
    works = [
        Work("version", "--version", size=4),
        Work("stdio", "one call, stdio", "stdio", **echo),
        Work("http", "one call, HTTP", "http", **echo),
        Work("ask", "one question answered", "stdio", tool="ask", proof="Hello, Ada."),
        Work("list", "list of 1,000 tools", "stdio", server_args=("--tools", "1000"), proof="tool_0999"),
        Work("text-5", f"text of {some} MB, stdio", "stdio", **some_text),
        Work("text", f"text of {megabytes} MB, stdio", "stdio", proof="fragile", **big),
        Work("json", "the same as JSON", "stdio", json=True, proof='"content"', **big),
        Work("http-json", "the same, HTTP", "http", json=True, proof='"content"', **big),
        Work("logs", f"{number(logs)} notifications", "stdio", tool="logs", arguments={"n": logs},
             proof=f"{logs} logged."),
        Work("calls", f"{number(calls)} calls", "stdio", calls=calls, size=calls * 5, **echo),
    ]
    for n in asks:
        works.append(Work(f"asks-{n}", f"{number(n)} questions", "stdio", tool="asks", arguments={"n": n},
                          one_core=True, proof=f"{n} answers, the last is Ada."))
    return works
