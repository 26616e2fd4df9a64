"""`evalcore mcp`: the tools for agents over standard input and output, by the official SDK.

The only module that imports it.
"""

import inspect
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from evalcore import __version__
from evalcore.cli.agent_tools import NOTICE, AgentTools, fault
from evalcore.cli.app import system_fault
from evalcore.cli.opening import Followed
from evalcore.errors import EvalcoreError, WorkspaceNotFound

INSTRUCTIONS: Final = (
    "evalcore reads a folder of evaluations of skills, prompts and agents. Begin with list_suites. "
    f"Every answer is one JSON document. {NOTICE} Texts that are cut say so, and what cannot be "
    "seen stands as an escape. Long lists have a next_cursor. The files are read anew each time."
)
READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def serve(path: Path, *, write: bool) -> int:
    """Answer an agent until it closes the connection; only with `write` is anything stored.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    root = path.expanduser().absolute()
    if not root.is_dir():
        raise WorkspaceNotFound(root)
    server(AgentTools(Followed(root)), write=write).run("stdio")
    return 0


def server(tools: AgentTools, *, write: bool) -> MCPServer[Any]:
    """Return the server with the tools that read and, with `write`, the one that writes."""
    made = _Server("evalcore", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")
    for hints, some in ((READS, tools.reading), (WRITES, tools.writing if write else ())):
        for tool in some:
            told = inspect.cleandoc(tool.__doc__ or "")
            made.add_tool(tool, description=told, annotations=hints, structured_output=False)
    return made


class _Server(MCPServer[Any]):
    """A server whose errors are answers like others: marked as data, with the next step."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        try:
            await self._require(name, arguments)
            return await super().call_tool(name, arguments, context)
        except (ToolError, EvalcoreError) as error:
            said = _said(error if isinstance(error, EvalcoreError) else error.__cause__)
            text = TextContent(type="text", text=fault(said))
            return CallToolResult(content=[text], is_error=True)

    async def _require(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise `EvalcoreError` if there is no such tool, or it has no such argument."""
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name not in known:
            raise EvalcoreError(f"There is no tool {name!r}. There is: {', '.join(known)}.")
        if other := [each for each in arguments if each not in known[name]]:
            has = f"{name} has {', '.join(known[name])}"
            raise EvalcoreError(f"There is no argument {', '.join(map(repr, other))}: {has}.")


def _said(cause: BaseException | None) -> str:
    """Return why a tool gave no answer, as a sentence with the next step."""
    match cause:
        case EvalcoreError():
            return str(cause)
        case OSError():
            return system_fault(cause)
        case ValidationError():
            wrong = (
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
                for each in cause.errors(include_url=False, include_input=False)
            )
            return f"{'; '.join(wrong)}. Call it again with what its schema asks for."
    logging.getLogger(__name__).error("A tool failed", exc_info=cause)
    return (
        "evalcore could not answer, by a fault of its own that is on its standard error. Ask "
        "something else, or report it."
    )
