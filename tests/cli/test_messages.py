"""`evalcore messages`, as it is called: by people, and by programs that answer."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.demo import packaged
from evalcore.memory.store import remember
from evalcore.workspace.opened import open_workspace
from tests.cli.conftest import Invoke
from tests.memory.test_answering import ASKED, TASK, message, todo

NOTES = "release-notes"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder in which a message waits for the orchestrator, and a task for somebody."""
    for name in (NOTES, f"{NOTES}-workspace"):
        shutil.copytree(packaged() / name, tmp_path / "evals" / name)
    remember(open_workspace(tmp_path / "evals"), NOTES, [message(), todo()])
    return tmp_path / "evals"


def test_a_list_for_people(root: Path, invoke: Invoke) -> None:
    """Who waits for whom, about what, and since when; it ends with 0."""
    done = invoke("messages", root)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "release-notes: 2 sent"
    assert "eval-agent to orchestrator: compare-prompts" in done.stdout
    assert "for anybody: Investigate benchmark regression" in done.stdout
    assert "  task  open for " in done.stdout


def test_a_program_reads_answers_and_finds_nothing_open(root: Path, invoke: Invoke) -> None:
    """One document with stable names; an answer is one record, and says where it is."""
    found = json.loads(invoke("messages", root, "--open", "--json").stdout)
    (suite,) = found["suites"]
    assert {each["id"]: each["state"] for each in suite["messages"]} == {
        ASKED: "open",
        TASK: "open",
    }
    said = invoke(
        "messages", root, "--answer", ASKED, "--text", "v3.", "--by", "orchestrator", "--json"
    )
    assert (root / json.loads(said.stdout)["path"]).is_file()
    assert (
        invoke("messages", root, "--done", TASK, "--text", "Mended.", "--by", "ana").exit_code == 0
    )
    left = json.loads(invoke("messages", root, "--open", "--json").stdout)["suites"]
    assert left == [{"suite": NOTES, "messages": []}]
    every = json.loads(invoke("messages", root, "--json").stdout)["suites"][0]["messages"]
    answers = {each["id"]: each["answers"] for each in every}[ASKED]
    assert [(each["author"], each["text"]) for each in answers] == [("orchestrator", "v3.")]


def test_what_a_message_says_cannot_steer_the_terminal(root: Path, invoke: Invoke) -> None:
    remember(
        open_workspace(root),
        NOTES,
        [message("55555555-0000-4000-8000-000000000001", text="\x1b[2Jgone")],
    )
    assert "\x1b[2J" not in invoke("messages", root).stdout


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--answer", ASKED), "--text"),
        (("--answer", ASKED, "--done", TASK, "--text", "x"), "--done"),
        (("--answer", ASKED, "--text", "x"), "--by NAME"),
        (("--answer", "nothing", "--text", "x", "--by", "ana"), "nothing"),
        (("--answer", TASK, "--text", "x", "--by", "ana"), "--done"),
        (("--suite", "elsewhere"), "elsewhere"),
    ],
)
def test_wrong_usage_says_what_to_do(
    root: Path, invoke: Invoke, given: tuple[str, ...], why: str
) -> None:
    """Nothing is written."""
    before = sorted(root.rglob("*"))
    done = invoke("messages", root, *given)
    assert done.exit_code == 2
    assert why in done.stderr
    assert sorted(root.rglob("*")) == before
