"""Compare two versions by a benchmark, and record it: scores, winner and a recommendation."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.benchmarks.messages import Instruction, open_instructions
from evalcore.comparing.benchmark_sides import side_of_benchmark_run
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.counting.cells import typed, where
from evalcore.disk.values import time_text
from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.families.reviews.models import (
    MessageFields,
    PromptComparisonFields,
    RelationFields,
)
from evalcore.families.reviews.review import BY_RULE, MESSAGE, PROMPT_COMPARISON, RELATION
from evalcore.ids import derived_id
from evalcore.judging.model import Receipt
from evalcore.memory.recommending import recommendation
from evalcore.memory.store import AGENT, ORCHESTRATOR, New, after, remember
from evalcore.memory.version_runs import VersionRun, cases_of, named_apart, newest_run, score_of
from evalcore.numbers import printed
from evalcore.statistics.trend import PLACES
from evalcore.tables.rows import ComparisonRow, RelationRow
from evalcore.workspace.opened import Workspace

COMPLETE: Final = "comparison-complete"
REFERENCES: Final = "references"


class VersionComparison(NamedTuple):
    """Two versions compared by one benchmark run of each.

    `winner` is the one with the higher score, None for a tie; `cases` are in both benchmark runs.
    `stored` is the record of the same two benchmark runs, where there is one already.
    """

    id: str
    benchmark: Benchmark
    a: VersionRun
    b: VersionRun
    score_a: float
    score_b: float
    winner: str | None
    cases: int
    stored: ComparisonRow | None


def compare_versions(ws: Workspace, benchmark: Benchmark, a: str, b: str) -> VersionComparison:
    """Compare the scores of two versions by the newest benchmark run of each; write nothing.

    Raises:
        CannotBenchmark: a version has no run of the benchmark, or both are the same.
    """
    one, other = newest_run(ws, benchmark, a), newest_run(ws, benchmark, b)
    if one.row == other.row:
        raise CannotBenchmark(
            f"Both sides are {one.version!r}: a version is not compared with itself. Name two."
        )
    scores = score_of(one, benchmark), score_of(other, benchmark)
    one, other = named_apart(one, other)
    first, second = (printed(score, PLACES) for score in scores)
    winner = None if first == second else (one if first > second else other).version
    cases = len(cases_of(ws, one.row) & cases_of(ws, other.row))
    runs = sorted((one.run.benchmark_run or "", other.run.benchmark_run or ""))
    identity = derived_id(" ".join(runs), PROMPT_COMPARISON)
    stored = _named(ws, benchmark.suite, identity) or _stored(ws, benchmark.suite, runs)
    return VersionComparison(
        id=identity if stored is None else stored.comparison_id or identity,
        benchmark=benchmark,
        a=one,
        b=other,
        score_a=scores[0],
        score_b=scores[1],
        winner=winner,
        cases=cases,
        stored=stored,
    )


def comparison_of(ws: Workspace, made: VersionComparison) -> Comparison | None:
    """Return the comparison over exactly the test runs of both benchmark runs.

    None where these are not here, or are of several versions or configurations.
    """
    a, b = (side_of_benchmark_run(ws, each.row) for each in (made.a, made.b))
    return compare(a, b) if a and b else None


def recommendation_of(ws: Workspace, made: VersionComparison) -> str:
    """Return the recommendation: as it is stored, else by the verdict on the runs of both."""
    if made.stored is not None:
        return made.stored.summary or ""
    names, scores = (made.a.version, made.b.version), (made.score_a, made.score_b)
    return recommendation(made.benchmark.name, names, scores, made.cases, comparison_of(ws, made))


def record(ws: Workspace, made: VersionComparison, author: str = BY_RULE) -> tuple[Receipt, ...]:
    """Write a comparison, its relations to both benchmark runs, and the message that it is done.

    The same two benchmark runs are compared once: what is there already stays as it is. Each open
    instruction to compare them is answered.

    Raises:
        CannotWrite: it cannot be written; writing it again completes it.
    """
    suite, held = made.benchmark.suite, made.stored
    if held is not None and held.compared_at is not None:
        at = time_text(held.compared_at)
    else:
        rows = where(ws, "comparisons", suite=made.benchmark.suite, benchmark=made.benchmark.id)
        known = [row.compared_at for row in typed(ws, "comparisons", ComparisonRow, rows.tolist())]
        at = after(made.a.run.ran_at, made.b.run.ran_at, *known)
    said = recommendation_of(ws, made)
    new = [] if held is not None else [_comparison(made, said, at)]
    new += _references(ws, made, at)
    return remember(ws, suite, [*new, *_messages(ws, made, said, at)], author)


def missing(ws: Workspace, suite: str, asked: Instruction) -> str | None:
    """Return why an instruction cannot be followed, in a sentence; None if it can."""
    if asked.benchmark is None or asked.a is None or asked.b is None:
        return "It does not name a benchmark and two versions; ask who sent it."
    try:
        compare_versions(ws, benchmark_named(ws, suite, asked.benchmark), asked.a, asked.b)
    except (CannotBenchmark, UnknownName) as fault:
        return str(fault)
    return None


def answered_by(ws: Workspace, made: VersionComparison) -> list[Instruction]:
    """Return the open instructions that a comparison answers."""
    names, asked = {made.benchmark.id, made.benchmark.name}, {made.a.version, made.b.version}
    return [
        each
        for each in open_instructions(ws, made.benchmark.suite)
        if each.benchmark in names and {each.a, each.b} == asked
    ]


def _comparison(made: VersionComparison, said: str, at: str) -> New:
    fields = PromptComparisonFields(
        benchmark_id=made.benchmark.id,
        prompt_version_a=made.a.version,
        prompt_version_b=made.b.version,
        score_a=made.score_a,
        score_b=made.score_b,
        winner=made.winner,
        sample_size=made.cases,
        compared_at=at,
        notes=said,
    )
    return New(PROMPT_COMPARISON, made.id, fields, about=made.benchmark.name, at=at)


def _references(ws: Workspace, made: VersionComparison, at: str) -> list[New]:
    """Return the relations to the benchmark runs that no record states yet.

    A store without any infers them from the benchmark, to all runs of both versions.
    """
    stated = _referring(ws, made.benchmark.suite, source_id=made.id, origin="record")
    held = {row.target_id for row in stated}
    runs = [each.run.benchmark_run or "" for each in (made.a, made.b)]
    return [
        New(
            RELATION,
            derived_id(made.id, f"{REFERENCES} {run}"),
            RelationFields(source_id=made.id, relation=REFERENCES, target_id=run),
            about=made.benchmark.name,
            at=at,
        )
        for run in runs
        if run not in held
    ]


def _messages(ws: Workspace, made: VersionComparison, said: str, at: str) -> list[New]:
    """Return the message to the orchestrator, once for each instruction that it answers."""
    asked = answered_by(ws, made)
    if not asked and _is_told(ws, made):
        return []
    found = comparison_of(ws, made)
    payload = {
        "benchmarkId": made.benchmark.id,
        "promptVersionA": made.a.version,
        "promptVersionB": made.b.version,
        "scoreA": made.score_a,
        "scoreB": made.score_b,
        "winner": made.winner,
        "sampleSize": made.cases,
        "verdict": found.verdict.word if found and found.verdict else None,
        "benchmarkRunIds": [made.a.run.benchmark_run, made.b.run.benchmark_run],
    }
    replies: list[tuple[str | None, str]] = [
        (each.id, each.sender or ORCHESTRATOR) for each in asked
    ] or [(None, ORCHESTRATOR)]
    return [
        New(
            MESSAGE,
            derived_id(made.id, f"{COMPLETE} {reply or ''}".strip()),
            MessageFields(
                sender=AGENT,
                recipient=recipient,
                subject=COMPLETE,
                text=said,
                payload=payload,
                about_type=PROMPT_COMPARISON,
                about_id=made.id,
                in_reply_to=reply,
            ),
            about=made.benchmark.name,
            at=at,
        )
        for reply, recipient in replies
    ]


def _is_told(ws: Workspace, made: VersionComparison) -> bool:
    """Return whether a message says already that the comparison is done."""
    rows = where(ws, "messages", suite=made.benchmark.suite, kind=MESSAGE, about=made.id)
    return len(rows) > 0


def _named(ws: Workspace, suite: str, name: str) -> ComparisonRow | None:
    rows = where(ws, "comparisons", suite=suite, comparison_id=name).tolist()
    return next(iter(typed(ws, "comparisons", ComparisonRow, rows)), None)


def _stored(ws: Workspace, suite: str, runs: Sequence[str]) -> ComparisonRow | None:
    """Return the comparison that refers to exactly some benchmark runs, whoever wrote it."""
    named = [{row.source_id for row in _referring(ws, suite, target_id=run)} for run in runs]
    for name in sorted(set.intersection(*named) - {None}, key=str):
        if {row.target_id for row in _referring(ws, suite, source_id=name)} == {*runs}:
            return _named(ws, suite, name or "")
    return None


def _referring(ws: Workspace, suite: str, **ends: str | None) -> list[RelationRow]:
    rows = where(ws, "relations", suite=suite, relation=REFERENCES, **ends)
    return typed(ws, "relations", RelationRow, rows.tolist())
