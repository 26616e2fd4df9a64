"""An open workspace goes on with its folder, and every reader can tell how far."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.errors import WorkspaceNotFound
from evalcore.live import LiveWorkspace, live_workspace, watcher
from tests.dashboard.live import write_alpha
from tests.live.waiting import until

GRADING = "alpha-workspace/grading/case-01_v1_run1.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one suite."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    write_alpha(tmp_path / "skills")
    return tmp_path / "skills"


@pytest.fixture
def opened(root: Path) -> Iterator[Callable[[], LiveWorkspace]]:
    """Return a function that opens the folder and waits until it is watched."""
    begun: list[LiveWorkspace] = []

    def start() -> LiveWorkspace:
        live = LiveWorkspace(root)
        begun.append(live)
        live.look()
        assert live.wait_until_watched(15)
        return live

    yield start
    for live in begun:
        live.stop(5)


def run_again(root: Path, run: int) -> str:
    """Write one more grading of the case; return its path."""
    path = f"alpha-workspace/grading/case-01_v1_run{run}.json"
    text = (root / GRADING).read_text("utf-8").replace('"run": 1', f'"run": {run}')
    (root / path).write_text(text, "utf-8")
    return path


def test_a_new_reading_does_not_change_the_one_before(
    opened: Callable[[], LiveWorkspace], root: Path
) -> None:
    """Who reads on keeps what was on screen; the new one equals a fresh opening."""
    live = opened()
    first = live.newest
    runs = len(first.workspace.tables.runs)
    path = run_again(root, 2)
    assert until(lambda: live.look() == 1)
    assert len(first.workspace.tables.runs) == runs
    fresh = open_workspace(root, cache=False)
    assert len(live.newest.workspace.tables.runs) == len(fresh.tables.runs) == runs + 1
    assert live.changed_since(0) == frozenset({path})
    assert live.changed_since(1) == frozenset()


def test_changes_add_up_over_several_readings(
    opened: Callable[[], LiveWorkspace], root: Path
) -> None:
    """For a reader who did not ask for the readings between."""
    live = opened()
    first = run_again(root, 2)
    assert until(lambda: live.look() == 1)
    second = run_again(root, 3)
    assert until(lambda: live.look() == 2)
    assert live.changed_since(0) == frozenset({first, second})


def test_how_long_ago_a_reading_was_has_a_limit(
    opened: Callable[[], LiveWorkspace], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond it the changes are not known, and are not said to be none."""
    monkeypatch.setattr(live_workspace, "REMEMBERED", 1)
    live = opened()
    for number in (2, 3):
        run_again(root, number)
        assert until(lambda number=number: live.look() == number - 1)  # type: ignore[misc]
    assert live.changed_since(0) is None
    assert live.changed_since(1) is not None


def test_a_folder_at_rest_is_read_once(opened: Callable[[], LiveWorkspace]) -> None:
    """However often somebody looks."""
    live = opened()
    assert not until(lambda: live.look() > 0, 1.0)
    assert live.reading_seconds == 0


def test_what_changed_between_opening_and_watching_is_read(root: Path) -> None:
    """Nothing falls between the two."""
    live = LiveWorkspace(root)
    path = run_again(root, 2)
    try:
        assert until(lambda: live.look() == 1)
        assert live.changed_since(0) == frozenset({path})
    finally:
        live.stop(5)


def test_who_comes_back_late_finds_what_changed_meanwhile(
    opened: Callable[[], LiveWorkspace], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody watched, so the folder is compared with what was read."""
    monkeypatch.setattr(watcher, "IDLE_SECONDS", 0.5)
    live = opened()
    assert until(lambda: live.unsure_seconds > 0)
    path = run_again(root, 2)
    monkeypatch.setattr(watcher, "IDLE_SECONDS", 60)
    assert live.look() == 0
    assert live.wait_until_watched(15)
    assert live.look() == 1
    assert live.changed_since(0) == frozenset({path})


def test_a_folder_that_goes_away_is_named_until_it_is_back(
    opened: Callable[[], LiveWorkspace], root: Path
) -> None:
    """What was read before stays."""
    live = opened()
    away = root.with_name("away")
    shutil.move(root, away)
    assert until(lambda: live.fault is not None)
    assert live.fault == f"{root} does not exist. Name the folder that holds your evaluations."
    assert len(live.newest.workspace.tables.runs) == 2
    shutil.move(away, root)
    assert until(lambda: live.fault is None)


def test_a_reading_that_fails_is_said_and_tried_again(
    opened: Callable[[], LiveWorkspace], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page keeps what it has."""
    live = opened()

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(live_workspace, "reopened", refused)
        run_again(root, 2)
        assert until(lambda: live.fault is not None)
        assert live.fault == "The changes could not be read: Permission denied."
    run_again(root, 3)
    assert until(lambda: live.look() == 1)
    assert live.fault is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_watcher_that_breaks_is_said_and_begun_again(
    opened: Callable[[], LiveWorkspace], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error nobody foresaw ends neither the page nor the noticing of changes."""
    monkeypatch.setattr(live_workspace, "REVIVE_SECONDS", 1.0)
    live = opened()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(live_workspace, "reopened", broken)
        run_again(root, 2)
        assert until(lambda: live.look() == 0 and live.fault is not None)
        assert live.fault == "Changes are not noticed: the terminal that runs evalcore says why."
    assert until(lambda: live.look() == 1)
    assert live.fault is None


def test_a_folder_that_is_not_there_cannot_be_opened(tmp_path: Path) -> None:
    """The caller is told at once."""
    with pytest.raises(WorkspaceNotFound):
        LiveWorkspace(tmp_path / "nothing")


def test_a_half_written_document_becomes_a_problem_and_then_a_grading(
    opened: Callable[[], LiveWorkspace], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is silent: patience with it has an end, and it is read when it is whole."""
    monkeypatch.setattr("evalcore.live.settling.PATIENCE_SECONDS", 0.5)
    live = opened()
    path = run_again(root, 2)
    text = (root / path).read_text("utf-8")
    (root / path).write_text(text[:40], "utf-8")
    assert until(lambda: live.look() == 1)
    assert path in {problem.path for problem in live.newest.workspace.problems}
    states = live.newest.workspace.tables.runs["status"].tolist()
    assert sorted(states) == ["completed", "completed", "pending"]
    (root / path).write_text(text, "utf-8")
    assert until(lambda: set(live.newest.workspace.tables.runs["status"]) == {"completed"})
    assert path not in {problem.path for problem in live.newest.workspace.problems}
