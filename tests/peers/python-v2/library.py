"""The Library server on the Python SDK 2.x: stdio, or `--http PORT`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from library_tools import port_from_command_line, recorded_call, register
from mcp.server import MCPServer
from mcp.server.mcpserver import Context


class Library(MCPServer):
    async def call_tool(self, name, arguments, context=None):
        client = context.session.client_params if context else None
        run = super().call_tool
        return await recorded_call(name, arguments, client, lambda: run(name, arguments, context))


port = port_from_command_line()
mcp = Library("Library", version="1.0.0", log_level="INFO" if port else "CRITICAL")
register(mcp, Context)
if port:
    mcp.run("streamable-http", host="127.0.0.1", port=port)
else:
    mcp.run("stdio")
