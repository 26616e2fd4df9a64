"""`evalcore benchmark`: list, show, create and retire benchmarks, run them, and follow up."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
from evalcore.comparing.sides import side_of
from evalcore.counting.outcomes import Column, columns_of_runs
from evalcore.judging.storing.judges import only_known_judge
from evalcore.memory import defining, taking
from evalcore.memory.benchmarking import Done, follow, run_finished
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.tables.cells import cells
from evalcore.trends.benchmarks import Followed, followed_benchmarks
from evalcore.views.series.regressions import done_sentences
from evalcore.views.trends.benchmarks import direction_words, fell_words, run_words
from evalcore.views.words.wording import count, fixed
from evalcore.workspace.opened import Workspace

TERMINAL = "terminal"
"""Who acts where this machine knows no judge, or several."""


class Asked(NamedTuple):
    """A benchmark as it is asked for; without cases it has all of the suite."""

    name: str
    cases: tuple[str, ...]
    dimension: str
    threshold: float
    owner: str | None
    description: str
    replace: bool


class Taking(NamedTuple):
    """A run of a benchmark as it is asked for."""

    version: str | None
    triggered_by: str | None
    notes: str
    again: bool


def list_all(path: Path, suite: str | None, *, as_json: bool) -> int:
    """Print the benchmarks of a suite."""
    ws, name = _opened(path, suite)
    found = followed_benchmarks(ws, name)
    if as_json:
        value = {"suite": name, "benchmarks": [_as_object(each) for each in found]}
        return _print_json(value)
    for each in found:
        _say(_line(each))
    if not found:
        _say(f"{name} has no benchmark; `evalcore benchmark create` makes one.")
    return 0


def show(path: Path, suite: str | None, named: str, *, as_json: bool) -> int:
    """Print a benchmark with its cases and runs.

    Raises:
        UnknownName, CannotBenchmark: there is no such one, or several have the name.
    """
    ws, name = _opened(path, suite)
    wanted = benchmark_named(ws, name, named)
    found = next(each for each in followed_benchmarks(ws, name) if each.benchmark.id == wanted.id)
    if as_json:
        runs = [_run_object(run) for run in reversed(found.runs)]
        return _print_json({"suite": name, **_as_object(found), "runs": runs})
    _say(_line(found))
    _say(f"  cases: {', '.join(wanted.cases)}")
    for run in reversed(found.runs):
        _say(f"  {run.benchmark_run}  {run_words(run)}")
    return 0


def create(path: Path, suite: str | None, asked: Asked, *, as_json: bool) -> int:
    """Create a benchmark.

    Raises:
        CannotBenchmark: the message says why.
    """
    ws, name = _opened(path, suite)
    every = (case for of, case in cells(ws.tables, "cases", "suite", "case_id") if of == name)
    definition = defining.Definition(
        asked.name,
        asked.cases or tuple(dict.fromkeys(every)),
        asked.dimension,
        asked.threshold,
        asked.owner or _author(),
        asked.description,
    )
    receipt = defining.create(ws, name, definition, _author(), replace=asked.replace)
    if as_json:
        return _print_json({"suite": name, "id": receipt.id, "path": receipt.path})
    cases = count(len(definition.cases), "case")
    what = "Created the benchmark" if receipt.new else "There was the same benchmark already,"
    _say(f"{what} {asked.name!r} of {cases}: {receipt.path}")
    return 0


def retire(path: Path, suite: str | None, named: str, *, as_json: bool) -> int:
    """Retire a benchmark.

    Raises:
        UnknownName, CannotBenchmark: there is no such one, or it is retired already.
    """
    ws, name = _opened(path, suite)
    found = benchmark_named(ws, name, named)
    defining.retire(ws, found, _author())
    if as_json:
        return _print_json({"suite": name, "id": found.id, "status": "retired"})
    _say(f"Retired the benchmark {found.name!r}; its history is kept.")
    return 0


def run(path: Path, suite: str | None, named: str, asked: Taking, *, as_json: bool) -> int:
    """Take finished runs of a version as a run of a benchmark; 1 if the rule of drops fires.

    Raises:
        UnknownName, CannotBenchmark: the message says what is missing, and what to do.
    """
    since = datetime.now(UTC)
    ws, name = _opened(path, suite)
    found = benchmark_named(ws, name, named)
    column = _column(ws, found, asked.version)
    about = taking.Asked(column, asked.triggered_by or _author(), asked.notes, asked.again, since)
    return _told(run_finished(ws, found, about, _author()), as_json=as_json)


def follow_up(path: Path, suite: str | None, benchmark_run: str, *, as_json: bool) -> int:
    """Write what follows from a benchmark run; 1 if the rule of drops fires there.

    Raises:
        UnknownName: there is no such benchmark run.
    """
    ws, name = _opened(path, suite)
    return _told(follow(ws, name, benchmark_run), as_json=as_json)


def _opened(path: Path, suite: str | None) -> tuple[Workspace, str]:
    ws = open_for_judge(path)
    return ws, suite_of(ws, path, suite)


def _column(ws: Workspace, benchmark: Benchmark, named: str | None) -> Column:
    """Return the version and configuration that is named, else the newest that ran the cases."""
    if named is not None:
        return side_of(ws, benchmark.suite, named).column
    found, cases = columns_of_runs(ws, benchmark.suite), set(benchmark.cases)
    names = ws.tables.runs["case_id"].astype(str).iloc[found.here].isin(cases).to_numpy()
    used = sorted(set(found.column[names].tolist()))
    return found.columns[used[-1]] if used else found.columns[-1]


def _author() -> str:
    judge = only_known_judge()
    return TERMINAL if judge is None else judge.id


def _told(done: Done, *, as_json: bool) -> int:
    fell = done.following.regression is not None
    if as_json:
        _print_json(_done_object(done))
    else:
        for line in done_sentences(done.workspace, done):
            _say(line)
    return int(fell)


def _done_object(done: Done) -> dict[str, Any]:
    drop, runs = done.step.drop, done.workspace.tables.runs["run_id"]
    regression, trend = done.following.regression, done.following.trend
    return {
        "benchmarkRun": done.benchmark_run,
        "passRate": done.step.now,
        "previousPassRate": done.step.before,
        "points": None if drop.points is None else float(drop.points),
        "relative": None if drop.relative is None else float(drop.relative),
        "level": drop.level,
        "why": drop.why or None,
        "certainty": regression.certainty if regression else None,
        "newlyFailing": [str(runs.iloc[at]) for at in done.step.newly_failing],
        "direction": trend.direction if trend else None,
        "escalated": bool(trend and trend.escalates),
        "written": [receipt.path for receipt in done.following.receipts],
    }


def _line(found: Followed) -> str:
    of = found.benchmark
    threshold = "" if of.threshold is None else f", threshold {fixed(of.threshold)}"
    parts: Iterable[str] = (
        f"{of.name} ({of.dimension}; {of.status}): {count(len(of.cases), 'case')}{threshold}",
        f"owner {of.owner}" if of.owner else "",
        run_words(found.runs[-1]) if found.runs else "not run",
        direction_words(found) if found.runs else "",
        fell_words(found),
        f"id {of.id}",
    )
    return "; ".join(part for part in parts if part)


def _as_object(found: Followed) -> dict[str, Any]:
    of, last = found.benchmark, found.runs[-1] if found.runs else None
    return {
        "id": of.id,
        "name": of.name,
        "description": of.description,
        "dimension": of.dimension,
        "threshold": of.threshold,
        "owner": of.owner,
        "status": of.status,
        "cases": list(of.cases),
        "lastRun": None if last is None else _run_object(last),
        "direction": found.trend.direction,
        "dropped": bool(found.fell),
    }


def _run_object(run: BenchmarkRunRow) -> dict[str, Any]:
    return {
        "id": run.benchmark_run,
        "version": run.version,
        "configuration": run.configuration,
        "overallScore": run.overall_score,
        "passRate": run.pass_rate,
        "ranAt": None if run.ran_at is None else run.ran_at.isoformat(),
        "triggeredBy": run.triggered_by,
        "notes": run.notes,
    }


def _say(line: str) -> None:
    sys.stdout.write(f"{harmless(line)}\n")


def _print_json(value: dict[str, Any]) -> int:
    sys.stdout.write(json_text(value))
    return 0
