"""The Rounds server on the Python SDK 2.x: tools that need an answer from the client before they have a result.

stdio, or `--http PORT`. `--era modern` and `--era legacy` serve one protocol era alone. What the client sent is written,
one JSON object a line, to the file named by PEER_LOG:

    {"method": .., "id": .., "params": {..}, "headers": {..}}   every message, as it came; over HTTP with its MCP headers
    {"counted": N}                  the Nth run of `count`
    {"cancelled": "slow"}           the client gave up on it
"""

import argparse
import functools
import hashlib
import hmac
import json
import os
import secrets
import sys
import warnings
from typing import Annotated, Any, Literal

sys.dont_write_bytecode = True
# The SDK calls logging, sampling and roots deprecated, once each, on stderr.
warnings.simplefilter("ignore")

import anyio
import uvicorn
from mcp import types
from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, ListRoots, RequestStateSecurity, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.runner import _serve_modern_stream, serve_loop
from mcp.server.stdio import stdio_server
from mcp.types import InputRequiredResult
from pydantic import BaseModel

MODERN = "2026-07-28"
ODD = '{"n": 9007199254740993, "s": "\\u0041"} \'`"\\ \t\n é ü 漢 \U0001f600 \u2028\u2029\u0085 %22 =?base64?QQ==?= </p> '
KEY = "the same in every process, so that a call can be taken up again"


def log(**entry: Any) -> None:
    if path := os.environ.get("PEER_LOG"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


async def record(ctx, call_next):
    """Log what came, and make by hand what the SDK would not send."""
    headers = {k: v for k, v in ctx.request.headers.items() if k.startswith("mcp-")} if ctx.request else {}
    log(method=ctx.method, id=ctx.request_id, params=ctx.params, **({"headers": headers} if headers else {}))
    params = ctx.params or {}
    if ctx.method == "tools/call" and ctx.protocol_version == MODERN and params.get("name") in BY_HAND:
        result = BY_HAND[params["name"]](params)
        return {**result, "_meta": {"io.modelcontextprotocol/serverInfo": mcp._lowlevel_server.server_info_stamp}}
    return await call_next(ctx)


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"resultType": "complete", "content": [{"type": "text", "text": words}], **more}


def name_form() -> dict[str, Any]:
    properties = {"name": {"type": "string", "title": "Name"}}
    schema = {"type": "object", "properties": properties, "required": ["name"]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": "Name?", "requestedSchema": schema}}


def tampered(params: dict[str, Any]) -> dict[str, Any]:
    state = params.get("requestState")
    if state is None:
        nonce = secrets.token_hex(8)
        signature = hmac.new(KEY.encode(), (ODD + nonce).encode(), hashlib.sha256).hexdigest()
        return {
            "resultType": "input_required",
            "inputRequests": {"who": name_form()},
            "requestState": f"{ODD}{nonce}.{signature}",
        }
    signed, _, signature = str(state).rpartition(".")
    expected = hmac.new(KEY.encode(), signed.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    if not (isinstance(state, str) and signed.startswith(ODD) and signature == expected):
        return text("tampered", isError=True)
    return text(f"Untouched, {answer_name(params)}.")


def answer_name(params: dict[str, Any]) -> str:
    answer = params.get("inputResponses", {}).get("who", {})
    return answer["content"]["name"] if answer.get("action") == "accept" else str(answer.get("action"))


def bad_round(params: dict[str, Any]) -> dict[str, Any]:
    wrong = {
        "list": {"inputRequests": [name_form()], "requestState": "s"},
        "empty": {"inputRequests": {}},
        "nothing": {},
        "unknown_method": {"inputRequests": {"who": {"method": "tea/brew", "params": {}}}, "requestState": "s"},
        "no_method": {"inputRequests": {"who": {"params": {"message": "Name?"}}}, "requestState": "s"},
        "not_an_object": {"inputRequests": {"who": "Name?"}, "requestState": "s"},
        "number_state": {"inputRequests": {"who": name_form()}, "requestState": 9007199254740993},
    }
    return {"resultType": "input_required", **wrong[params.get("arguments", {}).get("how", "list")]}


def no_result_type(params: dict[str, Any]) -> dict[str, Any]:
    result = text("No type.")
    del result["resultType"]
    return result


def odd_result_type(params: dict[str, Any]) -> dict[str, Any]:
    return text("An odd type.", resultType="postponed")


BY_HAND = {f.__name__: f for f in (tampered, bad_round, no_result_type, odd_result_type)}

parser = argparse.ArgumentParser()
parser.add_argument("--http", type=int, metavar="PORT", help="serve http://127.0.0.1:PORT/mcp instead of stdio")
parser.add_argument("--era", choices=["both", "modern", "legacy"], default="both")
options = parser.parse_args()

mcp = MCPServer(
    "rounds",
    title="Rounds",
    version="2.3",
    description="Tools that need an answer first.",
    instructions="Start with `ask`. Everything else asks too.",
    log_level="INFO" if options.http else "CRITICAL",
    request_state_security=RequestStateSecurity(keys=[KEY]),
)
mcp._lowlevel_server.middleware.insert(0, record)  # outermost: it sees the request state as the client sent it
tool = functools.partial(mcp.tool, structured_output=False)


class Name(BaseModel):
    name: str


class City(BaseModel):
    city: str


class Street(BaseModel):
    street: str


class Number(BaseModel):
    number: int


def prompt(words: str) -> list[types.SamplingMessage]:
    return [types.SamplingMessage(role="user", content=types.TextContent(type="text", text=words))]


def form(message: str, model: type[BaseModel] = Name) -> types.ElicitRequest:
    schema = model.model_json_schema()
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(words: str, **more: Any) -> types.CreateMessageRequest:
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=prompt(words), max_tokens=100, **more)
    )


def said(answer: Any) -> str:
    blocks = answer.content if isinstance(answer.content, list) else [answer.content]
    return " ".join(getattr(block, "text", block.type) for block in blocks)


# What the SDK asks by itself, in either era.


def ask_name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@tool()
async def ask(name: Annotated[ElicitationResult[Name], Resolve(ask_name)]) -> str:
    """Ask for a name and greet."""
    if isinstance(name, AcceptedElicitation):
        return f"Hello, {name.data.name}!"
    return "declined" if name.action == "decline" else "cancelled"


def ask_model() -> Sample:
    return Sample(prompt("Summarise the catalogue."), max_tokens=100, system_prompt="Be brief.")


@tool()
async def sample(answer: Annotated[types.CreateMessageResult, Resolve(ask_model)]) -> str:
    """Have the client's model complete a prompt."""
    return said(answer)


def ask_roots() -> ListRoots:
    return ListRoots()


@tool()
async def roots(answer: Annotated[types.ListRootsResult, Resolve(ask_roots)]) -> str:
    """List the client's roots, one a line."""
    return "\n".join(str(root.uri) for root in answer.roots)


def ask_city() -> Elicit[City]:
    return Elicit("Which city?", City)


def ask_street(city: Annotated[City, Resolve(ask_city)]) -> Elicit[Street]:
    return Elicit(f"Which street in {city.city}?", Street)


def ask_number(
    city: Annotated[City, Resolve(ask_city)], street: Annotated[Street, Resolve(ask_street)]
) -> Elicit[Number]:
    return Elicit(f"Which number in {street.street}, {city.city}?", Number)


@tool()
async def wizard(
    city: Annotated[City, Resolve(ask_city)],
    street: Annotated[Street, Resolve(ask_street)],
    number: Annotated[Number, Resolve(ask_number)],
) -> str:
    """Ask three questions, each of which needs the answer before."""
    return f"Parcel for {street.street} {number.number}, {city.city}."


def ask_with_tools() -> Sample:
    weather = types.Tool(name="weather", description="Today's weather", input_schema={"type": "object"})
    return Sample(prompt("What is the weather?"), max_tokens=100, tools=[weather])


@tool()
async def needs_sampling(answer: Annotated[types.CreateMessageResultWithTools, Resolve(ask_with_tools)]) -> str:
    """Sample with tools, which the client must have declared."""
    return said(answer)


# Rounds that a tool makes itself: 2026-07-28 alone has them.


@tool()
async def several(ctx: Context) -> str | InputRequiredResult:
    """Ask for a name, the roots and a completion in one round, under keys with odd characters."""
    keys = ['na"me \\ é\u2028', "__proto__", "9007199254740993"]
    answers = ctx.input_responses
    if answers is None:
        asks = [form("What is your name?"), types.ListRootsRequest(), sampling("Summarise the catalogue.")]
        return InputRequiredResult(input_requests=dict(zip(keys, asks)), request_state="several")
    if set(answers) != set(keys):
        return f"Other keys: {json.dumps(sorted(answers))}"
    name, listed, model = (answers[key] for key in keys)
    who = name.content["name"] if name.action == "accept" else name.action
    return f"name: {who}\nroots: {' '.join(str(root.uri) for root in listed.roots)}\nmodel: {said(model)}"


@tool()
async def state_only(ctx: Context) -> str | InputRequiredResult:
    """Two rounds that ask nothing."""
    turn = int(ctx.request_state or 0)
    return f"After {turn} rounds." if turn == 2 else InputRequiredResult(request_state=str(turn + 1))


@tool(name="tampered")
async def tampered_tool() -> str:
    """Sign the request state, and notice when it comes back otherwise."""
    raise NotImplementedError


@tool()
async def no_state(ctx: Context) -> str | InputRequiredResult:
    """A round without any request state; the second follows one with it."""
    answers = ctx.input_responses or {}
    if not answers:
        return InputRequiredResult(input_requests={"first": form("First name?")}, request_state="first")
    if "first" in answers:
        return InputRequiredResult(input_requests={"last": form("Last name?")})
    if ctx.request_state is not None:
        raise ToolError("a request state came where none was sent")
    return f"Hello, {answers['last'].content['name']}!"


@tool()
async def endless(ctx: Context, ask: bool = False) -> str | InputRequiredResult:
    """Never come to an end."""
    turn = int(ctx.request_state or 0) + 1
    asks = {"who": form(f"Name, for the {turn}. time?")} if ask else None
    return InputRequiredResult(input_requests=asks, request_state=str(turn))


@tool()
async def url(ctx: Context, address: str = "https://pay.example.com/card?order=7") -> str | InputRequiredResult:
    """Send the client to a page."""
    if not ctx.input_responses:
        params = types.ElicitRequestURLParams(message="Enter the card's number there.", url=address)
        return InputRequiredResult(input_requests={"page": types.ElicitRequest(params=params)}, request_state="url")
    return f"Page: {ctx.input_responses['page'].action}."


@tool()
async def undeclared(
    ctx: Context, kind: Literal["elicitation", "url", "sampling", "sampling_tools", "roots"] = "sampling"
) -> str | InputRequiredResult:
    """Ask for one kind of input whether the client declared it or not."""
    if ctx.input_responses:
        return "answered"
    weather = types.Tool(name="weather", input_schema={"type": "object"})
    page = types.ElicitRequestURLParams(message="There.", url="https://pay.example.com/")
    asks = {
        "elicitation": form("What is your name?"),
        "url": types.ElicitRequest(params=page),
        "sampling": sampling("Summarise."),
        "sampling_tools": sampling("Summarise.", tools=[weather]),
        "roots": types.ListRootsRequest(),
    }
    return InputRequiredResult(input_requests={"it": asks[kind]})


@tool(name="bad_round")
async def bad_round_tool(
    how: Literal["list", "empty", "nothing", "unknown_method", "no_method", "not_an_object", "number_state"] = "list",
) -> str:
    """Answer with a round that is not well made."""
    raise NotImplementedError


@tool(name="no_result_type")
async def no_result_type_tool() -> str:
    """Answer without a resultType."""
    return "No type."


@tool(name="odd_result_type")
async def odd_result_type_tool() -> str:
    """Answer with a resultType that nobody knows."""
    return "An odd type."


@tool(name="log")
async def log_tool(ctx: Context, ask: bool = False) -> str | InputRequiredResult:
    """Log at info and report progress; with `ask`, in a round and after it."""
    again = bool(ctx.input_responses)
    await ctx.info("after the round" if again else "before the round" if ask else "working")
    await ctx.debug("a detail")
    await ctx.report_progress(2 if again else 1, 2, "second half" if again else "first half")
    if ask and not again:
        return InputRequiredResult(input_requests={"who": form("What is your name?")}, request_state="log")
    return "logged"


# Tools without rounds.


@tool()
async def push(ctx: Context) -> str:
    """Ask the old way, which needs a client that can be asked during the call."""
    answer = await ctx.elicit("What is your name?", schema=Name)
    return f"Hello, {answer.data.name}!" if answer.action == "accept" else answer.action


@tool()
async def slow(ctx: Context, seconds: float = 30) -> str:
    """Sleep, after a log message and a step of progress that say so."""
    await ctx.info("sleeping")
    await ctx.report_progress(0, 1, "sleeping")
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        log(cancelled="slow")
        raise
    return "slept"


@tool()
async def big(megabytes: float = 1) -> str:
    """Return that much text, in lines of 64 bytes."""
    return ("x" * 63 + "\n") * int(megabytes * 16384)


@tool(annotations=types.ToolAnnotations(read_only_hint=True))
async def greet(name: str = "World") -> str:
    """Greet, and change nothing."""
    return f"Hello, {name}!"


counted = 0


@tool()
async def count() -> str:
    """Count the calls; not to be repeated lightly."""
    global counted
    counted += 1
    log(counted=counted)
    return str(counted)


@tool()
async def differs(ctx: Context) -> str:
    """Answer differently in each era."""
    return "modern" if ctx.protocol_version == MODERN else "legacy"


@tool()
async def touch(ctx: Context, uri: str = "res://touched") -> str:
    """Tell whoever listens that the list of tools and a resource have changed."""
    if ctx.protocol_version == MODERN:
        await ctx.notify_tools_changed()
        await ctx.notify_resource_updated(uri)
    else:
        await ctx.session.send_tool_list_changed()
        await ctx.session.send_resource_updated(uri)
    return "touched"


# A prompt and a resource of each sort.


@mcp.prompt()
async def plain(topic: str) -> str:
    """A prompt with an argument."""
    return f"Write about {topic}."


@mcp.prompt()
async def asked(ctx: Context, topic: str) -> str | InputRequiredResult:
    """A prompt that needs to know who it is for."""
    answers = ctx.input_responses
    if not answers:
        return InputRequiredResult(input_requests={"who": form("Who is it for?")}, request_state="asked")
    return f"Write about {topic} for {answers['who'].content['name']}."


@mcp.resource("res://touched", mime_type="text/plain")
async def touched() -> str:
    """A resource that `touch` touches."""
    return "as it was"


@mcp.resource("res://asked/{topic}", mime_type="text/plain")
async def asked_resource(ctx: Context, topic: str) -> str | InputRequiredResult:
    """A resource that needs to know who reads it."""
    answers = ctx.input_responses
    if not answers:
        return InputRequiredResult(input_requests={"who": form("Who reads it?")}, request_state="asked")
    return f"{topic}, for {answers['who'].content['name']}"


# One era alone, where the SDK serves both.


def one_era(app):
    """Over HTTP: without the header an old server does not know; or without the requests a new one does not know."""

    async def serve(scope, receive, send):
        if scope["type"] != "http":
            return await app(scope, receive, send)
        headers = [header for header in scope["headers"] if header[0] != b"mcp-protocol-version"]
        version = dict(scope["headers"]).get(b"mcp-protocol-version", b"").decode()
        if options.era == "legacy" and version == MODERN:
            scope = {**scope, "headers": headers}
        elif options.era == "modern" and version < MODERN:
            return await refuse(scope, receive, send)
        await app(scope, receive, send)

    return serve


async def refuse(scope, receive, send):
    body, more = b"", scope["method"] == "POST"
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    request = json.loads(body) if body else {}
    log(method=request.get("method"), id=request.get("id"), params=request.get("params"), refused=True)
    requested = (request.get("params") or {}).get("protocolVersion", "2025-03-26")
    data = {"supported": [MODERN], "requested": requested}
    error = {"code": -32022, "message": f"This server speaks {MODERN} only", "data": data}
    reply = json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "error": error}).encode()
    status = 400 if scope["method"] == "POST" else 405
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reply if status == 400 else b""})


async def serve_stdio() -> None:
    server = mcp._lowlevel_server
    async with stdio_server() as (read, write), server.lifespan(server) as state:
        if options.era == "modern":
            await _serve_modern_stream(server, read, write, lifespan_state=state, raise_exceptions=False)
        else:
            await serve_loop(server, read, write, lifespan_state=state)


if options.http:
    app = one_era(mcp.streamable_http_app(host="127.0.0.1"))
    uvicorn.run(app, host="127.0.0.1", port=options.http, log_level="info", timeout_graceful_shutdown=1)
elif options.era == "both":
    mcp.run("stdio")
else:
    anyio.run(serve_stdio)
