"""My scores next to those of others and of the recorded judge, once mine are stored."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from evalcore.families.reviews.review import NO_REASON, PERSON
from evalcore.judging.asking.other_scores import OtherScore
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, Task
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
    budget, found, others_of = Budget(BUDGET), {}, defaultdict[str, list[OtherScore]](list)
    for other in others:
        others_of[other.key].append(other)
    for asked in task.criteria:
        mine, rows = task.mine.get(asked.key), []
        if mine is not None:
            hints = [f"confidence: {mine.level}" if mine.level else ""]
            why, quotes = mine.rationale, mine.evidence
            rows.append(_row(asked, "mine", "me", mine.score, hints, why, quotes))
        for other in others_of[asked.key]:
            is_machine = other.judge_type != PERSON
            hints = [
                wording.judge_kind(other.judge_type) if is_machine or other.recorded else "",
                f"confidence: {other.level}" if other.level else "",
                "" if other.recorded else wording.moment(other.judged_at),
                other.stale or "",
            ]
            who = "machine" if is_machine or other.recorded else "person"
            name = person(other.judge) if other.judge and not is_machine else other.judge
            why, quotes = other.rationale, other.evidence
            row = _row(asked, who, name or NAMELESS, other.score, hints, why, quotes)
            differs = False
            if mine is not None and mine.score is not None and other.score is not None:
                same_scale = other.low in (None, asked.low) and other.high in (None, asked.high)
                differs = same_scale and abs(mine.score - other.score) > SAME
            if other.score is None:
                row["score"] = wording.NOT_SCORED
            rows.append(row | {"differs": differs})
        found[short_key(asked.key)] = plain(rows, budget)
    return found


def _row(
    asked: Asked,
    who: str,
    name: str,
    score: float | None,
    hints: list[str],
    why: str,
    quotes: Iterable[str],
) -> PanelData:
    """Return one opinion: its author, the score in words and as a mark, and its reasons.

    On a scale nothing says what passes.
    """
    mark = "unscored" if score is None else "scored"
    if asked.pass_fail and score in (asked.low, asked.high):
        mark = "pass" if score == asked.high else "fail"
    evidence = [quote for quote in quotes if quote]
    if len(evidence) > LIMITS.passages:
        hints.append(f"{LIMITS.passages} of {len(evidence):,} passages")
    return {
        "who": who,
        "name": name,
        "score": score_words(asked, score),
        "hint": " · ".join(filter(None, hints)),
        "why": why or ("" if evidence else NO_REASON),
        "evidence": evidence[: LIMITS.passages],
        "mark": mark,
    }
