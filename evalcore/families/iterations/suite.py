"""Read one suite: its cases, then run by run, then what stands beside the runs."""

from collections import defaultdict

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import Plan
from evalcore.families.iterations.aggregate import add_computed
from evalcore.families.iterations.benchmark import Benchmarks, add_listed_runs
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.gradings import read_run
from evalcore.families.iterations.runs import Desk, Facts, Place, RunFiles
from evalcore.families.iterations.sidecars import read_sidecars
from evalcore.families.iterations.stored import add_stored
from evalcore.families.iterations.versions import add_versions
from evalcore.layouts.iterations import RunPlace, place
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, SuiteRow

HEADLINE = {"rubric": "overall efficiency", "iterations": "pass rate"}


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite of this layout."""
    cases = Cases(plan, reader)
    benchmarks = Benchmarks(plan, reader)
    desk = Desk(reader, rows, plan.suite)
    facts = _runs(plan, desk, cases, benchmarks)
    facts += add_listed_runs(benchmarks, desk, cases, facts)
    add_versions(plan, reader, rows, facts, benchmarks)
    add_stored(benchmarks, rows, facts)
    add_computed(rows, plan, facts)
    read_sidecars(plan, reader, rows, facts)
    cases.emit(rows)
    _suite(plan, rows, cases)
    _documents(plan, rows, desk.judged)


def _runs(
    plan: Plan, desk: Desk, cases: Cases, benchmarks: Benchmarks
) -> list[Facts]:  # fmt: skip
    """Read every run folder that has a grading or a structural check."""
    folders, timings = _folders(plan)
    judge = cases.config.text("judge_model")
    facts: list[Facts] = []
    seen: dict[tuple[str, ...], str] = {}
    for folder, found in sorted(folders.items(), key=_deepest_first):
        at = place(folder)
        if at is None:
            continue
        path, structural = found.get("grading"), found.get("structural")
        grading = desk.reader.json(path) if path is not None else MISSING
        if grading is MISSING and structural is None:
            continue
        case = cases.at(at, grading)
        if _twice(desk.reader, seen, at, case.case_id, path or structural or folder):
            continue
        model = benchmarks.model(at.version)
        here = Place(plan.suite, at, case, judge, plan.family == "rubric", model)
        timing = timings.get(folder) or timings.get(at.configuration_folder)
        files = RunFiles(grading, None if grading is MISSING else path, structural, timing,
                         _outputs(desk.reader, at))  # fmt: skip
        facts.append(read_run(desk, here, files))
    return facts


def _folders(plan: Plan) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Return the documents of each run folder by kind, and the timings by folder."""
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    timings: dict[str, str] = {}
    for path, kind in plan.files:
        folder = path.rpartition("/")[0]
        if kind in ("grading", "structural"):
            folders[folder][kind] = path
        elif kind == "timing":
            timings[folder] = path
    return folders, timings


def _deepest_first(entry: tuple[str, dict[str, str]]) -> tuple[tuple[str, ...], int]:
    """Order runs by case and configuration, a run's own folder before the configuration's."""
    at = place(entry[0])
    around = (at.container, at.version, at.eval_folder, at.configuration) if at else (entry[0],)
    return around, -len(entry[0])


def _twice(
    reader: Reader, seen: dict[tuple[str, ...], str], at: RunPlace, case_id: str, path: str
) -> bool:
    """Note a run that was graded twice; the deeper folder, read first, is kept."""
    key = (case_id, at.version, at.configuration, at.run)
    if key not in seen:
        seen[key] = path
        return False
    reader.problem(
        path, "", "warning", "duplicate-run",
        f"This run is graded twice; {seen[key]} is shown.",
        "Remove one of the two, or give this one a run folder of its own.",
    )  # fmt: skip
    return True


def _outputs(reader: Reader, at: RunPlace) -> str | None:
    """Return the folder with the run's outputs: its own, else its configuration's."""
    for folder in (at.folder, at.configuration_folder):
        if f"{folder}/outputs" in reader.listing.folders:
            return f"{folder}/outputs"
    return None


def _suite(plan: Plan, rows: Rows, cases: Cases) -> None:
    name = cases.skill_name or (plan.skill_path or plan.suite).rpartition("/")[2]
    runs = cases.config.whole("runs_per_eval")
    rows.add(
        SuiteRow(plan.suite, name or plan.suite, plan.family, plan.root or ".", plan.skill_path,
                 HEADLINE[plan.family], runs, cases.config.text("judge_model"))
    )  # fmt: skip


def _documents(plan: Plan, rows: Rows, judged: dict[str, int]) -> None:
    for path, kind in plan.files:
        rows.add(DocumentRow(path, plan.family, kind, plan.suite, judged.get(path)))
