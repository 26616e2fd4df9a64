"""Rows of the scores of benchmark entries, stored and computed."""

from collections.abc import Mapping
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.descriptions.benchmark_entries import CaseScore, Entry
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.statistics import Statistics, compare, statistics
from evalcore.families.descriptions.timing import positive
from evalcore.numbers import disagrees, weighted_mean
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered

_STORED: Final = ("mean", "median", "std_dev", "min", "max")


class EntryScores:
    """Adds the scores of the entries of one benchmark, and reports differences."""

    def __init__(self, suite: str, rows: Rows, definitions: Definitions) -> None:
        self._definitions = definitions
        self._measures = Gathered(
            rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=suite,
            configuration="-",
        )

    def flush(self) -> None:
        """Add the rows collected so far."""
        self._measures.flush()

    def add(self, entry: Entry, computed: Mapping[str, tuple[float | None, float | None]]) -> None:
        """Add the scores of an entry; `computed` has (fraction, duration) by test case."""
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
            [(v, self._definitions.weight(case)) for case, v in values.items() if v is not None]
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
        if case.case_id in self._definitions.cases:
            note_restated(case.node, {"weight": self._definitions.weight(case.case_id)})
        single = Statistics(case.score, None, None, None, None, None)
        self._add(entry, case.case_id, "score", single, "stored", case.node)
        if case.duration_s is not None:
            single = Statistics(case.duration_s, None, None, None, None, None)
            self._add(entry, case.case_id, "duration_seconds", single, "stored", case.node)
        if computed is None:
            return
        names = ("score", "duration_seconds")
        for name, stated, own in zip(names, (case.score, case.duration_s), computed, strict=True):
            if own is None:
                continue
            single = Statistics(own, None, None, None, None, None)
            self._add(entry, case.case_id, name, single, "computed", None)
            if stated is not None and stated != own and disagrees(stated, own):
                case.node.note(
                    "warning",
                    "derived-mismatch",
                    f"{name} of {case.case_id!r} is {stated:g}, but its grading gives {own:.4g}.",
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
