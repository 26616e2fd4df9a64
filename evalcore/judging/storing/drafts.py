"""Drafts of judgments, saved on this machine and never in the workspace."""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evalcore.disk.parsing import MISSING
from evalcore.disk.private import load_private, save_private, set_aside
from evalcore.errors import CannotWrite
from evalcore.folders import state_dir

MAX_BYTES: Final = 256 * 1024
_ROOM: Final = 16 * 1024  # for the names around the draft
_ENDING: Final = ".json"


def save(root: Path, judge: str, run_id: str, data: Mapping[str, Any]) -> None:
    """Save the draft of a judge (id) for a run of the workspace at `root`, replacing an older one.

    Raises:
        CannotWrite: it has more than 256 KB, is not JSON, or the state folder cannot be written; an
            older draft stays.
    """
    path = _path(root, judge, run_id)
    try:
        size = len(json.dumps(data, ensure_ascii=False).encode())
    except (TypeError, ValueError) as error:
        raise CannotWrite(path, "the draft holds something that JSON cannot represent") from error
    if size > MAX_BYTES:
        why = f"the draft has {size:,} bytes, at most {MAX_BYTES:,} are saved; shorten it"
        raise CannotWrite(path, why)
    save_private(path, {"root": str(root), "judge": judge, "run": run_id, "data": dict(data)})


def load(root: Path, judge: str, run_id: str) -> dict[str, Any] | None:
    """Return the draft of a judge for a run; None if there is no readable one.

    A broken draft is renamed and kept beside it.
    """
    draft = _draft(_path(root, judge, run_id))
    return None if draft is None else draft[1]


def drop(root: Path, judge: str, run_id: str) -> None:
    """Delete the draft of a judge for a run, if there is one."""
    with suppress(OSError):
        _path(root, judge, run_id).unlink()


def runs_with_drafts(root: Path, judge: str) -> frozenset[str]:
    """Return the ids of the runs that a judge has drafts for."""
    found = filter(None, map(_draft, _folder(root, judge).glob(f"*{_ENDING}")))
    return frozenset(run_id for run_id, _ in found)


def _draft(path: Path) -> tuple[str, dict[str, Any]] | None:
    value = load_private(path, MAX_BYTES + _ROOM)
    match value:
        case {"run": str(run_id), "data": dict(data)}:
            return run_id, data
    if value is not MISSING:
        set_aside(path)
    return None


def _folder(root: Path, judge: str) -> Path:
    place = _short(os.path.realpath(root))
    return state_dir() / "drafts" / place / _short(judge)


def _path(root: Path, judge: str, run_id: str) -> Path:
    return _folder(root, judge) / f"{_short(run_id)}{_ENDING}"


def _short(text: str) -> str:
    # Run names are untrusted: none of them becomes a path.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
