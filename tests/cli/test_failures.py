"""`evalcore failures`, as it is called."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.demo import packaged
from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import open_workspace
from tests.cli.conftest import Invoke
from tests.engine.explaining_model import KEY, explaining, replying
from tests.models.fake_openai import FakeOpenAI

pytestmark = pytest.mark.usefixtures("worked_here")

NOTES = "release-notes"
FAILED = f"{NOTES}::breaking-change@v2/-#1"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with the store of the demo: ten recorded failures, one of no run."""
    shutil.copytree(packaged() / "support-agent", tmp_path / "evals" / "support-agent")
    return tmp_path / "evals"


def test_json_is_one_document(root: Path, invoke: Invoke) -> None:
    """Counts, failures with stable names, and the runs outside the rates."""
    done = invoke("failures", root, "--json")
    found = json.loads(done.stdout)
    (only,) = found["suites"]
    assert (done.exit_code, found["scores"], only["suite"]) == (0, "recorded", "support-agent")
    assert (only["runs"], only["failed_runs"], len(only["failures"])) == (34, 7, 10)
    assert only["counts"]["origin"] == {"recorded": 10}
    assert (only["counts"]["open"], only["counts"]["resolved"]) == (3, 7)
    gone = [each for each in only["failures"] if each["run"] is None]
    assert [each["named_run"] for each in gone] == ["run-2026-02-12-invoice-copy"]
    assert len(only["outside_rates"]["draft or deprecated case"]) == 1


def test_only_open_ones(root: Path, invoke: Invoke) -> None:
    """What somebody resolved is left out."""
    found = json.loads(invoke("failures", root, "--open", "--json").stdout)
    assert {each["resolved_at"] for each in found["suites"][0]["failures"]} == {None}


def test_a_table_for_people(root: Path, invoke: Invoke) -> None:
    """The sentence first, then a line for each failure; it ends with 0."""
    done = invoke("failures", root)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "support-agent: 7 of 34 runs failed"
    assert "not counted: 1 run (draft or deprecated case)" in done.stdout


def test_runs_that_people_did_not_judge_did_not_fail_by_their_scores(
    root: Path, invoke: Invoke
) -> None:
    """They count in no rate by people's scores, so in no number of which some failed."""
    said = invoke("failures", root, "--scores", "human").stdout.splitlines()
    assert said[0] == "support-agent: 2 of 8 runs failed by people's scores"
    assert "  not counted: 26 runs (not judged whole by people)" in said


def test_an_unknown_suite_is_wrong_usage(root: Path, invoke: Invoke) -> None:
    """The message names those that there are."""
    done = invoke("failures", root, "--suite", "elsewhere")
    assert done.exit_code == 2
    assert "support-agent" in done.stderr


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with explaining(tmp_path / "config/models.toml") as server:
        yield server


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with a suite of the demo whose failures nobody recorded."""
    for name in ("release-notes", "release-notes-workspace"):
        shutil.copytree(packaged() / name, tmp_path / "notes" / name)
    return tmp_path / "notes"


def test_recording_writes_each_failure_once(notes: Path, invoke: Invoke) -> None:
    """The paths are said; the second time there is nothing to write."""
    done = invoke("failures", notes, "--record", "--json")
    (suite,) = json.loads(done.stdout)["suites"]
    assert (done.exit_code, len(suite["written"])) == (0, 30)
    assert all((notes / each["path"]).is_file() for each in suite["written"])
    assert "release-notes: 0 failures recorded." in invoke("failures", notes, "--record").stdout
    found = json.loads(invoke("failures", notes, "--json").stdout)["suites"][0]
    assert found["counts"]["origin"] == {"rule": 30}


def test_what_will_be_asked_is_said_before_and_nothing_is_called(
    root: Path, invoke: Invoke, fake: FakeOpenAI
) -> None:
    """How many calls, where to, what is sent, what is left out, and where the records go."""
    done = invoke("failures", root, "--analyze", "--all-open", "--dry-run")
    assert f"2 calls to {fake.url}: of each failed run the model gets the task" in done.stdout
    assert "1 failure is left out, as the runs are not here." in done.stdout
    assert "  support-agent/records/eval-failure/\n" in done.stdout
    assert fake.asked == []


def test_a_model_explains_all_that_is_open(root: Path, invoke: Invoke, fake: FakeOpenAI) -> None:
    """One document with --json; the table then says that a model says it."""
    done = invoke("failures", root, "--analyze", "--all-open", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["state"], found["calls"]) == (0, "finished", 2)
    assert [each["lesson"] for each in found["steps"]["failures"]] == ["Read the file first."] * 2
    assert len(found["written"]) == 4
    assert "hallucination (a model)" in invoke("failures", root, "--open").stdout


def test_one_run_is_asked_about_within_limits(root: Path, invoke: Invoke, fake: FakeOpenAI) -> None:
    """An answer that counts for nothing ends with 1, and the reason is said."""
    listed = json.loads(invoke("failures", root, "--open", "--json").stdout)["suites"][0]
    run = next(each["run"] for each in listed["failures"] if each["run"] is not None)
    replying(fake, lambda _: "No.")
    done = invoke("failures", root, "--analyze", "--run", run, "--max-calls", "1")
    assert (done.exit_code, len(fake.asked)) == (1, 1)
    assert "is unchanged: The answer of the model is no valid JSON." in done.stdout


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--analyze",), "--all-open"),
        (("--analyze", "--all-open", "--run", "x"), "--all-open"),
        (("--analyze", "--record"), "--record"),
        (("--analyze", "--run", "x"), "failed run"),
    ],
)
def test_wrong_usage_says_what_to_name(
    root: Path, invoke: Invoke, fake: FakeOpenAI, given: tuple[str, ...], why: str
) -> None:
    done = invoke("failures", root, *given)
    assert done.exit_code == 2
    assert why in done.stderr
    assert fake.asked == []


def test_runs_that_are_hidden_are_neither_recorded_nor_asked_about(
    notes: Path, invoke: Invoke, fake: FakeOpenAI
) -> None:
    """And what a model said of them before is not told until they are judged."""
    ana = remember_judge("Ana", None)
    invoke("failures", notes, "--analyze", "--run", FAILED)
    batch = (FAILED, f"{NOTES}::breaking-change@v2/-#2")
    start_batch(open_workspace(notes), chosen(batch, 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    said = invoke("failures", notes, "--analyze", "--all-open", "--dry-run").stdout
    assert said.startswith("28 calls to ")
    named = invoke("failures", notes, "--analyze", "--run", FAILED, "--dry-run")
    assert (named.exit_code, "failed run" in named.stderr) == (2, True)
    done = json.loads(invoke("failures", notes, "--record", "--json").stdout)["suites"][0]
    assert len(done["written"]) == 28
    (run,) = json.loads(invoke("runs", notes, "--json").stdout)
    assert run["steps"]["failures"] == run["steps"]["said"] == []
    assert "never read the file" not in json.dumps(run)
