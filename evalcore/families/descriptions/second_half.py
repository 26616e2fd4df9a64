"""The runs that a second process reads, and how they are put to those of the first."""

from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.families.descriptions.assign import Assigned, Assignment, Claim, Measure
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.gradings import ACROSS, Gradings
from evalcore.families.parallel import Job, Split, read_runs, stands_alone
from evalcore.tables.builder import Rows


class About(NamedTuple):
    """The entries of the benchmark, and which of them each run may be meant by."""

    claims: list[Claim]
    candidates: dict[str, list[int]]


class Found(NamedTuple):
    """What the runs of one half told: see `Gradings` and `Assignment`."""

    graded: dict[str, dict[str, Measure]]
    assigned: dict[str, Assigned]
    runs: list[str]
    ambiguous: list[str]


def read_gradings(plan: Plan, gradings: Gradings, assignment: Assignment) -> None:
    """Read all gradings of a suite, in two processes where there are very many."""
    paths = plan.of("grading")
    groups = [list(group) for _, group in groupby(paths, key=lambda path: path.rpartition("/")[0])]
    beside = plan._replace(files=tuple(file for file in plan.files if file[1] != "grading"))
    candidates = {run: list(positions) for run, positions in assignment.candidates.items()}

    def join(found: Any) -> bool:
        return _join(gradings, assignment, msgspec.convert(found, Found))

    split = Split(
        lambda some: gradings.read(some, assignment),
        join,
        About(list(assignment.claims.values()), candidates),
    )
    read_runs(beside, gradings.reader, gradings.rows, groups, split, len(paths))


def _join(gradings: Gradings, assignment: Assignment, found: Found) -> bool:
    shared = not gradings.graded.keys().isdisjoint(found.graded)
    if shared or not gradings.seen.keys().isdisjoint(found.runs):
        return False
    gradings.seen.update(dict.fromkeys(found.runs, ""))
    gradings.graded.update(found.graded)
    gradings.assigned.update(found.assigned)
    assignment.ambiguous.update(found.ambiguous)
    return True


def second_half(job: Job, reader: Reader, rows: Rows) -> Found | None:
    """Read gradings; None when something in them depends on the other half."""
    definitions = Definitions(job.plan, Rows())
    for path in job.plan.of("eval_metadata"):
        definitions.read(path, reader)
    reader.problems.clear()
    definitions.rows = rows
    about = msgspec.convert(job.about, About)
    assignment = Assignment(about.claims, about.candidates)
    gradings = Gradings(job.plan, reader, rows, definitions)
    gradings.read(msgspec.convert(job.runs, list[list[str]]), assignment)
    gradings.finish()
    if not stands_alone(reader, rows, ACROSS):
        return None
    ambiguous = sorted(assignment.ambiguous)
    return Found(gradings.graded, gradings.assigned, list(gradings.seen), ambiguous)
