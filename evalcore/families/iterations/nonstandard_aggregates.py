"""Aggregates in a benchmark of any shape: by configuration, as averages, as differences."""

import re
from collections import defaultdict
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import Amount, amount, rate, rate_difference
from evalcore.families.iterations.figures import leaf
from evalcore.families.iterations.listed import (
    LISTS,
    SIDES,
    Field,
    Listed,
    field_of,
    is_bare_rate,
    is_field,
    labels_of,
    sides_named,
)
from evalcore.layouts.iterations import is_configuration

STATS: Final = ("mean", "median", "stddev", "min", "max")
DELTA: Final = "delta"
GROUPS: Final = ("summary", "aggregate", "overall", "results")
PLAIN: Final = frozenset(
    ("metadata", "runs", "run_summary", "notes", "analyst_notes", "analyst_observations",
     "skill_name", "skill_path", "skill_version", "skill", "benchmark_name", "name", "version",
     "previous_version", "eval_suite_version", "iteration", "timestamp", "date", "generated",
     "status", "configuration", "baseline", "total_evals", "evals_completed", "eval_count",
     "test_cases", "evals_total", *LISTS)
)  # fmt: skip
"""Fields that are read elsewhere, or only say what the document itself is."""

STAT: Final = re.compile(r"(?:^|_)(avg|average|mean|stddev|std_dev|std|median|min|max)(?=_|$)")
STAT_OF: Final = {"avg": "mean", "average": "mean", "std": "stddev", "std_dev": "stddev"}
METRICS: Final[dict[str, tuple[str, float]]] = {
    "pass_rate": ("pass_rate", 1.0),
    "tokens": ("tokens", 1.0),
    "tokens_used": ("tokens", 1.0),
    "time_seconds": ("time_seconds", 1.0),
    "time": ("time_seconds", 1.0),
    "seconds": ("time_seconds", 1.0),
    "duration_seconds": ("time_seconds", 1.0),
    "elapsed_seconds": ("time_seconds", 1.0),
    "duration_ms": ("time_seconds", 1000.0),
    "time_ms": ("time_seconds", 1000.0),
}
DIFFERENCE: Final = re.compile(r"^delta_|_(?:delta|improvement|pct|diff|difference)(?=_|$)")
DEEPEST: Final = 5


class Figure(NamedTuple):
    """One stored number: its place, its value, and its text where it was written as one."""

    value: float
    text: str | None
    node: Node


Found = dict[tuple[str | None, str], dict[str, Figure]]
"""Configuration and metric to statistic to number."""


class HomeMade:
    """Gathers the aggregates and the remarks of a benchmark document."""

    def __init__(self) -> None:
        self.found: Found = defaultdict(dict)
        self.texts: list[tuple[str, str, Node]] = []
        """Name, text and place of each remark."""
        self.percent = False
        self._sides = frozenset[str]()
        """What is a side of the document though no rule knows its name."""
        self._runs = frozenset[str]()
        """The pointers of the evals that are read as runs."""
        self._lists = frozenset[str]()
        """Those of the lists that hold them, and of all that these are in."""

    def read(self, document: Node, runs: list[Listed]) -> None:
        """Take everything of a document that neither the standard shape nor its `runs` have."""
        self._sides = sides_named(document.value)
        self._runs = frozenset(run.entry.at for run in runs)
        above = [group.split("/") for group in {run.group for run in runs}]
        self._lists = frozenset("/".join(p[:n]) for p in above for n in range(2, len(p) + 1))
        self._fields(document, None, "", PLAIN, 0)
        summary = document.child("run_summary")
        if isinstance(summary.value, dict):
            for name, node in summary.fields():
                if name != DELTA and not isinstance(node.value, dict):
                    self._field(name, node, None, "", 1)

    def _fields(
        self, node: Node, configuration: str | None, prefix: str, skip: frozenset[str], depth: int
    ) -> None:
        if depth > DEEPEST:
            return
        for name, child in node.fields():
            is_list = isinstance(child.value, list)
            if child.at in self._runs or (is_list and child.at in self._lists):
                if name in SIDES:
                    self._field(name, child, configuration, prefix, depth)
            elif name in LISTS and isinstance(child.value, dict):
                self._sums(child, depth + 1)
            elif name not in skip and not (name in LISTS and is_list):
                self._field(name, child, configuration, prefix, depth)

    def _sums(self, node: Node, depth: int) -> None:
        """Take what stands where others list their evals: sums of sides, nothing of evals."""
        for name, child in node.fields():
            if not self._is_side(name):
                if is_field(name, child.value) and child.at not in self._runs:
                    self._field(name, child, None, "", depth)
            elif isinstance(child.value, dict):
                for field, inner in child.fields():
                    if is_field(field, inner.value) and inner.at not in self._runs:
                        self._field(field, inner, name, "", depth + 1)
            elif is_bare_rate(child.value):
                self._figure(name, "", "pass_rate", child)
            elif not isinstance(child.value, list):
                self._scalar(name, child, None, "")

    def _field(
        self, name: str, node: Node, configuration: str | None, prefix: str, depth: int
    ) -> None:
        below = depth + 1
        told = field_of(name, self._sides)
        metric = "pass_rate" if told.name == "rate" else told.name
        if name == DELTA:
            self._difference(node)
        elif metric is not None and told.sure:
            self._field(metric, node, told.side, prefix, below)
        elif name in SIDES and isinstance(node.value, list):
            for each in node.all_items():
                for label in labels_of(each.value)[-1:]:
                    self._fields(each, label, prefix, PLAIN, below)
        elif not isinstance(node.value, dict):
            # A value for each side under the name of what it is of: `tokens: {with_skill: 100}`.
            of = prefix.removesuffix(".") if told == Field(name) else ""
            if not of or not self._figure(name, "", of, node):
                self._scalar(name, node, configuration, prefix)
        elif is_configuration(name) or name in self._sides:
            self._fields(node, name, prefix, frozenset(), below)
        elif name in SIDES:
            for side, child in node.fields():
                if isinstance(child.value, dict):
                    self._fields(child, side, prefix, frozenset(), below)
                else:
                    self._scalar(side, child, configuration, f"{prefix}{name}.")
        elif name in GROUPS:
            self._fields(node, configuration, prefix, PLAIN, below)
        elif any(key in node.value for key in ("mean", "stddev")):
            for stat in STATS:
                if (stated := amount(node.get(stat))) is not None:
                    figure = Figure(stated.value, None, node)
                    self.found[configuration, f"{prefix}{name}"][stat] = figure
        else:
            self._fields(node, configuration, f"{prefix}{name}.", frozenset(), below)

    def _is_side(self, name: str) -> bool:
        return field_of(name, self._sides) == Field(name)

    def _scalar(self, name: str, node: Node, configuration: str | None, prefix: str) -> None:
        if DIFFERENCE.search(name) and not prefix:
            metric = metric_of(DIFFERENCE.sub("", name))[0]
            if metric in ("pass_rate", "tokens", "time_seconds"):
                self._differ(metric, node)
                return
        if isinstance(node.value, (int, float, str)) and self._figure(
            configuration, prefix, name, node
        ):
            return
        side = f"{configuration}." if configuration else ""
        for found in leaf(f"{side}{prefix}{name}", node):
            text = found.text if found.text is not None else f"{found.number:g}"
            self.texts.append((found.name, text, found.node))

    def _figure(self, configuration: str | None, prefix: str, name: str, node: Node) -> bool:
        """Keep a number under the metric and statistic that its name means."""
        metric, stat, divisor = metric_of(name)
        stated = rate(node.value) if metric == "pass_rate" else amount(node.value)
        if stated is None or isinstance(node.value, bool):
            return False
        self.percent = self.percent or (metric == "pass_rate" and stated.form == "percent")
        text = node.value if isinstance(node.value, str) else None
        value = stated.value if divisor == 1 else stated.value / divisor
        figure = Figure(value, text, node)
        self.found[configuration, f"{prefix}{metric}"].setdefault(stat, figure)
        return True

    def _difference(self, node: Node) -> None:
        """Take the differences between two configurations, one or several of them."""
        if not isinstance(node.value, dict):
            self._differ("pass_rate", node)
            return
        for name, child in node.fields():
            if isinstance(child.value, (list, dict)):
                for found in leaf(f"{DELTA}.{name}", child):
                    if found.number is None:
                        self.texts.append((found.name, found.text or "", found.node))
                    else:
                        figure = Figure(found.number, found.text, found.node)
                        metric = found.name.removeprefix(f"{DELTA}.")
                        self.found[DELTA, metric].setdefault("mean", figure)
            elif child.value is not None:
                metric = metric_of(DIFFERENCE.sub("", name))[0]
                known = metric in ("pass_rate", "tokens", "time_seconds")
                self._differ(metric if known else name, child)

    def _differ(self, metric: str, node: Node) -> None:
        stated = difference(metric, node.value)
        if stated is None:
            said = leaf(f"{DELTA}.{metric}", node)
            self.texts += [(found.name, found.text or "", found.node) for found in said]
            return
        text = node.value if isinstance(node.value, str) else None
        self.found[DELTA, metric].setdefault("mean", Figure(stated.value, text, node))


def difference(metric: str, value: Any) -> Amount | None:
    """Return the number that a stored difference of a metric means."""
    return rate_difference(value) if metric == "pass_rate" else amount(value)


def metric_of(name: str) -> tuple[str, str, float]:
    """Return the metric, the statistic and the divisor to its unit that a field's name means.

    A name that means none of the known metrics stands for itself.
    """
    match = STAT.search(name)
    stat = STAT_OF.get(match[1], match[1]) if match else "mean"
    bare = (name[: match.start()] + name[match.end() :]).strip("_") if match else name
    if bare not in METRICS:
        return name, "mean", 1.0
    metric, divisor = METRICS[bare]
    return metric, stat, divisor
