"""Read benchmark.json: the scores of each version of the description, compared with gradings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.assign import UNASSIGNED, Assigned, Claim, plain
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.statistics import Statistics, compare, statistics
from evalcore.families.descriptions.timing import positive
from evalcore.numbers import disagrees, mean, weighted_mean
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import BenchmarkRunRow, DocumentRow, VersionRow

Graded = Mapping[str, Mapping[str, tuple[float | None, float | None]]]
"""Run to test case to its recomputed fraction and its duration."""


class CaseScore(NamedTuple):
    """One test case in one entry."""

    case_id: str
    score: float | None
    duration_s: float | None
    node: Node


class Entry(NamedTuple):
    """One entry of a benchmark."""

    position: int
    version: str
    timestamp: datetime | None
    hash: str | None
    scores: Node
    cases: tuple[CaseScore, ...]
    node: Node


class Benchmark:
    """The benchmark of one suite: its entries, and their versions."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self._measures = Gathered(
            rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=plan.suite,
            configuration="-",
        )
        self.definitions = definitions
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

    def version(self, label: str, source: str, pointer: str) -> None:
        """Add a version that is only mentioned elsewhere."""
        if label not in self.versions:
            self._version(label, None, None, None, Node(self.reader, source, None, pointer))

    def add_scores(self, graded: Graded, assigned: Mapping[str, Assigned]) -> None:
        """Add the stored scores of each entry, with the computed ones beside them."""
        for entry in self.entries:
            runs = [run for run, told in assigned.items() if told.entry == entry.position]
            count = sum(len(graded.get(run, {})) for run in runs)
            self._run(entry, runs, count, any(assigned[run].matched for run in runs))
            self._scores(entry, _means(graded, runs))
        self._measures.flush()
        for run, told in assigned.items():
            if told.entry is None:
                self.rows.add(
                    BenchmarkRunRow(
                        suite=self.suite,
                        benchmark_run=run,
                        benchmark=self.skill_name,
                        version=told.version,
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
                f"The description of {entry.version} has another hash than in an entry before.",
                "Count description_version up whenever the description changes.",
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

    def _scores(
        self, entry: Entry, computed: Mapping[str, tuple[float | None, float | None]]
    ) -> None:
        stored = self._stored_scores(entry)
        for case in entry.cases:
            self._case_scores(entry, case, computed.get(case.case_id))
        values = {case.case_id: case.score for case in entry.cases}
        if computed:
            values = {case_id: score for case_id, (score, _) in computed.items()}
        own = statistics(values.values())
        where = "its gradings" if computed else "its test cases"
        compare(entry.scores, stored, own, where)
        self._add(entry, None, "score", own, "computed", None)
        weighted = weighted_mean(
            [(v, self.definitions.weight(case)) for case, v in values.items() if v is not None]
        )
        if weighted is not None:
            found = Statistics(weighted, None, None, None, None, own.n)
            self._add(entry, None, "weighted_score", found, "computed", None)
        self._totals(entry)

    def _stored_scores(self, entry: Entry) -> Statistics:
        node = entry.scores
        if node.value is not None and not isinstance(node.value, dict):
            node.type_problem("an object")
        mean, median, spread, low, high = (node.number(key) for key in _STORED)
        stored = Statistics(mean, median, spread, low, high, entry.node.whole("num_test_cases"))
        if any(value is not None for value in stored[:5]):
            self._add(entry, None, "score", stored, "stored", node)
        return stored

    def _case_scores(
        self, entry: Entry, case: CaseScore, computed: tuple[float | None, float | None] | None
    ) -> None:
        single = Statistics(case.score, None, None, None, None, None)
        self._add(entry, case.case_id, "score", single, "stored", case.node)
        if case.duration_s is not None:
            single = Statistics(case.duration_s, None, None, None, None, None)
            self._add(entry, case.case_id, "duration_seconds", single, "stored", case.node)
        if computed is None:
            return
        names = ("score", "duration_seconds")
        for name, told, own in zip(names, (case.score, case.duration_s), computed, strict=True):
            if own is None:
                continue
            single = Statistics(own, None, None, None, None, None)
            self._add(entry, case.case_id, name, single, "computed", None)
            if told is not None and told != own and disagrees(told, own):
                case.node.note(
                    "warning",
                    "derived-mismatch",
                    f"{name} of {case.case_id!r} is {told:g}, but its grading gives {own:.4g}.",
                    "Aggregate the benchmark again.",
                    name,
                )

    def _totals(self, entry: Entry) -> None:
        """Compare the count of test cases and the total duration with the test cases."""
        count = entry.node.whole("num_test_cases")
        if count is not None and entry.cases and count != len(entry.cases):
            entry.node.note(
                "warning",
                "derived-mismatch",
                f"num_test_cases is {count}, but {len(entry.cases)} are listed.",
                "Write how many test cases were run.",
                "num_test_cases",
            )
        total = positive(entry.node, "total_duration_seconds")
        seconds = [case.duration_s for case in entry.cases if case.duration_s is not None]
        own = sum(seconds) if seconds else None
        for value, origin in ((total, "stored"), (own, "computed")):
            if value is not None:
                found = Statistics(value, None, None, None, None, None)
                node = entry.node if origin == "stored" else None
                self._add(entry, None, "total_duration_seconds", found, origin, node)
        if total is not None and own is not None and disagrees(total, own):
            entry.node.note(
                "warning",
                "derived-mismatch",
                f"total_duration_seconds is {total:g}, but the test cases add up to {own:g}.",
                "Aggregate the benchmark again.",
                "total_duration_seconds",
            )

    def _add(
        self,
        entry: Entry,
        case_id: str | None,
        metric: str,
        found: Statistics,
        origin: str,
        node: Node | None,
    ) -> None:
        if found.mean is None and found.n is None:
            return
        source, at = (None, None) if node is None else (node.path, node.at)
        self._measures.add((entry.version, case_id, metric, *found, origin, source, at))


_STORED: Final = ("mean", "median", "std_dev", "min", "max")


def version_label(node: Node, key: str) -> str | None:
    """Return the label of a description version: `d2` for 2, also written as "2" or "d2"."""
    value = node.get(key)
    if isinstance(value, str) and (digits := value.strip().lower().removeprefix("d")).isdecimal():
        return f"d{int(digits[:15])}"
    number = node.number(key)
    return None if number is None else f"d{number:.15g}"


def same_hash(first: str, second: str) -> bool:
    """Return whether one hash is a prefix of the other."""
    a, b = (text.lower().removeprefix("sha256:") for text in (first, second))
    return a.startswith(b) or b.startswith(a)


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
