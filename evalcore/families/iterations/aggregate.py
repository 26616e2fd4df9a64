"""Aggregates of a version and configuration, recomputed from its runs."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from evalcore.families.base import Plan
from evalcore.families.iterations.runs import Facts
from evalcore.families.metrics import computed_metric
from evalcore.numbers import consistency, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, BenchmarkRunRow

DIMENSION = "rubric_dimensions."

Group = tuple[str, str]
"""Version and configuration."""


def efficiency(facts: Facts) -> float | None:
    """Return the mean of a run's structural pass rate and its normalized rubric score."""
    if facts.structural_rate is None or facts.normalized is None:
        return None
    return (facts.structural_rate + facts.normalized) / 2


METRICS: dict[str, Callable[[Facts], float | None]] = {
    "pass_rate": lambda facts: facts.pass_rate,
    "time_seconds": lambda facts: facts.seconds,
    "tokens": lambda facts: facts.tokens,
}
RUBRIC_METRICS: dict[str, Callable[[Facts], float | None]] = {
    "pass_rate": lambda facts: (
        facts.structural_rate if facts.structural_rate is not None else facts.pass_rate
    ),
    "rubric_normalized": lambda facts: facts.normalized,
    "overall_efficiency": efficiency,
    "time_seconds": lambda facts: facts.seconds,
    "tokens": lambda facts: facts.tokens,
}


def groups(facts: Iterable[Facts]) -> dict[Group, list[Facts]]:
    """Return the runs of each (version, configuration), in order of first appearance."""
    found: dict[Group, list[Facts]] = defaultdict(list)
    for fact in facts:
        found[fact.version, fact.configuration].append(fact)
    return found


def metrics_of(runs: list[Facts], family: str) -> dict[str, list[float]]:
    """Return the measured values of each metric over runs, unmeasured ones left out."""
    chosen = RUBRIC_METRICS if family == "rubric" else METRICS
    scored = dict.fromkeys(name for fact in runs for name in fact.dimensions)
    names = (*chosen, *(f"{DIMENSION}{name}" for name in scored))
    every = {name: values_of(runs, name, family) for name in names}
    return {name: [v for v in values if v is not None] for name, values in every.items()}


def values_of(runs: Iterable[Facts], metric: str, family: str) -> list[float | None]:
    """Return the value of a metric for each of some runs; None where it was not measured."""
    if metric.startswith(DIMENSION):
        name = metric.removeprefix(DIMENSION)
        return [fact.dimensions.get(name) for fact in runs]
    get = (RUBRIC_METRICS if family == "rubric" else METRICS).get(metric)
    return [None if get is None else get(fact) for fact in runs]


def add_computed(rows: Rows, plan: Plan, facts: list[Facts]) -> None:
    """Add one benchmark row a metric, and one benchmark run, for each version and configuration."""
    for (version, configuration), runs in groups(facts).items():
        found = metrics_of(runs, plan.family)
        for metric, values in found.items():
            if values:
                rows.add(computed_metric(plan.suite, version, configuration, metric, values))
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
