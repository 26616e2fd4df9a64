"""The fields of a document, as paths like `results[].score`."""

import inspect
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel


def field_paths(model: type[BaseModel]) -> tuple[str, ...]:
    """Every value a document of this model can hold, in the model's order, under its JSON names.

    `[]` stands for an item of a list, `*` for a name chosen by the writer. An object is listed by
    its fields, unless it has none of its own.
    """
    return tuple(dict.fromkeys(_of_model(model, "")))


def _of_model(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield from _of_type(field.annotation, prefix + (field.alias or name))
    others = _others(model)
    if others is not None:
        yield prefix + "*"
        yield from _of_type(others, prefix + "*")


def _others(model: type[BaseModel]) -> Any:
    """The type of the fields that the model does not name, where it says one."""
    for base in model.__mro__:
        if base is BaseModel:
            break
        found = inspect.get_annotations(base).get("__pydantic_extra__")
        if found is not None:
            return get_args(found)[1]
    return None


def _of_type(kind: Any, path: str) -> Iterator[str]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _of_type(arguments[0], path)
    elif origin in (Union, UnionType):
        for argument in arguments:
            if argument is not type(None):
                yield from _of_type(argument, path)
    elif origin is list:
        yield from _of_type(arguments[0], path + "[]")
    elif origin is dict and arguments[1] is not Any:
        yield path + ".*"
        yield from _of_type(arguments[1], path + ".*")
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        yield from _of_model(kind, path + ".")
    else:
        yield path
