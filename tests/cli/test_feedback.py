"""`evalcore feedback`, as it is called."""

import json
from pathlib import Path

import pytest

from evalcore.judging.answering.notes import add_note
from tests.aggregates.layout import ITERATION, digests, load
from tests.cli.command import SEEDS
from tests.cli.conftest import Invoke
from tests.judging.notes_and_exclusions import ANA, BEN, RUN, SUITE, small

PATH = f"{ITERATION}/feedback.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with three runs, one of them with two notes."""
    folder = tmp_path / "evals"
    ws = small(folder)
    add_note(ws, SUITE, RUN, "The axis has no name.", ANA)
    add_note(ws, SUITE, RUN, "Too long.", BEN)
    return folder


def test_it_shows_what_it_would_write(root: Path, invoke: Invoke) -> None:
    """Nothing is written without being asked for."""
    before = digests(root)
    done = invoke("feedback", root)
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            f"{PATH}: would be written, new",
            "  3 reviews. 2 are blank, which says: no complaints.",
            "1 document would be written.",
            "Add --write to write this.",
        ],
    )
    assert digests(root) == before


def test_it_writes_and_says_what(root: Path, invoke: Invoke) -> None:
    """The notes of a run stand one below the other; the second time everything is right."""
    done = invoke("feedback", root, "--write")
    assert done.stdout.splitlines()[0] == f"{PATH}: written, new"
    assert load(root, PATH)["reviews"][0]["feedback"] == "The axis has no name.\n\nToo long."
    again = invoke("feedback", root, "--write")
    assert again.stdout.splitlines()[0] == f"{PATH}: already right"


def test_json_is_one_document(root: Path, invoke: Invoke) -> None:
    """As `aggregate` prints it."""
    found = json.loads(invoke("feedback", root, "--json").stdout)
    (only,) = found["documents"]
    assert (found["dry_run"], only["path"], only["state"], only["written"]) == (
        True,
        PATH,
        "new",
        False,
    )


def test_what_cannot_be_written_ends_with_one(root: Path, invoke: Invoke) -> None:
    """The file is told, and why."""
    (root / PATH).write_text('{"reviews": []}', "utf-8")
    (root / PATH).chmod(0o444)
    done = invoke("feedback", root, "--write")
    assert done.exit_code == 1
    assert "read-only" in done.stdout


def test_other_families_have_no_such_loop(invoke: Invoke) -> None:
    """It is said, with where the notes are."""
    done = invoke("feedback", SEEDS / "records")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "reads no feedback.json: only the loops of the families iterations and rubric do" in (
        " ".join(done.stderr.split())
    )


@pytest.mark.parametrize("asked", [("--suite", "pfd"), ("--version", "iteration-7")])
def test_a_wrong_name_is_told(root: Path, invoke: Invoke, asked: tuple[str, str]) -> None:
    """With the nearest one that there is."""
    done = invoke("feedback", root, *asked)
    assert done.exit_code == 2
    assert f"There is no {asked[0].strip('-')}" in done.stderr
