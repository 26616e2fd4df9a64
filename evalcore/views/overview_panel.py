"""Describe the overview of a suite as plain blocks: sentences, doors and tables."""

from collections.abc import Iterator
from typing import Any

from evalcore.tables.rows import BenchmarkRunRow
from evalcore.views import wording
from evalcore.views.doors import FOLD, Block, cell, door, heading, table
from evalcore.views.overview import Overview
from evalcore.views.overview_suites import SuiteLine


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
    rows = [{"cells": list(_benchmark_cells(row))} for row in found.benchmark_runs]
    return [heading("Benchmark runs", "as recorded"), table("Benchmark runs", head, rows, fold=6)]


def _benchmark_cells(row: BenchmarkRunRow) -> Iterator[Block]:
    def number(value: float | None) -> Block:
        return cell(
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
    yield cell(
        row.name or row.benchmark_run or "",
        sub=" · ".join(part for part in about if part),
        title=title,
    )
    yield cell(row.version or wording.NOT_RECORDED, quiet=row.version is None)
    yield cell(wording.moment(row.ran_at), quiet=row.ran_at is None, keep=True)
    yield cell(f"{row.runs:,}" if row.runs is not None else wording.NOT_RECORDED, num=True)
    yield number(row.overall_score)
    yield cell(
        wording.percent(row.pass_rate) if row.pass_rate is not None else wording.NOT_RECORDED,
        num=True,
        quiet=row.pass_rate is None,
    )
    yield number(row.passing_threshold)
    yield cell(
        " · ".join(part for part in (row.triggered_by, row.status) if part) or wording.NOT_RECORDED,
        quiet=row.triggered_by is None,
    )


def suite_blocks(lines: tuple[SuiteLine, ...], chosen: str) -> list[Block]:
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
        ("problems", True),
        ("last activity", False),
    ]
    run = sum(line.runs > 0 for line in lines)
    hint = f"{len(lines):,}, {run:,} of them with runs" if run < len(lines) else f"{len(lines):,}"
    rows: list[Any] = [
        {"on": line.suite == chosen, "cells": list(_suite_cells(line))} for line in lines
    ]
    return [heading("Suites in this workspace", hint), table("Suites", head, rows, fold=FOLD)]


def _suite_cells(line: SuiteLine) -> Iterator[Block]:
    # The chosen version and configuration are another suite's: they stay behind.
    there = {"suite": line.suite, "v": None, "c": None}
    here = door("overview", **there)
    yield cell(line.name, sub=line.suite if line.suite not in (line.name, ".") else "", door=here)
    yield cell(line.family)
    for n in (line.versions, line.cases, line.runs):
        yield cell(f"{n:,}", num=True, quiet=n == 0)
    if line.rate.value is None:
        yield cell("not scored" if line.runs else "not run", num=True, quiet=True)
    else:
        value = wording.headline(line.rate.value, line.headline)
        over = f"{value} over {wording.count(line.rate.cases, 'case')}"
        focus = wording.column_words(line.focus)
        yield cell(over, sub=f"{focus} · {line.headline}", num=True, door=door("gradings", **there))
    problems = door("data", **there, dview="problems", dsuite=line.suite)
    yield cell(
        f"{line.problems:,}",
        num=True,
        door=problems if line.problems else None,
        quiet=not line.problems,
    )
    yield cell(wording.moment(line.active), quiet=line.active is None, keep=True)
