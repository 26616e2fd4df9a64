"""The tools of a model that executes a case: it lists, reads, searches and writes its files.

A request that cannot be carried out is answered with a sentence, so that the model can go on.
"""

import math
import re
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from evalcore.engine.executing.agent.files import (
    MAX_LINE,
    MAX_LISTED,
    MAX_MATCHES,
    MAX_READ,
    CaseFiles,
    ToolFault,
)
from evalcore.models.calls import Stopped, ToolCall
from evalcore.sandbox.bubblewrap import Limits, run_command

COMMAND_SECONDS: Final = 120.0
COMMAND_OUTPUT: Final = 32 * 1024
MAX_SHOWN: Final = 60


class ListFiles(msgspec.Struct, frozen=True):
    """List the files of the folder, or of a folder below it, with their sizes in bytes."""

    path: Annotated[str, Meta(description="a folder; without it all files are listed")] = ""


class ReadFile(msgspec.Struct, frozen=True):
    """Read a text file, at most 40,000 characters at once."""

    path: str
    offset: Annotated[int, Meta(ge=0, description="characters to pass over")] = 0


class SearchText(msgspec.Struct, frozen=True):
    """Find the lines that hold a text, at most 100 of them."""

    text: Annotated[str, Meta(min_length=1)]
    path: Annotated[str, Meta(description="a file or folder; without it all are searched")] = ""
    regex: Annotated[bool, Meta(description="text is a regular expression of Python")] = False


class WriteFile(msgspec.Struct, frozen=True):
    """Write a text file; folders above it are made, and a file of that name is replaced."""

    path: str
    content: str


class RunCommand(msgspec.Struct, frozen=True):
    """Run a command by bash in the folder, without network, for at most two minutes."""

    command: Annotated[str, Meta(min_length=1)]


Request = ListFiles | ReadFile | SearchText | WriteFile | RunCommand

TOOLS: Final[dict[str, type[Request]]] = {
    "list_files": ListFiles,
    "read_file": ReadFile,
    "search_text": SearchText,
    "write_file": WriteFile,
}
COMMAND: Final = "run_command"


class Used(NamedTuple):
    """A tool that was used: what was asked, what it answered, and whether it could do it.

    `shown` is the answer as the transcript has it, without texts that stand in files.
    """

    call: ToolCall
    answer: str
    failed: bool
    shown: str


class Tools:
    """The tools of one execution; `commands` says whether commands may be run until `end`."""

    def __init__(
        self, root: Path, skill: str | None, *, commands: bool, end: float, stopped: Stopped
    ) -> None:
        self._root, self._end, self._stopped = root, end, stopped
        self._files = CaseFiles(root, skill)
        self.offered: Mapping[str, type[Request]] = TOOLS | (
            {COMMAND: RunCommand} if commands else {}
        )

    def use(self, call: ToolCall) -> Used:
        """Carry out what a model asks for; the answer says what it may not or cannot do."""
        kind = self.offered.get(call.name)
        try:
            if kind is None:
                known = ", ".join(self.offered)
                raise ToolFault(f"There is no tool {call.name[:MAX_SHOWN]!r}. There are: {known}.")
            answer, shown = self._done(_asked(kind, call))
        except ToolFault as fault:
            return Used(call, str(fault), True, str(fault))
        return Used(call, answer, False, shown or answer)

    def _done(self, asked: Request) -> tuple[str, str]:
        """Return the answer of a tool, and how it is shown where that is another text."""
        match asked:
            case ListFiles():
                return self._list(asked), ""
            case ReadFile():
                return self._read(asked)
            case SearchText():
                return self._search(asked), ""
            case WriteFile():
                size = self._files.write(asked.path, asked.content)
                return f"{asked.path} is written: {size:,} bytes.", ""
            case RunCommand():
                return self._run(asked), ""

    def _list(self, asked: ListFiles) -> str:
        found = self._files.listed(asked.path)
        lines = [f"{name} ({size:,} bytes)" for name, size in found[:MAX_LISTED]]
        if len(found) > MAX_LISTED:
            lines.append(f"and {len(found) - MAX_LISTED:,} more; name a folder to see them")
        return "\n".join(lines) or "There are no files."

    def _read(self, asked: ReadFile) -> tuple[str, str]:
        text = self._files.read(asked.path)
        part = text[asked.offset : asked.offset + MAX_READ]
        left = len(text) - asked.offset - len(part)
        if text and not part:
            raise ToolFault(f"{asked.path} has only {len(text):,} characters.")
        end = asked.offset + len(part)
        more = f"\n[{left:,} characters follow; read on with offset {end}]" if left else ""
        shown = f"[{len(part):,} characters of {asked.path}]"
        return (part + more if text else "[The file is empty.]"), shown

    def _search(self, asked: SearchText) -> str:
        pattern = asked.text if asked.regex else re.escape(asked.text)
        found = self._files.matches(pattern, asked.path)
        lines = [
            f"{path}:{number}: {line.strip()[:MAX_LINE]}"
            for path, number, line in islice(found, MAX_MATCHES)
        ]
        if len(lines) == MAX_MATCHES:
            lines.append(f"[only the first {MAX_MATCHES} lines; search for something rarer]")
        return "\n".join(lines) or "No line has that."

    def _run(self, asked: RunCommand) -> str:
        seconds = max(0.1, min(COMMAND_SECONDS, self._end - time.monotonic()))
        limits = Limits(
            seconds=seconds, output_bytes=COMMAND_OUTPUT, cpu_seconds=math.ceil(seconds)
        )
        command = ["bash", "-c", asked.command]
        ended = run_command(command, folder_rw=self._root, limits=limits, stopped=self._stopped)
        if ended.how == "not_started":
            raise ToolFault(ended.why)
        parts = [ended.why]
        for name, data in (("standard output", ended.stdout), ("standard error", ended.stderr)):
            if text := data.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}"):
                parts.append(f"{name}:\n{text}")
        if ended.cut:
            parts.append("[The output was longer and is cut here.]")
        return "\n".join(parts)


def _asked(kind: type[Request], call: ToolCall) -> Request:
    """Return what a model asks of a tool.

    Raises:
        ToolFault: its arguments are not JSON, or not of the tool's form.
    """
    try:
        return msgspec.json.decode(call.arguments or "{}", type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ToolFault(f"The arguments of {call.name} cannot be read: {error}.") from error


def definitions(offered: Mapping[str, type[Request]]) -> list[dict[str, Any]]:
    """Return the tools as a server is told of them."""
    return [{"type": "function", "function": _function(*each)} for each in offered.items()]


def _function(name: str, kind: type[Request]) -> dict[str, Any]:
    (_,), components = msgspec.json.schema_components([kind])
    schema = components[kind.__name__]
    parameters = {
        "type": "object",
        "properties": schema["properties"],
        "required": schema["required"],
    }
    return {"name": name, "description": schema["description"], "parameters": parameters}
