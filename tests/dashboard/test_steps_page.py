"""Transcripts are read where their steps are shown, and nowhere else."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.counting import run_steps
from evalcore.steps.model import Steps
from evalcore.steps.reading import read_steps
from tests.stepped import events, read, run_id, workspace

RunPage = Callable[..., AppTest]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return two cases in two versions, each run with a transcript."""
    told = {"transcript.jsonl": events(read("a"))}
    places = (f"iteration-{number}/{case}" for number in (1, 2) for case in ("one", "two"))
    return workspace(tmp_path, dict.fromkeys(places, told))


@pytest.fixture
def transcripts(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Return a list that grows with each transcript that is read for its steps."""
    known: list[str | None] = []
    whole = read_steps

    def noted(data: bytes, source: str | None = None) -> Steps:
        known.append(source)
        return whole(data, source)

    monkeypatch.setattr(run_steps, "read_steps", noted)
    run_steps._of_file.cache_clear()
    return known


@pytest.mark.parametrize(
    ("page", "query", "amount"),
    [
        ("overview", {}, 0),
        ("gradings", {}, 0),
        ("gradings", {"tab": "output"}, 0),
        ("compare", {}, 0),
        ("compare", {"case": "one"}, 0),
        ("rubric", {}, 0),
        ("failures", {}, 0),
        ("gradings", {"tab": "steps", "run": run_id("one")}, 1),
        ("compare", {"case": "one", "tab": "steps"}, 2),
        ("compare", {"tab": "steps"}, 4),
    ],
)
def test_a_page_reads_the_transcripts_whose_steps_it_shows(
    run: RunPage,
    folder: Path,
    transcripts: list[str | None],
    page: str,
    query: dict[str, str],
    amount: int,
) -> None:
    """Of one run on Gradings, of two beside each other; of all where both versions are measured."""
    app = run(page, folder, suite="s", **query)
    assert not app.exception
    assert len(transcripts) == amount


def test_what_was_read_is_not_read_again_for_the_next_click(
    run: RunPage, folder: Path, transcripts: list[str | None]
) -> None:
    """A large transcript takes long once."""
    for step in ("1", "2"):
        run("gradings", folder, suite="s", tab="steps", run=run_id("one"), step=step)
    assert len(transcripts) == 1
