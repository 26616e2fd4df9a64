"""The benchmarks of a suite as they are defined now."""

import json
from datetime import datetime
from typing import NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.tables.cells import cells
from evalcore.tables.remembered import BenchmarkDefinitionRow
from evalcore.workspace.opened import Workspace

ACTIVE, RETIRED = "active", "retired"


class Benchmark(NamedTuple):
    """A named set of cases of a suite, for one dimension of quality.

    `cases` are ids of cases, `rivals` ids of records that replace the same benchmark as this one.
    """

    suite: str
    id: str
    name: str
    description: str
    dimension: str
    threshold: float | None
    owner: str
    status: str
    last_run_at: datetime | None
    last_score: float | None
    cases: tuple[str, ...]
    source: str
    pointer: str
    rivals: tuple[str, ...]


def benchmarks(ws: Workspace, suite: str) -> tuple[Benchmark, ...]:
    """Return the benchmarks of a suite by name, retired ones too.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = [name for (name,) in cells(ws.tables, "suites", "suite")]
    if suite not in known:
        raise UnknownName("suite", suite, known)
    rows = where(ws, "benchmark_definitions", suite=suite)
    found = [
        Benchmark(
            suite=suite,
            id=row.benchmark or "",
            name=row.name or row.benchmark or "",
            description=row.description or "",
            dimension=row.dimension or "",
            threshold=row.passing_threshold,
            owner=row.owner or "",
            status=row.status or ACTIVE,
            last_run_at=row.last_run_at,
            last_score=row.last_score,
            cases=tuple(json.loads(row.cases or "[]")),
            source=row.source or "",
            pointer=row.pointer or "",
            rivals=tuple(json.loads(row.rivals or "[]")),
        )
        for row in typed(ws, "benchmark_definitions", BenchmarkDefinitionRow, rows)
    ]
    return tuple(sorted(found, key=lambda each: (each.name, each.id)))


def benchmark_named(ws: Workspace, suite: str, name: str) -> Benchmark:
    """Return a benchmark by its id, else by its name; of several of one name the only active one.

    Raises:
        UnknownName: the suite has no such benchmark.
        CannotBenchmark: several have the name; the message has their ids.
    """
    every = benchmarks(ws, suite)
    own = [each for each in every if each.id == name]
    same = [each for each in every if each.name == name]
    for found in (own, [each for each in same if each.status != RETIRED], same):
        if len(found) == 1:
            return found[0]
    if same:
        ids = ", ".join(each.id for each in same)
        raise CannotBenchmark(
            f"{len(same)} benchmarks have the name {name!r}; name one by its id: {ids}."
        )
    raise UnknownName("benchmark", name, [each.name for each in every])
