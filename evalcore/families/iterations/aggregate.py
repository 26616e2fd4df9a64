"""Aggregates of a version and configuration, recomputed from its runs."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Final

from evalcore.families.base import Plan
from evalcore.families.iterations.runs import Facts
from evalcore.families.metrics import computed_metric
from evalcore.numbers import consistency, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, BenchmarkRunRow

DIMENSION: Final = "rubric_dimensions."


Metrics = dict[str, Callable[[Facts], float | None]]
_TOOK: Final[Metrics] = {"time_seconds": attrgetter("seconds"), "tokens": attrgetter("tokens")}
METRICS: Final[Metrics] = {"pass_rate": attrgetter("pass_rate"), **_TOOK}
RUBRIC_METRICS: Final[Metrics] = {
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
    for (version, configuration), runs in groups.items():
        scored = dict.fromkeys(name for fact in runs for name in fact.dimensions)
        found: dict[str, list[float]] = {}
        for metric in (*metrics, *(f"{DIMENSION}{name}" for name in scored)):
            values = values_of(runs, metric, plan.family)
            found[metric] = known = [value for value in values if value is not None]
            if known:
                rows.add(computed_metric(plan.suite, version, configuration, metric, known))
        overall = found.get("overall_efficiency", [])
        steady = consistency(overall)
        if steady is not None:
            rows.add(
                BenchmarkRow(
                    suite=plan.suite,
                    version=version,
                    configuration=configuration,
                    metric="consistency",
                    mean=steady,
                    n=len(overall),
                    origin="computed",
                )
            )
        rows.add(
            BenchmarkRunRow(
                suite=plan.suite,
                benchmark_run=f"{version}/{configuration}",
                version=version,
                configuration=configuration,
                overall_score=mean(overall),
                pass_rate=mean(found["pass_rate"]),
                runs=len(runs),
            )
        )
