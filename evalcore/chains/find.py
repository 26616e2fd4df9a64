"""The record at a place, and its chain: what it came from and what it led to, up to two steps away.

One step leads from some records to those that follow from them, or that they follow from.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from evalcore.chains import relations as further
from evalcore.chains.joins import (
    Column,
    code_of,
    joined,
    named,
    unmatched,
    with_word,
    word_at,
    words_of,
)
from evalcore.chains.records import IDS, Records, SuiteRecords
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.failure_rows import current_failures, ids_in
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.shapes import relations
from evalcore.shapes.relations import Relation
from evalcore.workspace.opened import Workspace

COLUMNS: Final[Mapping[Relation, tuple[Column, Column]]] = {
    relations.PRODUCES_RUN: (IDS["test-case"], Column("runs", "case_id")),
    further.CRITERIA_OF_CASE: (Column("criteria", "case_id"), IDS["test-case"]),
    relations.SCORES: (IDS["rubric-criterion"], Column("judgments", "criterion")),
    relations.AGGREGATES: (Column("runs", "benchmark_run"), IDS["benchmark-run"]),
    relations.ORIGINATED_FROM: (IDS["test-run"], Column("failures", "run_id")),
    relations.PRODUCES_BENCHMARK_RUN: (IDS["benchmark"], Column("benchmark_runs", "benchmark")),
    relations.TRACKED_BY: (IDS["benchmark"], Column("trend_points", "benchmark")),
    further.RESTS_ON_COMPARISON: (IDS["prompt-comparison"], Column("approvals", "comparison")),
    **{each: (IDS[each.target], Column("messages", "in_reply_to")) for each in further.ANSWERS},
}
"""The columns of the earlier and of the later records that hold the same word."""
THROUGH: Final[Mapping[Relation, tuple[Relation, Relation]]] = {
    further.FAILURES_OF_RUNS: (relations.AGGREGATES, relations.ORIGINATED_FROM),
    further.TREND_OF_RUNS: (relations.PRODUCES_BENCHMARK_RUN, relations.TRACKED_BY),
}
"""Relations of two records by a third one, which comes before both."""


class Link(NamedTuple):
    """Records at the other end of a relation, and those that are one step further away."""

    relation: Relation
    records: Records
    further: tuple["Link", ...] = ()


class Chain(NamedTuple):
    """What a record of a suite came from, and what it led to; no record is named twice."""

    suite: str
    record: Records
    came_from: tuple[Link, ...]
    led_to: tuple[Link, ...]


class _Named:
    """The records that a chain names already."""

    def __init__(self, first: Records) -> None:
        self._rows: dict[str, Numbers] = {}
        self._names: set[tuple[str, str]] = set()
        self.new(first)

    def new(self, records: Records) -> Records:
        """Return those of some records that are not named yet; from now on they are."""
        kind, rows = records.type, records.rows
        known = self._rows.get(kind)
        if known is not None:
            rows = rows[~np.isin(rows, known)]
        names, missing = (
            tuple(name for name in some if (kind, name) not in self._names)
            for some in (records.names, records.missing)
        )
        self._rows[kind] = rows if known is None else np.concatenate([known, rows])
        self._names.update((kind, name) for name in (*names, *missing))
        return Records(kind, rows, names, missing)


@memoize_per_workspace
def chain(ws: Workspace, suite: str, kind: str, name: str) -> Chain:
    """Return the chain of the record of a type with an id; of a run also by its run id.

    A record that is not in the tables has the links that others state.
    """
    of = SuiteRecords(ws, suite)
    return chain_of(of, of.named(kind, name))


def chain_of(of: SuiteRecords, record: Records) -> Chain:
    """Return the chain of a record."""
    known = _Named(record)
    ways = {later: list(_links(of, record, later, known, True)) for later in (False, True)}
    came, led = (
        tuple(
            # Of records that are reached by a third one there is no second step.
            link
            if link.relation in THROUGH
            else link._replace(further=tuple(_links(of, link.records, later, known, False)))
            for link in ways[later]
        )
        for later in (False, True)
    )
    return Chain(of.suite, record, came, led)


def _links(
    of: SuiteRecords, records: Records, later: bool, known: _Named, through: bool
) -> Iterator[Link]:
    """Yield the relations that lead from some records to others that are not named yet."""
    own = () if of.is_store else (further.CRITERIA_OF_CASE,)
    every = (*relations.RELATIONS, *further.FURTHER, *own, *(THROUGH if through else ()))
    for relation in every:
        if records.type == (relation.earlier if later else relation.later):
            found = known.new(step(of, relation, records, later))
            if found.total:
                yield Link(relation, found)


def step(of: SuiteRecords, relation: Relation, records: Records, later: bool) -> Records:
    """Return the records at the other end of a relation, the later or the earlier one.

    Of a run that is hidden from the reader only its case is known.
    """
    if relation != relations.PRODUCES_RUN or later:
        records = of.seen(records)
    if relation in THROUGH:  # back to what came before both, and from there to the other one
        first, second = THROUGH[relation]
        back, on = (first, second) if later else (second, first)
        return step(of, on, step(of, back, records, later=False), later=True)
    found = _by_columns(of, relation, records, later)
    if relation in relations.RELATIONS and relation not in (relations.CONTAINS, relations.SCORES):
        other = _by_relations(of, relation, records, found.type)
        rows = np.union1d(found.rows, other.rows)
        names, missing = {*found.names, *other.names}, {*found.missing, *other.missing}
        found = Records(found.type, rows, tuple(sorted(names)), tuple(sorted(missing)))
    if found.type == "eval-failure":  # of a corrected one the correction
        replaced = replaced_failures(of.ws)
        current = [replaced.get(row, row) for row in found.rows.tolist()]
        found = found._replace(rows=np.unique(np.array(current, np.int64)))
    return of.once(found)


@memoize_per_workspace
def replaced_failures(ws: Workspace) -> dict[int, int]:
    """Return for each replaced row of `failures` the row that stands in its place."""
    suites, names = (coded(ws, "failures", name).column() for name in ("suite", "failure_id"))
    lists = ws.tables.failures["supersedes"].tolist()
    rows = {key: row for row, key in enumerate(zip(suites, names, strict=True))}
    found: dict[int, int] = {}
    todo = [(row, row) for row in current_failures(ws).tolist()]
    while todo:
        row, current = todo.pop()
        for name in ids_in(lists[row]):
            old = rows.get((suites[row], name), current)
            if old != current and old not in found:
                found[old] = current
                todo.append((old, current))
    return found


def _by_columns(of: SuiteRecords, relation: Relation, records: Records, later: bool) -> Records:
    """Return what tables relate to some records."""
    wanted = relation.later if later else relation.earlier
    if relation == relations.CONTAINS and later:
        # Conventions are no records, and of a corrected judgment only the correction is one.
        rows = judgments_of(of.ws, records.rows)
        for name, word in (("kind", "convention"), ("status", "superseded")):
            words = coded(of.ws, "judgments", name)
            rows = rows[words.codes[rows] != code_of(words, word)]
        return Records(wanted, rows)
    if relation == relations.CONTAINS:
        runs = np.unique(judged_run(of.ws)[records.rows])
        return Records(wanted, runs[runs >= 0])
    if relation == further.RESTS_ON_RUN:
        return _listed(of, records, later)
    if relation in further.ABOUT:
        return _about(of, relation, records, later)
    if relation not in COLUMNS or (relation == relations.SCORES and not of.is_store):
        return Records(wanted)
    earlier, follows = COLUMNS[relation]
    return _joined(of, wanted, records, (earlier, follows) if later else (follows, earlier))


def _joined(
    of: SuiteRecords, wanted: str, records: Records, columns: tuple[Column, Column]
) -> Records:
    """Return records of a type that have a word of a column which others have in theirs."""
    have, other = columns
    rows = joined(of.ws, have, records.rows, other)
    if have == IDS.get(records.type):
        rows = np.union1d(rows, named(of.ws, other, records.names))
    rows = of.of_kind(wanted, of.here(other.table, rows))
    lost: tuple[str, ...] = ()
    if other == IDS.get(wanted):
        lost = tuple(unmatched(of.ws, have, records.rows, other, rows))
    return Records(wanted, rows, lost)


def _about(of: SuiteRecords, relation: Relation, records: Records, later: bool) -> Records:
    """Return the records that name some records as their subject, or those records' subjects."""
    about, kind = Column("messages", "about"), Column("messages", "about_type")
    ids = of.ids(relation.target) or about
    if later:
        if relation.target == "eval-failure":  # what was said of it before it was corrected
            known = {*records.rows.tolist()}
            old = [row for row, now in replaced_failures(of.ws).items() if now in known]
            records = records._replace(rows=np.union1d(records.rows, np.array(old, np.int64)))
        found = _joined(of, relation.source, records, (ids, about))
        return found._replace(rows=with_word(of.ws, kind, found.rows, relation.target))
    mine = records._replace(rows=with_word(of.ws, kind, records.rows, relation.target))
    found = _joined(of, relation.target, mine, (about, ids))
    lost = tuple(unmatched(of.ws, about, mine.rows, ids, found.rows))
    return found._replace(names=(), missing=lost)


def _listed(of: SuiteRecords, records: Records, later: bool) -> Records:
    """Return the approvals that list some benchmark runs, or the runs that approvals list."""
    lists = approval_runs(of.ws)
    if later:
        wanted = {*words_of(of.ws, IDS["benchmark-run"], records.rows), *records.names}
        among = [row for row, names in lists.items() if not wanted.isdisjoint(names)]
        return Records("approval", of.here("approvals", np.array(among, np.int64)))
    names = {name for row in records.rows.tolist() for name in lists.get(row, ())}
    rows = of.here("benchmark_runs", named(of.ws, IDS["benchmark-run"], sorted(names)))
    lost = names - {*words_of(of.ws, IDS["benchmark-run"], rows)}
    return Records("benchmark-run", rows, missing=tuple(sorted(lost)))


@memoize_per_workspace
def approval_runs(ws: Workspace) -> dict[int, tuple[str, ...]]:
    """Return the ids of benchmark runs that each approval (position) rests on."""
    lists = ws.tables.approvals["benchmark_runs"].tolist()
    return {at: tuple(ids_in(text)) for at, text in enumerate(lists) if text}


def _by_relations(of: SuiteRecords, relation: Relation, records: Records, wanted: str) -> Records:
    """Return what the table of relations relates to some records."""
    near, far = ("source", "target") if wanted == relation.target else ("target", "source")
    column, ids = Column("relations", f"{near}_id"), of.ids(records.type)
    # Where something is hidden, what is missing may be that.
    missing = () if of.ws.hidden else records.missing
    rows = named(of.ws, column, [*records.names, *missing])
    if ids is not None:
        rows = np.union1d(rows, joined(of.ws, ids, records.rows, column))
    rows = of.here("relations", rows)
    stated = (relation.source, relation.name, relation.target)
    for name, word in zip(("source_type", "relation", "target_type"), stated, strict=True):
        rows = with_word(of.ws, Column("relations", name), rows, word)
    there = values(of.ws, "relations", "found")[rows] != 0
    other, wanted_ids = Column("relations", f"{far}_id"), of.ids(wanted)
    lost = () if records.missing else tuple(words_of(of.ws, other, rows[~there]))
    if wanted_ids is None:
        return Records(wanted, names=tuple(words_of(of.ws, other, rows[there])), missing=lost)
    found = of.here(wanted_ids.table, joined(of.ws, other, rows, wanted_ids))
    return Records(wanted, found, missing=lost)


FIRST: Final = (
    "test-run", "eval-judgment", "eval-failure", "prompt-comparison", "benchmark-run", "eval-trend",
    "benchmark", "approval", "task", "message", "memory-item", "test-case", "rubric-criterion",
)  # fmt: skip
"""Which record a document is first of all: the grading of a run holds its judgments too."""


def record_at(ws: Workspace, path: str, pointer: str = "") -> tuple[SuiteRecords, Records] | None:
    """Return the record at a place of a document, with those of its suite.

    None where the place holds no record, or several, or what is hidden from the reader.
    """
    if ws.hidden.covers(path):
        return None
    for kind in FIRST:
        table = IDS[kind].table
        suites, places = Column(table, "suite"), Column(table, "pointer")
        rows = SuiteRecords(ws, "").of_kind(kind, named(ws, Column(table, "source"), [path]))
        if pointer and len(rows):
            held = [f"{word_at(ws, places, row)}/" for row in rows.tolist()]
            rows = rows[[f"{pointer}/".startswith(at) for at in held]]
        if not len(rows):
            continue
        row = int(rows[0])
        if table == "judgments":
            suites, row = Column("runs", "suite"), int(judged_run(ws)[row])
        here = SuiteRecords(ws, word_at(ws, suites, row) if row >= 0 else "")
        if kind in ("test-case", "rubric-criterion") and not here.is_store:
            continue  # only in a store are these records of their own
        found = here.once(Records(kind, rows))
        return (here, found) if found.total == 1 and row >= 0 else None
    # A rubric and a benchmark may be in no table but that of relations, which their fields state.
    rows = named(ws, Column("relations", "source"), [path])
    for relation in (relations.COMPOSED_OF, relations.GROUPS):
        for row in rows.tolist():
            name, kind, suite, source = (
                word_at(ws, Column("relations", column), row)
                for column in ("relation", "source_type", "suite", "source_id")
            )
            if (name, kind) == (relation.name, relation.source):
                return SuiteRecords(ws, suite), Records(kind, names=(source,))
    return None
