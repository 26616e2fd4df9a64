"""Read history.json: the versions of a skill, and their averages compared with the gradings."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from evalcore.disk.files import inside
from evalcore.disk.listing import shown
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.errors import PathOutside
from evalcore.families.base import Plan
from evalcore.numbers import disagrees, mean, median, stddev
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, DocumentRow, VersionRow

HASHED_FILES: Final = 50
HASHED_BYTES: Final = 2_000_000

Averages = Mapping[str, Mapping[str, list[float]]]
"""Version to case to the scores of its runs."""


class Average(NamedTuple):
    """The scores of a version's cases, each the mean of its runs."""

    mean: float
    median: float
    stddev: float | None
    min: float
    max: float
    n: int


class History:
    """The versions of one suite, including those that only gradings name."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.labels: list[str] = []
        self.stored: dict[str, tuple[float | None, Node]] = {}

    def read(self, path: str) -> None:
        """Read the versions of one history.json."""
        value = self.reader.json(path)
        node = Node(self.reader, path, value or None, suite=self.plan.suite)
        if value and not isinstance(value, dict):
            node.type_problem("an object")
        entries = list(node.items("versions"))
        current = self._current(node, len(entries))
        for position, entry in enumerate(entries):
            self._version(entry, position, None if current is None else position == current)
        self.rows.add(
            DocumentRow(
                path=path,
                family="improve",
                kind="history",
                suite=self.plan.suite,
                records=len(entries),
            )
        )

    def _current(self, node: Node, count: int) -> int | None:
        current = node.whole("current_version")
        if current is not None and not 0 <= current < count:
            node.note(
                "warning",
                "no-such-version",
                f"current_version is {current}, but the list has {count} versions, counted from 0.",
                "Write the index of the version being worked on.",
                "current_version",
            )
            return None
        return current

    def _version(self, node: Node, position: int, is_current: bool | None) -> None:
        number = node.whole("version")
        if number is None:
            node.note(
                "warning",
                "version-unnumbered",
                f"This entry has no version number; its place in the list, {position}, is used.",
                "Number the versions from 0.",
            )
            number = position
        label = f"v{number}"
        if label in self.stored:
            node.note(
                "warning",
                "duplicate-version",
                f"{label} appears earlier in the list; this entry was not read.",
                "Give each version its own number.",
                "version",
            )
            return
        folder = self._folder(node)
        average = node.number("average_score")
        self.labels.append(label)
        self.stored[label] = average, node
        self.rows.add(
            VersionRow(
                suite=self.plan.suite,
                version=label,
                position=position,
                description=node.text("description") or None,
                created_at=node.time("timestamp"),
                git_hash=node.text("git_hash") or None,
                content_hash=content_hash(self.reader, folder),
                path=folder,
                is_current=is_current,
                stored_score=average,
                source=node.path,
                pointer=node.at,
            )
        )

    def _folder(self, node: Node) -> str | None:
        """Return the folder of a version relative to the workspace, if it is inside."""
        path = node.text("path")
        if not path:
            return None
        joined = os.path.normpath(f"{self.plan.root}/{path}" if self.plan.root else path)
        try:
            inside(Path(self.reader.root), joined)
        except (PathOutside, ValueError, OSError):
            joined = ".."
        if joined.startswith(("..", "/")) or path.startswith("/"):
            node.note(
                "warning",
                "path-outside",
                f"The path {path!r} points outside the workspace; it was not opened.",
                "Write it relative to the workspace.",
                "path",
            )
            return None
        if joined not in self.reader.listing.folders:
            node.note(
                "info",
                "folder-missing",
                f"The folder {path!r} of this version is missing.",
                "Add it, or leave it: the gradings can be read without it.",
                "path",
            )
        return joined

    def add(self, label: str, number: int | None, source: str) -> None:
        """Add a version that only gradings name."""
        folder = f"{self.plan.root}/v{number}/skill" if self.plan.root else f"v{number}/skill"
        is_there = folder in self.reader.listing.folders
        self.rows.add(
            VersionRow(
                suite=self.plan.suite,
                version=label,
                position=len(self.labels),
                content_hash=content_hash(self.reader, folder) if is_there else None,
                path=folder if is_there else None,
                is_current=False if self.stored else None,
                source=source,
                pointer="/version",
            )
        )
        self.labels.append(label)
        if self.plan.of("history"):
            self.reader.problem(
                source,
                "/version",
                "warning",
                "version-not-in-history",
                f"{label} was graded, but history.json does not name it.",
                "Add the version to history.json.",
                self.plan.suite,
            )

    def averages(
        self, scores: Averages, known: Mapping[str, "Average"] = MappingProxyType({})
    ) -> None:
        """Add the average scores, stored and computed, and report differences.

        `known` holds the averages of the versions that `scores` leaves out.
        """
        found = {label: _average(cases) for label, cases in scores.items()}
        computed = {**known, **{label: own for label, own in found.items() if own is not None}}
        for position, label in enumerate(self.labels):
            stored, node = self.stored.get(label, (None, None))
            if stored is not None and node is not None:
                self.rows.add(
                    BenchmarkRow(
                        suite=self.plan.suite,
                        version=label,
                        configuration="-",
                        metric="average_score",
                        mean=stored,
                        origin="stored",
                        source=node.path,
                        pointer=node.at,
                    )
                )
                before = self.labels[position - 1] if position else None
                self._compare(node, label, stored, before, computed)
            if own := computed.get(label):
                self.rows.add(
                    BenchmarkRow(
                        suite=self.plan.suite,
                        version=label,
                        configuration="-",
                        metric="average_score",
                        **own._asdict(),
                        origin="computed",
                    )
                )

    def _compare(
        self,
        node: Node,
        label: str,
        stored: float,
        before: str | None,
        computed: Mapping[str, "Average"],
    ) -> None:
        """Compare a stored average with the gradings, and with those of the previous version."""
        own = computed[label].mean if label in computed else None
        if own is not None and not disagrees(stored, own):
            return
        found = "there are no gradings of it" if own is None else f"its gradings give {own:.2f}"
        previous = computed[before].mean if before and before in computed else None
        if previous is not None and not disagrees(stored, previous):
            node.note(
                "warning",
                "derived-mismatch",
                f"average_score of {label} is {stored}, but "
                f"{found}. {stored} is the average of {before}: the score was written one entry "
                "too late.",
                f"Move it to the entry of {before}.",
                "average_score",
            )
        elif own is not None:
            node.note(
                "warning",
                "derived-mismatch",
                f"average_score of {label} is {stored}, but {found}.",
                "Recompute average_score: the mean over cases of each case's mean.",
                "average_score",
            )


def _average(cases: Mapping[str, list[float]]) -> Average | None:
    means = [m for m in map(mean, cases.values()) if m is not None]
    overall, middle = mean(means), median(means)
    if overall is None or middle is None:
        return None
    return Average(overall, middle, stddev(means), min(means), max(means), len(means))


def content_hash(reader: Reader, folder: str | None) -> str | None:
    """Return the SHA-256 of a folder's sorted lines `path NUL sha256 LF`; None if it is large."""
    if folder is None or folder not in reader.listing.folders:
        return None
    lines: list[str] = []
    size = 0
    for path in _regular_files(f"{reader.root}/{folder}"):
        if len(lines) >= HASHED_FILES or shown(path) != path:
            return None
        data = reader.extra(f"{folder}/{path}")  # noqa: S610 - a file beside the listed ones
        size += len(data or b"")
        if data is None or size > HASHED_BYTES:
            return None
        lines.append(f"{path}\0{hashlib.sha256(data).hexdigest()}\n")
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest() if lines else None


def _regular_files(base: str) -> Iterator[str]:
    """Yield the regular files below a folder, relative to it, without following links."""
    for parent, folders, names in os.walk(base, followlinks=False):
        folders.sort()
        for name in sorted(names):
            path = Path(parent) / name
            if path.is_file() and not path.is_symlink():
                yield os.path.relpath(path, base)
