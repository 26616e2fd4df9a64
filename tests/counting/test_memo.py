"""What was computed of a workspace is kept as long as the workspace is, and computed once."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evalcore.counting.memo import MAX_RESULTS, memoize_per_workspace
from evalcore.workspace.opened import Workspace
from tests import made


def test_the_same_question_is_answered_once(tmp_path: Path) -> None:
    """Other arguments are another question."""
    asked = []

    @memoize_per_workspace
    def double(ws: Workspace, number: int) -> int:
        asked.append(number)
        return 2 * number

    ws = made.workspace(tmp_path)
    assert [double(ws, 2), double(ws, 2), double(ws, 3)] == [4, 4, 6]
    assert asked == [2, 3]


def test_the_oldest_answer_makes_room(tmp_path: Path) -> None:
    """A page asks for many things; what it holds stays bounded."""
    asked = []

    @memoize_per_workspace
    def same(ws: Workspace, number: int) -> int:
        asked.append(number)
        return number

    ws = made.workspace(tmp_path)
    for number in [*range(MAX_RESULTS + 1), MAX_RESULTS, 0]:
        same(ws, number)
    assert asked == [*range(MAX_RESULTS + 1), 0]


def test_two_who_ask_at_once_wait_for_one_answer(tmp_path: Path) -> None:
    """A reload during a long computation does not begin it again."""
    asked, goes_on = [], threading.Event()

    @memoize_per_workspace
    def slow(ws: Workspace) -> int:
        asked.append(1)
        goes_on.wait(10)
        return 7

    ws = made.workspace(tmp_path)
    with ThreadPoolExecutor(3) as threads:
        answers = [threads.submit(slow, ws) for _ in range(3)]
        goes_on.set()
        assert [answer.result(10) for answer in answers] == [7, 7, 7]
    assert len(asked) == 1


def test_a_fault_is_not_kept(tmp_path: Path) -> None:
    """Asked again, it is tried again."""
    tries = []

    @memoize_per_workspace
    def second_time(ws: Workspace) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise OSError
        return 1

    ws = made.workspace(tmp_path)
    with pytest.raises(OSError):
        second_time(ws)
    assert second_time(ws) == 1


def test_an_answer_goes_with_its_workspace(tmp_path: Path) -> None:
    """Nothing is held of a snapshot that nobody shows any more."""

    class Answer:
        """Something that can be watched."""

    @memoize_per_workspace
    def answer(ws: Workspace) -> Answer:
        return Answer()

    ws = made.workspace(tmp_path)
    gone = weakref.ref(answer(ws))
    assert gone() is not None
    del ws
    gc.collect()
    assert gone() is None
