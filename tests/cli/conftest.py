"""Every command keeps what it keeps in folders of the test."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli import running
from evalcore.cli.app import app
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Return a function that runs a command in this process."""
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def worked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process work on the runs that commands start, to their end.

    One of its own takes a second to begin; `test_running` and `test_judge_faults` start them.
    """

    def start(folder: RunFolder, cluster: str | None = None) -> None:
        folder.forget_stop()
        folder.note_start()
        work(folder.id, cluster=cluster)

    monkeypatch.setattr(running, "start", start)
