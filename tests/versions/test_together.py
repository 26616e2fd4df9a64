"""Snapshots of several processes at once: every entry stays, and each has its own copy."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from evalcore.errors import EvalcoreError
from evalcore.lint import check
from evalcore.versions import initialise, take_snapshot
from evalcore.workspace.opened import open_workspace
from tests.versions.conftest import TEXT, entries, files

ROUNDS = 20
FORK = multiprocessing.get_context("fork")


def together(*works: Callable[[], object]) -> list[str]:
    """Do some work at once, each in a process of its own; return what each said."""
    start, said = FORK.Barrier(len(works)), FORK.SimpleQueue()

    def work(each: Callable[[], object]) -> None:
        start.wait()
        try:
            said.put(str(each()))
        except EvalcoreError as error:
            said.put(f"refused: {error}")

    processes = [FORK.Process(target=work, args=(each,)) for each in works]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(works)
    return [said.get() for _ in works]


def test_two_forced_snapshots_get_two_numbers(skill: Path, home: Path) -> None:
    """Twenty times: none is lost and none is refused."""
    for number in range(ROUNDS):
        said = together(*[lambda: take_snapshot(home, force=True).version] * 2)
        assert sorted(said, key=lambda name: int(name[1:])) == [
            f"v{2 * number + 1}",
            f"v{2 * number + 2}",
        ]
    assert entries(home, "version") == list(range(2 * ROUNDS + 1))
    assert all(files(home / path) == files(skill) for path in entries(home, "path"))
    assert check(open_workspace(home)) == []


def test_two_snapshots_of_one_change_make_one_version(skill: Path, home: Path) -> None:
    """The second finds the skill as in the version of the first."""
    for number in range(ROUNDS):
        (skill / "SKILL.md").write_text(f"{TEXT}{number}\n")
        said = together(*[lambda: take_snapshot(home).written] * 2)
        assert sorted(said) == ["False", "True"]
    assert entries(home, "version") == list(range(ROUNDS + 1))


def test_two_begin_at_once(skill: Path) -> None:
    """One history, whole, whoever wrote it."""
    for _ in range(ROUNDS):
        said = together(*[lambda: initialise(skill).workspace_written] * 2)
        assert "True" in said
        home = skill.with_name("notes-workspace")
        assert entries(home, "version") == [0]
        assert files(home / "v0" / "skill") == files(skill)
        os.rename(home, home.with_name(f"done-{time.monotonic_ns()}"))  # noqa: PTH104


def test_a_kill_at_any_moment_loses_nothing(skill: Path, home: Path) -> None:
    """Whatever is left, the check is untroubled and the next snapshot goes on."""
    for number in range(ROUNDS):
        (skill / "SKILL.md").write_text(f"{TEXT}{number}\n")
        process = FORK.Process(target=take_snapshot, args=(home,))
        process.start()
        time.sleep(0.003 * number)
        if process.is_alive() and process.pid:
            os.kill(process.pid, signal.SIGKILL)
        process.join(60)
        assert check(open_workspace(home)) == []
        assert files(home / entries(home, "path")[-1])
        take_snapshot(home)
        assert files(home / entries(home, "path")[-1]) == files(skill)
    assert entries(home, "version") == list(range(ROUNDS + 1))
