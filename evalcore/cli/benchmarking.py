"""`evalcore benchmark`: list, show, create and retire benchmarks, run them, and follow up."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.cli.answering import Answer, fields
from evalcore.cli.notifying import OnRegression, told
from evalcore.cli.opening import author, by_suite, open_for_judge, open_suite, suites_of
from evalcore.comparing.sides import side_of
from evalcore.counting.outcomes import columns_of_runs
from evalcore.memory import defining, taking
from evalcore.memory.benchmarking import Done, follow, run_finished
from evalcore.memory.defining import Definition
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.tables.cells import cells
from evalcore.trends.benchmarks import Followed, followed_benchmarks
from evalcore.views.series.regressions import done_sentences
from evalcore.views.trends.benchmarks import direction_words, fell_words, run_words
from evalcore.views.words.wording import count, percent


def list_all(path: Path, suite: str | None) -> Answer:
    """List the benchmarks of a suite, or of all."""
    ws = open_for_judge(path)
    found = {name: followed_benchmarks(ws, name) for name in suites_of(ws, suite)}
    lines = by_suite({name: [_line(each) for each in of] for name, of in found.items()})
    none = "There is no benchmark here; `evalcore benchmark create` makes one."
    documents = [
        {"suite": name, "benchmarks": [_document(each) for each in of]}
        for name, of in found.items()
    ]
    return Answer(lambda: documents[0] if len(documents) == 1 else documents, lines or [none])


def show(path: Path, suite: str | None, named: str) -> Answer:
    """Show a benchmark with its cases and runs.

    Raises:
        UnknownName, CannotBenchmark: there is no such one, or several have the name.
    """
    ws, name = open_suite(path, suite)
    wanted = benchmark_named(ws, name, named)
    found = next(each for each in followed_benchmarks(ws, name) if each.benchmark.id == wanted.id)
    newest_first = found.runs[::-1]
    lines = [_line(found), f"  cases: {', '.join(wanted.cases)}"]
    lines += [f"  {run.benchmark_run}  {run_words(run)}" for run in newest_first]
    runs = [_run_document(run) for run in newest_first]
    return Answer(lambda: {"suite": name, **_document(found), "runs": runs}, lines)


def create(path: Path, suite: str | None, wanted: Definition, *, replace: bool) -> Answer:
    """Create a benchmark: of all cases without any, and owned by who creates it without an owner.

    Raises:
        CannotBenchmark: the message says why.
    """
    ws, name = open_suite(path, suite)
    every = (case for of, case in cells(ws.tables, "cases", "suite", "case_id") if of == name)
    me = author().id
    wanted = wanted._replace(
        cases=wanted.cases or tuple(dict.fromkeys(every)), owner=wanted.owner or me
    )
    receipt = defining.create(ws, name, wanted, me, replace=replace)
    what = "Created the benchmark" if receipt.new else "There was the same benchmark already,"
    said = f"{what} {wanted.name!r} of {count(len(wanted.cases), 'case')}: {receipt.path}"
    return Answer(lambda: {"suite": name, **fields(receipt, "id", "path")}, [said])


def retire(path: Path, suite: str | None, named: str) -> Answer:
    """Retire a benchmark.

    Raises:
        UnknownName, CannotBenchmark: there is no such one, or it is retired already.
    """
    ws, name = open_suite(path, suite)
    found = benchmark_named(ws, name, named)
    defining.retire(ws, found, author().id)
    return Answer(
        lambda: {"suite": name, "id": found.id, "status": "retired"},
        [f"Retired the benchmark {found.name!r}; its history is kept."],
    )


def run(
    path: Path,
    suite: str | None,
    named: str,
    version: str | None,
    *,
    triggered_by: str | None,
    notes: str,
    again: bool,
    tell: OnRegression | None,
) -> Answer:
    """Take finished runs of a version as a run of a benchmark; no if the rule of drops fires.

    Without a version it is the newest that ran the cases. `tell` is told of a regression.

    Raises:
        UnknownName, CannotBenchmark: the message says what is missing, and what to do.
    """
    since = datetime.now(UTC)
    ws, name = open_suite(path, suite)
    found = benchmark_named(ws, name, named)
    if version is not None:
        column = side_of(ws, found.suite, version).column
    else:
        runs, cases = columns_of_runs(ws, found.suite), set(found.cases)
        case_ids = ws.tables.runs["case_id"].astype(str).iloc[runs.here]
        used = sorted(set(runs.column[case_ids.isin(cases).to_numpy()].tolist()))
        column = runs.columns[used[-1] if used else -1]
    me = author().id
    asked = taking.Asked(column, triggered_by or me, notes, again, since)
    done = run_finished(ws, found, asked, me)
    fell = [done.benchmark_run] if done.following.regression else []
    return told(_said(done), tell, done.workspace, done.suite, fell)


def follow_up(path: Path, suite: str | None, benchmark_run: str) -> Answer:
    """Write what follows from a benchmark run; no if the rule of drops fires there.

    Raises:
        UnknownName: there is no such benchmark run.
    """
    return _said(follow(*open_suite(path, suite), benchmark_run))


def _said(done: Done) -> Answer:
    drop, runs = done.step.drop, done.workspace.tables.runs["run_id"]
    regression, trend = done.following.regression, done.following.trend
    document = {
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
    lines = done_sentences(done.workspace, done)
    return Answer(lambda: document, lines, int(regression is not None))


def _line(found: Followed) -> str:
    of = found.benchmark
    threshold = "" if of.threshold is None else f", threshold {percent(of.threshold)}"
    parts = (
        f"{of.name} ({of.dimension}; {of.status}): {count(len(of.cases), 'case')}{threshold}",
        f"owner {of.owner}" if of.owner else "",
        run_words(found.runs[-1]) if found.runs else "not run",
        direction_words(found) if found.runs else "",
        fell_words(found),
        f"id {of.id}",
    )
    return "; ".join(part for part in parts if part)


def _document(found: Followed) -> dict[str, Any]:
    of = found.benchmark
    return {
        **fields(of, "id", "name", "description", "dimension", "threshold", "owner", "status"),
        "cases": of.cases,
        "lastRun": _run_document(found.runs[-1]) if found.runs else None,
        "direction": found.trend.direction,
        "dropped": bool(found.fell),
    }


def _run_document(run: BenchmarkRunRow) -> dict[str, Any]:
    return {
        "id": run.benchmark_run,
        "version": run.version,
        "configuration": run.configuration,
        "overallScore": run.overall_score,
        "passRate": run.pass_rate,
        "ranAt": run.ran_at,
        "triggeredBy": run.triggered_by,
        "notes": run.notes,
    }
