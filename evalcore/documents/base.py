"""What every document model shares: exact types, unknown fields kept, faults with pointers."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    SerializeAsAny,
    Tag,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from evalcore.problems import pointer

MAX_FAULTS = 50

# Union branches show up in the location of an error; this character keeps them apart from keys.
_TAG = "\x00"
# The type of such an error ends in the key that decides the branch.
_CHOICE = "choice:"


class SeedModel(BaseModel):
    """A JSON object of a seed document: exact types, unknown fields kept as they are."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of file: its model, where it lies, and what it holds.

    `path` is relative to the workspace; words in angle brackets vary.
    """

    kind: str
    model: type[SeedModel]
    path: str
    description: str


class Fault(NamedTuple):
    """One way in which a value is not the document its model describes.

    `pointer` (RFC 6901) names a value that is there: for a missing field the object without it.
    """

    pointer: str
    message: str


def _same_number(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    handler(value)
    return value


# A JSON number that is written back as it was read: 4 stays 4 and 4.0 stays 4.0.
Number = Annotated[SerializeAsAny[float], Field(allow_inf_nan=False), WrapValidator(_same_number)]
NonNegative = Annotated[Number, Field(ge=0)]
Fraction = Annotated[Number, Field(ge=0, le=1)]
Mean5 = Annotated[Number, Field(ge=1, le=5)]
Score5 = Annotated[int, Field(ge=1, le=5)]
Score10 = Annotated[int, Field(ge=1, le=10)]
Count = Annotated[int, Field(ge=0)]


def _timestamp(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise PydanticCustomError(
            "timestamp", "must be an ISO 8601 date and time, like 2026-02-22T20:00:00Z"
        ) from error
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "must not be blank")
    return text


Timestamp = Annotated[str, AfterValidator(_timestamp)]
NotBlank = Annotated[str, AfterValidator(_not_blank)]


def matching(pattern: str, meaning: str) -> AfterValidator:
    """A validator for texts of one form, whose fault says the form in words."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise PydanticCustomError("form", "must be {meaning}", {"meaning": meaning})
        return text

    return AfterValidator(check)


def tag(name: str) -> Tag:
    """Mark one branch of a union that `chosen` decides."""
    return Tag(_TAG + name)


def chosen(choose: Callable[[Any], str | None], expected: str, field: str = "") -> Discriminator:
    """Decide a union by looking at the value; where `choose` says None, `expected` is the fault.

    `field` names the key that decides, so that the fault points at it.
    """

    def decide(value: Any) -> str | None:
        name = choose(value)
        return None if name is None else _TAG + name

    return Discriminator(
        decide,
        custom_error_type=_CHOICE + field,
        custom_error_message=f"must be {expected}",
    )


def _text_or_object(value: Any) -> str | None:
    if isinstance(value, str):
        return "text"
    return "object" if isinstance(value, dict | BaseModel) else None


TEXT = tag("text")
OBJECT = tag("object")
TEXT_OR_OBJECT = chosen(_text_or_object, "text or an object")


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
    if kind.startswith(_CHOICE) and isinstance(found, dict):
        field = kind.removeprefix(_CHOICE)
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
    return f"{expected}, but is {_said(found)}"


_LONG = 60


def _short(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _said(value: object) -> str:
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
