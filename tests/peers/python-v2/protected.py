"""A server that wants authorization, as the Python SDK's documentation builds one: it verifies tokens by asking the
authorization server that is the last argument. HTTP only; the first line on stdout is its address."""

import json
import socket
import sys
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

import anyio
import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings

issuer = sys.argv[-1]
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


def introspect(token: str) -> bool:
    query = urllib.parse.urlencode({"token": token})
    with urllib.request.urlopen(f"{issuer}/introspect?{query}") as answer:
        return json.load(answer)["active"]


class Verifier(TokenVerifier):
    async def verify_token(self, token: str) -> AccessToken | None:
        if not await anyio.to_thread.run_sync(introspect, token):
            return None
        return AccessToken(token=token, client_id="test", scopes=["user"], resource=url)


mcp = MCPServer(
    "protected",
    token_verifier=Verifier(),
    auth=AuthSettings(
        issuer_url=issuer, resource_server_url=url, required_scopes=["user"], validate_token_resource=True
    ),
)


@mcp.tool()
def whoami() -> str:
    """Say who calls."""
    return "the test's user"


print(url, flush=True)
config = uvicorn.Config(mcp.streamable_http_app(), log_level="warning")
uvicorn.Server(config).run(sockets=[listener])
