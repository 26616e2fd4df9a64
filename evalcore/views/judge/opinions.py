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
    others_of: dict[str, list[PanelData]] = defaultdict(list)
    asked = {each.key: each for each in task.criteria}
    for other in others:
        of, own = asked.get(other.key), task.mine.get(other.key)
        if of is None:
            continue
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
        row = _row(of, who, name or NAMELESS, other.score, hint, other.rationale, other.evidence)
        differs = False
        if own is not None and own.score is not None and other.score is not None:
            ends = zip((other.low, other.high), (of.low, of.high), strict=True)
            same_scale = all(one is None or one == end for one, end in ends)
            differs = same_scale and abs(own.score - other.score) > SAME
        if other.score is None:
            row["score"] = wording.NOT_SCORED
        others_of[other.key].append(row | {"differs": differs})
    budget, found = Budget(BUDGET), {}
    for key, each in asked.items():
        rows = others_of[key]
        if (mine := task.mine.get(key)) is not None:
            hint = f"confidence: {mine.level}" if mine.level else ""
            first = _row(each, "mine", "me", mine.score, hint, mine.rationale, mine.evidence)
            rows = [first, *rows]
        found[short_key(key)] = plain(rows, budget)
    return found


def _row(
    asked: Asked,
    who: str,
    name: str,
    score: float | None,
    hint: str,
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
        more = f"{LIMITS.passages} of {len(evidence):,} passages"
        hint = f"{hint} · {more}" if hint else more
    return {
        "who": who,
        "name": name,
        "score": score_words(asked, score),
        "hint": hint,
        "why": why or ("" if evidence else NO_REASON),
        "evidence": evidence[: LIMITS.passages],
        "mark": mark,
    }
