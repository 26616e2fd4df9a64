"""What processes do to one skill at the same moment."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evalcore.errors import EvalcoreError
from evalcore.versions import initialise, take_snapshot
from evalcore.workspace.opened import open_workspace


def snapshot(home: Path, *, force: bool = False) -> tuple[str | None, bool]:
    """Take a snapshot; return its version, and whether it was written."""
    found = take_snapshot(home, force=force)
    return found.version, found.written


def begin(skill: Path) -> bool:
    """Begin the workspace of a skill; say whether this process did."""
    return initialise(skill).workspace_written


def at_once(environment: Mapping[str, str], start: Any, said: Any, does: Callable[[], Any]) -> None:
    """Do some work when the others are ready too, and tell what came of it."""
    os.environ.update(environment)
    start.wait(60)
    try:
        said.put(does())
    except EvalcoreError as error:
        said.put(f"refused: {error}")


def when_loaded(environment: Mapping[str, str], home: Path, start: Any) -> None:
    """Take a snapshot when told to, with all code loaded, so that most of the time is writing."""
    os.environ.update(environment)
    open_workspace(home, cache=False)
    start.wait(60)
    take_snapshot(home)
