"""Set my scores beside those of others and the recorded judge's; for whoever stored theirs."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from evalcore.judging.asking.standing import Other
from evalcore.judging.model import Asked, Judge, Mine, Task
from evalcore.views import wording
from evalcore.views.judge_receipt import score_words
from evalcore.views.judge_task import short_key
from evalcore.views.panel import Block, within

BUDGET: Final = 24_000
MAX_QUOTES: Final = 5
KINDS: Final = {"llm": "model", "heuristic": "rule", "human": "person"}
NAMELESS: Final = "the recorded judge"


def opinions(task: Task, others: Iterable[Other], judge: Judge) -> dict[str, list[Block]]:
    """Return what everybody says of each criterion, mine first, by the window's key for it."""
    asked = {each.key: each for each in task.criteria}
    said: dict[str, list[Block]] = defaultdict(list)
    for other in others:
        if other.key in asked:
            said[other.key].append(_other(asked[other.key], other))
    found = [[*_mine(task.mine.get(key), each, judge), *said[key]] for key, each in asked.items()]
    blocks = within([{"rows": rows} for rows in found], BUDGET)
    return {short_key(key): block["rows"] for key, block in zip(asked, blocks, strict=True)}


def _mine(mine: Mine | None, asked: Asked, judge: Judge) -> list[Block]:
    if mine is None:
        return []
    hint = f"sure: {mine.level}" if mine.level else ""
    said = score_words(asked, mine.score)
    return [_row("mine", f"me ({judge.id})", said, hint, mine.rationale, mine.evidence)]


def _other(asked: Asked, other: Other) -> Block:
    told = score_words(asked, other.score) if other.score is not None else wording.NOT_SCORED
    hints = [
        KINDS.get(other.judge_type or "", "") if other.recorded else "",
        f"sure: {other.level}" if other.level else "",
        "" if other.recorded else wording.moment(other.judged_at),
        other.stale or "",
    ]
    who = "machine" if other.recorded else "person"
    hint = " · ".join(filter(None, hints))
    return _row(who, other.judge or NAMELESS, told, hint, other.rationale, other.evidence)


def _row(who: str, name: str, score: str, hint: str, why: str, quotes: Iterable[str]) -> Block:
    """Return one opinion: whose it is, the score in words, and what it rests on."""
    evidence = [quote for quote in quotes if quote][:MAX_QUOTES]
    return {"who": who, "name": name, "score": score, "hint": hint, "why": why,
            "evidence": evidence}  # fmt: skip
