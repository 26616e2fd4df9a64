"""Turn the documents of one suite of the `improve` family into rows."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, SHARE, Plan
from evalcore.families.improve.comparisons import read_comparisons
from evalcore.families.improve.definitions import MAX_SCORE, Definitions
from evalcore.families.improve.find import GRADING_NAME, RUN_FOLDER, RUN_PLACE, below
from evalcore.families.improve.gradings import Gradings, outputs_of
from evalcore.families.improve.history import History
from evalcore.families.improve.identity import number_of
from evalcore.ids import run_id
from evalcore.names import slashed
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow, SuiteRow


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    definitions = Definitions(plan, rows)
    for path in plan.of("evals"):
        definitions.read(path, reader)
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=_name(plan, reader, definitions),
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


def _name(plan: Plan, reader: Reader, definitions: Definitions) -> str:
    """Return the name of the skill: the last part of its path."""
    if plan.suite != ".":
        return plan.suite.rpartition("/")[2]
    stated = slashed(definitions.skill or "").rstrip("/").rpartition("/")[2]
    return stated or reader.listing.root.resolve().name.removesuffix("-workspace") or "."


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
