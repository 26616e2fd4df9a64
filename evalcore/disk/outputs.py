"""List the files that a run produced, within bounds and never outside the workspace."""

import hashlib
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from evalcore.disk.files import Files, inside
from evalcore.errors import PathOutside
from evalcore.folders import bundles_dir

MAX_DIGESTED: Final = 500
MAX_DIGESTED_BYTES: Final = 64 * 1024 * 1024
"""So many files, and bytes of them together, are read to tell whether two runs left the same."""


LEFT_OUT: Final = "left-out.txt"
"""The file that stands for all outputs of a run in a bundle without them."""
_STAND_IN: Final = re.compile(
    rb"evalcore: what the run wrote was left out of this copy; its sha256: ([0-9a-f]{64}|unknown)\n"
)
_MAX_STAND_IN: Final = 200


class OutputFile(NamedTuple):
    """A file that a run produced: path relative to the workspace, and bytes."""

    path: str
    size: int


def list_outputs(
    root: Path, folder: str, limit: int = 500, enters: Callable[[str], bool] = bool
) -> list[OutputFile]:
    """Return the regular files below `folder`, at most `limit`, never leaving `root`.

    `folder` may name a single file. A missing folder gives an empty list. `enters` says by its
    name whether a folder is entered; by default each one is. What stands for outputs that were left
    out of this copy is none.

    Raises:
        PathOutside: it leads out of the root.
    """
    found = _listed(root, folder, limit, enters)
    return [each for each in found if _stated(root, folder, each) is None]


def _listed(
    root: Path, folder: str, limit: int, enters: Callable[[str], bool] = bool
) -> list[OutputFile]:
    """Return the regular files below `folder` as `list_outputs`, with what stands for others."""
    start = inside(root, folder)
    if start.is_file():
        return [OutputFile(folder, start.stat().st_size)]
    found: list[OutputFile] = []
    base = os.path.realpath(root)
    for parent, folders, names in os.walk(start, followlinks=False):
        folders[:] = sorted(filter(enters, folders))
        for name in sorted(names):
            path = os.path.join(parent, name)  # noqa: PTH118 - os.walk gives text
            try:
                about = os.lstat(path)
            except OSError:
                continue  # it was removed a moment ago
            if stat.S_ISREG(about.st_mode):
                found.append(OutputFile(os.path.relpath(path, base), about.st_size))
            if len(found) >= limit:
                return found
    return found


def holds_outputs(root: Path, folder: str) -> bool:
    """Return whether there is any file that a run produced below a folder of the root."""
    try:
        return bool(_listed(root, folder, 1))
    except (OSError, PathOutside, ValueError):
        return False


def outputs_digest(root: Path, folder: str, enters: Callable[[str], bool] = bool) -> str | None:
    """Return the sha256 of a run's output below `folder`; equal files give equal digests.

    It is computed over the sorted lines `path NUL sha256 LF` with paths below `folder`, which may
    also be a single file. `enters` is as in `list_outputs`. None if there is nothing, more than 500
    files or 64 MiB, or an unreadable file. Of outputs that were left out of this copy it is the one
    that they had.
    """
    try:
        files = _listed(root, folder, MAX_DIGESTED + 1, enters)
        if stated := next(filter(None, (_stated(root, folder, each) for each in files)), None):
            return None if stated == "unknown" else stated
        total = sum(file.size for file in files)
        if not files or len(files) > MAX_DIGESTED or total > MAX_DIGESTED_BYTES:
            return None
        reader = Files(os.path.realpath(root))
        lines = [_line(reader, file.path, folder) for file in files]
    except (OSError, PathOutside, ValueError):
        return None
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def stand_in(digest: str | None) -> bytes:
    """Return the content of a file that stands for outputs with this digest."""
    known = (digest or "unknown").encode()
    return b"evalcore: what the run wrote was left out of this copy; its sha256: %b\n" % known


def is_left_out(root: Path, folder: str) -> bool:
    """Return whether a run had outputs at a place that were left out of this copy."""
    places = (OutputFile(path, 0) for path in (folder, f"{folder}/{LEFT_OUT}"))
    return any(_stated(root, folder, each) is not None for each in places)


def _stated(root: Path, folder: str, file: OutputFile) -> str | None:
    """Return the digest of the outputs that a file of a bundle stands for; None of any other."""
    if file.size > _MAX_STAND_IN or file.path not in (folder, f"{folder}/{LEFT_OUT}"):
        return None
    # Anywhere else a run may have written it, to pass for another one.
    if Path(os.path.realpath(root)).parents[2:3] != (Path(os.path.realpath(bundles_dir())),):
        return None
    try:
        data = Files(os.path.realpath(root)).read(file.path, _MAX_STAND_IN)
    except (OSError, PathOutside, ValueError):
        return None
    found = _STAND_IN.fullmatch(data)
    return found[1].decode() if found is not None else None


def _line(reader: Files, path: str, folder: str) -> bytes:
    name = PurePosixPath(path).name if path == folder else os.path.relpath(path, folder)
    content = hashlib.sha256(reader.read(path, MAX_DIGESTED_BYTES)).hexdigest()
    return os.fsencode(name) + b"\0" + content.encode() + b"\n"
