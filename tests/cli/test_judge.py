"""`evalcore judge`: a model scores stored outputs; 1 where something stayed unscored."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.engine.judging_model import answering
from tests.judging.copies import NOTES, copied
from tests.models.fake_openai import FakeOpenAI, fake_openai

pytestmark = pytest.mark.usefixtures("worked_here")

KEY = "sk-canary-judge-17"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    """A server that the client's own variables name."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    with fake_openai() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        answering(server)
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a copy of a suite of the demo that has stored outputs."""
    return copied(tmp_path / "demo", NOTES).root


def test_graded_outputs_are_judged_again_beside_their_gradings(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Records come in, no grading changes, and the exit code is 0 as all were scored."""
    before = {path: path.read_bytes() for path in root.rglob("*.json")}
    asked = ("judge", root, "--suite", NOTES, "--cases", "all", "--model", "fake-1", "--json")
    done = invoke(*asked)
    value = json.loads(done.stdout)
    assert (done.exit_code, value["unscored"], value["again"]) == (0, 0, True)
    assert value["runs"] == value["done"] == len(fake.asked) > 1
    assert all(path.read_bytes() == data for path, data in before.items())
    assert value["written"]
    assert all((root / path).is_file() for path in value["written"])
    assert json.loads(invoke("check", root, "--json").stdout)["problems"] is not None


def test_a_panel_with_controls_says_what_its_scores_are_worth(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Two models, one vote each, one output judged twice more by both, all of it twice."""
    asked = ("judge", root, "--suite", NOTES, "--model", "fake-1", "--model", "fake-2")
    done = invoke(*asked, "--controls", "1", "--repeats", "2", "--json")
    value = json.loads(done.stdout)
    assert (done.exit_code, value["models"]) == (0, ["fake-1", "fake-2"])
    assert len(fake.asked) == value["calls"] == 2 * value["runs"] + 4
    again, planted = value["controls"]
    assert again.startswith("Judged once more unchanged (1 output)")
    assert "0 higher, 0 lower" in planted


def test_an_answer_that_is_no_score_ends_with_1_and_says_why(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """With what the model answered in the document."""
    fake.faults = ["say I would rather not."] * 100
    asked = ("judge", root, "--suite", NOTES, "--model", "fake-1")
    done = invoke(*asked, "--json")
    value = json.loads(done.stdout)
    assert done.exit_code == 1
    assert value["unscored"] > 0
    assert value["unscored_criteria"][0]["answer"] == "I would rather not."
    fake.faults = ["refuse"]
    done = invoke(*asked)
    assert done.exit_code == 1
    assert "were left unscored" in done.stdout
    assert "The model refused to answer." in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_a_dry_run_says_where_what_would_go_and_calls_nothing(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Server, number of calls, and that nothing is overwritten."""
    done = invoke("judge", root, "--suite", NOTES, "--model", "fake-1", "--votes", "3", "--dry-run")
    assert done.exit_code == 0
    assert f"to {fake.url}" in done.stdout
    assert "the model fake-1" in done.stdout
    assert "stay unchanged" in done.stdout
    assert fake.asked == []


def test_without_a_model_it_says_how_to_name_one(
    invoke: Invoke, fake: FakeOpenAI, root: Path
) -> None:
    """Wrong usage."""
    done = invoke("judge", root, "--suite", NOTES)
    assert done.exit_code == 2
    assert "--model" in done.stderr
