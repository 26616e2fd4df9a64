"""The aggregates that a benchmark stores, each held against what the runs give."""

from collections import Counter
from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.iterations.aggregate import Group, groups, metrics_of
from evalcore.families.iterations.benchmark import Benchmarks, is_placeholder
from evalcore.families.iterations.runs import Facts
from evalcore.numbers import disagrees, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, NoteRow

STATS: Final = ("mean", "median", "stddev", "min", "max")
NOTES: Final = ("notes", "analyst_notes", "analyst_observations")
MEASURED: Final = ("time_seconds", "tokens")
NEW: Final = ("with_skill", "new_skill")
OLD: Final = ("without_skill", "old_skill", "baseline")

Metrics = dict[str, list[float]]
"""Metric to its values, one a run."""


def add_stored(benchmarks: Benchmarks, rows: Rows, facts: list[Facts]) -> None:
    """Add stored aggregates and notes, and note what the runs contradict."""
    plan = benchmarks.plan
    ours = {key: metrics_of(runs, plan.family) for key, runs in groups(facts).items()}
    for version, node in benchmarks.by_version.items():
        stored = _Stored(rows, plan.suite, version, ours)
        stored.notes(node)
        for name, summary in node.fields("run_summary") if node.has("run_summary") else ():
            if name == "delta":
                stored.delta(summary)
            elif isinstance(summary.value, dict):
                stored.summary(name, summary)
        _placeholders(node)
        _miscounted(node, [fact for fact in facts if fact.version == version])


class _Stored:
    """The stored aggregates of one version."""

    def __init__(self, rows: Rows, suite: str, version: str, ours: dict[Group, Metrics]) -> None:
        self.rows = rows
        self.suite = suite
        self.version = version
        self.ours = ours

    def notes(self, node: Node) -> None:
        for key in NOTES:
            said = node.texts(key) if isinstance(node.get(key), (str, list)) else ()
            for text, at in said:
                self.rows.add(
                    NoteRow(self.suite, None, self.version, "benchmark", None, text, node.path, at)
                )

    def summary(self, configuration: str, node: Node) -> None:
        for metric, stats in node.fields():
            if metric == "rubric_dimensions":
                for name, inner in stats.fields():
                    self._metric(configuration, f"rubric_dimensions.{name}", inner)
            else:
                self._metric(configuration, metric, stats)

    def _metric(self, configuration: str, metric: str, node: Node) -> None:
        flat = not isinstance(node.value, dict)
        stats = {name: None if flat else node.number(name) for name in STATS}
        if flat:
            stats["mean"] = _number(node.value)
        text = node.value if isinstance(node.value, str) else None
        self.rows.add(
            BenchmarkRow(self.suite, self.version, configuration, None, metric, stats["mean"],
                         stats["median"], stats["stddev"], stats["min"], stats["max"], None,
                         "stored", text, node.path, node.at)
        )  # fmt: skip
        values = self.ours.get((self.version, configuration), {}).get(metric, [])
        stored, computed = stats["mean"], mean(values)
        if stored is None or computed is None or metric == "consistency":
            return
        if stored == 0 and metric in MEASURED:
            return  # 0 stands for "not measured" there
        if disagrees(stored, computed):
            node.note(
                "warning",
                "derived-mismatch",
                f"The mean {metric} of {configuration} is {stored:g}, "
                f"its {len(values)} run{'s' * (len(values) != 1)} give {_shown(computed)}.",
                "Aggregate the benchmark again.",
            )

    def delta(self, node: Node) -> None:
        """Add the stored differences between two configurations."""
        for metric, value in node.fields():
            text = value.value if isinstance(value.value, str) else None
            self.rows.add(
                BenchmarkRow(self.suite, self.version, "delta", None, metric, _number(value.value),
                             None, None, None, None, None, "stored", text, value.path, value.at)
            )  # fmt: skip
        self._sign(node)

    def _sign(self, node: Node) -> None:
        """Note a stored delta whose sign is turned round, or that has no second side."""
        stored, new, old = _signed(node.get("pass_rate")), self._rate(NEW), self._rate(OLD)
        if stored is None or new is None:
            return
        if old is None:
            node.note(
                "warning",
                "delta-without-baseline",
                "A difference is stored, but only one configuration has runs.",
                "Run the baseline, or remove the difference.",
                "pass_rate",
            )
        elif abs(stored) > 0.005 and abs(stored + (new - old)) < 0.011 < abs(stored - (new - old)):
            node.note(
                "warning",
                "delta-inverted",
                f"The stored difference is {stored:+.2f}, "
                f"with the skill minus without is {new - old:+.2f}.",
                "Aggregate the benchmark again with the baseline second.",
                "pass_rate",
            )

    def _rate(self, configurations: tuple[str, ...]) -> float | None:
        """Return the mean pass rate of the first of the configurations that has one."""
        rates = (
            mean(self.ours.get((self.version, name), {}).get("pass_rate", []))
            for name in configurations
        )
        return next((rate for rate in rates if rate is not None), None)


def _placeholders(node: Node) -> None:
    """Note gaps of a template that were never filled in."""
    meta = node.child("metadata")
    if not isinstance(meta.value, dict):
        return
    for key, value in meta.value.items():
        if isinstance(value, str) and is_placeholder(value):
            meta.note(
                "info",
                "placeholder",
                f"{key} still holds a placeholder.",
                f"Fill in {key}.",
                key,
            )


def _miscounted(node: Node, facts: list[Facts]) -> None:
    """Note a number of runs that is not so."""
    meta = node.child("metadata")
    told = meta.whole("runs_per_configuration") if isinstance(meta.value, dict) else None
    most = max(Counter((fact.case_id, fact.configuration) for fact in facts).values(), default=told)
    if told is not None and most != told:
        meta.note(
            "warning",
            "runs-miscounted",
            f"runs_per_configuration is {told}, there are {most}.",
            "Write the number of runs that were made.",
            "runs_per_configuration",
        )


def _number(value: Any) -> float | None:
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if known else None


def _signed(value: Any) -> float | None:
    """Return a difference that may be written as text with its sign."""
    try:
        return float(value) if isinstance(value, str) else _number(value)
    except ValueError:
        return None


def _shown(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
