"""The workspaces opened on this machine, each with a short name for addresses."""

from __future__ import annotations

import json
import os
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from filelock import FileLock

from evalcore.errors import WorkspaceNotFound
from evalcore.folders import state_dir

KEPT: Final = 50
_NAME_LENGTH: Final = 40
_SHOWN: Final = 200
_LOCK_SECONDS: Final = 10


class Recent(NamedTuple):
    """One workspace that was opened here: its name in addresses, its folder, when (ISO, UTC).

    `port` is the one that it was served on last, None if it never was.
    """

    name: str
    path: Path
    opened_at: str
    port: int | None = None

    @property
    def is_there(self) -> bool:
        """Say whether the folder can be found now."""
        return os.path.isdir(self.path)  # noqa: PTH112 - a closed folder above it raises nothing


def recent_workspaces() -> list[Recent]:
    """Return the recent workspaces, the last opened first; their folders may not exist any more."""
    try:
        text = _file().read_text(encoding="utf-8")
        entries = json.loads(text)
    except (OSError, ValueError):
        # The list only saves typing: without it every folder can be opened again.
        return []
    if not isinstance(entries, list):
        return []
    known = [recent for entry in entries if (recent := _parsed(entry))]
    return sorted(known, key=lambda recent: recent.opened_at, reverse=True)


def resolve(name: str) -> Path | None:
    """Return the folder of a recent workspace by name; None for any other text, including paths."""
    return next((recent.path for recent in recent_workspaces() if recent.name == name), None)


def last_port(workspace: Path) -> int | None:
    """Return the port that the folder was served on last; None if that is not known."""
    path = workspace.resolve()
    return next((recent.port for recent in recent_workspaces() if recent.path == path), None)


def remember(workspace: Path, port: int | None = None) -> str:
    """Put the folder on top of the list and return its permanent name.

    `port` is where it is served now. The oldest entries beyond 50 are dropped.
    """
    path = workspace.resolve()
    folder = state_dir()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with FileLock(folder / "recent.lock", timeout=_LOCK_SECONDS):
        known = recent_workspaces()
        before = next((recent for recent in known if recent.path == path), None)
        name = before.name if before else _free_name(path, {recent.name for recent in known})
        port = port or (before.port if before else None)
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        others = [recent for recent in known if recent.name != name]
        _write([Recent(name, path, now, port), *others][:KEPT])
    return name


def added(typed: str) -> str:
    """Remember the folder whose path a person typed, from their home on, and return its name.

    Raises:
        WorkspaceNotFound: there is no such folder.
    """
    try:
        path = Path.home() / Path(typed.strip()).expanduser()
        there = path.is_dir()
    except (OSError, RuntimeError):  # too long for a path, or the home of nobody
        path, there = Path(typed[:_SHOWN]), False
    if not there:
        raise WorkspaceNotFound(path)
    return remember(path)


def _file() -> Path:
    return state_dir() / "recent.json"


def _parsed(entry: object) -> Recent | None:
    if not isinstance(entry, dict):
        return None
    name, path, opened, port = (entry.get(key) for key in Recent._fields)
    if not (isinstance(name, str) and isinstance(path, str) and isinstance(opened, str)):
        return None
    if not name or not Path(path).is_absolute():
        return None
    return Recent(name, Path(path), opened, port if type(port) is int else None)


def _free_name(path: Path, taken: set[str]) -> str:
    """Return a short name from the folder's name, with a number if that is taken."""
    plain = re.sub(r"[^\w.-]+", "-", path.name.lower()).strip("-.")[:_NAME_LENGTH] or "workspace"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    return name


def _write(recents: list[Recent]) -> None:
    entries = [recent._asdict() | {"path": str(recent.path)} for recent in recents]
    handle, unfinished = tempfile.mkstemp(dir=state_dir(), prefix="recent-", suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(entries, file, ensure_ascii=False, indent=1)
    Path(unfinished).replace(_file())
