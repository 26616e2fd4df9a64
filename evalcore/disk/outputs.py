"""List the files that a run produced, within bounds and never outside the workspace."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.files import inside


class OutputFile(NamedTuple):
    """A file that a run produced: path relative to the workspace, and bytes."""

    path: str
    size: int


def list_outputs(root: Path, folder: str, limit: int = 500) -> list[OutputFile]:
    """Return the regular files below `folder`, at most `limit`, never leaving `root`.

    `folder` may name a single file. A folder that is not there gives an empty list.

    Raises:
        PathOutside: it leads out of the root.
    """
    start = inside(root, folder)
    if start.is_file():
        return [OutputFile(folder, start.stat().st_size)]
    found: list[OutputFile] = []
    base = os.path.realpath(root)
    for parent, folders, names in os.walk(start, followlinks=False):
        folders.sort()
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
