"""One step from some records to those that follow from them, or that they follow from."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from evalcore.chains.joins import Column, code_of, joined, named, unmatched, words_of
from evalcore.chains.records import IDS, Records, SuiteRecords
from evalcore.chains.relations import (
    ABOUT,
    AGGREGATES,
    ANSWERS,
    CONTAINS,
    CRITERIA_OF_CASE,
    FAILURES_OF_RUNS,
    FURTHER,
    ORIGINATED_FROM,
    PRODUCES_BENCHMARK_RUN,
    PRODUCES_RUN,
    RELATIONS,
    RESTS_ON_COMPARISON,
    RESTS_ON_RUN,
    SCORES,
    TRACKED_BY,
    TREND_OF_RUNS,
    Relation,
)
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.failure_rows import current_failures, ids_in
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace

COLUMNS: Final[Mapping[Relation, tuple[Column, Column]]] = {
    PRODUCES_RUN: (IDS["test-case"], Column("runs", "case_id")),
    CRITERIA_OF_CASE: (Column("criteria", "case_id"), IDS["test-case"]),
    SCORES: (IDS["rubric-criterion"], Column("judgments", "criterion")),
    AGGREGATES: (Column("runs", "benchmark_run"), IDS["benchmark-run"]),
    ORIGINATED_FROM: (IDS["test-run"], Column("failures", "run_id")),
    PRODUCES_BENCHMARK_RUN: (IDS["benchmark"], Column("benchmark_runs", "benchmark")),
    TRACKED_BY: (IDS["benchmark"], Column("trend_points", "benchmark")),
    RESTS_ON_COMPARISON: (IDS["prompt-comparison"], Column("approvals", "comparison")),
    **{each: (IDS[each.target], Column("messages", "in_reply_to")) for each in ANSWERS},
}
"""The columns of the earlier and of the later records that hold the same word."""
THROUGH: Final[Mapping[Relation, tuple[Relation, Relation]]] = {
    FAILURES_OF_RUNS: (AGGREGATES, ORIGINATED_FROM),
    TREND_OF_RUNS: (PRODUCES_BENCHMARK_RUN, TRACKED_BY),
}
"""Relations of two records by a third one, which comes before both."""


def relations_from(of: SuiteRecords, kind: str, later: bool, through: bool) -> list[Relation]:
    """Return the relations by which others follow from a type of record, or it from others."""
    own = () if of.is_store else (CRITERIA_OF_CASE,)
    found = (*RELATIONS, *FURTHER, *own, *(THROUGH if through else ()))
    return [each for each in found if kind == (each.earlier if later else each.later)]


def step(of: SuiteRecords, relation: Relation, records: Records, later: bool) -> Records:
    """Return the records at the other end of a relation, the later or the earlier one.

    Of a run that is hidden from the reader only its case is known.
    """
    if relation != PRODUCES_RUN or later:
        records = of.seen(records)
    if relation in THROUGH:
        return _through(of, *THROUGH[relation], records, later)
    found = _by_columns(of, relation, records, later)
    if relation in RELATIONS and relation not in (CONTAINS, SCORES):
        found = _both(found, _by_relations(of, relation, records, found.type))
    if found.type == "eval-failure":
        found = found._replace(rows=_in_place(of.ws, found.rows))
    return of.once(found)


def _in_place(ws: Workspace, failures: Numbers) -> Numbers:
    """Return the failures that stand in place of some: of a corrected one the correction."""
    replaced = replaced_failures(ws)
    rows = [replaced.get(row, row) for row in failures.tolist()]
    return np.unique(np.array(rows, np.int64))


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


def _both(one: Records, other: Records) -> Records:
    """Return the records of two answers."""
    names, missing = {*one.names, *other.names}, {*one.missing, *other.missing}
    rows = np.union1d(one.rows, other.rows)
    return Records(one.type, rows, tuple(sorted(names)), tuple(sorted(missing)))


def _through(
    of: SuiteRecords, first: Relation, second: Relation, records: Records, later: bool
) -> Records:
    """Go back to what came before both records, and from there to the other one."""
    back, on = (first, second) if later else (second, first)
    return step(of, on, step(of, back, records, later=False), later=True)


def _by_columns(of: SuiteRecords, relation: Relation, records: Records, later: bool) -> Records:
    """Return what tables relate to some records."""
    wanted = relation.later if later else relation.earlier
    if relation == CONTAINS:
        return Records(wanted, _judgments(of, records) if later else _judged(of, records))
    if relation == RESTS_ON_RUN:
        return _listed(of, records, later)
    if relation in ABOUT:
        return _about(of, relation, records, later)
    if relation not in COLUMNS or (relation == SCORES and not of.is_store):
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
    about, kinds = Column("messages", "about"), coded(of.ws, "messages", "about_type")
    ids, subject = of.ids(relation.target) or about, code_of(kinds, relation.target)
    if later:
        if relation.target == "eval-failure":  # what was said of it before it was corrected
            known = {*records.rows.tolist()}
            old = [row for row, now in replaced_failures(of.ws).items() if now in known]
            records = records._replace(rows=np.union1d(records.rows, np.array(old, np.int64)))
        found = _joined(of, relation.source, records, (ids, about))
        return found._replace(rows=found.rows[kinds.codes[found.rows] == subject])
    mine = records._replace(rows=records.rows[kinds.codes[records.rows] == subject])
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


def _judgments(of: SuiteRecords, runs: Records) -> Numbers:
    """Return the judgments of runs, without conventions and those that were corrected since."""
    rows = judgments_of(of.ws, runs.rows)
    for name, word in (("kind", "convention"), ("status", "superseded")):
        words = coded(of.ws, "judgments", name)
        rows = rows[words.codes[rows] != code_of(words, word)]
    return rows


def _judged(of: SuiteRecords, judgments: Records) -> Numbers:
    runs = np.unique(judged_run(of.ws)[judgments.rows])
    return runs[runs >= 0]


def _by_relations(of: SuiteRecords, relation: Relation, records: Records, wanted: str) -> Records:
    """Return what the table of relations relates to some records."""
    near, far = ("source", "target") if wanted == relation.target else ("target", "source")
    column, ids = Column("relations", f"{near}_id"), of.ids(records.type)
    # Where something is hidden, what is missing may be that.
    missing = () if of.ws.hidden else records.missing
    rows = named(of.ws, column, [*records.names, *missing])
    if ids is not None:
        rows = np.union1d(rows, joined(of.ws, ids, records.rows, column))
    rows = _stating(of, of.here("relations", rows), relation)
    there = values(of.ws, "relations", "found")[rows] != 0
    other, wanted_ids = Column("relations", f"{far}_id"), of.ids(wanted)
    lost = () if records.missing else tuple(words_of(of.ws, other, rows[~there]))
    if wanted_ids is None:
        return Records(wanted, names=tuple(words_of(of.ws, other, rows[there])), missing=lost)
    found = of.here(wanted_ids.table, joined(of.ws, other, rows, wanted_ids))
    return Records(wanted, found, missing=lost)


def _stating(of: SuiteRecords, rows: Numbers, relation: Relation) -> Numbers:
    """Return those rows of relations that state one relation between its two types."""
    stated = (relation.source, relation.name, relation.target)
    for name, word in zip(("source_type", "relation", "target_type"), stated, strict=True):
        words = coded(of.ws, "relations", name)
        rows = rows[words.codes[rows] == code_of(words, word)]
    return rows
