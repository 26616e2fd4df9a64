"""Rows of what is remembered of a suite: benchmarks, their runs, trends, decisions, messages.

The records of one type are chained by `supersedes`; the head of each chain counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.remembering import (
    MESSAGE_ROWS,
    Said,
    approval_row,
    definition_row,
    note_repeated,
    rate,
    trend_rows,
)
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import Lookup, Run
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
    chains,
)
from evalcore.tables.rows import BenchmarkRunRow, ComparisonRow, MessageRow, RelationRow

_RELATED: Final = {
    "groups": (BENCHMARK, "test-case"),
    "tracked_by": (BENCHMARK, TREND),
    "aggregates": (BENCHMARK_RUN, "test-run"),
    "references": (PROMPT_COMPARISON, BENCHMARK_RUN),
    "originated_from": ("eval-failure", "test-run"),
    "evaluated_by": ("test-case", "rubric"),
    "contains": ("test-run", "eval-judgment"),
    "scores": ("eval-judgment", "rubric-criterion"),
    "composed_of": ("rubric", "rubric-criterion"),
}
"""The types that a relation joins; `produces` joins two pairs, which its ends tell."""

_HERE: Final = frozenset({BENCHMARK, BENCHMARK_RUN, TREND, PROMPT_COMPARISON})
"""The types at the ends of relations of which all records are known here."""


class _Benchmark(NamedTuple):
    """What the runs of a benchmark take over from it."""

    id: str
    name: str | None
    dimension: str | None
    threshold: float | None
    status: str | None


def add_memory(context: ReviewContext, records: Sequence[Review], known: Lookup) -> None:
    """Add the rows of what is remembered, and report references that lead nowhere."""
    if records:
        _Memory(context, records, known).add()


class _Memory:
    """The records of one suite, by type in chains."""

    def __init__(self, context: ReviewContext, records: Sequence[Review], known: Lookup) -> None:
        self._context, self._known = context, known
        by_type: dict[str, list[Review]] = defaultdict(list)
        for review in records:
            by_type[review.type].append(review)
        self._chains = {kind: chains(found) for kind, found in by_type.items()}
        self._heads = {
            (kind, member.id): chain.head.id
            for kind, found in self._chains.items()
            for chain in found
            for member in chain.members
        }
        self._runs = self._runs_named()
        cases = known.rows(
            "cases", ("suite", "case_id"), range(known.column("cases", "suite").rows)
        )
        self._cases = {case for suite, case in cases if suite == context.suite.id}

    def add(self) -> None:
        """Add all rows."""
        for found in self._chains.values():
            for chain in found:
                note_chain(self._context, chain, None)
        benchmarks = self._benchmarks()
        self._benchmark_runs(benchmarks)
        for chain in self._of(TREND):
            said = self._said(chain)
            of = self._reference(said.node, "benchmarkId", BENCHMARK, chain.head)
            self._relate(chain.head, (BENCHMARK, of, "tracked_by", TREND, said.id), "benchmarkId")
            for row in trend_rows(said, of):
                self._context.rows.add(row)
        for chain in self._of(PROMPT_COMPARISON):
            self._comparison(chain)
        for chain in self._of(RELATION):
            self._relation(chain)
        for kind, row_of in MESSAGE_ROWS.items():
            for chain in self._of(kind):
                self._context.rows.add(self._resolved(row_of(self._said(chain))))
        for chain in self._of(APPROVAL):
            self._context.rows.add(approval_row(self._said(chain)))

    def _of(self, kind: str) -> Sequence[Chain]:
        return self._chains.get(kind, ())

    def _said(self, chain: Chain) -> Said:
        head, context = chain.head, self._context
        return Said(
            context.suite.id,
            head.id,
            context.node(head),
            head.created_by or None,
            head.created_at,
            head.path,
            "",
            [each.id for each in chain.replaced],
            [each.id for each in chain.rivals],
        )

    def _runs_named(self) -> dict[str, Run]:
        """Return the runs that benchmark runs name, by the part of their ids after the suite."""
        named = {
            _within(run)
            for chain in self._of(BENCHMARK_RUN)
            for run in _texts(chain.head, "testRunIds")
        }
        prefix = self._context.suite.prefix
        found = self._known.runs({f"{prefix}::{name}" for name in named}) if named else {}
        return {_within(name): runs[0] for name, runs in found.items()}

    def _benchmarks(self) -> dict[str, _Benchmark]:
        found: dict[str, _Benchmark] = {}
        first: dict[str, str] = {}
        for chain in self._of(BENCHMARK):
            said = self._said(chain)
            node, cases = said.node, _texts(chain.head, "testCaseIds")
            row = definition_row(said, cases)
            self._context.rows.add(row)
            note_repeated(node, row.name, first.setdefault(row.name or "", said.id), said.id)
            for case in cases:
                here = case in self._cases
                related = BENCHMARK, said.id, "groups", "test-case", case
                self._relate(chain.head, related, "testCaseIds", found=here)
                if not here:
                    self._dangling(chain.head, "testCaseIds", "test-case", case)
            found[said.id] = _Benchmark(
                said.id, row.name, row.dimension, row.passing_threshold, row.status
            )
        return found

    def _benchmark_runs(self, benchmarks: dict[str, _Benchmark]) -> None:
        for chain in self._of(BENCHMARK_RUN):
            said = self._said(chain)
            node, head = said.node, chain.head
            of = self._reference(node, "benchmarkId", BENCHMARK, head)
            self._relate(head, (BENCHMARK, of, "produces", BENCHMARK_RUN, said.id), "benchmarkId")
            benchmark = benchmarks.get(of or "", _Benchmark(of or "", None, None, None, None))
            listed = _texts(head, "testRunIds")
            own = list(self._aggregated(head, listed))
            versions = {run.version for run in own}
            configurations = {run.configuration for run in own}
            self._context.rows.add(
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

    def _aggregated(self, head: Review, listed: Iterable[str]) -> Iterator[Run]:
        """Yield the runs of a benchmark run that are here, and relate all that it names."""
        for name in listed:
            run = self._runs.get(_within(name))
            target = run.id if run is not None else name
            related = BENCHMARK_RUN, head.id, "aggregates", "test-run", target
            self._relate(head, related, "testRunIds", found=run is not None)
            if run is None:
                self._dangling(head, "testRunIds", "test-run", name)
            else:
                yield run

    def _comparison(self, chain: Chain) -> None:
        said = self._said(chain)
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
        self._context.rows.add(
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
                benchmark=self._reference(node, "benchmarkId", BENCHMARK, chain.head),
            )
        )

    def _relation(self, chain: Chain) -> None:
        head, node = chain.head, self._said(chain).node
        source, target = node.text("sourceId"), node.text("targetId")
        relation = node.text("relation")
        if source is None or target is None or relation is None:
            return
        of_benchmark = (BENCHMARK, source) in self._heads
        joined = _produces(of_benchmark) if relation == "produces" else _RELATED.get(relation)
        if joined is None:
            node.note(
                "info",
                "unknown-relation",
                f"{relation[:60]!r} is none of the relations between records.",
                f"The relations are {', '.join(sorted(('produces', *_RELATED)))}.",
                "relation",
            )
            self._relate(head, (None, source, relation, None, target), "", "record", found=False)
            return
        (first, is_first), (second, is_second) = (
            self._end(joined[0], source),
            self._end(joined[1], target),
        )
        if not (is_first and is_second):
            field, name = ("sourceId", first) if not is_first else ("targetId", second)
            self._dangling(head, field, joined[is_first], name)
        ends = joined[0], first, relation, joined[1], second
        self._relate(head, ends, "", "record", found=is_first and is_second)

    def _resolved(self, row: MessageRow) -> MessageRow:
        """Return a message with the current ids of what it is about and what it answers."""
        about = self._heads.get((row.about_type or "", row.about or ""), row.about)
        answered = row.in_reply_to or ""
        kinds = (kind for kind in MESSAGE_ROWS if (kind, answered) in self._heads)
        heads = (self._heads[kind, answered] for kind in kinds)
        return row._replace(about=about, in_reply_to=next(heads, row.in_reply_to))

    def _end(self, kind: str, name: str) -> tuple[str, bool]:
        """Return the current id at one end of a relation, and whether it is here."""
        if kind == "test-run":
            run = self._runs.get(_within(name))
            return (run.id, True) if run is not None else (name, False)
        if kind == "test-case":
            return name, name in self._cases
        head = self._heads.get((kind, name))
        return (head, True) if head is not None else (name, kind not in _HERE)

    def _reference(self, node: Node, field: str, kind: str, head: Review) -> str | None:
        """Return the current id of a record that a field names; one that is not here as it is."""
        name = node.text(field)
        if name is None:
            return None
        found = self._heads.get((kind, name))
        if found is None:
            self._dangling(head, field, kind, name)
        return found or name

    def _relate(
        self,
        head: Review,
        related: tuple[str | None, str | None, str, str | None, str | None],
        field: str,
        origin: str = "field",
        *,
        found: bool | None = None,
    ) -> None:
        source_type, source, relation, target_type, target = related
        if source is None or target is None:
            return
        here = (source_type or "", source) in self._heads if found is None else found
        self._context.rows.add(
            RelationRow(
                suite=self._context.suite.id,
                source_type=source_type,
                source_id=source,
                relation=relation,
                target_type=target_type,
                target_id=target,
                origin=origin,
                found=here,
                source=head.path,
                pointer=f"/fields/{field}" if field else "",
            )
        )

    def _dangling(self, head: Review, field: str, wanted: str, name: str) -> None:
        self._context.node(head).note(
            "warning",
            "dangling-reference",
            f"The {head.type} {head.id[:60]!r} names the {wanted} {name[:120]!r} in {field!r}, "
            "which this suite does not have.",
            f"Bring the {wanted} back, or write a record that replaces this one.",
            field,
        )


def _produces(of_benchmark: bool) -> tuple[str, str]:
    return (BENCHMARK, BENCHMARK_RUN) if of_benchmark else ("test-case", "test-run")


def _only(words: Iterable[str | None]) -> str | None:
    found = set(words)
    return next(iter(found)) if len(found) == 1 else None


def _texts(review: Review, field: str) -> list[str]:
    value = review.fields.get(field)
    items = value if isinstance(value, list) else []
    return list(dict.fromkeys(item for item in items if isinstance(item, str) and item))


def _within(run_id: str) -> str:
    return run_id.partition("::")[2] or run_id
