"""Rows of what is remembered of a suite: benchmarks, their runs, trends, decisions, messages.

The records of one type are chained by `supersedes`; the head of each chain counts and stands for
all of its records. What they name is related to them: each other, and cases and runs.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.remembering import (
    MESSAGES,
    Said,
    approval_row,
    benchmark_run_row,
    definition_row,
    message_row,
    note_repeated,
    prompt_comparison_row,
    rate,
    trend_rows,
)
from evalcore.families.reviews.marks import ReviewContext
from evalcore.families.reviews.review import (
    APPROVAL,
    BENCHMARK,
    BENCHMARK_RUN,
    PROMPT_COMPARISON,
    RELATION,
    TREND,
    Review,
    chains,
)
from evalcore.ids import within
from evalcore.shapes.relations import PRODUCES_BENCHMARK_RUN, PRODUCES_RUN, RELATIONS
from evalcore.tables.rows import BenchmarkDefinitionRow, RelationRow

_RELATED: Final = {each.name: each for each in RELATIONS if each.name != "produces"}
"""The relations by name; `produces` joins two pairs of types, which its ends tell."""

_HERE: Final = frozenset({BENCHMARK, BENCHMARK_RUN, TREND, PROMPT_COMPARISON})
"""The types at the ends of relations of which all records are known here."""


def add_memory(context: ReviewContext, records: Sequence[Review]) -> None:
    """Add the rows of what is remembered, and report references that lead nowhere."""
    if not records:
        return
    memory, rows = _Memory(context, records), context.rows
    for found in memory.chains.values():
        for chain in found:
            context.note_chain(chain, None)
    memory.add_benchmarks()
    for said in memory.current(TREND):
        for row in trend_rows(said, memory.benchmark_of(said, TREND, "tracked_by")):
            rows.add(row)
    for said in memory.current(PROMPT_COMPARISON):
        compared, named = prompt_comparison_row(said.node, said.id, ""), said.node.text("winner")
        winner: str | None = "tie" if named is None else "A" if named == compared.version_a else "B"
        if named is not None and named not in (compared.version_a, compared.version_b):
            winner = None
            message = f"The winner {named[:60]!r} is neither of the two versions."
            hint = "Name one of the two versions, or null for a tie."
            said.node.note("warning", "unknown-winner", message, hint, "winner")
        benchmark = memory.benchmark_of(said, PROMPT_COMPARISON)
        rows.add(compared._replace(winner=winner, benchmark=benchmark))
    for said in memory.current(RELATION):
        memory.add_relation(said)
    for kind in MESSAGES:
        for said in memory.current(kind):
            sent = message_row(kind, said)
            about = memory.heads.get((sent.about_type or "", sent.about or ""), sent.about)
            answered = [memory.heads.get((each, sent.in_reply_to or "")) for each in MESSAGES]
            reply = next(filter(None, answered), sent.in_reply_to)
            rows.add(sent._replace(about=about, in_reply_to=reply))
    for said in memory.current(APPROVAL):
        rows.add(approval_row(said))


class _Memory:
    """The records of one suite in chains by type, and what they name as rows and problems.

    `heads` are the ids of the records that count, by type and id of any record of their chains;
    `runs` those that benchmark runs name, by the part of their ids after the suite.
    """

    def __init__(self, context: ReviewContext, records: Sequence[Review]) -> None:
        self.context = context
        by_type: dict[str, list[Review]] = defaultdict(list)
        for review in records:
            by_type[review.type].append(review)
        self.chains = {kind: chains(found) for kind, found in by_type.items()}
        self.heads = {
            (kind, member.id): chain.head.id
            for kind, found in self.chains.items()
            for chain in found
            for member in chain.members
        }
        known, suite = context.known, context.suite
        named = {
            f"{suite.prefix}::{within(run)}"
            for said in self.current(BENCHMARK_RUN)
            for run in _texts(said.node, "testRunIds")
        }
        self.runs = {within(name): runs[0] for name, runs in known.runs(named).items()}
        mine = known.rows("cases", ["case_id"], "suite", [suite.id])
        self.cases = frozenset(case for (case,) in mine)

    def current(self, kind: str) -> Iterator[Said]:
        """Yield the records of a type that count: the heads of their chains."""
        return (self.context.said(chain) for chain in self.chains.get(kind, ()))

    def add_benchmarks(self) -> None:
        """Add the benchmarks, and their runs with what they take over from them."""
        benchmarks: dict[str | None, BenchmarkDefinitionRow] = {}
        first: dict[str, str] = {}
        for said in self.current(BENCHMARK):
            cases = _texts(said.node, "testCaseIds")
            defined = benchmarks[said.id] = definition_row(said, cases)
            self.context.rows.add(defined)
            same = first.setdefault(defined.name or "", said.id)
            note_repeated(said.node, defined.name, same, said.id)
            for case in cases:
                self._name(said, BENCHMARK, "testCaseIds", "groups", ("test-case", case))
        for said in self.current(BENCHMARK_RUN):
            of = self.benchmark_of(said, BENCHMARK_RUN, "produces")
            listed = _texts(said.node, "testRunIds")
            for name in listed:
                self._name(said, BENCHMARK_RUN, "testRunIds", "aggregates", ("test-run", name))
            own = [self.runs[at] for at in map(within, listed) if at in self.runs]
            versions = {run.version for run in own}
            configurations = {run.configuration for run in own}
            benchmark = benchmarks.get(of) or BenchmarkDefinitionRow(said.suite, of or None)
            stated = said.node.number("overallScore"), rate(said.node)
            row = benchmark_run_row(said, benchmark, stated, len(listed))
            if len(versions) == 1:
                row = row._replace(version=versions.pop())
            if len(configurations) == 1:
                row = row._replace(configuration=configurations.pop() or "-")
            self.context.rows.add(row)

    def add_relation(self, said: Said) -> None:
        """Add a relation that is a record of its own, and report ends that are not here."""
        node = said.node
        source, target = node.text("sourceId"), node.text("targetId")
        relation = node.text("relation")
        if source is None or target is None or relation is None:
            return
        joined = _RELATED.get(relation)
        if relation == "produces":
            of_benchmark = (BENCHMARK, source) in self.heads
            joined = PRODUCES_BENCHMARK_RUN if of_benchmark else PRODUCES_RUN
        first, second = (None, None) if joined is None else (joined.source, joined.target)
        is_here = False
        if first is None or second is None:
            message = f"{relation[:60]!r} is not a known relation between records."
            hint = f"The relations are {', '.join(sorted(('produces', *_RELATED)))}."
            node.note("info", "unknown-relation", message, hint, "relation")
        else:
            source, is_first = self._end(first, source)
            target, is_second = self._end(second, target)
            is_here = is_first and is_second
            if not is_first:
                _dangling(said, RELATION, "sourceId", first, source)
            elif not is_second:
                _dangling(said, RELATION, "targetId", second, target)
        ends = first, source, relation, second, target
        self.context.rows.add(RelationRow(said.suite, *ends, "record", is_here, said.path, ""))

    def benchmark_of(self, said: Said, kind: str, relation: str = "") -> str | None:
        """Return the current id of the benchmark that a record names, and relate the two.

        One that is not here is reported, and returned as it is named.
        """
        name = said.node.text("benchmarkId")
        if name is None:
            return None
        return self._name(said, kind, "benchmarkId", relation, (BENCHMARK, name))

    def _name(
        self, said: Said, kind: str, field: str, relation: str, named: tuple[str, str]
    ) -> str:
        """Return the current id of what a field of a record names, and relate the two."""
        wanted, name = named
        end, is_here = self._end(wanted, name)
        if not is_here:
            _dangling(said, kind, field, wanted, name)
        if relation:
            own, other = (kind, said.id), (wanted, end)
            first, second = (other, own) if wanted == BENCHMARK else (own, other)
            ends = *first, relation, *second
            at = f"/fields/{field}"
            self.context.rows.add(RelationRow(said.suite, *ends, "field", is_here, said.path, at))
        return end

    def _end(self, kind: str, name: str) -> tuple[str, bool]:
        """Return the current id of a record that is named, and whether it is here."""
        if kind == "test-run":
            run = self.runs.get(within(name))
            return (run.id, True) if run is not None else (name, False)
        if kind == "test-case":
            return name, name in self.cases
        head = self.heads.get((kind, name))
        return (head, True) if head is not None else (name, kind not in _HERE)


def _dangling(said: Said, kind: str, field: str, wanted: str, name: str) -> None:
    """Report a name that leads to nothing of this suite."""
    message = (
        f"The {kind} {said.id[:60]!r} names the {wanted} {name[:120]!r} in {field!r}, "
        "which this suite does not have."
    )
    hint = f"Restore the {wanted}, or write a record that replaces this one."
    said.node.note("warning", "dangling-reference", message, hint, field)


def _texts(node: Node, field: str) -> list[str]:
    """Return the texts of a list field of a record, each once."""
    value = node.get(field)
    items = value if isinstance(value, list) else []
    return list(dict.fromkeys(item for item in items if isinstance(item, str) and item))
