"""What judges say of each criterion of each run, as it is on the disk now, with their reasons."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.reviewed import beside
from evalcore.families.reviews.review import Review
from evalcore.judging.agreeing.scores import scores
from evalcore.judging.storing.heads import by_run, scale_of, score_of, text_of
from evalcore.judging.storing.record_factory import within
from evalcore.tables.rows import JudgmentRow
from evalcore.workspace.opened import Workspace


class Voice(NamedTuple):
    """What one judge says of one criterion of one run.

    `id` names the record. `row` is the judgment in the table where the record lies among the
    suite's own files: its text is not looked up until it is shown.
    """

    id: str
    judge: str
    score: float
    scale: tuple[float, float]
    rationale: str = ""
    row: int | None = None


Voices = Mapping[str, Mapping[str, list[Voice]]]
"""Voices by key of a criterion, by the part of a run's id that tells it within its suite."""

Shelf = tuple[Review, ...]
T = TypeVar("T")


def latest(
    compute: Callable[[Workspace, str, Shelf], T],
) -> Callable[[Workspace, str, Shelf], T]:
    """Return `compute` that remembers its last answer for each workspace.

    The same shelf of the same suite is looked through once; an answer goes with its workspace.
    """
    answers: WeakKeyDictionary[Workspace, tuple[str, Shelf, T]] = WeakKeyDictionary()

    @wraps(compute)
    def ask(ws: Workspace, suite: str, shelf: Shelf) -> T:
        known = answers.get(ws)
        if known is not None and known[0] == suite and known[1] is shelf:
            return known[2]
        found = compute(ws, suite, shelf)
        answers[ws] = (suite, shelf, found)
        return found

    return ask


@latest
def voices(ws: Workspace, suite: str, shelf: Shelf) -> Voices:
    """Return what people say of each run of a suite: one voice a judge and criterion.

    Scores that are stale, taken back or replaced are left out, and so are adjudications.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found: dict[str, dict[str, list[Voice]]] = defaultdict(lambda: defaultdict(list))
    for run, key, voice in _filed(ws, suite):
        found[run][key].append(voice)
    stale = _stale(ws)
    for run, said in by_run(shelf).items():
        for judge in said.judges:
            for key, chain in said.scored(judge).items():
                if chain.head.path not in stale:
                    _add(found[run][key], chain.head, judge)
    return found


def said_by(ws: Workspace, given: Voice) -> Voice:
    """Return a voice with its reasons."""
    if given.row is None:
        return given
    text = ws.tables.text("judgments", [given.row])["rationale"].iloc[0]
    return given._replace(rationale=text if isinstance(text, str) else "")


def _add(voices: list[Voice], head: Review, judge: str) -> None:
    score, scale = score_of(head), scale_of(head)
    if score is None or scale is None:
        return
    # A score of the same judge among the suite's own files is older than what was judged here.
    if any(voice.judge == judge for voice in voices):
        voices[:] = [voice for voice in voices if voice.judge != judge]
    voices.append(Voice(head.id, judge, score, scale, text_of(head)))


def _filed(ws: Workspace, suite: str) -> Iterator[tuple[str, str, Voice]]:
    """Yield the scores of people that lie among the suite's own files, by run and key."""
    found = scores(ws, suite)
    own = found.row[~beside(ws, "judgments")[found.row]].tolist()
    for at, row in zip(own, typed(ws, "judgments", JudgmentRow, own), strict=True):
        if row.score is None or row.min_score is None or row.max_score is None:
            continue
        voice = Voice(_id(row), row.judge or "", row.score, (row.min_score, row.max_score), row=at)
        yield within(row.run_id or ""), f"{row.kind}:{row.criterion}", voice


@memoize_per_workspace
def _stale(ws: Workspace) -> frozenset[str]:
    """Return the paths of judgments whose output, prompt or criterion changed since."""
    rows = typed(ws, "judgments", JudgmentRow, where(ws, "judgments", status="stale"))
    return frozenset(row.source for row in rows if row.source)


def _id(row: JudgmentRow) -> str:
    """Return what names a judgment: its file's name, or its place in a file of several."""
    stem = PurePosixPath(row.source or "").stem
    return f"{stem}{row.pointer}" if row.pointer else stem
