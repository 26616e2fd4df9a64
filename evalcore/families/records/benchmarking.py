"""Benchmarks with their runs, and the runs that a comparison of prompts refers to."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.families.metrics import computed_metric
from evalcore.families.records.links import Links
from evalcore.families.records.loading import Record
from evalcore.families.records.runs import Run
from evalcore.families.records.shapes import (
    AGGREGATES,
    GROUPS,
    PRODUCES_BENCHMARK_RUN,
    REFERENCES,
    SENT,
)
from evalcore.families.records.store import Store
from evalcore.families.remembering import (
    MESSAGE_ROWS,
    approval_row,
    definition_row,
    note_repeated,
    rate,
)
from evalcore.numbers import disagrees, mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkRow,
    BenchmarkRunRow,
    RelationRow,
)


class Benchmark(NamedTuple):
    """The fields of a benchmark that its runs need."""

    id: str | None = None
    name: str | None = None
    dimension: str | None = None
    threshold: float | None = None
    status: str | None = None


class BenchmarkRun(NamedTuple):
    """The fields of a benchmark run that comparisons need."""

    id: str
    benchmark: str | None
    versions: frozenset[str]


class Rates(NamedTuple):
    """The share of passed runs, by case and in the ways that tools compute it."""

    by_case: list[float]
    ways: list[float]
    complete: bool


def read_benchmarks(store: Store, links: Links, rows: Rows) -> dict[str, Benchmark]:
    """Add each benchmark and its own last score; return the benchmarks by id."""
    found = {}
    named: dict[str, str] = {}
    for record in store.all("benchmark"):
        node = store.node(record)
        name = node.text("name") or store.head(record).text("title")
        found[record.id] = Benchmark(
            record.id,
            name,
            node.text("dimension"),
            node.number("passingThreshold"),
            node.text("status"),
        )
        cases = links.targets(GROUPS, record.id)
        rows.add(definition_row(store.said(record), cases)._replace(name=name))
        note_repeated(node, name, named.setdefault(name or "", record.id), record.id)
        if (score := node.number("lastScore")) is not None:
            rows.add(_stored(store.suite, None, "last_score", score, None, record))
    return found


def read_sent(store: Store, rows: Rows) -> None:
    """Add the decisions on versions, and what was sent to others."""
    for kind in SENT:
        for record in store.all(kind):
            said = store.said(record)
            rows.add(approval_row(said) if kind == "approval" else MESSAGE_ROWS[kind](said))


def read_benchmark_runs(
    store: Store,
    links: Links,
    benchmarks: Mapping[str, Benchmark],
    runs: Mapping[str, Run],
    rows: Rows,
) -> list[BenchmarkRun]:
    """Add the rows of every benchmark run."""
    found = []
    for record in store.all("benchmark-run"):
        node = store.node(record)
        listed = links.targets(AGGREGATES, record.id)
        own = [runs[name] for name in listed if name in runs]
        versions = frozenset(run.version for run in own)
        name = links.source(PRODUCES_BENCHMARK_RUN, record.id)
        benchmark = benchmarks.get(name or "", Benchmark(name))
        share, overall = rate(node), node.number("overallScore")
        version = next(iter(versions)) if len(versions) == 1 else None
        rows.add(
            BenchmarkRunRow(
                suite=store.suite,
                benchmark_run=record.id,
                benchmark=benchmark.id,
                name=benchmark.name,
                dimension=benchmark.dimension,
                version=version,
                configuration="-",
                overall_score=overall,
                pass_rate=share,
                passing_threshold=benchmark.threshold,
                ran_at=node.time("ranAt"),
                triggered_by=node.text("triggeredBy"),
                notes=node.text("notes"),
                runs=len(listed) or None,
                status=benchmark.status,
                source=record.path,
                pointer=record.at,
            )
        )
        _add_metrics(store, record, version, (share, overall), own, rows)
        _compare_rate(node, record, share, _rates(own, len(listed)))
        found.append(BenchmarkRun(record.id, benchmark.id, versions))
    return found


def _rates(runs: Sequence[Run], listed: int) -> Rates:
    """Return the pass rates of runs: by case without draft cases, by case, and by run."""
    decided = [(run, float(run.passed)) for run in runs if run.passed is not None]
    cases: dict[str | None, list[float]] = defaultdict(list)
    counting: dict[str | None, list[float]] = defaultdict(list)
    for run, value in decided:
        cases[run.case.id].append(value)
        if run.counts:
            counting[run.case.id].append(value)
    by_case = [math.fsum(values) / len(values) for values in counting.values()]
    every = [math.fsum(values) / len(values) for values in cases.values()]
    ways = [mean(by_case), mean(every), mean(value for _, value in decided)]
    return Rates(by_case, [way for way in ways if way is not None], len(decided) == listed)


def _compare_rate(node: Node, record: Record, stored: float | None, rates: Rates) -> None:
    if stored is None or not rates.complete or not rates.ways:
        return
    raw = record.fields["passRate"]
    scale = 100 if raw > 1 else 1
    # Many writers print 1.0 as 1: a share is never rounded to whole numbers, a percentage often is.
    stored_as = raw if raw > 1 else float(raw)
    if all(disagrees(stored_as, way * scale) for way in rates.ways):
        computed = rates.ways[0] * scale
        node.note(
            "warning",
            "derived-mismatch",
            f"The stored passRate is {raw:g}, but its test runs give {computed:.6g}.",
            "Write the record again from its test runs.",
            "passRate",
        )


def _add_metrics(
    store: Store,
    record: Record,
    version: str | None,
    stored: tuple[float | None, float | None],
    runs: Sequence[Run],
    rows: Rows,
) -> None:
    """Add the stored metrics, and the share of passed runs computed from the test runs."""
    for metric, value in zip(("pass_rate", "overall_score"), stored, strict=True):
        if value is not None:
            rows.add(_stored(store.suite, version, metric, value, len(runs) or None, record))
    values = _rates(runs, len(runs)).by_case
    if values:
        computed = computed_metric(store.suite, version, "-", "pass_rate", values)
        rows.add(computed._replace(source=record.path, pointer=record.at))


def _stored(
    suite: str, version: str | None, metric: str, value: float, count: int | None, record: Record
) -> BenchmarkRow:
    return BenchmarkRow(
        suite=suite,
        version=version,
        configuration="-",
        metric=metric,
        mean=value,
        n=count,
        origin="stored",
        source=record.path,
        pointer=record.at,
    )


def add_references(
    store: Store,
    links: Links,
    comparison: Record,
    versions: tuple[str | None, str | None],
    benchmark_runs: Sequence[BenchmarkRun],
    rows: Rows,
) -> None:
    """Relate a comparison to the runs of its benchmark with one of its versions."""
    benchmark = comparison.fields.get("benchmarkId")
    found = store.find("benchmark", benchmark) if isinstance(benchmark, str) else None
    if found is None or links.targets(REFERENCES, comparison.id):
        return
    for run in benchmark_runs:
        if run.benchmark == found.id and len(run.versions) == 1 and run.versions <= {*versions}:
            links.add(REFERENCES, comparison.id, run.id)
            rows.add(
                RelationRow(
                    suite=store.suite,
                    source_type=REFERENCES[0],
                    source_id=comparison.id,
                    relation=REFERENCES[1],
                    target_type=REFERENCES[2],
                    target_id=run.id,
                    origin="field",
                    found=True,
                    source=comparison.path,
                    pointer=f"{comparison.fields_at}/benchmarkId",
                )
            )
