"""The bounded reader: every fault is one problem, and nothing else is hidden by it."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk import reader as module
from evalcore.disk.listing import list_files
from evalcore.disk.reader import MISSING, Reader, inside, list_outputs, parse, read_bytes
from evalcore.errors import PathOutside
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
        (b"", "invalid-json", "The file is empty."),
        (b" \n", "invalid-json", "The file is empty."),
        (b'{"a": [1, 2', "invalid-json", "line 1, column"),
        (b'{"a": 1\n "b": 2}', "invalid-json", "line 2, column"),
        (b'{"a": "\n"}', "invalid-json", "line 1, column"),
        (b"{'a': 1}", "invalid-json", "line 1, column 2"),
        (b'{"a": 1,}', "invalid-json", "line 1, column"),
        (b'{"a": 1} // why', "invalid-json", "line 1, column"),
        (b"\xff\xfe{\x00}\x00", "not-utf8", "not UTF-8"),
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


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound a file is not read; the problem names its size."""
    path = tmp_path / "a.json"
    path.write_bytes(b" " * 40_000)
    with pytest.raises(module.TooLarge):
        read_bytes(str(path), limit=39_999)
    assert len(read_bytes(str(path), limit=40_000)) == 40_000
    with path.open("r+b") as file:
        file.truncate(module.MAX_BYTES + 1)
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


@pytest.mark.parametrize("path", ["../a", "/etc/hosts", "a/../../b", "link", "link/inner"])
def test_nothing_leads_outside(tmp_path: Path, path: str) -> None:
    """Neither dots nor links leave the root."""
    root = write(tmp_path / "root", {"a/x.json": ""})
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(PathOutside):
        inside(root, path)
    assert inside(root, "a/../a/x.json") == root.resolve() / "a/x.json"


def test_outputs_are_listed_within_bounds(tmp_path: Path) -> None:
    """Regular files below a folder, a single file, or nothing; links are left out."""
    write(tmp_path, {"out/b.txt": "22", "out/in/a.txt": "1", "secret": "x"})
    (tmp_path / "out/link.txt").symlink_to(tmp_path / "secret")
    assert [tuple(f) for f in list_outputs(tmp_path, "out")] == [
        ("out/b.txt", 2), ("out/in/a.txt", 1),
    ]  # fmt: skip
    assert [f.path for f in list_outputs(tmp_path, "out/b.txt")] == ["out/b.txt"]
    assert list_outputs(tmp_path, "nowhere") == []
    assert len(list_outputs(tmp_path, "out", limit=1)) == 1


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_missing(data: bytes) -> None:
    """No bytes at all make parsing raise."""
    parse(data)
    parse(data, lines=True)
