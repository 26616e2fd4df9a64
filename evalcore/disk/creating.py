"""Create a file that is never changed afterwards: atomically, once, and flushed to disk."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Final

from evalcore.disk.handles import (
    LINK,
    content,
    finished,
    flush,
    folder,
    names_of,
    regular,
)
from evalcore.disk.naming import LOCK_SECONDS, Unsettled, is_there, name_once, wait_for_turn
from evalcore.disk.unfinished import unfinished_name
from evalcore.errors import AlreadyStored, CannotWrite, MayBeWritten

MAX_BYTES: Final = 4 * 1024 * 1024
"""What is larger is not created, and not read to be compared."""

_NO_LOCKS: Final = (errno.ENOLCK, errno.EBADF)
"""What locking a folder says where that is not possible; a file server does not lock folders."""

_UNLOCKABLE: Final = frozenset({*_NO_LOCKS, errno.ENOTSUP, errno.EOPNOTSUPP})

_WHY: Final = {
    errno.ENOSPC: "the disk is full; free some space, then try again",
    errno.EDQUOT: "your share of the disk is used up; free some space, then try again",
    errno.EFBIG: "a limit of this system cuts files off; raise it, then try again",
    errno.EROFS: "the folder is read-only; work on a copy that can be written",
    errno.EACCES: "you do not have permission to write there; get it, or work on a copy",
    errno.EPERM: "you do not have permission to write there; get it, or work on a copy",
    errno.EIO: "the disk reported an error; check the disk, then try again",
    errno.ENOENT: "its folder was removed meanwhile; open the workspace again",
    errno.EINTR: "the system broke off; try again",
    errno.ESTALE: "its folder was replaced on the file server; open the workspace again",
    errno.ETIMEDOUT: "the file server did not answer; try again when it does",
    errno.EAGAIN: "another evalcore is writing there; try again",
    **dict.fromkeys(_NO_LOCKS, "this file system has no locks; work on a copy on another disk"),
    **dict.fromkeys(
        LINK, "a link leads there, and links are not followed; put there what it leads to"
    ),
}


def create(root: Path, path: str, data: bytes, *, unfinished: str, limit: int = MAX_BYTES) -> bool:
    """Create the file `path` below `root` with `data`; False if it exists with this content.

    At any moment there is the whole file or none, and an existing file is never overwritten. When
    this returns, content and name are flushed to disk. The file is written in the folder
    `unfinished`, which must be on the same file system; it has at most `limit` bytes. Missing
    folders are created; nothing is written through a link. Retrying is always safe.

    Raises:
        AlreadyStored: it exists with other content, and was left alone.
        MayBeWritten: it was written, perhaps; the message says why that is not known.
        CannotWrite: it cannot be written; the message says why and what to do.
        PathOutside: a path is not a plain path below the root.
    """
    whole = root / path
    if len(data) > limit:
        raise CannotWrite(whole, f"it has {len(data):,} bytes, at most {limit:,} are kept")
    try:
        return _created(root, path, data, unfinished, limit)
    except MayBeWritten:
        with suppress(OSError):  # a second look, as what failed may work again
            return _created(root, path, data, unfinished, limit)
        raise
    except OSError as error:
        raise CannotWrite(whole, why(error)) from error


def create_all(
    root: Path, files: Sequence[tuple[str, bytes]], *, unfinished: str, limit: int = MAX_BYTES
) -> None:
    """Create files as `create` does, one after the other, in less time; it raises the same.

    Those that follow each other in one folder have their names flushed to disk together.
    """
    for home, group in groupby(files, key=lambda file: file[0].rpartition("/")[0]):
        together = list(group)
        done: set[str] = set()
        if all(len(data) <= limit for _, data in together):
            with suppress(OSError):  # whatever it is, it is said below
                done = _created_together(root, home, together, unfinished)
        for path, data in together:
            if path not in done:
                create(root, path, data, unfinished=unfinished, limit=limit)


def _created_together(
    root: Path, home: str, files: Sequence[tuple[str, bytes]], unfinished: str
) -> set[str]:
    """Create files of one folder, and return those that are new; no other is looked at."""
    done = set()
    inner = names_of(home) if home else []
    with (
        folder(root, inner, make=True) as there,
        folder(root, names_of(unfinished), make=True) as away,
    ):
        for path, data in files:
            (name,) = names_of(path.rpartition("/")[2])
            if not is_there(there, name):
                with finished(away, unfinished_name(), data) as temporary:
                    if name_once(away, temporary, there, name):
                        done.add(path)
        flush(there)
    return done


def _created(root: Path, path: str, data: bytes, unfinished: str, limit: int) -> bool:
    *inner, name = names_of(path)
    spare, whole = names_of(unfinished), root / path
    with folder(root, inner, make=True) as home, folder(root, spare, make=True) as away:
        if not is_there(home, name):
            temporary = unfinished_name()
            with finished(away, temporary, data), unsettled(whole, Unsettled):
                new = name_once(away, temporary, home, name)
            if new:
                with unsettled(whole):
                    flush(home)
                return True
        with unsettled(whole):
            return _same(home, name, data, whole, limit)


@contextmanager
def turn(place: Path, seconds: float = LOCK_SECONDS) -> Iterator[bool]:
    """Wait until no other evalcore holds the turn in a folder; False where folders have no locks.

    Raises:
        CannotWrite: another one held it for so long.
    """
    with folder(place) as handle:
        locked = True
        try:
            wait_for_turn(handle, seconds)
        except OSError as error:
            if error.errno not in _UNLOCKABLE:
                raise CannotWrite(place, why(error)) from error
            locked = False
        yield locked


@contextmanager
def unsettled(whole: Path, kind: type[OSError] = OSError) -> Iterator[None]:
    """Report errors of a kind as `MayBeWritten`."""
    try:
        yield
    except kind as error:
        raise MayBeWritten(whole, why(error)) from error


def is_full(error: BaseException) -> bool:
    """Return whether something could not be written as the disk, or the user's share, is full."""
    numbers = (getattr(each, "errno", None) for each in (error, error.__cause__))
    return any(number in (errno.ENOSPC, errno.EDQUOT) for number in numbers)


def why(error: OSError) -> str:
    """Return the reason of a failed write, and the next step, as the end of a sentence."""
    return _WHY.get(error.errno or 0) or f"{error.strerror or error}; correct that, then try again"


def _same(home: int, name: str, data: bytes, whole: Path, limit: int) -> bool:
    """Return False if the file holds these bytes, after flushing it to disk.

    Its creator may have died before the flush.
    """
    try:
        with regular(home, name) as file:
            held = content(file, limit)
            flush(file)
    except OSError as error:
        if error.errno in LINK or error.errno in (errno.EINVAL, errno.EFBIG):
            raise AlreadyStored(whole, None) from error
        raise
    flush(home)
    if held != data:
        raise AlreadyStored(whole, held)
    return False
