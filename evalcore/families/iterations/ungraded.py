"""Runs that nobody graded yet: they are shown with their outputs, and stand outside the rates."""

from collections.abc import Iterable, Iterator, Sequence

from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, Plan
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.graded_runs import graded
from evalcore.families.iterations.measures import read_timing
from evalcore.families.iterations.runs import Facts, RunContext, SuiteContext, about, run_row
from evalcore.ids import run_id
from evalcore.layouts.iterations import RunLocation, is_run, run_location
from evalcore.shapes.judge import UNNAMED


def add_ungraded(
    plan: Plan,
    folders: Sequence[Folder],
    unread: Sequence[Folder],
    context: SuiteContext,
    cases: Cases,
    facts: Iterable[Facts],
) -> set[str]:
    """Add the runs without a grading that can be read, and return their versions.

    Those are the places of runs in which something was produced, and the timed runs beside graded
    ones. `unread` are folders whose grading cannot be read. `facts` are the runs that are known:
    one that only a benchmark lists is there already.
    """
    known, versions = {fact.run_id for fact in facts}, set[str]()
    for folder in _ungraded(plan, folders, unread, context.reader, cases):
        at = folder.at
        run = RunContext(
            context.suite,
            at,
            cases.at(at, None),
            UNNAMED,
            rubric=False,
            model=None,
            grading=folder.files.get("grading"),
            timing=folder.files.get("timing"),
            outputs=_outputs(context.reader, at),
        )
        key = run_id(context.suite, *run.key)
        if key in known:
            continue
        known.add(key)
        versions.add(at.version)
        used = read_timing(context, run.timing, context.node("", {}), about(key, run))
        context.rows.add(
            run_row(
                key,
                run,
                "grading",
                status=PENDING,
                started_at=used.started,
                duration_s=used.seconds,
                tokens=used.tokens,
                cost_usd=used.cost,
                outputs=run.outputs,
                source=run.grading or run.timing,
            )
        )
    return versions


def _ungraded(
    plan: Plan, folders: Sequence[Folder], unread: Sequence[Folder], reader: Reader, cases: Cases
) -> Iterator[Folder]:
    """Yield the folders without a grading that can be read, and that are surely those of a run."""
    known = graded(folders)
    beside = {folder.at.configuration_folder for folder in known if _is_of_run(folder)}
    for folder in folders:
        is_timed = folder.files.keys() == {"timing"} and _is_of_run(folder)
        if is_timed and folder.at.configuration_folder in beside:
            yield folder
    broken = {folder.at.folder for folder in unread}
    readable = [folder.at for folder in known if folder.at.folder not in broken]
    sides = {_side(at) for at in readable}
    named = {at.configuration for at in readable}

    def is_of_suite(at: RunLocation) -> bool:
        """Return whether a place is one of a run, by its path or by what was graded or asked."""
        return is_run(at, {at.configuration} if at.eval_folder in cases.metadata else named)

    for folder in unread:
        if not folder.named and not folder.whole:
            path = _outputs(reader, folder.at)
            made = path is not None and is_of_suite(folder.at) and reader.has_outputs(path)
            if made or _side(folder.at) in sides:
                yield folder
    of_timing = {folder.at.folder: folder for folder in folders if "timing" in folder.files}
    places = [run_location(path.removesuffix("/outputs")) for path in plan.found]
    numbered = {
        at.configuration_folder for at in places if at and at.folder != at.configuration_folder
    }
    documented = {folder.at.folder for folder in known} | numbered
    for path, at in zip(plan.found, places, strict=True):
        if at is None or at.folder in documented or not is_of_suite(at):
            continue
        if reader.has_outputs(path):
            timed = of_timing.get(at.folder) or of_timing.get(at.configuration_folder)
            yield Folder(at, {} if timed is None else {"timing": timed.files["timing"]})


def _side(at: RunLocation) -> tuple[str, str, str]:
    """Return what runs of one case and configuration have in common in all versions."""
    return at.container, at.eval_folder.rpartition("/")[2], at.configuration


def _outputs(reader: Reader, at: RunLocation) -> str | None:
    path = f"{at.folder}/outputs"
    return path if path in reader.listing.folders else None


def _is_of_run(folder: Folder) -> bool:
    return folder.at.folder != folder.at.configuration_folder
