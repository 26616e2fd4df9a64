"""What a test run in work is doing is noted cheaply, and gone when it has ended."""

from pathlib import Path

import pytest

from evalcore.engine import activity
from evalcore.engine.activity import Activity, Teller, activity_of
from evalcore.engine.store import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path)


def test_an_answer_that_grows_is_not_noted_each_time(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new step or tool is, at once."""
    monkeypatch.setattr(activity, "EVERY", 1_000)
    teller = Teller(folder, 0)
    teller.tell(Activity(1, 9, heard=1))
    for size in range(2, 1_000):
        teller.tell(Activity(1, 9, heard=size))
    assert activity_of(folder.path, 0) == Activity(1, 9, heard=1)
    teller.tell(Activity(1, 9, heard=1_000, tool="read_file a"))
    assert activity_of(folder.path, 0) == Activity(1, 9, heard=1_000, tool="read_file a")


def test_after_a_while_it_is_noted(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "EVERY", 0)
    teller = Teller(folder, 0)
    teller.tell(Activity(1, 9, heard=1))
    teller.tell(Activity(1, 9, heard=2))
    assert activity_of(folder.path, 0) == Activity(1, 9, heard=2)


def test_a_note_is_gone_at_the_end_and_when_another_process_begins(folder: RunFolder) -> None:
    for leave in (Teller(folder, 3).end, lambda: Teller(folder, 3)):
        Teller(folder, 3).tell(Activity(1, 9))
        assert activity_of(folder.path, 3) is not None
        leave()
        assert activity_of(folder.path, 3) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"step": "x"}'])
def test_a_note_that_cannot_be_read_says_nothing(folder: RunFolder, text: str) -> None:
    (folder.path / "activity").mkdir()
    (folder.path / "activity/0").write_text(text)
    assert activity_of(folder.path, 0) is None


def test_a_folder_that_cannot_be_written_stops_nothing(folder: RunFolder) -> None:
    (folder.path / "activity").write_text("a file where a folder should be")
    Teller(folder, 0).tell(Activity(1, 9))
    assert activity_of(folder.path, 0) is None
