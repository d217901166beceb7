"""The Surface server on the Python SDK 2.x: something of everything that can be looked at, listed in pages of two.

stdio, or `--http PORT`. Tools, resources (text, binary, one that asks), templates, prompts (one that asks) and completions.
The log, to the file named by PEER_LOG, has each message as it came: {"method": .., "params": {..}}.
"""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Literal, Optional

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from library_tools import port_from_command_line
from mcp import types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel, Field

PAGE = 2
KEYS = {"tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"}


async def pages(ctx, call_next):
    """Log what came, and cut lists into pages: the SDK has no way to."""
    if path := os.environ.get("PEER_LOG"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"method": ctx.method, "params": ctx.params}) + "\n")
    params = dict(ctx.params or {})
    cursor = params.get("cursor")
    result = await call_next(ctx)
    key = KEYS.get(ctx.method)
    if key is None:
        return result
    result = result if isinstance(result, dict) else result.model_dump(mode="json", by_alias=True, exclude_none=True)
    # The second page begins at a cursor that is an empty text, which is one like any other.
    start = 0 if cursor is None else PAGE if cursor == "" else int(cursor)
    end = start + PAGE
    more = {"nextCursor": "" if start == 0 else str(end)} if end < len(result[key]) else {}
    return {**result, key: result[key][start:end], **more}


port = port_from_command_line()
mcp = MCPServer("Surface", version="1.0.0", log_level="INFO" if port else "CRITICAL")
mcp._lowlevel_server.middleware.insert(0, pages)


class Address(BaseModel):
    street: str = Field(description="With the number")
    city: str = Field(min_length=2)
    country: Literal["at", "de", "ch"] = "at"


class Parcel(BaseModel):
    id: int
    cost: float = Field(ge=0, description="In euros")


@mcp.tool(
    title="Send a parcel",
    annotations=types.ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True),
)
def send_parcel(
    to: Address,
    weight: Annotated[float, Field(gt=0, le=30, description="In kilograms")],
    contents: list[Literal["books", "clothes", "other"]],
    insured: bool = False,
    note: Annotated[Optional[str], Field(max_length=200, description="Printed on the label. Long notes are printed in a smaller type, and cut where even that does not help.")] = None,
) -> Parcel:
    """Send a parcel to an address.

    The cost depends on the weight and on the country; parcels with books in them are cheaper.
    """
    return Parcel(id=1, cost=weight)


@mcp.tool(annotations=types.ToolAnnotations(read_only_hint=True))
def countries() -> str:
    """List where parcels can be sent to."""
    return "at, de, ch"


@mcp.tool()
def track(id: int) -> str:
    """Say where a parcel is."""
    return f"Parcel {id} is in the post office."


@mcp.resource("post://prices", name="prices", title="Price list", mime_type="text/plain")
def prices() -> str:
    """What a parcel costs, by weight."""
    return "to 2 kg  4.50\nto 10 kg 8.00"


@mcp.resource("post://logo", name="logo", mime_type="image/png")
def logo() -> bytes:
    """The horn."""
    return bytes(range(256))


@mcp.resource("post://opening-hours-of-all-the-post-offices/in-the-country.txt", name="opening hours", mime_type="text/plain")
def hours() -> str:
    """When each of them is open."""
    return "8 to 18\n"


@mcp.resource("post://parcels/{id}", name="parcel", mime_type="application/json")
def parcel(id: str) -> str:
    """A parcel by its number."""
    return json.dumps({"id": id})


@mcp.resource("post://offices/{country}/{city}", name="office")
def office(country: str, city: str) -> str:
    """The post office of a city."""
    return f"The office of {city} ({country})"


class Name(BaseModel):
    name: str


@mcp.resource("post://box/{number}", name="box", mime_type="text/plain")
async def box(ctx: Context, number: str) -> str:
    """What is in a box, for whoever says their name."""
    answer = await ctx.elicit("Who are you?", Name)
    return f"Box {number} is empty, {answer.data.name}." if answer.action == "accept" else "It stays closed."


@mcp.prompt(title="Complain")
def complain(parcel: str, tone: str = "polite") -> str:
    """Write a complaint about a parcel."""
    return f"Write a {tone} complaint about parcel {parcel}."


@mcp.prompt()
def thank() -> list:
    """Thank the postman."""
    from mcp.server.mcpserver.prompts.base import AssistantMessage, UserMessage

    return [UserMessage("Thank the postman.\nIn two lines."), AssistantMessage("Dear postman,")]


@mcp.prompt()
async def sign(ctx: Context, text: str) -> str:
    """Have a text signed with a name that is asked for."""
    answer = await ctx.elicit("Who signs?", Name)
    return f"{text}\n\n{answer.data.name}" if answer.action == "accept" else text


CITIES = {"at": ["graz", "linz", "salzburg", "wien"], "de": ["berlin", "bonn"], "ch": ["basel", "bern"]}


@mcp.completion()
async def complete(ref, argument, context):
    known = (context.arguments or {}) if context else {}
    values = []
    if argument.name == "country":
        values = list(CITIES)
    elif argument.name == "city":
        values = CITIES.get(known.get("country"), [])
    elif argument.name == "tone":
        values = ["polite", "angry", "hurt"]
    elif argument.name == "parcel":
        values = [str(n) for n in range(1000, 1250)]
    values = [value for value in values if value.startswith(argument.value)]
    return types.Completion(values=values[:100], total=len(values), has_more=len(values) > 100)


if port:
    mcp.run("streamable-http", host="127.0.0.1", port=port)
else:
    mcp.run("stdio")
