"""Read one store of records into rows, in order of their dependencies."""

from typing import NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.base import SHARE, Plan
from evalcore.families.records.benchmarking import (
    Benchmark,
    read_benchmark_runs,
    read_benchmarks,
    read_sent,
)
from evalcore.families.records.judgments import read_judgments
from evalcore.families.records.links import Links, link
from evalcore.families.records.loading import load
from evalcore.families.records.outcomes import add_versions, read_comparisons, read_failures
from evalcore.families.records.rubrics import (
    Case,
    Criterion,
    Rubric,
    read_cases,
    read_criteria,
    read_rubrics,
)
from evalcore.families.records.runs import Run, read_runs
from evalcore.families.records.store import Store, build
from evalcore.families.records.trends import read_trends
from evalcore.families.records.ungraded import add_ungraded
from evalcore.tables.builder import Rows, Same
from evalcore.tables.rows import SuiteRow


class Records(NamedTuple):
    """The joined records of one store, each type by id."""

    links: Links
    criteria: dict[str, Criterion]
    rubrics: dict[str, Rubric]
    cases: dict[str, Case]
    runs: dict[str, Run]
    benchmarks: dict[str, Benchmark]


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one store, and report its problems."""
    loaded = load(plan, reader)
    rows.tables["documents"].extend(
        len(plan.files),
        {
            "path": [path for path, _ in plan.files],
            "family": Same(plan.family),
            "kind": loaded.kinds,
            "suite": Same(plan.suite),
            "records": loaded.counts,
        },
    )
    known = join(build(loaded.records, reader, plan.suite), rows)
    rows.add(_suite(plan, reader, known))


def join(store: Store, rows: Rows) -> Records:
    """Add the rows of a store's records; return the records that others need."""
    links = link(store, rows)
    criteria = read_criteria(store)
    rubrics = read_rubrics(store, links, criteria)
    cases = read_cases(store, links, rubrics, rows)
    runs = read_runs(store, links, cases, read_judgments(store, links, criteria), rows)
    waiting = add_ungraded(store, cases, rows)
    benchmarks = read_benchmarks(store, links, rows)
    benchmark_runs = read_benchmark_runs(store, links, benchmarks, runs, rows)
    read_trends(store, links, rows)
    compared = read_comparisons(store, links, benchmark_runs, rows)
    read_failures(store, links, runs, rows)
    read_sent(store, rows)
    add_versions(store, cases, (*runs.values(), *waiting), compared, rows)
    return Records(links, criteria, rubrics, cases, runs, benchmarks)


def _suite(plan: Plan, reader: Reader, known: Records) -> SuiteRow:
    folder = plan.suite if plan.suite != "." else reader.listing.root.resolve().name
    name = folder.rpartition("/")[2]
    if len(known.benchmarks) == 1:
        name = next(iter(known.benchmarks.values())).name or name
    return SuiteRow(
        suite=plan.suite,
        name=name,
        family=plan.family,
        root=plan.root,
        skill_path=plan.skill_path,
        headline=SHARE,
    )
