"""What the panel of a blind judge shows, and what it sends back."""

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

from evalcore.blind.judging import Answer
from evalcore.families.reviews.review import Part, Winner
from evalcore.judging.model import Receipt
from evalcore.judging.studies import BlindVerdict, Study
from evalcore.views.blind.task import BlindTask, task_data
from evalcore.views.blocks.base import PanelData
from evalcore.views.words.wording import count

MAX_CRITERIA: Final = 100
_WINNERS: Final[tuple[Winner, ...]] = get_args(Winner)
WON: Final[Mapping[Winner, str]] = {
    "left": "left is better",
    "right": "right is better",
    "tie": "both are equally good",
    "both bad": "both are bad",
}


class Progress(NamedTuple):
    """Where a judge stands: the place of the open task from 1, how many there are and are done."""

    place: int
    of: int
    done: int


def panel(
    study: Study, task: BlindTask, progress: Progress, submission: str, mine: BlindVerdict | None
) -> PanelData:
    """Return the panel's content of an open task; `submission` is the id of the next verdict."""
    given = mine and {
        "id": mine.id,
        "winner": mine.fields.winner,
        "scores": {each.criterion: [each.left, each.right] for each in mine.fields.scores},
        "rationale": mine.fields.rationale,
        "knows": mine.fields.knows,
    }
    return {
        "task": task_data(task),
        "place": progress.place,
        "of": progress.of,
        "done": progress.done,
        "submission": submission,
        "mine": given,
        "reasons": study.fields.reasons,
    }


def answer_of(body: Mapping[str, Any]) -> Answer | None:
    """Return the answer of a message; None if it names no winner."""
    winner = next((each for each in _WINNERS if each == body.get("winner")), None)
    rationale = body.get("rationale")
    if winner is None:
        return None
    given = body.get("scores")
    pairs = list(given.items())[:MAX_CRITERIA] if isinstance(given, dict) else []
    scores = {str(name): found for name, value in pairs if (found := _both(value)) is not None}
    reason = rationale if isinstance(rationale, str) else ""
    return Answer(winner, scores, reason, body.get("knows") is True)


def _both(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    left, right = value
    return (float(left), float(right)) if _is_number(left) and _is_number(right) else None


def _is_number(value: Any) -> bool:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and math.isfinite(value)


def receipt_words(answer: Answer, receipt: Receipt) -> str:
    """Say what was stored, and where."""
    knew = "; you know which is which" if answer.knows else ""
    return f"Stored: {WON[answer.winner]}{knew}. {receipt.path}"


def end_words(study: Study, judge: str) -> str:
    """Say that a judge has compared everything, and why that is not every pair."""
    done, most = len(study.judged_by(judge)), study.fields.judges_per_task
    rest = len(study.fields.pairs) - done
    others = "" if most is None or not rest else (
        f" The other {count(rest, 'pair')} had as many judges as the study asks for: {most:,}."
    )  # fmt: skip
    of = f"{done:,} of {count(len(study.fields.pairs), 'pair')}"
    return f"Done: {of}.{others} The versions are still hidden."


def over_words(part: Part | None) -> str:
    """Say why a judge has nothing to compare in a study."""
    if part == "gave up":
        return "You stopped judging this study blind. This is recorded; your verdicts are kept."
    return "You are not a judge of this study. Join it in the list of studies, or ask its creator."
