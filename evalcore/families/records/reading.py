"""Read one store of records into rows, in order of their dependencies."""

import json
from typing import NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import parse_time
from evalcore.families.base import RECORDED, SHARE, Plan
from evalcore.families.records.benchmarks import (
    BenchmarkRun,
    Benchmarks,
    read_benchmark_runs,
    read_benchmarks,
    read_comparisons,
)
from evalcore.families.records.links import Links, link, resolved
from evalcore.families.records.rubrics import (
    Case,
    Criterion,
    Rubric,
    read_cases,
    read_criteria,
    read_rubrics,
)
from evalcore.families.records.runs import (
    Run,
    add_versions,
    read_judgments,
    read_runs,
    read_waiting,
)
from evalcore.families.records.shapes import ORIGINATED_FROM, SENT, TRACKED_BY
from evalcore.families.records.store import Store, build, listed, load
from evalcore.families.remembering import MESSAGE_ROWS, approval_row, trend_rows
from evalcore.tables.builder import Rows
from evalcore.tables.rows import FailureRow, SuiteRow


class Records(NamedTuple):
    """The joined records of one store, each type by id."""

    links: Links
    criteria: dict[str, Criterion]
    rubrics: dict[str, Rubric]
    cases: dict[str, Case]
    runs: dict[str, Run]
    benchmarks: Benchmarks
    benchmark_runs: list[BenchmarkRun]


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one store, and report its problems."""
    known = join(build(load(plan, reader, rows), reader, plan.suite), rows)
    folder = plan.suite if plan.suite != "." else reader.listing.root.resolve().name
    name = folder.rpartition("/")[2]
    if len(known.benchmarks) == 1:
        name = next(iter(known.benchmarks.values())).name or name
    rows.add(SuiteRow(plan.suite, name, plan.family, plan.root, plan.skill_path, SHARE))


def join(store: Store, rows: Rows) -> Records:
    """Add the rows of a store's records; return the records that others need."""
    links = link(store, rows)
    criteria = read_criteria(store)
    rubrics = read_rubrics(store, links, criteria)
    cases = read_cases(store, links, rubrics, rows)
    runs = read_runs(store, links, cases, read_judgments(store, links, criteria), rows)
    waiting = read_waiting(store, cases, rows)
    benchmarks = read_benchmarks(store, links, rows)
    benchmark_runs = read_benchmark_runs(store, links, benchmarks, runs, rows)
    for record in store.all("eval-trend"):
        for row in trend_rows(store.said(record), links.source(TRACKED_BY, record.id)):
            rows.add(row)
    compared = read_comparisons(store, links, benchmark_runs, rows)
    for record in store.all("eval-failure"):
        run = runs.get(links.target(ORIGINATED_FROM, record.id) or "")
        node = store.node(record)
        stated = [name for name, _ in listed(node, "affectedCriterionIds")]
        affected = [resolved(store, "rubric-criterion", name) or name for name in stated]
        rows.add(
            FailureRow(
                suite=store.suite,
                failure_id=record.id,
                run_id=run.run_id if run else None,
                failure_type=node.text("failureType"),
                description=node.text("description"),
                criteria=json.dumps(affected, ensure_ascii=False),
                severity=node.text("severity"),
                root_cause=node.text("rootCause") or None,
                resolved_at=node.time("resolvedAt"),
                resolution_notes=node.text("resolutionNotes"),
                source=record.path,
                pointer=record.at,
                named_run=node.text("testRunId"),
                author=store.head(record).text("createdBy"),
                created_at=parse_time(record.envelope.get("createdAt")),
                origin=RECORDED,
            )
        )
    for kind in SENT:
        for record in store.all(kind):
            said = store.said(record)
            rows.add(approval_row(said) if kind == "approval" else MESSAGE_ROWS[kind](said))
    add_versions(store, cases, (*runs.values(), *waiting), compared, rows)
    links.stated.flush()
    return Records(links, criteria, rubrics, cases, runs, benchmarks, benchmark_runs)
