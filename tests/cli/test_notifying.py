"""A program of the user's own is told of a regression, and what it does costs no exit code."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.cli.notifying import on_regression
from evalcore.errors import CannotRun
from tests.cli.conftest import Invoke
from tests.memory.benchmarked import written

CREATE = ("--dimension", "quality", "--cases", "case-0", "--cases", "case-1")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the user's configuration."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    return tmp_path / "config"


@pytest.fixture
def fallen(invoke: Invoke, tmp_path: Path) -> Path:
    """Return a folder whose next benchmark run is a regression."""
    root = tmp_path / "folder"
    written(root, "pp", "pf")
    assert invoke("benchmark", "create", root, "Weekly", *CREATE).exit_code == 0
    assert invoke("benchmark", "run", root, "Weekly", "--version", "v0").exit_code == 0
    return root


def program(tmp_path: Path, body: str) -> list[str]:
    """Write a program; return the words that start it."""
    file = tmp_path / "a program.py"
    file.write_text(f"import os, sys\n{body}\n", "utf-8")
    return [sys.executable, "-I", str(file)]


def keeping(tmp_path: Path) -> list[str]:
    """Return a program that keeps its input and its environment."""
    body = (
        f"open({str(tmp_path / 'told.json')!r}, 'w').write(sys.stdin.read())\n"
        f"open({str(tmp_path / 'names')!r}, 'w').write(' '.join(os.environ))"
    )
    return program(tmp_path, body)


def record(root: Path) -> Any:
    """Return the one message that is stored."""
    (file,) = root.rglob("reviews/message/*.json")
    return json.loads(file.read_text("utf-8"))


def test_the_message_is_its_input(invoke: Invoke, fallen: Path, tmp_path: Path) -> None:
    """As it is stored; the command ends as without it, and says that it was told."""
    done = invoke(
        "benchmark", "run", fallen, "Weekly", "--on-regression", shlex.join(keeping(tmp_path))
    )
    assert done.exit_code == 1
    assert " was told to " in done.stderr
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    assert told == record(fallen)
    assert told["fields"]["subject"] == "benchmark-regression"


def test_nothing_is_started_without_a_regression(
    invoke: Invoke, fallen: Path, tmp_path: Path
) -> None:
    """An equal run is none."""
    done = invoke(
        "benchmark", "run", fallen, "Weekly", "--version", "v0", "--again",
        "--on-regression", shlex.join(keeping(tmp_path)),
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    assert not (tmp_path / "told.json").exists()


def test_a_command_of_the_configuration_is_told(
    invoke: Invoke, fallen: Path, tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the variables that it names, and no other secret."""
    monkeypatch.setenv("HOOK_ADDRESS", "x")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    command = json.dumps(keeping(tmp_path))
    (config / "notify.toml").write_text(
        f'[regression]\ncommand = {command}\nenv = ["HOOK_ADDRESS"]\n', "utf-8"
    )
    assert invoke("benchmark", "run", fallen, "Weekly").exit_code == 1
    assert json.loads((tmp_path / "told.json").read_text("utf-8")) == record(fallen)
    names = (tmp_path / "names").read_text("utf-8").split()
    assert "HOOK_ADDRESS" in names
    assert "OPENAI_API_KEY" not in names


def test_a_command_of_the_workspace_is_never_started(
    invoke: Invoke, fallen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it lies there, and whatever folder one is in."""
    text = f"[regression]\ncommand = {json.dumps(keeping(tmp_path))}\n"
    for folder in (fallen, fallen / ".evalcore", *fallen.iterdir()):
        if folder.is_dir() or not folder.exists():
            folder.mkdir(exist_ok=True)
            (folder / "notify.toml").write_text(text, "utf-8")
    monkeypatch.chdir(fallen)
    assert invoke("benchmark", "run", fallen, "Weekly").exit_code == 1
    assert not (tmp_path / "told.json").exists()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit('no such channel')", "It ended with code 1. no such channel"),
        ("os.kill(os.getpid(), 9)", "It was ended by signal 9"),
        ("raise SystemExit(7)", "It ended with code 7."),
    ],
)
def test_its_failure_is_said_and_costs_no_exit_code(
    invoke: Invoke, fallen: Path, tmp_path: Path, body: str, words: str
) -> None:
    """The regression itself ends with 1, as ever."""
    words_of = shlex.join(program(tmp_path, body))
    done = invoke("benchmark", "run", fallen, "Weekly", "--on-regression", words_of, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["level"] == "critical"
    assert " was not told to " in done.stderr
    assert words in done.stderr
    assert record(fallen)


def test_a_program_that_is_not_there_is_said(invoke: Invoke, fallen: Path) -> None:
    """The benchmark run is written all the same."""
    done = invoke("benchmark", "run", fallen, "Weekly", "--on-regression", "no-such-program-x")
    assert done.exit_code == 1
    assert "'no-such-program-x' is not installed" in done.stderr


def test_no_shell_reads_it(invoke: Invoke, fallen: Path, tmp_path: Path) -> None:
    """Unless it is one."""
    words = shlex.join(keeping(tmp_path)) + f" ; touch {tmp_path}/ran $(touch {tmp_path}/ran)"
    invoke("benchmark", "run", fallen, "Weekly", "--on-regression", words)
    assert (tmp_path / "told.json").exists()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("text", ["'unclosed", "", "  "])
def test_what_is_no_command_is_wrong_usage(invoke: Invoke, fallen: Path, text: str) -> None:
    """Before anything is written."""
    done = invoke("benchmark", "run", fallen, "Weekly", "--on-regression", text)
    assert done.exit_code == 2
    assert "--on-regression" in done.stderr
    assert not list(fallen.rglob("reviews/message/*.json"))


@pytest.mark.parametrize("text", ["[regression", "[regression]\n", '[regression]\nshell = "x"\n'])
def test_a_configuration_that_cannot_be_read_is_named(config: Path, text: str) -> None:
    """With its path; without one nothing is started."""
    assert on_regression(None) is None
    (config / "notify.toml").write_text(text, "utf-8")
    with pytest.raises(CannotRun, match=r"notify\.toml cannot be read"):
        on_regression(None)
