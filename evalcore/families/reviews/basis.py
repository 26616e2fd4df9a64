"""The basis of a judgment as sha256: the output, the prompt and the criterion."""

import hashlib
import json
import math
import os
import stat
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from evalcore.disk.files import inside
from evalcore.disk.outputs import MAX_DIGESTED, outputs_digest
from evalcore.errors import PathOutside

REMEMBERED: Final = 4096
"""So many digests of outputs are remembered while their files have the same sizes and times."""

Stats = Mapping[str, tuple[int, int]]
"""Path relative to the workspace to size and mtime (nanoseconds)."""


def sha256_of(value: Any) -> str:
    """Return the sha256 of a JSON value in its canonical form: keys sorted, no spaces."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # numbers beyond 64 bits, or nested very deeply
        data = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=REMEMBERED)
def criterion_sha256(
    kind: str,
    criterion: str,
    description: str | None,
    low: float | None,
    high: float | None,
    guide: str | None,
) -> str:
    """Return the sha256 of a criterion's wording, scale and anchors.

    The values are those of the criteria table (`min_score`, `max_score`); for a criterion that
    only a grading knows, those of its judgment, with neither description nor guide.
    """
    return sha256_of(
        {
            "kind": kind,
            "criterion": criterion,
            "description": description or None,
            "min": _number(low),
            "max": _number(high),
            "guide": guide or None,
        }
    )


@lru_cache(maxsize=REMEMBERED)
def prompt_sha256(prompt: str | None, files: str | None = None) -> str | None:
    """Return the sha256 of a case's prompt; None without one.

    `files` are the names of its files as the cases table has them, a JSON list.
    """
    names = None if files in (None, "", "[]") else files
    if not prompt and names is None:
        return None
    return sha256_of({"prompt": prompt or None, "files": names})


def output_sha256(root: Path, outputs: str | None, stats: Stats | None = None) -> str | None:
    """Return the sha256 of a run's outputs below `outputs`; None if there is nothing to hash.

    It is computed by `outputs_digest` and cached until a size or time changes. `stats` is the
    current result of `output_stats`.
    """
    if not outputs:
        return None
    now = stats or output_stats(root, outputs)
    if len(now) > MAX_DIGESTED:  # not all of them were looked at
        return outputs_digest(root, outputs)
    return _digest(os.path.realpath(root), outputs, tuple(now.items()))


@lru_cache(maxsize=REMEMBERED)
def _digest(root: str, outputs: str, _: tuple[tuple[str, tuple[int, int]], ...]) -> str | None:
    """Return the sha256 of a run's outputs, whose files have these sizes and times."""
    return outputs_digest(Path(root), outputs)


def output_stats(root: Path, outputs: str) -> Stats:
    """Return the files and folders of a run's outputs, each with its size and mtime.

    At most as many as are hashed; empty if missing or outside the workspace.
    """
    found: dict[str, tuple[int, int]] = {}
    try:
        start = inside(root, outputs)
    except (OSError, PathOutside, ValueError):
        return found
    base = os.path.realpath(root)
    pending = [str(start)]
    while pending and len(found) <= MAX_DIGESTED:
        path = pending.pop()
        try:
            about = os.lstat(path)
            found[os.path.relpath(path, base)] = about.st_size, about.st_mtime_ns
            if stat.S_ISDIR(about.st_mode):
                with os.scandir(path) as entries:
                    pending.extend(sorted((entry.path for entry in entries), reverse=True))
        except OSError:
            continue  # it was removed a moment ago
    return found


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
