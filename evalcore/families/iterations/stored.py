"""The aggregates that a benchmark of any shape stores, each compared with what the runs give.

They are those of the standard shape, and others by configuration, as averages, or as differences.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container
from functools import lru_cache
from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations import listed
from evalcore.families.iterations.aggregate import METRICS, values_of
from evalcore.families.iterations.agreement import MEASURED, Runs, is_explained, note_mismatch
from evalcore.families.iterations.amounts import Amount, amount, rate, rate_difference
from evalcore.families.iterations.benchmark import ABOUT, Benchmarks, is_placeholder, note_percent
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.figures import Leaf, leaf
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.stated import AS_OBJECT, Stated, notes_of
from evalcore.layouts.iterations import NONE, is_configuration
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow

NOTES: Final = ("notes", "analyst_notes", "analyst_observations")
NEW: Final = ("with_skill", "new_skill", "with_rule", "ours")
OLD: Final = ("without_skill", "old_skill", "baseline", "without_rule", "official", "theirs")
STANDARD: Final = ("runs", "run_summary")
STATS: Final = ("mean", "median", "stddev", "min", "max")
DELTA: Final = "delta"
GROUPS: Final = ("summary", "aggregate", "overall", "results")
PLAIN: Final = frozenset(
    ("metadata", "runs", "run_summary", *NOTES, "skill_name", "skill_path", "skill_version",
     "skill", "benchmark_name", "name", "version", "previous_version", "eval_suite_version",
     "iteration", "timestamp", "date", "generated", "status", "configuration", "baseline",
     "total_evals", "evals_completed", "eval_count", "test_cases", "evals_total", *listed.LISTS)
)  # fmt: skip
"""Fields that are read elsewhere, or only say what the document itself is."""
STAT: Final = re.compile(r"(?:^|_)(avg|average|mean|stddev|std_dev|std|median|min|max)(?=_|$)")
STAT_OF: Final = {"avg": "mean", "average": "mean", "std": "stddev", "std_dev": "stddev"}
METRIC_OF: Final[dict[str, tuple[str, float]]] = {
    "pass_rate": ("pass_rate", 1.0),
    **dict.fromkeys(("tokens", "tokens_used"), ("tokens", 1.0)),
    **dict.fromkeys(
        ("time_seconds", "time", "seconds", "duration_seconds", "elapsed_seconds"),
        ("time_seconds", 1.0),
    ),
    **dict.fromkeys(("duration_ms", "time_ms"), ("time_seconds", 1000.0)),
}
"""Names of metrics: which each means, and what its number is divided by."""
DIFFERENCE: Final = re.compile(r"^delta_|_(?:delta|improvement|pct|diff|difference)(?=_|$)")
DEEPEST: Final = 5


def add_stored(benchmarks: Benchmarks, rows: Rows, facts: list[Facts]) -> None:
    """Add stored aggregates and notes, and note what the runs contradict."""
    runs: dict[str, dict[str, list[Facts]]] = defaultdict(lambda: defaultdict(list))
    for fact in facts:
        runs[fact.version][fact.configuration].append(fact)
    for version, document in benchmarks.documents:
        stored = _Stored(benchmarks.plan, rows, version, runs[version])
        stored.standard(document)
        stored.nonstandard(document, benchmarks.listed(document))
        _check_about(document.child(ABOUT), runs[version])


class _Stored:
    """What a document stores of one version, whose runs are given by configuration."""

    def __init__(self, plan: Plan, rows: Rows, version: str, runs: dict[str, list[Facts]]) -> None:
        self.plan = plan
        self.stated = Stated(rows, plan.suite, version)
        self.runs = runs
        self.empty = True
        """Whether no aggregate was found so far."""
        self.percent = False
        self._values: dict[tuple[str, str], Runs] = {}
        """Configuration and metric to the values of its runs."""
        self._found: dict[tuple[str | None, str], dict[str, tuple[float, Node]]] = defaultdict(dict)
        """Configuration and metric to statistic to number, of what has no standard place."""
        self._remarks: list[Leaf] = []
        """What else is said there."""
        self._sides = frozenset[str]()
        """What is a side of the document though no rule knows its name."""
        self._listed = frozenset[str]()
        """The pointers of the evals that are read as runs."""
        self._lists = frozenset[str]()
        """Those of the lists that hold them, and of all that these are in."""

    def standard(self, document: Node) -> None:
        """Add the notes, and the summary of each configuration and of their difference."""
        for key in NOTES:
            found = notes_of(document, key) if key in document.value else []
            for text, at, _ in found:
                self.stated.note(text, document.path, at)
            if not all(is_plain for _, _, is_plain in found):
                document.note("info", *AS_OBJECT, key)
        summary = document.child("run_summary")
        for name, side in summary.fields() if isinstance(summary.value, dict) else ():
            if not isinstance(side.value, dict):
                continue
            for metric, node in side.fields():
                if name == DELTA:
                    stated = difference(metric, node.value)
                    self._add(DELTA, metric, {"mean": stated.value if stated else None}, node)
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

    def _metric(self, configuration: str, metric: str, node: Node) -> None:
        """Add and check what the summary says of one metric: its statistics, or only its mean."""
        stats: dict[str, float | None]
        if isinstance(node.value, dict):
            stats = {name: node.number(name) for name in STATS}
        else:
            stated = amount(node.value)
            stats = {"mean": stated.value if stated else None}
        self._add(configuration, metric, stats, node)
        self._check(configuration, metric, stats["mean"], node)

    def nonstandard(self, document: Node, runs: list[listed.Listed]) -> None:
        """Add the aggregates and remarks that neither the standard shape nor the runs have."""
        self._sides = listed.sides_named(document.value)
        self._listed = frozenset(run.entry.at for run in runs)
        above = [group.split("/") for group in {run.group for run in runs}]
        self._lists = frozenset("/".join(p[:n]) for p in above for n in range(2, len(p) + 1))
        self._fields(document, None, "", PLAIN, 0)
        summary = document.child("run_summary")
        for name, node in summary.fields() if isinstance(summary.value, dict) else ():
            if name != DELTA and not isinstance(node.value, dict):
                self._field(name, node, None, "", 1)
        for (configuration, metric), figures in self._found.items():
            value, node = figures.get("mean") or next(iter(figures.values()))
            stats: dict[str, float | None] = {name: each[0] for name, each in figures.items()}
            self._add(configuration, metric, stats, node)
            if configuration != DELTA:
                self._check(configuration, metric, stats.get("mean"), node)
            elif metric == "pass_rate":
                self._check_sign(value, node)
        self._add_computed({metric for side, metric in self._found if side == DELTA})
        for said in self._remarks:
            text = said.text if said.text is not None else f"{said.number:g}"
            self.stated.note(text, said.node.path, said.node.at, said.name)
        if self.percent:
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

    def _fields(
        self, node: Node, configuration: str | None, prefix: str, skip: frozenset[str], depth: int
    ) -> None:
        """Gather the fields of an object that are not read as runs."""
        if depth > DEEPEST:
            return
        for name, child in node.fields():
            is_list = isinstance(child.value, list)
            if child.at in self._listed or (is_list and child.at in self._lists):
                if name in listed.SIDES:
                    self._field(name, child, configuration, prefix, depth)
            elif name in listed.LISTS and isinstance(child.value, dict):
                self._sums(child, depth + 1)
            elif name not in skip and not (name in listed.LISTS and is_list):
                self._field(name, child, configuration, prefix, depth)

    def _sums(self, node: Node, depth: int) -> None:
        """Take the sums of sides from a place where other tools list their evals."""
        for name, child in node.fields():
            if not listed.field_of(name, self._sides).is_side:
                if listed.is_field(name, child.value) and child.at not in self._listed:
                    self._field(name, child, None, "", depth)
            elif isinstance(child.value, dict):
                for field, inner in child.fields():
                    if listed.is_field(field, inner.value) and inner.at not in self._listed:
                        self._field(field, inner, name, "", depth + 1)
            elif listed.is_bare_rate(child.value):
                self._figure(name, "", "pass_rate", child)
            elif not isinstance(child.value, list):
                self._scalar(name, child, None, "")

    def _field(
        self, name: str, node: Node, configuration: str | None, prefix: str, depth: int
    ) -> None:
        """Gather one field: of a side, of several, or of what its name says."""
        below, held = depth + 1, node.value
        told = listed.field_of(name, self._sides)
        if name == DELTA:
            self._differences(node)
        elif told.name is not None and told.sure:
            metric = "pass_rate" if told.name == "rate" else told.name
            self._field(metric, node, told.side, prefix, below)
        elif name in listed.SIDES and isinstance(held, list):
            for each in node.all_items():
                for label in listed.labels_of(each.value)[-1:]:
                    self._fields(each, label, prefix, PLAIN, below)
        elif not isinstance(held, dict):
            # A value for each side under the name of what it is of: `tokens: {with_skill: 100}`.
            of = prefix.removesuffix(".") if told.is_side else ""
            if not of or not self._figure(name, "", of, node):
                self._scalar(name, node, configuration, prefix)
        elif is_configuration(name) or name in self._sides:
            self._fields(node, name, prefix, frozenset(), below)
        elif name in listed.SIDES:
            for side, child in node.fields():
                if isinstance(child.value, dict):
                    self._fields(child, side, prefix, frozenset(), below)
                else:
                    self._scalar(side, child, configuration, f"{prefix}{name}.")
        elif name in GROUPS:
            self._fields(node, configuration, prefix, PLAIN, below)
        elif "mean" in held or "stddev" in held:
            stated = {stat: amount(held.get(stat)) for stat in STATS}
            numbers = {stat: (each.value, node) for stat, each in stated.items() if each}
            if numbers:
                self._found[configuration, f"{prefix}{name}"].update(numbers)
        else:
            self._fields(node, configuration, f"{prefix}{name}.", frozenset(), below)

    def _scalar(self, name: str, node: Node, configuration: str | None, prefix: str) -> None:
        """Gather a value that is no object: a difference, a number, or a remark."""
        metric = _differing(name) if not prefix and DIFFERENCE.search(name) else None
        if metric is not None:
            self._difference(metric, node)
        elif not isinstance(node.value, (int, float, str)) or not self._figure(
            configuration, prefix, name, node
        ):
            side = f"{configuration}." if configuration else ""
            self._remarks += leaf(f"{side}{prefix}{name}", node)

    def _figure(self, configuration: str | None, prefix: str, name: str, node: Node) -> bool:
        """Keep a number under the metric and statistic that its name means."""
        metric, stat, divisor = metric_of(name)
        stated = rate(node.value) if metric == "pass_rate" else amount(node.value)
        if stated is None or isinstance(node.value, bool):
            return False
        self.percent = self.percent or (metric == "pass_rate" and stated.form == "percent")
        value = stated.value if divisor == 1 else stated.value / divisor
        self._found[configuration, f"{prefix}{metric}"].setdefault(stat, (value, node))
        return True

    def _differences(self, node: Node) -> None:
        """Take the differences between two configurations, one or several of them."""
        if not isinstance(node.value, dict):
            self._difference("pass_rate", node)
            return
        for name, child in node.fields():
            if isinstance(child.value, (list, dict)):
                for found in leaf(f"{DELTA}.{name}", child):
                    if found.number is None:
                        self._remarks.append(found)
                    else:
                        metric = found.name.removeprefix(f"{DELTA}.")
                        own = self._found[DELTA, metric]
                        own.setdefault("mean", (found.number, found.node))
            elif child.value is not None:
                self._difference(_differing(name) or name, child)

    def _difference(self, metric: str, node: Node) -> None:
        stated = difference(metric, node.value)
        if stated is None:
            self._remarks += leaf(f"{DELTA}.{metric}", node)
        else:
            self._found[DELTA, metric].setdefault("mean", (stated.value, node))

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
        runs = self._runs_of(only if configuration is None else configuration, metric)
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
            what = "A difference is stored, but only one configuration has runs."
            hint = "Run the baseline, or remove the difference."
            node.note("warning", "delta-without-baseline", what, hint)
        elif abs(stored) > 0.005 and abs(stored + (new - old)) < 0.011 < abs(stored - (new - old)):
            what = f"The stored difference of the pass rates is {stored:+.2f}, but "
            what += f"the skill minus its baseline gives {new - old:+.2f}."
            hint = "Aggregate the benchmark again with the baseline second."
            node.note("warning", "delta-inverted", what, hint)

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
        known = (name for name in configurations if name in self.runs)
        means = (mean(self._runs_of(name, metric).values) for name in known)
        return next((value for value in means if value is not None), None)

    def _runs_of(self, configuration: str, metric: str) -> Runs:
        """Return the runs of a configuration, each with its value of a metric."""
        found = self._values.get((configuration, metric))
        if found is None:
            facts = self.runs.get(configuration, [])
            found = Runs(facts, values_of(facts, metric, self.plan.family))
            self._values[configuration, metric] = found
        return found


def difference(metric: str, value: Any) -> Amount | None:
    """Return the number that a stored difference of a metric means."""
    return rate_difference(value) if metric == "pass_rate" else amount(value)


@lru_cache(maxsize=4096)
def metric_of(name: str) -> tuple[str, str, float]:
    """Return the metric, the statistic and the divisor to its unit that a field's name means.

    A name that means no known metric is its own metric.
    """
    match = STAT.search(name)
    stat = STAT_OF.get(match[1], match[1]) if match else "mean"
    bare = (name[: match.start()] + name[match.end() :]).strip("_") if match else name
    if bare not in METRIC_OF:
        return name, "mean", 1.0
    metric, divisor = METRIC_OF[bare]
    return metric, stat, divisor


def _differing(name: str) -> str | None:
    """Return the known metric that the name of a difference means."""
    metric = metric_of(DIFFERENCE.sub("", name))[0]
    return metric if metric in METRICS else None


def _check_about(meta: Node, runs: dict[str, list[Facts]]) -> None:
    """Note gaps of a template that were never filled in, and a number of runs that is not so."""
    if not isinstance(meta.value, dict):
        return
    fields = meta.value.items()
    gaps = [name for name, held in fields if isinstance(held, str) and is_placeholder(held)]
    if gaps:
        what = (
            f"{', '.join(gaps)} still {'contain' if len(gaps) > 1 else 'contains'} a placeholder."
        )
        meta.note("info", "placeholder", what, "Fill in what the placeholders stand for.", gaps[0])
    field = "runs_per_configuration"
    stated = meta.whole(field)
    if stated is None or not runs:
        return
    most = max(max(Counter(fact.case_id for fact in side).values()) for side in runs.values())
    if most != stated:
        what = f"there {'is 1 run' if most == 1 else f'are {most} runs'}."
        what = f"{field} is {stated}, but {what}"
        meta.note("warning", "runs-miscounted", what, "Write the actual number of runs.", field)
