"""Validate a judge's answers before anything is stored."""

import math
from collections.abc import Sequence
from typing import Final

from evalcore.errors import CannotJudge
from evalcore.judging.asking.tasks import LEVELS
from evalcore.judging.limits import LIMITS, require_room
from evalcore.judging.model import Answer, Asked, Task

_SAME: Final = 1e-9


def checked(task: Task, answers: Sequence[Answer], *, partial: bool = False) -> dict[str, Answer]:
    """Return the answers by key, in the order of the task; a blank rationale is stored as none.

    Raises:
        CannotJudge: an answer is missing (unless `partial`), given twice, of an unknown
            criterion, off the scale, without a rationale that the suite requires, or has evidence
            that is not text.
    """
    asked = {each.key: each for each in task.criteria}
    given: dict[str, Answer] = {}
    for answer in answers:
        of = asked.get(answer.key)
        if of is None:
            raise CannotJudge(f"{_short(answer.key)} is not a criterion of this run. Leave it out.")
        if answer.key in given:
            raise CannotJudge(f"{_short(of.name)} has two answers. Give one.")
        given[answer.key] = _checked(task, of, answer)
    missing = [each.name for each in task.left if each.key not in given]
    if missing and (not partial or not given):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        has = "have" if more else "has"
        raise CannotJudge(f"{_short(missing[0])}{more} {has} no score. Score every criterion.")
    return {key: given[key] for key in asked if key in given}


def _checked(task: Task, of: Asked, answer: Answer) -> Answer:
    score: object = answer.score
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
        raise CannotJudge(f"{_short(of.name)} has no numeric score. {_scale(of)}")
    choice = of.choices is None or of.fine or any(abs(score - each) < _SAME for each in of.choices)
    if not of.low <= score <= of.high or not choice:
        raise CannotJudge(f"{score:g} is not a valid score of {_short(of.name)}. {_scale(of)}")
    if not answer.rationale.strip() and task.needs_reason(of, answer.score):
        raise CannotJudge(f"{_short(of.name)} has no rationale. Say why it deserves this score.")
    require_room(len(answer.rationale), LIMITS.rationale, f"The rationale of {_short(of.name)}")
    if answer.level is not None and answer.level not in LEVELS:
        raise CannotJudge(
            f"{answer.level!r} is not a level of confidence. Choose one of {', '.join(LEVELS)}."
        )
    passages: tuple[object, ...] = answer.evidence
    if len(passages) > LIMITS.passages:
        most = f"at most {LIMITS.passages} passages are stored"
        raise CannotJudge(f"{_short(of.name)} has too much evidence; {most}. Leave some out.")
    texts = tuple(each for each in passages if isinstance(each, str) and each.strip())
    if len(texts) < len(passages):
        raise CannotJudge(f"A passage of {_short(of.name)} is blank or not text. Leave it out.")
    longest = max(map(len, texts), default=0)
    require_room(longest, LIMITS.passage, f"A passage of {_short(of.name)}")
    for text in (answer.rationale, *texts):
        _whole(of, text)
    return answer if answer.rationale.strip() else answer._replace(rationale="")


def _whole(of: Asked, text: str) -> None:
    """Raise `CannotJudge` if text cannot be encoded: it holds half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"The text of {_short(of.name)} holds half of a character. Type it again."
        raise CannotJudge(message) from error


def _scale(of: Asked) -> str:
    if of.choices is not None and not of.fine:
        return f"Choose one of {', '.join(f'{each:g}' for each in of.choices)}."
    return f"Give a number from {of.low:g} to {of.high:g}."


def _short(name: str) -> str:
    line = " ".join(name[:400].split())
    return f"{line[:79]}…" if len(line) > 80 else line
