"""Turn the documents of one suite of the `improve` family into rows, at once or as they change."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, SHARE, Plan, PreviousRows
from evalcore.families.improve.comparisons import read_comparisons
from evalcore.families.improve.definitions import MAX_SCORE, Definitions
from evalcore.families.improve.find import GRADING_NAME, RUN_FOLDER, RUN_PLACE, below
from evalcore.families.improve.gradings import ACROSS, UNASSIGNED, Gradings, number_of, outputs_of
from evalcore.families.improve.history import History
from evalcore.ids import run_id
from evalcore.names import slashed
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, RunRow, SuiteRow


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    definitions = Definitions(plan, rows)
    for path in plan.of("evals"):
        definitions.read(path, reader)
    name = plan.suite.rpartition("/")[2]
    if plan.suite == ".":
        name = slashed(definitions.skill or "").rstrip("/").rpartition("/")[2]
        name = name or reader.listing.root.resolve().name.removesuffix("-workspace") or "."
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=name,
            family="improve",
            root=plan.root or ".",
            skill_path=None if plan.skill_path is None else plan.skill_path or ".",
            headline=SHARE,
        )
    )
    history = History(plan, reader, rows)
    for path in plan.of("history"):
        history.read(path)
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read(plan.of("grading"))
    history.add(gradings.versions)
    if definitions.known:
        folders, seen = reader.listing.folders, set[str | None](gradings.seen)
        unread = ((None, row) for row in unread_runs(plan, gradings.unread, folders))
        for folder, row in chain(unread, ungraded_runs(plan, folders)):
            known = row.case_id in definitions.cases and row.version in history.labels
            if known and row.run_id not in seen and (folder is None or reader.has_outputs(folder)):
                seen.add(row.run_id)
                rows.add(row)
    history.add_averages(gradings.scores)
    read_comparisons(plan, reader, rows, definitions, history.labels)
    first = next(iter(plan.of("grading")), None)
    where = plan.root or "."
    if first is not None and not plan.of("evals"):
        name = where.rpartition("/")[2].removesuffix("-workspace")
        message = (
            f"No test cases were found for {where}, so it is not known what is required; a run "
            "passed where its grading says so. Looked "
            f"for evals/evals.json in {name!r} beside it and in the folders around it, in "
            "vN/skill, and for one with the same case ids."
        )
        hint = "Open the folder that holds both the skill and its workspace."
        reader.problem(first, "", "warning", "evals-not-found", message, hint, plan.suite)
    if first is not None and not plan.of("history"):
        message = f"There is no history.json in {where}; the versions are those of the gradings."
        hint = "Add a history.json that names each version."
        reader.problem(first, "", "info", "history-not-found", message, hint, plan.suite)


def ungraded_runs(plan: Plan, folders: Collection[str]) -> Iterator[tuple[str, RunRow]]:
    """Yield each folder that is named like that of a run, with its row if it has no grading yet.

    Such a run is shown, and stands outside the rates.
    """
    prefix = below(plan.root, "")
    near = (each for each in folders if "/runs/" in each and each.startswith(prefix))
    for folder in sorted(near):
        found = RUN_FOLDER.fullmatch(folder.removeprefix(prefix))
        if found is None or found["case"] is None:
            continue
        yield folder, _pending(plan, found, found["version"])._replace(outputs=folder)


def unread_runs(plan: Plan, gradings: Iterable[str], folders: Collection[str]) -> Iterator[RunRow]:
    """Yield the run of each grading that cannot be read, where its name says which it is."""
    for path in gradings:
        place = path.removeprefix(below(plan.root, ""))
        folder, _, name = place.rpartition("/")
        found = RUN_PLACE.fullmatch(place) or (folder == "grading" and GRADING_NAME.fullmatch(name))
        if found and found["case"] is not None:
            version, run = (str(number_of(found[name])) for name in ("version", "run"))
            outputs = outputs_of(plan.root, f"v{version}", found["case"], run, folders)
            waits = _pending(plan, found, f"v{version}")
            yield waits._replace(source=path, outputs=outputs)


def _pending(plan: Plan, found: re.Match[str], version: str) -> RunRow:
    """Return the row of a run without a grading that can be read."""
    case, run = found["case"], str(int(found["run"]))
    return RunRow(
        run_id=run_id(plan.suite, case, version, "-", run),
        suite=plan.suite,
        case_id=case,
        version=version,
        configuration="-",
        run=run,
        origin="grading",
        status=PENDING,
        max_score=MAX_SCORE,
    )


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
