"""Changed files are passed on when they are whole, and together with those that come with them."""

import os
from pathlib import Path

import pytest

from evalcore.disk.files import Files
from evalcore.live.settling import (
    LONGEST_SECONDS,
    MAX_READ_FILES,
    PATIENCE_SECONDS,
    QUIET_SECONDS,
    Settling,
    is_whole,
)


@pytest.fixture
def settling(tmp_path: Path) -> Settling:
    """Return what settles the files of an empty folder."""
    return Settling(str(tmp_path))


def test_a_whole_file_is_ready_after_a_moment_of_quiet(settling: Settling, tmp_path: Path) -> None:
    """Not at once, for more may come, and only once."""
    (tmp_path / "a.json").write_text("{}")
    settling.touch(["a.json"], 0.0)
    assert settling.ready(0.0) == frozenset()
    assert settling.ready(QUIET_SECONDS) == {"a.json"}
    assert settling.ready(60.0) == frozenset()


def test_a_half_written_file_waits_until_it_is_whole(settling: Settling, tmp_path: Path) -> None:
    """Its second half is noticed without being told of."""
    file = tmp_path / "a.json"
    file.write_text('{"a": [1,')
    settling.touch(["a.json"], 0.0)
    assert settling.ready(2.0) == frozenset()
    file.write_text('{"a": [1, 2]}')
    assert settling.ready(2.1) == {"a.json"}


@pytest.mark.parametrize("text", ["", '{"a": [1,'])
def test_patience_with_a_file_that_stays_half_written_ends(
    settling: Settling, tmp_path: Path, text: str
) -> None:
    """Then it is passed on, so that a page can say what is wrong with it."""
    (tmp_path / "a.json").write_text(text)
    settling.touch(["a.json"], 0.0)
    settling.ready(0.0)
    assert settling.ready(PATIENCE_SECONDS - 0.1) == frozenset()
    assert settling.ready(PATIENCE_SECONDS) == {"a.json"}


def test_patience_begins_anew_with_each_change(settling: Settling, tmp_path: Path) -> None:
    """A file that grows slowly is not given up while it grows."""
    file, written = tmp_path / "a.json", '{"a": ['
    for second in range(8):
        written += "1, "
        file.write_text(written)
        settling.touch(["a.json"], float(second))
        assert settling.ready(float(second)) == frozenset()
    assert settling.ready(7.0 + PATIENCE_SECONDS) == {"a.json"}


def test_a_file_with_a_fault_in_its_middle_does_not_wait(
    settling: Settling, tmp_path: Path
) -> None:
    """No waiting mends a missing comma."""
    (tmp_path / "a.json").write_text('{"a": 1 "b": 2}')
    settling.touch(["a.json"], 0.0)
    settling.ready(0.0)
    assert settling.ready(QUIET_SECONDS) == {"a.json"}


def test_a_file_that_is_gone_is_ready(settling: Settling) -> None:
    """There is nothing to wait for."""
    settling.touch(["gone.json"], 0.0)
    assert settling.ready(QUIET_SECONDS) == {"gone.json"}


def test_files_that_come_one_after_the_other_are_one_batch(
    settling: Settling, tmp_path: Path
) -> None:
    """As long as the pauses between them are short."""
    for number in range(5):
        (tmp_path / f"{number}.json").write_text("{}")
        settling.touch([f"{number}.json"], number / 10)
        assert settling.ready(number / 10) == frozenset()
    assert len(settling.ready(0.4 + QUIET_SECONDS)) == 5


def test_an_endless_stream_of_files_is_passed_on_meanwhile(
    settling: Settling, tmp_path: Path
) -> None:
    """The first one does not wait for the last."""
    passed: set[str] = set()
    for step in range(15):
        (tmp_path / f"{step}.json").write_text("{}")
        settling.touch([f"{step}.json"], step / 10)
        passed |= settling.ready(step / 10)
    assert "0.json" in passed
    assert LONGEST_SECONDS < 1.4


def test_one_half_written_file_does_not_hold_back_the_others(
    settling: Settling, tmp_path: Path
) -> None:
    """Each file waits for itself."""
    (tmp_path / "whole.json").write_text("{}")
    (tmp_path / "half.json").write_text("{")
    settling.touch(["whole.json", "half.json"], 0.0)
    settling.ready(0.0)
    assert settling.ready(QUIET_SECONDS) == {"whole.json"}
    assert "half.json" in settling


def test_of_very_many_files_none_is_looked_into(settling: Settling, tmp_path: Path) -> None:
    """They are read once, and not twice."""
    (tmp_path / "half.json").write_text("{")
    settling.touch(["half.json", *map(str, range(MAX_READ_FILES))], 0.0)
    settling.ready(0.0)
    assert "half.json" in settling.ready(QUIET_SECONDS)


@pytest.mark.parametrize(
    ("name", "text", "whole"),
    [
        ("a.json", '{"a": 1}', True),
        ("a.json", '{"a": NaN}', True),
        ("a.json", '{"a": "un', False),
        ("a.json", "  \n", False),
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n', True),
        ("a.jsonl", '{"a": 1}\n{"a": 2}', True),
        ("a.jsonl", '{"a": 1}\n{"a": ', False),
        ("a.jsonl", "", True),
    ],
)
def test_what_is_whole(tmp_path: Path, name: str, text: str, whole: bool) -> None:
    """A document that ends where one may end; of JSON lines only the last can be unfinished."""
    (tmp_path / name).write_text(text)
    assert is_whole(Files(tmp_path), name) is whole


def test_what_cannot_be_read_does_not_wait(tmp_path: Path) -> None:
    """Pipes, links that lead away and folders with such a name are never opened for long."""
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to("/etc/hostname")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe.json", "link.json", "folder.json", "nothing.json"):
        assert is_whole(Files(tmp_path), name)
