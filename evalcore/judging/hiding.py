"""Which runs are hidden from a judge until they have judged them, and since when."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import cases_of_runs, columns_of_runs
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.review import BLIND_STUDY, INDEPENDENT, Review
from evalcore.ids import within
from evalcore.judging.asking.keys import keys
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import is_named
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.run_reviews import (
    RunReviews,
    reviews_by_run,
    reviews_of_run,
    score_of,
    text_of,
)
from evalcore.judging.storing.shown import Period
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.judging.studies import Study, runs_compared, studies_of
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

Records = tuple[Review, ...]


class Asking(NamedTuple):
    """Who asked a judge to judge a run independently, in which batch, and when."""

    batch: str
    author: str
    since: datetime


Source = Callable[[RunReviews, Judge], Iterator[Asking]]
"""Yields why a run is to be judged by a judge who has seen no scores of it."""


def in_batches(run: RunReviews, judge: Judge) -> Iterator[Asking]:
    """Yield the independent batches in which a judge is to judge a run."""
    for review in run.batches:
        if is_named(judge, review.fields.get("judges"), review.fields.get("names")):
            yield Asking(text_of(review, "batch"), review.created_by, review.created_at)


FOREVER: Final = datetime.max.replace(tzinfo=UTC)
SOURCES: Final[tuple[Source, ...]] = (in_batches,)


def workspace_for(ws: Workspace, judge: Judge | None) -> Workspace:
    """Return a snapshot as a judge may see it; the snapshot itself if nothing is hidden."""
    if judge is None:
        return ws.unmasked
    runs = {
        run for suite in _with_records(ws, INDEPENDENT) for run in hidden_runs(ws, suite, judge)
    }
    runs |= {run for suite in _with_studies(ws) for run in hidden_in_studies(ws, suite, judge)}
    return ws.hiding(runs, judge.id)


def workspace_for_readers(ws: Workspace) -> Workspace:
    """Return a snapshot as it may be sent to anyone: without the runs of studies that are open.

    What is hidden in it already stays hidden; it is the snapshot itself if that is all.
    """
    found: set[str] = set()
    for suite in _with_studies(ws):
        pairs = (
            pair for each in studies(ws, suite) if each.closed is None for pair in each.fields.pairs
        )
        named = {within(run) for pair in pairs for run in (pair.run_a, pair.run_b)}
        found |= _alike(ws, suite, named)
    return ws.hiding(ws.hidden.runs | found, ws.hidden.judge) if found else ws


def hidden_for_readers(ws: Workspace, readers: Workspace) -> int:
    """Return how many runs `workspace_for_readers` hides beside those that were hidden before."""
    return len(readers.hidden.runs - ws.hidden.runs)


def hidden_in_studies(ws: Workspace, suite: str, judge: Judge) -> set[str]:
    """Return the runs of a suite that tell of a blind study which a judge has still to judge.

    All of a study are hidden until the judge has compared everything, or gave that up; and with
    each run the others of its case, version and configuration, which are likely to look like it.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return _alike(ws, suite, runs_compared(studies(ws, suite), judge))


def _alike(ws: Workspace, suite: str, compared: set[str]) -> set[str]:
    """Return all runs of the cases, versions and configurations of the runs compared."""
    runs = _runs(ws.unmasked, suite)
    named = compared & runs.keys()
    if not named:
        return set()
    here, columns, column = columns_of_runs(ws.unmasked, suite)
    place = cases_of_runs(ws.unmasked, suite)[1] * len(columns) + column
    drawn = np.searchsorted(here, [runs[name][1] for name in named])
    ids = coded(ws.unmasked, "runs", "run_id")
    alike = here[np.isin(place, place[drawn])]
    return {ids.words[code] for code in ids.codes[alike].tolist()}


def studies(ws: Workspace, suite: str) -> tuple[Study, ...]:
    """Return the blind studies of a suite, the newest last.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return studies_of(load_reviews(review_folder(ws.unmasked, suite)), suite)


def hidden_runs(ws: Workspace, suite: str, judge: Judge) -> dict[str, Asking]:
    """Return the runs of a suite that are hidden from a judge: asked for and not judged yet.

    A run that a judge has judged completely, or gave up, stays open; one whose scores they withdrew
    is hidden again.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    ws = ws.unmasked
    reviews = reviews_by_run(load_reviews(review_folder(ws, suite)))
    return {
        run: asking
        for run, asking in _asked_runs(ws, suite, reviews, judge)
        if not _is_open(ws, run, reviews[within(run)], judge, asking)
    }


def asked_independently(ws: Workspace, suite: str, judge: Judge) -> dict[str, Asking]:
    """Return all runs of a suite that a judge was asked to judge independently.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    ws = ws.unmasked
    reviews = reviews_by_run(load_reviews(review_folder(ws, suite)))
    return dict(_asked_runs(ws, suite, reviews, judge))


def hidden_during(ws: Workspace, run_id: str, judge: Judge) -> Period | None:
    """Return from when to when a run was hidden from a judge; None if it never was.

    One that is hidden still has no end.

    Raises:
        UnknownName: it is not the id of a run.
    """
    records = load_reviews(review_folder(ws.unmasked, suite_of(run_id)))
    reviews = reviews_of_run(records, run_id)
    asking = _asking(reviews, judge)
    if asking is None:
        return None
    judged = whole_since(ws, run_id, reviews, judge.id) or FOREVER
    given_up = reviews.reveals.get(judge.id, FOREVER)
    ended = min(judged, given_up if given_up >= asking.since else FOREVER)
    return Period(asking.since, ended) if ended >= asking.since else None


def alias(run_id: str, asking: Asking, judge: Judge) -> str:
    """Return a name for a hidden run that does not tell which it is.

    In the order of their names runs of all versions come mixed, for each judge in another order.
    """
    text = f"{asking.batch}\0{judge.id}\0{within(run_id)}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def criteria_of(ws: Workspace, run_id: str) -> frozenset[str]:
    """Return the keys of the criteria to judge on a run, hidden or not.

    Raises:
        UnknownName: it is not the id of a run.
    """
    suite, ws = suite_of(run_id), ws.unmasked
    known = _runs(ws, suite).get(within(run_id))
    return frozenset() if known is None else keys(ws, suite).of(ws, known[1])


def _with_studies(ws: Workspace) -> list[str]:
    return _with_records(ws, BLIND_STUDY)


def _with_records(ws: Workspace, kind: str) -> list[str]:
    """Return the suites that have records of a type, also one that was written just now."""
    known, folders = _folders(ws.unmasked, kind)
    return [*known, *(suite for suite, folder in folders if folder.is_dir())]


@memoize_per_workspace
def _folders(ws: Workspace, kind: str) -> tuple[tuple[str, ...], tuple[tuple[str, Path], ...]]:
    """Return the suites with such records in this snapshot, and where others would have theirs."""
    documents = coded(ws, "documents", "kind").among({kind})
    suites = coded(ws, "documents", "suite")
    known = tuple(suites.words[code] for code in np.unique(suites.codes[documents]).tolist())
    return known, tuple(
        (suite, ws.root / ("" if root in (None, ".") else root) / REVIEWS / kind)
        for suite, root in cells(ws.tables, "suites", "suite", "root")
        if suite not in known
    )


def _asked_runs(
    ws: Workspace, suite: str, reviews: Mapping[str, RunReviews], judge: Judge
) -> Iterator[tuple[str, Asking]]:
    for name, run in reviews.items():
        asking = _asking(run, judge)
        known = _runs(ws, suite).get(name) if asking is not None else None
        if asking is not None and known is not None:
            yield known[0], asking


def _asking(run: RunReviews, judge: Judge) -> Asking | None:
    """Return the first request since the judge gave the run up; the last one without any since."""
    if not run.batches:
        return None
    found = sorted(
        (each for source in SOURCES for each in source(run, judge)), key=lambda each: each.since
    )
    given_up = run.reveals.get(judge.id)
    later = (each for each in found if given_up is None or each.since > given_up)
    return next(later, found[-1] if found else None)


def _is_open(ws: Workspace, run: str, reviews: RunReviews, judge: Judge, asking: Asking) -> bool:
    given_up = reviews.reveals.get(judge.id)
    if given_up is not None and given_up >= asking.since:
        return True
    return is_judged(ws, run, reviews, judge.id)


def is_judged(ws: Workspace, run: str, reviews: RunReviews, judge: str) -> bool:
    """Return whether a judge has a score of every criterion of a run that is not withdrawn."""
    asked = criteria_of(ws, run)
    return bool(asked) and asked <= reviews.scored(judge).keys()


def whole_since(ws: Workspace, run: str, reviews: RunReviews, judge: str) -> datetime | None:
    """Return when a judge had scored every criterion of a run first, whatever changed since."""
    first: dict[str, datetime] = {}
    for key, chain in reviews.judges.get(judge, {}).items():
        members = (chain.head, *chain.replaced, *chain.rivals)
        times = [each.created_at for each in members if score_of(each) is not None]
        if times:
            first[key] = min(times)
    asked = criteria_of(ws, run)
    return max(first[key] for key in asked) if asked and asked <= first.keys() else None


@memoize_per_workspace
def _runs(ws: Workspace, suite: str) -> dict[str, tuple[str, int]]:
    """Return the id and position of each run of a suite, by the part of its id after the suite."""
    ids = coded(ws, "runs", "run_id")
    here = coded(ws, "runs", "suite").among({suite}).nonzero()[0].tolist()
    found: dict[str, tuple[str, int]] = {}
    for at in here:
        run = ids.words[ids.codes[at]]
        found.setdefault(within(run), (run, at))
    return found
