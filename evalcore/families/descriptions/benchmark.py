"""Read benchmark.json: the scores of each version of the description, compared with gradings."""

from collections.abc import Mapping
from datetime import datetime

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.assign import UNASSIGNED, Assigned, Claim, plain
from evalcore.families.descriptions.benchmark_entries import (
    CaseScore,
    Entry,
    same_hash,
    version_label,
)
from evalcore.families.descriptions.benchmark_scores import EntryScores
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.timing import positive
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRunRow, DocumentRow, VersionRow

Graded = Mapping[str, Mapping[str, tuple[float | None, float | None]]]
"""Run to test case to its recomputed fraction and its duration."""


class Benchmark:
    """The benchmark of one suite: its entries, and their versions."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self._scores = EntryScores(plan.suite, rows, definitions)
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
        self._path = path
        self.skill_name = node.text("skill_name") or None
        self._current = version_label(node, "description_version")
        for item in node.items("entries"):
            self._entry(item)
        self.rows.add(
            DocumentRow(
                path=path,
                family="descriptions",
                kind="benchmark",
                suite=self.suite,
                records=len(self.entries),
            )
        )

    def claims(self) -> list[Claim]:
        """Return the entries' information on their runs."""
        return [
            Claim(
                entry.position,
                entry.version,
                tuple(text for key in ("run_id", "run_ids") for text, _ in _texts(entry.node, key)),
                {case.case_id: (plain(case.score), plain(case.duration_s)) for case in entry.cases},
            )
            for entry in self.entries
        ]

    def add_versions(self) -> None:
        """Add one version for each measured description, in the order of the entries.

        If one was measured more than once, the score of its newest entry is used.
        """
        newest = {entry.version: entry for entry in self.entries}
        for entry in self.entries:
            if entry.version in self.versions:
                self._same_description(entry)
                continue
            last = newest[entry.version]
            mean = last.scores.value.get("mean") if isinstance(last.scores.value, dict) else None
            self._version(entry.version, entry.timestamp, entry.hash, plain(mean), last.node)
        if self._current and self._current not in self.versions and self._path:
            node = Node(self.reader, self._path, None, "/description_version", self.suite)
            self._version(self._current, None, None, None, node)

    def version(self, label: str, source: str, pointer: str, digest: str | None = None) -> None:
        """Add a version that is only mentioned elsewhere, with the hash of its description."""
        if label not in self.versions:
            self._version(label, None, digest, None, Node(self.reader, source, None, pointer))

    def add_scores(self, graded: Graded, assigned: Mapping[str, Assigned]) -> None:
        """Add the stored scores of each entry, with the computed ones beside them."""
        for entry in self.entries:
            runs = [
                run for run, assignment in assigned.items() if assignment.entry == entry.position
            ]
            count = sum(len(graded.get(run, {})) for run in runs)
            self._run(entry, runs, count, any(assigned[run].matched for run in runs))
            self._scores.add(entry, _means(graded, runs))
        self._scores.flush()
        for run, assignment in assigned.items():
            if assignment.entry is None:
                self.rows.add(
                    BenchmarkRunRow(
                        suite=self.suite,
                        benchmark_run=run,
                        benchmark=self.skill_name,
                        version=assignment.version,
                        configuration="-",
                        notes="No benchmark entry names this run or has its numbers.",
                        runs=len(graded.get(run, {})),
                    )
                )

    def _entry(self, node: Node) -> None:
        label = version_label(node, "description_version")
        if label is None:
            node.note(
                "warning",
                "version-unnumbered",
                "This entry has no description_version, so its scores belong to no version.",
                "Number the descriptions from 1.",
            )
        cases = []
        for item in node.items("per_test_case"):
            if case_id := item.text("test_case_id"):
                seconds = positive(item, "duration_seconds")
                cases.append(CaseScore(case_id, item.number("score"), seconds, item))
        self.entries.append(
            Entry(
                len(self.entries),
                label or UNASSIGNED,
                node.time("timestamp"),
                node.text("description_hash") or None,
                node.child("scores"),
                tuple(cases),
                node,
            )
        )

    def _version(
        self,
        label: str,
        created: datetime | None,
        digest: str | None,
        mean: float | None,
        node: Node,
    ) -> None:
        current = None if self._current is None else label == self._current
        self.rows.add(
            VersionRow(
                suite=self.suite,
                version=label,
                position=len(self.versions),
                created_at=created,
                content_hash=digest,
                is_current=current,
                stored_score=mean,
                source=node.path,
                pointer=node.at,
            )
        )
        self.versions.append(label)

    def _same_description(self, entry: Entry) -> None:
        first = next(one for one in self.entries if one.version == entry.version)
        if first.hash and entry.hash and not same_hash(first.hash, entry.hash):
            entry.node.note(
                "warning",
                "hash-changed",
                f"The description of {entry.version} has a different hash than in an earlier "
                "entry.",
                "Increase description_version whenever the description changes.",
                "description_hash",
            )

    def _run(self, entry: Entry, runs: list[str], count: int, matched: bool) -> None:
        scores = entry.scores.value if isinstance(entry.scores.value, dict) else {}
        notes = None
        if matched:
            notes = f"Matched to {', '.join(runs)} by equal test cases, scores and durations."
        name = runs[0] if len(runs) == 1 else f"entry-{entry.position}"
        self.rows.add(
            BenchmarkRunRow(
                suite=self.suite,
                benchmark_run=name,
                benchmark=self.skill_name,
                version=entry.version,
                configuration="-",
                overall_score=plain(scores.get("mean")),
                ran_at=entry.timestamp,
                notes=notes,
                runs=count,
                source=entry.node.path,
                pointer=entry.node.at,
            )
        )


def _texts(node: Node, key: str) -> list[tuple[str, str]]:
    return node.texts(key) if node.has(key) else []


def _means(graded: Graded, runs: list[str]) -> dict[str, tuple[float | None, float | None]]:
    """Return test case to the means of fraction and duration over the runs."""
    cases: dict[str, list[tuple[float | None, float | None]]] = {}
    for run in runs:
        for case_id, measured in graded.get(run, {}).items():
            cases.setdefault(case_id, []).append(measured)
    return {
        case_id: (mean(s for s, _ in found), mean(d for _, d in found))
        for case_id, found in cases.items()
    }
