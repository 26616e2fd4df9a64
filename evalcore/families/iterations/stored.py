"""The aggregates that a benchmark stores, each compared with what the runs give."""

from collections import Counter, defaultdict
from collections.abc import Container
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations import notes
from evalcore.families.iterations.aggregate import METRICS, values_of
from evalcore.families.iterations.agreement import MEASURED, Runs, is_explained, note_mismatch
from evalcore.families.iterations.amounts import amount, rate_difference
from evalcore.families.iterations.benchmark import ABOUT, Benchmarks, is_placeholder, note_percent
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.listed import Listed
from evalcore.families.iterations.nonstandard_aggregates import (
    DELTA,
    STATS,
    Figure,
    HomeMade,
    difference,
)
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.stated import Stated
from evalcore.layouts.iterations import NONE
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow

NOTES: Final = ("notes", "analyst_notes", "analyst_observations")
NEW: Final = ("with_skill", "new_skill", "with_rule", "ours")
OLD: Final = ("without_skill", "old_skill", "baseline", "without_rule", "official", "theirs")
STANDARD: Final = ("runs", "run_summary")


def add_stored(benchmarks: Benchmarks, rows: Rows, facts: list[Facts]) -> None:
    """Add stored aggregates and notes, and note what the runs contradict."""
    runs: dict[str, dict[str, list[Facts]]] = defaultdict(lambda: defaultdict(list))
    for fact in facts:
        runs[fact.version][fact.configuration].append(fact)
    for version, document in benchmarks.documents:
        stored = _Stored(benchmarks.plan, rows, version, runs[version])
        stored.standard(document)
        stored.home_made(document, benchmarks.listed(document))
        _note_placeholders(document)
        _note_miscounted(document, runs[version])


class _Stored:
    """What a document stores of one version, whose runs are given by configuration."""

    def __init__(self, plan: Plan, rows: Rows, version: str, runs: dict[str, list[Facts]]) -> None:
        self.plan = plan
        self.stated = Stated(rows, plan.suite, version)
        self.runs = runs
        self.empty = True
        """Whether no aggregate was found so far."""

    def standard(self, document: Node) -> None:
        """Add the notes, and the summary of each configuration and of their difference."""
        for key in NOTES:
            found = notes.notes_of(document, key) if key in document.value else []
            for each in found:
                self.stated.note(each.text, document.path, each.at)
            if not all(each.plain for each in found):
                document.note("info", notes.CODE, notes.MESSAGE, notes.HINT, key)
        summary = document.child("run_summary")
        for name, side in summary.fields() if isinstance(summary.value, dict) else ():
            if not isinstance(side.value, dict):
                continue
            for metric, node in side.fields():
                if name == DELTA:
                    stated = difference(metric, node.value)
                    value = None if stated is None else stated.value
                    self._add(DELTA, metric, {"mean": value}, node)
                elif metric == "rubric_dimensions" and isinstance(node.value, dict):
                    for dimension, inner in node.fields():
                        self._metric(name, f"{metric}.{dimension}", inner)
                else:
                    self._metric(name, metric, node)
            if name == DELTA:
                stated = rate_difference(side.get("pass_rate"))
                if stated is not None:
                    self._check_sign(stated.value, side.child("pass_rate"))
                self._add_computed(side.value)

    def home_made(self, document: Node, runs: list[Listed]) -> None:
        """Add the aggregates and remarks that neither the standard shape nor the runs have."""
        read = HomeMade()
        read.read(document, runs)
        for (configuration, metric), figures in read.found.items():
            first: Figure = figures.get("mean") or next(iter(figures.values()))
            stats: dict[str, float | None] = {name: f.value for name, f in figures.items()}
            self._add(configuration, metric, stats, first.node)
            if configuration != DELTA:
                self._check(configuration, metric, stats.get("mean"), first.node)
            elif metric == "pass_rate":
                self._check_sign(first.value, first.node)
        self._add_computed({metric for side, metric in read.found if side == DELTA})
        for name, text, node in read.texts:
            self.stated.note(text, node.path, node.at, name)
        if read.percent:
            note_percent(document)
        if not document.value or document.has(*STANDARD):
            return
        if self.runs or not self.empty:
            what = "This benchmark has a format of its own; it was read by the names of its fields."
            document.note("info", "home-made-benchmark", what, HINTS["benchmark"])
        else:
            version = self.stated.version
            what = f"No run and no mean was found in this benchmark, so {version!r} has none."
            document.note("warning", "unread-benchmark", what, HINTS["benchmark"])

    def _metric(self, configuration: str, metric: str, node: Node) -> None:
        """Add and check what the summary says of one metric: its statistics, or only its mean."""
        stats: dict[str, float | None]
        if isinstance(node.value, dict):
            stats = {name: node.number(name) for name in STATS}
        else:
            stated = amount(node.value)
            stats = {"mean": None if stated is None else stated.value}
        self._add(configuration, metric, stats, node)
        self._check(configuration, metric, stats["mean"], node)

    def _add(
        self, configuration: str | None, metric: str, stats: dict[str, float | None], node: Node
    ) -> None:
        self.empty = False
        self.stated.number(node, configuration, metric, stats)

    def _check(
        self, configuration: str | None, metric: str, stored: float | None, node: Node
    ) -> None:
        """Note a stored mean that the runs contradict.

        One without a configuration is about the only one that there is.
        """
        if stored is None or metric == "consistency":
            return
        if stored == 0 and metric in MEASURED:
            return  # 0 stands for "not measured" there
        only = next(iter(self.runs)) if len(self.runs) == 1 else NONE
        facts = self.runs.get(only if configuration is None else configuration, [])
        runs = Runs(facts, values_of(facts, metric, self.plan.family))
        known = runs.known
        computed = mean(known)
        if computed is None or is_explained(stored, metric, runs):
            return
        side = f" of {configuration}" if configuration else ""
        several = f"its {len(known)} runs give" if len(known) > 1 else "its run gives"
        shown = f"{computed:,.0f}" if abs(computed) >= 1000 else f"{computed:.4g}"
        note_mismatch(node, f"The mean {metric}{side}", f"{stored:g}", f"{several} {shown}")

    def _check_sign(self, stored: float, node: Node) -> None:
        """Note a stored delta whose sign is turned round, or that has no second side."""
        new, old = self._mean(NEW, "pass_rate"), self._mean(OLD, "pass_rate")
        if new is None:
            return
        if old is None:
            node.note(
                "warning",
                "delta-without-baseline",
                "A difference is stored, but only one configuration has runs.",
                "Run the baseline, or remove the difference.",
            )
        elif abs(stored) > 0.005 and abs(stored + (new - old)) < 0.011 < abs(stored - (new - old)):
            node.note(
                "warning",
                "delta-inverted",
                f"The stored difference of the pass rates is {stored:+.2f}, but "
                f"the skill minus its baseline gives {new - old:+.2f}.",
                "Aggregate the benchmark again with the baseline second.",
            )

    def _add_computed(self, stored: Container[str]) -> None:
        """Add our differences between two configurations beside the stored ones."""
        for metric in METRICS:
            if metric not in stored:
                continue
            new, old = self._mean(NEW, metric), self._mean(OLD, metric)
            if new is not None and old is not None:
                self.stated.rows.add(
                    BenchmarkRow(
                        suite=self.plan.suite,
                        version=self.stated.version,
                        configuration=DELTA,
                        metric=metric,
                        mean=new - old,
                        origin="computed",
                    )
                )

    def _mean(self, configurations: tuple[str, ...], metric: str) -> float | None:
        """Return the mean of the first of the configurations that has one."""
        means = (
            mean(values_of(self.runs[name], metric, self.plan.family))
            for name in configurations
            if name in self.runs
        )
        return next((value for value in means if value is not None), None)


def _note_placeholders(document: Node) -> None:
    """Note the gaps of a template that were never filled in."""
    meta = document.child(ABOUT)
    fields = meta.value.items() if isinstance(meta.value, dict) else ()
    gaps = [key for key, value in fields if isinstance(value, str) and is_placeholder(value)]
    if gaps:
        meta.note(
            "info",
            "placeholder",
            f"{', '.join(gaps)} still {'contain' if len(gaps) > 1 else 'contains'} a placeholder.",
            "Fill in what the placeholders stand for.",
            gaps[0],
        )


def _note_miscounted(document: Node, runs: dict[str, list[Facts]]) -> None:
    """Note a number of runs that is not so."""
    meta = document.child(ABOUT)
    stated = meta.whole("runs_per_configuration") if isinstance(meta.value, dict) else None
    if stated is None or not runs:
        return
    most = max(max(Counter(fact.case_id for fact in side).values()) for side in runs.values())
    if most != stated:
        found = "there is 1 run" if most == 1 else f"there are {most} runs"
        meta.note(
            "warning",
            "runs-miscounted",
            f"runs_per_configuration is {stated}, but {found}.",
            "Write the actual number of runs.",
            "runs_per_configuration",
        )
