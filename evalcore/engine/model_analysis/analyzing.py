"""Ask a model why a version won, and read what it says strictly."""

from typing import Any, Final

from evalcore.engine.found import AnalysisFound, Suggested
from evalcore.engine.model_analysis.asking import (
    FIELDS,
    MAX_SUGGESTIONS,
    Material,
    messages,
    prompt_digest,
    schema,
)
from evalcore.engine.model_answers import (
    PLACEHOLDER,
    SENT_BACK,
    UNANSWERED,
    Invalid,
    Unanswered,
    about_answers,
    new_mark,
    read_json,
    reply,
    taken,
    text_of,
)
from evalcore.models.calls import Stopped
from evalcore.models.configuration import Model

MAX_TEXT: Final = 8_000
MAX_FINDINGS: Final = 20


def analyzed_by_model(
    model: Model, known: Material, retries: int, stopped: Stopped
) -> AnalysisFound:
    """Return what a model finds; an answer of another form counts for nothing, and is kept.

    Raises:
        Unanswered: the call was not answered.
    """
    asked = messages(known, new_mark())
    replied = reply(model, asked, schema(), retries, stopped, read_analysis)
    answer, read = replied.answer, replied.said
    if answer.status in UNANSWERED:
        raise Unanswered(answer, "The analyzing model")
    found = read if isinstance(read, dict) else {"why": read.why, "answers": (text_of(answer),)}
    return AnalysisFound(
        known.winner,
        known.loser,
        about=about_answers([model], [answer], prompt_digest()),
        **taken([answer]),
        **found,
    )


def read_analysis(text: str) -> dict[str, Any] | Invalid:
    """Return the findings of an answer by kind, or why it counts for nothing."""
    value = read_json(text, "the model")
    if isinstance(value, Invalid):
        return value
    if not isinstance(value, dict):
        return Invalid("The answer of the model is no object.")
    found: dict[str, Any] = {}
    for name in ("strengths", "weaknesses"):
        said = value.get(name)
        if not isinstance(said, list) or not all(map(_is_text, said)):
            return Invalid(f"The {name} of the model are no list of texts.")
        if PLACEHOLDER in said:
            return Invalid(SENT_BACK)
        found[name] = tuple(each.strip()[:MAX_TEXT] for each in said[:MAX_FINDINGS])
    suggestions = value.get("suggestions")
    if not isinstance(suggestions, list):
        return Invalid("The suggestions of the model are no list.")
    found["suggestions"] = tuple(map(_suggested, suggestions[:MAX_SUGGESTIONS]))
    if None in found["suggestions"]:
        return Invalid("A suggestion of the model lacks its area, before, after or reasoning.")
    if any(each.after == PLACEHOLDER for each in found["suggestions"]):
        return Invalid(SENT_BACK)
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= MAX_TEXT


def _suggested(value: object) -> Suggested | None:
    """Return a suggestion; `before` and `after` are kept to the letter, as they are replaced."""
    fields = [value.get(name) if isinstance(value, dict) else None for name in FIELDS]
    if not all(map(_is_text, fields)):
        return None
    area, before, after, reasoning = map(str, fields)
    return Suggested(area.strip(), before, after, reasoning.strip())
