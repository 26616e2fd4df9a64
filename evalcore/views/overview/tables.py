"""Describe the overview of a suite as plain blocks: sentences, links and tables."""

from collections.abc import Iterator

from evalcore.tables.rows import BenchmarkRunRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import FOLD, Cell, Heading, Row, Table
from evalcore.views.overview.problem_counts import problem_count
from evalcore.views.overview.suites import SuiteLine
from evalcore.views.overview.summary import Overview
from evalcore.views.problems import Problems, so_far
from evalcore.views.words import wording


def benchmark_blocks(found: Overview) -> list[Block]:
    """Describe the benchmark runs that documents record."""
    if not found.benchmark_runs:
        return []
    head = [
        ("benchmark run", False),
        ("version", False),
        ("when", False),
        ("runs", True),
        ("overall score", True),
        ("pass rate", True),
        ("threshold", True),
        ("started by", False),
    ]
    rows = [Row(list(_benchmark_cells(row))) for row in found.benchmark_runs]
    listed = len(rows)
    hint = "as recorded"
    if found.recorded_runs > listed:
        hint += f", the newest {listed} of {found.recorded_runs:,}"
    return [Heading("Benchmark runs", hint), Table("Benchmark runs", head, rows, fold=6)]


def _benchmark_cells(row: BenchmarkRunRow) -> Iterator[Cell]:
    def number(value: float | None) -> Cell:
        return Cell(
            wording.fixed(value) if value is not None else wording.NOT_RECORDED,
            num=True,
            quiet=value is None,
        )

    about = [row.dimension if row.dimension != row.name else None, row.notes]
    title = " · ".join(
        f"{what} {text}"
        for what, text in (("run", row.benchmark_run), ("of", row.benchmark))
        if text
    )
    yield Cell(
        row.name or row.benchmark_run or "",
        sub=" · ".join(part for part in about if part),
        title=title,
    )
    yield Cell(row.version or wording.NOT_RECORDED, quiet=row.version is None)
    yield Cell(wording.moment(row.ran_at), quiet=row.ran_at is None, keep=True)
    yield Cell(f"{row.runs:,}" if row.runs is not None else wording.NOT_RECORDED, num=True)
    yield number(row.overall_score)
    yield Cell(
        wording.percent(row.pass_rate) if row.pass_rate is not None else wording.NOT_RECORDED,
        num=True,
        quiet=row.pass_rate is None,
    )
    yield number(row.passing_threshold)
    yield Cell(
        " · ".join(part for part in (row.triggered_by, row.status) if part) or wording.NOT_RECORDED,
        quiet=row.triggered_by is None,
    )


def suite_blocks(lines: tuple[SuiteLine, ...], chosen: str, problems: Problems) -> list[Block]:
    """Describe all suites of a workspace that has several."""
    if len(lines) < 2:
        return []
    head = [
        ("suite", False),
        ("family", False),
        ("versions", True),
        ("cases", True),
        ("runs", True),
        ("newest rate", True),
        (f"problems{so_far(problems)}", True),
        ("last activity", False),
    ]
    run = sum(line.runs > 0 for line in lines)
    hint = f"{len(lines):,}, {run:,} of them with runs" if run < len(lines) else f"{len(lines):,}"
    rows = [Row(list(_suite_cells(line, problems)), on=line.suite == chosen) for line in lines]
    return [Heading("Suites in this workspace", hint), Table("Suites", head, rows, fold=FOLD)]


def _suite_cells(line: SuiteLine, problems: Problems) -> Iterator[Cell]:
    # The chosen version and configuration are another suite's: they stay behind.
    there = {"suite": line.suite, "v": None, "c": None}
    here = link("overview", **there)
    yield Cell(line.name, sub=line.suite if line.suite not in (line.name, ".") else "", link=here)
    yield Cell(line.family, keep=True)
    for n in (line.versions, line.cases, line.runs):
        yield Cell(f"{n:,}", num=True, quiet=n == 0)
    if line.rate.value is None:
        yield Cell("not scored" if line.runs else "not run", num=True, quiet=True)
    else:
        value = wording.headline(line.rate.value, line.headline)
        over = f"{value} over {wording.count(line.rate.cases, 'case')}"
        focus = wording.column_words(line.focus)
        doubt = f"{wording.SUSPECT} · " if line.suspect else ""
        about = f"{doubt}{focus} · {line.headline}"
        yield Cell(over, sub=about, num=True, link=link("gradings", **there))
    count = problem_count(problems, line.suite, v=None, c=None)
    yield Cell(f"{count.n:,}", num=True, link=count.link if count.n else None, quiet=not count.n)
    yield Cell(wording.moment(line.active), quiet=line.active is None, keep=True)
