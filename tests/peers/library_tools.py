"""The tools of the test servers, the same for every generation of the Python SDK.

`python-v1/library.py` and `python-v2/library.py` differ only in what the SDK calls things; both call `register`.
What the client did is written, one JSON object a line, to the file named by PEER_LOG:

    {"call": NAME, "arguments": {...}, "client": {...}}   a tools/call, as it came; what the client declared
    {"ask": KIND, "answer": {...}}                        the client's answer to something a tool asked
    {"ask": KIND, "error": {"code": .., "message": ..}}   the client refused
    {"returned": NAME} / {"raised": NAME, "text": ..} / {"cancelled": NAME}   how the call ended
"""

import argparse
import contextvars
import json
import os
import warnings
from typing import Any, Literal

import anyio
from mcp import types
from pydantic import BaseModel, Field

# The SDK calls logging, sampling and roots deprecated, once each, on stderr.
warnings.simplefilter("ignore")

LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
RED_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

raw_arguments: contextvars.ContextVar[dict] = contextvars.ContextVar("raw_arguments")


def log(**entry: Any) -> None:
    if path := os.environ.get("PEER_LOG"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def plain(model: BaseModel | None) -> Any:
    return model and model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def recorded_call(name: str, arguments: dict[str, Any], client: BaseModel | None, run):
    """Run a tool and log how it began and ended."""
    log(call=name, arguments=arguments, client=plain(client))
    raw_arguments.set(arguments)
    try:
        result = await run()
    except anyio.get_cancelled_exc_class():
        log(cancelled=name)
        raise
    except Exception as error:
        log(raised=name, text=str(error))
        raise
    log(returned=name)
    return result


async def asked(kind: str, request):
    """Wait for the client's answer to `request` and log it, or its refusal."""
    try:
        answer = await request
    except Exception as error:
        refusal = getattr(error, "error", None)
        log(ask=kind, error=plain(refusal) if refusal else {"text": str(error)})
        raise
    entry = plain(answer)
    if "data" in entry:  # what the SDKs call an elicitation's content once they have read it
        entry["content"] = entry.pop("data")
    log(ask=kind, answer=entry)
    return answer


class CardHolder(BaseModel):
    name: str


class Order(BaseModel):
    name: str = Field(min_length=2, description="As printed on the card")
    copies: int = Field(ge=1, le=5, description="How many cards")


class Copies(BaseModel):
    copies: int


class Preferences(BaseModel):
    nickname: str = "Ada"
    books: int = 3
    rating: float = 4.5
    shelf: str = Field(default="fiction", json_schema_extra={"enum": ["fiction", "science", "poetry"]})
    newsletter: bool = True


class Sum(BaseModel):
    sum: int


def register(mcp: Any, Context: type) -> None:
    """Add every tool to `mcp`; `Context` is the SDK's own class, found by annotation."""

    @mcp.tool()
    async def issue_card(ctx: Context) -> str:
        """Issue a new library card."""
        answer = await asked("elicitation", ctx.elicit("What name should go on the card?", schema=CardHolder))
        if answer.action == "accept":
            return f"Card issued to {answer.data.name}."
        return "No card issued."

    @mcp.tool()
    def client_features(ctx: Context) -> list[str]:
        """Which optional features the connected client declared."""
        declared = {
            "elicitation": types.ClientCapabilities(elicitation=types.ElicitationCapability()),
            "sampling": types.ClientCapabilities(sampling=types.SamplingCapability()),
            "roots": types.ClientCapabilities(roots=types.RootsCapability()),
        }
        return [name for name, capability in declared.items() if ctx.session.check_client_capability(capability)]

    @mcp.tool()
    async def two_fields(ctx: Context) -> str:
        """Order library cards: asks for a name and a number."""
        answer = await asked("elicitation", ctx.elicit("Whose cards, and how many?", schema=Order))
        if answer.action == "accept":
            return f"{answer.data.copies} cards for {answer.data.name}."
        return f"No cards: {answer.action}."

    @mcp.tool()
    async def elicit_zoo(ctx: Context) -> str:
        """Ask for five fields, each with a default, and return what came as JSON."""
        answer = await asked("elicitation", ctx.elicit("What do you like?", schema=Preferences))
        if answer.action == "accept":
            return json.dumps(answer.data.model_dump())
        return answer.action

    @mcp.tool()
    async def ask_twice(ctx: Context) -> str:
        """Ask one question after the other."""
        first = await asked("elicitation", ctx.elicit("What name should go on the card?", schema=CardHolder))
        if first.action != "accept":
            return f"Stopped at the first question: {first.action}."
        second = await asked("elicitation", ctx.elicit("How many copies?", schema=Copies))
        if second.action != "accept":
            return f"Stopped at the second question: {second.action}."
        return f"{second.data.copies} cards for {first.data.name}."

    @mcp.tool()
    async def parallel(ctx: Context, n: int = 2) -> str:
        """Ask n questions at once and return the answers in order."""
        answers = [""] * n

        async def one(index: int) -> None:
            answer = await asked("elicitation", ctx.elicit(f"Name of reader {index + 1}?", schema=CardHolder))
            answers[index] = answer.data.name if answer.action == "accept" else answer.action

        async with anyio.create_task_group() as group:
            for index in range(n):
                group.start_soon(one, index)
        return ", ".join(answers)

    @mcp.tool()
    async def log_all(ctx: Context) -> str:
        """Send a log message of each level: a string, an object or null (which the SDKs send as no data at all)."""
        data = ["{} text", {"shelf": 7, "level": "{}"}, None]
        for index, level in enumerate(LEVELS):
            value = data[index % 3]
            if isinstance(value, str):
                value = value.format(level)
            elif value:
                value = {**value, "level": level}
            await ctx.log(level, value, logger_name="library" if index % 2 == 0 else None)
        return "logged"

    @mcp.tool()
    async def count(ctx: Context, n: int = 3) -> str:
        """Report progress n times."""
        for index in range(1, n + 1):
            await ctx.report_progress(index, n, f"book {index}")
        return f"counted to {n}"

    @mcp.tool()
    async def slow(ctx: Context, seconds: float = 30) -> str:
        """Sleep, after a log message that says so."""
        await ctx.log("info", "sleeping")
        await anyio.sleep(seconds)
        return "slept"

    @mcp.tool()
    async def fail() -> types.CallToolResult:
        """Fail, with isError. Not by raising: what text an exception leaves differs between the SDKs."""
        return types.CallToolResult(content=[types.TextContent(type="text", text="the shelf is empty")], isError=True)

    @mcp.tool()
    async def add(a: int, b: int) -> Sum:
        """Add two integers; the result is structured."""
        return Sum(sum=a + b)

    @mcp.tool()
    async def echo_args(
        text: str = "",
        whole: int = 0,
        ratio: float = 0.0,
        flag: bool = False,
        tags: list[str] = [],
        size: Literal["small", "large"] = "small",
        extra: dict[str, Any] = {},
    ) -> str:
        """Return the arguments as they arrived, as JSON."""
        return json.dumps(raw_arguments.get(), ensure_ascii=False)

    @mcp.tool()
    async def sample(ctx: Context, prompt: str = "Summarise the catalogue.") -> str:
        """Have the client's model complete a prompt."""
        message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
        request = ctx.session.create_message([message], max_tokens=100, related_request_id=ctx.request_id)
        answer = await asked("sampling", request)
        return f"{answer.model}: {answer.content.text}"

    @mcp.tool()
    async def list_roots(ctx: Context) -> str:
        """List the client's roots, one a line."""
        answer = await asked("roots", ctx.session.list_roots())
        return "\n".join(f"{root.name or '-'} {root.uri}" for root in answer.roots)

    @mcp.tool(structured_output=False)
    async def image() -> list[types.ContentBlock]:
        """Return a text and a one-pixel PNG."""
        return [
            types.TextContent(type="text", text="A red dot:"),
            types.ImageContent(type="image", data=RED_DOT, mimeType="image/png"),
        ]


def port_from_command_line() -> int | None:
    """`--http PORT`, or None for stdio."""
    return transport_from_command_line(["http"])[1]


def transport_from_command_line(kinds: list[str]) -> tuple[str | None, int | None]:
    """Which of `kinds` (`http`, `sse`) to serve, and on which port: `--KIND PORT`; (None, None) for stdio."""
    paths = {"http": "mcp", "sse": "sse"}
    parser = argparse.ArgumentParser()
    options = parser.add_mutually_exclusive_group()
    for kind in kinds:
        url = f"http://127.0.0.1:PORT/{paths[kind]}"
        options.add_argument(f"--{kind}", type=int, metavar="PORT", help=f"serve {url} instead of stdio")
    given = [(kind, port) for kind, port in vars(parser.parse_args()).items() if port]
    return given[0] if given else (None, None)
