"""My scores next to those of others and of the recorded judge, once mine are stored."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from evalcore.families.reviews.review import PERSON
from evalcore.judging.asking.other_scores import OtherScore
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, Judge, OwnJudgment, Task
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import Budget, plain
from evalcore.views.judge.receipt import score_words
from evalcore.views.judge.task import short_key
from evalcore.views.words import wording

BUDGET: Final = 24_000
NAMELESS: Final = "the recorded judge"


def opinions(task: Task, others: Iterable[OtherScore], judge: Judge) -> dict[str, list[PanelData]]:
    """Return everybody's scores of each criterion, one's own first, by the tab's key for it."""
    asked = {each.key: each for each in task.criteria}
    others_of: dict[str, list[PanelData]] = defaultdict(list)
    for other in others:
        if other.key in asked:
            others_of[other.key].append(_other(asked[other.key], other))
    budget = Budget(BUDGET)
    return {
        short_key(key): plain([*_mine(task.mine.get(key), each, judge), *others_of[key]], budget)
        for key, each in asked.items()
    }


def _mine(mine: OwnJudgment | None, asked: Asked, judge: Judge) -> list[PanelData]:
    if mine is None:
        return []
    hint = f"sure: {mine.level}" if mine.level else ""
    score = score_words(asked, mine.score)
    return [_row("mine", f"me ({judge.id})", score, hint, mine.rationale, mine.evidence)]


def _other(asked: Asked, other: OtherScore) -> PanelData:
    score = score_words(asked, other.score) if other.score is not None else wording.NOT_SCORED
    is_machine = other.judge_type != PERSON
    hints = [
        wording.judge_kind(other.judge_type) if is_machine or other.recorded else "",
        f"sure: {other.level}" if other.level else "",
        "" if other.recorded else wording.moment(other.judged_at),
        other.stale or "",
    ]
    who = "machine" if is_machine or other.recorded else "person"
    hint = " · ".join(filter(None, hints))
    return _row(who, other.judge or NAMELESS, score, hint, other.rationale, other.evidence)


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
