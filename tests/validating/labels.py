"""A demo suite whose runs people label blind: mostly as the recorded judge says."""

from collections.abc import Callable, Iterable
from random import Random

from evalcore.judging.answering.independent import Judges, drawn, start_batch
from evalcore.judging.answering.submitting import submit
from evalcore.judging.model import Answer, Asked, Judge
from evalcore.judging.queueing.batches import runs_to_draw
from evalcore.workspace.opened import Workspace, reopened
from tests.judging.copies import BEN, NOTES, taken

Said = Callable[[str, Asked, float], float]
"""What a person says of a criterion of a run, where the judge gave a score."""


def recorded_scores(ws: Workspace) -> dict[tuple[str, str], float]:
    """Return the recorded score of each criterion of each run."""
    found = ws.tables.judgments
    found = found[found["source"].astype(str).str.contains("grading")]
    keys = found["kind"].astype(str) + ":" + found["criterion"].astype(str)
    return dict(
        zip(zip(found["run_id"].astype(str), keys, strict=True), found["score"], strict=True)
    )


def label(
    ws: Workspace, runs: Iterable[str], judge: Judge, says: Said, *, blind: bool = True
) -> None:
    """Store what a person says of some runs."""
    scores = recorded_scores(ws)
    for run in runs:
        of = taken(ws.unmasked, run, judge)
        answers = [
            Answer(each.key, says(run, each, scores[run, each.key]), "I looked at it myself.")
            for each in of.criteria
        ]
        submit(ws.unmasked, of, answers, judge, seen=[] if blind else ["recorded"])


def same(run: str, of: Asked, score: float) -> float:
    """Say what the judge says."""
    del run, of
    return score


def wrong_at(share: float, seed: int = 1) -> Said:
    """Return a person who says the opposite of the judge at some share of criteria."""
    chance = Random(seed)

    def says(run: str, of: Asked, score: float) -> float:
        del run
        if chance.random() >= share:
            return score
        return of.low if score >= 3 else of.high

    return says


def sample(
    ws: Workspace, judge: Judge, number: int, *versions: str, seed: int = 1
) -> tuple[str, ...]:
    """Draw runs of some versions at random, and ask a judge to label them blind."""
    runs = runs_to_draw(ws, NOTES, versions)
    draw = drawn(runs, number, Random(seed))
    start_batch(ws, draw, Judges((judge.id,)), BEN)
    return draw.runs


def now(ws: Workspace) -> Workspace:
    """Return the workspace as it is on the disk now."""
    return reopened(ws)
