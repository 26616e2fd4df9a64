"""Read a model's answer strictly: what is not exactly what was asked for is no score."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from evalcore.engine.model_answers import PLACEHOLDER, Invalid, is_number, read_json, short
from evalcore.engine.model_judge.asking import (
    CLAIM_TYPES,
    MAX_CLAIMS,
    Scale,
    key_of,
    scale_of,
)
from evalcore.families.graded import Claim, Feedback, Vague
from evalcore.families.running import Criterion

MAX_RATIONALE: Final = 4_000
MAX_QUOTE: Final = 1_000
MAX_QUOTES: Final = 8


class Scored(NamedTuple):
    """A criterion as a model scored it."""

    score: float
    rationale: str
    evidence: tuple[str, ...]
    confidence: float


class Kept(NamedTuple):
    """Whether a convention is kept, and what shows it."""

    passed: bool
    details: str


class Said(NamedTuple):
    """An answer of a model, with a score or the reason why there is none for each criterion.

    Conventions that it does not say in the form that was asked for are missing.
    """

    scores: tuple[Scored | Invalid, ...]
    claims: tuple[Claim, ...] = ()
    feedback: Feedback = Feedback()
    conventions: Mapping[str, Kept] = {}


def read_answer(text: str, criteria: Sequence[Criterion], conventions: Sequence[str] = ()) -> Said:
    """Return what an answer says; a fence of Markdown around all of it is taken off."""
    value = read_json(text)
    if isinstance(value, Invalid):
        return nothing(value.why, criteria)
    verdicts = value.get("criteria") if isinstance(value, dict) else None
    if not isinstance(verdicts, dict):
        return nothing("The answer of the judge has no criteria.", criteria)
    scores = tuple(
        _scored(verdicts.get(key_of(at)), scale_of(each)) for at, each in enumerate(criteria)
    )
    return Said(
        scores,
        tuple(_claims(value.get("claims"))),
        _feedback(value.get("feedback"), criteria),
        _conventions(value.get("conventions"), conventions),
    )


def nothing(why: str, criteria: Sequence[Criterion]) -> Said:
    """Return what is said without a score for any criterion, for one reason."""
    return Said(tuple(Invalid(why) for _ in criteria))


def _scored(value: Any, scale: Scale) -> Scored | Invalid:
    if not isinstance(value, dict):
        return Invalid("The answer of the judge says nothing of this criterion.")
    rationale = value.get("rationale")
    if not isinstance(rationale, str) or not rationale.strip():
        return Invalid("The judge gave no rationale.")
    if rationale.strip() == PLACEHOLDER:
        return Invalid("The judge sent the form back, without a rationale of its own.")
    score = _score(value, scale)
    if isinstance(score, Invalid):
        return score
    confidence = value.get("confidence")
    if not is_number(confidence) or not 0 <= confidence <= 1:
        return Invalid(f"The judge's confidence {short(confidence)} is not from 0 to 1.")
    evidence = value.get("evidence")
    if not isinstance(evidence, list) or not all(isinstance(each, str) for each in evidence):
        return Invalid("The evidence of the judge is no list of texts.")
    quotes = tuple(each.strip()[:MAX_QUOTE] for each in evidence if each.strip())
    return Scored(score, rationale.strip()[:MAX_RATIONALE], quotes[:MAX_QUOTES], float(confidence))


def _score(value: dict[str, Any], scale: Scale) -> float | Invalid:
    if scale.is_pass_fail:
        passed = value.get("passed")
        if isinstance(passed, bool):
            return float(passed)
        return Invalid(f"The judge's result {short(passed)} is neither true nor false.")
    score = value.get("score")
    if not is_number(score) or not scale.low <= score <= scale.high:
        why = f"is not from {scale.low:g} to {scale.high:g}"
        return Invalid(f"The judge's score {short(score)} {why}.")
    if scale.is_whole and score != int(score):
        return Invalid(f"The judge's score {short(score)} is no whole number.")
    return float(score)


def _claims(value: Any) -> list[Claim]:
    found = []
    for each in _objects(value):
        claim, verified = said(each.get("claim")), each.get("verified")
        kind = next((known for known in CLAIM_TYPES if known == each.get("type")), None)
        if claim and kind is not None and isinstance(verified, bool):
            found.append(Claim(claim, kind, verified, said(each.get("evidence"))))
    return found[:MAX_CLAIMS]


def _feedback(value: Any, criteria: Sequence[Criterion]) -> Feedback:
    """Return what is said of the evaluation; what is not of the form is left out."""
    if not isinstance(value, dict):
        return Feedback()
    known = {key_of(at): each for at, each in enumerate(criteria)}
    vague = [
        Vague(known[key].name, known[key].text, said(each.get("why")))
        for each in _objects(value.get("vague"))
        if (key := said(each.get("criterion"))) in known and said(each.get("why"))
    ]
    missing, suggested = (_texts(value.get(name)) for name in ("missing", "suggested"))
    return Feedback(tuple(vague[:MAX_CLAIMS]), missing, suggested, said(value.get("overall")))


def _conventions(value: Any, asked: Sequence[str]) -> dict[str, Kept]:
    found = {}
    for name in asked if isinstance(value, dict) else ():
        each = value.get(name)
        passed = each.get("passed") if isinstance(each, dict) else None
        if isinstance(passed, bool) and (details := said(each.get("details"))):
            found[name] = Kept(passed, details)
    return found


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _texts(value: Any) -> tuple[str, ...]:
    found = map(said, value if isinstance(value, list) else ())
    return tuple(filter(None, found))[:MAX_CLAIMS]


def said(value: Any) -> str:
    """Return a text without the space around it, bounded in length; empty for anything else."""
    return value.strip()[:MAX_QUOTE] if isinstance(value, str) else ""
