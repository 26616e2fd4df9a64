"""Free-text notes about a run or a whole suite, stored as records."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from evalcore.families.reviews.models import NoteFields
from evalcore.families.reviews.review import Chain, Review, chains
from evalcore.ids import within
from evalcore.judging.limits import LIMITS, shortened, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import about, make_record, superseding
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace


class Note(NamedTuple):
    """The current version of a note; `former` are its earlier texts, oldest first.

    `run_id` is as stored in the record, None for a note about the suite. `replacing` is what a
    correction names in `supersedes`; `others` counts concurrent corrections of the same note, of
    which this one is the newest.
    """

    id: str
    run_id: str | None
    text: str
    author: str
    created_at: datetime
    former: tuple[str, ...]
    others: int
    replacing: str | list[str] | None = None


def add_note(
    ws: Workspace,
    suite: str,
    run_id: str | None,
    text: str,
    judge: Judge,
    *,
    submission: str | None = None,
) -> Receipt:
    """Store a note about a run, or about the suite without one; `submission` is its id.

    Raises:
        CannotJudge: the text is too long.
        CannotWrite: it could not be written.
        AlreadyStored: another note has this id.
    """
    record = make_record(_fields(run_id, text), judge, submission)
    return store(review_folder(ws, suite), record)


def correct_note(
    ws: Workspace, suite: str, old: Note, text: str, judge: Judge, *, submission: str | None = None
) -> Receipt:
    """Replace the text of a note; an empty text withdraws the note.

    Raises:
        CannotJudge: the text is too long.
        CannotWrite: it could not be written.
        AlreadyStored: another note has this id.
    """
    record = make_record(_fields(old.run_id, text), judge, submission, old.replacing)
    return store(review_folder(ws, suite), record)


def notes_of(records: Iterable[Review], run_id: str | None) -> tuple[Note, ...]:
    """Return the notes about a run, or about the suite without one, oldest first.

    Withdrawn notes are left out.
    """
    found = _notes([each for each in records if each.type == "note" and about(each, run_id)])
    return tuple(note for note in found if note.text)


def notes_by_run(records: Iterable[Review]) -> dict[str, tuple[Note, ...]]:
    """Return the notes of each run, by the part of its id after the suite.

    Withdrawn notes are included with an empty text, as their former texts matter.
    """
    found: dict[str, list[Review]] = defaultdict(list)
    for each in records:
        run = each.fields.get("testRunId")
        if each.type == "note" and isinstance(run, str):
            found[within(run)].append(each)
    return {run: tuple(_notes(notes)) for run, notes in found.items()}


def _fields(run_id: str | None, text: str) -> NoteFields:
    return NoteFields(test_run_id=run_id, text=stored(text, LIMITS.note, "The note"))


def _notes(reviews: Sequence[Review]) -> list[Note]:
    return [_note(chain) for chain in chains(reviews)]


def _note(chain: Chain) -> Note:
    head = chain.head
    run = head.fields.get("testRunId")
    former = tuple(_text(each) for each in (*chain.replaced, *chain.rivals))
    return Note(
        head.id,
        run if isinstance(run, str) else None,
        _text(head),
        head.created_by,
        head.created_at,
        former,
        len(chain.rivals),
        superseding(chain),
    )


def _text(review: Review) -> str:
    """Return the text of a note; a file written by hand may hold anything there."""
    text = review.fields.get("text")
    return shortened(text.strip(), LIMITS.note) if isinstance(text, str) else ""
