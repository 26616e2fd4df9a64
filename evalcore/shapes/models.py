"""Models of documents that evalcore makes from many parts; their shapes say what is valid."""

from collections.abc import Iterable
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
)

import msgspec

from evalcore.shapes import fields, parts

# A number is written back as it was read: 4 stays 4 and 4.0 stays 4.0.
Number = Annotated[int | float, fields.NUMBER]
Fraction = Annotated[int | float, fields.FRACTION]
Timestamp = Annotated[str, fields.TIME]
NotBlank = Annotated[str, fields.Text(blank=False)]
Sha256 = Annotated[
    str, fields.Text(pattern="[0-9a-f]{64}", meaning="a sha256: 64 digits and letters a to f")
]


class Place(NamedTuple):
    """Where a field of a model goes: see `Field`."""

    column: str
    shown: str


class RecordModel(msgspec.Struct, rename="camel"):
    """A JSON object with keys in camelCase.

    What a field holds is a type of `fields` in its annotation, else its Python type. A text there
    is the column that the field goes to, else `placed` says so, with `{}` for the field's name.
    """

    placed: ClassVar[Place] = Place(fields.RAW, parts.JUDGE)


@cache
def shape_of(model: type[RecordModel]) -> fields.Shape:
    """Return the shape of the documents of a model, with its fields by their JSON names."""
    found = []
    for field in msgspec.structs.fields(model):
        kind, null = _type(field.type)
        place = next((each for each in _stated(field.type) if isinstance(each, (Place, str))), "")
        column, shown = (place, model.placed.shown) if isinstance(place, str) else place
        found.append(
            fields.Field(
                field.encode_name,
                kind,
                (column or model.placed.column).format(field.name),
                shown,
                absent=not field.required,
                null=null,
            )
        )
    return fields.Shape((model.__doc__ or "").strip(), *found)


def as_json(value: Any) -> Any:
    """Return a model as it is written: keys in the order of its fields, nothing that is missing."""
    if isinstance(value, list):
        return [as_json(each) for each in value]
    if not isinstance(value, RecordModel):
        return value
    held = zip(value.__struct_encode_fields__, msgspec.structs.astuple(value), strict=True)
    return {name: as_json(each) for name, each in held if each is not None}


_OF_PYTHON: Final[dict[Any, fields.Type]] = {
    str: fields.TEXT,
    int: fields.WHOLE,
    bool: fields.FLAG,
    Any: fields.ANYTHING,
}


def _stated(annotation: Any) -> Iterable[object]:
    """Return what an annotation says beside the Python type."""
    return get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()


def _type(annotation: Any) -> tuple[fields.Type, bool]:
    """Return the type of the values that an annotation describes, and whether null is one."""
    own = next((each for each in _stated(annotation) if isinstance(each, fields.Type)), None)
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    origin, inner = get_origin(annotation), get_args(annotation)
    if own is not None:
        return own, False
    if origin in (Union, UnionType):
        first, *others = (_type(each)[0] for each in inner if each is not NoneType)
        return fields.Either(others[0]) if others else first, NoneType in inner
    if origin is Literal:
        return fields.Text(words=inner), False
    if origin is list:
        return fields.ListOf(_type(inner[0])[0]), False
    if origin is dict:
        return fields.MapOf(_type(inner[1])[0]), False
    known = annotation in _OF_PYTHON
    return _OF_PYTHON[annotation] if known else shape_of(annotation), False
