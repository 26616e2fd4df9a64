"""What a killed process left running can be found by its token, and ended."""

import os
import subprocess
import sys

from evalcore.sandbox.orphans import MARK, end_marked, marking

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def _sleeping(mark: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(SLEEP, env={**os.environ, MARK: mark}, start_new_session=True)


def test_what_carries_a_token_is_ended() -> None:
    """Also when it has a session of its own and further tokens."""
    with _sleeping("run-a 71f3") as mine, _sleeping("run-ab") as other:
        assert end_marked("run-a") == 1
        assert mine.wait(5) == -9
        assert other.poll() is None
        other.kill()


def test_a_word_of_another_variable_is_no_token() -> None:
    """Only the mark says whose child a process is."""
    with subprocess.Popen(SLEEP, env={**os.environ, "OTHER": "run-a"}) as other:
        assert end_marked("run-a") == 0
        other.kill()


def test_children_carry_the_token_only_meanwhile() -> None:
    """It is added to those of the processes above, and taken back."""
    before = os.environ.get(MARK)
    with marking("run-a"), marking("run-b"):
        assert os.environ[MARK].split()[-2:] == ["run-a", "run-b"]
    assert os.environ.get(MARK) == before
