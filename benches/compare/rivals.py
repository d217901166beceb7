"""The rivals: how each does a piece of work, in the fastest way that its documentation has for it."""

import json
import shlex

import kit
from clients import Command, No


class Rival:
    """`home` is where its lock file was installed."""

    kind = "node"
    package = None

    def __init__(self, home):
        self.home = home

    def node(self, program):
        modules = self.home / "node_modules"
        node = modules / ".bin/node"
        return [str(node) if node.exists() else kit.tool("node"), str((modules / ".bin" / program).resolve())]

    def version(self):
        about = json.loads((self.home / "node_modules" / self.package / "package.json").read_text(encoding="utf-8"))
        return about["version"]

    def runtime(self):
        """What runs it, as a command that says its version."""
        return [self.node("mcporter")[0], "--version"]

    def command(self, work, place):
        if work.key == "version":
            return Command(self.version_command())
        if work.is_list:
            return self.list(work, place)
        if work.calls > 1:
            return self.many(work, place)
        if work.asks:
            return self.ask(work, place)
        return self.call(work, place)

    def many(self, work, place):
        raise No("one call a run")

    def ask(self, work, place):
        raise No("cannot answer")


def pairs(work, form="{}={}"):
    return [form.format(name, value) for name, value in work.arguments.items()]


def entry(argv):
    """A server in a configuration file."""
    return {"command": argv[0], "args": argv[1:]}


class Inspector(Rival):
    """Each run is one method, which starts and ends the server; it prints JSON alone. What it cannot, `mcpdo` from the same
    package can: that keeps connections in a daemon. A question ends a run of it, and a second run answers."""

    name = "Inspector"
    package = "@modelcontextprotocol/inspector"

    def version_command(self):
        return [*self.node("mcp-inspector"), "--cli", "--version"]

    def inspect(self, server, *method):
        # The server stands before its own flags.
        return Command([*self.node("mcp-inspector"), "--cli", *server, "--method", *method])

    def list(self, work, place):
        # Words of the server that look like flags would be taken for the Inspector's own.
        config = place.file("inspector.json", json.dumps({"mcpServers": {"bench": entry(place.server(work))}}))
        return self.inspect(["--config", config, "--server", "bench"], "tools/list")

    def call(self, work, place):
        if work.key.startswith("text"):
            raise No("prints JSON alone")
        server = [place.url, "--transport", "http"] if work.transport == "http" else place.server(work)
        arguments = [word for pair in pairs(work) for word in ("--tool-arg", pair)]
        return self.inspect(server, "tools/call", "--tool-name", work.tool, *arguments)

    def connection(self, work, place):
        """Words for the shell: connect, a call, disconnect, and the end of the daemon."""
        mcpdo, (server,) = self.node("mcpdo"), place.server(work)
        call = [*mcpdo, "tools/call", work.tool, *pairs(work, "{}:={}"), "--connection", f"@{server}"]
        return [*mcpdo, "connect", server], call, [*mcpdo, "disconnect", f"@{server}"], [*mcpdo, "daemon", "stop"]

    def ask(self, work, place):
        if work.tool != "ask":
            raise No("two runs a question")
        connect, call, disconnect, stop = self.connection(work, place)
        respond = shlex.join([*self.node("mcpdo"), "elicitation/respond"])
        pick = "sed -n 's/.*respond \\(elicitation-[0-9a-f-]*\\) field.*/\\1/p'"
        lines = [f"{shlex.join(connect)} >/dev/null", f"id=$({shlex.join(call)} | {pick})", f'{respond} "$id" name:=Ada',
                 f"{shlex.join(disconnect)} >/dev/null"]
        return Command.script(place, work, lines, after=stop)

    def many(self, work, place):
        connect, call, _, stop = self.connection(work, place)
        return Command.some_of(call, work, place, before=connect, after=stop)


class Mcporter(Rival):
    """One-off calls start and end the server; a server marked keep-alive is kept by a daemon, which serves many runs."""

    name = "mcporter"
    package = "mcporter"

    def version_command(self):
        return [*self.node("mcporter"), "--version"]

    def configured(self, work, place, **more):
        server = {**entry(place.server(work)), **more}
        config = place.file(f"mcporter-{work.key}.json", json.dumps({"mcpServers": {"bench": server}}))
        return [*self.node("mcporter"), "--config", config]

    def list(self, work, place):
        return Command([*self.configured(work, place), "list", "bench", "--brief"])

    def call(self, work, place):
        server = ["--http-url", place.url, "--allow-http"] if work.transport == "http" else ["--stdio", shlex.join(place.server(work))]
        output = ["--output", "json"] if work.json else []
        return Command([*self.node("mcporter"), "call", *server, *output, work.tool, *pairs(work)])

    def many(self, work, place):
        mcporter = self.configured(work, place, lifecycle="keep-alive")
        one = [*mcporter, "call", f"bench.{work.tool}", *pairs(work)]
        return Command.some_of(one, work, place, before=one, after=[*mcporter, "daemon", "stop"])


class Mcpc(Rival):
    """Every call needs a session, which is a process in the background: a one-off call connects, calls and closes."""

    name = "mcpc"
    package = "@apify/mcpc"

    def version_command(self):
        return [*self.node("mcpc"), "--version"]

    def session(self, work, place):
        """Words for the shell: connect, the rest of a call, close."""
        if work.transport == "http":
            server = place.url
        else:
            config = json.dumps({"mcpServers": {"bench": entry(place.server(work))}})
            server = place.file(f"mcpc-{work.key}.json", config) + ":bench"
        mcpc = self.node("mcpc")
        return [*mcpc, "connect", server, "@bench"], [*mcpc, "@bench"], [*mcpc, "close", "@bench"]

    def whole(self, work, place, *rest):
        connect, session, close = self.session(work, place)
        lines = [f"{shlex.join(connect)} >/dev/null", shlex.join([*session, *rest]), f"{shlex.join(close)} >/dev/null"]
        return Command.script(place, work, lines)

    def list(self, work, place):
        return self.whole(work, place, "tools-list")

    def call(self, work, place):
        return self.whole(work, place, "tools-call", work.tool, *pairs(work, "{}:={}"), *(["--json"] if work.json else []))

    def many(self, work, place):
        connect, session, close = self.session(work, place)
        one = [*session, "tools-call", work.tool, *pairs(work, "{}:={}")]
        return Command.some_of(one, work, place, before=connect, after=close)


class Fastmcp(Rival):
    """Each run is one call; questions are answered on stdin, a line a field."""

    name = "fastmcp"
    kind = "python"

    def version(self):
        (about,) = self.home.glob("lib/python*/site-packages/fastmcp-[0-9]*.dist-info")
        return about.name.removeprefix("fastmcp-").removesuffix(".dist-info")

    def runtime(self):
        return [str(self.home / "bin/python"), "--version"]

    def program(self):
        return str(self.home / "bin/fastmcp")

    def version_command(self):
        return [self.program(), "version"]

    def server(self, work, place):
        return [place.url] if work.transport == "http" else ["--command", shlex.join(place.server(work))]

    def list(self, work, place):
        return Command([self.program(), "list", *self.server(work, place)])

    def call(self, work, place):
        json_flag = ["--json"] if work.json else []
        return Command([self.program(), "call", *self.server(work, place), "--target", work.tool, *json_flag, *self.arguments(work)])

    def arguments(self, work):
        return ["--input-json", json.dumps(work.arguments)] if work.arguments else []

    def ask(self, work, place):
        times = work.arguments.get("n", 1)
        if times > 1000:
            raise No("takes minutes")
        command = self.call(work, place)
        command.stdin = place.file(f"fastmcp-{work.key}", "Ada\n" * times)
        return command


ALL = (Inspector, Mcporter, Mcpc, Fastmcp)


def present():
    """Those that are installed, by name."""
    homes = {kind: kit.installed(kind) for kind in ("node", "python")}
    return {rival.name: rival(homes[rival.kind]) for rival in ALL if homes[rival.kind]}
