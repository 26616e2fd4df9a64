"""Runs that were made and not graded yet: they are shown, and stand outside the rates."""

from collections.abc import Collection, Container, Iterator

from evalcore.disk.outputs import holds_outputs
from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, Plan
from evalcore.families.improve.definitions import MAX_SCORE
from evalcore.families.improve.find import RUN_FOLDER
from evalcore.ids import run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow


def add_ungraded(
    plan: Plan,
    reader: Reader,
    rows: Rows,
    cases: Container[str],
    versions: Container[str],
    graded: Collection[str],
) -> None:
    """Add the runs in `vN/runs/<case>/run-R` of known cases and versions that have no grading.

    `graded` are the ids of the runs that have one.
    """
    for folder, (case, version, run) in ungraded_places(plan, reader.listing.folders):
        key = run_id(plan.suite, case, version, "-", run)
        if (
            case in cases
            and version in versions
            and key not in graded
            and holds_outputs(reader.listing.root, folder)
        ):
            rows.add(
                RunRow(
                    run_id=key,
                    suite=plan.suite,
                    case_id=case,
                    version=version,
                    configuration="-",
                    run=run,
                    origin="grading",
                    status=PENDING,
                    max_score=MAX_SCORE,
                    outputs=folder,
                )
            )


def ungraded_places(
    plan: Plan, folders: Collection[str]
) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield the folders of runs that are named as documented: case, version and run of each."""
    prefix = f"{plan.root}/" if plan.root else ""
    near = (each for each in folders if "/runs/" in each and each.startswith(prefix))
    for folder in sorted(near):
        found = RUN_FOLDER.fullmatch(folder.removeprefix(prefix))
        if found is not None and found["case"] is not None:
            yield folder, (found["case"], found["version"], str(int(found["run"])))
