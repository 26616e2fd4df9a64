"""`evalcore benchmark compare`: compare two versions by a benchmark, or list who asks for it."""

import sys
from pathlib import Path
from shlex import join
from typing import NamedTuple

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.benchmarks.messages import Instruction, open_instructions
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.screen import progress
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
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


class Asked(NamedTuple):
    """The request as typed; `take` runs the benchmark for a version that has no run of it yet."""

    path: Path
    suite: str | None = None
    name: str | None = None
    a: str | None = None
    b: str | None = None
    take: bool = False


def answer(asked: Asked, *, as_json: bool) -> int:
    """Record a comparison and print it, or list the open instructions.

    Raises:
        CannotBenchmark: the request names no two versions, or one was not run by the benchmark.
        SuiteNotNamed, UnknownName: the folder has no such suite or benchmark.
        CannotWrite: the comparison cannot be written.
    """
    if len({part is None for part in (asked.name, asked.a, asked.b)}) > 1:
        raise CannotBenchmark("Name the benchmark and both versions, or none of them.")
    ws = open_for_judge(asked.path)
    if asked.name is None or asked.a is None or asked.b is None:
        suites = list(rates(ws)) if asked.suite is None else [suite_of(ws, asked.path, asked.suite)]
        return _list(ws, suites, as_json=as_json)
    benchmark = benchmark_named(ws, suite_of(ws, asked.path, asked.suite), asked.name)
    if asked.take:
        ws, benchmark = runs_taken(ws, benchmark, (asked.a, asked.b), BY_RULE)
    with progress("Comparing"):
        made = compare_versions(ws, benchmark, asked.a, asked.b)
    written = record(ws, made)
    if as_json:
        sys.stdout.write(json_text({"root": str(ws.root), **as_document(ws, made)}))
        return 0
    sys.stdout.write(f"{harmless(recommendation_of(ws, made))}\n")
    state = "Recorded" if made.stored is None and written[0].new else "Already recorded"
    paths = ", ".join(harmless(each.path) for each in written if each.new)
    sys.stdout.write(f"{state} as {harmless(made.id)}{f': {paths}' if paths else ''}.\n")
    return 0


def as_document(ws: Workspace, made: VersionComparison) -> dict[str, object]:
    """Return a comparison as JSON values, with the names of seed 001 in the style of commands."""
    found = comparison_of(ws, made)
    verdict = found.verdict if found else None
    return {
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


def _list(ws: Workspace, suites: list[str], *, as_json: bool) -> int:
    """Print the instructions that nobody has answered, each with what it lacks."""
    found = [
        (suite, each, missing(ws, suite, each))
        for suite in suites
        for each in open_instructions(ws, suite)
    ]
    if as_json:
        values = [
            {"suite": suite, **each._asdict(), "missing": lacks} for suite, each, lacks in found
        ]
        sys.stdout.write(json_text({"root": str(ws.root), "instructions": values}))
        return 0
    if not found:
        sys.stdout.write("Nobody is waiting for a comparison of versions.\n")
    for suite, each, lacks in found:
        sys.stdout.write(f"{harmless(suite)}: {harmless(_asked(each))}\n")
        sys.stdout.write(f"  {harmless(lacks or _command(ws, suite, each))}\n")
    return 0


def _asked(each: Instruction) -> str:
    named = f"{each.a or '?'} against {each.b or '?'} by {each.benchmark or '?'}"
    return f"{each.sender or 'somebody'} asks to compare {named} ({each.id})"


def _command(ws: Workspace, suite: str, each: Instruction) -> str:
    names = [str(ws.root), each.benchmark or "", each.a or "", each.b or ""]
    return f"evalcore benchmark compare {join(names)} --suite {join([suite])}"
