"""Update the rows of changed gradings, using the previous rows of the others."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan, PreviousRows
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.find import GRADING_NAME, RUN_FOLDER, below
from evalcore.families.improve.gradings import ACROSS, Gradings
from evalcore.families.improve.history import Average, History
from evalcore.families.improve.identity import UNASSIGNED
from evalcore.families.improve.read import add_versions
from evalcore.families.improve.ungraded import ungraded_places
from evalcore.ids import run_id
from evalcore.tables.builder import Rows

if TYPE_CHECKING:
    import pandas as pd

_GRADING: Final = re.compile(r"(?:(?P<root>.*)/)?grading/(?P<name>[^/]*)", re.DOTALL)


def root_of(path: str) -> str | None:
    """Return the workspace of a grading with a standard name; None for any other file."""
    found = _GRADING.fullmatch(path)
    if found is None or GRADING_NAME.fullmatch(found["name"]) is None:
        return None
    return found["root"] or ""


def folders_of(path: str) -> list[str]:
    """Return the folders of the version and of the outputs of a grading with this name."""
    root, found = root_of(path), GRADING_NAME.fullmatch(path.rpartition("/")[2])
    if root is None or found is None:
        return []
    version = below(root, f"v{found['version']}")
    runs, run = f"{version}/runs", f"run-{found['run']}"
    case = f"{runs}/{found['case']}"
    return [version, f"{version}/skill", runs, f"{runs}/{run}", case, f"{case}/{run}"]


def update(plan: Plan, reader: Reader, rows: Rows, previous: PreviousRows) -> bool:
    """Add the rows of changed gradings and of what depends on them; False if that is not all."""
    before = len(reader.problems)
    if _produced_anew(plan, previous):
        return False
    definitions = Definitions(plan, rows)
    gradings = Gradings(plan, reader, rows, definitions)
    paths = plan.of("grading")
    _recall_cases(definitions, previous, {_case_of(path): path for path in reversed(paths)})
    for path in paths:
        gradings.read(path)
    if len(rows.tables["cases"]) or len(rows.tables["criteria"]):
        return False
    if _has_any(previous.runs["run_id"], gradings.seen):
        return False
    if _lacks(plan, previous, gradings.seen, reader.listing.folders):
        return False
    history = History(plan, reader, rows)
    for path in plan.of("history"):
        history.read(path)
    touched = {*gradings.scores, *map(str, previous.gone["version"])}
    if not _recall_runs(gradings, previous, touched, set(paths)):
        return False
    gradings.finish()
    add_versions(history, gradings)
    history.averages(gradings.scores, _averages(previous, touched))
    if set(history.labels) != set(previous.versions["version"]):
        return False
    return not any(problem.code in ACROSS for problem in reader.problems[before:])


def _produced_anew(plan: Plan, previous: PreviousRows) -> bool:
    """Return whether an output folder of an unchanged run was added or removed."""
    prefix = f"{plan.root}/" if plan.root else ""
    found = (RUN_FOLDER.fullmatch(folder.removeprefix(prefix)) for folder in previous.folders)
    runs = previous.runs
    for place in filter(None, found):
        same = (runs["version"] == place["version"]) & (runs["run"] == place["run"])
        if place["case"] is not None:
            same &= runs["case_id"] == place["case"]
        if bool(same.any()):
            return True
    return False


def _lacks(
    plan: Plan, previous: PreviousRows, seen: Container[str], folders: frozenset[str]
) -> bool:
    """Return whether there may be a run without a grading that was not there before.

    Its outputs are new, or its grading is gone; `folders` are all that are there.
    """
    places = ungraded_places(plan, previous.folders & folders)
    new = [run_id(plan.suite, case, version, "-", run) for _, (case, version, run) in places]
    produced = previous.gone.loc[previous.gone["outputs"].isin(folders), "run_id"]
    return any(key not in seen for key in (*new, *map(str, produced)))


def _recall_cases(definitions: Definitions, previous: PreviousRows, first: dict[str, str]) -> None:
    """Restore the known criteria of cases whose gradings changed.

    `first` is the first changed grading of each case. One that comes before the grading which told
    something of a case would tell it itself: such a case is left as unknown.
    """
    cases = previous.cases.loc[previous.cases["case_id"].isin(first)]
    criteria = previous.criteria.loc[previous.criteria["case_id"].isin(first)].sort_values(
        "position"
    )
    for case_id, source in zip(cases["case_id"], cases["source"], strict=True):
        mine = criteria.loc[criteria["case_id"] == case_id]
        tellers = {str(source), *map(str, mine["source"])}
        if any(root_of(path) is not None and path >= first[case_id] for path in tellers):
            continue
        checked = mine.loc[mine["kind"] == "expectation"]
        names = zip(checked["criterion"], checked["required"], checked["source"], strict=True)
        expected: dict[str, bool | None] = {}
        extra: set[str] = set()
        for name, required, defined_in in names:
            if root_of(str(defined_in)) is None:
                expected[name] = bool(required) if isinstance(required, (bool, np.bool_)) else None
            else:
                extra.add(name)
        defined = root_of(str(source)) is None
        definitions.add(case_id, expected, decided=defined).extra.update(extra)
        definitions.recall(defined, case_id, mine.loc[mine["kind"] == "convention", "criterion"])


def _recall_runs(
    gradings: Gradings, previous: PreviousRows, touched: set[str], changed: set[str]
) -> bool:
    """Restore the totals of unchanged gradings; False if a version's first grading has changed."""
    first = dict(zip(previous.versions["version"], previous.versions["source"], strict=True))
    if any(str(first.get(label)) in changed for label in touched):
        return False
    for label in previous.runs["version"].cat.remove_unused_categories().cat.categories:
        number = int(label[1:]) if label != UNASSIGNED else None
        gradings.recall_version(label, number, str(first.get(label)))
    affected = previous.runs.loc[previous.runs["version"].isin(touched)]
    for (label, case_id), scores in _scores(affected).items():
        gradings.recall_scores(label, case_id, scores)
    return True


def _scores(runs: pd.DataFrame) -> dict[tuple[str, str], list[float]]:
    """Return the scores of runs by version and case."""
    versions, cases = runs["version"].cat, runs["case_id"].cat
    width = len(cases.categories)
    group = versions.codes.to_numpy(np.int64) * width + cases.codes.to_numpy(np.int64)
    order = np.argsort(group, kind="stable")
    labels, names = versions.categories.to_list(), cases.categories.to_list()
    found: dict[tuple[str, str], list[float]] = {}
    scores = runs["score"].to_numpy()[order].tolist()
    for place, score in zip(group[order].tolist(), scores, strict=True):
        version, case = divmod(place, width)
        if score == score:  # noqa: PLR0124 - NaN is a run without a score
            found.setdefault((labels[version], names[case]), []).append(score)
    return found


def _averages(previous: PreviousRows, touched: Iterable[str]) -> dict[str, Average]:
    """Return the averages of the versions without changed gradings."""
    rows = previous.benchmarks.loc[
        (previous.benchmarks["origin"] == "computed")
        & ~previous.benchmarks["version"].isin(list(touched))
    ]
    columns = (rows[name].tolist() for name in Average._fields)
    return dict(
        zip(map(str, rows["version"]), map(Average._make, zip(*columns, strict=True)), strict=True)
    )


def _case_of(path: str) -> str:
    found = GRADING_NAME.fullmatch(path.rpartition("/")[2])
    return found["case"] if found else ""


def _has_any(run_ids: pd.Series, wanted: Iterable[str]) -> bool:
    looked_for = set(wanted)
    known = run_ids.cat.categories.to_list()
    codes = [code for code, word in enumerate(known) if word in looked_for]
    return bool(np.isin(run_ids.cat.codes.to_numpy(), codes).any())
