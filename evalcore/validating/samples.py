"""Random samples of runs that people judged blind: which runs they stand for, and what is missing.

The queue offers the most useful runs first, and people judge what they like; neither says how often
a judge errs. Only runs that were drawn at random from all runs of a version and configuration do:
an independent batch that was drawn so, while those are still the same runs.
"""

from collections import defaultdict
from typing import Literal, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.families.reviews.review import INDEPENDENT, Review
from evalcore.ids import within
from evalcore.judging.queueing.queue import candidates
from evalcore.judging.storing.populations import by_column, column_of, runs_sha256
from evalcore.judging.storing.run_reviews import text_of
from evalcore.validating.pairs import Answers
from evalcore.workspace.opened import Workspace

State = Literal["none", "changed", "open", "complete"]


class Sample(NamedTuple):
    """The random sample of one column (`version/configuration`): its runs, and how far it is.

    `changed`: the runs of the column are not those any more that it was drawn from. `open`: so many
    results of the judge in it, `missing`, have no blind label yet. `runs` are positions.
    """

    column: str
    state: State
    runs: frozenset[int]
    missing: int


def samples(
    ws: Workspace, suite: str, records: tuple[Review, ...], model: Answers, labels: Answers
) -> dict[str, Sample]:
    """Return the sample of each column with results of a judge; `labels` are blind."""
    drawn, outdated = _drawn(ws, suite, records)
    found = {}
    for column, rows in columns_of(ws, model).items():
        runs = frozenset(model.run[rows].tolist()) & drawn.get(column, frozenset())
        state: State = "changed" if column in outdated else "none"
        missing = 0
        if runs:
            mine = rows[np.isin(model.run[rows], list(runs))]
            missing = int((~np.isin(model.key[mine], labels.key)).sum())
            state = "open" if missing else "complete"
        found[column] = Sample(column, state, runs, missing)
    return found


def columns_of(ws: Workspace, given: Answers) -> dict[str, Numbers]:
    """Return the answers (rows) of each column, in the order in which its runs come."""
    words = coded(ws, "runs", "run_id")
    runs, place = np.unique(given.run, return_inverse=True)
    names = [column_of(words.words[code]) for code in words.codes[runs].tolist()]
    columns = {name: at for at, name in enumerate(dict.fromkeys(names))}
    of_row = np.array([columns[name] for name in names], np.int64)[place.reshape(-1)]
    return {name: np.flatnonzero(of_row == at) for name, at in columns.items()}


def _drawn(
    ws: Workspace, suite: str, records: tuple[Review, ...]
) -> tuple[dict[str, frozenset[int]], set[str]]:
    """Return the runs that were drawn at random of each column, and columns that changed since."""
    ids = candidates(ws.unmasked, suite).ids
    now = {column: runs_sha256(runs) for column, runs in by_column(ids).items()}
    words = coded(ws, "runs", "run_id")
    place = {within(words.words[code]): at for at, code in enumerate(words.codes.tolist())}
    drawn: dict[str, set[int]] = defaultdict(set)
    outdated: set[str] = set()
    for record in records:
        if record.type != INDEPENDENT:
            continue
        run = text_of(record, "testRunId")
        column = column_of(run)
        stated = _population(record).get(column)
        if stated is None:
            continue
        if stated != now.get(column):
            outdated.add(column)
        elif within(run) in place:
            drawn[column].add(place[within(run)])
    return {column: frozenset(runs) for column, runs in drawn.items()}, outdated


def _population(record: Review) -> dict[str, str]:
    """Return the sha256 of the runs of each column that a batch was drawn from."""
    stated = record.fields.get("population")
    found = {}
    for each in stated if isinstance(stated, list) else ():
        column, digest = (
            (each.get(name) for name in ("column", "sha256"))
            if isinstance(each, dict)
            else (None, None)
        )
        if isinstance(column, str) and isinstance(digest, str):
            found[column] = digest
    return found
