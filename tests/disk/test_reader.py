"""The bounded reader: every fault is one problem, and nothing else is hidden by it."""

import os
from pathlib import Path
from typing import Any

import pytest

from evalcore.disk.files import MAX_BYTES
from evalcore.disk.listing import list_files
from evalcore.disk.reader import MAX_OF_A_KIND, MISSING, Reader, parse
from evalcore.problems import Problem
from tests.families.build import write


def read(root: Path, data: bytes, name: str = "a.json") -> tuple[Any, list[Problem]]:
    """Read one file beside a sound one; return its value and all problems."""
    root.mkdir(exist_ok=True)
    (root / name).write_bytes(data)
    (root / "sound.json").write_text('{"sound": true}')
    reader = Reader(list_files(root))
    value = reader.json(name)
    assert reader.json("sound.json") == {"sound": True}
    return value, reader.problems


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", "empty", "The file is empty."),
        (b" \n", "empty", "The file is empty."),
        (b'{"a": [1, 2', "half-written", "ends in the middle"),
        (b'{"a": 1\n "b": 2}', "invalid-json", "line 2, column"),
        (b"{'a': 1}", "invalid-json", "line 1, column 2"),
        (b'{"a": 1,}', "invalid-json", "line 1, column"),
        (b'{"a": 1} // why', "invalid-json", "line 1, column"),
        (b"{\x00}\x00\x80", "not-utf8", "not UTF-8"),
        (b'{"a": "\xe9"}', "not-utf8", "not UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "too-deep", "nested too deeply"),
    ],
)
def test_a_broken_file_is_one_problem(tmp_path: Path, data: bytes, code: str, said: str) -> None:
    """What is no JSON has no value, and one error says why and where."""
    value, (problem,) = read(tmp_path, data)
    assert value is MISSING
    assert (problem.path, problem.severity, problem.code) == ("a.json", "error", code)
    assert said in problem.message
    assert problem.hint


@pytest.mark.parametrize(
    ("data", "value", "said"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}, "a byte order mark"),
        (b'{"a": NaN}', {"a": None}, "NaN as a number; read as missing"),
        (b'{"a": -Infinity}', {"a": None}, "-Infinity as a number; read as missing"),
        (b'{"a": 1e999}', {"a": None}, "a number out of range; read as missing"),
        (b'{"a": 1' + b"0" * 5000 + b"}", {"a": None}, "a number out of range; read as missing"),
        (b'{"a": "\\ud800x"}', {"a": "?x"}, "half a character"),
        (b'{"a": "x\ny\tz"}', {"a": "x\ny\tz"}, "a line break or tab inside a text"),
        (b'{"a": "\x00\x1b"}', {"a": "\x00\x1b"}, "a control character inside a text"),
    ],
)
def test_almost_json_is_read_and_said(tmp_path: Path, data: bytes, value: Any, said: str) -> None:
    """What people write but JSON does not allow is read with a warning."""
    found, (problem,) = read(tmp_path, data)
    assert found == value
    assert (problem.severity, problem.code) == ("warning", "not-strict-json")
    assert problem.message == f"The file has {said}."
    assert parse(data) == value


def test_crlf_escapes_and_every_script_are_json(tmp_path: Path) -> None:
    """Line ends of Windows, escaped letters, CJK and emoji are nothing to remark on."""
    value, problems = read(tmp_path, '{\r\n"a": "\\u00e9 日本 🙂"\r\n}'.encode())
    assert (value, problems) == ({"a": "é 日本 🙂"}, [])


def test_a_repeated_key_is_read_as_its_last(tmp_path: Path) -> None:
    """Opening takes the last value; `check` finds the repetition."""
    assert read(tmp_path, b'{"a": 1, "a": 2}') == ({"a": 2}, [])


def test_a_large_file_is_one_problem(tmp_path: Path) -> None:
    """Above the bound a file is not read; the problem names its size."""
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    reader = Reader(list_files(tmp_path))
    assert reader.json("a.json") is MISSING
    assert [(p.code, "67,108,865 bytes" in p.message) for p in reader.problems] == [
        ("too-large", True)
    ]


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    """A pipe, a device or a folder with a document's name is one problem, at once."""
    os.mkfifo(tmp_path / "a.json")
    reader = Reader(list_files(tmp_path))
    assert reader.json("a.json") is MISSING
    assert [problem.code for problem in reader.problems] == ["unreadable"]


def test_a_file_that_vanished_is_one_problem(tmp_path: Path) -> None:
    """Between listing and reading anything may happen."""
    write(tmp_path, {"a.json": "{}"})
    reader = Reader(list_files(tmp_path))
    (tmp_path / "a.json").unlink()
    assert reader.json("a.json") is MISSING
    assert [problem.code for problem in reader.problems] == ["unreadable"]


def test_broken_lines_hide_no_others(tmp_path: Path) -> None:
    """Each line of a JSONL file stands alone; blank ones are skipped."""
    write(tmp_path, {"a.jsonl": '{"n": 1}\n\n{"n": \n{"n": 3}\n'})
    reader = Reader(list_files(tmp_path))
    assert reader.jsonl("a.jsonl") == [(0, {"n": 1}), (3, {"n": 3})]
    assert [(problem.pointer, problem.code) for problem in reader.problems] == [
        ("/2", "invalid-json")
    ]
    assert parse((tmp_path / "a.jsonl").read_bytes(), lines=True) == [{"n": 1}, {"n": 3}]


def test_files_beside_the_listing_are_remembered(tmp_path: Path) -> None:
    """What is read beyond the listing is kept with its folder, also when it is not there."""
    write(tmp_path, {"v0/skill/SKILL.md": "x"})
    reader = Reader(list_files(tmp_path))
    assert reader.extra("v0/skill/SKILL.md") == b"x"
    assert reader.extra("v0/skill/gone.md") is None
    assert reader.extra("../outside") is None
    assert reader.extras >= {"v0/skill", "v0/skill/SKILL.md", "v0/skill/gone.md"}
    assert reader.problems == []


def test_a_file_of_faults_does_not_flood_the_list(tmp_path: Path) -> None:
    """Of problems of one kind in one file so many are named; one more says that there are more."""
    write(tmp_path, {"a.json": "{}", "b.json": "{}"})
    reader = Reader(list_files(tmp_path))
    for at in range(MAX_OF_A_KIND + 50):
        reader.problem("a.json", f"/{at}", "error", "odd", "Odd.")
    reader.problem("a.json", "", "error", "even", "Even.")
    reader.problem("b.json", "", "error", "odd", "Odd.")
    assert len(reader.problems) == MAX_OF_A_KIND + 3
    assert "There are more" in reader.problems[MAX_OF_A_KIND].message


def test_a_file_that_was_peeked_at_is_decoded_once(tmp_path: Path) -> None:
    """The next reading gives the value that was seen, and gives it up."""
    write(tmp_path, {"a.json": {"a": 1}})
    reader = Reader(list_files(tmp_path))
    assert reader.peek("a.json") == {"a": 1}
    (tmp_path / "a.json").unlink()
    assert reader.json("a.json") == {"a": 1}
    assert reader.json("a.json") is MISSING
