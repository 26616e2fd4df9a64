"""The aggregates that a benchmark stores, each compared with what the runs give."""

from collections import Counter
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations import notes
from evalcore.families.iterations.aggregate import (
    METRICS,
    Group,
    groups,
    metrics_of,
    values_of,
)
from evalcore.families.iterations.agreement import MEASURED, Runs, is_explained
from evalcore.families.iterations.amounts import amount, rate_difference
from evalcore.families.iterations.benchmark import Benchmarks, is_placeholder
from evalcore.families.iterations.nonstandard_aggregates import (
    DELTA,
    STATS,
    Figure,
    HomeMade,
    difference,
)
from evalcore.families.iterations.runs import Facts
from evalcore.layouts.iterations import NONE
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, NoteRow

NOTES: Final = ("notes", "analyst_notes", "analyst_observations")
NEW: Final = ("with_skill", "new_skill", "with_rule", "ours")
OLD: Final = ("without_skill", "old_skill", "baseline", "without_rule", "official", "theirs")
STANDARD: Final = ("runs", "run_summary")

Metrics = dict[str, list[float]]
"""Metric to its values, one a run."""


def add_stored(benchmarks: Benchmarks, rows: Rows, facts: list[Facts]) -> None:
    """Add stored aggregates and notes, and note what the runs contradict."""
    plan = benchmarks.plan
    ours = {key: metrics_of(runs, plan.family) for key, runs in groups(facts).items()}
    for version, node in benchmarks.documents:
        of_version = [fact for fact in facts if fact.version == version]
        stored = _Stored(rows, plan, version, ours, of_version)
        stored.notes(node)
        summary = node.child("run_summary")
        for name, inner in summary.fields() if isinstance(summary.value, dict) else ():
            if name == DELTA and isinstance(inner.value, dict):
                stored.delta(inner)
            elif isinstance(inner.value, dict):
                stored.summary(name, inner)
        stored.home_made(node)
        _placeholders(node)
        _miscounted(node, of_version)


class _Stored:
    """The stored aggregates of one version."""

    def __init__(
        self,
        rows: Rows,
        plan: Plan,
        version: str,
        ours: dict[Group, Metrics],
        facts: list[Facts],
    ) -> None:
        self.rows = rows
        self.suite = plan.suite
        self.family = plan.family
        self.version = version
        self.ours = ours
        self.facts = facts
        self.empty = True
        """Whether no aggregate was found so far."""

    def notes(self, node: Node) -> None:
        for key in NOTES:
            found = notes.notes_of(node, key)
            for each in found:
                self._note(None, each.text, node.path, each.at)
            if not all(each.plain for each in found):
                node.note("info", notes.CODE, notes.MESSAGE, notes.HINT, key)

    def _note(self, target: str | None, text: str, path: str, at: str) -> None:
        self.rows.add(
            NoteRow(
                suite=self.suite,
                version=self.version,
                kind="benchmark",
                target=target,
                text=text,
                source=path,
                pointer=at,
            )
        )

    def _add(
        self,
        configuration: str | None,
        metric: str,
        stats: dict[str, float | None],
        text: str | None,
        node: Node,
    ) -> None:
        self.empty = False
        mean_, median, stddev, low, high = map(stats.get, STATS)
        self.rows.add(
            BenchmarkRow(
                suite=self.suite,
                version=self.version,
                configuration=configuration,
                metric=metric,
                mean=mean_,
                median=median,
                stddev=stddev,
                min=low,
                max=high,
                origin="stored",
                text=text,
                source=node.path,
                pointer=node.at,
            )
        )

    def summary(self, configuration: str, node: Node) -> None:
        """Add what the standard summary says of one configuration."""
        for metric, stats in node.fields():
            if metric == "rubric_dimensions" and isinstance(stats.value, dict):
                for name, inner in stats.fields():
                    self._metric(configuration, f"rubric_dimensions.{name}", inner)
            else:
                self._metric(configuration, metric, stats)

    def _metric(self, configuration: str, metric: str, node: Node) -> None:
        text = node.value if isinstance(node.value, str) else None
        if isinstance(node.value, dict):
            stats = {name: node.number(name) for name in STATS}
        else:
            stated = amount(node.value)
            stats = {"mean": None if stated is None else stated.value}
        self._add(configuration, metric, stats, text, node)
        self._check(configuration, metric, stats["mean"], node)

    def home_made(self, document: Node) -> None:
        """Add the aggregates and remarks that the standard shape does not have."""
        read = HomeMade()
        read.read(document)
        for (configuration, metric), figures in read.found.items():
            first: Figure = figures.get("mean") or next(iter(figures.values()))
            stats: dict[str, float | None] = {name: f.value for name, f in figures.items()}
            self._add(configuration, metric, stats, first.text, first.node)
            if configuration != DELTA:
                self._check(configuration, metric, stats.get("mean"), first.node)
            elif metric == "pass_rate":
                self._sign(first.value, first.node)
        self._computed_delta({m for c, m in read.found if c == DELTA})
        for name, text, node in read.texts:
            self._note(name, text, node.path, node.at)
        if read.percent:
            document.note(
                "info",
                "rates-as-percent",
                "Pass rates are written as percent.",
                "Write them as fractions from 0 to 1.",
            )
        if document.value and not document.has(*STANDARD):
            self._note_shape(document)

    def _note_shape(self, document: Node) -> None:
        """Note a shape of its own, and whether anything was found in it."""
        hint = "Write metadata, runs, run_summary and notes as docs/families.md describes them."
        if self.facts or not self.empty:
            what = "This benchmark has a format of its own; it was read by the names of its fields."
            document.note("info", "home-made-benchmark", what, hint)
        else:
            what = f"No run and no mean was found in this benchmark, so {self.version!r} has none."
            document.note("warning", "unread-benchmark", what, hint)

    def _check(
        self, configuration: str | None, metric: str, stored: float | None, node: Node
    ) -> None:
        """Note a stored mean that the runs contradict."""
        runs = self._runs(configuration, metric)
        computed = mean(runs.known)
        if stored is None or computed is None or metric == "consistency":
            return
        if stored == 0 and metric in MEASURED:
            return  # 0 stands for "not measured" there
        if not is_explained(stored, metric, runs):
            side = f" of {configuration}" if configuration else ""
            count = len(runs.known)
            several = f"its {count} runs give" if count > 1 else "its run gives"
            node.note(
                "warning",
                "derived-mismatch",
                f"The mean {metric}{side} is {stored:g}, but {several} {_shown(computed)}.",
                "Aggregate the benchmark again.",
            )

    def _runs(self, configuration: str | None, metric: str) -> Runs:
        """Return the runs of a configuration; where it is not named, of the only one there is."""
        sides = {fact.configuration for fact in self.facts}
        only = next(iter(sides)) if len(sides) == 1 else NONE
        side = only if configuration is None else configuration
        runs = [fact for fact in self.facts if fact.configuration == side]
        return Runs(runs, values_of(runs, metric, self.family))

    def delta(self, node: Node) -> None:
        """Add the stored differences between two configurations, and ours beside them."""
        for metric, value in node.fields():
            text = value.value if isinstance(value.value, str) else None
            stated = difference(metric, value.value)
            self._add(
                DELTA, metric, {"mean": None if stated is None else stated.value}, text, value
            )
        stored = rate_difference(node.get("pass_rate"))
        if stored is not None:
            self._sign(stored.value, node.child("pass_rate"))
        self._computed_delta(set(node.value))

    def _computed_delta(self, stored: set[str]) -> None:
        for metric in METRICS:
            if metric not in stored:
                continue
            new, old = self._side(NEW, metric), self._side(OLD, metric)
            if new is not None and old is not None:
                self.rows.add(
                    BenchmarkRow(
                        suite=self.suite,
                        version=self.version,
                        configuration=DELTA,
                        metric=metric,
                        mean=new - old,
                        origin="computed",
                    )
                )

    def _sign(self, stored: float, node: Node) -> None:
        """Note a stored delta whose sign is turned round, or that has no second side."""
        new, old = self._side(NEW, "pass_rate"), self._side(OLD, "pass_rate")
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

    def _side(self, configurations: tuple[str, ...], metric: str) -> float | None:
        """Return the mean of the first of the configurations that has one."""
        means = (
            mean(self.ours.get((self.version, name), {}).get(metric, [])) for name in configurations
        )
        return next((value for value in means if value is not None), None)


def _placeholders(node: Node) -> None:
    """Note the gaps of a template that were never filled in."""
    meta = node.child("metadata")
    fields = meta.value.items() if isinstance(meta.value, dict) else ()
    gaps = [key for key, value in fields if isinstance(value, str) and is_placeholder(value)]
    if gaps:
        meta.note(
            "info",
            "placeholder",
            f"{', '.join(gaps)} still {'contain' if len(gaps) > 1 else 'contains'} a placeholder.",
            f"Fill in {', '.join(gaps)}.",
            gaps[0],
        )


def _miscounted(node: Node, facts: list[Facts]) -> None:
    """Note a number of runs that is not so."""
    meta = node.child("metadata")
    stated = meta.whole("runs_per_configuration") if isinstance(meta.value, dict) else None
    most = max(
        Counter((fact.case_id, fact.configuration) for fact in facts).values(), default=stated
    )
    if stated is not None and most != stated:
        found = "there is 1 run" if most == 1 else f"there are {most} runs"
        meta.note(
            "warning",
            "runs-miscounted",
            f"runs_per_configuration is {stated}, but {found}.",
            "Write the actual number of runs.",
            "runs_per_configuration",
        )


def _shown(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
