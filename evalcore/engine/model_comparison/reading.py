"""Read what a model said of two outputs strictly: anything else than asked for is no verdict."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from evalcore.engine.model_answers import (
    PLACEHOLDER,
    SENT_BACK,
    Invalid,
    is_number,
    read_json,
    short,
)
from evalcore.engine.model_comparison.asking import SIDES, TIE, key_of
from evalcore.families.reviews.models import BlindCriterion

MAX_REASON: Final = 4_000
MAX_DIFFERENCES: Final = 12
_WHO: Final = "the model"
_Scores = tuple[int, int]
_Reasons = tuple[str, str]


class Order(NamedTuple):
    """What a model said of two outputs in one order: scores and reasons of first and second."""

    winner: str
    scores: dict[str, tuple[int, int]]
    reasons: dict[str, tuple[str, str]]
    reasoning: str
    differences: tuple[str, ...]


def read_order(text: str, criteria: Sequence[BlindCriterion]) -> Order | Invalid:
    """Return what an answer says, or why it is no verdict."""
    value = read_json(text, _WHO)
    if isinstance(value, Invalid):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("scores"), dict):
        return Invalid("The answer of the model has no scores.")
    if why := _wrong_words(value):
        return Invalid(why)
    winner, scores, reasons = value["winner"], dict[str, _Scores](), dict[str, _Reasons]()
    for at, criterion in enumerate(criteria):
        found = _scored(value["scores"].get(key_of(at)), criterion)
        if isinstance(found, Invalid):
            return found
        scores[criterion.name], reasons[criterion.name] = found
    if why := _contradiction(winner, scores):
        return Invalid(why)
    said = (each.strip()[:MAX_REASON] for each in value["differences"] if each.strip())
    reasoning = value["reasoning"].strip()[:MAX_REASON]
    return Order(winner, scores, reasons, reasoning, tuple(said)[:MAX_DIFFERENCES])


def _wrong_words(value: dict[str, Any]) -> str | None:
    """Return what is wrong with winner, reasoning or differences of an answer."""
    winner, reasoning = value.get("winner"), value.get("reasoning")
    if winner not in (*SIDES, TIE):
        return f"The model's winner {short(winner)} is neither first, second nor tie."
    if not isinstance(reasoning, str) or not reasoning.strip():
        return "The model gave no reasoning."
    if reasoning.strip() == PLACEHOLDER:
        return SENT_BACK
    differences = value.get("differences")
    if not isinstance(differences, list) or not all(isinstance(each, str) for each in differences):
        return "The differences of the model are no list of texts."
    return None


def _scored(value: Any, criterion: BlindCriterion) -> tuple[_Scores, _Reasons] | Invalid:
    if not isinstance(value, dict):
        return Invalid(f"The answer of the model says nothing of {criterion.name}.")
    scores: list[int] = []
    for score in (value.get(side) for side in SIDES):
        if not is_number(score) or not criterion.low <= score <= criterion.high:
            scale = f"{criterion.low} to {criterion.high}"
            return Invalid(f"The model's score {short(score)} is not from {scale}.")
        if score != int(score):
            return Invalid(f"The model's score {short(score)} is no whole number.")
        scores.append(int(score))
    reasons = [value.get(f"reason_{side}") for side in SIDES]
    if not all(isinstance(each, str) for each in reasons):
        return Invalid(f"The model gave no reasons for {criterion.name}.")
    first, second = (str(each).strip()[:MAX_REASON] for each in reasons)
    return (scores[0], scores[1]), (first, second)


def _contradiction(winner: str, scores: dict[str, tuple[int, int]]) -> str | None:
    """Return how winner and scores say two things, of which none counts; a tie is none."""
    first, second = (sum(pair[at] for pair in scores.values()) for at in (0, 1))
    lower = {SIDES[0]: first < second, SIDES[1]: second < first}
    if not lower.get(winner):
        return None
    return f"The model's winner is {winner}, but its scores add up to {first} and {second}."
