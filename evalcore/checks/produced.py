"""Look at the files that a run produced: within bounds, read only, and never outside them."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.checks.globs import parse_glob
from evalcore.checks.outcome import Outcome, invalid, shown
from evalcore.disk.files import DEEPEST, Files, TooLarge, inside
from evalcore.errors import PathOutside

MAX_FILES: Final = 2_000
MAX_ENTRIES: Final = 20_000
"""Files, folders, links and whatever else is looked at to list the files."""
MAX_TEXT: Final = 4 * 1024 * 1024
"""Bytes of one file that is read as text."""


class Text(NamedTuple):
    """The text of a file; None with the reason `why` if it cannot be read.

    If it is not UTF-8, what can be decoded is the text, and `why` says so.
    """

    text: str | None
    why: str = ""


class Produced:
    """The regular files below the folder of a run's outputs, by paths relative to that folder.

    They are listed once. Links are not followed; `complete` says whether all files are listed.
    For one thread.
    """

    def __init__(self, root: Path, folder: str, limit: int = MAX_FILES) -> None:
        """List the files.

        Raises:
            PathOutside: the folder leads out of the root.
        """
        try:
            start = inside(root, folder)
        except ValueError as error:  # NUL in its name
            raise PathOutside(folder) from error
        single = start.is_file()
        self.paths: tuple[str, ...]
        self.complete: bool
        self.paths, self.complete = ((start.name,), True) if single else _listed(start, limit)
        self._known = frozenset(self.paths)
        self._files = Files(start.parent if single else start)

    def matching(self, pattern: str) -> list[str] | Outcome:
        """Return the paths that match a pattern; what makes it faulty as an invalid outcome."""
        glob = parse_glob(pattern)
        if isinstance(glob, str):
            return invalid(glob)
        return [path for path in self.paths if glob.matches(path)]

    def text(self, path: str) -> Text:
        """Return the text of a listed file of at most 4 MiB."""
        if path not in self._known:
            return Text(None, f"{shown(path)} is not among the files that the run produced")
        try:
            data = self._files.read(path, MAX_TEXT)
            wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
            coding = "utf-16" if wide else "utf-8-sig"
            try:
                return Text(data.decode(coding))
            except UnicodeDecodeError:
                return Text(
                    data.decode(coding, "replace"),
                    f"{shown(path)} is not text, and was searched as far as it can be decoded",
                )
        except TooLarge as error:
            return Text(
                None, f"{shown(path)} has {error.size:,} bytes, of which {MAX_TEXT:,} are read"
            )
        except PathOutside:
            return Text(None, f"{shown(path)} leads out of the run's outputs")
        except OSError as error:
            return Text(
                None, f"{shown(path)} cannot be read ({error.strerror or 'unknown reason'})"
            )


def _listed(start: Path, limit: int) -> tuple[tuple[str, ...], bool]:
    """Return at most so many paths of files below `start`, sorted, and whether these are all."""
    found: list[str] = []
    complete = True
    for path in _walked(start):
        if path is None:
            complete = False
        elif len(found) == limit:
            return tuple(sorted(found)), False
        else:
            found.append(path)
    return tuple(sorted(found)), complete


def _walked(start: Path) -> Iterator[str | None]:
    """Yield the path of each regular file; None where something is left out."""
    waiting = [""]
    budget = MAX_ENTRIES
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(start / folder) as scanned:
                entries = sorted(islice(scanned, budget + 1), key=attrgetter("name"))
        except OSError as error:
            # A run without a folder produced nothing: nothing is left out.
            yield from () if isinstance(error, FileNotFoundError) else (None,)
            continue
        budget -= len(entries)
        if budget < 0:
            yield None
            return
        for entry in entries:
            kind, path = _kind(entry), f"{folder}/{entry.name}" if folder else entry.name
            if kind == stat.S_IFREG:
                yield path
            elif kind == stat.S_IFDIR and path.count("/") < DEEPEST - 1:
                waiting.append(path)
            elif kind == stat.S_IFDIR:
                yield None


def _kind(entry: os.DirEntry[str]) -> int:
    """Return what an entry is; a link is a link, whatever it leads to."""
    try:
        return stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode)
    except OSError:
        return 0  # it was removed a moment ago
