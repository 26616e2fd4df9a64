"""The benchmarks of a suite as they are defined now."""

import json
from datetime import datetime
from typing import Any, NamedTuple

from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.tables.arrays import time_of
from evalcore.tables.cells import cells
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


_COLUMNS = (
    "suite", "benchmark", "name", "description", "dimension", "passing_threshold", "owner",
    "status", "last_run_at", "last_score", "cases", "source", "pointer", "rivals",
)  # fmt: skip


def benchmarks(ws: Workspace, suite: str) -> tuple[Benchmark, ...]:
    """Return the benchmarks of a suite by name, retired ones too.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = [name for (name,) in cells(ws.tables, "suites", "suite")]
    if suite not in known:
        raise UnknownName("suite", suite, known)
    rows = cells(ws.tables, "benchmark_definitions", *_COLUMNS)
    found = [_benchmark(row) for row in rows if row[0] == suite]
    return tuple(sorted(found, key=lambda each: (each.name, each.id)))


def benchmark_named(ws: Workspace, suite: str, name: str) -> Benchmark:
    """Return a benchmark by its id, else by its name; of several of one name the only active one.

    Raises:
        UnknownName: the suite has no such benchmark.
        CannotBenchmark: several have the name; the message has their ids.
    """
    every = benchmarks(ws, suite)
    for found in ([each for each in every if each.id == name], *_of_name(every, name)):
        if len(found) == 1:
            return found[0]
    same = [each.id for each in every if each.name == name]
    if same:
        raise CannotBenchmark(
            f"{len(same)} benchmarks have the name {name!r}; name one by its id: {', '.join(same)}."
        )
    raise UnknownName("benchmark", name, [each.name for each in every])


def _of_name(every: tuple[Benchmark, ...], name: str) -> tuple[list[Benchmark], list[Benchmark]]:
    same = [each for each in every if each.name == name]
    return [each for each in same if each.status != RETIRED], same


def _benchmark(row: tuple[Any, ...]) -> Benchmark:
    text = dict(zip(_COLUMNS, row, strict=True))
    when = text["last_run_at"]
    return Benchmark(
        suite=text["suite"],
        id=text["benchmark"],
        name=text["name"] or text["benchmark"],
        description=text["description"] or "",
        dimension=text["dimension"] or "",
        threshold=text["passing_threshold"],
        owner=text["owner"] or "",
        status=text["status"] or ACTIVE,
        last_run_at=None if when is None else time_of(when),
        last_score=text["last_score"],
        cases=tuple(json.loads(text["cases"] or "[]")),
        source=text["source"] or "",
        pointer=text["pointer"] or "",
        rivals=tuple(json.loads(text["rivals"] or "[]")),
    )
