"""Runs that nobody graded yet: they are shown with their outputs, and stand outside the rates."""

from collections.abc import Iterable, Iterator, Sequence

from evalcore.disk.outputs import holds_outputs
from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.runs import (
    NOTHING,
    Facts,
    RunContext,
    SuiteContext,
    about,
    run_row,
)
from evalcore.families.iterations.suite_runs import graded
from evalcore.families.iterations.timing import read_timing
from evalcore.ids import run_id
from evalcore.layouts.iterations import CONFIGURATIONS, ITERATION, RunLocation, run_location
from evalcore.shapes.judge import UNNAMED


def add_ungraded(
    folders: Sequence[Folder],
    unread: Sequence[Folder],
    context: SuiteContext,
    cases: Cases,
    facts: Iterable[Facts],
) -> set[str]:
    """Add the runs that were timed in a folder of their own, and return their versions.

    They lie beside graded runs of their case, or exactly where the layout has a run, with what it
    was asked and what it produced. A folder with outputs and no document, or with a grading that
    cannot be read (`unread`), is a run too where the case was graded in that configuration, in any
    version. `facts` are the runs that are known: one that only a benchmark lists is there already.
    """
    known, versions = {fact.run_id for fact in facts}, set[str]()
    for folder in _ungraded(folders, unread, context.reader, cases):
        at = folder.at
        case = cases.at(at, None)
        key = run_id(context.suite, case.case_id, at.version, at.configuration, at.run)
        if key in known:
            continue
        known.add(key)
        versions.add(at.version)
        place = RunContext(context.suite, at, case, UNNAMED, rubric=False, model=None)
        timing = folder.files.get("timing")
        node = context.node(timing or "", {})
        used = read_timing(context, timing, node, about(key, place)) if timing else NOTHING
        context.rows.add(
            run_row(key, place, "grading")._replace(
                status=PENDING,
                started_at=used.started,
                duration_s=used.seconds,
                tokens=used.tokens,
                cost_usd=used.cost,
                outputs=_outputs(context.reader, at),
                source=folder.files.get("grading", timing),
            )
        )
    return versions


def _ungraded(
    folders: Sequence[Folder], unread: Sequence[Folder], reader: Reader, cases: Cases
) -> Iterator[Folder]:
    """Yield the folders without a grading that can be read, and that are surely those of a run."""
    known = graded(folders)
    beside = {folder.at.configuration_folder for folder in known if _is_of_run(folder)}
    for folder in folders:
        at = folder.at
        if folder.files.keys() == {"timing"} and _is_of_run(folder):
            exact = _is_exact(at) and cases.is_asked(at.eval_folder)
            if at.configuration_folder in beside or (exact and _outputs(reader, at)):
                yield folder
    broken = {folder.at.folder for folder in unread}
    sides = {_side(folder.at) for folder in known if folder.at.folder not in broken}
    for folder in unread:
        if not folder.named and not folder.whole and _side(folder.at) in sides:
            yield folder
    documented = {folder.at.folder for folder in folders}
    documented |= {place.rpartition("/")[0] for place in documented}
    # Other suites may have thousands of folders, and a place is not read for nothing.
    around = tuple({f"{container}/" if container else "" for container, _, _ in sides})
    for path in reader.output_folders if around else ():
        home = path.removesuffix("/outputs")
        if not path.startswith(around) or home in documented:
            continue
        place = run_location(home)
        if place is not None and _side(place) in sides and holds_outputs(reader.listing.root, path):
            yield Folder(place, {})


def _side(at: RunLocation) -> tuple[str, str, str]:
    """Return what runs of one case and configuration have in common in all versions."""
    return at.container, at.eval_folder.rpartition("/")[2], at.configuration


def _is_exact(at: RunLocation) -> bool:
    """Say whether a run lies at `iteration-N/<eval>/<configuration>/run-K`."""
    straight = f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
    return (
        ITERATION.match(at.version) is not None
        and at.configuration in CONFIGURATIONS
        and straight
        and at.folder == f"{at.configuration_folder}/run-{at.run}"
    )


def _outputs(reader: Reader, at: RunLocation) -> str | None:
    path = f"{at.folder}/outputs"
    return path if path in reader.listing.folders else None


def _is_of_run(folder: Folder) -> bool:
    return folder.at.folder != folder.at.configuration_folder
