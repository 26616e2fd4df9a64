"""Read the files of a workspace within bounds, and collect problems."""

from collections import Counter
from collections.abc import Callable, Set
from functools import cached_property
from typing import Final

from evalcore.disk.files import MAX_BYTES, Files, TooLarge
from evalcore.disk.listing import Listing
from evalcore.disk.outputs import holds_outputs
from evalcore.disk.parsing import MISSING, Fault, Json, parse, parsed, parsed_lines
from evalcore.errors import PathOutside
from evalcore.problems import Problem, Severity

__all__ = ["MISSING", "Json", "Reader", "parse"]

Progress = Callable[[int, int], None]
"""Called with how many files are read, and of how many."""

TOLD_EVERY: Final = 64
"""After so many files it is told how far reading is."""
MAX_OF_A_KIND: Final = 200
"""How many problems of one code are kept of one file: a file of faults is one matter."""


class Reader:
    """Reads the listed files of one workspace and collects problems."""

    def __init__(self, listing: Listing, progress: Progress | None = None) -> None:
        self.listing = listing
        self._progress = progress
        self._read = 0
        self.root = str(listing.root)
        self.files = Files(listing.root)
        self.problems: list[Problem] = list(listing.problems)
        self.extras: set[str] = set()
        self._held: dict[str, Json] = {}
        self._faults: set[tuple[str, str, str]] = set()
        self._kinds: Counter[tuple[str, str]] = Counter()

    @cached_property
    def listed(self) -> frozenset[str]:
        """The paths of all listed files."""
        return frozenset(self.listing.paths)

    @cached_property
    def subfolders(self) -> dict[str, list[str]]:
        """Folder to the sorted names of the folders in it."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.listing.folders):
            parent, _, name = path.rpartition("/")
            found.setdefault(parent, []).append(name)
        return found

    @cached_property
    def output_folders(self) -> list[str]:
        """The sorted paths of the folders named `outputs`, which hold what runs produced."""
        return sorted(path for path in self.listing.folders if path.endswith("/outputs"))

    def problem(
        self,
        path: str,
        pointer: str,
        severity: Severity,
        code: str,
        message: str,
        hint: str = "",
        suite: str | None = None,
    ) -> None:
        """Add a problem; of too many of one kind, only one that says that there are more."""
        self._kinds[path, code] += 1
        count = self._kinds[path, code] - MAX_OF_A_KIND
        if count == 1:
            pointer = ""
            message = f"There are more problems of this kind; {MAX_OF_A_KIND} of them are named."
        if count <= 1:
            self.problems.append(Problem(path, pointer, severity, code, message, hint, suite))

    def _fault(self, path: str, fault: Fault, pointer: str = "") -> None:
        """Add the fault of a whole file, or a line, only once however often it is read."""
        if (path, pointer, fault.code) not in self._faults:
            self._faults.add((path, pointer, fault.code))
            self.problem(path, pointer, *fault)

    def exists(self, path: str) -> bool:
        """Return whether `path` is a listed file."""
        return path in self.listed

    def json(self, path: str) -> Json:
        """Return the JSON value of a listed file, or MISSING after noting why it cannot be read."""
        if path in self._held:
            return self._held.pop(path)
        data = self.data(path)
        if data is None:
            return MISSING
        value, fault = parsed(data)
        if fault is not None:
            self._fault(path, fault)
        return value

    def hold(self, path: str, value: Json) -> None:
        """Cache the value of a file for the next call of `json`."""
        self._held[path] = value

    def jsonl(self, path: str) -> list[tuple[int, Json]]:
        """Return (line index, value) of each line of a JSONL file that can be read."""
        values: list[tuple[int, Json]] = []
        for index, value, fault in parsed_lines(self.data(path) or b""):
            if fault is not None:
                self._fault(path, fault, f"/{index}")
            if value is not MISSING:
                values.append((index, value))
        return values

    def peek(self, path: str) -> Json:
        """Return the JSON value of a listed file, or MISSING, without noting why."""
        if path in self._held:
            return self._held[path]
        try:
            value, fault = parsed(self.files.read(path))
        except (OSError, PathOutside):
            return MISSING
        if fault is None:
            self.hold(path, value)
        return value

    def data(self, path: str) -> bytes | None:
        """Return the bytes of a listed file, or None after noting why it cannot be read."""
        self._read += 1
        if self._progress is not None and self._read % TOLD_EVERY == 0:
            whole = len(self.listing.paths)
            self._progress(min(self._read, whole), whole)
        try:
            return self.files.read(path)
        except TooLarge as error:
            self._fault(
                path,
                Fault(
                    "error",
                    "too-large",
                    f"The file has {error.size:,} bytes; at most {MAX_BYTES:,} are read.",
                    "Split it, or move large outputs into files next to it.",
                ),
            )
        except PathOutside:
            self._unreadable(path, "it leads out of the workspace")
        except OSError as error:
            self._unreadable(path, error.strerror or "unknown reason")
        return None

    def forget(self, paths: Set[str]) -> list[str]:
        """Take back the faults of files; return those that could not be read, or not wholly."""
        codes = {(path, code) for path, _, code in self._faults if path in paths}
        gone = [each for each in self.problems if (each.path, each.code) in codes]
        self.problems[:] = [each for each in self.problems if (each.path, each.code) not in codes]
        return list(dict.fromkeys(each.path for each in gone if each.severity == "error"))

    def _unreadable(self, path: str, why: str) -> None:
        self._fault(
            path,
            Fault(
                "error",
                "unreadable",
                f"This could not be read: {why[:1].lower()}{why[1:]}.",
                "Check that it is a file and its permissions.",
            ),
        )

    def has_outputs(self, folder: str) -> bool:
        """Return whether a run produced any file below a folder, which no walk enters.

        The folder is recorded, so that the index notices when something is put into it.
        """
        self.extras.add(folder)
        return holds_outputs(self.listing.root, folder)

    def extra(self, path: str) -> bytes | None:
        """Return the bytes of a file outside the listing, such as a version's own skill.

        It is recorded with its folder, so that the index notices when it changes or gets a sibling.
        None if it does not exist.
        """
        self.extras.update((path, path.rpartition("/")[0]))
        try:
            return self.files.read(path)
        except (OSError, PathOutside):
            return None
