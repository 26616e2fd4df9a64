"""Read one suite: its cases, its runs one by one, then the documents beside them."""

from evalcore.disk.reader import Reader
from evalcore.families.base import EFFICIENCY, Plan
from evalcore.families.iterations.aggregate import add_computed
from evalcore.families.iterations.benchmark import Benchmarks
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import OF_RUN, folders_of
from evalcore.families.iterations.graded_runs import GradedRuns, graded
from evalcore.families.iterations.listed_runs import add_listed_runs
from evalcore.families.iterations.runs import SuiteContext
from evalcore.families.iterations.sidecars import read_sidecars
from evalcore.families.iterations.stored import add_stored
from evalcore.families.iterations.totals import read_totals
from evalcore.families.iterations.ungraded import add_ungraded
from evalcore.families.iterations.versions import add_versions
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, SuiteRow

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
    ungraded = add_ungraded(plan, folders, runs.unread, context, cases, facts)
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
    for path, kind in plan.files:
        rows.add(DocumentRow(path, plan.family, kind, plan.suite, context.judged.get(path)))
