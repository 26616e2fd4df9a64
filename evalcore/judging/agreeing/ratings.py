"""Each judge's rating of each criterion of each run, as currently stored on disk."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from evalcore.counting.cells import typed
from evalcore.counting.review_rows import from_reviews, records_of_status
from evalcore.families.base import UNATTACHED
from evalcore.families.reviews.review import Review
from evalcore.ids import within
from evalcore.judging.agreeing.scores import scores
from evalcore.judging.storing.run_reviews import reviews_by_run, scale_of, score_of, text_of
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace


class Rating(NamedTuple):
    """One judge's rating of one criterion of one run.

    `id` names the record. `row` is the row of the judgments table if the rating comes from the
    suite's own files; its rationale is then loaded only when it is shown.
    """

    id: str
    judge: str
    score: float
    scale: tuple[float, float]
    rationale: str = ""
    row: int | None = None


Ratings = Mapping[str, Mapping[str, list[Rating]]]
"""Ratings by criterion key, by the part of a run id after its suite."""

Records = tuple[Review, ...]
T = TypeVar("T")


def latest(
    compute: Callable[[Workspace, str, Records], T],
) -> Callable[[Workspace, str, Records], T]:
    """Cache the last result of `compute` for each workspace.

    The result is reused while suite and records are the same; it is dropped with its workspace.
    """
    answers: WeakKeyDictionary[Workspace, tuple[str, Records, T]] = WeakKeyDictionary()

    @wraps(compute)
    def ask(ws: Workspace, suite: str, records: Records) -> T:
        known = answers.get(ws)
        if known is not None and known[0] == suite and known[1] is records:
            return known[2]
        found = compute(ws, suite, records)
        answers[ws] = (suite, records, found)
        return found

    return ask


@latest
def ratings(ws: Workspace, suite: str, records: Records) -> Ratings:
    """Return people's ratings of each run of a suite: one for each judge and criterion.

    Stale, unattached, withdrawn and replaced scores are left out, and so are adjudications.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found: dict[str, dict[str, list[Rating]]] = defaultdict(lambda: defaultdict(list))
    for run, key, rating in _filed(ws, suite):
        found[run][key].append(rating)
    aside = records_of_status(ws, "stale", UNATTACHED)
    for run, reviews in reviews_by_run(records).items():
        for judge in reviews.judges:
            for key, chain in reviews.scored(judge).items():
                if chain.head.id not in aside:
                    _add(found[run][key], chain.head, judge)
    return found


def with_rationale(ws: Workspace, given: Rating) -> Rating:
    """Return a rating with its rationale."""
    if given.row is None:
        return given
    text = ws.tables.text("judgments", [given.row])["rationale"].iloc[0]
    return given._replace(rationale=text if isinstance(text, str) else "")


def _add(ratings: list[Rating], head: Review, judge: str) -> None:
    score, scale = score_of(head), scale_of(head)
    if score is None or scale is None:
        return
    # A score by the same judge in the suite's own files is older than one stored here.
    if any(rating.judge == judge for rating in ratings):
        ratings[:] = [rating for rating in ratings if rating.judge != judge]
    ratings.append(Rating(head.id, judge, score, scale, text_of(head)))


def _filed(ws: Workspace, suite: str) -> Iterator[tuple[str, str, Rating]]:
    """Yield the human scores in the suite's own files, by run and key."""
    found = scores(ws, suite)
    own = found.row[~from_reviews(ws, "judgments")[found.row]].tolist()
    for at, row in zip(own, typed(ws, "judgments", JudgmentRow, own), strict=True):
        if row.score is None or row.min_score is None or row.max_score is None:
            continue
        rating = Rating(
            _id(row), row.judge or "", row.score, (row.min_score, row.max_score), row=at
        )
        yield within(row.run_id or ""), f"{row.kind}:{row.criterion}", rating


def _id(row: JudgmentRow) -> str:
    """Return the id of a judgment: the name of its file, with the pointer if it holds several."""
    stem = PurePosixPath(row.source or "").stem
    return f"{stem}{row.pointer}" if row.pointer else stem
