"""Where a JSON value is not the document that a model describes, in sentences."""

import json
from typing import Final, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from evalcore.problems import pointer
from evalcore.shapes.models import SeedModel

MAX_FAULTS: Final = 50
CHOICE: Final = "choice:"
"""The type of the error of a value that fits no branch ends in the key that decides the branch."""


class Fault(NamedTuple):
    """One way in which a value is not the document its model describes.

    `pointer` (RFC 6901) names a value that is there: for a missing field the object without it.
    """

    pointer: str
    message: str


def faults(model: type[SeedModel], value: object, limit: int = MAX_FAULTS) -> list[Fault]:
    """Say where a JSON value is not the document `model` describes, at most `limit` times.

    Any JSON value is accepted; the faults stand in the order of the model's fields.
    """
    try:
        model.model_validate(value)
    except ValidationError as error:
        details = error.errors(include_url=False)
        return [_fault(detail, value) for detail in details[:limit]]
    return []


def _fault(detail: ErrorDetails, value: object) -> Fault:
    tokens = _path(detail["loc"], value)
    kind, found = detail["type"], detail["input"]
    missing = str(detail["loc"][-1]) if kind == "missing" else ""
    if kind.startswith(CHOICE) and isinstance(found, dict):
        field = kind.removeprefix(CHOICE)
        if field in found:
            tokens, found = [*tokens, field], found[field]
        else:
            missing = field
    where = pointer(*tokens)
    if missing:
        return Fault(where, f"{_quoted(missing)} is missing.")
    name = _quoted(tokens[-1]) if tokens else "The document"
    return Fault(where, f"{name} {_sentence(detail, found)}.")


def _path(location: tuple[int | str, ...], value: object) -> list[int | str]:
    """The part of an error's location that exists in the value."""
    tokens: list[int | str] = []
    for token in location:
        # Whatever is not a key or an index here names a branch of a union, or a missing field.
        match value:
            case dict() if token in value:
                value = value[token]
            case list() if isinstance(token, int) and token < len(value):
                value = value[token]
            case _:
                continue
        tokens.append(token)
    return tokens


def _quoted(token: int | str) -> str:
    return f"Item {token}" if isinstance(token, int) else json.dumps(_short(token))


_EXPECTED = {
    "string_type": "text",
    "string_unicode": "valid Unicode text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


def _sentence(detail: ErrorDetails, found: object) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "rule":
        return detail["msg"]
    if kind in _EXPECTED:
        expected = f"must be {_EXPECTED[kind]}"
    elif kind == "literal_error":
        expected = f"must be {context['expected']}"
    elif kind == "greater_than_equal":
        expected = f"must be {context['ge']:g} or more"
    elif kind == "less_than_equal":
        expected = f"must be {context['le']:g} or less"
    else:
        expected = detail["msg"]
    return f"{expected}, but is {_value_words(found)}"


_LONG = 60


def _short(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _value_words(value: object) -> str:
    """A value in a sentence: short ones as they are written, long ones by what they are."""
    match value:
        case None | bool():
            return json.dumps(value)
        case str():
            shown = json.dumps(_short(value), ensure_ascii=False)
            return shown.encode("utf-8", "backslashreplace").decode()
        case int() if abs(value) >= 10**18:
            return "a very large whole number"
        case int() | float():
            return str(value)
        case dict():
            return "an object"
        case list():
            return "a list"
    return "no JSON value"
