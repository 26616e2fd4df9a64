"""Let a model compare two outputs in both orders, and decide what that says."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from evalcore.blind.neutral import Text
from evalcore.disk.values import now_text
from evalcore.engine.found import PairVerdict, Side
from evalcore.engine.model_answers import (
    UNANSWERED,
    Invalid,
    Replied,
    Unanswered,
    about_answers,
    new_mark,
    reply,
    speaks_to_judge,
    taken,
    text_of,
)
from evalcore.engine.model_comparison.asking import (
    criteria_digest,
    messages,
    prompt_digest,
    schema_of,
)
from evalcore.engine.model_comparison.reading import Order, read_order
from evalcore.families.reviews.models import BlindCriterion
from evalcore.models.calls import Answer, Stopped
from evalcore.models.configuration import Model

DISAGREE: Final = "The model chose differently when the outputs changed places, so this is a tie."
_WHO: Final = "The comparing model"


class Pair(NamedTuple):
    """Two outputs of a case, without what tells their versions; `is_a_first` was drawn by chance.

    `models` are those that executed the two runs, where that is known.
    """

    case: str
    run_a: str
    run_b: str
    prompt: str
    a: tuple[Text, ...]
    b: tuple[Text, ...]
    is_a_first: bool
    models: tuple[str, ...] = ()


def compared_by_model(
    model: Model,
    pair: Pair,
    criteria: Sequence[BlindCriterion],
    retries: int,
    stopped: Stopped,
) -> PairVerdict:
    """Return who won by both orders; a winner needs both, and valid answers to both.

    Raises:
        Unanswered: a call was not answered.
    """
    orders = (pair.is_a_first, not pair.is_a_first)
    replies = [_reply(model, pair, criteria, first, retries, stopped) for first in orders]
    answers = [each.answer for each in replies]
    unanswered = next((each for each in answers if each.status in UNANSWERED), None)
    if unanswered is not None:
        raise Unanswered(unanswered, _WHO)
    said = [each.said for each in replies]
    valid = [
        _of_sides(each, is_a_first=first)
        for each, first in zip(said, orders, strict=True)
        if isinstance(each, Order)
    ]
    wrong = next((each.why for each in said if isinstance(each, Invalid)), None)
    found: dict[str, Any] = {"why": wrong, "answers": tuple(map(text_of, answers))}
    if wrong is None:
        found = _decided(valid)
    return PairVerdict(
        pair.case,
        pair.run_a,
        pair.run_b,
        now_text(),
        pair.is_a_first,
        about=_about(model, criteria, answers, said),
        remarks=tuple(_remarks(model, pair, answers)),
        **taken(answers),
        **found,
    )


def _reply(
    model: Model,
    pair: Pair,
    criteria: Sequence[BlindCriterion],
    is_a_first: bool,
    retries: int,
    stopped: Stopped,
) -> Replied[Order]:
    outputs = (pair.a, pair.b) if is_a_first else (pair.b, pair.a)
    asked = messages(pair.prompt, criteria, outputs, new_mark())
    read = partial(read_order, criteria=criteria)
    return reply(model, asked, schema_of(criteria), retries, stopped, read)


class _OfSides(NamedTuple):
    """What was said in one order, by side: A before B."""

    winner: Side
    scores: dict[str, tuple[int, int]]
    reasons: dict[str, tuple[str, str]]
    order: Order


def _of_sides(order: Order, *, is_a_first: bool) -> _OfSides:
    if is_a_first:
        won: dict[str, Side] = {"first": "a", "second": "b"}
        scores, reasons = order.scores, order.reasons
    else:
        won = {"first": "b", "second": "a"}
        scores = {name: (two, one) for name, (one, two) in order.scores.items()}
        reasons = {name: (two, one) for name, (one, two) in order.reasons.items()}
    return _OfSides(won.get(order.winner, "tie"), scores, reasons, order)


def _decided(both: Sequence[_OfSides]) -> dict[str, Any]:
    """Return who won: whom both orders chose; scores are the means of both."""
    first, second = both
    agree = first.winner == second.winner
    scores = {
        name: tuple((one + two) / 2 for one, two in zip(pair, second.scores[name], strict=True))
        for name, pair in first.scores.items()
    }
    said = first.order.reasoning if agree else f"{DISAGREE} {first.order.reasoning}"
    return {
        "winner": first.winner if agree else "tie",
        "why": "" if agree else DISAGREE,
        "scores": scores,
        "reasons": first.reasons,
        "reasoning": said,
        "differences": first.order.differences,
    }


def _about(
    model: Model,
    criteria: Sequence[BlindCriterion],
    answers: Sequence[Answer],
    said: Sequence[Order | Invalid],
) -> dict[str, Any]:
    """Return what is stored with a comparison: by whom and how, and each order as it was said."""
    orders = [
        {"winner": each.winner, "scores": each.scores} for each in said if isinstance(each, Order)
    ]
    return {
        **about_answers([model], answers, prompt_digest(), criteria_digest(criteria)),
        "orders": orders,
    }


def _remarks(model: Model, pair: Pair, answers: Sequence[Answer]) -> list[str]:
    names = {model.model, model.name, *(each.model for each in answers)}
    found = []
    if own := next((each for each in pair.models if each in names), None):
        found.append(f"{own}, which compared, also executed the case: it may favour its own work.")
    for run, texts in ((pair.run_a, pair.a), (pair.run_b, pair.b)):
        for text in texts:
            if passage := speaks_to_judge(text.raw):
                said = f"“{passage[:200]}”"
                found.append(
                    f"The output of {run} contains a passage that may address the judge: {said}."
                )
    return found
