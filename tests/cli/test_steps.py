"""`evalcore steps`, as it is called."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.counting.test_run_steps import KINDS, MESSAGES, RUN, made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with one run of which a tool failed."""
    gave = {"type": "tool_result", "tool_use_id": "t", "content": "\x1b[2Jgone", "is_error": True}
    said = [*MESSAGES[:2], {"role": "user", "content": [gave]}, MESSAGES[2]]
    return made(tmp_path / "evals", transcript__json=said)


def test_it_lists_turns_tools_and_errors(root: Path, invoke: Invoke) -> None:
    """One line each; nothing of it can act on the terminal."""
    done = invoke("steps", root, "--case", "e", "--version", "iteration-1")
    assert done.exit_code == 0
    head, *lines = done.stdout.splitlines()
    assert head.endswith(f": 2 turns, 1 tool call, 1 error. From {RUN}/transcript.json.")
    assert [line.strip() for line in lines] == [
        "Turn 1",
        "user: Go.",
        "✗ Read a",
        lines[3].strip(),
        "Turn 2",
        "assistant: Done.",
    ]
    assert "\x1b" not in done.stdout


def test_json_has_everything(root: Path, invoke: Invoke) -> None:
    """Also what is cut in the list."""
    found = json.loads(
        invoke("steps", root, "--case", "e", "--version", "iteration-1", "--json").stdout
    )
    assert [step["kind"] for step in found["steps"]] == KINDS
    assert found["steps"][1]["arguments"] == {"path": "a"}
    again = json.loads(invoke("steps", root, "--run", found["run_id"], "--json").stdout)
    assert again == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "Name a run with --run, or with --case and --version."),
        (("--run", "x"), "There is no run 'x'."),
        (("--case", "e", "--version", "v9"), "There is no run of 'e@v9'."),
        (("--case", "x", "--version", "iteration-1"), "There is no case 'x'."),
    ],
)
def test_a_run_that_is_not_there_is_said(
    root: Path, invoke: Invoke, asked: tuple[str, ...], said: str
) -> None:
    """With the next step."""
    done = invoke("steps", root, *asked)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_run_without_a_transcript_says_so(tmp_path: Path, invoke: Invoke) -> None:
    """That is no fault."""
    done = invoke("steps", made(tmp_path / "evals"), "--case", "e", "--version", "iteration-1")
    assert done.exit_code == 0
    assert done.stdout.endswith("has no transcript that tells its steps.\n")
