"""A folder is opened in the background, and tells how far that is."""

import threading
from pathlib import Path

import pytest

from evalcore.disk.reader import Progress
from evalcore.errors import WorkspaceNotFound
from evalcore.live import Opening, opening
from evalcore.workspace.opened import Workspace, open_workspace

FILES = 130
GRADING = '{"expectations": [{"text": "a", "passed": true}]}'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of more files than are read between two words on how far reading is."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    for number in range(FILES):
        folder = tmp_path / f"w/s-workspace/iteration-1/eval-{number}/with_skill"
        folder.mkdir(parents=True)
        (folder / "grading.json").write_text(GRADING, "utf-8")
    return tmp_path / "w"


def test_reading_tells_how_far_it_is(root: Path) -> None:
    """In files that are read, and how many there are."""
    told: list[tuple[int, int]] = []
    open_workspace(root, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(64, FILES), (128, FILES)]


def test_an_opening_is_not_waited_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it goes on its share is known; then it has the workspace."""
    half, on = threading.Event(), threading.Event()

    def slowly(path: Path, *, progress: Progress) -> Workspace:
        def step(done: int, whole: int) -> None:
            progress(done, whole)
            half.set()
            assert on.wait(20)

        return open_workspace(path, progress=step)

    monkeypatch.setattr(opening, "open_workspace", slowly)
    found = Opening(root)
    assert half.wait(20)
    assert not found.wait(0)
    assert found.share == pytest.approx(64 / FILES)
    on.set()
    assert found.wait(20)
    assert len(found.result().newest.workspace.tables.runs) == FILES
    found.stop()


def test_what_kept_it_from_being_opened_is_raised_to_who_asks(tmp_path: Path) -> None:
    """And to everybody who asks."""
    found = Opening(tmp_path / "gone")
    for _ in range(2):
        with pytest.raises(WorkspaceNotFound):
            found.result()
    found.stop()
