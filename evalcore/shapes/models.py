"""What the models of documents share: exact types, and unknown fields kept."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Final, NamedTuple, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from evalcore.shapes.fields import Leaf


class SeedModel(BaseModel):
    """A JSON object of a seed document: exact types, unknown fields kept as they are."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


def _same_number(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    handler(value)
    return value


# A JSON number that is written back as it was read: 4 stays 4 and 4.0 stays 4.0.
Number = Annotated[SerializeAsAny[float], Field(allow_inf_nan=False), WrapValidator(_same_number)]
Fraction = Annotated[Number, Field(ge=0, le=1)]


ISO_8601: Final = "must be an ISO 8601 date and time, like 2026-02-22T20:00:00Z"
NOT_BLANK: Final = "must not be blank"


def is_timestamp(text: str) -> bool:
    """Say whether a text is a point in time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _timestamp(text: str) -> str:
    if not is_timestamp(text):
        raise PydanticCustomError("timestamp", ISO_8601)
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", NOT_BLANK)
    return text


Timestamp = Annotated[str, AfterValidator(_timestamp)]
NotBlank = Annotated[str, AfterValidator(_not_blank)]


class Place(NamedTuple):
    """Where a field of a model goes, beside its type: see `Field`."""

    column: str
    shown: str


class Written(NamedTuple):
    """A kind of file that evalcore writes: its model, and where it lies."""

    kind: str
    model: type[SeedModel]
    path: str

    @property
    def about(self) -> str:
        """What it holds, in a sentence."""
        return (self.model.__doc__ or "").strip()

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every value that it can hold, in order."""
        return tuple(_leaves(self.model, ""))

    @property
    def hint(self) -> str:
        """What to write, for who wrote something else."""
        fields = (field.alias or name for name, field in self.model.model_fields.items())
        return f"Write {self.path.rpartition('/')[2]} as {{{', '.join(fields)}}}."


def _leaves(model: type[SeedModel], prefix: str) -> Iterator[Leaf]:
    for name, field in model.model_fields.items():
        path = f"{prefix}{field.alias or name}"
        inner = _inner(field.annotation)
        if inner is not None:
            yield from _leaves(inner, f"{path}.")
        else:
            listed = get_origin(field.annotation) is list
            yield Leaf(f"{path}[]" if listed else path, *_place(model, name))


def _inner(annotation: object) -> type[SeedModel] | None:
    """Return the model that a field holds, may it be null or not."""
    for kind in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(kind, type) and issubclass(kind, SeedModel):
            return kind
    return None


def _place(model: type[SeedModel], name: str) -> Place:
    """Return the place of a field; a model that narrows the field's type leaves it where it was.

    A field that states none has that of its model, which has `{}` for the field's name.
    """
    bases = (base for base in model.__mro__ if issubclass(base, SeedModel))
    known = (base.model_fields[name].metadata for base in bases if name in base.model_fields)
    places = (each for found in known for each in found if isinstance(each, Place))
    own: Place = getattr(model, "placed", None) or Place("", "")
    return next(places, Place(own.column.format(name), own.shown))
