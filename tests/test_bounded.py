"""The stop for what would go on for hours."""

import re
import signal

import pytest

from tests import bounded as module
from tests.bounded import bounded


def test_what_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also inside the regular expressions' own loop, where no line of Python runs."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with pytest.raises(AssertionError, match="Still at work"), bounded():
        re.match(r"(a|a)*b", "a" * 64)


def test_what_ends_is_left_alone() -> None:
    """Neither the alarm nor its handler stays behind."""
    before = signal.getsignal(signal.SIGPROF)
    with bounded():
        pass
    assert signal.getsignal(signal.SIGPROF) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
