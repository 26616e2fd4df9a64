"""Changes in a real folder are noticed: told by the system, or found by walks."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evalcore.disk.listing import Listing
from evalcore.live import notices, watcher
from evalcore.live.watcher import Listener, Watcher
from tests.live.waiting import until


class Heard:
    """A watcher and what it said."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.batches: list[frozenset[str]] = []
        self.away: list[bool] = []
        self.listings: list[Listing] = []
        told = Listener(self.batches.append, self.listings.append, self.away.append)
        self.watcher = Watcher(root, told)

    @property
    def paths(self) -> set[str]:
        """All files that were said to have changed."""
        return set().union(*self.batches)

    def write(self, path: str, text: str = "{}") -> Path:
        """Write a file as most tools do: a finished one takes its place."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(text)
        return fresh.rename(file)

    def hears(self, *paths: str, seconds: float = 15.0) -> bool:
        """Wait until all these files were said to have changed."""
        return until(lambda: self.paths.issuperset(paths), seconds)


@pytest.fixture
def follow(tmp_path: Path) -> Iterator[Callable[..., Heard]]:
    """Return a function that begins to watch a folder with two documents in it."""
    begun: list[Heard] = []

    def start() -> Heard:
        heard = Heard(tmp_path / "watched")
        heard.write("a.json")
        heard.write("deep/er/b.json")
        heard.watcher.start()
        begun.append(heard)
        assert heard.watcher.wait_until_ready(15)
        return heard

    yield start
    for heard in begun:
        heard.watcher.stop(5)


@pytest.fixture(params=["told", "walks"])
def heard(
    request: pytest.FixtureRequest, follow: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> Heard:
    """Return what is heard of a watched folder: once told by the system, once by walks alone."""
    if request.param == "walks":
        monkeypatch.setattr(notices, "MAX_FOLDERS", 0)
        monkeypatch.setattr(watcher, "_WALK_SECONDS", 0.2)
    found = follow()
    assert (found.watcher.reason is None) == (request.param == "told")
    return found


def test_nothing_is_said_of_a_folder_at_rest(heard: Heard) -> None:
    """What lay there before is no change."""
    assert not until(lambda: bool(heard.batches), 1.0)


def test_new_changed_and_deleted_files_are_noticed(heard: Heard) -> None:
    """Each by its path, wherever it lies."""
    heard.write("new.json")
    heard.write("a.json", '{"changed": 1}')
    (heard.root / "deep/er/b.json").unlink()
    assert heard.hears("new.json", "a.json", "deep/er/b.json")
    assert heard.paths == {"new.json", "a.json", "deep/er/b.json"}


def test_a_file_that_is_written_in_place_is_noticed(heard: Heard) -> None:
    """Not every tool replaces a file by a finished one."""
    with (heard.root / "a.json").open("a") as file:
        file.write("\n")
    assert heard.hears("a.json")


def test_a_half_written_file_is_passed_on_when_whole(heard: Heard) -> None:
    """Meanwhile the others are."""
    file = heard.root / "half.json"
    file.write_text('{"a": [1,')
    heard.write("whole.json")
    assert heard.hears("whole.json")
    assert "half.json" not in heard.paths
    file.write_text('{"a": [1, 2]}')
    assert heard.hears("half.json", seconds=4)


def test_a_folder_that_is_moved_in_and_out_is_noticed(heard: Heard, tmp_path: Path) -> None:
    """With every document in it; a new one in it is noticed too."""
    outside = tmp_path / "outside"
    (outside / "x/y").mkdir(parents=True)
    (outside / "x/y/c.json").write_text("{}")
    outside.rename(heard.root / "inside")
    assert heard.hears("inside/x/y/c.json")
    heard.write("inside/x/d.json")
    assert heard.hears("inside/x/d.json")
    heard.batches.clear()
    (heard.root / "inside").rename(outside)
    assert heard.hears("inside/x/y/c.json", "inside/x/d.json")


def test_a_burst_of_files_in_new_folders_is_noticed_whole(heard: Heard) -> None:
    """None of 500 is lost, and they come in few batches."""
    names = [f"burst/{number % 50}/run/{number}.json" for number in range(500)]
    for name in names:
        heard.write(name)
    assert heard.hears(*names)
    assert len(heard.batches) < 50


def test_a_deleted_tree_is_noticed(heard: Heard) -> None:
    """With what lay in it."""
    shutil.rmtree(heard.root / "deep")
    assert heard.hears("deep/er/b.json")


def test_folders_that_no_walk_enters_stay_quiet(heard: Heard) -> None:
    """Neither a run's outputs nor what tools keep for themselves."""
    for folder in (".git", "node_modules/x", "w/iteration-1/eval-1/with_skill/run-1/outputs"):
        heard.write(f"{folder}/a.json")
    heard.write("notes.txt")
    heard.write("last.json")
    assert heard.hears("last.json")
    assert not until(lambda: heard.paths != {"last.json"}, 0.6)


def test_links_are_noticed_only_where_they_lead_inside(heard: Heard, tmp_path: Path) -> None:
    """Nothing outside the folder is looked into."""
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    (heard.root / "out.json").symlink_to(outside)
    (heard.root / "folder").symlink_to(tmp_path)
    (heard.root / "in.json").symlink_to(heard.root / "a.json")
    assert heard.hears("in.json")
    assert not until(lambda: heard.paths != {"in.json"}, 0.6)


def test_a_folder_that_goes_away_and_comes_back_is_followed_on(heard: Heard) -> None:
    """Both is said, and what changes afterwards is noticed."""
    away = heard.root.with_name("away")
    heard.root.rename(away)
    assert until(lambda: heard.away == [True])
    listings = len(heard.listings)
    away.rename(heard.root)
    assert until(lambda: heard.away == [True, False])
    assert until(lambda: len(heard.listings) > listings)
    heard.write("new.json")
    assert heard.hears("new.json")


def test_another_folder_in_its_place_is_listed_anew(heard: Heard) -> None:
    """Whoever holds what was read before learns what lies there now."""
    heard.root.rename(heard.root.with_name("away"))
    heard.write("other.json")
    assert until(lambda: "other.json" in (*heard.listings[-1].paths, *heard.paths))


def test_too_many_folders_are_walked_and_the_reason_is_kept(
    follow: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of watches is shared with all programs of this person."""
    monkeypatch.setattr(notices, "MAX_FOLDERS", 2)
    assert follow().watcher.reason == "3 folders are more than the 2 to watch"


def test_a_name_that_is_no_text_is_survived(follow: Callable[..., Heard]) -> None:
    """The system's messages cannot carry it; changes are noticed all the same."""
    heard = follow()
    (heard.root / os.fsdecode(b"\xff.json")).write_text("{}")
    heard.write("new.json")
    assert heard.hears("new.json")
    assert heard.watcher.reason is None


def test_a_watch_that_breaks_again_is_given_up_with_its_reason(
    follow: Callable[..., Heard],
) -> None:
    """Walks notice the changes then."""
    heard = follow()
    odd = heard.root / os.fsdecode(b"\xff.json")

    def broken_again() -> bool:
        odd.write_text("{}")
        return heard.watcher.reason is not None

    assert until(broken_again)
    assert "Unable to decode path" in str(heard.watcher.reason)
    heard.write("new.json")
    assert heard.hears("new.json")


def test_a_system_that_says_nothing_is_not_relied_upon(
    follow: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a network drive: the safety net finds what was not told, and walks take over."""
    monkeypatch.setattr(watcher, "_NET_SECONDS", 0.2)
    monkeypatch.setattr(watcher, "_WALK_SECONDS", 0.2)
    monkeypatch.setattr(watcher, "_TELLING_SECONDS", 0.0)
    monkeypatch.setattr(notices.Notices, "touched", lambda *_: set())
    heard = follow()
    for number in range(watcher.MISSES):
        heard.write(f"{number}.json")
        assert heard.hears(f"{number}.json")
    assert until(lambda: heard.watcher.reason is not None)
    heard.write("later.json")
    assert heard.hears("later.json")


def test_a_watcher_ends_when_nobody_looks(
    follow: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And goes on while somebody does."""
    monkeypatch.setattr(watcher, "IDLE_SECONDS", 1.0)
    heard = follow()

    def looked() -> bool:
        heard.watcher.look()
        return False

    until(looked, 1.5)
    assert heard.watcher.alive
    assert until(lambda: not heard.watcher.alive, 4)
    assert not heard.watcher.failed
