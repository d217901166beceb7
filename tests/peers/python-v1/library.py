"""The Library server on the Python SDK 1.x: stdio, `--http PORT`, or `--sse PORT` for the transport of 2024-11-05."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from library_tools import recorded_call, register, transport_from_command_line
from mcp.server.fastmcp import Context, FastMCP


class Library(FastMCP):
    async def call_tool(self, name, arguments):
        client = self.get_context().session.client_params
        run = super().call_tool
        return await recorded_call(name, arguments, client, lambda: run(name, arguments))


kind, port = transport_from_command_line(["http", "sse"])
mcp = Library("Library", host="127.0.0.1", port=port or 8000, log_level="INFO" if port else "CRITICAL")
register(mcp, Context)
mcp.run({"http": "streamable-http", "sse": "sse", None: "stdio"}[kind])
