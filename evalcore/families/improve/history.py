"""Read history.json: the versions of a skill, and their averages compared with the gradings."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from evalcore.disk.files import inside
from evalcore.disk.listing import shown
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.errors import PathOutside
from evalcore.families.base import Plan
from evalcore.families.improve.find import below
from evalcore.families.metrics import computed_metric
from evalcore.numbers import disagrees, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, DocumentRow, VersionRow

HASHED_FILES: Final = 50
HASHED_BYTES: Final = 2_000_000

Scores = dict[str, dict[str, list[float]]]
"""Version to case to the mean scores of its runs."""


class History:
    """The versions of one suite, including those that only gradings name."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.labels: list[str] = []
        self._stored: dict[str, tuple[float | None, Node]] = {}

    def read(self, path: str) -> None:
        """Read the versions of one history.json."""
        value = self.reader.json(path)
        node = Node(self.reader, path, value or None, suite=self.plan.suite)
        if value and not isinstance(value, dict):
            node.type_problem("an object")
        entries = list(node.items("versions"))
        current = node.whole("current_version")
        if current is not None and not 0 <= current < len(entries):
            message = (
                f"current_version is {current}, but the list has {len(entries)} versions, "
                "counted from 0."
            )
            hint = "Write the index of the version being worked on."
            node.note("warning", "no-such-version", message, hint, "current_version")
            current = None
        for position, entry in enumerate(entries):
            number = entry.whole("version")
            if number is None:
                message = (
                    f"This entry has no version number; its place in the list, {position}, is used."
                )
                hint = "Number the versions from 0."
                entry.note("warning", "version-unnumbered", message, hint)
                number = position
            label = f"v{number}"
            if label in self._stored:
                message = f"{label} appears earlier in the list; this entry was not read."
                hint = "Give each version its own number."
                entry.note("warning", "duplicate-version", message, hint, "version")
                continue
            folder = self._folder(entry)
            average = entry.number("average_score")
            self.labels.append(label)
            self._stored[label] = average, entry
            self.rows.add(
                VersionRow(
                    suite=self.plan.suite,
                    version=label,
                    position=position,
                    description=entry.text("description") or None,
                    created_at=entry.time("timestamp"),
                    git_hash=entry.text("git_hash") or None,
                    content_hash=content_hash(self.reader, folder),
                    path=folder,
                    is_current=None if current is None else position == current,
                    stored_score=average,
                    source=entry.path,
                    pointer=entry.at,
                )
            )
        self.rows.add(
            DocumentRow(path, "improve", "history", self.plan.suite, records=len(entries))
        )

    def _folder(self, entry: Node) -> str | None:
        """Return the folder of a version relative to the workspace, if it is inside."""
        path = entry.text("path")
        if not path:
            return None
        joined = os.path.normpath(below(self.plan.root, path))
        try:
            inside(Path(self.reader.root), joined)
        except (PathOutside, ValueError, OSError):
            joined = ".."
        if joined.startswith(("..", "/")) or path.startswith("/"):
            message = f"The path {path!r} points outside the workspace; it was not opened."
            hint = "Write it relative to the workspace."
            entry.note("warning", "path-outside", message, hint, "path")
            return None
        if joined not in self.reader.listing.folders:
            message = f"The folder {path!r} of this version is missing."
            hint = "Add it, or leave it: the gradings can be read without it."
            entry.note("info", "folder-missing", message, hint, "path")
        return joined

    def add(self, graded: Mapping[str, tuple[int | None, str]]) -> None:
        """Add the versions that only gradings name, in the order of their numbers.

        `graded` maps each version to its number and the first grading that names it.
        """
        found = [(number, label, source) for label, (number, source) in graded.items()]
        for number, label, source in sorted(
            found, key=lambda item: (item[0] is None, item[0] or 0)
        ):
            if label in self.labels:
                continue
            folder = below(self.plan.root, f"v{number}/skill")
            is_there = folder in self.reader.listing.folders
            self.rows.add(
                VersionRow(
                    suite=self.plan.suite,
                    version=label,
                    position=len(self.labels),
                    content_hash=content_hash(self.reader, folder),
                    path=folder if is_there else None,
                    is_current=False if self._stored else None,
                    source=source,
                    pointer="/version",
                )
            )
            self.labels.append(label)
            if self.plan.of("history"):
                node = Node(self.reader, source, None, suite=self.plan.suite)
                message = f"{label} was graded, but history.json does not name it."
                hint = "Add the version to history.json."
                node.note("warning", "version-not-in-history", message, hint, "version")

    def add_averages(
        self, scores: Scores, known: Mapping[str, BenchmarkRow] = MappingProxyType({})
    ) -> None:
        """Add the average scores, stored and computed, and report differences.

        `known` holds the averages of the versions that `scores` leaves out.
        """
        computed = dict(known)
        for label, cases in scores.items():
            means = [own for runs in cases.values() if (own := mean(runs)) is not None]
            if means:
                computed[label] = computed_metric(
                    self.plan.suite, label, "-", "average_score", means
                )
        before = None
        for label in self.labels:
            stored, node = self._stored.get(label, (None, None))
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
                own, previous = (
                    computed[each].mean if each in computed else None
                    for each in (label, before or "")
                )
                found = "there are no gradings of it"
                hint = ""
                if own is not None:
                    found = f"its gradings give {own:.2f}"
                    hint = "Recompute average_score: the mean over cases of each case's mean."
                message = f"average_score of {label} is {stored}, but {found}."
                if previous is not None and not disagrees(stored, previous):
                    message += (
                        f" {stored} is the average of {before}: the score was written one entry "
                        "too late."
                    )
                    hint = f"Move it to the entry of {before}."
                if hint and (own is None or disagrees(stored, own)):
                    node.note("warning", "derived-mismatch", message, hint, "average_score")
            if label in computed:
                self.rows.add(computed[label])
            before = label


def content_hash(reader: Reader, folder: str | None) -> str | None:
    """Return the SHA-256 of a folder's sorted lines `path NUL sha256 LF`; None if it is large."""
    if folder is None or folder not in reader.listing.folders:
        return None
    lines: list[str] = []
    size = 0
    base = f"{reader.root}/{folder}"
    for parent, folders, names in os.walk(base, followlinks=False):
        folders.sort()
        for name in sorted(names):
            file = Path(parent) / name
            if not file.is_file() or file.is_symlink():
                continue
            path = os.path.relpath(file, base)
            if len(lines) >= HASHED_FILES or shown(path) != path:
                return None
            data = reader.extra(f"{folder}/{path}")  # noqa: S610 - a file beside the listed ones
            size += len(data or b"")
            if data is None or size > HASHED_BYTES:
                return None
            lines.append(f"{path}\0{hashlib.sha256(data).hexdigest()}\n")
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest() if lines else None
