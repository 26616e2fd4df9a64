"""Convert JSON values by the types of their shape: the quick way for what most documents hold."""

from collections.abc import Container, Iterable
from typing import Annotated, Any, Final, Literal

import msgspec

from evalcore.shapes.fields import (
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
from evalcore.shapes.restated import NAMES

_LARGEST: Final = 2**53
_JUDGED: Final = "judgments."
# No value but null is both above 1 and below 0.
_ABSENT: Final[Any] = Annotated[int, msgspec.Meta(gt=1, lt=0)] | None


class Typed:
    """Converts documents of one shape; what is not as the shape says is for the tolerant reader.

    Judged values must be there, other fields may be missing or null. Fields that the shape does not
    name are passed over, save what judged items and `refused` repeat of their definitions. Fields
    in `as_is` are taken as they are, whatever they hold.
    """

    def __init__(
        self, shape: Shape, *, as_is: Container[str] = (), refused: Iterable[str] = ()
    ) -> None:
        self._type = _struct(shape, as_is, refused)

    def read(self, value: Any) -> Any | None:
        """Return the fields of a JSON value as attributes; None for the tolerant reader."""
        try:
            return msgspec.convert(value, self._type)
        except msgspec.ValidationError:
            return None


def _struct(
    shape: Shape, as_is: Container[str] = (), refused: Iterable[str] = ()
) -> type[msgspec.Struct]:
    """Return the type of objects with the fields of a shape, and without any of those `refused`."""
    needed: list[tuple[str, Any]] = []
    others: list[tuple[str, Any, Any]] = []
    for field in shape.fields:
        if field.name in as_is:
            others.append((field.name, Any, None))
        elif _is_judged(field) and not field.absent and not field.null:
            needed.append((field.name, _annotation(field.type)))
        else:
            others.append((field.name, _annotation(field.type) | None, None))
    names = {f"refused_{name}": name for name in sorted({*refused} - {*shape.by_name})}
    others += [(attribute, _ABSENT, None) for attribute in names]
    return msgspec.defstruct("Converted", [*needed, *others], gc=False, rename=names)


def _is_judged(field: Field) -> bool:
    """Say whether a field is a judged value, or holds some."""
    kind = field.type
    while isinstance(kind, (ListOf, MapOf)):
        kind = kind.item
    inner = isinstance(kind, Shape) and any(map(_is_judged, kind.fields))
    return field.column.startswith(_JUDGED) or inner


def _annotation(kind: Type) -> Any:
    """Return the type that values of a shape's type are converted to."""
    match kind:
        case ListOf(item):
            return list[_annotation(item)]  # type: ignore[misc] # a type that is made at run time
        case MapOf(item):
            return dict[str, _annotation(item)]  # type: ignore[misc] # as above
        case Either(other):
            return _annotation(other) | str
        case Shape() if len({id(field.type) for field in kind.fields}) == 1 < len(kind.fields):
            # As a map, so that which of the names are there, and in which order, can be seen.
            return dict[str, _annotation(kind.fields[0].type)]  # type: ignore[misc] # as above
        case Shape():
            judged = any(field.column.startswith(_JUDGED) for field in kind.fields)
            return _struct(kind, refused=NAMES if judged else ())
        case Text(words):
            return Literal[words] if words else str
        case Time():
            return str
        case Flag():
            return bool
        case Number(low, high, whole):
            bounds = (-_LARGEST if low is None else low), (_LARGEST if high is None else high)
            low, high = map(int, bounds) if whole else bounds
            return Annotated[int if whole else float, msgspec.Meta(ge=low, le=high)]
    return Any
