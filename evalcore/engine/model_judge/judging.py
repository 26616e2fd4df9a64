"""Let a model judge a test run: one call for each vote, and the verdicts that they agree on."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from evalcore.checks.produced import Produced, Text
from evalcore.engine.model_judge.asking import (
    Scale,
    criteria_digest,
    messages,
    prompt_digest,
    scale_of,
    schema_of,
)
from evalcore.engine.model_judge.reading import (
    Invalid,
    Said,
    Scored,
    nothing,
    read_answer,
    speaks_to_judge,
)
from evalcore.families.running import Case, Criterion, Execution, Judging, Verdict
from evalcore.models.calls import Answer, Call, Stopped
from evalcore.models.client import complete
from evalcore.models.configuration import Model
from evalcore.numbers import mean, median
from evalcore.texts.plain import fold, squeeze, unmarked

_HALF: Final = 0.5
_UNANSWERED: Final = frozenset({"rate_limited", "timeout", "error", "cancelled"})


class Unanswered(Exception):
    """The model could not be asked: nothing is decided, and asking later may succeed."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.why)
        self.status, self.why = answer.status, f"The judge: {answer.why}"


class Asked(msgspec.Struct, frozen=True):
    """What a model judges: the criteria of a case, and what was produced for it."""

    case: Case
    criteria: tuple[Criterion, ...]
    done: Execution
    produced: Produced


def judged_by_model(
    model: Model, asked: Asked, votes: int, retries: int, stopped: Stopped
) -> tuple[tuple[Verdict, ...], Judging]:
    """Return a verdict on each criterion, and how the model came to them.

    Raises:
        Unanswered: no call was answered.
    """
    produced = {path: asked.produced.text(path) for path in asked.produced.paths}
    answers = [_answer(model, asked, produced, retries, stopped) for _ in range(votes)]
    said = [_said(each, asked.criteria) for each in answers]
    if all(each.status in _UNANSWERED for each in answers):
        raise Unanswered(answers[0])
    texts = {path: each.text or "" for path, each in produced.items()}
    texts["the answer"] = asked.done.reply
    whole = squeeze(unmarked(fold("\n".join(texts.values()))))
    verdicts = tuple(
        _verdict(criterion, [each.scores[at] for each in said], answers, whole)
        for at, criterion in enumerate(asked.criteria)
    )
    first = said[0]
    tokens, cost = _used(answers)
    unscored = any(verdict.passed is None for verdict in verdicts)
    return verdicts, Judging(
        about=_about(model, asked.criteria, answers, votes),
        claims=first.claims,
        feedback=first.feedback,
        answers=tuple(_raw(each) for each in answers) if unscored else (),
        remarks=tuple(_remarks(model, asked.done, texts, answers)),
        calls=sum(each.requests for each in answers),
        tokens=tokens,
        cost_usd=cost,
    )


def _answer(
    model: Model, asked: Asked, produced: Mapping[str, Text], retries: int, stopped: Stopped
) -> Answer:
    mark = f"=={secrets.token_hex(16)}=="
    call = Call(
        messages(asked.case, asked.criteria, asked.done, produced, mark),
        schema=schema_of(asked.criteria),
        seconds=model.seconds,
        retries=retries,
    )
    return complete(model, call, stopped)


def _said(answer: Answer, criteria: Sequence[Criterion]) -> Said:
    if answer.status == "completed":
        return read_answer(answer.text, criteria)
    return nothing(answer.why, criteria)


def _verdict(
    criterion: Criterion, found: Sequence[Scored | Invalid], answers: Sequence[Answer], whole: str
) -> Verdict:
    """Return what most votes say: the median of scores, or no verdict without a majority."""
    scored = [each for each in found if isinstance(each, Scored)]
    kind, name = criterion.kind, criterion.name
    if 2 * len(scored) <= len(found):
        at = next(at for at, each in enumerate(found) if isinstance(each, Invalid))
        why, status = found[at], answers[at].status
        reason = why.why if isinstance(why, Invalid) else ""
        status_word = "invalid" if status == "completed" else status
        return Verdict(kind, name, None, None, reason, status_word)
    scale = scale_of(criterion)
    score = median(each.score for each in scored)
    assert score is not None
    share = (score - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
    if scale.is_pass_fail and share == _HALF:
        return Verdict(kind, name, None, None, "The votes of the judge are evenly divided.", "tied")
    nearest = min(scored, key=lambda each: abs(each.score - score))
    return Verdict(
        kind,
        name,
        share >= _HALF,
        share,
        _rationale(nearest, scored, scale, whole),
        score=None if scale.is_pass_fail else score,
        confidence=mean(each.confidence for each in scored),
        evidence=nearest.evidence,
    )


def _rationale(nearest: Scored, scored: Sequence[Scored], scale: Scale, whole: str) -> str:
    parts = [nearest.rationale]
    missing = sum(squeeze(unmarked(fold(each))) not in whole for each in nearest.evidence)
    if missing:
        parts.append(
            f"[{missing} of {len(nearest.evidence)} quotes of the judge "
            f"{'is' if missing == 1 else 'are'} not in the output.]"
        )
    if len(scored) > 1:
        said = ", ".join(_word(each.score, scale) for each in scored)
        parts.append(f"[{len(scored)} votes: {said}.]")
    return "\n".join(parts)


def _word(score: float, scale: Scale) -> str:
    if scale.is_pass_fail:
        return "passed" if score else "failed"
    return f"{score:g}"


def _about(
    model: Model, criteria: Sequence[Criterion], answers: Sequence[Answer], votes: int
) -> dict[str, Any]:
    """Return what is stored with each judgment, so that it can be said later what it rests on."""
    found: dict[str, Any] = {
        "model": model.model,
        "prompt_sha256": prompt_digest(),
        "criteria_sha256": criteria_digest(criteria),
        "answer_form": next((each.form for each in answers if each.status == "completed"), "text"),
    }
    named = next((each.model for each in answers if each.model), None)
    if named is not None and named != model.model:
        found["model_named_by_server"] = named[:200]
    if model.parameters:
        found["parameters"] = model.parameters
    if votes > 1:
        found["votes"] = votes
    return found


def _remarks(
    model: Model, done: Execution, texts: dict[str, str], answers: Sequence[Answer]
) -> list[str]:
    found = []
    names = {model.model, model.name, *(each.model for each in answers)}
    if done.model is not None and done.model in names:
        found.append(f"The judge {model.model} also executed the case: it may favour its own work.")
    for where, text in texts.items():
        if passage := speaks_to_judge(text):
            found.append(f"In {where} a passage seems to speak to the judge: “{passage[:200]}”.")
    return found


def _raw(answer: Answer) -> str:
    return answer.text or answer.why


def _used(answers: Sequence[Answer]) -> tuple[int | None, float | None]:
    """Return the tokens and the money that answers took, as far as they are known."""
    tokens = [each.tokens for each in answers if each.tokens is not None]
    costs = [each.cost_usd for each in answers if each.cost_usd is not None]
    return (sum(tokens) if tokens else None), (sum(costs) if costs else None)
