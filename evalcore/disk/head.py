"""Read the beginning of a file that may be large, hostile, or not a file at all."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.reader import inside


class Head(NamedTuple):
    """The first bytes of a file, and the size of the whole."""

    data: bytes
    size: int

    @property
    def cut(self) -> bool:
        """Say whether the file goes on after these bytes."""
        return self.size > len(self.data)


def read_head(root: Path, path: str, limit: int) -> Head:
    """Return at most `limit` bytes of a regular file below `root`, never waiting on a pipe.

    Raises:
        PathOutside: the path leaves the root, also through a link.
        OSError: it cannot be read, or is no regular file.
    """
    handle = os.open(_real(root, path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(22, "not a regular file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(limit)
        return Head(data, max(about.st_size, len(data)))
    finally:
        os.close(handle)


def _real(root: Path, path: str) -> Path:
    try:
        return inside(root, path)
    except ValueError as error:
        raise OSError(22, "its name is not a file name") from error
