"""Ask a model why a run failed, and take only an answer that is what was asked for."""

from msgspec.structs import replace

from evalcore.disk.values import now_text
from evalcore.engine.failure_analysis.asking import messages, prompt_digest, schema
from evalcore.engine.failure_analysis.material import Material
from evalcore.engine.failure_analysis.reading import Said, read_answer
from evalcore.engine.found import FailureFound
from evalcore.engine.model_answers import (
    UNANSWERED,
    Invalid,
    Unanswered,
    about_answers,
    new_mark,
    quoted_in,
    to_judge,
    used,
)
from evalcore.models.calls import Answer, Call, Stopped
from evalcore.models.client import complete
from evalcore.models.configuration import Model


def explained_by_model(
    model: Model, known: Material, retries: int, stopped: Stopped
) -> FailureFound:
    """Return why a run failed as a model says it; another answer counts for nothing, and is kept.

    Raises:
        Unanswered: the call was not answered.
    """
    call = Call(
        messages(known, new_mark()), schema=schema(known), seconds=model.seconds, retries=retries
    )
    answer = complete(model, call, stopped)
    if answer.status in UNANSWERED:
        raise Unanswered(answer, "The model")
    said = _said(answer, known)
    found = FailureFound(known.run, now_text(), replaces=known.replaces)
    tokens, cost = used([answer])
    about = about_answers([model], [answer], prompt_digest())
    taken = {"calls": answer.requests, "tokens": tokens, "cost_usd": cost, "about": about}
    if isinstance(said, Invalid):
        return replace(found, why=said.why, answers=(answer.text,), **taken)
    shown = [*known.output, *known.how]
    is_quoted = quoted_in([known.prompt, *(each.text or "" for each in shown)])
    evidence = tuple(each for each in said.evidence if is_quoted(each))
    return replace(
        found,
        **said._asdict() | {"evidence": evidence},
        unfounded=len(said.evidence) - len(evidence),
        remarks=tuple(to_judge((each.name, each.text or "") for each in shown)),
        **taken,
    )


def _said(answer: Answer, known: Material) -> Said | Invalid:
    if answer.status != "completed":
        return Invalid(answer.why)
    if answer.tool_calls and not answer.text.strip():
        return Invalid("The model asked for a tool, and it has none.")
    return read_answer(answer.text, known.affected)
