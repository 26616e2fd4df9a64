"""`evalcore failures`, as it is called."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.demo import packaged
from tests.cli.conftest import Invoke


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
    assert "outside the rates: 1 run (draft or deprecated case)" in done.stdout


def test_an_unknown_suite_is_wrong_usage(root: Path, invoke: Invoke) -> None:
    """The message names those that there are."""
    done = invoke("failures", root, "--suite", "elsewhere")
    assert done.exit_code == 2
    assert "support-agent" in done.stderr
