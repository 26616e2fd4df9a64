"""Open files below one folder without ever leaving it, even if names change in the meantime."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evalcore.errors import PathOutside

MAX_BYTES: Final = 64 * 1024 * 1024
CHUNK: Final = 32 * 1024
DEEPEST: Final = 64
"""So many folders lie inside each other at most; about as many are held open."""

_FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NOT_NAMES: Final = frozenset({"", ".", ".."})
# What opening something by its name says when it is a link, or is no folder on the way.
_LINK: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


class TooLarge(OSError):
    """A file larger than the limit."""

    def __init__(self, size: int) -> None:
        super().__init__(errno.EFBIG, f"it has {size:,} bytes")
        self.size = size


class Files:
    """The files below a root, opened name by name from open folder handles.

    A folder or file that is replaced by a link after it was listed is not followed out of the root.
    Reading files folder by folder is fastest. For one thread.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)
        self._folders: dict[str, int] = {}
        self._folder: str | None = None
        self._handle = -1

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """Return the bytes of a regular file of at most `limit` bytes, never waiting on a pipe.

        Raises:
            TooLarge: it has more.
            PathOutside: it leads out of the root.
            OSError: it cannot be read, or is not a regular file.
        """
        handle = self.open(path)
        try:
            # Reading at a place is refused by pipes and sockets, and takes nothing out of them.
            first = os.pread(handle, CHUNK, 0)
            return first if 0 < len(first) < CHUNK else _rest(handle, first, limit)
        except OSError as error:
            if error.errno == errno.ESPIPE:
                raise _not_regular(path) from error
            raise
        finally:
            os.close(handle)

    def open(self, path: str) -> int:
        """Return a handle to read `path`, which the caller closes.

        Raises:
            PathOutside: it leads out of the root.
            OSError: it cannot be opened.
        """
        folder, _, name = path.rpartition("/")
        try:
            if folder != self._folder:
                self._enter(folder)
            if name not in _NOT_NAMES and path[0] != "/":
                return os.open(name, _FILE, dir_fd=self._handle)
        except OSError as error:
            if error.errno not in _LINK:
                raise
        except ValueError as error:
            raise OSError(errno.EINVAL, "its name is not a file name", path) from error
        return self._follow(path)

    def _follow(self, path: str) -> int:
        """Open the target of a link if it is below the root, without following another link."""
        try:
            base = Path(self.root).resolve()
            real = inside(base, path).relative_to(base)
        except ValueError as error:
            raise OSError(errno.EINVAL, "its name is not a file name", path) from error
        self._enter(str(real.parent) if real.name and real.parent.name else "")
        return os.open(real.name or ".", _FILE, dir_fd=self._handle)

    def _enter(self, folder: str) -> None:
        """Make `folder` the current folder in which names are opened."""
        if len(self._folders) > DEEPEST:
            self.close()
        self._handle = self._opened(folder)
        self._folder = folder

    def _opened(self, folder: str) -> int:
        """Return the handle of a folder, opened by name in its parent."""
        known = self._folders.get(folder)
        if known is not None:
            return known
        if folder.count("/") >= DEEPEST:
            raise OSError(errno.ENAMETOOLONG, f"it is more than {DEEPEST} folders deep")
        if folder:
            parent, _, name = folder.rpartition("/")
            if name in _NOT_NAMES or folder[0] == "/":
                raise OSError(errno.ELOOP, "not a plain path", folder)
            above = self._opened(parent)
            handle = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
        else:
            handle = os.open(self.root, _FOLDER)
        self._folders[folder] = handle
        return handle

    def close(self) -> None:
        """Close all folders; the next read opens them again."""
        self._folder = None
        while self._folders:
            os.close(self._folders.popitem()[1])

    def __del__(self) -> None:
        self.close()


def _rest(handle: int, first: bytes, limit: int) -> bytes:
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        raise _not_regular()
    if about.st_size > limit:
        raise TooLarge(about.st_size)
    parts, size = [first], len(first)
    while parts[-1]:
        parts.append(os.pread(handle, 1024 * 1024, size))
        size += len(parts[-1])
        if size > limit:  # it grows while it is read
            raise TooLarge(size)
    return b"".join(parts)


def _not_regular(path: str | None = None) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", path)


@contextmanager
def opened(root: Path, path: str) -> Iterator[int]:
    """Yield a handle of a regular file below `root`, and close it afterwards.

    Raises:
        PathOutside: it leads out of the root.
        OSError: it cannot be opened, or is not a regular file.
    """
    handle = Files(root).open(path)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _not_regular(path)
        yield handle
    finally:
        os.close(handle)


def inside(root: Path, path: str) -> Path:
    """Return the real path of `path` below `root`.

    Raises:
        PathOutside: it would leave the root, also through a link.
    """
    base = os.path.realpath(root)
    target = os.path.realpath(os.path.join(base, path))  # noqa: PTH118 - realpath needs the joined text
    if target != base and not target.startswith(base + os.sep):
        raise PathOutside(path)
    return Path(target)
