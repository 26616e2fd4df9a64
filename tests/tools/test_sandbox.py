"""How bubblewrap for the tests is had, and what is said when there is none."""

from pathlib import Path

import pytest

from evalcore.sandbox import bubblewrap
from tools import browser, sandbox


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the commands that are run on a Debian machine without bubblewrap, as root."""
    commands: list[list[str]] = []

    def run(command: list[str]) -> str:
        commands.append(command)
        return ""

    monkeypatch.setattr(sandbox, "MISSING_FILE", tmp_path / "sandbox-missing")
    monkeypatch.setattr(browser, "run", run)
    monkeypatch.setattr("shutil.which", lambda name: None if name == "bwrap" else f"/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(bubblewrap, "missing", lambda: None)
    return commands


def test_it_is_installed_on_debian(machine: list[list[str]]) -> None:
    """The package's list is renewed first."""
    sandbox.main()
    assert [command[:2] for command in machine] == [["apt-get", "update"], ["apt-get", "install"]]
    assert machine[1][-1] == "bubblewrap"
    assert not sandbox.MISSING_FILE.exists()


def test_only_root_installs_it(machine: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user is told how."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    sandbox.main()
    assert not machine
    assert "apt-get install bubblewrap" in sandbox.MISSING_FILE.read_text("utf-8")


def test_a_failed_installation_is_said(
    machine: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is no failure of the build: the tests that need it are skipped."""
    monkeypatch.setattr(browser, "run", lambda _: "no network")
    sandbox.main()
    assert not machine
    assert "Tests of the sandbox will be skipped: no network." in capsys.readouterr().out
    assert sandbox.MISSING_FILE.read_text("utf-8") == "no network\n"


def test_one_that_does_not_work_is_said(
    machine: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be installed where namespaces are forbidden."""
    monkeypatch.setattr(bubblewrap, "missing", lambda: "Namespaces are forbidden.")
    sandbox.main()
    assert machine
    assert sandbox.MISSING_FILE.read_text("utf-8") == "Namespaces are forbidden.\n"


def test_an_old_reason_is_removed(
    machine: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it works, nothing is installed and no reason stays."""
    sandbox.MISSING_FILE.write_text("an earlier reason\n", "utf-8")
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    sandbox.main()
    assert not machine
    assert not sandbox.MISSING_FILE.exists()
