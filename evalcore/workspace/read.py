"""Read every document of a folder into rows: recognise, read suite by suite, list what is left."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from evalcore.disk.reader import MISSING, Reader
from evalcore.families import registry
from evalcore.families.base import Finder, Loose, Plan
from evalcore.families.reviews.finding import is_unfinished, note_stray
from evalcore.families.reviews.review import is_written_here
from evalcore.layouts.iterations import suite_above
from evalcore.layouts.shapes import content_of, holds_scores, looks_like_evaluation, stated_in
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ProblemRow
from evalcore.workspace.reviews import add_reviews


def read_all(reader: Reader, rows: Rows) -> list[str]:
    """Add the rows of every document; return the paths that look like one but fit nowhere."""
    with no_gc():
        # What it held, rows among it, is gone before the collector looks again.
        return _read_all(reader, rows)


def _read_all(reader: Reader, rows: Rows) -> list[str]:
    plans, loose = find_suites(reader)
    for plan in plans:
        before = len(reader.problems)
        registry.family(plan.family).read(plan, reader, rows)
        _name_suite(reader.problems, before, plan.suite)
    taken = {path for plan in plans for path, _ in plan.files}
    left = {path: loose.get(path, MISSING) for path in reader.listing.paths if path not in taken}
    taken |= add_reviews(left, reader, rows)
    lost = _unrecognised(reader, taken, loose, plans)
    if plans:
        _note_part(reader)
    for problem in reader.problems:
        rows.add(ProblemRow(*problem))
    rows.flush()
    return lost


def _note_part(reader: Reader) -> None:
    """Say where else judgments that are stored here count, if only a part of a suite is open."""
    suite = suite_above(reader.root)
    if suite is not None:
        name = suite.rpartition("/")[2]
        reader.problem(
            ".",
            "",
            "info",
            "part-of-a-suite",
            f"This is a part of {name!r}: judgments stored here are read there too.",
            f"Open {name!r} to see all of its runs.",
        )


def find_suites(reader: Reader) -> tuple[list[Plan], Loose]:
    """Return what each family claims, the first to claim a file, and the other files' values."""
    plans: list[Plan] = []
    taken: set[str] = set()
    for find in _finders(by_content=False):
        _claim(find(reader, {}), plans, taken)
    loose = _loose(reader, taken)
    left = dict.fromkeys(each.find_left for each in registry.FAMILIES if each.find_left)
    for find in (*_finders(by_content=True), *left):
        others = {path: value for path, value in loose.items() if path not in taken}
        _claim(find(reader, others), plans, taken)
    return plans, loose


def _finders(*, by_content: bool) -> Iterable[Finder]:
    """Return the finders of the families of one kind, one that several share only once."""
    chosen = (each for each in registry.FAMILIES if each.by_content == by_content)
    return dict.fromkeys(each.find for each in chosen)


def _claim(found: list[Plan], plans: list[Plan], taken: set[str]) -> None:
    for plan in found:
        mine = tuple((path, kind) for path, kind in plan.files if path not in taken)
        taken.update(path for path, _ in mine)
        if mine or (plan.found and not plan.files):  # outputs alone may be a suite
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
        if path.endswith(".jsonl"):
            values[path] = [item for _, item in reader.jsonl(path)]
        elif (value := reader.json(path)) is not MISSING:
            values[path] = value
            reader.hold(path, value)
    return values


def _unrecognised(
    reader: Reader, taken: set[str], loose: Loose, plans: Sequence[Plan]
) -> list[str]:
    lost = []
    names = frozenset[str]().union(*(each.file_names for each in registry.FAMILIES))
    shapes = [shape for each in registry.FAMILIES for shape in each.shapes]
    for path in reader.listing.paths:
        if path in taken:
            continue
        if is_written_here(loose.get(path)):
            lost.append(path)
            note_stray(reader, path)
            continue
        if not looks_like_evaluation(path, loose.get(path), names, shapes):
            _note_unread(reader, path, loose.get(path), plans)
            continue
        lost.append(path)
        if path not in loose:
            continue  # it could not be read, which is its one problem
        reader.problem(
            path,
            "",
            "warning",
            "unrecognised",
            _misplaced(told := _advice(path, loose[path], plans)),
            told,
        )
    return lost


def _misplaced(told: str) -> str:
    """Return what is wrong with an evaluation document that was not read, given its advice."""
    where = told.startswith("To have")
    what = "is in a place where none is expected" if where else "cannot be read as one"
    return f"This looks like an evaluation document, but it {what}."


def _note_unread(reader: Reader, path: str, value: Any, plans: Sequence[Plan]) -> None:
    """Note what a file of no known kind holds, if that is something evaluated."""
    if holds_scores(value):
        reader.problem(
            path,
            "",
            "info",
            "scores-unread",
            "This states scores in a format that is not read.",
            _advice(path, value, plans),
        )
    elif (stated := stated_in(value)) is not None:
        reader.problem(
            path,
            "",
            "info",
            "scores-unread",
            f"This states {stated.name!r} in a format that is not read.",
            _advice(path, value, plans),
        )
    elif (content := content_of(value)) is not None:
        where = f" in {content.name!r}" if content.name else ""
        reader.problem(
            path,
            "",
            "info",
            "not-read",
            f"This holds {content.words}{where}, in a format that is not read.",
            _advice(path, value, plans),
        )


def _advice(path: str, value: Any, plans: Sequence[Plan]) -> str:
    """Return the nearest place where a document would be read, or what it lacks."""
    found = (each.advice(path, value, plans) for each in registry.FAMILIES)
    own = next(filter(None, found), None)
    return own or "docs/families.md says where each kind of document belongs and what it contains."


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
