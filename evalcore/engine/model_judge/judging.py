"""Let models judge a test run: the verdicts that their votes agree on, and what to know of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from evalcore.engine.model_answers import (
    UNANSWERED,
    Invalid,
    Unanswered,
    about_answers,
    named_together,
    taken,
    to_judge,
)
from evalcore.engine.model_judge.asking import Asked, criteria_digest, prompt_digest
from evalcore.engine.model_judge.controls import controlled
from evalcore.engine.model_judge.voting import Vote, is_quoted, kept, verdicts, vote
from evalcore.families.graded import Control, Judging, Verdict
from evalcore.models.calls import Stopped
from evalcore.models.configuration import Model


class Judged(NamedTuple):
    """A verdict on each criterion, what was said of conventions, and how it came about."""

    judged: tuple[Verdict, ...]
    conventions: list[Verdict]
    judging: Judging


class Judges(NamedTuple):
    """The models that judge, how many votes each has, and how often a call is tried again."""

    models: tuple[Model, ...]
    votes: int
    retries: int

    @property
    def name(self) -> str:
        """The judge as scores name it: several models are one judge."""
        return named_together(self.models)


def judged_by_models(
    judges: Judges, asked: Asked, stopped: Stopped, *, control: bool = False
) -> Judged:
    """Return a verdict on each criterion, and how the models reached them.

    With `control` each of them is asked twice more, for what its scores are worth.

    Raises:
        Unanswered: no call was answered.
    """
    models = [each for each in judges.models for _ in range(judges.votes)]
    votes = [vote(each, asked, judges.retries, stopped) for each in models]
    if all(each.answer.status in UNANSWERED for each in votes):
        raise Unanswered(votes[0].answer)
    judged, conventions = verdicts(asked, votes, is_quoted(asked)), kept(asked, votes)
    found, more = None, list[Vote]()
    if control:
        found, more = controlled(asked, votes, judges.retries, stopped)
    completed = (each.said for each in votes if each.answer.status == "completed")
    first = next(completed, votes[0].said)
    is_whole = all(each.passed is not None for each in judged)
    answers = [answer for each in (*votes, *more) for answer in each.replied.all]
    return Judged(
        judged,
        conventions,
        Judging(
            about=_about(judges, asked, votes, found),
            claims=first.claims,
            feedback=first.feedback,
            answers=tuple(map(_raw, _not_scores(votes) or (() if is_whole else votes))),
            remarks=(
                *remarks(judges.models, asked, votes),
                *dict.fromkeys(one for each in votes for one in each.replied.remarks),
            ),
            control=found,
            **taken(answers),
        ),
    )


def _about(
    judges: Judges, asked: Asked, votes: Sequence[Vote], control: Control | None
) -> dict[str, Any]:
    """Return what is stored with each judgment, so that it can be said later what it rests on."""
    answered = [each.answer for each in votes if each.answer.status == "completed"]
    criteria = criteria_digest(asked.criteria)
    found = about_answers(judges.models, answered, prompt_digest(), criteria)
    if len(votes) > 1:
        found["votes"] = len(votes)
    if twice := sum(len(each.replied.all) > 1 for each in votes):
        found["asked_twice"] = twice
    if control is not None:
        found["control"] = control.counted()
    return found


def remarks(models: Sequence[Model], asked: Asked, votes: Sequence[Vote]) -> list[str]:
    """Return what whoever reads the scores should know of the judge and of the output."""
    found, done = [], asked.done
    for model in models:
        said = (each.answer.model for each in votes if each.model == model)
        if done.model is not None and done.model in {model.model, model.name, *said}:
            found.append(
                f"The judge {model.model} also executed the case: it may favour its own work."
            )
    texts = {path: each.text or "" for path, each in asked.texts.items()}
    return [*found, *to_judge({**texts, "the answer": done.reply}.items())]


def _not_scores(votes: Sequence[Vote]) -> list[Vote]:
    """Return the votes that leave a criterion without a score."""
    return [each for each in votes if any(isinstance(one, Invalid) for one in each.said.scores)]


def _raw(vote: Vote) -> str:
    tools = (f"{each.name}({each.arguments})" for each in vote.answer.tool_calls)
    return vote.answer.text or "\n".join(tools) or vote.answer.why
