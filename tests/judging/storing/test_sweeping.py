"""What died in the middle of writing is swept up; what is somebody else's never."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalcore.disk import unfinished
from evalcore.disk.unfinished import unfinished_name
from evalcore.judging.storing import sweeping
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.judging.storing.sweeping import OLD_SECONDS, sweep
from tests.reliability.writers import record


@pytest.fixture
def reviews(tmp_path: Path) -> ReviewFolder:
    """Return a folder with a place for unfinished files."""
    found = ReviewFolder(tmp_path, "reviews")
    (tmp_path / found.unfinished).mkdir(parents=True)
    return found


@pytest.fixture(scope="module")
def dead() -> int:
    """Return the number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(reviews: ReviewFolder, name: str, age: float = OLD_SECONDS + 60) -> Path:
    """Leave an unfinished file."""
    path = reviews.root / reviews.unfinished / name
    path.write_text("half a rec")
    os.utime(path, (time.time() - age,) * 2)
    return path


def of_process(pid: int) -> str:
    """Return the name of a file that a process of this machine writes."""
    host, boot, _own, rest = unfinished_name().split("-")
    return f"{host}-{boot}-{pid}-{rest}"


def test_old_files_of_dead_processes_go(reviews: ReviewFolder, dead: int) -> None:
    """And are counted."""
    paths = [left(reviews, of_process(dead)) for _ in range(3)]
    assert sweep(reviews) == 3
    assert not any(path.exists() for path in paths)


def test_a_process_before_the_last_start_of_the_machine_is_dead(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has its number now."""
    with monkeypatch.context() as patch:
        patch.setattr(unfinished, "_boot", lambda: "00000000")
        name = unfinished_name()
    path = left(reviews, name)
    assert sweep(reviews) == 1
    assert not path.exists()


def test_all_others_stay(reviews: ReviewFolder, dead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Young files, those of living processes, of other machines and of other programs."""
    with monkeypatch.context() as patch:
        patch.setattr(unfinished, "_host", lambda: "00000000")
        elsewhere = of_process(dead)
    stay = [
        left(reviews, of_process(dead), age=OLD_SECONDS - 60),
        left(reviews, unfinished_name()),
        left(reviews, of_process(1)),
        left(reviews, elsewhere),
        left(reviews, "notes.tmp"),
        left(reviews, f"{of_process(dead)}.bak"),
    ]
    folder = reviews.root / reviews.unfinished / of_process(dead)
    folder.mkdir()
    os.utime(folder, (0, 0))
    assert sweep(reviews) == 0
    assert all(path.exists() for path in (*stay, folder))


def test_a_link_is_not_entered(reviews: ReviewFolder, tmp_path: Path, dead: int) -> None:
    """Nothing outside of the folder is removed."""
    other = ReviewFolder(tmp_path, "other")
    (tmp_path / "other").mkdir()
    path = left(reviews, of_process(dead))
    (tmp_path / other.unfinished).symlink_to(tmp_path / reviews.unfinished)
    assert sweep(other) == 0
    assert path.exists()


def test_where_there_is_nothing_nothing_is_made(tmp_path: Path) -> None:
    """A folder that is not there has nothing to sweep."""
    assert sweep(ReviewFolder(tmp_path, "reviews")) == 0
    assert list(tmp_path.iterdir()) == []


def test_storing_sweeps_once_a_minute(
    reviews: ReviewFolder, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not each time."""
    first = left(reviews, of_process(dead))
    store(reviews, record(new_id(), 1))
    second = left(reviews, of_process(dead))
    store(reviews, record(new_id(), 2))
    assert (first.exists(), second.exists()) == (False, True)
    monkeypatch.setattr(sweeping, "EVERY_SECONDS", 0)
    store(reviews, record(new_id(), 3))
    assert not second.exists()
