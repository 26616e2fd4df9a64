"""Regressions in words: the drop, the word of the comparison beside the rule, what newly fails."""

from collections.abc import Iterator
from typing import Final

from evalcore.benchmarks.drops import step_of
from evalcore.benchmarks.members import row_of
from evalcore.counting.cells import typed
from evalcore.memory.benchmarking import Done
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.alerts import Regression, regression_at, regressions
from evalcore.trends.metrics import rate_metric
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Say, Verdict
from evalcore.views.series.chart import break_words
from evalcore.views.series.words import MetricWords, metric_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

SHOWN: Final = 3
RUNS: Final = "benchmark-runs"


def regression_blocks(ws: Workspace, suite: str, go: str = "Trends") -> list[Block]:
    """Describe the benchmarks that dropped at their newest run; nothing if none did.

    `go` is what the link to the run says.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found, words = regressions(ws, suite), metric_words(ws, suite, rate_metric(ws, suite))
    blocks: list[Block] = [
        Verdict(
            lead(words, each),
            "worse",
            link=link("trends", over=RUNS, point=each.now.benchmark_run, metric=None),
            small=True,
            rest=rest(each),
            go=go,
        )
        for each in found[:SHOWN]
    ]
    if len(found) > SHOWN:
        more = wording.count(len(found) - SHOWN, "more benchmark")
        blocks.append(Say(f"{more} dropped at the newest run: see Trends.", quiet=True))
    return blocks


def step_blocks(ws: Workspace, suite: str, benchmark_run: str) -> list[Block]:
    """Describe what the rule says of a benchmark run: a drop, or why it says nothing.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    row = row_of(ws, suite, benchmark_run)
    step = None if row is None else step_of(ws, row)
    if step is None or not (step.drop.why or step.drop.level == "critical"):
        return []
    if step.drop.why:
        return [Say(f"No drop can be determined here: {step.drop.why}.", quiet=True)]
    words = metric_words(ws, suite, rate_metric(ws, suite))
    found = regression_at(ws, suite, step)
    return [Verdict(lead(words, found), "worse", small=True, rest=rest(found))]


def lead(words: MetricWords, found: Regression) -> str:
    """Return what fell, from where to where, and by how many points."""
    name = found.now.name or found.now.benchmark or ""
    before, now = (words.value(value) for value in (found.step.before, found.step.now))
    of = f" in {found.now.version}" if found.now.version else ""
    fell = wording.fall(found.step.drop.points)
    return f"Benchmark regression: {name} fell from {before} to {now}{of} ({fell})."


def rest(found: Regression) -> str:
    """Return the comparison's own word beside the rule, and how many runs newly fail."""
    n, failing = len(found.step.newly_failing), "No newly failing runs."
    if n:
        failing = f"{wording.count(n, 'run')} newly {'fails' if n == 1 else 'fail'}."
    said = "This exceeds the limit; without its test runs, chance cannot be ruled out."
    if found.stop is not None:
        why = break_words(found.stop)
        said = f"This exceeds the limit; whether it is chance cannot be determined. {why}"
    elif found.certainty == "clear":
        said = "This exceeds the limit, and the drop is clear in these runs."
    elif found.certainty == "could be noise":
        said = "This exceeds the limit, but it could be chance."
    return f"{said} {failing}"


def done_sentences(ws: Workspace, done: Done) -> Iterator[str]:
    """Yield what a run of a benchmark found, and what was written of it."""
    row = row_of(ws, done.suite, done.benchmark_run)
    about = [] if row is None else typed(ws, "benchmark_runs", BenchmarkRunRow, [row])
    for each in about:
        rate, score = wording.percent(each.pass_rate), wording.fixed(each.overall_score)
        name, of = each.name or each.benchmark, f" of {each.version}" if each.version else ""
        yield f"{name}{of}: {rate} passed, score {score} (benchmark run {each.benchmark_run})."
    if not done.new:
        yield "Another process recorded it at the same moment; it is there once."
    fell = done.following.regression
    if fell is not None:
        words = metric_words(ws, done.suite, rate_metric(ws, done.suite))
        yield f"{lead(words, fell)} {rest(fell)}"
    elif done.step.drop.why:
        yield f"No drop can be determined here: {done.step.drop.why}."
    if done.stop is not None and fell is None:
        yield f"Not comparable with the run before: {break_words(done.stop)}"
    if done.following.trend is not None and done.following.trend.escalates:
        yield "Degrading for the third time in a row: the orchestrator was notified."
    n = len(done.following.receipts)
    yield f"{wording.count(n, 'follow-up record')} written." if n else "No new follow-up records."
