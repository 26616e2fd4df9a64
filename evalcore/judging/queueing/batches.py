"""The independent batches of a suite, and how far each judge is; never a score."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import coded
from evalcore.families.reviews.review import INDEPENDENT, Review
from evalcore.judging.hiding import is_judged
from evalcore.judging.model import Judge
from evalcore.judging.queueing.queue import candidates
from evalcore.judging.storing.judges import is_named, known_judges
from evalcore.judging.storing.run_reviews import RunReviews, reviews_of_run, text_of
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace


class Progress(NamedTuple):
    """How many runs of a batch a judge has judged, and how many they gave up."""

    judge: str
    judged: int
    given_up: int


class Batch(NamedTuple):
    """Runs that judges judge independently: who asked, when, why, and how they were chosen."""

    id: str
    author: str
    since: datetime
    reason: str
    random: bool
    runs: int
    out_of: int
    judges: tuple[Progress, ...]


def batches(ws: Workspace, suite: str) -> tuple[Batch, ...]:
    """Return the independent batches of a suite, the newest first.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    ws = ws.unmasked
    records = load_reviews(review_folder(ws, suite))
    found: dict[str, list[Review]] = defaultdict(list)
    for record in records:
        if record.type == INDEPENDENT:
            found[text_of(record, "batch")].append(record)
    made = (_batch(ws, name, members, records) for name, members in found.items())
    return tuple(sorted(made, key=lambda batch: batch.since, reverse=True))


def runs_to_draw(
    ws: Workspace,
    suite: str,
    versions: Collection[str] = (),
    configurations: Collection[str] = (),
    cases: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the runs of a suite that can be judged, of some versions and so on or of all.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    ws = ws.unmasked
    found = candidates(ws, suite)
    wanted = {"version": versions, "configuration": configurations, "case_id": cases}
    kept = np.ones(len(found.ids), bool)
    for name, words in wanted.items():
        if words:
            kept &= coded(ws, "runs", name).among(words)[found.runs]
    return tuple(found.ids[at] for at in np.flatnonzero(kept))


def progress_of(ws: Workspace, suite: str, judge: Judge) -> tuple[int, int]:
    """Return how many runs a judge has judged of those in open batches, and how many these are."""
    mine = [
        (one, batch.runs)
        for batch in batches(ws, suite)
        for one in batch.judges
        if one.judge == judge.id
    ]
    left = [(one.judged, runs) for one, runs in mine if one.judged < runs]
    return sum(judged for judged, _ in left), sum(runs for _, runs in left)


def _batch(ws: Workspace, name: str, members: list[Review], records: tuple[Review, ...]) -> Batch:
    first = members[0]
    out_of = first.fields.get("outOf")
    runs = [text_of(each, "testRunId") for each in members]
    about = {run: reviews_of_run(records, run) for run in runs}
    return Batch(
        name,
        first.created_by,
        first.created_at,
        text_of(first, "reason"),
        text_of(first, "drawn") == "random",
        len(runs),
        out_of if isinstance(out_of, int) else len(runs),
        tuple(_progress(ws, judge, about) for judge in _judges(first)),
    )


def _judges(review: Review) -> Iterator[str]:
    """Yield the ids of the judges of a batch; of one who has none here, the name."""
    ids, names = (review.fields.get(key) for key in ("judges", "names"))
    yield from (each for each in (ids if isinstance(ids, list) else []) if isinstance(each, str))
    for name in names if isinstance(names, list) else []:
        known = (judge.id for judge in known_judges() if is_named(judge, [], [name]))
        if isinstance(name, str):
            yield next(known, name)


def _progress(ws: Workspace, judge: str, about: Mapping[str, RunReviews]) -> Progress:
    judged = sum(is_judged(ws, run, reviews, judge) for run, reviews in about.items())
    return Progress(judge, judged, sum(judge in each.reveals for each in about.values()))
