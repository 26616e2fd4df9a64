"""Executors that a workspace names in `executors.json` beside its cases: allowed, and sandboxed."""

from pathlib import Path
from typing import Final

import msgspec

from evalcore.disk.files import Files
from evalcore.engine.cases import beside
from evalcore.engine.plan import Executor, Template
from evalcore.errors import CannotRun, PathOutside
from evalcore.sandbox.scripts import referenced
from evalcore.sandbox.trust import Command

NAME: Final = "executors.json"


def executors_beside(root: Path, source: str | None) -> dict[str, Executor]:
    """Return the executors that are named beside a document of cases, by name.

    Raises:
        CannotRun: the file cannot be read.
    """
    if source is None:
        return {}
    path = beside(source, NAME)
    try:
        found = msgspec.json.decode(Files(root).read(path), type=dict[str, Template])
    except (FileNotFoundError, PathOutside):
        return {}
    except (OSError, ValueError) as error:
        raise CannotRun(f"{path} cannot be read: {error}. Correct it, then try again.") from error
    return {
        name: Executor(name, "command", template, "workspace", path)
        for name, template in found.items()
    }


def command_of_executor(workspace: str | Path, base: Path, executor: Executor) -> Command:
    """Return what a workspace's executor would run: its template, and the files that it names.

    Raises:
        CannotAllow: it names too many or too large files.
    """
    text = msgspec.json.format(msgspec.json.encode(executor.template), indent=2).decode()
    parts = executor.template.command if executor.template is not None else ()
    return Command(
        Path(workspace) / (executor.source or ""), text, referenced(" ".join(parts), base)
    )
