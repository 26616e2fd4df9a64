"""Read the beginning of a file that may be large, hostile, or not a file at all."""

import os
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.files import opened


class Head(NamedTuple):
    """The first bytes of a file, and the size of the whole."""

    data: bytes
    size: int

    @property
    def cut(self) -> bool:
        """Whether the file continues after these bytes."""
        return self.size > len(self.data)


def read_head(root: Path, path: str, limit: int) -> Head:
    """Return at most `limit` bytes of a regular file below `root`, never waiting on a pipe.

    Raises:
        PathOutside: the path leaves the root, also through a link.
        OSError: it cannot be read, or is not a regular file.
    """
    with opened(root, path) as handle:
        parts = [os.pread(handle, limit, 0)]
        while parts[-1] and (left := limit - sum(map(len, parts))) > 0:
            parts.append(os.pread(handle, left, limit - left))
        data = b"".join(parts)
        return Head(data, max(os.fstat(handle).st_size, len(data)))
