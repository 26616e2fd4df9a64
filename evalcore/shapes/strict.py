"""The strict check: where a JSON value is not the document that its shape describes."""

import re
from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Tag,
    TypeAdapter,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic import Field as Constraint
from pydantic_core import PydanticCustomError

from evalcore.shapes import models
from evalcore.shapes.faults import CHOICE, MAX_FAULTS, Fault
from evalcore.shapes.faults import faults as faults_of_model
from evalcore.shapes.fields import (
    Anything,
    Choice,
    Document,
    Either,
    Field,
    Flag,
    ListOf,
    MapOf,
    Number,
    Shape,
    Text,
    Time,
    Type,
)
from evalcore.shapes.models import SeedModel
from evalcore.shapes.written import Written

# Union branches show up in the location of an error; this character keeps them apart from keys.
_TAG: Final = "\x00"

Kind = Document | Written
"""A kind of document, described by a shape or by a model."""


class _Strict(SeedModel):
    """Fields go by their JSON names alone."""

    model_config = ConfigDict(populate_by_name=False)


def faults(shape: Shape, value: object, limit: int = MAX_FAULTS) -> list[Fault]:
    """Say where a JSON value is not what `shape` describes, at most `limit` times.

    Any JSON value is accepted; the faults stand in the order of the shape's fields.
    """
    return faults_of_model(model(shape), value, limit)


def model_of(kind: Kind) -> type[SeedModel]:
    """Return the model of a kind of document."""
    return model(kind.shape) if isinstance(kind, Document) else kind.model


@cache
def model(shape: Shape) -> type[SeedModel]:
    """Return the pydantic model that accepts exactly what a shape describes."""
    fields: dict[str, Any] = {_attribute(field.name): _field(field) for field in shape.fields}
    return create_model(
        "Document",
        __base__=_Strict if shape.others is None else _with_others(shape.others.type),
        __doc__=shape.about,
        __validators__={"any_of": _any_of(shape.any_of)} if shape.any_of else None,
        **fields,
    )


def _attribute(name: str) -> str:
    """Return a name that a model may have: `schema` is a method of every pydantic model."""
    return f"{name}_" if hasattr(BaseModel, name) else name


def _field(field: Field) -> tuple[Any, Any]:
    kind = _type(field.type)
    default = None if field.absent else ...
    return (kind | None) if field.null else kind, Constraint(default, alias=field.name)


def _with_others(kind: Type) -> type[SeedModel]:
    value: Any = _type(kind)

    class Others(_Strict):
        __pydantic_extra__: dict[str, value] = Constraint(init=False)

    return Others


def _any_of(names: tuple[str, ...]) -> Any:
    *first, last = names
    message = f"must have {', '.join(first)} or {last}"

    def check(self: BaseModel) -> BaseModel:
        if all(getattr(self, _attribute(name)) is None for name in names):
            raise PydanticCustomError("rule", "{message}", {"message": message})
        return self

    return model_validator(mode="after")(check)


def _type(kind: Type) -> Any:
    """Return what stands for a type in a pydantic model."""
    match kind:
        case Text():
            return _text(kind)
        case Number(low, high, whole):
            return Annotated[int if whole else models.Number, Constraint(ge=low, le=high)]
        case ListOf(item):
            return list[_type(item)]  # type: ignore[misc]
        case MapOf(item):
            return dict[str, _type(item)]  # type: ignore[misc]
        case Either(other, serialized):
            return _either(other, serialized)
        case Choice():
            return _choice(kind)
        case Shape():
            return model(kind)
    return _PLAIN[type(kind)]


_PLAIN: dict[type[Any], Any] = {Flag: bool, Time: models.Timestamp, Anything: Any}


def _text(kind: Text) -> Any:
    if kind.words:
        return Literal[kind.words]
    if not kind.blank:
        return models.NotBlank
    return Annotated[str, _matching(kind.pattern, kind.meaning)] if kind.pattern else str


_OTHER: dict[type[Any], tuple[str, tuple[type[Any], ...]]] = {
    Shape: ("an object", (dict, BaseModel)),
    ListOf: ("a list", (list,)),
    Number: ("a whole number", (int,)),
}
"""What may stand in place of a text: in words, and as a type of Python."""


def _either(other: Type, serialized: bool) -> Any:
    words, types = _OTHER[type(other)]

    def decide(value: Any) -> str | None:
        if isinstance(value, str):
            return "text"
        return "other" if isinstance(value, types) else None

    text: Any = Annotated[str, _holding(other, words)] if serialized else str
    branches: Any = Annotated[text, _tag("text")] | Annotated[_type(other), _tag("other")]
    expected = f"{words}, or {words} as JSON text" if serialized else f"text or {words}"
    return Annotated[branches, _chosen(decide, expected)]


def _holding(other: Type, words: str) -> AfterValidator:
    """Return a check of text that holds a value as JSON."""
    known: TypeAdapter[Any] = TypeAdapter(_type(other))

    def check(text: str) -> str:
        try:
            known.validate_json(text)
        except ValidationError as error:
            message = f"must be {words} as JSON text"
            raise PydanticCustomError("serialized", "{message}", {"message": message}) from error
        return text

    return AfterValidator(check)


def _choice(choice: Choice) -> Any:
    branches: Any = reduce(
        or_, (Annotated[model(shape), _tag(name)] for name, shape in choice.shapes.items())
    )
    expected = f"one of {', '.join(choice.shapes)}"
    return Annotated[branches, _chosen(_decide(choice), expected, choice.by)]


def _decide(choice: Choice) -> Callable[[Any], str | None]:
    attribute = _attribute(choice.by)

    def decide(value: Any) -> str | None:
        found = value.get(choice.by) if isinstance(value, dict) else getattr(value, attribute, None)
        return found if isinstance(found, str) and found in choice.shapes else None

    return decide


def _matching(pattern: str, meaning: str) -> AfterValidator:
    """A validator for texts of one form, whose fault says the form in words."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise PydanticCustomError("form", "must be {meaning}", {"meaning": meaning})
        return text

    return AfterValidator(check)


def _tag(name: str) -> Tag:
    """Mark one branch of a union that `_chosen` decides."""
    return Tag(_TAG + name)


def _chosen(choose: Callable[[Any], str | None], expected: str, field: str = "") -> Discriminator:
    """Decide a union by looking at the value; where `choose` says None, `expected` is the fault.

    `field` names the key that decides, so that the fault points at it.
    """

    def decide(value: Any) -> str | None:
        name = choose(value)
        return None if name is None else _TAG + name

    return Discriminator(
        decide,
        custom_error_type=CHOICE + field,
        custom_error_message=f"must be {expected}",
    )
