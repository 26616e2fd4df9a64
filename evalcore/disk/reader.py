"""Read the files of a workspace within bounds, gathering what could not be read as problems."""

import os
import stat
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from evalcore.disk.lenient import lenient
from evalcore.disk.listing import Listing
from evalcore.errors import PathOutside
from evalcore.problems import Problem, Severity

MAX_BYTES: Final = 64 * 1024 * 1024
CHUNK: Final = 32 * 1024

Json = Any


class _Missing:
    """The value of a document that could not be read."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


class Reader:
    """Reads the listed files of one workspace and keeps every problem met on the way."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.root = str(listing.root)
        self.problems: list[Problem] = list(listing.problems)
        self.listed = frozenset(listing.paths)
        self.extras: set[str] = set()
        self._faults: set[tuple[str, str]] = set()

    def problem(
        self, path: str, pointer: str, severity: Severity, code: str, message: str, hint: str = "",
        suite: str | None = None,
    ) -> None:  # fmt: skip
        """Keep one problem."""
        self.problems.append(Problem(path, pointer, severity, code, message, hint, suite))

    def _fault(
        self, path: str, severity: Severity, code: str, message: str, hint: str
    ) -> None:  # fmt: skip
        """Keep what is wrong with a whole file, once however often it is read."""
        if (path, code) not in self._faults:
            self._faults.add((path, code))
            self.problem(path, "", severity, code, message, hint)

    def exists(self, path: str) -> bool:
        """Say whether `path` is a listed file."""
        return path in self.listed

    def json(self, path: str) -> Json:
        """Return the JSON value of a listed file, or MISSING after noting why it cannot be read."""
        data = self.data(path)
        if data is None:
            return MISSING
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError as error:
            return self._second_try(path, data, error)

    def jsonl(self, path: str) -> list[tuple[int, Json]]:
        """Return (line index, value) of each line of a JSONL file that can be read."""
        data = self.data(path)
        values: list[tuple[int, Json]] = []
        for index, line in enumerate((data or b"").split(b"\n")):
            if not line.strip():
                continue
            try:
                values.append((index, orjson.loads(line)))
            except orjson.JSONDecodeError as error:
                self.problem(path, f"/{index}", "error", "invalid-json",
                             f"Line {index + 1} is not valid JSON: {error.msg}.",
                             "Mend or remove the line.")  # fmt: skip
        return values

    def peek(self, path: str) -> Json:
        """Return the JSON value of a listed file, or MISSING, without noting why."""
        try:
            return parse(read_bytes(f"{self.root}/{path}"))
        except OSError:
            return MISSING

    def data(self, path: str) -> bytes | None:
        """Return the bytes of a listed file, or None after noting why it cannot be read."""
        try:
            data = read_bytes(f"{self.root}/{path}")
        except TooLarge as error:
            self._fault(path, "error", "too-large",
                         f"The file has {error.size:,} bytes; at most {MAX_BYTES:,} are read.",
                         "Split it, or move large outputs beside it.")  # fmt: skip
            return None
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            self._fault(path, "error", "unreadable", f"This could not be read: {why}.",
                         "Check that it is a file and its permissions.")  # fmt: skip
            return None
        return data

    def extra(self, path: str) -> bytes | None:
        """Return the bytes of a file that the listing leaves out, such as a version's own skill.

        It is remembered with its folder, so that an index made now notices when it changes or gets
        a sibling. None when it is not there.
        """
        self.extras.update((path, path.rpartition("/")[0]))
        try:
            return read_bytes(str(inside(self.listing.root, path)))
        except (OSError, ValueError, PathOutside):
            return None

    def _second_try(self, path: str, data: bytes, first: orjson.JSONDecodeError) -> Json:
        """Read what strict JSON refuses but people write, saying what it was."""
        try:
            found = lenient(data)
        except UnicodeDecodeError:
            self._fault(path, "error", "not-utf8", "The file is not UTF-8 text.",
                         "Save it as UTF-8.")  # fmt: skip
        except RecursionError:
            self._fault(path, "error", "too-deep", "The file is nested too deeply to read.",
                         "Flatten it.")  # fmt: skip
        except ValueError:
            self._invalid(path, data, first)
        else:
            self._fault(path, "warning", "not-strict-json", f"The file has {found.remark}.",
                         "Write plain JSON.")  # fmt: skip
            return found.value
        return MISSING

    def _invalid(self, path: str, data: bytes, error: orjson.JSONDecodeError) -> None:
        if not data.strip():
            message = "The file is empty."
        else:
            message = f"Not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}."
        hint = "Mend the file, or write it again; until then nothing of it is shown."
        self._fault(path, "error", "invalid-json", message, hint)


def parse(data: bytes, lines: bool = False) -> Json:
    """Return the value of JSON bytes; MISSING when they are not JSON.

    With `lines`, return the values of those lines of JSONL bytes that are JSON.
    """
    if lines:
        values = (parse(line) for line in data.split(b"\n") if line.strip())
        return [value for value in values if value is not MISSING]
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return lenient(data).value
        except (ValueError, RecursionError):
            return MISSING


class TooLarge(OSError):
    """A file above the size that is read."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes")
        self.size = size


def read_bytes(path: str, limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file of at most `limit` bytes, never waiting on a pipe.

    Raises:
        TooLarge: it has more.
        OSError: it cannot be read, or is no regular file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        first = os.read(handle, CHUNK)
        if len(first) < CHUNK and first:
            return first
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(22, "Not a regular file", path)
        if about.st_size > limit:
            raise TooLarge(about.st_size)
        parts = [first]
        while parts[-1]:
            parts.append(os.read(handle, 1024 * 1024))
        return b"".join(parts)
    finally:
        os.close(handle)


class OutputFile(NamedTuple):
    """A file that a run produced: path relative to the workspace, and bytes."""

    path: str
    size: int


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


def list_outputs(root: Path, folder: str, limit: int = 500) -> list[OutputFile]:
    """Return the regular files below `folder`, at most `limit`, never leaving `root`.

    `folder` may name a single file. A folder that is not there gives an empty list.
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
            about = os.lstat(path)
            if stat.S_ISREG(about.st_mode):
                found.append(OutputFile(os.path.relpath(path, base), about.st_size))
            if len(found) >= limit:
                return found
    return found
