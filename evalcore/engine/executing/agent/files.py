"""The files of a case's folder as a model may use them: within bounds, and never through a link."""

import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from evalcore.checks.searching import Unsearchable, spans
from evalcore.disk.files import TooLarge
from evalcore.disk.handles import LINK, content, folder, names_of, regular, write_all
from evalcore.engine.executing.case_folder import files_in
from evalcore.engine.executing.reading import MAX_FILES
from evalcore.errors import PathOutside

MAX_LISTED: Final = 500
MAX_FILE: Final = 4 * 1024 * 1024
"""Bytes of a file that is read."""
MAX_READ: Final = 40_000
"""Characters that are read at once."""
MAX_WRITTEN: Final = 1024 * 1024
"""Bytes of a file that is written; all of them together have at most `MAX_TOTAL`."""
MAX_TOTAL: Final = 16 * 1024 * 1024
MAX_MATCHES: Final = 100
MAX_LINE: Final = 300
MAX_NAME: Final = 255
MAX_DEPTH: Final = 16
MAX_SEARCHED: Final = 100_000
"""Characters of a line that are searched."""
SEARCH_SECONDS: Final = 3.0

_WHOLE: Final = ("", ".", "./")
_MAX_WALKED: Final = 20_000
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW


class ToolFault(Exception):
    """A tool cannot do what it was asked; the message is a sentence for the model."""


class CaseFiles:
    """The files below a folder; what is below `kept` (the skill) can be read only."""

    def __init__(self, root: Path, kept: str | None) -> None:
        self._root, self._kept = root, kept
        self._written: dict[str, int] = {}

    def listed(self, below: str = "") -> list[tuple[str, int]]:
        """Return the regular files below a folder, sorted, with their sizes."""
        start = "" if below.strip() in _WHOLE else "/".join(_names(below))
        found = islice(files_in(self._root), _MAX_WALKED)
        return sorted(
            (name, size) for name, (size, _) in found if not start or _is_below(name, start)
        )

    def read(self, path: str) -> str:
        """Return the text of a file.

        Raises:
            ToolFault: it cannot be read, is too large, or is no text.
        """
        names = _names(path)
        try:
            with folder(self._root, names[:-1]) as handle, regular(handle, names[-1]) as file:
                data = content(file, MAX_FILE)
        except TooLarge as error:
            raise ToolFault(f"{path} is too large to be read: {error.size:,} bytes.") from error
        except OSError as error:
            raise ToolFault(_why(path, error)) from error
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ToolFault(f"{path} is no text: it has {len(data):,} bytes.") from error
        if "\0" in text:
            raise ToolFault(f"{path} is no text: it has {len(data):,} bytes.")
        return text

    def write(self, path: str, text: str) -> int:
        """Write a file, with the folders above it; return how many bytes it has.

        Raises:
            ToolFault: it cannot be written, or a bound is reached.
        """
        names, data = _names(path), text.encode("utf-8", "replace")
        name = "/".join(names)
        self._refuse(name, len(data))
        try:
            with folder(self._root, names[:-1], make=True) as handle:
                _write(handle, names[-1], data)
        except OSError as error:
            raise ToolFault(_why(path, error)) from error
        self._written[name] = len(data)
        return len(data)

    def _refuse(self, name: str, size: int) -> None:
        if self._kept is not None and _is_below(name, self._kept):
            raise ToolFault(f"Nothing can be written below {self._kept}: it is the skill.")
        others = {path: bytes_ for path, bytes_ in self._written.items() if path != name}
        if len(others) >= MAX_FILES:
            raise ToolFault(f"No more than {MAX_FILES:,} files can be written.")
        if size > MAX_WRITTEN or size + sum(others.values()) > MAX_TOTAL:
            raise ToolFault(
                f"That is too much: a file has at most {MAX_WRITTEN:,} bytes, and all files "
                f"together have {MAX_TOTAL:,}."
            )

    def matches(self, pattern: str, below: str) -> Iterator[tuple[str, int, str]]:
        """Yield path, line number and line of each match of a pattern, in a few seconds at most.

        Files that are no text, or too large, are passed over.

        Raises:
            ToolFault: the pattern cannot be searched, or takes too long.
        """
        end = time.monotonic() + SEARCH_SECONDS
        for path, _ in self.listed(below):
            try:
                lines = self.read(path).splitlines()
            except ToolFault:
                continue
            for number, line in enumerate(lines, 1):
                left = end - time.monotonic()
                if left <= 0:
                    raise ToolFault("The search takes too long: search fewer files.")
                if _is_in(line, pattern, left):
                    yield path, number, line


def _is_in(line: str, pattern: str, seconds: float) -> bool:
    try:
        return next(spans(pattern, line[:MAX_SEARCHED], seconds), None) is not None
    except Unsearchable as error:
        raise ToolFault(str(error)) from error


def _names(path: str) -> Sequence[str]:
    """Return the names of a path below the folder; `./` before it and `/` after it do no harm."""
    plain = path.strip().removeprefix("./").removesuffix("/")
    try:
        names = names_of(plain)
        is_short = len(names) <= MAX_DEPTH and all(len(os.fsencode(n)) <= MAX_NAME for n in names)
    except (PathOutside, ValueError):
        names, is_short = [], False
    if not is_short or not plain.isprintable():
        raise ToolFault(
            f"{path[:80]!r} is no path in this folder. Name files like notes/plan.md, without a "
            "leading slash and without '..'."
        )
    return names


def _is_below(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def _write(handle: int, name: str, data: bytes) -> None:
    """Write a regular file, new or not; only such a one can be emptied before."""
    file = os.open(name, _WRITE, 0o644, dir_fd=handle)
    try:
        os.ftruncate(file, 0)
        write_all(file, data)
    finally:
        os.close(file)


def _why(path: str, error: OSError) -> str:
    """Return what went wrong with a file, in a sentence without the folder's own place."""
    if error.errno in LINK:
        return f"{path} leads through a link or a file; only folders and files can be used."
    if isinstance(error, FileNotFoundError):
        return f"There is no file {path}. list_files shows what there is."
    return f"{path} cannot be used: {error.strerror or 'it is no regular file'}."
