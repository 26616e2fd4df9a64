"""What records of one suite that are remembered name: each other, and cases and runs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.remembering import MESSAGE_ROWS, Said
from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import Lookup, Run, where
from evalcore.families.reviews.review import (
    BENCHMARK,
    BENCHMARK_RUN,
    PROMPT_COMPARISON,
    TREND,
    Chain,
    Review,
    chains,
)
from evalcore.tables.rows import MessageRow, RelationRow

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


class MemoryLinks:
    """The records of one suite by type in chains, and what they name as rows and problems.

    The head of each chain stands for all of its records. `cases` are the ids of the suite's cases.
    """

    def __init__(self, context: ReviewContext, records: Sequence[Review], known: Lookup) -> None:
        self.context, self._known = context, known
        by_type: dict[str, list[Review]] = defaultdict(list)
        for review in records:
            by_type[review.type].append(review)
        self.chains = {kind: chains(found) for kind, found in by_type.items()}
        self._heads = {
            (kind, member.id): chain.head.id
            for kind, found in self.chains.items()
            for chain in found
            for member in chain.members
        }
        self._runs = self._runs_named()
        mine = where(known.column("cases", "suite"), [context.suite.id]).tolist()
        self.cases = frozenset(case for (case,) in known.rows("cases", ("case_id",), mine))

    def of(self, kind: str) -> Sequence[Chain]:
        """Return the chains of a type, in the order of their heads."""
        return self.chains.get(kind, ())

    def said(self, chain: Chain) -> Said:
        """Return the record of a chain that counts."""
        head, context = chain.head, self.context
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
            for chain in self.of(BENCHMARK_RUN)
            for run in texts(chain.head, "testRunIds")
        }
        prefix = self.context.suite.prefix
        found = self._known.runs({f"{prefix}::{name}" for name in named}) if named else {}
        return {_within(name): runs[0] for name, runs in found.items()}

    def aggregated(self, head: Review, listed: Iterable[str]) -> Iterator[Run]:
        """Yield the runs of a benchmark run that are here, and relate all that it names."""
        for name in listed:
            run = self._runs.get(_within(name))
            target = run.id if run is not None else name
            related = BENCHMARK_RUN, head.id, "aggregates", "test-run", target
            self.relate(head, related, "testRunIds", found=run is not None)
            if run is None:
                self.dangling(head, "testRunIds", "test-run", name)
            else:
                yield run

    def add_relation(self, chain: Chain) -> None:
        """Add a relation that is a record of its own, and report ends that are not here."""
        head, node = chain.head, self.said(chain).node
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
                f"{relation[:60]!r} is not a known relation between records.",
                f"The relations are {', '.join(sorted(('produces', *_RELATED)))}.",
                "relation",
            )
            self.relate(head, (None, source, relation, None, target), "", "record", found=False)
            return
        (first, is_first), (second, is_second) = (
            self._end(joined[0], source),
            self._end(joined[1], target),
        )
        if not (is_first and is_second):
            field, name = ("sourceId", first) if not is_first else ("targetId", second)
            self.dangling(head, field, joined[is_first], name)
        ends = joined[0], first, relation, joined[1], second
        self.relate(head, ends, "", "record", found=is_first and is_second)

    def resolved(self, row: MessageRow) -> MessageRow:
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
            return name, name in self.cases
        head = self._heads.get((kind, name))
        return (head, True) if head is not None else (name, kind not in _HERE)

    def reference(self, node: Node, field: str, kind: str, head: Review) -> str | None:
        """Return the current id of a record that a field names; one that is not here as it is."""
        name = node.text(field)
        if name is None:
            return None
        found = self._heads.get((kind, name))
        if found is None:
            self.dangling(head, field, kind, name)
        return found or name

    def relate(
        self,
        head: Review,
        related: tuple[str | None, str | None, str, str | None, str | None],
        field: str,
        origin: str = "field",
        *,
        found: bool | None = None,
    ) -> None:
        """Add a relation that a field of a record states, or the record itself."""
        source_type, source, relation, target_type, target = related
        if source is None or target is None:
            return
        here = (source_type or "", source) in self._heads if found is None else found
        self.context.rows.add(
            RelationRow(
                suite=self.context.suite.id,
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

    def dangling(self, head: Review, field: str, wanted: str, name: str) -> None:
        """Report a name that leads to nothing of this suite."""
        self.context.node(head).note(
            "warning",
            "dangling-reference",
            f"The {head.type} {head.id[:60]!r} names the {wanted} {name[:120]!r} in {field!r}, "
            "which this suite does not have.",
            f"Restore the {wanted}, or write a record that replaces this one.",
            field,
        )


def _produces(of_benchmark: bool) -> tuple[str, str]:
    return (BENCHMARK, BENCHMARK_RUN) if of_benchmark else ("test-case", "test-run")


def texts(review: Review, field: str) -> list[str]:
    """Return the texts of a list field of a record, each once."""
    value = review.fields.get(field)
    items = value if isinstance(value, list) else []
    return list(dict.fromkeys(item for item in items if isinstance(item, str) and item))


def _within(run_id: str) -> str:
    return run_id.partition("::")[2] or run_id
