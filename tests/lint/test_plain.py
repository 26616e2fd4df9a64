"""The quick look never clears what the slow one has something to say about."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.lint.syntax import MAX_DEPTH, findings, is_plain

NAMES = st.sampled_from(["a", "b", "score", 'q"', "\\", "\u202e", "é", ""]) | st.text(max_size=3)
TEXTS = st.sampled_from(['":', '\\":', ': "a"', "\\", "", '"a": 1']) | st.text(max_size=8)
WHOLE = st.integers(-(2**70), 2**70) | st.integers(2**53 - 2, 2**53 + 2)
NUMBERS = WHOLE | st.floats(allow_nan=False, allow_infinity=False)


def pairs_of(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return objects as text, which may name a thing twice, in several ways of writing."""
    blank = st.sampled_from(["", " ", "\n  "])
    name = st.tuples(NAMES, st.booleans()).map(lambda p: json.dumps(p[0], ensure_ascii=p[1]))
    pair = st.tuples(name, blank, blank, values).map(lambda p: f"{p[0]}{p[1]}:{p[2]}{p[3]}")
    return st.lists(pair, max_size=4).map(lambda pairs: "{" + ",\n".join(pairs) + "}")


ATOMS = (TEXTS | NUMBERS | st.none() | st.booleans()).map(json.dumps)
DOCUMENTS = st.recursive(
    ATOMS,
    lambda inner: (
        pairs_of(inner) | st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
    ),
    max_leaves=12,
)


def strict(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None


@given(DOCUMENTS)
@example('{"a" : 1, "a": ":"}')
@example('{"a": "\\\\", "b\\\\": 1, "b\\\\": 2}')
@example('{"n": 9007199254740993}')
@example('{"n": 1' + "0" * 30 + "}")
def test_what_is_plain_has_no_findings(text: str) -> None:
    """Names twice, unseen characters, large numbers: each is left to the slow look."""
    data = text.encode("utf-8", "surrogatepass")
    value = strict(data)
    if value is not None and is_plain(data, value):
        assert findings(data) == []


def test_depth_is_left_to_the_slow_look() -> None:
    """As deep as is allowed is plain, one deeper is not."""
    for depth, plain in ((MAX_DEPTH, True), (MAX_DEPTH + 1, False)):
        data = b"[" * depth + b"]" * depth
        assert is_plain(data, orjson.loads(data)) is plain


@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_an_ordinary_document_is_plain(indent: Any, ascii_only: bool) -> None:
    """Also one whose texts quote JSON, in every usual way of writing."""
    value = {"results": [{"reasoning": 'It wrote {"größe": 4}.', "score": 4, "passed": True}]}
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert is_plain(data, value)
