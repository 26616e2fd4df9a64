"""The runs that a second process reads, and how they are put to those of the first."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from evalcore.disk.reader import Reader
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases, Met
from evalcore.families.iterations.checks import KIND
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.runs import Facts, SuiteContext
from evalcore.families.iterations.suite_runs import SuiteRuns
from evalcore.families.parallel import Job, Split, read_runs, stands_alone
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CriterionRow

_ACROSS = frozenset({"copied-run", "duplicate-run", "same-place"})
"""Problems of a run that depend on the runs before."""


class CaseFound(NamedTuple):
    """A test case with its criteria, and wording to criterion, as one half of the runs left it."""

    case_id: str
    criteria: list[CriterionRow]
    alias: dict[str, str]


class Found(NamedTuple):
    """What the runs of one half told: see `SuiteRuns`, `SuiteContext` and `Cases`."""

    facts: list[Facts]
    runs: list[tuple[str, ...]]
    judged: dict[str, int]
    met: list[Met]
    cases: list[CaseFound]


def read_all(runs: SuiteRuns, folders: Sequence[Folder]) -> list[Facts]:
    """Read the runs in these folders, in two processes where there are very many."""
    facts: list[Facts] = []

    def read(some: Sequence[Folder]) -> None:
        facts.extend(runs.read(some))

    def join(found: Any) -> bool:
        half = msgspec.convert(found, Found)
        if not _join(runs, half):
            return False
        facts.extend(half.facts)
        return True

    files = runs.plan.files
    beside = runs.plan._replace(files=tuple(file for file in files if file[1] in _BESIDE))
    split = Split(read, join, {each: runs.model(each) for each in _versions(folders)})
    read_runs(beside, runs.context.reader, runs.context.rows, folders, split)
    return facts


_BESIDE = frozenset({"evals", "eval_metadata", "timing"})


def _versions(folders: Iterable[Folder]) -> list[str]:
    return list(dict.fromkeys(folder.at.version for folder in folders))


def _join(runs: SuiteRuns, half: Found) -> bool:
    """Take in what the other half told; False where it would have read it otherwise after this."""
    cases = runs.cases
    if not runs.registry.known.keys().isdisjoint(half.runs):
        return False
    before = {case.case_id: list(case.criteria) for case in cases.by_id.values()}
    for met in half.met:
        if cases.at(met.place, {"eval_id": met.eval_id}).case_id != met.case_id:
            return False
    if not all(_agree(cases.by_id.get(found.case_id), found) for found in half.cases):
        return False
    for found in half.cases:
        _learn(cases.by_id[found.case_id], found, before.get(found.case_id, []))
    runs.context.judged.update(half.judged)
    return True


def _agree(case: Case | None, found: CaseFound) -> bool:
    """Say whether each wording stands for the same criterion here."""
    return case is not None and all(
        case.meant(KIND, text) == known for text, known in found.alias.items()
    )


def _learn(case: Case, found: CaseFound, before: list[tuple[str, str]]) -> None:
    """Add the criteria that the other half met, in the order in which they came up."""
    known = {(str(row.kind), str(row.criterion)): row for row in found.criteria}
    order = dict.fromkeys((*before, *known, *case.criteria))
    known.update(case.criteria)
    case.criteria = {key: known[key] for key in order}
    for text, label in found.alias.items():
        case.alias.setdefault(text, label)


def second_half(job: Job, reader: Reader, rows: Rows) -> Found | None:
    """Read the runs in some folders; None when something in them depends on the other half."""
    folders = msgspec.convert(job.runs, list[Folder])
    if any("run_config" in folder.files for folder in folders):
        return None
    cases = Cases(job.plan, reader)
    reader.problems.clear()
    models = msgspec.convert(job.about, dict[str, str | None])
    runs = SuiteRuns(job.plan, SuiteContext(reader, rows, job.plan.suite), cases, models.get)
    facts = runs.read(folders)
    if not stands_alone(reader, rows, _ACROSS):
        return None
    own = {path for folder in folders for path in folder.files.values()}
    reader.problems[:] = [problem for problem in reader.problems if problem.path in own]
    found = [
        CaseFound(case.case_id, list(case.criteria.values()), case.alias)
        for case in cases.by_id.values()
    ]
    return Found(facts, list(runs.registry.known), runs.context.judged, cases.met, found)
