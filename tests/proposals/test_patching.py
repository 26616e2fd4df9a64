"""Changing values in the text of a document touches nothing else of it."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.proposals.patching import differences, patched, written

KEYS = st.text(max_size=4)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)


def change(text: str, new: Any) -> str:
    """Return a text with the differences to `new` written into it."""
    return patched(text, list(differences(json.loads(text), new)), new)


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ('{"a": 1.50, "b":2}', ["b"], 3, '{"a": 1.50, "b":3}'),
        ('{"a":1}', ["b"], [1], '{"a":1,"b":[1]}'),
        ('{\n\t"a": {}\n}\n', ["a", "x"], 1, '{\n\t"a": {\n\t\t"x": 1\n\t}\n}\n'),
        (
            '{\r\n  "a": 1\r\n}',
            ["b"],
            {"c": 2},
            '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}',
        ),
        ('{"a": [\n  1\n]}', ["a", 1], 2, '{"a": [\n  1,\n  2\n]}'),
        ('{"a": "\\u00e9", "b": 0}', ["b"], "ü", '{"a": "\\u00e9", "b": "\\u00fc"}'),
        ('{"a": 1, "a": 2}', ["a"], 3, '{"a": 1, "a": 3}'),
        ('{"a\\"}": {"]": 1}}', ['a"}', "]"], None, '{"a\\"}": {"]": null}}'),
    ],
)
def test_one_value_changes_in_the_style_of_the_text(
    text: str, path: list[Any], value: Any, expected: str
) -> None:
    """Indentation, line ends, escapes, spelling of other numbers and double keys stay."""
    new = json.loads(text)
    inner = new
    for key in path[:-1]:
        inner = inner[key]
    if isinstance(inner, list):
        inner.append(value)
    else:
        inner[path[-1]] = value
    assert change(text, new) == expected


@given(DOCUMENTS, DOCUMENTS, st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans())
def test_the_text_says_the_new_value_afterwards(
    old: Any, new: Any, indent: Any, escaped: bool
) -> None:
    """Whatever changed; keys that only the older value has are kept."""
    text = json.dumps(old, indent=indent, ensure_ascii=escaped)
    both = {**deepcopy(old), **new}
    found = json.loads(change(text, both))
    assert not list(differences(found, both))


@given(DOCUMENTS)
def test_the_same_value_changes_nothing(value: Any) -> None:
    """Not a character."""
    text = written(value)
    assert change(text, json.loads(text)) == text


def test_a_value_and_a_truth_are_different() -> None:
    """Python takes 1 for True; a reader of the document does not."""
    assert [each.dotted_path for each in differences({"a": 1}, {"a": True})] == ["a"]


def test_many_changes_are_written_at_once() -> None:
    """A list that has become another one is written anew, the rest stays."""
    old = {"kept": 1.0, "runs": [{"n": n} for n in range(500)]}
    text = json.dumps(old, indent=2).replace("1.0", "1.00")
    new = {**old, "runs": [{"n": n + 1} for n in range(500)]}
    assert '"kept": 1.00,' in change(text, new)
    assert json.loads(change(text, new)) == new
