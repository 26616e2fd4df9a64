"""`evalcore improve`: improve a skill, or let a model compare two versions, from the terminal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.engine.comparing_model import (
    KEY,
    NEW,
    SUGGESTION,
    analyzed,
    asked_to,
    both,
    comparing,
    outputs,
    replying,
    workspace,
)
from tests.families.build import changed
from tests.models.fake_openai import FakeOpenAI

pytestmark = pytest.mark.usefixtures("worked_here")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with comparing(tmp_path / "config/models.toml") as server:
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    workspace(folder)
    outputs(folder, both())
    return folder


def test_it_says_beforehand_what_is_called_and_written_and_does_nothing(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """With --dry-run: how many calls, where they go, and every place."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    said = invoke("improve", root, "--dry-run").stdout
    assert f"v1 is compared with v0 in 2 cases: 4 calls to {fake.url}" in said
    assert f"Then 1 call to {fake.url}" in said
    assert "Your own skill folder is not changed" in said
    places = json.loads(invoke("improve", root, "--dry-run", "--json").stdout)["writes"]
    assert "writer-workspace/history.json" in places
    assert len([path for path in places if "comparison-" in path]) == 2
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert fake.asked == []


def test_it_improves_and_tells_who_won_and_what_was_made(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """The exit code is 0; what was said before the start is where it wrote."""
    promised = json.loads(invoke("improve", root, "--dry-run", "--json").stdout)["writes"]
    done = invoke("improve", root)
    assert done.exit_code == 0, done.stderr
    assert "v1 won 2, v0 won 0, 0 ties, of 2 cases." in done.stdout
    assert "v2 is v1 with 1 of 1 suggestions applied." in done.stdout
    assert (root / "writer/SKILL.md").read_text() == NEW
    (run,) = json.loads(invoke("runs", root, "--json").stdout)
    assert len(run["written"]) == len(promised) - 1  # history.json is changed, not made
    assert run["steps"]["version"] == "v2"
    assert [pair["winner"] for pair in run["steps"]["pairs"]] == ["b", "b"]


def test_a_text_that_is_not_in_the_skill_is_named_in_the_output(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Nothing is made of suggestions with --no-apply; the run is done."""
    replying(fake, analyze=lambda _: analyzed(changed(SUGGESTION, before="Be long.")))
    done = invoke("improve", root, "--no-apply")
    assert done.exit_code == 0
    assert "Suggestion 1 (body): the text to replace is not in the skill of v1." in done.stdout


def test_only_two_versions_can_be_compared(invoke: Invoke, fake: FakeOpenAI, root: Path) -> None:
    """Without an analysis, and without a next version."""
    done = invoke("improve", root, "--compare-only", "--version", "v1", "--against", "v0")
    assert done.exit_code == 0
    assert (len(asked_to(fake, "compare")), len(fake.asked)) == (4, 4)
    assert not (root / "writer-workspace/v2").exists()


def test_two_versions_have_to_be_named_for_that(invoke: Invoke, root: Path) -> None:
    """It is a wrong use, and says what to type."""
    done = invoke("improve", root, "--compare-only", "--version", "v1")
    assert done.exit_code == 2
    assert "--compare-only --version V --against V" in done.stderr


def test_an_answer_that_is_no_verdict_ends_with_1(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """The others count; the reason and the raw answer are in the document."""
    fake.faults = ["say The first is better."]
    done = invoke("improve", root, "--concurrency", "1", "--json")
    value = json.loads(done.stdout)
    assert done.exit_code == 1
    (pair,) = (each for each in value["steps"]["pairs"] if "winner" not in each)
    assert "no valid JSON" in pair["why"]
    assert "The first is better." in pair["answers"]
    (said,) = value["steps"]["missing"]
    assert "has no verdict" in said


def test_a_server_that_is_not_there_ends_with_1_and_says_how_to_go_on(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Nothing is decided by its silence."""
    fake.faults = ["status 503"] * 4
    done = invoke("improve", root, "--retries", "0")
    assert done.exit_code == 1
    assert "Resume with: evalcore run --resume" in done.stdout
    run = json.loads(invoke("runs", root, "--json").stdout)[0]
    assert invoke("run", "--resume", run["id"]).exit_code == 0
