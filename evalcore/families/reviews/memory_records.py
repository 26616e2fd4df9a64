"""Rows of what is remembered of a suite: benchmarks, their runs, trends, decisions, messages.

The records of one type are chained by `supersedes`; the head of each chain counts.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evalcore.families.remembering import (
    MESSAGE_ROWS,
    approval_row,
    definition_row,
    note_repeated,
    rate,
    trend_rows,
)
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import Lookup
from evalcore.families.reviews.memory_links import MemoryLinks, texts
from evalcore.families.reviews.noting import note_chain
from evalcore.families.reviews.review import (
    APPROVAL,
    BENCHMARK,
    BENCHMARK_RUN,
    PROMPT_COMPARISON,
    RELATION,
    TREND,
    Chain,
    Review,
)
from evalcore.tables.rows import BenchmarkRunRow, ComparisonRow


class _Benchmark(NamedTuple):
    """What the runs of a benchmark take over from it."""

    id: str
    name: str | None
    dimension: str | None
    threshold: float | None
    status: str | None


def add_memory(context: ReviewContext, records: Sequence[Review], known: Lookup) -> None:
    """Add the rows of what is remembered, and report references that lead nowhere."""
    if not records:
        return
    links = MemoryLinks(context, records, known)
    for found in links.chains.values():
        for chain in found:
            note_chain(context, chain, None)
    _add_benchmark_runs(links, _add_benchmarks(links))
    for chain in links.of(TREND):
        _add_trend(links, chain)
    for chain in links.of(PROMPT_COMPARISON):
        _add_comparison(links, chain)
    for chain in links.of(RELATION):
        links.add_relation(chain)
    for kind, row_of in MESSAGE_ROWS.items():
        for chain in links.of(kind):
            context.rows.add(links.resolved(row_of(links.said(chain))))
    for chain in links.of(APPROVAL):
        context.rows.add(approval_row(links.said(chain)))


def _add_benchmarks(links: MemoryLinks) -> dict[str, _Benchmark]:
    found: dict[str, _Benchmark] = {}
    first: dict[str, str] = {}
    for chain in links.of(BENCHMARK):
        said = links.said(chain)
        node, cases = said.node, texts(chain.head, "testCaseIds")
        row = definition_row(said, cases)
        links.context.rows.add(row)
        note_repeated(node, row.name, first.setdefault(row.name or "", said.id), said.id)
        for case in cases:
            here = case in links.cases
            related = BENCHMARK, said.id, "groups", "test-case", case
            links.relate(chain.head, related, "testCaseIds", found=here)
            if not here:
                links.dangling(chain.head, "testCaseIds", "test-case", case)
        found[said.id] = _Benchmark(
            said.id, row.name, row.dimension, row.passing_threshold, row.status
        )
    return found


def _add_benchmark_runs(links: MemoryLinks, benchmarks: dict[str, _Benchmark]) -> None:
    for chain in links.of(BENCHMARK_RUN):
        said = links.said(chain)
        node, head = said.node, chain.head
        of = links.reference(node, "benchmarkId", BENCHMARK, head)
        links.relate(head, (BENCHMARK, of, "produces", BENCHMARK_RUN, said.id), "benchmarkId")
        benchmark = benchmarks.get(of or "", _Benchmark(of or "", None, None, None, None))
        listed = texts(head, "testRunIds")
        own = list(links.aggregated(head, listed))
        versions = {run.version for run in own}
        configurations = {run.configuration for run in own}
        links.context.rows.add(
            BenchmarkRunRow(
                suite=said.suite,
                benchmark_run=said.id,
                benchmark=benchmark.id or None,
                name=benchmark.name,
                dimension=benchmark.dimension,
                version=_only(versions),
                configuration=_only(configurations) or "-",
                overall_score=node.number("overallScore"),
                pass_rate=rate(node),
                passing_threshold=benchmark.threshold,
                ran_at=node.time("ranAt"),
                triggered_by=node.text("triggeredBy"),
                notes=node.text("notes"),
                runs=len(listed) or None,
                status=benchmark.status,
                source=said.path,
                pointer="",
            )
        )


def _add_trend(links: MemoryLinks, chain: Chain) -> None:
    said = links.said(chain)
    of = links.reference(said.node, "benchmarkId", BENCHMARK, chain.head)
    links.relate(chain.head, (BENCHMARK, of, "tracked_by", TREND, said.id), "benchmarkId")
    for row in trend_rows(said, of):
        links.context.rows.add(row)


def _add_comparison(links: MemoryLinks, chain: Chain) -> None:
    said = links.said(chain)
    node = said.node
    versions = node.text("promptVersionA"), node.text("promptVersionB")
    named = node.text("winner")
    winner: str | None = "tie" if named is None else "A" if named == versions[0] else "B"
    if named is not None and named not in versions:
        winner = None
        node.note(
            "warning",
            "unknown-winner",
            f"The winner {named[:60]!r} is neither of the two versions.",
            "Name one of the two versions, or null for a tie.",
            "winner",
        )
    links.context.rows.add(
        ComparisonRow(
            comparison_id=said.id,
            suite=said.suite,
            version_a=versions[0],
            version_b=versions[1],
            winner=winner,
            total_a=node.number("scoreA"),
            total_b=node.number("scoreB"),
            sample_size=node.whole("sampleSize"),
            versions_from="record",
            compared_at=node.time("comparedAt"),
            summary=node.text("notes"),
            source=said.path,
            pointer="",
            benchmark=links.reference(node, "benchmarkId", BENCHMARK, chain.head),
        )
    )


def _only(words: Iterable[str | None]) -> str | None:
    found = set(words)
    return next(iter(found)) if len(found) == 1 else None
