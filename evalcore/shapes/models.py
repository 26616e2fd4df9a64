"""Models of documents that evalcore makes from many parts; their shapes say what is valid."""

from collections.abc import Iterable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

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


class RecordModel(BaseModel):
    """A JSON object with keys in camelCase; unknown fields are kept as they are.

    What a field holds is a type of `fields` in its annotation, else its Python type. A text there
    is the column that the field goes to, else `placed` says so, with `{}` for the field's name.
    """

    placed: ClassVar[Place] = Place(fields.RAW, parts.JUDGE)

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        strict=True,
        populate_by_name=True,
        protected_namespaces=(),
    )


@cache
def shape_of(model: type[RecordModel]) -> fields.Shape:
    """Return the shape of the documents of a model, with its fields by their JSON names."""
    found = []
    for name, field in model.model_fields.items():
        kind, null = _type(field.annotation, field.metadata)
        place = next((each for each in field.metadata if isinstance(each, (Place, str))), "")
        column, shown = (place, model.placed.shown) if isinstance(place, str) else place
        found.append(
            fields.Field(
                field.alias or name,
                kind,
                (column or model.placed.column).format(name),
                shown,
                absent=not field.is_required(),
                null=null,
                accepted=(name,),
            )
        )
    return fields.Shape((model.__doc__ or "").strip(), *found)


_OF_PYTHON: Final[dict[Any, fields.Type]] = {
    str: fields.TEXT,
    int: fields.WHOLE,
    bool: fields.FLAG,
    Any: fields.ANYTHING,
}


def _type(annotation: Any, stated: Iterable[object] = ()) -> tuple[fields.Type, bool]:
    """Return the type of the values that an annotation describes, and whether null is one."""
    if get_origin(annotation) is Annotated:
        annotation, *stated = get_args(annotation)
    own = next((each for each in stated if isinstance(each, fields.Type)), None)
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
