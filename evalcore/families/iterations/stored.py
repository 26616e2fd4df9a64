"""The aggregates of each version and configuration: ours, and those that a benchmark stores.

Those stored are of the standard shape, or others by configuration, as averages or differences.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations import listed
from evalcore.families.iterations.agreement import MEASURED, is_explained, note_mismatch
from evalcore.families.iterations.amounts import Amount, amount, rate, rate_difference
from evalcore.families.iterations.benchmark import ABOUT, Benchmarks, is_placeholder, note_percent
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.figures import Leaf, leaf
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.stated import AS_OBJECT, Stated, notes_of
from evalcore.families.metrics import computed_metric
from evalcore.layouts.iterations import NONE, is_configuration
from evalcore.numbers import consistency, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, BenchmarkRunRow

DIMENSION: Final = "rubric_dimensions."
_TOOK: Final = {"time_seconds": attrgetter("seconds"), "tokens": attrgetter("tokens")}
METRICS: Final[dict[str, Callable[[Facts], float | None]]] = {
    "pass_rate": attrgetter("pass_rate"), **_TOOK,
}  # fmt: skip
RUBRIC_METRICS: Final[dict[str, Callable[[Facts], float | None]]] = {
    # The rate of the structural checks, of the expectations without such.
    "pass_rate": lambda of: of.pass_rate if of.structural_rate is None else of.structural_rate,
    "rubric_normalized": attrgetter("normalized"),
    "overall_efficiency": lambda of: (
        None
        if of.structural_rate is None or of.normalized is None
        else (of.structural_rate + of.normalized) / 2
    ),
    **_TOOK,
}

NOTES: Final = ("notes", "analyst_notes", "analyst_observations")
NEW: Final = ("with_skill", "new_skill", "with_rule", "ours")
OLD: Final = ("without_skill", "old_skill", "baseline", "without_rule", "official", "theirs")
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


def values_of(runs: Iterable[Facts], metric: str, family: str) -> list[float | None]:
    """Return the value of a metric for each of some runs; None where it was not measured."""
    if metric.startswith(DIMENSION):
        name = metric.removeprefix(DIMENSION)
        return [fact.dimensions.get(name) for fact in runs]
    get = (RUBRIC_METRICS if family == "rubric" else METRICS).get(metric)
    return [None if get is None else get(fact) for fact in runs]


def add_computed(rows: Rows, plan: Plan, facts: list[Facts]) -> None:
    """Add one benchmark row a metric, and one benchmark run, for each version and configuration."""
    groups: dict[tuple[str, str], list[Facts]] = defaultdict(list)
    for fact in facts:
        groups[fact.version, fact.configuration].append(fact)
    metrics = RUBRIC_METRICS if plan.family == "rubric" else METRICS
    for (version, side), runs in groups.items():
        scored = dict.fromkeys(name for fact in runs for name in fact.dimensions)
        found: dict[str, list[float]] = {}
        for metric in (*metrics, *(f"{DIMENSION}{name}" for name in scored)):
            values = values_of(runs, metric, plan.family)
            found[metric] = known = [value for value in values if value is not None]
            if known:
                rows.add(computed_metric(plan.suite, version, side, metric, known))
        overall = found.get("overall_efficiency", [])
        steady = consistency(overall)
        if steady is not None:
            row = BenchmarkRow(plan.suite, version, side, metric="consistency", origin="computed")
            rows.add(row._replace(mean=steady, n=len(overall)))
        rows.add(
            BenchmarkRunRow(
                suite=plan.suite,
                benchmark_run=f"{version}/{side}",
                version=version,
                configuration=side,
                overall_score=mean(overall),
                pass_rate=mean(found["pass_rate"]),
                runs=len(runs),
            )
        )


def add_stored(benchmarks: Benchmarks, rows: Rows, facts: list[Facts]) -> None:
    """Add stored aggregates and notes, and note what the runs contradict."""
    runs: dict[str, dict[str, list[Facts]]] = defaultdict(lambda: defaultdict(list))
    for fact in facts:
        runs[fact.version][fact.configuration].append(fact)
    for version, document in benchmarks.documents:
        _Stored(benchmarks, rows, version, runs[version]).read(document)


class _Stored:
    """What a document stores of one version, whose runs are given by configuration."""

    def __init__(
        self, benchmarks: Benchmarks, rows: Rows, version: str, runs: dict[str, list[Facts]]
    ) -> None:
        self.benchmarks = benchmarks
        self.family = benchmarks.plan.family
        self.stated = Stated(rows, benchmarks.plan.suite, version)
        self.runs = runs
        self.empty = True
        """Whether no aggregate was found so far."""
        self.percent = False
        self.found: dict[tuple[str | None, str], dict[str, tuple[float, Node]]] = defaultdict(dict)
        """Configuration and metric to statistic to number, of what has no standard place."""
        self.remarks: list[Leaf] = []
        """What else is said there."""
        self.sides = frozenset[str]()
        """What is a side of the document though no rule knows its name."""
        self.evals = frozenset[str]()
        """The pointers of the evals that are read as runs."""
        self.lists = frozenset[str]()
        """Those of the lists that hold them, and of all that these are in."""

    def read(self, document: Node) -> None:
        """Add what stands in the standard places, then what neither they nor the runs have."""
        for key in NOTES:
            notes = notes_of(document, key) if key in document.value else []
            for text, at, _ in notes:
                self.stated.note(text, document.path, at)
            if not all(is_plain for _, _, is_plain in notes):
                document.note("info", *AS_OBJECT, key)
        summary, bare = document.child("run_summary"), list[tuple[str, Node]]()
        for name, side in summary.fields() if isinstance(summary.value, dict) else ():
            if not isinstance(side.value, dict):
                bare.append((name, side))
                continue
            for metric, node in side.fields():
                if metric == "rubric_dimensions" and name != DELTA and isinstance(node.value, dict):
                    for dimension, inner in node.fields():
                        self._add(name, f"{metric}.{dimension}", inner)
                else:
                    self._add(name, metric, node)
            if name == DELTA:
                self._add_computed(side.value)
        runs = self.benchmarks.listed(document)
        self.sides = listed.sides_named(document.value)
        above = [group.split("/") for group in {run.group for run in runs}]
        self.lists = frozenset("/".join(p[:n]) for p in above for n in range(2, len(p) + 1))
        self.evals = frozenset(run.entry.at for run in runs)
        self._fields(document, None, "", PLAIN, 0)
        for name, node in bare:
            if name != DELTA:
                self._field(name, node, None, "", 1)
        for (configuration, metric), figures in self.found.items():
            _, node = figures.get("mean") or next(iter(figures.values()))
            stats = [figures[name][0] if name in figures else None for name in STATS]
            self._add(configuration, metric, node, stats)
        self._add_computed({metric for side, metric in self.found if side == DELTA})
        for said in self.remarks:
            text = said.text if said.text is not None else f"{said.number:g}"
            self.stated.note(text, said.node.path, said.node.at, said.name)
        if self.percent:
            note_percent(document)
        if document.value and not document.has("runs", "run_summary"):
            if self.runs or not self.empty:
                what = "This benchmark has a format of its own; it was read by the names of its "
                document.note("info", "home-made-benchmark", f"{what}fields.", HINTS["benchmark"])
            else:
                what = "No run and no mean was found in this benchmark, so "
                what += f"{self.stated.version!r} has none."
                document.note("warning", "unread-benchmark", what, HINTS["benchmark"])
        meta = document.child(ABOUT)
        if not isinstance(meta.value, dict):
            return
        fields = meta.value.items()
        gaps = [name for name, held in fields if isinstance(held, str) and is_placeholder(held)]
        if gaps:
            many = "contain" if len(gaps) > 1 else "contains"
            what, hint = f"{', '.join(gaps)} still {many} a placeholder.", "Fill in what the "
            meta.note("info", "placeholder", what, f"{hint}placeholders stand for.", gaps[0])
        field = "runs_per_configuration"
        stated = meta.whole(field)
        sides = self.runs.values()
        cases = (Counter(fact.case_id for fact in side).values() for side in sides)
        most = max(map(max, cases), default=stated)
        if stated is not None and most != stated:
            up_to = "1 run" if most == 1 else f"{most} runs"
            what, hint = (
                f"{field} is {stated}, but a case has up to {up_to} in a configuration.",
                "Write the actual number of runs of a case.",
            )
            meta.note("warning", "runs-miscounted", what, hint, field)

    def _add(
        self,
        configuration: str | None,
        metric: str,
        node: Node,
        stats: list[float | None] | None = None,
    ) -> None:
        """Add what is stored of one metric, by default what its node says, and check it."""
        if stats is None and isinstance(node.value, dict) and configuration != DELTA:
            stats = [node.number(name) for name in STATS]
        elif stats is None:
            is_delta = configuration == DELTA
            stated = difference(metric, node.value) if is_delta else amount(node.value)
            stats = [stated.value if stated else None]
        self.empty = False
        self.stated.number(node, configuration, metric, *stats)
        stored = stats[0]
        if configuration == DELTA:
            if metric == "pass_rate" and stored is not None:
                self._check_sign(stored, node)
            return
        if stored is None or metric == "consistency" or (stored == 0 and metric in MEASURED):
            return  # 0 of what is measured says that it was not
        # A mean without a configuration is about the only one that there is.
        only = next(iter(self.runs)) if len(self.runs) == 1 else NONE
        facts = self.runs.get(only if configuration is None else configuration, [])
        values = values_of(facts, metric, self.family)
        computed = mean(values)
        if computed is None or is_explained(stored, metric, facts, values):
            return
        side = f" of {configuration}" if configuration else ""
        known = len(values) - values.count(None)
        several = f"its {known} runs give" if known > 1 else "its run gives"
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
            if metric in stored:
                new, old = self._mean(NEW, metric), self._mean(OLD, metric)
                if new is not None and old is not None:
                    suite, version = self.stated.suite, self.stated.version
                    row = BenchmarkRow(suite, version, DELTA, metric=metric, origin="computed")
                    self.stated.rows.add(row._replace(mean=new - old))

    def _mean(self, configurations: tuple[str, ...], metric: str) -> float | None:
        """Return the mean of the first of the configurations that has one."""
        known = (self.runs[name] for name in configurations if name in self.runs)
        means = (mean(values_of(facts, metric, self.family)) for facts in known)
        return next((value for value in means if value is not None), None)

    def _fields(
        self, node: Node, configuration: str | None, prefix: str, skip: frozenset[str], depth: int
    ) -> None:
        """Gather the fields of an object that are not read as runs."""
        for name, child in node.fields() if depth <= DEEPEST else ():
            is_dict, of_evals = isinstance(child.value, dict), name in listed.LISTS
            if name in skip and not (of_evals and is_dict):
                continue
            if self._is_read(child):
                if name in listed.SIDES:
                    self._field(name, child, configuration, prefix, depth)
            elif of_evals and is_dict:
                # The sums of sides, where other tools list their evals; a bare one is a rate.
                for field, inner in child.fields():
                    if not self._is_read(inner):
                        is_side = listed.field_of(field, self.sides).is_side
                        is_rate = is_side and listed.is_bare_rate(inner.value)
                        self._field(field, inner, None, "pass_rate." if is_rate else "", depth + 1)
            elif not (of_evals and isinstance(child.value, list)):
                self._field(name, child, configuration, prefix, depth)

    def _is_read(self, node: Node) -> bool:
        """Say whether a value is an eval that is read as runs, or holds only such."""
        return node.at in self.evals or (isinstance(node.value, list) and node.at in self.lists)

    def _field(
        self, name: str, node: Node, configuration: str | None, prefix: str, depth: int
    ) -> None:
        """Gather one field: of a side, of several, or of what its name says."""
        below, held = depth + 1, node.value
        told = listed.field_of(name, self.sides)
        if name == DELTA:  # between two configurations: one, or several by metric
            pairs = node.fields() if isinstance(held, dict) else [("pass_rate", node)]
            for metric, child in pairs:
                if isinstance(child.value, (list, dict)):
                    for found in leaf(f"{DELTA}.{metric}", child):
                        if found.number is None:
                            self.remarks.append(found)
                        else:
                            of = found.name.removeprefix(f"{DELTA}.")
                            self.found[DELTA, of].setdefault("mean", (found.number, found.node))
                elif child.value is not None:
                    self._difference(_differing(metric) or metric, child)
        elif told.name is not None and told.sure:
            metric = "pass_rate" if told.name == "rate" else told.name
            self._field(metric, node, told.side, prefix, below)
        elif name in listed.SIDES and isinstance(held, list):
            for each in node.all_items():
                for label in listed.labels_of(each.value)[-1:]:
                    self._fields(each, label, prefix, PLAIN, below)
        elif not isinstance(held, dict):
            self._scalar(name, node, configuration, prefix)
        elif is_configuration(name) or name in self.sides:
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
            for stat in STATS:
                if (stated := amount(held.get(stat))) is not None:
                    self.found[configuration, f"{prefix}{name}"][stat] = stated.value, node
        else:
            self._fields(node, configuration, f"{prefix}{name}.", frozenset(), below)

    def _scalar(self, name: str, node: Node, configuration: str | None, prefix: str) -> None:
        """Gather a value that is no object: a difference, a number, or a remark."""
        if not prefix and DIFFERENCE.search(name) and (metric := _differing(name)) is not None:
            self._difference(metric, node)
            return
        side, metric, (known, stat, divisor) = configuration, prefix, metric_of(name)
        if prefix and listed.field_of(name, self.sides).is_side:
            # A value for each side under the name of what it is of: `tokens: {with_skill: 100}`.
            side, metric, (known, stat, divisor) = name, "", metric_of(prefix.removesuffix("."))
        stated = rate(node.value) if known == "pass_rate" else amount(node.value)
        if stated is None:
            of = f"{configuration}." if configuration else ""
            self.remarks += leaf(f"{of}{prefix}{name}", node)
            return
        self.percent = self.percent or (known == "pass_rate" and stated.form == "percent")
        value = stated.value if divisor == 1 else stated.value / divisor
        self.found[side, f"{metric}{known}"].setdefault(stat, (value, node))

    def _difference(self, metric: str, node: Node) -> None:
        stated = difference(metric, node.value)
        if stated is None:
            self.remarks += leaf(f"{DELTA}.{metric}", node)
        else:
            self.found[DELTA, metric].setdefault("mean", (stated.value, node))


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
