"""Runs beside graded ones that nobody graded: they are shown, and count as not finished."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.runs import Facts, RunContext, SuiteContext, about, run_row
from evalcore.families.iterations.suite_runs import graded
from evalcore.families.iterations.timing import read_timing
from evalcore.ids import run_id

PENDING: Final = "pending"


def add_ungraded(
    folders: Sequence[Folder], context: SuiteContext, cases: Cases, facts: Iterable[Facts]
) -> None:
    """Add the runs that were timed in a folder of their own beside graded runs of their case.

    `facts` are the runs that are known: one that only a benchmark lists is there already.
    """
    known = {fact.run_id for fact in facts}
    for folder in _ungraded(folders):
        at = folder.at
        case = cases.at(at, None)
        key = run_id(context.suite, case.case_id, at.version, at.configuration, at.run)
        if key in known:
            continue
        place = RunContext(context.suite, at, case, None, rubric=False, model=None)
        timing = folder.files["timing"]
        used = read_timing(context, timing, context.node(timing, {}), about(key, place))
        context.rows.add(
            run_row(key, place, "grading")._replace(
                status=PENDING,
                started_at=used.started,
                duration_s=used.seconds,
                tokens=used.tokens,
                cost_usd=used.cost,
                source=timing,
            )
        )


def _ungraded(folders: Sequence[Folder]) -> Iterator[Folder]:
    """Yield the folders of one run that have a timing only, beside such with a grading."""
    beside = {folder.at.configuration_folder for folder in graded(folders) if _is_of_run(folder)}
    for folder in folders:
        timed = folder.files.keys() == {"timing"} and _is_of_run(folder)
        if timed and folder.at.configuration_folder in beside:
            yield folder


def _is_of_run(folder: Folder) -> bool:
    return folder.at.folder != folder.at.configuration_folder
