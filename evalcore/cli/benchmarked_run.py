"""What `evalcore run --benchmark` asks for, and what it says of the benchmark runs."""

from collections.abc import Collection
from typing import Any

from evalcore.engine.plan import OfBenchmark
from evalcore.engine.progress import Progress
from evalcore.judging.storing.judges import only_known_judge
from evalcore.views.runs.outcome_words import is_hidden

TERMINAL = "terminal"


def of_benchmark(name: str | None, triggered_by: str | None, notes: str) -> OfBenchmark | None:
    """Return the benchmark that is asked for; None without one."""
    if name is None:
        return None
    judge = only_known_judge()
    author = TERMINAL if judge is None else judge.id
    return OfBenchmark(name, triggered_by=triggered_by or author, notes=notes)


def benchmark_document(found: Progress, hidden: Collection[str]) -> dict[str, Any] | None:
    """Return the benchmark of a run and the benchmark runs that it wrote; None without one.

    How far a pass rate fell is left out while runs of the suite are `hidden` from the judge.
    """
    asked = found.plan.benchmark
    if asked is None:
        return None
    told = not is_hidden(found.plan, hidden)
    return {
        "name": asked.name,
        "runs": [
            {
                "of": each.column,
                "id": each.benchmark_run,
                "regression": (each.regression or None) if told else None,
            }
            for each in found.benchmarked.values()
        ],
    }


def benchmark_lines(document: dict[str, Any] | None) -> list[str]:
    """Return lines on the benchmark runs of a run, regressions first."""
    if document is None:
        return []
    fell = [each["regression"] for each in document["runs"] if each["regression"]]
    made = [f"Benchmark run of {each['of']}: {each['id']}" for each in document["runs"]]
    waits = [] if made else [f"No run of the benchmark {document['name']!r} is written yet."]
    return [*(f"Regression: {each}" for each in fell), *made, *waits]


def has_regression(document: dict[str, Any] | None) -> bool:
    """Return whether the pass rate fell by more than 10 points at a benchmark run."""
    return document is not None and any(each["regression"] for each in document["runs"])
