"""What follows from a benchmark run: failures, task, message, trend, and the benchmark itself."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.benchmarks.drops import runs_of_older_versions, step_of
from evalcore.benchmarks.members import row_of
from evalcore.counting.cells import typed, where
from evalcore.disk.values import parse_time, time_text
from evalcore.errors import AlreadyStored, CannotBenchmark, UnknownName
from evalcore.families.reviews.models import MessageFields, TaskFields
from evalcore.families.reviews.review import BENCHMARK, BENCHMARK_RUN, BY_RULE, MESSAGE, TASK
from evalcore.ids import derived_id
from evalcore.judging.model import Receipt
from evalcore.memory.defining import current
from evalcore.memory.run_failures import failures_of
from evalcore.memory.store import (
    AGENT,
    ORCHESTRATOR,
    New,
    after,
    remember,
    revise,
)
from evalcore.memory.trend import Followed, follow_trend
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.tables.remembered import MessageRow
from evalcore.trends.alerts import Regression, regression_at
from evalcore.workspace.opened import Workspace

TASK_TITLE: Final = "Investigate benchmark regression"
REGRESSION: Final = "benchmark-regression"
DEGRADING: Final = "trend-degrading"
_WORDS: Final = {
    "clear": "By its runs the drop is clear.",
    "could be noise": "By these runs it could be chance.",
    "not tested": "Whether it is chance cannot be determined.",
}


class Following(NamedTuple):
    """What followed: the receipts of the new records, and the regression, None without one."""

    receipts: tuple[Receipt, ...]
    regression: Regression | None
    trend: Followed | None


def follow_up(ws: Workspace, suite: str, benchmark_run: str) -> Following:
    """Write what follows from a benchmark run, of whatever tool; what is there is left alone.

    `ws` must hold the benchmark run. Ids follow from it, so doing it again writes nothing again.

    Raises:
        UnknownName: the suite has no such benchmark run.
        CannotWrite: something cannot be written; following up again completes it.
    """
    row = row_of(ws, suite, benchmark_run)
    if row is None:
        every = where(ws, "benchmark_runs", suite=suite)
        known = [each.benchmark_run or "" for each in _typed(ws, every)]
        raise UnknownName("benchmark run", benchmark_run, known)
    about = _as_written(_typed(ws, [row])[0])
    step = step_of(ws, row)
    fell = regression_at(ws, suite, step) if step.drop.level == "critical" else None
    same = where(ws, "benchmark_runs", suite=suite, benchmark=about.benchmark)
    at = after(*(each.ran_at for each in _typed(ws, same)))
    new = [*failures_of(ws, suite, row, fell, at)]
    new += [] if fell is None else [*_told(ws, fell, at)]
    receipts = [*_written(ws, suite, new)]
    trend = None
    if about.benchmark is not None:
        trend = follow_trend(ws, suite, about, at)
        receipts += trend.receipts
        if trend.escalates and benchmark_run not in runs_of_older_versions(ws, suite):
            receipts += _written(ws, suite, [_escalation(ws, about, trend, at)])
        receipts += _updated(ws, suite, about, at)
    made = tuple(each for each in receipts if each.new)
    return Following(made, fell, trend)


def _as_written(about: BenchmarkRunRow) -> BenchmarkRunRow:
    """Return a benchmark run with its time as records state it: another tool's may be finer."""
    return about._replace(ran_at=about.ran_at and parse_time(time_text(about.ran_at)))


def _written(ws: Workspace, suite: str, new: Iterable[New]) -> Iterator[Receipt]:
    """Yield the receipts of records; one that was written before stays as it was then."""
    for each in new:
        with suppress(AlreadyStored):
            yield from remember(ws, suite, [each])


def _typed(ws: Workspace, rows: Iterable[int]) -> list[BenchmarkRunRow]:
    return typed(ws, "benchmark_runs", BenchmarkRunRow, rows)


def _told(ws: Workspace, fell: Regression, at: str) -> Iterator[New]:
    """Yield the task and the message of a regression."""
    name, about = fell.now.name or fell.now.benchmark or "", fell.now.benchmark_run or ""
    text = sentence(fell)
    task = TaskFields(title=TASK_TITLE, description=text, about_type=BENCHMARK_RUN, about_id=about)
    yield New(TASK, derived_id(about, TASK), task, about=name, at=at)
    runs = ws.tables.runs["run_id"]
    drop = fell.step.drop
    message = MessageFields(
        sender=AGENT,
        recipient=ORCHESTRATOR,
        subject=REGRESSION,
        text=text,
        payload={
            "benchmarkId": _named_in(ws, fell.now),
            "benchmarkRunId": fell.now.benchmark_run,
            "previousBenchmarkRunId": fell.before.benchmark_run,
            "passRate": fell.step.now,
            "previousPassRate": fell.step.before,
            "points": float(drop.points or 0),
            "relative": float(drop.relative or 0),
            "certainty": fell.certainty,
            "newlyFailing": [str(runs.iloc[run]) for run in fell.step.newly_failing],
        },
        about_type=BENCHMARK_RUN,
        about_id=about,
    )
    yield New(MESSAGE, derived_id(about, REGRESSION), message, about=name, at=at)


def regression_message(ws: Workspace, suite: str, benchmark_run: str) -> Any:
    """Return the record of the message of a regression, as it is stored.

    Raises:
        UnknownName: there is none.
    """
    wanted = derived_id(benchmark_run, REGRESSION)
    found = typed(ws, "messages", MessageRow, where(ws, "messages", suite=suite, message=wanted))
    if not found:
        raise UnknownName("message", wanted, [])
    return ws.raw(found[0].source or "", found[0].pointer or "")


def sentence(fell: Regression) -> str:
    """Return a regression as one text, for programs and people who do not see the dashboard."""
    name = fell.now.name or fell.now.benchmark
    drop, step = fell.step.drop, fell.step
    points, share = (round(100 * float(each or 0), 1) for each in (drop.points, drop.relative))
    return (
        f"The pass rate of {name} fell from {100 * (step.before or 0):.1f} % to "
        f"{100 * (step.now or 0):.1f} % ({points:g} points, {share:g} % of what it was) from "
        f"{fell.before.benchmark_run} to {fell.now.benchmark_run} ({fell.now.version}). "
        f"Newly failing test runs: {len(step.newly_failing)}. {_WORDS[fell.certainty]}"
    )


def _named_in(ws: Workspace, about: BenchmarkRunRow) -> str | None:
    """Return the benchmark as the record of a run names it: a newer one may stand for it now."""
    fields = ws.raw(about.source or "", about.pointer or "").get("fields", {})
    return fields.get("benchmarkId") if isinstance(fields, dict) else None


def _escalation(ws: Workspace, about: BenchmarkRunRow, trend: Followed, at: str) -> New:
    """Return the message that a benchmark degraded three times, with its whole trend."""
    name, run = about.name or about.benchmark or "", about.benchmark_run or ""
    benchmark = _named_in(ws, about)
    message = MessageFields(
        sender=AGENT,
        recipient=ORCHESTRATOR,
        subject=DEGRADING,
        text=f"{name} is degrading for the third time in a row: each of its last three directions, "
        "of five scores each, is degrading.",
        payload={"benchmarkId": benchmark, "trendId": trend.id, "dataPoints": trend.points},
        about_type=BENCHMARK,
        about_id=benchmark,
    )
    return New(MESSAGE, derived_id(run, DEGRADING), message, about=name, at=at)


def _updated(ws: Workspace, suite: str, about: BenchmarkRunRow, at: str) -> Iterator[Receipt]:
    """Update when the benchmark was last run and its score there, if no later run is known."""
    try:
        benchmark = benchmark_named(ws, suite, about.benchmark or "")
    except (UnknownName, CannotBenchmark):
        return  # another tool's benchmark run: what it is of is not defined here
    if about.ran_at is None or _is_older(benchmark, about.ran_at):
        return
    state = {"lastRunAt": time_text(about.ran_at), "lastScore": about.overall_score}

    def change(held: Mapping[str, Any]) -> dict[str, Any]:
        last = parse_time(held.get("lastRunAt"))
        return {} if last is not None and about.ran_at and last > about.ran_at else state

    identity = derived_id(about.benchmark_run or "", BENCHMARK)
    with suppress(AlreadyStored):
        receipt = revise(ws, suite, current(benchmark), change, identity, BY_RULE, at)
        if receipt is not None:
            yield receipt


def _is_older(benchmark: Benchmark, moment: datetime) -> bool:
    """Return whether a benchmark states a run of that time, or of a later one."""
    return benchmark.last_run_at is not None and benchmark.last_run_at >= moment
