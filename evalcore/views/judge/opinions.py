"""My scores next to those of others and of the recorded judge, once mine are stored."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from evalcore.families.reviews.review import PERSON
from evalcore.judging.asking.other_scores import OtherScore
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, OwnJudgment, Task
from evalcore.judging.storing.names import person
from evalcore.statistics.intervals import SAME
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import Budget, plain
from evalcore.views.judge.receipt import score_words
from evalcore.views.judge.task import short_key
from evalcore.views.words import wording

BUDGET: Final = 24_000
NAMELESS: Final = "the recorded judge"


def opinions(task: Task, others: Iterable[OtherScore]) -> dict[str, list[PanelData]]:
    """Return everybody's scores of each criterion, one's own first, by the tab's key for it."""
    asked = {each.key: each for each in task.criteria}
    others_of: dict[str, list[PanelData]] = defaultdict(list)
    for other in others:
        if other.key in asked:
            row = _other(asked[other.key], other, task.mine.get(other.key))
            others_of[other.key].append(row)
    budget = Budget(BUDGET)
    return {
        short_key(key): plain([*_mine(task.mine.get(key), each), *others_of[key]], budget)
        for key, each in asked.items()
    }


def _mine(mine: OwnJudgment | None, asked: Asked) -> list[PanelData]:
    if mine is None:
        return []
    hint = f"confidence: {mine.level}" if mine.level else ""
    score = score_words(asked, mine.score)
    row = _row("mine", "me", score, hint, mine.rationale, mine.evidence)
    return [row | {"mark": _mark(asked, mine.score)}]


def _other(asked: Asked, other: OtherScore, mine: OwnJudgment | None) -> PanelData:
    score = score_words(asked, other.score) if other.score is not None else wording.NOT_SCORED
    is_machine = other.judge_type != PERSON
    hints = [
        wording.judge_kind(other.judge_type) if is_machine or other.recorded else "",
        f"confidence: {other.level}" if other.level else "",
        "" if other.recorded else wording.moment(other.judged_at),
        other.stale or "",
    ]
    who = "machine" if is_machine or other.recorded else "person"
    hint = " · ".join(filter(None, hints))
    name = person(other.judge) if other.judge and not is_machine else other.judge
    row = _row(who, name or NAMELESS, score, hint, other.rationale, other.evidence)
    return row | {"mark": _mark(asked, other.score), "differs": _differ(asked, mine, other)}


def _mark(asked: Asked, score: float | None) -> str:
    """Return the sign of a score; on a scale nothing says what passes."""
    if score is None:
        return "unscored"
    if asked.pass_fail and score in (asked.low, asked.high):
        return "pass" if score == asked.high else "fail"
    return "scored"


def _differ(asked: Asked, mine: OwnJudgment | None, other: OtherScore) -> bool:
    """Return whether somebody gave another score than I did, on the same scale."""
    if mine is None or mine.score is None or other.score is None:
        return False
    ends = zip((other.low, other.high), (asked.low, asked.high), strict=True)
    same_scale = all(one is None or one == of for one, of in ends)
    return same_scale and abs(mine.score - other.score) > SAME


def _row(who: str, name: str, score: str, hint: str, why: str, quotes: Iterable[str]) -> PanelData:
    """Return one opinion: its author, the score in words, and its reasons."""
    evidence = [quote for quote in quotes if quote]
    if len(evidence) > LIMITS.passages:
        more = f"{LIMITS.passages} of {len(evidence):,} passages"
        hint = f"{hint} · {more}" if hint else more
    return {
        "who": who,
        "name": name,
        "score": score,
        "hint": hint,
        "why": why,
        "evidence": evidence[: LIMITS.passages],
    }
