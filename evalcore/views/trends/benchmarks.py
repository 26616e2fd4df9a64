"""The benchmarks of a suite in words: a table, and the runs of one."""

from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.benchmarks.definitions import RETIRED
from evalcore.engine.cases import BENCHMARK
from evalcore.judging.storing.names import person
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.benchmarks import Followed
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import (
    FOLD,
    Cell,
    Chip,
    Heading,
    Links,
    Row,
    Say,
    Table,
    heads,
    number_cell,
)
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording

NOT_RUN: Final = "not run"
OFFERED: Final = 8


def benchmark_table(found: Sequence[Followed]) -> list[Block]:
    """Describe the benchmarks of a suite; how to make one, where there is none."""
    if not found:
        return [
            Heading("Benchmarks", "named sets of cases that are run repeatedly"),
            Say("This suite has no benchmark yet.", quiet=True),
        ]
    rows = [Row(list(_cells(each))) for each in found]
    hint = wording.count(len(found), "benchmark")
    head = heads(
        "Benchmark",
        "#Cases",
        "Owner",
        "Last run",
        "#Score",
        "#Pass rate",
        "#Threshold",
        "Direction",
    )
    table = Table("Benchmarks", head, rows, fold=FOLD)
    starts = [
        Chip(
            text=each.benchmark.name,
            link=link("runs", new="1", cases=f"{BENCHMARK}{each.benchmark.id}"),
            title="Open the form of a new run with its cases",
        )
        for each in found
        if each.benchmark.status != RETIRED
    ]
    blocks: list[Block] = [Heading("Benchmarks", hint), table]
    return [*blocks, Links("Start a run of", starts[:OFFERED])] if starts else blocks


def direction_words(found: Followed) -> str:
    """Return the direction of a benchmark's scores, and how many it is of."""
    if found.trend.direction == "too early":
        return f"too early ({wording.count(found.trend.points, 'run')})"
    early = ", early" if found.trend.early else ""
    return f"{found.trend.direction} over {found.trend.points} runs{early}"


def fell_words(found: Followed) -> str:
    """Return how far a benchmark fell at its newest run; nothing if it did not."""
    worst = max(found.fell, key=lambda step: step.drop.points or 0, default=None)
    return "" if worst is None else f"fell by {wording.fall(worst.drop.points)}"


def run_words(run: BenchmarkRunRow) -> str:
    """Return a run of a benchmark in a line: when, of which version, and its figures."""
    side = "" if run.configuration in {None, "-"} else f" {run.configuration}"
    rate = wording.NOT_RECORDED if run.pass_rate is None else wording.percent(run.pass_rate)
    score = wording.fixed(run.overall_score)
    by = f", started by {person(run.triggered_by)}" if run.triggered_by else ""
    when = wording.moment(run.ran_at)
    return f"{when}: {run.version or 'several versions'}{side}, score {score}, {rate} passed{by}"


def _cells(found: Followed) -> Iterator[Cell]:
    of, last = found.benchmark, found.runs[-1] if found.runs else None
    retired = f"{RETIRED} · " if of.status == RETIRED else ""
    yield Cell(of.name, sub=f"{retired}{of.dimension}", title=of.description or of.id, id=of.id)
    yield Cell(f"{len(of.cases):,}", num=True)
    yield Cell(person(of.owner) if of.owner else wording.NOT_RECORDED, quiet=not of.owner)
    if last is None:
        yield Cell(NOT_RUN, quiet=True)
    else:
        point = link("trends", over="benchmark-runs", point=last.benchmark_run)
        yield Cell(wording.moment(last.ran_at), sub=last.version or "", link=point, keep=True)
    yield number_cell(None if last is None else last.overall_score, wording.fixed, NOT_RUN)
    rate = None if last is None else last.pass_rate
    below = rate is not None and of.threshold is not None and rate < of.threshold
    yield Cell(
        wording.percent(rate) if rate is not None else NOT_RUN,
        sub="below the threshold" if below else "",
        num=True,
        quiet=rate is None,
    )
    yield number_cell(of.threshold, wording.percent, wording.NOT_RECORDED)
    fell = fell_words(found)
    yield Cell(capital(direction_words(found)), sub=fell, mark="down" if fell else None)
