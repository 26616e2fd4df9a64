"""Asks `evalcore mcp` as an agent does: by a client of the SDK, over the streams of a process."""

import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, InitializeResult, TextContent, Tool

from tests.cli.command import environment

MOST = 25_000
T = TypeVar("T")


class Told(NamedTuple):
    """What a tool answered: its text, the document in it, and whether it is an error."""

    text: str
    value: dict[str, Any]
    wrong: bool

    @property
    def data(self) -> Any:
        """What the answer has of the workspace."""
        return self.value["data"]


class Agent(NamedTuple):
    """A connection to one server: what it said at first, its tools, and how to call them."""

    said: InitializeResult
    tools: list[Tool]
    session: ClientSession

    async def ask(self, name: str, **arguments: Any) -> Told:
        """Call a tool."""
        return told(await self.session.call_tool(name, arguments))


def told(result: object) -> Told:
    """Return the one text of an answer, which fits the context of an agent."""
    assert isinstance(result, CallToolResult)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.structured_content is None
    assert len(content.text.encode()) <= MOST
    return Told(content.text, json.loads(content.text), bool(result.is_error))


def connected(
    root: Path, home: Path, talk: Callable[[Agent], Awaitable[None]], *options: str
) -> None:
    """Start the server of a folder, and talk with it until that ends."""

    async def run() -> None:
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "evalcore", "mcp", str(root), *options],
            env=environment(home),
            cwd=home,
        )
        async with stdio_client(command) as streams, ClientSession(*streams) as session:
            said = await session.initialize()
            await talk(Agent(said, (await session.list_tools()).tools, session))

    run_apart(run)


def run_apart(work: Callable[[], Awaitable[T]]) -> T:
    """Run a coroutine in a thread of its own: browsers of other tests leave this one a loop."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(anyio.run, work).result()
