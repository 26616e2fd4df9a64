"""Describe the overview of a suite as plain blocks: sentences, doors and tables, ready to be drawn."""

from collections.abc import Iterator
from typing import Any, Final

from evalcore.tables.rows import BenchmarkRunRow
from evalcore.views import wording
from evalcore.views.doors import Block, cell, door, heading, say, table
from evalcore.views.outcomes import Column
from evalcore.views.overview import Overview, SuiteLine, VersionLine, activity
from evalcore.views.panel import FILTER_WORDS
from evalcore.views.rates import EFFICIENCY, SHARE, Rate, said

FOLD: Final = 12
_SIGNS: Final = {"failing": "fail", "flaky": "flaky", "unscored": "unscored"}


def sentence(found: Overview) -> str:
    """Say in one sentence what there is and how the column in focus did, with its numbers."""
    line = found.line
    sizes = ", ".join((
        wording.count(line.versions, "version"), wording.count(line.cases, "case"), wording.count(line.runs, "run"),
    ))  # fmt: skip
    if line.focus is None:
        return f"{line.name}: {sizes}. Nothing was run yet."
    return f"{line.name}: {sizes}. {_how(line)}{_against(found)}."


def _how(line: SuiteLine) -> str:
    rate, name = line.rate, column_words(line.focus)
    if rate.value is None:
        return f"{name} has {wording.count(rate.runs, 'run')}, none of them scored"
    over = f"over {wording.count(rate.cases, 'case')}"
    if line.headline == SHARE:
        runs = f"{rate.passed:,} of {wording.count(rate.counted, 'run')}"
        return f"{name} passed {runs} {over} ({said(rate.value, line.headline)}{_score(rate)})"
    value = said(rate.value, line.headline)
    counted = wording.count(rate.counted, "run")
    if line.headline == EFFICIENCY:
        return f"{name} has an overall efficiency of {value} {over} ({counted})"
    return f"{name} passed {value} of its checks, mean {over} ({counted})"


def _score(rate: Rate) -> str:
    if rate.score is None:
        return ""
    return f", mean score {wording.score(rate.score, rate.max_score)}"


def _against(found: Overview) -> str:
    """Name the same number of the other side of the same version, without judging the two."""
    focus = found.line.focus
    for version in found.versions:
        for column, rate in version.columns:
            same = focus is not None and column.version == focus.version and column != focus
            if same and rate.value is not None:
                value = said(rate.value, found.line.headline)
                return f"; {column.configuration}: {value} over {wording.count(rate.cases, 'case')}"
    return ""


def column_words(column: Column | None) -> str:
    """Return a version and configuration as words."""
    if column is None:
        return ""
    return column.version if column.configuration == "-" else f"{column.version}, {column.configuration},"


def method(found: Overview) -> str:
    """Say how the headline is made and what it leaves out."""
    line = found.line
    parts = [f"Headline: {line.headline}; a case counts as the mean over its runs, a version as the mean over its cases."]
    left = _left_out(line.rate)
    if left:
        parts.append(f"Left out: {left}.")
    if line.rate.weighted is not None:
        parts.append(f"Weighted by the cases' own weights: {said(line.rate.weighted, line.headline)}.")
    if found.judge_model:
        parts.append(f"Judge: {found.judge_model}.")
    if found.runs_per_case:
        parts.append(f"Planned: {wording.count(found.runs_per_case, 'run')} a case.")
    return " ".join(parts)


def _left_out(rate: Rate) -> str:
    words = (
        (rate.gate_failed, "stopped at the gate"), (rate.unscored, "not scored"),
        (rate.outside, "not finished"), (rate.set_aside, "of draft or deprecated cases"),
    )  # fmt: skip
    return ", ".join(f"{wording.count(n, 'run')} {what}" for n, what in words if n)


def top_blocks(found: Overview, problems: int) -> list[Block]:
    """Describe what stands first: the sentence, and a door for each count."""
    suite = found.line.suite
    doors: list[Block] = []
    for key in ("failing", "flaky", "changed", "unscored"):
        word, hint = FILTER_WORDS[key]  # type: ignore[index]
        n = found.counts[key]  # type: ignore[index]
        doors.append({"text": word, "n": n, "mark": _SIGNS.get(key) if n else None, "title": f"{hint}: open in Gradings",
                      "door": door("gradings", suite=suite, filter=key)})  # fmt: skip
    doors.append({"text": "problems in its files", "n": problems, "mark": None, "title": "Open in Data",
                  "door": door("data", suite=suite, dview="problems", dsuite=suite)})  # fmt: skip
    before = f", changed since {column_words(found.before).rstrip(',')}" if found.before else ""
    focus = column_words(found.line.focus).rstrip(",")
    label = f"Cases in {focus}{before}" if focus else "Cases"
    return [say(sentence(found), big=True), {"t": "doors", "label": label, "items": doors},
            say(f"{method(found)} {activity(found).capitalize()}.", quiet=True)]  # fmt: skip


def weak_blocks(found: Overview) -> list[Block]:
    """Describe the criteria that fail most in the column in focus."""
    focus = column_words(found.line.focus).rstrip(",")
    if not found.line.focus:
        return [say("No run yet: the criteria that fail most will stand here.", quiet=True)]
    if not found.weak:
        return [heading("Failing most"), say(f"No criterion failed in {focus}.", quiet=True)]
    rows = [
        {"cells": [
            cell(weak.criterion, door=door("gradings", suite=found.line.suite, criterion=weak.criterion), clamp=True),
            cell(f"✗ {weak.failed:,} of {wording.count(weak.cases, 'case')}", mark="fail", num=True),
        ]} for weak in found.weak
    ]  # fmt: skip
    head = [("criterion", False), ("failed in", True)]
    return [heading("Failing most", focus), table("Criteria that fail most", head, rows)]


def version_blocks(found: Overview) -> list[Block]:
    """Describe every version with its runs, newest first."""
    line = found.line
    stored = any(version.about and version.about.stored_score is not None for version in found.versions)
    sides = any(len(version.columns) > 1 or version.columns and version.columns[0][0].configuration != "-"
                for version in found.versions)  # fmt: skip
    head = [("version", False), *([("configuration", False)] if sides else []), ("when", False), ("cases", True),
            ("runs", True), (line.headline, True), *([("stored", True)] if stored else []), ("left out", False)]  # fmt: skip
    rows = [row for version in found.versions for row in _version_rows(found, version, sides, stored)]
    if not rows:
        return [heading("Versions"), say("No version is recorded yet. The first graded run makes one.", quiet=True)]
    return [heading("Versions", "newest first"), table("Versions", head, rows, fold=FOLD)]


def _version_rows(found: Overview, version: VersionLine, sides: bool, stored: bool) -> Iterator[Block]:
    columns = version.columns or ((Column(version.version, "-"), None),)
    for place, (column, rate) in enumerate(reversed(columns)):
        first = place == 0
        yield {"on": column == found.line.focus, "cells": [
            *(_name_cells(found, version, column, sides, first)),
            cell("not run" if rate is None else f"{rate.cases:,}", num=True, quiet=rate is None),
            cell("0" if rate is None else f"{rate.runs:,}", num=True),
            _rate_cell(found, column, rate),
            *([_stored_cell(found, version, first)] if stored else []),
            cell(_left_out(rate) if rate and _left_out(rate) else "nothing" if rate else "", quiet=True),
        ]}  # fmt: skip


def _name_cells(found: Overview, version: VersionLine, column: Column, sides: bool, first: bool) -> Iterator[Block]:
    about = version.about
    mark = " · current" if about and about.is_current else ""
    config = None if column.configuration == "-" else column.configuration
    go = door("gradings", suite=found.line.suite, v=version.version, c=config)
    parts = [about.description, f"commit {about.git_hash[:12]}" if about.git_hash else None] if about else []
    title = " · ".join(f"{name} {value}" for name, value in (
        ("folder", about.path if about else None), ("content", about.content_hash if about else None)) if value)  # fmt: skip
    below = " · ".join(part for part in parts if part)
    yield cell(version.version + mark if first else "", sub=below if first else "", door=go if first else None,
               title=title, name=version.version)  # fmt: skip
    if sides:
        yield cell(column.configuration if config else "none", door=go if config else None, quiet=not config)
    when = about.created_at if about else None
    yield cell(wording.moment(when) if first else "", quiet=when is None)


def _rate_cell(found: Overview, column: Column, rate: Rate | None) -> Block:
    if rate is None or rate.value is None:
        return cell("not scored" if rate else "not run", num=True, quiet=True)
    headline = found.line.headline
    parts = [f"of {wording.count(rate.cases, 'case')}" if headline != EFFICIENCY
             else f"over {wording.count(rate.cases, 'case')}"]  # fmt: skip
    if headline == SHARE:
        parts.append(f"{rate.passed:,} of {wording.count(rate.counted, 'run')}{_score(rate)}")
    if rate.weighted is not None:
        parts.append(f"weighted {said(rate.weighted, headline)}")
    config = None if column.configuration == "-" else column.configuration
    go = door("gradings", suite=found.line.suite, v=column.version, c=config)
    return cell(f"{said(rate.value, headline)} {parts[0]}", sub=", ".join(parts[1:]), door=go, num=True)


def _stored_cell(found: Overview, version: VersionLine, first: bool) -> Block:
    value = version.about.stored_score if version.about else None
    if not first:
        return cell("")
    return cell(wording.number(value) if value is not None else wording.NOT_RECORDED, num=True, quiet=value is None,
                title="The version's score as its own document states it")  # fmt: skip


def benchmark_blocks(found: Overview) -> list[Block]:
    """Describe the benchmark runs that documents record."""
    if not found.benchmark_runs:
        return []
    head = [("benchmark run", False), ("version", False), ("when", False), ("runs", True), ("overall score", True),
            ("pass rate", True), ("threshold", True), ("started by", False)]  # fmt: skip
    rows = [{"cells": list(_benchmark_cells(row))} for row in found.benchmark_runs]
    return [heading("Benchmark runs", "as recorded"), table("Benchmark runs", head, rows, fold=6)]


def _benchmark_cells(row: BenchmarkRunRow) -> Iterator[Block]:
    def number(value: float | None) -> Block:
        return cell(wording.number(value) if value is not None else wording.NOT_RECORDED, num=True, quiet=value is None)

    about = [row.dimension if row.dimension != row.name else None, row.notes]
    title = " · ".join(f"{what} {text}" for what, text in (("run", row.benchmark_run), ("of", row.benchmark)) if text)
    yield cell(row.name or row.benchmark_run or "", sub=" · ".join(part for part in about if part), title=title)
    yield cell(row.version or wording.NOT_RECORDED, quiet=row.version is None)
    yield cell(wording.moment(row.ran_at), quiet=row.ran_at is None)
    yield cell(f"{row.runs:,}" if row.runs is not None else wording.NOT_RECORDED, num=True)
    yield number(row.overall_score)
    yield cell(wording.percent(row.pass_rate) if row.pass_rate is not None else wording.NOT_RECORDED, num=True,
               quiet=row.pass_rate is None)  # fmt: skip
    yield number(row.passing_threshold)
    yield cell(" · ".join(part for part in (row.triggered_by, row.status) if part) or wording.NOT_RECORDED,
               quiet=row.triggered_by is None)  # fmt: skip


def suite_blocks(lines: tuple[SuiteLine, ...], chosen: str) -> list[Block]:
    """Describe all suites of a workspace that has several."""
    if len(lines) < 2:
        return []
    head = [("suite", False), ("family", False), ("versions", True), ("cases", True), ("runs", True),
            ("newest rate", True), ("problems", True), ("last activity", False)]  # fmt: skip
    run = sum(line.runs > 0 for line in lines)
    hint = f"{len(lines):,}, {run:,} of them with runs" if run < len(lines) else f"{len(lines):,}"
    rows: list[Any] = [{"on": line.suite == chosen, "cells": list(_suite_cells(line))} for line in lines]
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
        over = f"{said(line.rate.value, line.headline)} of {wording.count(line.rate.cases, 'case')}"
        focus = column_words(line.focus).rstrip(",")
        yield cell(over, sub=f"{focus} · {line.headline}", num=True, door=door("gradings", **there))
    problems = door("data", **there, dview="problems", dsuite=line.suite)
    yield cell(f"{line.problems:,}", num=True, door=problems if line.problems else None, quiet=not line.problems)
    yield cell(wording.moment(line.active), quiet=line.active is None)
