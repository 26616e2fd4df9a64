"""Bytes that are no JSON: which are the beginning of a document, and which are broken."""

import json
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk import parsing
from evalcore.disk.parsing import MISSING, parse, parsed, parsed_lines
from tests.bounded import bounded

DOCUMENT = json.dumps(
    {
        "text": 'é 日本 🙂 \\ "quoted" \n\t',
        "numbers": [0, -1, 2.5e10, -0.5, 1e-7],
        "words": [True, False, None],
        "nested": {"empty": {}, "list": [], "deep": [[{"a": [1]}]]},
    },
    ensure_ascii=False,
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def code_of(data: bytes) -> str | None:
    """The code of what is wrong with some bytes, which have a value or an error."""
    value, fault = parsed(data)
    assert (value is MISSING) == (fault is not None and fault.severity == "error")
    return fault and fault.code


def is_json(data: bytes) -> bool:
    """Say whether bytes are strict JSON."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def prefixes(data: bytes) -> set[str | None]:
    """The codes of all beginnings of a document that are no documents themselves."""
    return {code_of(data[:at]) for at in range(len(data)) if not is_json(data[:at])}


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_beginning_of_a_document_is_half_written(
    ascii_only: bool, indent: int | None, end: str
) -> None:
    """Cut at any byte: in a word, a number, an escape, a character, between or inside values."""
    text = json.dumps(json.loads(DOCUMENT), ensure_ascii=ascii_only, indent=indent)
    assert prefixes(text.replace("\n", end).encode()) == {"empty", "half-written"}


@given(VALUES, st.booleans())
def test_every_beginning_of_any_value_is_half_written(value: object, ascii_only: bool) -> None:
    """Whatever is written, what is there of it so far is half-written, empty, or whole."""
    data = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "replace")
    assert prefixes(data) <= {"empty", "half-written"}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1 "b": 2}',
        '{"a" 1}',
        '{"a": }',
        '{"a": 1,}',
        "[1,]",
        '{"a": 1}}',
        '{"a": 1} {"b": 2}',
        '{"a": 1}\n{"b": 2}\n',
        '{"a": 1} and so on',
        '{"a": 1} // why',
        "{'a': 1}",
        "{a: 1}",
        '{"a": tru}',
        '{"a": 01}',
        '{"a": 1.}',
        '{"a": "\\x"}',
        "hello",
        "\0\0\0\0",
        '{"a": 1}\0',
    ],
)
def test_a_mistake_is_no_beginning(text: str) -> None:
    """A missing comma, a comma too many, a second document, garbage: more bytes mend nothing."""
    assert code_of(text.encode()) == "invalid-json"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (DOCUMENT.encode("utf-16-le"), "not-utf8"),
        (DOCUMENT.encode("utf-16")[:-1], "not-utf8"),
        (DOCUMENT.encode("utf-16")[:-2], "half-written"),
        (DOCUMENT.encode("utf-32"), "not-utf8"),
        ('{"a": "é", "b": 1}'.encode("latin-1"), "not-utf8"),
        (b'{"a": "caf\xe9', "half-written"),
        (b'\xef\xbb\xbf{"a": [1', "half-written"),
        (b'{"a": NaN, "b": [1, "x', "half-written"),
        (b"\xef\xbb\xbf", "half-written"),
    ],
)
def test_encodings(data: bytes, code: str) -> None:
    """Other encodings are named; the beginning of an odd document is still a beginning."""
    assert code_of(data) == code


def repeated(unit: bytes, size: int, start: bytes = b"[", end: bytes = b"]") -> bytes:
    """Bytes of about a size that repeat a unit between a start and an end."""
    return start + unit * (size // len(unit)) + end


BIG = 60 * 1024 * 1024
BOMBS: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "depth 10^6": (lambda: b"[" * 10**6 + b"]" * 10**6, "too-deep"),
    "objects, depth 10^6": (lambda: b'{"a":' * 10**6 + b"1" + b"}" * 10**6, "too-deep"),
    "depth 10^6, cut": (lambda: b"[" * 10**6, "too-deep"),
    "digits": (lambda: b"[" + b"9" * 10**5 + b"]", "not-strict-json"),
    "digits of a fraction": (lambda: b"[0." + b"9" * 10**6 + b"]", None),
    "digits of an exponent": (lambda: b"[1e" + b"9" * 10**5 + b"]", "not-strict-json"),
    "many digits": (lambda: repeated(b"9" * 400 + b",", 8_000_000, end=b"0]"), "not-strict-json"),
    "out of range": (lambda: b"[1e400]", "not-strict-json"),
    "many NaN": (lambda: repeated(b"NaN,", 7_500_000, end=b"0]"), "not-strict-json"),
    "empty objects": (lambda: repeated(b"{},", BIG, end=b"0]"), "too-large"),
    "empty lists": (lambda: repeated(b"[],", BIG, end=b"0]"), "too-large"),
    "zeros": (lambda: repeated(b"0,", BIG, end=b"0]"), "too-large"),
    "one long text": (lambda: repeated(b"x", BIG, b'"', b'"'), None),
    "one long text, cut": (lambda: repeated(b"x", BIG, b'"', b""), "half-written"),
    "quotes": (lambda: repeated(b'\\"', BIG, b'"', b'"'), None),
    "quotes, cut": (lambda: repeated(b'\\"', BIG, b'"', b""), "half-written"),
    "spaces": (lambda: b" " * BIG, "empty"),
    "NUL": (lambda: bytes(BIG), "invalid-json"),
    "letters": (lambda: b"x" * BIG, "invalid-json"),
    "control characters": (lambda: repeated(b"\x01", 8_000_000, b'"', b'"'), "not-strict-json"),
    "many control characters": (lambda: repeated(b"\x01", BIG, b'"', b'"'), "invalid-json"),
    "half characters": (lambda: repeated(b"\\ud800", 8_000_000, b'"', b'"'), "not-strict-json"),
    "no UTF-8": (lambda: b"\xff" * BIG, "invalid-json"),
}
"""How to make the bytes, of which all at once would fill the memory, and their fault."""


@pytest.mark.parametrize("name", BOMBS)
def test_nothing_takes_long(name: str) -> None:
    """Bytes made to be slow are a value or one fault in one pass."""
    make, code = BOMBS[name]
    data = make()
    with bounded():
        assert code_of(data) == code


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"\n", BIG, "too-large"),
        (b"1\n", 900_000, None),
        (b"x\n", 900_000, "invalid-json"),
        (b"[NaN]\n", 900_000, "invalid-json"),
        (b'{"a": 1,\n', 900_000, "invalid-json"),
    ],
)
def test_lines_do_not_take_long(line: bytes, number: int, code: str | None) -> None:
    """A file of lines that are none is given up, with the reason."""
    data = line * number
    with bounded():
        faults = [fault.code for _, _, fault in parsed_lines(data) if fault]
    assert len(faults) <= parsing.MAX_ODD_LINES + 1
    assert (faults[-1] if faults else None) == code


def test_the_last_line_may_still_be_being_written() -> None:
    """A line that ends early is broken, except the last one; a fault names its line."""
    data = b'{"n": 1}\n\n{"n": \n{"n": NaN}\n{"n": 4'
    found = [
        (index, fault and (fault.code, fault.message)) for index, _, fault in parsed_lines(data)
    ]
    assert found == [
        (0, None),
        (2, ("invalid-json", "Line 3 is not valid JSON: it ends in the middle.")),
        (3, ("not-strict-json", "Line 4 has NaN as a number; read as missing.")),
        (4, ("half-written", "Line 5 ends in the middle; it may still be being written.")),
    ]
    assert parse(data, lines=True) == [{"n": 1}, {"n": None}]


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_missing(data: bytes) -> None:
    """Strict JSON has no fault, and only that; of lines there are no more values than lines."""
    assert (code_of(data) is None) == is_json(data)
    assert len(parse(data, lines=True)) <= len(data.split(b"\n"))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_its_mark_is_read_with_a_note(encoding: str) -> None:
    """As shells of Windows write it; a file of lines says so once."""
    data = '\ufeff{"a": "é"}\n'.encode(encoding)
    value, fault = parsed(data)
    assert value == {"a": "é"}
    assert fault is not None
    assert (fault.severity, fault.code, fault.hint) == ("warning", "not-utf8", "Save it as UTF-8.")
    lines = list(parsed_lines(data + '{"a": 2}'.encode(encoding)))
    assert [(value, fault and fault.code) for _, value, fault in lines] == [
        (MISSING, "not-utf8"),
        ({"a": "é"}, None),
        ({"a": 2}, None),
    ]
