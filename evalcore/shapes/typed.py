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
        fields = [_declared(field, field.name in as_is) for field in shape.fields]
        self._type = _struct(fields, refused=refused)

    def read(self, value: Any) -> Any | None:
        """Return the fields of a JSON value as attributes; None for the tolerant reader."""
        try:
            return msgspec.convert(value, self._type)
        except msgspec.ValidationError:
            return None


_Declared = tuple[str, Any] | tuple[str, Any, Any]


def _declared(field: Field, as_is: bool) -> _Declared:
    """Return name, type and default of a struct's field."""
    if as_is:
        return field.name, Any, None
    kind = _annotation(field.type)
    judged = field.column.startswith(_JUDGED) or _holds_judged(field.type)
    if judged and not field.absent and not field.null:
        return field.name, kind
    return field.name, kind | None, None


def _holds_judged(kind: Type) -> bool:
    """Say whether values of a type hold judged values."""
    match kind:
        case ListOf(item) | MapOf(item):
            return _holds_judged(item)
        case Shape():
            return any(
                field.column.startswith(_JUDGED) or _holds_judged(field.type)
                for field in kind.fields
            )
    return False


def _struct(fields: Iterable[_Declared], refused: Iterable[str] = ()) -> type[msgspec.Struct]:
    """Return the type of objects with these fields, and without any of those `refused`."""
    declared = list(fields)
    absent = set(refused) - {each[0] for each in declared}
    declared += [(f"refused_{name}", _ABSENT, None) for name in sorted(absent)]
    names = {f"refused_{name}": name for name in absent}
    # Those without a default come first.
    return msgspec.defstruct("Converted", sorted(declared, key=len), gc=False, rename=names)


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
            fields = [_declared(field, as_is=False) for field in kind.fields]
            return _struct(fields, refused=NAMES if judged else ())
        case Text() | Time() | Flag() | Number():
            return _plain(kind)
    return Any


def _plain(kind: Text | Time | Flag | Number) -> Any:
    match kind:
        case Text(words) if words:
            return Literal[words]
        case Flag():
            return bool
        case Number(low, high, whole):
            bounds = (-_LARGEST if low is None else low), (_LARGEST if high is None else high)
            low, high = map(int, bounds) if whole else bounds
            return Annotated[int if whole else float, msgspec.Meta(ge=low, le=high)]
    return str
