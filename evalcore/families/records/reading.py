"""Read one store of records into rows, in order of their dependencies."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.base import RECORDED, SHARE, Plan
from evalcore.families.metrics import computed_metric
from evalcore.families.records.rubrics import (
    Case,
    Criterion,
    Rubric,
    read_cases,
    read_rubrics,
)
from evalcore.families.records.runs import (
    add_versions,
    read_judgments,
    read_runs,
    read_waiting,
    version_row,
)
from evalcore.families.records.shapes import SENT
from evalcore.families.records.store import (
    Links,
    Store,
    build,
    link,
    listed,
    load,
    resolved,
)
from evalcore.families.remembering import (
    Said,
    approval_row,
    benchmark_run_row,
    definition_row,
    failure_row,
    message_row,
    note_repeated,
    prompt_comparison_row,
    rate,
    trend_rows,
)
from evalcore.numbers import disagrees, mean
from evalcore.problems import quoted
from evalcore.shapes.relations import (
    AGGREGATES,
    GROUPS,
    ORIGINATED_FROM,
    PRODUCES_BENCHMARK_RUN,
    REFERENCES,
    TRACKED_BY,
)
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkDefinitionRow,
    BenchmarkRow,
    BenchmarkRunRow,
    ComparisonRow,
    RunRow,
    SuiteRow,
    VersionRow,
)

_TIES = frozenset({"tie", "draw", "none", "equal"})

Benchmarks = dict[str, BenchmarkDefinitionRow]


def read_benchmarks(store: Store, links: Links, rows: Rows) -> Benchmarks:
    """Add each benchmark and its own last score; return the benchmarks by id."""
    found = {}
    named: dict[str, str] = {}
    for record, node in store.read("benchmark"):
        name = store.title(record, node)
        cases = links.targets(GROUPS, record.id)
        row = found[record.id] = definition_row(store.said(record), cases)._replace(name=name)
        rows.add(row)
        note_repeated(node, name, named.setdefault(name or "", record.id), record.id)
        _add_stored(row, ("last_score",), None, None, rows)
    return found


def read_benchmark_runs(
    store: Store,
    links: Links,
    benchmarks: Benchmarks,
    cases: Mapping[str, Case],
    runs: Mapping[str, RunRow],
    rows: Rows,
) -> list[BenchmarkRunRow]:
    """Add the rows of every benchmark run, and compare its pass rate with that of its runs."""
    found = []
    left_out = {name for name, case in cases.items() if not case.counts}
    for record, node in store.read("benchmark-run"):
        listed = links.targets(AGGREGATES, record.id)
        own = [runs[name] for name in listed if name in runs]
        versions = {run.version for run in own}
        name = links.source(PRODUCES_BENCHMARK_RUN, record.id)
        benchmark = benchmarks.get(name or "") or BenchmarkDefinitionRow(store.suite, name)
        share, overall = rate(node), node.number("overallScore")
        version = next(iter(versions)) if len(versions) == 1 else None
        said = Said(store.suite, record.id, node, None, None, record.path, record.at)
        row = benchmark_run_row(said, benchmark, (overall, share), len(listed))
        found.append(row._replace(version=version))
        rows.add(found[-1])
        _add_stored(row, ("pass_rate", "overall_score"), version, len(own) or None, rows)
        decided = [(run.case_id, float(run.passed)) for run in own if run.passed is not None]
        by_case = _by_case((case, value) for case, value in decided if case not in left_out)
        if by_case:
            computed = computed_metric(store.suite, version, "-", "pass_rate", by_case)
            rows.add(computed._replace(source=record.path, pointer=record.at))
        if share is not None and len(decided) == len(listed):
            # Tools compute it by case without draft cases, by case, or by run.
            every = _by_case(decided)
            means = [mean(by_case), mean(every), mean(value for _, value in decided)]
            ways = [way for way in means if way is not None]
            # Many writers print 1.0 as 1: a share is never rounded to whole numbers, a percentage
            # often is.
            stated = record.fields["passRate"]
            scale, stored_as = (100, stated) if stated > 1 else (1, float(stated))
            if ways and all(disagrees(stored_as, way * scale) for way in ways):
                computed_as = f"{ways[0] * scale:.6g}"
                message = (
                    f"The stored passRate is {stated:g}, but its test runs give {computed_as}."
                )
                hint = "Write the record again from its test runs."
                node.note("warning", "derived-mismatch", message, hint, "passRate")
    return found


def _by_case(passed: Iterable[tuple[str | None, float]]) -> list[float]:
    """Return the share of passed runs of each case."""
    cases: dict[str | None, list[float]] = defaultdict(list)
    for case, value in passed:
        cases[case].append(value)
    return [sum(values) / len(values) for values in cases.values()]


def _add_stored(
    row: BenchmarkDefinitionRow | BenchmarkRunRow,
    metrics: Sequence[str],
    version: str | None,
    count: int | None,
    rows: Rows,
) -> None:
    """Add the metrics that a record states."""
    for metric in metrics:
        if (value := getattr(row, metric)) is not None:
            stated = BenchmarkRow(row.suite, version, "-", metric=metric, origin="stored")
            rows.add(stated._replace(mean=value, n=count, source=row.source, pointer=row.pointer))


def read_comparisons(
    store: Store, links: Links, benchmark_runs: Sequence[BenchmarkRunRow], rows: Rows
) -> list[VersionRow]:
    """Add the rows of every prompt comparison; return the versions they name.

    Each is related to the runs of its benchmark with one of its versions.
    """
    mentions = []
    for record, node in store.read("prompt-comparison"):
        row = prompt_comparison_row(node, record.id, record.at)
        versions = row.version_a, row.version_b
        winner = _winner(node, row)
        rows.add(row._replace(winner=winner, benchmark=node.text("benchmarkId")))
        for version, key in zip(versions, ("promptVersionA", "promptVersionB"), strict=True):
            if version:
                at = f"{record.fields_at}/{key}"
                mentions.append(version_row(store.suite, version, row.compared_at, record.path, at))
        named = record.fields.get("benchmarkId")
        benchmark = store.find("benchmark", named) if isinstance(named, str) else None
        if benchmark is None or links.targets(REFERENCES, record.id):
            continue
        at = f"{record.fields_at}/benchmarkId"
        for run in benchmark_runs:
            if run.benchmark == benchmark.id and run.version and run.version in versions:
                links.add(REFERENCES, record.id, run.benchmark_run or "")
                stated = record.id, run.benchmark_run, True, "field", record.path, at
                links.stated.add((*REFERENCES[:3], *stated))
    return mentions


def _winner(node: Node, row: ComparisonRow) -> str | None:
    """Return A, B or tie, from the version that the record names as winner.

    Null is a tie where the scores are equal; else nobody says who won.
    """
    named, versions = node.text("winner"), (row.version_a, row.version_b)
    first, second = row.total_a, row.total_b
    if named is None or named == "":
        tied = first is not None and first == second and "winner" in (node.value or {})
        return "tie" if tied else None
    if versions[0] == versions[1]:
        message = f"Both sides are the version {quoted(versions[0])}; the winner is not known."
        node.note("warning", "same-version", message, "Name two versions.")
        return None
    if named in versions:
        winner = "A" if named == versions[0] else "B"
    elif named.lower() in _TIES:
        winner = "tie"
    elif named.upper() in ("A", "B"):
        winner = named.upper()
    else:
        neither = f"{quoted(versions[0])} nor {quoted(versions[1])}"
        message = f"The winner {quoted(named)} is neither {neither}."
        hint = "Name one of the two versions, or tie."
        node.note("warning", "unknown-winner", message, hint, "winner")
        return None
    if first is not None and second is not None:
        better = "tie" if first == second else "A" if first > second else "B"
        if better != winner:
            both = f"{first:g} for A and {second:g} for B"
            message = f"The winner is {quoted(named)}, but the scores are {both}."
            hint = "Correct one of them."
            node.note("warning", "winner-contradicts-scores", message, hint, "winner")
    return winner


class Records(NamedTuple):
    """The joined records of one store, each type by id."""

    links: Links
    criteria: dict[str, Criterion]
    rubrics: dict[str, Rubric]
    cases: dict[str, Case]
    runs: dict[str, RunRow]
    benchmarks: Benchmarks
    benchmark_runs: list[BenchmarkRunRow]


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
    criteria, rubrics = read_rubrics(store, links)
    cases = read_cases(store, links, rubrics, rows)
    runs = read_runs(store, links, cases, read_judgments(store, links, criteria), rows)
    waiting = read_waiting(store, cases, rows)
    benchmarks = read_benchmarks(store, links, rows)
    benchmark_runs = read_benchmark_runs(store, links, benchmarks, cases, runs, rows)
    for record in store.all("eval-trend"):
        for row in trend_rows(store.said(record), links.source(TRACKED_BY, record.id)):
            rows.add(row)
    compared = read_comparisons(store, links, benchmark_runs, rows)
    for record in store.all("eval-failure"):
        run = runs.get(links.target(ORIGINATED_FROM, record.id) or "")
        node = store.node(record)
        stated = [name for name, _ in listed(node, "affectedCriterionIds")]
        affected = [resolved(store, "rubric-criterion", name) or name for name in stated]
        failed = failure_row(
            store.said(record), run.run_id if run else None, affected, node.time("resolvedAt")
        )
        rows.add(failed._replace(named_run=node.text("testRunId"), origin=RECORDED))
    for kind in SENT:
        for record in store.all(kind):
            said = store.said(record)
            rows.add(approval_row(said) if kind == "approval" else message_row(kind, said))
    add_versions(store, cases, (*runs.values(), *waiting), compared, rows)
    links.stated.flush()
    return Records(links, criteria, rubrics, cases, runs, benchmarks, benchmark_runs)
