"""The fields of the most frequent records, read at once if all have the expected type."""

from collections.abc import Callable
from typing import Any, TypeVar, cast, get_type_hints

from msgspec import Struct, ValidationError, convert

from evalcore.disk.values import Node

Number = int | float | None
Text = str | None
Flag = bool | None

_READ = {Number: Node.number, Text: Node.text, Flag: Node.flag}


class Fields(Struct, rename="camel", gc=False):
    """Fields of a record by their types; missing is None, and others are left out."""


class JudgmentFields(Fields):
    """The fields of a judgment, without its time."""

    score: Number = None
    max_score: Number = None
    rationale: Text = None
    judged_by: Text = None
    judged_by_type: Text = None
    confidence: Number = None


class RunFields(Fields):
    """The fields of a test run, without its time."""

    prompt_version_ref: Text = None
    judge_type: Text = None
    total_score: Number = None
    max_possible_score: Number = None
    passed: Flag = None
    duration_ms: Number = None


class AgentRunFields(Fields):
    """The fields of an agent-run, without its time and the run that follows from it."""

    test_case_id: Text = None
    prompt_version_ref: Text = None
    duration_ms: Number = None


F = TypeVar("F", bound=Fields)


def fields_of(value: dict[str, Any], shape: type[F], node: Callable[[], Node]) -> F:
    """Return the fields of a record.

    If one has another type, each is read from `node` on demand, once, with checks.
    """
    try:
        return convert(value, shape)
    except ValidationError:
        return cast(F, _Odd(node(), shape))


class _Odd:
    """The fields of a record in which some have an unexpected type."""

    def __init__(self, node: Node, shape: type[Fields]) -> None:
        self._node = node
        self._shape = shape

    def __getattr__(self, name: str) -> object:
        keys = dict(
            zip(self._shape.__struct_fields__, self._shape.__struct_encode_fields__, strict=True)
        )
        return _READ[get_type_hints(self._shape)[name]](self._node, keys[name])
