"""The Forms server on the Python SDK 2.x: tools that ask with schemas richer than the SDK's own forms.

stdio, or `--http PORT`. The schemas go out below the session: `Context.elicit` refuses most of them, and the session itself
content that is not flat. What comes back is validated by pydantic, where there is a model, and returned as JSON. The log, to the file named by PEER_LOG, is that of the Library server (`library_tools.py`).
"""

import datetime
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))

from library_tools import asked, port_from_command_line, recorded_call
from mcp import types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel, Field


class Forms(MCPServer):
    async def call_tool(self, name, arguments, context=None):
        client = context.session.client_params if context else None
        run = super().call_tool
        return await recorded_call(name, arguments, client, lambda: run(name, arguments, context))


port = port_from_command_line()
mcp = Forms("Forms", version="1.0.0", log_level="INFO" if port else "CRITICAL")


class Answer(types.Result):
    """An answer whose content may be anything."""

    action: str
    content: dict[str, Any] | None = None


async def ask(ctx: Context, message: str, schema: dict[str, Any]) -> dict[str, Any] | str:
    """The content of the answer, or the action where there is none."""
    params = {"mode": "form", "message": message, "requestedSchema": schema}

    async def request() -> Answer:
        result = await ctx.session._request_outbound.send_raw_request("elicitation/create", params)
        return Answer.model_validate(result)

    answer = await asked("elicitation", request())
    return answer.content or {} if answer.action == "accept" else answer.action


async def ask_model(ctx: Context, message: str, model: type[BaseModel]) -> str:
    """What a model makes of the answer, strictly: a "3" is no 3."""
    content = await ask(ctx, message, model.model_json_schema())
    if isinstance(content, str):
        return content
    return model.model_validate_json(json.dumps(content), strict=True).model_dump_json()


@mcp.tool()
async def defaults(ctx: Context) -> str:
    """Ask for a string, an integer, a number, an option and a yes or no, each with a default."""
    schema = {
        "type": "object",
        "properties": {
            "nickname": {"type": "string", "title": "Nickname", "default": "Ada"},
            "books": {"type": "integer", "title": "Books", "minimum": 1, "maximum": 9, "default": 3},
            "rating": {"type": "number", "title": "Rating", "default": 4.5},
            "shelf": {"type": "string", "title": "Shelf", "enum": ["fiction", "science", "poetry"], "default": "science"},
            "newsletter": {"type": "boolean", "title": "Newsletter", "default": True},
        },
        "required": ["nickname", "books"],
    }
    return json.dumps(await ask(ctx, "What do you like?", schema))


@mcp.tool()
async def options(ctx: Context) -> str:
    """Ask for options in the five ways in which they can be spelled."""
    titled = [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}, {"const": "#00f", "title": "Blue"}]
    schema = {
        "type": "object",
        "properties": {
            "plain": {"type": "string", "enum": ["small", "large"]},
            "titled": {"type": "string", "oneOf": titled},
            "legacy": {"type": "string", "enum": ["s", "m", "l"], "enumNames": ["Small", "Medium", "Large"]},
            "some": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2},
            "some_titled": {"type": "array", "items": {"anyOf": titled}},
        },
        "required": ["plain", "titled", "legacy", "some", "some_titled"],
    }
    return json.dumps(await ask(ctx, "Which of these?", schema))


class Address(BaseModel):
    street: str
    city: str = Field(min_length=2)


class Trip(BaseModel):
    traveller: str
    bags: Optional[int] = Field(default=None, ge=0, le=3)
    travel_class: Literal["economy", "business"]
    home: Address = Field(description="Where the ticket is sent to")
    day: datetime.date
    meals: list[Literal["vegan", "halal", "kosher"]] = []


@mcp.tool()
async def trip(ctx: Context) -> str:
    """Ask for a pydantic model: an Optional, a Literal, a nested model, a date, a list of options."""
    return await ask_model(ctx, "Where to?", Trip)


class Guest(BaseModel):
    name: str = Field(min_length=1)
    age: Optional[int] = None


class Card(BaseModel):
    by: Literal["card"]
    number: str = Field(pattern=r"^\d{4}$", title="Last four digits")


class Invoice(BaseModel):
    by: Literal["invoice"]
    to: Address


class Party(BaseModel):
    guests: list[Guest] = Field(min_length=1, max_length=3)
    seats: dict[str, int] = {}
    payment: Annotated[Union[Card, Invoice], Field(discriminator="by")]
    host: Optional[Address] = None
    budget: Union[int, Literal["none"]] = "none"
    extra: dict[str, Any] = {}


@mcp.tool()
async def party(ctx: Context) -> str:
    """Ask for a list of models, a map, a union of models, an Optional model, a union of types, and anything."""
    return await ask_model(ctx, "Who comes?", Party)


@mcp.tool()
async def order(sku: str, copies: Annotated[int, Field(ge=1, le=5)], gift: bool = False, to: Optional[Address] = None) -> str:
    """Return the arguments as JSON; two of them are required."""
    return json.dumps({"sku": sku, "copies": copies, "gift": gift, "to": to and to.model_dump()})


if port:
    mcp.run("streamable-http", host="127.0.0.1", port=port)
else:
    mcp.run("stdio")
