"""Verdicts with the sides put back: what each judge said of A and B."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from evalcore.blind.drawing import a_is_left
from evalcore.families.reviews.models import BlindPair
from evalcore.families.reviews.review import NO_REASON, Winner
from evalcore.judging.studies import Study

Won = Literal["a", "b", "tie", "both bad"]
Place = Literal["left", "right"]
_EVEN: Final[Mapping[Winner, Won]] = {"tie": "tie", "both bad": "both bad"}


class Unblinded(NamedTuple):
    """A verdict on a pair; `scores` are those of A and B by criterion, `a` is where A stood.

    `id` is its record, `at` when it was given, `since` when the judge's first one on the pair was
    stored.
    """

    id: str
    pair: BlindPair
    judge: str
    won: Won
    scores: Mapping[str, tuple[float, float]]
    rationale: str
    knows: bool
    a: Place
    at: str
    since: datetime


def unblinded(study: Study, secret: bytes) -> tuple[Unblinded, ...]:
    """Return the verdicts of a study that stand, as they are about its sides."""
    pairs = {pair.pair: pair for pair in study.fields.pairs}
    left = {
        judge: a_is_left(secret, judge, study.fields.pairs)
        for judge in {each.judge for each in study.verdicts}
    }
    found = []
    for verdict in study.verdicts:
        fields, is_left = verdict.fields, left[verdict.judge][verdict.fields.pair]
        if fields.winner is None:
            continue
        won = _EVEN.get(fields.winner) or ("a" if (fields.winner == "left") == is_left else "b")
        scores = {
            each.criterion: (each.left, each.right) if is_left else (each.right, each.left)
            for each in fields.scores
        }
        found.append(
            Unblinded(
                id=verdict.id,
                pair=pairs[fields.pair],
                judge=verdict.judge,
                won=won,
                scores=scores,
                rationale=fields.rationale or NO_REASON,
                knows=fields.knows,
                a="left" if is_left else "right",
                at=fields.judged_at,
                since=verdict.since,
            )
        )
    return tuple(found)
