"""Read every document of a folder into rows: recognise, read suite by suite, list what is left."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import product
from typing import Final

from evalcore.disk.archives import ARCHIVES
from evalcore.disk.head import read_head
from evalcore.disk.listing import RUN_DOCUMENTS, TRANSCRIPT
from evalcore.disk.reader import MISSING, Reader
from evalcore.errors import PathOutside
from evalcore.families import registry
from evalcore.families.base import Advice, ClaimedFile, Finder, Loose, Plan, is_review, suite_id
from evalcore.families.reviews.review import is_unfinished, is_written_here, note_stray
from evalcore.layouts.iterations import suite_above
from evalcore.layouts.shapes import Document, looks_like_evaluation, names_evaluation
from evalcore.problems import FEW, Problem
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ProblemRow
from evalcore.workspace.reviews import add_reviews

BEGINNING: Final = 4096
"""So many bytes of a file that is no JSON are looked at for the fields of an evaluation."""


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
    left = {
        path: loose[path].value if path in loose else MISSING
        for path in reader.listing.paths
        if path not in taken
    }
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
    """Return what each family claims, the first to claim a file, and the other files parsed."""
    plans: list[Plan] = []
    taken: set[str] = set()
    for find in _finders(by_content=False):
        _claim(find(reader, {}), plans, taken)
    _claim_placed(reader.listing.paths, plans, taken)
    loose = _loose(reader, taken)
    left = dict.fromkeys(each.find_left for each in registry.FAMILIES if each.find_left)
    for find in (*_finders(by_content=True), *left):
        others = {path: each for path, each in loose.items() if path not in taken}
        _claim(find(reader, others), plans, taken)
    _claim_placed(reader.listing.paths, plans, taken)
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


def _claim_placed(paths: Iterable[str], plans: list[Plan], taken: set[str]) -> None:
    """Give a file that nobody took to the suite of which its path is a document's own.

    Whatever it lacks, it is that document, and its reader says what is missing.
    """
    suites = {(plan.family, suite_id(plan.root)): at for at, plan in enumerate(plans)}
    here = {family for family, _ in suites}
    families = [each for each in registry.FAMILIES if each.placed and each.name in here]
    found: dict[int, list[ClaimedFile]] = defaultdict(list)
    for family, path in product(families, paths):
        place = family.placed(path) if family.placed and path not in taken else None
        at = suites.get((family.name, suite_id(place[0]))) if place is not None else None
        if place is not None and at is not None:
            taken.add(path)
            found[at].append((path, place[1]))
    for at, files in found.items():
        plans[at] = plans[at]._replace(files=tuple(sorted([*plans[at].files, *files])))


def _free_id(plan: Plan, plans: list[Plan]) -> str:
    """Return the suite's id; one skill evaluated in two families is two suites."""
    if all(plan.suite != other.suite for other in plans):
        return plan.suite
    named = f"{plan.suite} ({plan.family})"
    return named if all(named != other.suite for other in plans) else f"{named} {plan.root}"


def _loose(reader: Reader, taken: set[str]) -> Loose:
    """Parse the files that no path rule claimed; broken ones are noted and left out.

    The transcript beside a run's documents is none: it may be many times larger than all of them,
    and is read when somebody asks for its steps.
    """
    found: dict[str, Document] = {}
    named = (path.rpartition("/") for path in taken)
    of_runs = {folder for folder, _, name in named if name in RUN_DOCUMENTS}
    for path in reader.listing.paths:
        folder, _, name = path.rpartition("/")
        is_transcript = folder in of_runs and TRANSCRIPT.fullmatch(name) is not None
        if path in taken or is_transcript or is_unfinished(path) or path.endswith(ARCHIVES):
            continue
        if path.endswith(".jsonl"):
            lines = reader.jsonl(path)
            found[path] = Document([value for _, value in lines], [line for line, _ in lines])
        elif (value := reader.json(path)) is not MISSING:
            found[path] = Document(value)
            reader.hold(path, value)
    return found


def _unrecognised(
    reader: Reader, taken: set[str], loose: Loose, plans: Sequence[Plan]
) -> list[str]:
    lost, others = [], set[str]()
    broken = {problem.path for problem in reader.problems if problem.severity == "error"}
    names = frozenset[str]().union(*(each.file_names for each in registry.FAMILIES))
    shapes = [shape for each in registry.FAMILIES for shape in each.shapes]
    for path in reader.listing.paths:
        if path in taken:
            continue
        document = loose.get(path)
        if document is not None and is_written_here(document.value):
            lost.append(path)
            note_stray(reader, path)
            continue
        if not looks_like_evaluation(path, document, names, shapes):
            noted = document is not None and _note_unread(reader, path, document, plans)
            expected = path in broken and (is_review(path) or _may_be_one(reader, path, shapes))
            if not noted and not expected:
                others.add(path)
            continue
        lost.append(path)
        if document is None:
            continue  # it could not be read, which is its one problem
        told = _advice(path, document, plans)
        why = "is in a place where none is expected" if told.misplaced else "cannot be read as one"
        said = f"This looks like an evaluation document, but it {why}."
        reader.problem(path, "", "warning", "unrecognised", said, told.step)
    _leave_alone(reader, others)
    return lost


def _may_be_one(reader: Reader, path: str, shapes: Iterable[Set[str]]) -> bool:
    """Return whether a file that is no JSON has fields of an evaluation near its beginning.

    It may have if it cannot even be looked at.
    """
    try:
        head = read_head(reader.listing.root, path, BEGINNING).data
    except (OSError, PathOutside):
        return True
    # In UTF-16 every other byte is zero.
    return names_evaluation(head.replace(b"\0", b"").decode("utf-8", "replace"), shapes)


def _leave_alone(reader: Reader, paths: Set[str]) -> None:
    """Take back the faults of files that are no evaluations, and name the broken ones in a note."""
    left = reader.forget(paths)
    if left:
        several = f"There are {len(left):,} files like this, such as {', '.join(left[:FEW])}."
        reader.problem(
            left[0],
            "",
            "info",
            "left-alone",
            "This cannot be read as JSON, and nothing in its name, its place or its beginning says "
            f"that it is an evaluation document. {several if len(left) > 1 else ''}".rstrip(),
            "Nothing to do, unless it should be an evaluation document.",
        )


def _note_unread(reader: Reader, path: str, document: Document, plans: Sequence[Plan]) -> bool:
    """Note what a file of no known kind holds; False where that is nothing evaluated."""
    if document.holds_scores:
        code, what = "scores-unread", "states scores"
    elif document.stated is not None:
        code, what = "scores-unread", f"states {document.stated.name!r}"
    elif (content := document.content) is not None:
        where = f" in {content.name!r}" if content.name else ""
        code, what = "not-read", f"holds {content.words}{where},"
    else:
        return False
    said = f"This {what} in a format that is not read."
    reader.problem(path, "", "info", code, said, _advice(path, document, plans).step)
    return True


def _advice(path: str, document: Document, plans: Sequence[Plan]) -> Advice:
    """Return the nearest place where a document would be read, or what it lacks."""
    found = (each.advice(path, document, plans) for each in registry.FAMILIES)
    elsewhere = "docs/families.md says where each kind of document belongs and what it contains."
    return next(filter(None, found), Advice(elsewhere))


def _name_suite(problems: list[Problem], start: int, suite: str) -> None:
    """Give the problems met while reading one suite that suite's name."""
    problems[start:] = [p if p.suite else Problem(*p[:-1], suite) for p in problems[start:]]


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
