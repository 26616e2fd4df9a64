"""The strict check: where a JSON value is not the document that its shape describes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.improve.documents import COMPARISON, EVALS, GRADING
from evalcore.families.iterations.documents import TIMING
from evalcore.families.registry import dialects
from evalcore.shapes.faults import Fault, faults
from evalcore.shapes.fields import Document, Shape
from tests.shapes.golden import goldens

KINDS = [found for each in dialects() for found in each.documents().kinds]
GOLDENS = goldens()

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from([10**400, -(10**30), "\ud800", "", "2026-01-01", "pass", "A", "\x00text"])
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text() | st.sampled_from(["\ud800", "type", "fields"]), inner)
    ),
    max_leaves=12,
)


def _resolved(value: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [here, *(place for key, child in inner for place in _places(child, (*here, key)))]


def _replaced(value: Any, place: tuple[Any, ...], by: Any) -> Any:
    if not place:
        return by
    copy = json.loads(json.dumps(value))
    parent = copy
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = by
    return copy


def _check(kind: Document | Shape, value: Any) -> None:
    found = faults(kind, value)
    assert len(found) <= 50
    for fault in found:
        assert fault.message.endswith(".")
        fault.message.encode()
        _resolved(value, fault.pointer)


@given(value=JSON, kind=st.sampled_from(KINDS))
def test_any_json_value_has_faults_or_none(value: Any, kind: Document) -> None:
    """No JSON value makes `faults` raise, and every pointer leads to a value."""
    _check(kind, value)


@given(data=st.data(), by=JSON)
def test_any_value_anywhere_in_a_document_is_at_most_a_fault(data: st.DataObject, by: Any) -> None:
    """A document with any JSON value in any place never makes `faults` raise."""
    golden = data.draw(st.sampled_from(GOLDENS))
    original = golden.read()
    place = data.draw(st.sampled_from(_places(original)))
    _check(golden.described, _replaced(original, place, by))


def test_a_fault_names_field_rule_and_value() -> None:
    """The message is a sentence that a person can act on."""
    wrong = {"eval_prompt": "p", "winner": "C", "reasoning": 3, "scores": {"clarity": {"A": 8}}}
    assert faults(COMPARISON, wrong) == [
        Fault("/winner", "\"winner\" must be 'A' or 'B', but is \"C\"."),
        Fault("/reasoning", '"reasoning" must be text, but is 3.'),
        Fault("/scores/clarity", '"B" is missing.'),
    ]


def test_a_document_of_another_shape_is_one_fault() -> None:
    """A value that is no object is a fault of the whole document."""
    assert faults(GRADING, [1]) == [Fault("", "The document must be an object, but is a list.")]


def test_pointers_are_escaped() -> None:
    """`~` and `/` in a key are escaped as RFC 6901 says."""
    side = {"A": 1, "B": 11}
    document = {"eval_prompt": "", "winner": "A", "reasoning": "", "scores": {"a/b~c": side}}
    assert faults(COMPARISON, document) == [
        Fault("/scores/a~1b~0c/B", '"B" must be 10 or less, but is 11.')
    ]


def test_faults_are_bounded() -> None:
    """A document that is wrong everywhere gives fifty faults, not thousands."""
    document = {"version": "1.0", "skill": "s", "cases": [None] * 5000}
    assert len(faults(EVALS, document)) == 50
    assert len(faults(EVALS, document, limit=3)) == 3


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01T00:00:00Z", ""])
def test_a_time_is_iso_8601(text: str) -> None:
    """A time in another form is a fault."""
    timing = {"total_tokens": 1, "duration_ms": 1, "executor_start": text}
    (fault,) = faults(TIMING, timing)
    assert fault.pointer == "/executor_start"
    assert "ISO 8601" in fault.message


@pytest.mark.parametrize("number", [float("nan"), float("inf"), True, "1"])
def test_a_number_is_finite_and_no_word(number: Any) -> None:
    """NaN, infinity, true and quoted numbers are no numbers."""
    (fault,) = faults(TIMING, {"total_tokens": None, "duration_ms": number})
    assert fault.pointer == "/duration_ms"
