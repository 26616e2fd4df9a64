"""Ask a model why a run failed, and read it strictly: what was not asked for counts for nothing."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from evalcore.disk.values import now_text
from evalcore.engine.failure_analysis.asking import (
    MAX_QUOTES,
    key_of,
    messages,
    prompt_digest,
    schema,
)
from evalcore.engine.failure_analysis.material import Criterion, Material
from evalcore.engine.found import FailureFound
from evalcore.engine.model_answers import (
    PLACEHOLDER,
    SENT_BACK,
    UNANSWERED,
    Invalid,
    Unanswered,
    about_answers,
    new_mark,
    quoted_in,
    read_json,
    reply,
    short,
    taken,
    text_of,
    to_judge,
)
from evalcore.failures.rules import SEVERITIES, TYPES
from evalcore.families.reviews.review import FailureType, Severity
from evalcore.models.calls import Stopped
from evalcore.models.configuration import Model

MAX_TEXT: Final = 4_000
MAX_QUOTE: Final = 500
_TEXTS: Final = ("gap", "root_cause", "lesson")


class Said(NamedTuple):
    """A valid answer; `criteria` are `kind:criterion`."""

    gap: str
    type: FailureType
    criteria: tuple[str, ...]
    severity: Severity
    root_cause: str
    evidence: tuple[str, ...]
    lesson: str


def explained_by_model(
    model: Model, known: Material, retries: int, stopped: Stopped
) -> FailureFound:
    """Return why a run failed as a model says it; another answer counts for nothing, and is kept.

    Raises:
        Unanswered: the call was not answered.
    """
    asked, form = messages(known, new_mark()), schema(known)
    read = partial(read_answer, affected=known.affected)
    replied = reply(model, asked, form, retries, stopped, read)
    answer, said = replied.answer, replied.said
    if answer.status in UNANSWERED:
        raise Unanswered(answer, "The model")
    found = FailureFound(known.run, now_text(), replaces=known.replaces)
    about = about_answers([model], [answer], prompt_digest())
    used = {**taken([answer]), "about": about}
    if isinstance(said, Invalid):
        return replace(found, why=said.why, answers=(text_of(answer),), **used)
    shown = [*known.output, *known.how]
    is_quoted = quoted_in([known.prompt, *(each.text or "" for each in shown)])
    evidence = tuple(each for each in said.evidence if is_quoted(each))
    return replace(
        found,
        **said._asdict() | {"evidence": evidence},
        unfounded=len(said.evidence) - len(evidence),
        remarks=tuple(to_judge((each.name, each.text or "") for each in shown)),
        **used,
    )


def read_answer(text: str, affected: Sequence[Criterion]) -> Said | Invalid:
    """Return what an answer says, checked against the criteria of the run; else why it is none."""
    value = read_json(text, "the model")
    if isinstance(value, Invalid):
        return value
    if not isinstance(value, dict):
        return Invalid("The answer of the model is no object.")
    if (why := _missing(value)) is not None:
        return why
    kind, severe = _word(value, "failure_type", TYPES), _word(value, "severity", SEVERITIES)
    criteria = _criteria(value.get("criteria"), affected)
    for found in (kind, severe, criteria):
        if isinstance(found, Invalid):
            return found
    gap, cause, lesson = (value[name].strip()[:MAX_TEXT] for name in _TEXTS)
    evidence = tuple(_quotes(value["evidence"]))
    return Said(gap, kind, criteria, severe, cause, evidence, lesson)  # type: ignore[arg-type] # none is Invalid


def _missing(value: dict[str, Any]) -> Invalid | None:
    """Return which text an answer lacks, if it lacks one."""
    for name in _TEXTS:
        if not isinstance(value.get(name), str) or not value[name].strip():
            return Invalid(f"The model gave no {name.replace('_', ' ')}.")
        if value[name].strip() == PLACEHOLDER:
            return Invalid(SENT_BACK)
    evidence = value.get("evidence")
    if not isinstance(evidence, list) or not all(isinstance(each, str) for each in evidence):
        return Invalid("The evidence of the model is no list of texts.")
    return None


W = TypeVar("W", bound=str)


def _word(value: dict[str, Any], name: str, words: Sequence[W]) -> W | Invalid:
    given = value.get(name)
    found = next((each for each in words if each == given), None)
    if found is None:
        return Invalid(f"The model's {name} {short(given)} is none of {', '.join(words)}.")
    return found


def _criteria(value: Any, affected: Sequence[Criterion]) -> tuple[str, ...] | Invalid:
    """Return the criteria that an answer names; one that the run has not makes it invalid."""
    if not isinstance(value, list):
        return Invalid("The criteria of the model are no list.")
    known = {key_of(at): each.key for at, each in enumerate(affected)}
    for name in value:
        if not isinstance(name, str) or name not in known:
            return Invalid(f"The model names the criterion {short(name)}, which did not fail.")
    if not value and any(each.result for each in affected):
        return Invalid("The model names none of the criteria that failed.")
    return tuple(dict.fromkeys(known[name] for name in value))


def _quotes(evidence: Sequence[str]) -> Iterator[str]:
    found = (each.strip()[:MAX_QUOTE] for each in evidence)
    yield from list(filter(None, found))[:MAX_QUOTES]
