"""Read benchmark.json: the entries of each version of the description, and their versions."""

from datetime import datetime
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.timing import positive
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, VersionRow

UNASSIGNED: Final = "unassigned"

Measure = tuple[float | None, float | None]
"""The score and the duration of one test case in one run."""


class CaseScore(NamedTuple):
    """One test case in one entry."""

    case_id: str
    score: float | None
    duration_s: float | None
    node: Node


class Entry(NamedTuple):
    """One entry of a benchmark: one version of the description, measured."""

    version: str
    timestamp: datetime | None
    hash: str | None
    scores: Node
    cases: tuple[CaseScore, ...]
    node: Node

    @property
    def measures(self) -> dict[str, Measure]:
        """The score and the duration of each test case, in comparable form."""
        return {case.case_id: (plain(case.score), plain(case.duration_s)) for case in self.cases}


class Benchmark:
    """The benchmark of one suite: its entries, and their versions."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.entries: list[Entry] = []
        self.skill_name: str | None = None
        self.versions: list[str] = []
        self._current: str | None = None
        self._path: str | None = None

    def read(self, path: str) -> None:
        """Read the entries of one benchmark.json."""
        value = self.reader.json(path)
        node = Node(self.reader, path, value or None, suite=self.suite)
        if value is not MISSING and not isinstance(value, dict):
            node.type_problem("an object")
        elif value is not MISSING and not node.has("entries"):
            message = "The file contains no list of entries."
            node.note("error", "no-entries", message, 'Write them as a list under "entries".')
        self._path = path
        self.skill_name = node.text("skill_name") or None
        self._current = version_label(node, "description_version")
        for item in node.items("entries"):
            label = version_label(item, "description_version")
            if label is None:
                message = (
                    "This entry has no description_version, so its scores belong to no version."
                )
                hint = "Number the descriptions from 1."
                item.note("warning", "version-unnumbered", message, hint)
            cases = []
            for case in item.items("per_test_case"):
                if case_id := case.text("test_case_id"):
                    seconds = positive(case, "duration_seconds")
                    cases.append(CaseScore(case_id, case.number("score"), seconds, case))
            entry = Entry(
                version=label or UNASSIGNED,
                timestamp=item.time("timestamp"),
                hash=item.text("description_hash") or None,
                scores=item.child("scores"),
                cases=tuple(cases),
                node=item,
            )
            self.entries.append(entry)
        self.rows.add(
            DocumentRow(
                path=path,
                family="descriptions",
                kind="benchmark",
                suite=self.suite,
                records=len(self.entries),
            )
        )

    def add_versions(self) -> None:
        """Add one version for each measured description, in the order of the entries.

        If one was measured more than once, the score of its newest entry is used.
        """
        first: dict[str, Entry] = {}
        newest = {entry.version: entry for entry in self.entries}
        for entry in self.entries:
            earlier = first.setdefault(entry.version, entry)
            if earlier is entry:
                last = newest[entry.version]
                score = plain(last.scores.get("mean"))
                self._add_version(entry.version, last.node, entry.timestamp, entry.hash, score)
            elif earlier.hash and entry.hash:
                hashes = (
                    text.lower().removeprefix("sha256:") for text in (earlier.hash, entry.hash)
                )
                shorter, longer = sorted(hashes, key=len)
                if not longer.startswith(shorter):
                    message = (
                        f"The description of {entry.version} has a different hash than in an "
                        "earlier entry."
                    )
                    hint = "Increase description_version whenever the description changes."
                    entry.node.note("warning", "hash-changed", message, hint, "description_hash")
        if self._current and self._current not in self.versions and self._path:
            node = Node(self.reader, self._path, None, "/description_version", self.suite)
            self._add_version(self._current, node)

    def version(self, label: str, source: str, pointer: str, digest: str | None = None) -> None:
        """Add a version that is only mentioned elsewhere, with the hash of its description."""
        if label not in self.versions:
            self._add_version(label, Node(self.reader, source, None, pointer), digest=digest)

    def _add_version(
        self,
        label: str,
        node: Node,
        created: datetime | None = None,
        digest: str | None = None,
        score: float | None = None,
    ) -> None:
        self.rows.add(
            VersionRow(
                suite=self.suite,
                version=label,
                position=len(self.versions),
                created_at=created,
                content_hash=digest,
                is_current=None if self._current is None else label == self._current,
                stored_score=score,
                source=node.path,
                pointer=node.at,
            )
        )
        self.versions.append(label)


def version_label(node: Node, key: str) -> str | None:
    """Return the label of a description version: `d2` for 2, also written as "2" or "d2"."""
    value = node.get(key)
    if isinstance(value, str) and (digits := value.strip().lower().removeprefix("d")).isdecimal():
        return f"d{int(digits[:15])}"
    number = node.number(key)
    return None if number is None else f"d{number:.15g}"


def plain(value: Json) -> float | None:
    """Return a number in comparable form; None for anything else."""
    if type(value) in (int, float) and abs(value) < 1e15:
        return round(float(value), 6)
    return None
