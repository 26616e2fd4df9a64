"""Add the scores of a benchmark's entries, stored and computed, and report where they differ."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.families.descriptions.assign import Assigned
from evalcore.families.descriptions.benchmark import Benchmark, CaseScore, Entry, Measure, plain
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.timing import positive
from evalcore.numbers import disagrees, mean, median, stddev, weighted_mean
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import BenchmarkRunRow

Graded = Mapping[str, Mapping[str, Measure]]
"""Run to test case to its recomputed fraction and its duration."""


class Statistics(NamedTuple):
    """The numbers of one metric, in the order of the columns of `benchmarks`."""

    mean: float | None = None
    median: float | None = None
    stddev: float | None = None
    min: float | None = None
    max: float | None = None
    n: int | None = None


class Scores:
    """Adds the scores of the entries of one benchmark."""

    def __init__(self, benchmark: Benchmark, rows: Rows, definitions: Definitions) -> None:
        self.benchmark = benchmark
        self.rows = rows
        self.definitions = definitions
        self._measures = Gathered(
            rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=benchmark.suite,
            configuration="-",
        )

    def add(self, graded: Graded, assigned: Mapping[str, Assigned]) -> None:
        """Add the stored scores of each entry, with the computed ones beside them."""
        for position, entry in enumerate(self.benchmark.entries):
            runs = [run for run, given in assigned.items() if given.entry is entry]
            measured: dict[str, list[Measure]] = defaultdict(list)
            for run in runs:
                for case_id, own in graded.get(run, {}).items():
                    measured[case_id].append(own)
            notes = None
            if any(assigned[run].matched for run in runs):
                notes = f"Matched to {', '.join(runs)} by equal test cases, scores and durations."
            self.rows.add(
                BenchmarkRunRow(
                    suite=self.benchmark.suite,
                    benchmark_run=runs[0] if len(runs) == 1 else f"entry-{position}",
                    benchmark=self.benchmark.skill_name,
                    version=entry.version,
                    configuration="-",
                    overall_score=plain(entry.scores.get("mean")),
                    ran_at=entry.timestamp,
                    notes=notes,
                    runs=sum(map(len, measured.values())),
                    source=entry.node.path,
                    pointer=entry.node.at,
                )
            )
            computed = {
                case_id: (mean(score for score, _ in found), mean(seconds for _, seconds in found))
                for case_id, found in measured.items()
            }
            self._add_entry(entry, computed)
        self._measures.flush()
        for run, given in assigned.items():
            if given.entry is None:
                self.rows.add(
                    BenchmarkRunRow(
                        suite=self.benchmark.suite,
                        benchmark_run=run,
                        benchmark=self.benchmark.skill_name,
                        version=given.version,
                        configuration="-",
                        notes="No benchmark entry names this run or has its numbers.",
                        runs=len(graded.get(run, {})),
                    )
                )

    def _add_entry(self, entry: Entry, computed: Mapping[str, Measure]) -> None:
        """Add the scores of an entry, and report where the computed ones differ."""
        if entry.scores.value is not None and not isinstance(entry.scores.value, dict):
            entry.scores.type_problem("an object")
        numbers = [entry.scores.number(key) for key in ("mean", "median", "std_dev", "min", "max")]
        stored = Statistics._make([*numbers, entry.node.whole("num_test_cases")])
        if any(number is not None for number in numbers):
            self._add(entry, "score", stored, node=entry.scores)
        for case in entry.cases:
            self._add_case(entry, case, computed.get(case.case_id, (None, None)))
        scores = {case.case_id: case.score for case in entry.cases}
        if computed:
            scores = {case_id: score for case_id, (score, _) in computed.items()}
        own = statistics(scores.values())
        _compare(entry.scores, stored, own, "its gradings" if computed else "its test cases")
        self._add(entry, "score", own)
        weighted = weighted_mean(
            [
                (score, self.definitions.weight(case_id))
                for case_id, score in scores.items()
                if score is not None
            ]
        )
        if weighted is not None:
            self._add(entry, "weighted_score", Statistics(weighted, n=own.n))
        count = stored.n
        if count is not None and entry.cases and count != len(entry.cases):
            message = f"num_test_cases is {count}, but {len(entry.cases)} are listed."
            hint = "Write how many test cases were run."
            entry.node.note("warning", "derived-mismatch", message, hint, "num_test_cases")
        key = "total_duration_seconds"
        total = positive(entry.node, key)
        seconds = [case.duration_s for case in entry.cases if case.duration_s is not None]
        added = sum(seconds) if seconds else None
        self._add(entry, key, Statistics(total), node=entry.node)
        self._add(entry, key, Statistics(added))
        if total is not None and added is not None and disagrees(total, added):
            message = f"{key} is {total:g}, but the test cases add up to {added:g}."
            _note_difference(entry.node, key, message)

    def _add_case(self, entry: Entry, case: CaseScore, computed: Measure) -> None:
        """Add the scores of a test case in an entry, and report where the computed ones differ."""
        if case.case_id in self.definitions.cases:
            note_restated(case.node, {"weight": self.definitions.weight(case.case_id)})
        stored = case.score, case.duration_s
        names = ("score", "duration_seconds")
        for name, stated in zip(names, stored, strict=True):
            self._add(entry, name, Statistics(stated), case.case_id, case.node)
        for name, stated, own in zip(names, stored, computed, strict=True):
            if own is None:
                continue
            self._add(entry, name, Statistics(own), case.case_id)
            if stated is not None and stated != own and disagrees(stated, own):
                message = (
                    f"{name} of {case.case_id!r} is {stated:g}, but its grading gives {own:.4g}."
                )
                _note_difference(case.node, name, message)

    def _add(
        self,
        entry: Entry,
        metric: str,
        found: Statistics,
        case_id: str | None = None,
        node: Node | None = None,
    ) -> None:
        """Add a metric, if there is any: stored at a node, else computed."""
        if found.mean is None and found.n is None:
            return
        place = ("computed", None, None) if node is None else ("stored", node.path, node.at)
        self._measures.add((entry.version, case_id, metric, *found, *place))


def statistics(values: Iterable[float | None]) -> Statistics:
    """Return the statistics of the existing values."""
    present = [value for value in values if value is not None]
    if not present:
        return Statistics()
    return Statistics(
        mean(present),
        median(present),
        stddev(present),
        min(present),
        max(present),
        len(present),
    )


def _compare(node: Node, stored: Statistics, own: Statistics, where: str) -> None:
    """Report stored scores that differ from those of `where`."""
    if own.n is None:
        return
    keys = ("mean", "median", "std_dev", "min", "max")
    for key, given, found in zip(keys, stored[:5], own[:5], strict=True):
        if given is None:
            continue
        if found is None:
            # The spread of a single value: the seeds' tools write 0.
            if given:
                message = f"{key} is {given:g}, but cannot be computed from one test case."
                _note_difference(node, key, message)
        elif disagrees(given, found):
            if key == "std_dev" and not disagrees(given, found * math.sqrt((own.n - 1) / own.n)):
                sample = f"for a sample it is {found:.4g}"
                message = f"std_dev is {given:g}: that is for a population; {sample}."
                node.note("info", "population-deviation", message, "Divide by n - 1.", key)
            else:
                message = f"{key} is {given:g}, but from {where} it is {found:.4g}."
                _note_difference(node, key, message)


def _note_difference(node: Node, key: str, message: str) -> None:
    node.note("warning", "derived-mismatch", message, "Aggregate the benchmark again.", key)
