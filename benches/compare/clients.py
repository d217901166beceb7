"""The clients: how each does a piece of work, in the fastest way that its documentation has for it."""

import json
import shlex
from dataclasses import dataclass

import wire


# Of many runs so many are made, where each takes a process.
SOME = 5


@dataclass
class Command:
    argv: list
    stdin: str = None
    # What is run once before all rounds, and after them; not measured.
    before: list = None
    after: list = None
    # What was measured is this part of the work.
    part: float = 1.0

    @staticmethod
    def script(place, work, lines, **more):
        """A shell script, ended by the first command that fails."""
        return Command([place.kit["sh"], "-e", place.file(f"script-{work.key}", "\n".join(lines) + "\n")], **more)

    @staticmethod
    def some_of(argv, work, place, **more):
        """The first few calls of many, a process each: the rest would take as long."""
        return Command.script(place, work, [shlex.join(map(str, argv))] * SOME, part=SOME / work.calls, **more)


class No(Exception):
    """Why a client does not do a piece of work."""


class Place:
    """Where a run happens: what was built, a folder for files, and the HTTP server's address."""

    def __init__(self, kit, folder, url, env):
        self.kit, self.folder, self.url, self.env = kit, folder, url, env
        # Whose files are made.
        self.client = None

    def server(self, work):
        return [str(self.kit["server"]), *work.server_args]

    def file(self, name, text):
        path = self.folder / f"{self.client}-{name}"
        path.write_text(text, encoding="utf-8")
        return str(path)


class Mcpcall:
    name = "mcpcall"

    def __init__(self, program):
        self.program = str(program)

    def command(self, work, place):
        if work.key == "version":
            return Command([self.program, "--version"])
        server = ["--url", place.url] if work.transport == "http" else ["--", *place.server(work)]
        flags = ["--json"] if work.json else []
        if work.is_list:
            return Command([self.program, "list", *server])
        if work.calls > 1:
            line = json.dumps({"tool": work.tool, "arguments": work.arguments})
            return Command([self.program, "batch", place.file("calls.ndjson", f"{line}\n" * work.calls), *server])
        if work.tool == "logs":
            flags += ["--log-level", "error"]
        if work.asks:
            flags += ["--answer", "name=Ada", "--no-input", "--quiet"]
        pairs = [f"{name}={value}" for name, value in work.arguments.items()]
        return Command([self.program, work.tool, *pairs, *flags, *server])


class Floor:
    """The least that does it: hello, world; floor.c on stdio; over HTTP one curl on one connection."""

    name = "floor"

    def __init__(self, model):
        self.model = model

    def sent(self, work, place):
        argv = self.model.command(work, place).argv
        return wire.record(argv, place.folder / "trace.ndjson", place.env)

    def command(self, work, place):
        if work.key == "version":
            return Command([str(place.kit["hello"])])
        sent = self.sent(work, place)
        if work.transport == "http":
            config = place.file(f"curl-{work.key}", "next\n".join(wire.curl_config(sent)))
            return Command([place.kit["curl"], "--disable", "--config", config])
        how = "all" if work.calls > 1 else "json" if work.json or work.is_list else "text"
        script = place.file(f"floor-{work.key}", wire.script(sent))
        return Command([str(place.kit["floor"]), how, script, *place.server(work)])


class Curls(Floor):
    """curl as it is used in scripts: a process and a connection a request."""

    name = "curls"

    def command(self, work, place):
        if work.transport != "http":
            raise No("curl has no stdio")
        configs = [place.file(f"curls-{work.key}-{number}", text)
                   for number, text in enumerate(wire.curl_config(self.sent(work, place)))]
        curl = shlex.quote(place.kit["curl"])
        script = " && ".join(f"{curl} --disable --config {shlex.quote(config)}" for config in configs)
        return Command([place.kit["sh"], "-c", script])
