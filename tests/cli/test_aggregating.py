"""`evalcore aggregate`, as it is called."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.errors import MayBeWritten
from evalcore.proposals import proposal
from tests.aggregates.layout import ITERATION, digests, dump, load, run
from tests.cli.command import evalcore
from tests.cli.conftest import Invoke
from tests.conftest import ROOT

PATH = f"{ITERATION}/benchmark.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with a graded run of each configuration."""
    folder = tmp_path / "evals"
    run(folder, "eval-1/with_skill/run-1", [True, True])
    run(folder, "eval-1/without_skill/run-1", [True, False])
    return folder


def test_it_writes_and_says_what(root: Path, invoke: Invoke) -> None:
    """A sentence a document and one for all; the second time everything is right."""
    done = invoke("aggregate", root)
    assert (done.exit_code, done.stdout) == (0, f"{PATH}: written, new\n1 document written.\n")
    assert load(root, PATH)["run_summary"]["delta"] == {"pass_rate": "+0.50"}
    again = invoke("aggregate", root)
    assert again.stdout == f"{PATH}: already right\n0 documents written.\n"


def test_a_dry_run_writes_nothing(root: Path, invoke: Invoke) -> None:
    """What would be changed is shown, both numbers of each difference."""
    invoke("aggregate", root)
    document = load(root, PATH)
    document["run_summary"]["with_skill"]["pass_rate"]["mean"] = 0.25
    dump(root, PATH, document)
    before = digests(root)
    done = invoke("aggregate", root, "--dry-run")
    assert done.stdout.splitlines() == [
        f"{PATH}: would be changed",
        "  run_summary.with_skill.pass_rate.mean: 0.25 → 1.0",
        "1 document would be written.",
    ]
    assert digests(root) == before


def test_json_is_one_document(root: Path, invoke: Invoke) -> None:
    """With every change by its pointer, and nothing else on stdout."""
    dump(root, PATH, {"results": []})
    found = json.loads(invoke("aggregate", root, "--json").stdout)
    only = found["documents"][0]
    assert (only["path"], only["state"], only["written"]) == (PATH, "left", False)
    assert (found["dry_run"], only["error"], only["changes"]) == (False, None, [])
    assert ["--replace" in message for message in only["messages"]] == [True]
    done = json.loads(invoke("aggregate", root, "--json", "--replace").stdout)
    assert (done["documents"][0]["state"], done["documents"][0]["written"]) == ("changed", True)


def test_a_document_that_cannot_be_written_is_the_answer_no(root: Path, invoke: Invoke) -> None:
    """The others are written all the same; the reason stands with the document."""
    run(root, "../iteration-2/eval-1/with_skill/run-1", [True])
    outside = root.parent / "outside.json"
    invoke("aggregate", root)
    (root / PATH).chmod(0o444)
    document = load(root, PATH)
    document["runs"][0]["result"]["passed"] = 0
    (root / PATH).unlink()
    dump(root, PATH, document).chmod(0o444)
    done = invoke("aggregate", root)
    assert done.exit_code == 1
    assert f"{PATH}: not written\n" in done.stdout
    assert "it is read-only; allow writing first." in done.stdout
    assert done.stdout.endswith("0 documents written, 1 not.\n")
    assert not outside.exists()


def test_a_document_that_may_be_written_is_not_said_to_be_missing(
    root: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason says that it is not known."""

    def unsettled(*_: object, **__: object) -> None:
        raise MayBeWritten(Path("x"), "the disk reported an error")

    monkeypatch.setattr(proposal, "put", unsettled)
    done = invoke("aggregate", root)
    assert done.exit_code == 1
    assert f"{PATH}: perhaps written\n  It is not known whether x" in done.stdout


def test_unknown_names_are_wrong_usage(root: Path, invoke: Invoke) -> None:
    """The nearest one is offered."""
    for option, name, near in (
        ("--suite", "pdg", "pdf"),
        ("--version", "iteration-2", "iteration-1"),
    ):
        done = invoke("aggregate", root, option, name)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"Did you mean '{near}'?" in done.stderr


def test_only_what_is_asked_for_is_written(tmp_path: Path, invoke: Invoke) -> None:
    """One suite, or one version of it."""
    shutil.copytree(ROOT / "evalcore/demo/workspace", tmp_path / "demo")
    root = tmp_path / "demo"
    paths = [f"commit-helper-workspace/iteration-{n}/benchmark.json" for n in (1, 2, 3)]
    for path in paths:
        (root / path).unlink()
    done = invoke("aggregate", root, "--suite", "commit-helper", "--version", "iteration-2")
    assert done.stdout == f"{paths[1]}: written, new\n1 document written.\n"
    assert [(root / path).exists() for path in paths] == [False, True, False]
    whole = invoke("aggregate", root)
    assert (
        "support-agent: left alone\n  The family records has no aggregate documents" in whole.stdout
    )


def test_an_empty_folder_is_said(tmp_path: Path, invoke: Invoke) -> None:
    """Nothing is made up."""
    (tmp_path / "nothing").mkdir()
    done = invoke("aggregate", tmp_path / "nothing")
    assert done.exit_code == 0
    assert "nothing to aggregate" in done.stdout


def test_names_from_files_are_harmless_on_a_terminal(tmp_path: Path, invoke: Invoke) -> None:
    """A value with an escape sequence is shown, not obeyed."""
    root = tmp_path / "evals"
    run(root, "eval-1/with_skill/run-1", [True])
    invoke("aggregate", root)
    document = load(root, PATH)
    document["runs"][0]["result"]["passed"] = "\x1b[2J"
    dump(root, PATH, document)
    done = invoke("aggregate", root)
    assert "\x1b" not in done.stdout
    assert "passed" in done.stdout


def test_it_runs_as_a_program_without_what_it_does_not_need(root: Path, tmp_path: Path) -> None:
    """No data frames, no statistics library, no dashboard."""
    done = evalcore("aggregate", root, home=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0, done.stderr
    taken = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not taken & {"pandas", "scipy", "streamlit", "plotly", "statsmodels", "duckdb"}
    assert (root / PATH).is_file()
