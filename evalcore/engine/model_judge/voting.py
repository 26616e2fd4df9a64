"""Votes of models on a test run: one answer each, and the verdict that most of them give."""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from evalcore.engine.model_answers import Invalid, Replied, new_mark, quoted_in, reply
from evalcore.engine.model_judge.asking import Asked, Scale, messages, scale_of, schema_of
from evalcore.engine.model_judge.reading import Said, Scored, nothing, read_answer
from evalcore.families.graded import Verdict
from evalcore.families.running import Criterion
from evalcore.models.calls import Answer, Stopped
from evalcore.models.configuration import Model
from evalcore.numbers import mean, median

CONVENTION: Final = "convention"
_HALF: Final = 0.5


class Vote(NamedTuple):
    """One answer of a model, as it came and as it was read; `replied` has all that was asked."""

    model: Model
    answer: Answer
    said: Said
    replied: Replied[Said]


def vote(model: Model, asked: Asked, retries: int, stopped: Stopped) -> Vote:
    """Ask a model for one answer, twice where the first says nothing that can be read."""
    schema = schema_of(asked.criteria, asked.conventions)

    def read(text: str) -> Said | Invalid:
        found = read_answer(text, asked.criteria, asked.conventions)
        wrong = [each.why for each in found.scores if isinstance(each, Invalid)]
        whole = wrong and len(wrong) == len(found.scores)
        return Invalid(" ".join(dict.fromkeys(wrong))) if whole else found

    replied = reply(model, messages(asked, new_mark()), schema, retries, stopped, read, again=True)
    said = replied.said
    said = nothing(said.why, asked.criteria) if isinstance(said, Invalid) else said
    return Vote(model, replied.answer, said, replied)


def is_quoted(asked: Asked) -> Callable[[str], bool]:
    """Return what says whether a passage stands in the output."""
    return quoted_in((*(each.text or "" for each in asked.texts.values()), asked.done.reply))


def verdicts(
    asked: Asked, votes: Sequence[Vote], quoted: Callable[[str], bool]
) -> tuple[Verdict, ...]:
    """Return what most votes say of each criterion."""
    return tuple(
        _verdict(criterion, [each.said.scores[at] for each in votes], votes, quoted)
        for at, criterion in enumerate(asked.criteria)
    )


def _verdict(
    criterion: Criterion,
    found: Sequence[Scored | Invalid],
    votes: Sequence[Vote],
    quoted: Callable[[str], bool],
) -> Verdict:
    """Return the median of scores, or no verdict where not most votes are scores.

    On a scale of whole scores a median between two of them is the lower one.
    """
    scored = [each for each in found if isinstance(each, Scored)]
    kind, name = criterion.kind, criterion.name
    if 2 * len(scored) <= len(found):
        at, why = next((at, why) for at, why in enumerate(found) if isinstance(why, Invalid))
        status = votes[at].answer.status
        return Verdict(
            kind, name, None, None, why.why, "invalid" if status == "completed" else status
        )
    scale = scale_of(criterion)
    score = median(each.score for each in scored)
    assert score is not None
    score = float(math.floor(score)) if scale.is_whole else score
    share = (score - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
    if scale.is_pass_fail and share == _HALF:
        return Verdict(kind, name, None, None, "The votes of the judge are evenly divided.", "tied")
    nearest = min(scored, key=lambda each: abs(each.score - score))
    return Verdict(
        kind,
        name,
        share >= _HALF,
        share,
        "\n".join(_rationale(nearest, found, votes, scale, quoted)),
        score=None if scale.is_pass_fail else score,
        confidence=mean(each.confidence for each in scored),
        evidence=nearest.evidence,
    )


def _rationale(
    nearest: Scored,
    found: Sequence[Scored | Invalid],
    votes: Sequence[Vote],
    scale: Scale,
    quoted: Callable[[str], bool],
) -> list[str]:
    """Return the rationale nearest to the verdict, which quotes are none, and how votes fell."""
    parts = [nearest.rationale]
    missing = sum(not quoted(each) for each in nearest.evidence)
    if missing:
        are = "is" if missing == 1 else "are"
        all_ = len(nearest.evidence)
        parts.append(f"[{missing} of {all_} quotes of the judge {are} not in the output.]")
    if len(found) > 1:
        several = len({each.model.model for each in votes}) > 1
        said = (
            f"{each.model.model} {_word(one, scale)}" if several else _word(one, scale)
            for each, one in zip(votes, found, strict=True)
        )
        parts.append(f"[{len(found)} votes: {', '.join(said)}.]")
    return parts


def _word(found: Scored | Invalid, scale: Scale) -> str:
    if isinstance(found, Invalid):
        return "no score"
    if scale.is_pass_fail:
        return "passed" if found.score else "failed"
    return f"{found.score:g}"


def kept(asked: Asked, votes: Sequence[Vote]) -> list[Verdict]:
    """Return what most votes say of each convention; one without a majority is left out."""
    found = []
    for name in asked.conventions:
        said = [each.said.conventions[name] for each in votes if name in each.said.conventions]
        passed = [each for each in said if each.passed]
        most = (
            passed if 2 * len(passed) > len(votes) else [each for each in said if not each.passed]
        )
        if 2 * len(most) > len(votes):
            share = float(most is passed)
            found.append(Verdict(CONVENTION, name, most is passed, share, most[0].details))
    return found
