"""The full check runs behind the page, says how far it is, and gives way when files change."""

import threading
from pathlib import Path

import pytest

from evalcore import Workspace, open_workspace
from pages.parts import full_check
from pages.parts.full_check import Check, checked, known_problems


@pytest.fixture
def workspace(small_workspace: Path) -> Workspace:
    """Open the workspace with two suites."""
    return open_workspace(small_workspace, cache=False)


@pytest.fixture
def busy() -> threading.Event:
    """Keep the checking thread busy until the event is set."""
    release = threading.Event()
    full_check._CHECKING.submit(release.wait)
    return release


def test_until_it_ends_what_opening_found_is_shown(
    workspace: Workspace, busy: threading.Event
) -> None:
    """The page does not wait for it."""
    check = Check(workspace)
    assert (check.ended, check.problems().complete) == (False, False)
    busy.set()
    assert check.problems(patience=60).complete


def test_what_is_known_grows_when_the_check_ends(
    workspace: Workspace, busy: threading.Event
) -> None:
    """Asking for it begins no check; a second page finds the check of the first."""
    assert not known_problems(workspace).complete
    busy.set()
    begun, _ = checked(workspace)
    begun.problems(patience=60)
    assert known_problems(workspace).complete
    assert checked(workspace)[0] is begun


def test_it_knows_how_far_it_is(workspace: Workspace) -> None:
    """All documents have been looked at in the end."""
    check = Check(workspace)
    check.problems(patience=60)
    assert check.looked == check.documents == len(workspace.tables.documents)


def test_a_check_of_files_that_changed_ends_early(
    workspace: Workspace, busy: threading.Event
) -> None:
    """What opening found still stands, with the reason."""
    check = Check(workspace)
    check.stop()
    busy.set()
    found = check.problems(patience=60)
    assert (found.rows, found.why) == (tuple(workspace.problems), "files changed")
