"""`feedback.json`, as skill-creator's viewer writes and reads it."""

import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evalcore.aggregates.propose import notes_files
from evalcore.errors import ChangedMeanwhile
from evalcore.families.aggregating import Noted
from evalcore.proposals.proposal import Proposal, write
from tests.aggregates.layout import ITERATION, digests, dump, load, opened
from tests.judging.notes_and_exclusions import BASELINE, OTHER, RUN, SUITE, small

PATH = f"{ITERATION}/feedback.json"
NOW, THEN = "2026-03-02T10:00:00.000Z", "2026-03-01T09:30:00.000Z"
NAMES = ["eval-1-with_skill-run-1", "eval-1-without_skill-run-1", "eval-2-with_skill-run-1"]
FIRST = {RUN: Noted(("The axis has no name.", "Nor has the other."), THEN)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with three graded runs."""
    small(tmp_path)
    return tmp_path


def proposed(root: Path, noted: Mapping[str, Noted], version: str | None = None) -> Proposal:
    """Return what shall become of the only iteration's file."""
    (found,) = notes_files(opened(root), SUITE, version, noted, NOW)
    return found


def written(root: Path, noted: Mapping[str, Noted]) -> Any:
    """Write the file and return what it holds."""
    write(root, proposed(root, noted))
    return load(root, PATH)


def texts(document: Any) -> dict[str, str]:
    """Return each review's text by its run."""
    return {each["run_id"]: each["feedback"] for each in document["reviews"]}


def test_it_is_written_as_the_viewer_writes_it(root: Path) -> None:
    """Every run by its path with - for /, in the viewer's order; blank where nothing was noted."""
    before = digests(root)
    document = written(root, FIRST)
    assert document == {
        "reviews": [
            {
                "run_id": NAMES[0],
                "timestamp": THEN,
                "feedback": "The axis has no name.\n\nNor has the other.",
            },
            {"run_id": NAMES[1], "feedback": "", "timestamp": NOW},
            {"run_id": NAMES[2], "feedback": "", "timestamp": NOW},
        ],
        "status": "complete",
    }
    after = digests(root)
    assert set(after) - set(before) == {PATH}
    assert {path: after[path] for path in before} == before


def test_a_run_that_is_only_an_output_is_one_to_review(root: Path) -> None:
    """It has no document of its own, and lies in the folder of the others."""
    output = root / ITERATION / "eval-1/with_skill/run-2/outputs/a.txt"
    output.parent.mkdir(parents=True)
    output.write_text("An axis.")
    assert texts(written(root, FIRST))["eval-1-with_skill-run-2"] == ""


def test_what_is_written_is_read_back_of_the_same_runs(root: Path) -> None:
    """Each review is attached to the run whose notes it holds."""
    noted = {run: Noted((f"about {run}",), THEN) for run in (RUN, BASELINE, OTHER)}
    written(root, noted)
    feedback = opened(root).tables.feedback
    read = dict(zip(feedback["run_id"], feedback["text"], strict=True))
    assert read == {run: each.words for run, each in noted.items()}


def test_to_write_it_again_changes_nothing(root: Path) -> None:
    """The blank ones keep their time, too."""
    written(root, FIRST)
    again = proposed(root, FIRST)
    assert (again.state, again.data) == ("same", None)
    assert again.messages == ("3 reviews. 2 are blank, which says: no complaints.",)


def test_what_others_wrote_stays(root: Path) -> None:
    """Their reviews, their fields, their words before ours, and how the file is written."""
    others = {
        "reviewer": "Zoë",
        "reviews": [
            {"run_id": NAMES[0], "feedback": "Good start.", "timestamp": "", "stars": 4},
            {"run_id": "eval-9-with_skill", "feedback": "Gone since.", "timestamp": ""},
            {"run_id": NAMES[2], "feedback": "Keep.", "timestamp": "2026-01-01"},
        ],
        "status": "in_progress",
    }
    (root / PATH).write_text(json.dumps(others, indent=4, ensure_ascii=False), "utf-8")
    proposal = proposed(root, FIRST)
    assert proposal.messages == (
        "4 reviews, 1 of them changed, 1 added. 1 is blank, which says: no complaints.",
    )
    document = written(root, FIRST)
    assert document["reviewer"] == "Zoë"
    assert document["reviews"][0] == {
        "run_id": NAMES[0],
        "stars": 4,
        "timestamp": THEN,
        "feedback": "Good start.\n\nThe axis has no name.\n\nNor has the other.",
    }
    assert document["reviews"][1:3] == others["reviews"][1:]
    assert [each["run_id"] for each in document["reviews"][3:]] == [NAMES[1]]
    assert document["status"] == "complete"
    text = (root / PATH).read_text("utf-8")
    assert text.startswith('{\n    "reviewer": "Zoë"')


def test_a_corrected_note_is_replaced(root: Path) -> None:
    """Only where it stands as a paragraph of its own; one that was taken back goes."""
    written(root, {RUN: Noted(("ok", "look at it"), THEN)})
    corrected = {RUN: Noted(("look at the axis",), NOW, former=("ok", "look at it"))}
    assert texts(written(root, corrected))[NAMES[0]] == "look at the axis"
    none = {RUN: Noted((), NOW, former=("look at the axis",))}
    assert texts(written(root, none))[NAMES[0]] == ""


def test_words_of_others_that_hold_a_note_stay(root: Path) -> None:
    """A note is taken out as a paragraph, never out of a sentence."""
    dump(root, PATH, {"reviews": [{"run_id": NAMES[0], "feedback": "I look, ok, twice."}]})
    document = written(root, {RUN: Noted(("fine",), NOW, former=("ok", "look"))})
    assert texts(document)[NAMES[0]] == "I look, ok, twice.\n\nfine"


def test_silence_is_not_called_approval_unasked(root: Path) -> None:
    """Blank reviews say "no complaints": without a note they are written for a named version."""
    assert proposed(root, {}).state == "left"
    named = proposed(root, {}, "iteration-1")
    assert named.state == "new"
    assert named.messages == ("3 reviews. 3 are blank, which says: no complaints.",)


@pytest.mark.parametrize(
    "content", ['{"eval-1": "Good."}', '["Good."]', '{"reviews": {}}', "{", '{"a": 1, "a": 2']
)
def test_another_form_is_left_alone(root: Path, content: str) -> None:
    """A map of evals to texts, a bare list, and what is no JSON; it is said."""
    (root / PATH).write_text(content, "utf-8")
    found = proposed(root, FIRST)
    assert (found.state, found.data, len(found.messages)) == ("left", None, 1)


def test_a_file_that_changed_since_it_was_shown_is_not_written(root: Path) -> None:
    """Whoever was faster keeps what they wrote."""
    written(root, FIRST)
    proposal = proposed(root, {RUN: Noted(("More.",), NOW)})
    (root / PATH).write_text('{"reviews": [], "status": "complete"}', "utf-8")
    with pytest.raises(ChangedMeanwhile):
        write(root, proposal)
    assert load(root, PATH)["reviews"] == []


def test_runs_without_outputs_are_not_for_the_viewer(root: Path) -> None:
    """It does not show them; a note about one is written all the same."""
    (root / ITERATION / "eval-2/with_skill/run-1/outputs/letter.md").unlink()
    (root / ITERATION / "eval-2/with_skill/run-1/outputs").rmdir()
    assert list(texts(written(root, FIRST))) == NAMES[:2]
    assert list(texts(written(root, {OTHER: Noted(("Where is it?",), NOW)}))) == NAMES


def test_skill_creator_reads_it(root: Path) -> None:
    """Its own viewer finds the same runs and the same words for them."""
    named = os.environ.get("EVALCORE_SKILL_CREATOR", "")
    script = Path(named) / "eval-viewer" / "generate_review.py"
    if not named or not script.is_file():
        pytest.skip("EVALCORE_SKILL_CREATOR does not name the folder of skill-creator")
    spec = importlib.util.spec_from_file_location("generate_review", script)
    assert spec is not None
    assert spec.loader is not None
    viewer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(viewer)
    written(root, FIRST)
    theirs = viewer.load_previous_iteration(root / ITERATION)
    assert {run: each["feedback"] for run, each in theirs.items()} == texts(load(root, PATH))
    assert [each["id"] for each in viewer.find_runs(root / ITERATION)] == NAMES
