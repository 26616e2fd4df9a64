"""`evalcore benchmark compare`: compare two versions by a benchmark, or list who asks for it."""

from pathlib import Path
from shlex import join
from typing import Any

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.benchmarks.messages import open_instructions
from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_for_judge, suite_of
from evalcore.cli.screen import progress
from evalcore.counting.rates import rates
from evalcore.errors import CannotBenchmark
from evalcore.families.reviews.review import BY_RULE
from evalcore.memory.comparing_versions import (
    VersionComparison,
    compare_versions,
    comparison_of,
    missing,
    recommendation_of,
    record,
)
from evalcore.memory.version_runs import runs_taken
from evalcore.workspace.opened import Workspace


def answer(
    path: Path, suite: str | None, name: str | None, a: str | None, b: str | None, *, take: bool
) -> Answer:
    """Record a comparison, or list the open instructions.

    `take` runs the benchmark for a version that has no run of it yet.

    Raises:
        CannotBenchmark: the request names no two versions, or one was not run by the benchmark.
        SuiteNotNamed, UnknownName: the folder has no such suite or benchmark.
        CannotWrite: the comparison cannot be written.
    """
    if len({part is None for part in (name, a, b)}) > 1:
        raise CannotBenchmark("Name the benchmark and both versions, or none of them.")
    ws = open_for_judge(path)
    if name is None or a is None or b is None:
        return _waiting(ws, list(rates(ws)) if suite is None else [suite_of(ws, path, suite)])
    benchmark = benchmark_named(ws, suite_of(ws, path, suite), name)
    if take:
        ws, benchmark = runs_taken(ws, benchmark, (a, b), BY_RULE)
    with progress("Comparing"):
        made = compare_versions(ws, benchmark, a, b)
    written = record(ws, made)
    state = "Recorded" if made.stored is None and written[0].new else "Already recorded"
    paths = ", ".join(each.path for each in written if each.new)
    said = f"{state} as {made.id}{f': {paths}' if paths else ''}."
    return Answer(lambda: _document(ws, made), [recommendation_of(ws, made), said])


def _document(ws: Workspace, made: VersionComparison) -> dict[str, Any]:
    """Return a comparison, with the names of seed 001 in the style of commands."""
    found = comparison_of(ws, made)
    verdict = found.verdict if found else None
    return {
        "root": ws.root,
        "suite": made.benchmark.suite,
        "benchmark": made.benchmark.id,
        "comparison": made.id,
        "recorded_before": made.stored is not None,
        "versions": [made.a.version, made.b.version],
        "scores": [made.score_a, made.score_b],
        "benchmark_runs": [made.a.run.benchmark_run, made.b.run.benchmark_run],
        "winner": made.winner,
        "sample_size": made.cases,
        "verdict": None if verdict is None else verdict.word,
        "recommendation": recommendation_of(ws, made),
    }


def _waiting(ws: Workspace, suites: list[str]) -> Answer:
    """Return the instructions that nobody has answered, each with what it lacks."""
    values, lines = [], []
    for suite in suites:
        for each in open_instructions(ws, suite):
            lacks = missing(ws, suite, each)
            values.append({"suite": suite, **each._asdict(), "missing": lacks})
            named = f"{each.a or '?'} against {each.b or '?'} by {each.benchmark or '?'}"
            asks = f"{each.sender or 'somebody'} asks to compare {named} ({each.id})"
            sides = [str(ws.root), each.benchmark or "", each.a or "", each.b or ""]
            command = f"evalcore benchmark compare {join(sides)} --suite {join([suite])}"
            lines += [f"{suite}: {asks}", f"  {lacks or command}"]
    none = "Nobody is waiting for a comparison of versions."
    return Answer(lambda: {"root": ws.root, "instructions": values}, lines or [none])
