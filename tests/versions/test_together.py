"""Snapshots of several processes at once: every entry stays, and each has its own copy."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from evalcore.lint import check
from evalcore.versions import take_snapshot
from evalcore.workspace.opened import open_workspace
from tests.reliability.processes import CONTEXT, started
from tests.versions.at_once import at_once, begin, snapshot, when_loaded
from tests.versions.conftest import TEXT, entries, files

ROUNDS = 20


def twice(does: Callable[..., object]) -> list[Any]:
    """Do the same work twice at once, each time in a process of its own; return what each said."""
    start, said = CONTEXT.Barrier(2), CONTEXT.SimpleQueue()
    processes = [started(at_once, own_folders(), start, said, does) for _ in range(2)]
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    return [said.get() for _ in processes]


def own_folders() -> dict[str, str]:
    """Return where a process of this test keeps its own."""
    return {name: value for name, value in os.environ.items() if name.startswith("EVALCORE_")}


def test_two_forced_snapshots_get_two_numbers(skill: Path, home: Path) -> None:
    """Twenty times: none is lost and none is refused."""
    for number in range(ROUNDS):
        said = twice(partial(snapshot, home, force=True))
        first, second = f"v{2 * number + 1}", f"v{2 * number + 2}"
        assert sorted(said) == sorted([(first, True), (second, True)])
    assert entries(home, "version") == list(range(2 * ROUNDS + 1))
    assert all(files(home / path) == files(skill) for path in entries(home, "path"))
    assert check(open_workspace(home)) == []


def test_two_snapshots_of_one_change_make_one_version(skill: Path, home: Path) -> None:
    """The second finds the skill as in the version of the first."""
    for number in range(ROUNDS):
        (skill / "SKILL.md").write_text(f"{TEXT}{number}\n")
        said = twice(partial(snapshot, home))
        assert sorted(written for _, written in said) == [False, True]
    assert entries(home, "version") == list(range(ROUNDS + 1))


def test_two_begin_at_once(skill: Path) -> None:
    """One history, whole, whoever wrote it."""
    for _ in range(ROUNDS):
        said = twice(partial(begin, skill))
        assert True in said
        home = skill.with_name("notes-workspace")
        assert entries(home, "version") == [0]
        assert files(home / "v0" / "skill") == files(skill)
        os.rename(home, home.with_name(f"done-{time.monotonic_ns()}"))  # noqa: PTH104


def test_a_kill_at_any_moment_loses_nothing(skill: Path, home: Path) -> None:
    """Whatever is left, the check is untroubled and the next snapshot goes on."""
    for number in range(ROUNDS):
        (skill / "SKILL.md").write_text(f"{TEXT}{number}\n")
        start = CONTEXT.Barrier(2)
        process = started(when_loaded, own_folders(), home, start)
        start.wait(60)
        while number % 4 and process.is_alive() and not is_copying(home):
            pass
        time.sleep(0.0001 * number)  # copying and recording take some two milliseconds
        process.kill()
        process.join(60)
        assert check(open_workspace(home)) == []
        assert files(home / entries(home, "path")[-1])
        take_snapshot(home)
        assert files(home / entries(home, "path")[-1]) == files(skill)
    assert entries(home, "version") == list(range(ROUNDS + 1))


def is_copying(home: Path) -> bool:
    """Say whether a copy is being made, which has no number yet."""
    return any(name.startswith(".") for name in os.listdir(home))  # noqa: PTH208 - at once
