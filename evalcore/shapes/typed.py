"""Decode documents by the types of their shape: the quick way for what is written as documented."""

from collections.abc import Container, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec
import orjson

from evalcore.disk.files import Files
from evalcore.errors import PathOutside
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

MAX_TYPED: Final = 1024 * 1024
"""A larger document is left to the tolerant reader."""

_LARGEST: Final = 2**53
_JUDGED: Final = "judgments."
# No value but null is both above 1 and below 0.
_ABSENT: Final[Any] = Annotated[int, msgspec.Meta(gt=1, lt=0)] | None
_NULL: Final = msgspec.Raw(b"null")
_SAME_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class Typed:
    """Decodes documents of one shape; what is not as the shape says is refused.

    Judged values must be there, other fields may be missing or null. Fields that the shape does not
    name are passed over, but those in `refused` only the tolerant reader understands: a document
    that has one is not decoded. Fields in `as_is` are taken as they are, whatever they hold; with
    `only`, no others than these are read. `renamed` maps a field to the name it is written under.
    """

    def __init__(
        self,
        shape: Shape,
        *,
        only: Container[str] | None = None,
        as_is: Container[str] = (),
        refused: Iterable[str] = (),
        renamed: Mapping[str, str] = _SAME_NAMES,
    ) -> None:
        fields = [field for field in shape.fields if only is None or field.name in only]
        declared = [_declared(field, field.name in as_is) for field in fields]
        declared += [(name, _ABSENT, None) for name in refused if name not in renamed.values()]
        self._as_is = [field.name for field in fields if field.name in as_is]
        self._decode = msgspec.json.Decoder(_struct(declared, renamed)).decode

    def read(self, files: Files, path: str) -> Any | None:
        """Return a document with its fields as attributes; None for the tolerant reader."""
        try:
            found = self._decode(files.read(path, MAX_TYPED))
            for name in self._as_is:
                raw = getattr(found, name)
                # By the parser of the tolerant reader, so that both see the same values.
                value = None if raw is _NULL else orjson.loads(memoryview(raw))
                setattr(found, name, value)
        except (OSError, ValueError, RecursionError, PathOutside, msgspec.MsgspecError):
            return None
        return found


_Declared = tuple[str, Any] | tuple[str, Any, Any]


def _declared(field: Field, as_is: bool) -> _Declared:
    """Return name, type and default of a struct's field."""
    if as_is:
        return field.name, msgspec.Raw, _NULL
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


def _struct(
    fields: Iterable[_Declared], renamed: Mapping[str, str] = _SAME_NAMES
) -> type[msgspec.Struct]:
    # Those without a default come first.
    ordered = sorted(fields, key=len)
    return msgspec.defstruct("Decoded", ordered, gc=False, rename=renamed or None)


def _annotation(kind: Type) -> Any:
    """Return the type that values of a shape's type are decoded to."""
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
            return _struct(_declared(field, as_is=False) for field in kind.fields)
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
