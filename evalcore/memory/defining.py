"""Create, replace and retire the benchmarks of a suite."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import ValidationError

from evalcore.benchmarks.definitions import RETIRED, Benchmark, benchmarks
from evalcore.errors import AlreadyStored, CannotBenchmark
from evalcore.families.reviews.models import BenchmarkFields
from evalcore.families.reviews.review import BENCHMARK
from evalcore.ids import derived_id
from evalcore.judging.model import Receipt
from evalcore.memory.store import Current, New, remember, revise
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

_TAKEN: Final = (
    "The suite has a benchmark {!r} already ({}). Choose another name, or replace it (--replace)."
)


class Definition(NamedTuple):
    """What a benchmark is to be."""

    name: str
    cases: tuple[str, ...]
    dimension: str
    threshold: float
    owner: str
    description: str = ""


def create(
    ws: Workspace, suite: str, asked: Definition, author: str, *, replace: bool = False
) -> Receipt:
    """Write a benchmark; with `replace`, in place of those of the same name.

    Raises:
        UnknownName: the workspace has no such suite.
        CannotBenchmark: the name is taken, a case is not there, or a field is not valid.
        CannotWrite: it cannot be written.
    """
    same = [each for each in benchmarks(ws, suite) if each.name == asked.name.strip()]
    _require_place(ws, suite)
    if same and not replace:
        raise CannotBenchmark(_TAKEN.format(same[0].name, same[0].id))
    _require_valid(ws, suite, asked)
    newest = max(
        same, key=lambda each: (each.last_run_at is not None, each.last_run_at), default=None
    )
    held = {} if newest is None else _held(ws, newest)
    try:
        fields = BenchmarkFields(
            name=asked.name.strip(),
            description=asked.description.strip(),
            test_case_ids=list(dict.fromkeys(asked.cases)),
            dimension=asked.dimension.strip(),
            passing_threshold=asked.threshold,
            owner_id=asked.owner.strip(),
            last_run_at=held.get("lastRunAt"),
            last_score=held.get("lastScore"),
        )
    except ValidationError as error:
        raise CannotBenchmark(f"The benchmark is not valid: {error}") from error
    replaced = tuple(name for each in same for name in (each.id, *each.rivals))
    identity = derived_id(f"{suite} {fields.name}", " ".join((BENCHMARK, *sorted(replaced))))
    new = New(BENCHMARK, identity, fields, tuple(dict.fromkeys(replaced)), about=fields.name)
    try:
        return remember(ws, suite, [new], author)[0]
    except AlreadyStored as error:
        raise CannotBenchmark(_TAKEN.format(fields.name, identity)) from error


def retire(ws: Workspace, benchmark: Benchmark, author: str) -> Receipt | None:
    """Retire a benchmark: it stays with its history, and is run no more.

    Raises:
        CannotBenchmark: it is retired already.
        CannotWrite, ChangedMeanwhile: it cannot be written.
    """
    if benchmark.status == RETIRED:
        raise CannotBenchmark(f"The benchmark {benchmark.name!r} is retired already.")
    identity = derived_id(benchmark.id, RETIRED)
    return revise(
        ws, benchmark.suite, current(benchmark), lambda _: {"status": RETIRED}, identity, author
    )


def current(benchmark: Benchmark) -> Current:
    """Return a benchmark as the record that is changed."""
    return Current(BENCHMARK, benchmark.id, benchmark.source, benchmark.pointer)


def _held(ws: Workspace, benchmark: Benchmark) -> Mapping[str, Any]:
    fields = ws.raw(benchmark.source, benchmark.pointer).get("fields")
    return fields if isinstance(fields, dict) else {}


def _require_place(ws: Workspace, suite: str) -> None:
    """Refuse where the first runs will make a folder for runs, whose `reviews` are then read."""
    columns = ("suite", "root", "skill_path")
    place = {name: (root, skill) for name, root, skill in cells(ws.tables, "suites", *columns)}
    root, skill = place[suite]
    if root == skill and not any(of == suite for (of,) in cells(ws.tables, "runs", "suite")):
        raise CannotBenchmark(
            "The suite has no runs yet, and its records are stored next to them. Run its cases "
            "once, "
            "then create the benchmark."
        )


def _require_valid(ws: Workspace, suite: str, asked: Definition) -> None:
    if not asked.name.strip():
        raise CannotBenchmark("A benchmark needs a name.")
    if not asked.dimension.strip():
        raise CannotBenchmark("A benchmark needs a dimension: what its cases measure.")
    if not asked.owner.strip():
        raise CannotBenchmark("A benchmark needs an owner.")
    if not asked.cases:
        raise CannotBenchmark("A benchmark needs at least one case; name some.")
    if not 0 <= asked.threshold <= 1:
        raise CannotBenchmark(f"The threshold {asked.threshold:g} is not a number from 0 to 1.")
    here = {case for of, case in cells(ws.tables, "cases", "suite", "case_id") if of == suite}
    gone = [case for case in asked.cases if case not in here]
    if gone:
        raise CannotBenchmark(
            f"The suite has no case {', '.join(map(repr, gone[:5]))}. Its cases are "
            f"{', '.join(sorted(here)[:20])}{', …' if len(here) > 20 else ''}."
        )
