"""Read every document of a folder into rows: recognise, read suite by suite, list what is left."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from evalcore.disk.reader import MISSING, Reader
from evalcore.families import descriptions, improve, iterations, records
from evalcore.families.base import Family, Loose, Plan
from evalcore.families.reviews.finding import is_unfinished, is_written_here, note_stray
from evalcore.layouts.shapes import holds_scores, looks_like_evaluation
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ProblemRow
from evalcore.workspace.reviews import read_beside

BY_PATH: tuple[Family, ...] = (improve.FAMILY, descriptions.FAMILY, iterations.FAMILY)
BY_CONTENT: tuple[Family, ...] = (records.FAMILY,)


def read_all(reader: Reader, rows: Rows) -> list[str]:
    """Add the rows of every document; return the paths that look like one but fit nowhere."""
    with no_gc():
        plans, loose = find_suites(reader)
        readers = {family.name: family.read for family in (*BY_PATH, *BY_CONTENT)}
        readers["rubric"] = iterations.FAMILY.read
        for plan in plans:
            before = len(reader.problems)
            readers[plan.family](plan, reader, rows)
            _name_suite(reader.problems, before, plan.suite)
        taken = {path for plan in plans for path, _ in plan.files}
        left = {path: loose.get(path, MISSING) for path in reader.listing.paths
                if path not in taken}  # fmt: skip
        taken |= read_beside(left, reader, rows)
        lost = _unrecognised(reader, taken, loose)
        for problem in reader.problems:
            rows.add(ProblemRow(*problem))
    return lost


def find_suites(reader: Reader) -> tuple[list[Plan], Loose]:
    """Return what each family claims, the first to claim a file, and the other files' values."""
    plans: list[Plan] = []
    taken: set[str] = set()
    for family in BY_PATH:
        _claim(family.find(reader, {}), plans, taken)
    loose = _loose(reader, taken)
    for family in BY_CONTENT:
        _claim(family.find(reader, loose), plans, taken)
    return plans, loose


def _claim(found: list[Plan], plans: list[Plan], taken: set[str]) -> None:
    for plan in found:
        mine = tuple((path, kind) for path, kind in plan.files if path not in taken)
        taken.update(path for path, _ in mine)
        if mine:
            plans.append(plan._replace(files=mine, suite=_free_id(plan, plans)))


def _free_id(plan: Plan, plans: list[Plan]) -> str:
    """Return the suite's id; one skill evaluated in two families is two suites."""
    if all(plan.suite != other.suite for other in plans):
        return plan.suite
    named = f"{plan.suite} ({plan.family})"
    return named if all(named != other.suite for other in plans) else f"{named} {plan.root}"


def _loose(reader: Reader, taken: set[str]) -> dict[str, Any]:
    """Parse the files that no path rule claimed; broken ones are noted and left out."""
    values: dict[str, Any] = {}
    for path in reader.listing.paths:
        if path in taken or is_unfinished(path):
            continue
        value = (
            [item for _, item in reader.jsonl(path)]
            if path.endswith(".jsonl")
            else reader.json(path)
        )
        if value is not MISSING:
            values[path] = value
    return values


def _unrecognised(reader: Reader, taken: set[str], loose: Loose) -> list[str]:
    lost = []
    for path in reader.listing.paths:
        if path in taken:
            continue
        if is_written_here(loose.get(path)):
            lost.append(path)
            note_stray(reader, path)
            continue
        if not looks_like_evaluation(path, loose.get(path)):
            if holds_scores(loose.get(path)):
                _note_scores(reader, path)
            continue
        lost.append(path)
        if path not in loose:
            continue  # it could not be read, which is its one problem
        reader.problem(
            path, "", "warning", "unrecognised",
            "This looks like an evaluation document, but it lies where none is expected.",
            "Compare its place with docs/families.md and move it there.",
        )  # fmt: skip
    return lost


def _note_scores(reader: Reader, path: str) -> None:
    reader.problem(
        path, "", "info", "scores-unread",
        "This lists runs with scores in a form of its own, which is not read.",
        "To see them among the runs, write them as a benchmark.json: docs/families.md says how.",
    )  # fmt: skip


def _name_suite(problems: list[Problem], start: int, suite: str) -> None:
    """Give the problems met while reading one suite that suite's name."""
    problems[start:] = [p if p.suite else p._replace(suite=suite) for p in problems[start:]]


@contextmanager
def no_gc() -> Iterator[None]:
    """Hold the cyclic collector while millions of small values are made, none in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
