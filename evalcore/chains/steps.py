"""One step from some records to those that follow from them, or that they follow from."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from evalcore.chains.joins import Column, joined, named, words_of
from evalcore.chains.records import IDS, Records, SuiteRecords
from evalcore.chains.relations import (
    AGGREGATES,
    CONTAINS,
    CRITERIA_OF_CASE,
    FAILURES_OF_RUNS,
    ORIGINATED_FROM,
    PRODUCES_BENCHMARK_RUN,
    PRODUCES_RUN,
    RELATIONS,
    SCORES,
    TRACKED_BY,
    TREND_OF_RUNS,
    Relation,
)
from evalcore.counting.coded import Coded, Numbers, coded, values
from evalcore.counting.failure_rows import current_failures
from evalcore.counting.joined import judged_run, judgments_of

COLUMNS: Final[Mapping[Relation, tuple[Column | None, Column]]] = {
    PRODUCES_RUN: (IDS["test-case"], Column("runs", "case_id")),
    CRITERIA_OF_CASE: (Column("criteria", "case_id"), IDS["test-case"]),
    SCORES: (IDS["rubric-criterion"], Column("judgments", "criterion")),
    AGGREGATES: (Column("runs", "benchmark_run"), IDS["benchmark-run"]),
    ORIGINATED_FROM: (IDS["test-run"], Column("failures", "run_id")),
    PRODUCES_BENCHMARK_RUN: (None, Column("benchmark_runs", "benchmark")),
    TRACKED_BY: (None, Column("trend_points", "benchmark")),
}
"""The columns of the earlier and of the later records that hold the same word.

None: the earlier records have no table of their own; their id is that word.
"""
THROUGH: Final[Mapping[Relation, tuple[Relation, Relation]]] = {
    FAILURES_OF_RUNS: (AGGREGATES, ORIGINATED_FROM),
    TREND_OF_RUNS: (PRODUCES_BENCHMARK_RUN, TRACKED_BY),
}
"""Relations of two records by a third one, which comes before both."""


def relations_from(of: SuiteRecords, kind: str, later: bool, through: bool) -> list[Relation]:
    """Return the relations by which others follow from a type of record, or it from others."""
    own = () if of.is_store else (CRITERIA_OF_CASE,)
    found = (*RELATIONS, *own, *(THROUGH if through else ()))
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
    if relation not in (CONTAINS, SCORES, CRITERIA_OF_CASE):
        found = _both(found, _by_relations(of, relation, records, found.type))
    if found.type == "eval-failure":
        found = found._replace(rows=found.rows[np.isin(found.rows, current_failures(of.ws))])
    return of.once(found)


def _both(one: Records, other: Records) -> Records:
    """Return the records of two answers; what one of them misses is missing."""
    missing = {*one.missing, *other.missing}
    names = {*one.names, *other.names} - missing
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
    if relation not in COLUMNS or (relation == SCORES and not of.is_store):
        return Records(wanted)
    earlier, follows = COLUMNS[relation]
    if earlier is None:
        if later:
            return Records(wanted, of.here(follows.table, named(of.ws, follows, records.names)))
        return Records(wanted, names=tuple(words_of(of.ws, follows, records.rows)))
    have, other = (earlier, follows) if later else (follows, earlier)
    rows = of.here(other.table, joined(of.ws, have, records.rows, other))
    only_run = relation == PRODUCES_RUN and not later and not of.is_store and not len(rows)
    return Records(wanted, rows, tuple(words_of(of.ws, have, records.rows)) if only_run else ())


def _judgments(of: SuiteRecords, runs: Records) -> Numbers:
    """Return the judgments of runs, without conventions and those that were corrected since."""
    rows = judgments_of(of.ws, runs.rows)
    for name, word in (("kind", "convention"), ("status", "superseded")):
        words = coded(of.ws, "judgments", name)
        rows = rows[words.codes[rows] != _code(words, word)]
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
        rows = rows[words.codes[rows] == _code(words, word)]
    return rows


def _code(words: Coded, word: str) -> int:
    """Return the code of a word, or one that no row has."""
    at = int(words.places([word])[0])
    return at if at >= 0 else len(words.strings)
