"""The gradings that a second process reads, and how they are put to those of the first."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.gradings import ACROSS, Gradings
from evalcore.families.parallel import Job, Split, read_runs, stands_alone
from evalcore.tables.builder import Rows


class Found(NamedTuple):
    """Versions, scores and ids of the runs of one half: see `Gradings`."""

    versions: dict[str, tuple[int | None, str]]
    scores: dict[str, dict[str, list[float]]]
    runs: list[str]


def read_gradings(plan: Plan, gradings: Gradings) -> None:
    """Read all gradings of a suite, in two processes where there are very many."""
    beside = plan._replace(files=tuple(file for file in plan.files if file[1] == "evals"))

    def join(found: Any) -> bool:
        return _join(gradings, msgspec.convert(found, Found))

    split = Split(gradings.read_all, join)
    read_runs(beside, gradings.reader, gradings.rows, plan.of("grading"), split)


def _join(gradings: Gradings, found: Found) -> bool:
    if not gradings.seen.keys().isdisjoint(found.runs):
        return False
    gradings.seen.update(dict.fromkeys(found.runs, ""))
    for label, (number, path) in found.versions.items():
        gradings.recall_version(label, number, path)
    for label, cases in found.scores.items():
        for case_id, scores in cases.items():
            gradings.recall_scores(label, case_id, scores)
    return True


def second_half(job: Job, reader: Reader, rows: Rows) -> Found | None:
    """Read gradings; None when something in them depends on the other half."""
    definitions = Definitions(job.plan, Rows())
    for path in job.plan.of("evals"):
        definitions.read(path, reader)
    reader.problems.clear()
    definitions.rows = rows
    gradings = Gradings(job.plan, reader, rows, definitions)
    paths: Sequence[str] = job.runs
    gradings.read_all(paths)
    gradings.finish()
    if not stands_alone(reader, rows, ACROSS):
        return None
    scores = {label: dict(cases) for label, cases in gradings.scores.items()}
    return Found(gradings.versions, scores, list(gradings.seen))
