"""What docs/ci.md tells people to paste is what runs."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalcore.demo import packaged
from evalcore.errors import DISTRIBUTION

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
SUITE, OTHER = "release-notes", "commit-helper"
HALF = Path("evaluations", f"{SUITE}-workspace", "grading", "known-issues_v3_run2.json")
"""The demo holds one document that ends in the middle."""
PROGRAMS = Path(sys.executable).parent


def block(language: str) -> str:
    """Return the one block of a language that the page holds."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def workflow() -> dict[str, Any]:
    """Return the job of the workflow."""
    jobs: dict[str, Any] = yaml.safe_load(block("yaml"))["jobs"]
    (job,) = jobs.values()
    return dict(job)


def commands() -> dict[str, str]:
    """Return what the steps of the workflow run, by their names."""
    return {step["name"]: step["run"].rstrip("\n") for step in workflow()["steps"] if "run" in step}


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: bash that stops at the first command that fails."""
    environment = {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "EVALCORE_CACHE_DIR": str(folder / "cache"),
        "EVALCORE_STATE_DIR": str(folder / "state"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        **variables,
    }
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two suites of the demo in `evaluations`, all of it readable."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in (SUITE, f"{SUITE}-workspace", OTHER, f"{OTHER}-workspace"):
        shutil.copytree(packaged() / part, folder / "evaluations" / part)
    (folder / HALF).unlink()
    return folder


@pytest.mark.parametrize(
    ("suite", "sides", "code", "word"),
    [
        (SUITE, "v3 v0", 1, "worse"),
        (SUITE, "v0 v3", 0, "better"),
        (OTHER, "iteration-2@with_skill iteration-3@with_skill", 0, "better on these cases"),
        (OTHER, "iteration-3@with_skill iteration-2@with_skill", 1, "worse on these cases"),
        (SUITE, "v1 v2", 0, "can't tell"),
    ],
)
def test_the_shell_form_ends_as_the_verdict_says(
    checkout: Path, suite: str, sides: str, code: int, word: str
) -> None:
    """Only a regression fails the build; the document is there each time."""
    given = {"EVALS": "evaluations", "SUITE": suite, "SIDES": sides}
    done = run(block("sh"), checkout, **given)
    assert done.returncode == code, done.stderr
    document = json.loads((checkout / "comparison.json").read_text("ascii"))
    assert document["verdict"]["word"] == word
    assert ("can't tell" in done.stderr.lower()) == (word == "can't tell")
    assert run(commands()["Say it"], checkout).returncode == 0
    assert (checkout / "summary.md").read_text("utf-8").splitlines()[-1] == (
        f"    {document['sentence']}"
    )


def test_the_workflow_runs_the_tested_steps() -> None:
    """Between installing and saying it stands the shell form, line by line."""
    install, *steps, said = commands().values()
    assert steps == block("sh").splitlines()
    assert install == f"pip install {DISTRIBUTION}"
    assert said.endswith('>> "$GITHUB_STEP_SUMMARY"')


def test_the_workflow_sets_what_the_steps_read() -> None:
    """No variable is left to chance."""
    read = set(re.findall(r"\$([A-Z]+)\b", block("sh")))
    assert read == set(workflow()["env"])


def test_a_document_that_cannot_be_read_stops_the_build(checkout: Path, tmp_path: Path) -> None:
    """No verdict rests on half of the files."""
    shutil.copytree(checkout / "evaluations", tmp_path / "evaluations")
    (tmp_path / HALF).write_text("{", "utf-8")
    done = run(block("sh"), tmp_path, EVALS="evaluations", SUITE=SUITE, SIDES="")
    assert done.returncode == 1
    assert not (tmp_path / "comparison.json").exists()


def test_no_address_stands_in_the_recipe() -> None:
    """Where packages come from is the runner's business."""
    assert "://" not in block("yaml") + block("sh")
