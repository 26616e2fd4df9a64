"""Read one suite: its cases, its runs one by one, those nobody graded, and what is beside them."""

from collections.abc import Iterable, Iterator, Sequence

from evalcore.disk.reader import Reader
from evalcore.families.base import EFFICIENCY, PENDING, Plan
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import read_timing
from evalcore.families.iterations.graded_runs import GradedRuns, graded
from evalcore.families.iterations.listed_runs import add_listed_runs
from evalcore.families.iterations.runs import Facts, Run, SuiteContext
from evalcore.families.iterations.sidecars import read_sidecars
from evalcore.families.iterations.split_runs import OF_RUN, Folder, folders_of
from evalcore.families.iterations.stored import add_computed, add_stored
from evalcore.families.iterations.totals import read_totals
from evalcore.families.iterations.versions import add_versions
from evalcore.layouts.iterations import RunLocation, is_run, run_location
from evalcore.tables.builder import CHUNK, Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import SuiteRow

HEADLINE = {"rubric": EFFICIENCY, "iterations": "pass rate"}


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite of this layout."""
    beside = plan._replace(files=tuple(file for file in plan.files if file[1] not in OF_RUN))
    folders = list(folders_of(plan))
    cases = Cases(beside, reader, folders)
    benchmarks = Benchmarks(beside, reader)
    context = SuiteContext(reader, rows, plan.suite)
    runs = GradedRuns(plan, context, cases, benchmarks)
    facts = list(runs.read(graded(folders)))
    facts += add_listed_runs(benchmarks, context, cases, facts)
    ungraded = _add_ungraded(runs, folders, facts)
    context.flush()
    add_versions(beside, reader, rows, {fact.version for fact in facts} | ungraded, benchmarks)
    add_stored(benchmarks, rows, facts)
    add_computed(rows, plan, facts)
    read_sidecars(beside, reader, rows, facts, cases)
    read_totals(beside, reader, rows, facts, cases)
    cases.emit(rows)
    name = cases.skill_name or (plan.skill_path or plan.suite).rpartition("/")[2]
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=name or plan.suite,
            family=plan.family,
            root=plan.root or ".",
            skill_path=plan.skill_path,
            headline=HEADLINE[plan.family],
            runs_per_case=cases.config.whole("runs_per_eval"),
            judge_model=cases.config.text("judge_model"),
        )
    )
    documents = Gathered(
        rows.tables["documents"],
        ("path", "kind", "records"),
        family=plan.family,
        suite=plan.suite,
    )
    for start in range(0, len(plan.files), CHUNK):
        for path, kind in plan.files[start : start + CHUNK]:
            documents.add((path, kind, context.judged.get(path)))
        documents.flush()


def _add_ungraded(runs: GradedRuns, folders: Sequence[Folder], facts: Iterable[Facts]) -> set[str]:
    """Add the runs without a grading that can be read, and return their versions.

    `facts` are the runs that are known: one that only a benchmark lists is there already.
    """
    context, cases = runs.context, runs.cases
    known, versions = {fact.run_id for fact in facts}, set[str]()
    for folder in _ungraded(runs, folders):
        at, files = folder.at, folder.files
        run = Run(context, at, cases.at(at, None), timing=files.get("timing"))
        run.grading, outputs = files.get("grading"), f"{at.folder}/outputs"
        run.outputs = outputs if outputs in context.reader.listing.folders else None
        if run.id not in known:
            known.add(run.id)
            versions.add(at.version)
            used = read_timing(context, run.timing, context.node("", {}), run.about)
            run.add_row("grading", PENDING, used, run.grading or run.timing)
    return versions


def _ungraded(runs: GradedRuns, folders: Sequence[Folder]) -> Iterator[Folder]:
    """Yield the folders without a grading that can be read, and that are surely those of a run.

    In them something was produced, or they are those of timed runs beside graded ones.
    """
    reader, cases, known = runs.context.reader, runs.cases, graded(folders)
    inner = (folder.at for folder in known)
    beside = {at.configuration_folder for at in inner if at.folder != at.configuration_folder}
    for folder in folders:
        above, is_timed = folder.at.configuration_folder, folder.files.keys() == {"timing"}
        if is_timed and above != folder.at.folder and above in beside:
            yield folder
    broken = {folder.at.folder for folder in runs.unread}
    readable = [folder.at for folder in known if folder.at.folder not in broken]
    sides = {_side(at) for at in readable}
    named = {at.configuration for at in readable}

    def has_run(at: RunLocation, outputs: str) -> bool:
        """Say whether a place is that of a run by its path or by what was graded or asked."""
        names = {at.configuration} if at.eval_folder in cases.metadata else named
        return is_run(at, names) and reader.has_outputs(outputs)

    for folder in runs.unread:
        if not folder.named and not folder.whole:
            path = f"{folder.at.folder}/outputs"
            made = path in reader.listing.folders and has_run(folder.at, path)
            if made or _side(folder.at) in sides:
                yield folder
    timings = {each.at.folder: each.files["timing"] for each in folders if "timing" in each.files}
    found = ((path, run_location(path.removesuffix("/outputs"))) for path in runs.plan.found)
    places = [(path, at) for path, at in found if at is not None]
    documented = {folder.at.folder for folder in known}
    documented |= {
        at.configuration_folder for _, at in places if at.folder != at.configuration_folder
    }
    for path, at in places:
        if at.folder not in documented and has_run(at, path):
            timed = timings.get(at.folder) or timings.get(at.configuration_folder)
            yield Folder(at, {} if timed is None else {"timing": timed})


def _side(at: RunLocation) -> tuple[str, str, str]:
    """Return what runs of one case and configuration have in common in all versions."""
    return at.container, at.eval_folder.rpartition("/")[2], at.configuration
