"""Update the rows of changed gradings, using the previous rows of the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan, PreviousRows
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.find import GRADING_NAME, RUN_FOLDER, below
from evalcore.families.improve.gradings import ACROSS, Gradings
from evalcore.families.improve.history import History
from evalcore.families.improve.identity import UNASSIGNED
from evalcore.families.improve.read import ungraded_runs, unread_runs
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow


def root_of(path: str) -> str | None:
    """Return the workspace of a grading with a standard name; None for any other file."""
    folder, _, name = path.rpartition("/")
    is_usual = f"/{folder}".endswith("/grading") and GRADING_NAME.fullmatch(name)
    return folder.removesuffix("grading").removesuffix("/") if is_usual else None


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
    runs, gone, folders = previous.runs, previous.gone, reader.listing.folders
    for folder in previous.folders:
        place = RUN_FOLDER.fullmatch(folder.removeprefix(below(plan.root, "")))
        if place is None:
            continue
        same = (runs["version"] == place["version"]) & (runs["run"] == place["run"])
        if place["case"] is not None:
            same &= runs["case_id"] == place["case"]
        if same.any():  # the outputs of an unchanged run came or went
            return False
    definitions = Definitions(plan, rows)
    paths = plan.of("grading")
    _recall_cases(definitions, previous, paths)
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read(paths)
    # What these gradings tell of cases, and runs that others have too, concern the others.
    if len(rows.tables["cases"]) or len(rows.tables["criteria"]):
        return False
    if any(problem.code in ACROSS for problem in reader.problems[before:]):
        return False
    if runs["run_id"].isin(list(gradings.seen)).any():
        return False
    # A run may now be without a grading: its outputs are new, or its grading is gone.
    new = [row.run_id for _, row in ungraded_runs(plan, previous.folders & folders)]
    left = gone.loc[gone["outputs"].isin(list(folders)), "run_id"]
    waiting = {row.run_id: row for row in unread_runs(plan, gradings.unread, folders)}
    if not {*new, *left} <= gradings.seen.keys() | waiting.keys():
        return False
    for key, waits in waiting.items():
        is_known = definitions.known and waits.case_id in definitions.cases
        if not is_known or key in gradings.seen or (runs["run_id"] == key).any():
            return False
        rows.add(waits)
    touched = {*gradings.scores, *map(str, gone["version"])}
    versions = previous.versions
    sources = dict(zip(versions["version"], map(str, versions["source"]), strict=True))
    if any(sources.get(label) in paths for label in touched):
        return False  # another grading may now be the first that names the version
    for label in runs["version"].cat.remove_unused_categories().cat.categories:
        number = int(label[1:]) if label != UNASSIGNED else None
        own = number, sources.get(label, "")
        gradings.versions[label] = min(own, gradings.versions.get(label, own))
    scored = runs.loc[runs["version"].isin(touched)].dropna(subset=["score"])
    for label, case_id, score in zip(
        scored["version"], scored["case_id"], scored["score"], strict=True
    ):
        gradings.scores.setdefault(label, {}).setdefault(case_id, []).append(score)
    history = History(plan, reader, rows)
    for path in plan.of("history"):
        history.read(path)
    history.add(gradings.versions)
    if any(waits.version not in history.labels for waits in waiting.values()):
        return False
    benchmarks = previous.benchmarks
    is_kept = (benchmarks["origin"] == "computed") & ~benchmarks["version"].isin(list(touched))
    names = ("mean", "median", "stddev", "min", "max", "n")
    columns = [benchmarks.loc[is_kept, name].tolist() for name in ("version", *names)]
    known: dict[str, BenchmarkRow] = {}
    for label, *statistics in zip(*columns, strict=True):
        row = BenchmarkRow(plan.suite, label, "-", metric="average_score", origin="computed")
        known[label] = row._replace(**dict(zip(names, statistics, strict=True)))
    history.add_averages(gradings.scores, known)
    return set(history.labels) == set(previous.versions["version"])


def _recall_cases(definitions: Definitions, previous: PreviousRows, paths: Sequence[str]) -> None:
    """Restore what was told of the cases whose gradings changed.

    A changed grading that comes before the one which told something of a case would tell it itself:
    such a case is left as unknown.
    """
    first: dict[str, str] = {}
    for path in paths:
        if found := GRADING_NAME.fullmatch(path.rpartition("/")[2]):
            first.setdefault(found["case"], path)
    criteria = previous.criteria.loc[previous.criteria["case_id"].isin(list(first))]
    criteria = criteria.sort_values("position")
    cases = previous.cases.loc[previous.cases["case_id"].isin(list(first))]
    for case_id, source in zip(cases["case_id"], cases["source"], strict=True):
        mine = criteria.loc[criteria["case_id"] == case_id]
        told_by = {path for path in (source, *mine["source"]) if root_of(str(path)) is not None}
        if any(path >= first[case_id] for path in told_by):
            continue
        expected: dict[str, bool | None] = {}
        extra: set[str] = set()
        conventions: set[str] = set()
        listed = zip(mine["kind"], mine["criterion"], mine["required"], mine["source"], strict=True)
        for kind, name, required, path in listed:
            if kind == "convention":
                conventions.add(name)
            elif path in told_by:
                extra.add(name)
            else:
                expected[name] = bool(required) if isinstance(required, bool | np.bool_) else None
        is_defined = source not in told_by
        case = definitions.add(case_id, expected, is_defined and None not in expected.values())
        case.extra.update(extra)
        case.conventions.update(conventions)
        definitions.known |= is_defined
