"""Free notes about a run or a suite."""

import json
from pathlib import Path

import pytest

from evalcore.errors import AlreadyStored, CannotJudge
from evalcore.judging.answering.notes import (
    add_note,
    correct_note,
    notes_by_run,
    notes_of,
)
from evalcore.judging.limits import LIMITS
from evalcore.judging.storing.store import new_id
from tests.judging.notes_and_exclusions import (
    ANA,
    BASELINE,
    BEN,
    FOLDER,
    RUN,
    SUITE,
    records,
    small,
)


def texts(root_notes: tuple[object, ...]) -> list[object]:
    """Return the texts of notes."""
    return [getattr(note, "text", None) for note in root_notes]


def test_a_note_is_a_record_beside_the_runs(tmp_path: Path) -> None:
    """With its author, its time and the run that it is about."""
    ws = small(tmp_path)
    receipt = add_note(ws, SUITE, RUN, "  The axis has no name.\n", ANA)
    assert receipt.new
    assert receipt.path == f"{FOLDER}/reviews/note/{receipt.id}.json"
    written = json.loads((tmp_path / receipt.path).read_text("utf-8"))
    assert written["fields"] == {"testRunId": RUN, "text": "The axis has no name."}
    assert (written["type"], written["createdBy"]) == ("note", "ana-3f2a")
    (note,) = notes_of(records(ws), RUN)
    assert (note.text, note.author, note.former) == ("The axis has no name.", "ana-3f2a", ())


def test_notes_stand_with_what_they_are_about(tmp_path: Path) -> None:
    """Of one run, oldest first; those about the suite apart."""
    ws = small(tmp_path)
    add_note(ws, SUITE, RUN, "first", ANA)
    add_note(ws, SUITE, RUN, "second", BEN)
    add_note(ws, SUITE, BASELINE, "other", BEN)
    add_note(ws, SUITE, None, "all of it", ANA)
    found = records(ws)
    assert texts(notes_of(found, RUN)) == ["first", "second"]
    assert texts(notes_of(found, None)) == ["all of it"]
    by_run = notes_by_run(found)
    assert {run: texts(notes) for run, notes in by_run.items()} == {
        "eval-1@iteration-1/with_skill#1": ["first", "second"],
        "eval-1@iteration-1/without_skill#1": ["other"],
    }


def test_a_note_is_found_whichever_folder_was_opened(tmp_path: Path) -> None:
    """The suite's part of a run's id is another one where a folder above is opened."""
    ws = small(tmp_path)
    add_note(ws, SUITE, RUN, "mine", ANA)
    assert texts(notes_of(records(ws), f"skills/{RUN}")) == ["mine"]


def test_a_correction_stands_in_place_of_the_note(tmp_path: Path) -> None:
    """What it said before is kept; an empty correction takes it back."""
    ws = small(tmp_path)
    add_note(ws, SUITE, RUN, "frist", ANA)
    (note,) = notes_of(records(ws), RUN)
    correct_note(ws, SUITE, note, "first", ANA)
    (note,) = notes_of(records(ws), RUN)
    assert (note.text, note.former) == ("first", ("frist",))
    correct_note(ws, SUITE, note, "", ANA)
    assert notes_of(records(ws), RUN) == ()
    ((gone,),) = notes_by_run(records(ws)).values()
    assert (gone.text, gone.former) == ("", ("frist", "first"))


def test_two_corrections_of_one_note_are_both_told(tmp_path: Path) -> None:
    """The newest counts, and that there is another is said."""
    ws = small(tmp_path)
    add_note(ws, SUITE, RUN, "one", ANA)
    (note,) = notes_of(records(ws), RUN)
    correct_note(ws, SUITE, note, "two", ANA)
    correct_note(ws, SUITE, note, "three", BEN)
    (note,) = notes_of(records(ws), RUN)
    assert (note.text, note.others) == ("three", 1)


def test_a_submission_is_stored_once(tmp_path: Path) -> None:
    """The same again is the same record; another text under its id is refused."""
    ws, submission = small(tmp_path), new_id()
    first = add_note(ws, SUITE, RUN, "once", ANA, submission=submission)
    second = add_note(ws, SUITE, RUN, "once", ANA, submission=submission)
    assert (first.new, second.new, first.sha256) == (True, False, second.sha256)
    with pytest.raises(AlreadyStored):
        add_note(ws, SUITE, RUN, "twice", ANA, submission=submission)
    assert texts(notes_of(records(ws), RUN)) == ["once"]


def test_a_note_has_an_end(tmp_path: Path) -> None:
    """A longer one is refused, and up to it all is stored; half a character is replaced."""
    ws, end = small(tmp_path), "x" * (LIMITS.note - 1)
    with pytest.raises(CannotJudge, match="The note has 10,001 characters, at most 10,000"):
        add_note(ws, SUITE, RUN, f"{end}xx", ANA)
    add_note(ws, SUITE, RUN, f"\ud800{end}", ANA)
    (note,) = notes_of(records(ws), RUN)
    assert note.text == f"?{end}"


def test_a_note_that_somebody_else_wrote_may_hold_anything(tmp_path: Path) -> None:
    """Fields of another type are as if they were not there."""
    ws = small(tmp_path)
    receipt = add_note(ws, SUITE, None, "one", ANA)
    value = json.loads((tmp_path / receipt.path).read_text("utf-8"))
    for fields in ({"testRunId": 7, "text": "x"}, {"testRunId": None, "text": ["x"]}, {}):
        name = new_id()
        path = tmp_path / FOLDER / f"reviews/note/{name}.json"
        path.write_text(json.dumps({**value, "id": name, "fields": fields}), "utf-8")
    assert texts(notes_of(records(ws), None)) == ["one"]
