"""All that a judge's window is given; what others made of a run only once one's own is stored."""

from typing import Final

from evalcore.counting.run_criteria import run_row
from evalcore.judging.answering.excluding import exclusion_of
from evalcore.judging.answering.notes import Note, notes_of
from evalcore.judging.asking.standing import others
from evalcore.judging.model import Task
from evalcore.judging.storing.place import shelf
from evalcore.judging.storing.store import unwritable
from evalcore.views import wording
from evalcore.views.judge_others import opinions
from evalcore.views.judge_queue import end_block, entry_block, entry_of, head_block, resumed
from evalcore.views.judge_task import judged, task_block
from evalcore.views.panel import Block
from pages.parts.address import set_parameters
from pages.parts.judge_acts import Desk
from pages.parts.judge_who import likely_name

MAX_NOTES: Final = 20
MAX_NOTE: Final = 600


def panel_data(desk: Desk) -> Block:
    """Return what the panel draws: the head of the queue, and the run that is open or the end."""
    queue = desk.queue()
    run = resumed(queue, desk.view, last_drafts(desk))
    _note_missed(desk, run)
    if run != desk.view.run:
        desk.view = desk.view.at(run)
    set_parameters(**desk.view.parameters())
    about, receipt = desk.work.receipt
    entry = entry_of(queue, run)
    return {
        "w": f"{desk.choice.workspace} {desk.suite}",
        "judge": desk.judge._asdict() if desk.judge else None,
        "likely": None if desk.judge else likely_name(),
        "unwritable": unwritable(desk.reviews),
        "head": head_block(queue, desk.view, run),
        "receipt": receipt if about == desk.suite else None,
        "task": None
        if entry is None or run is None
        else {**opened(desk, run), **entry_block(entry)},
        "end": end_block(queue, desk.view) if run is None else None,
        "missed": missed_words(desk, run),
        "answer": None,
    }


def _note_missed(desk: Desk, run: str | None) -> None:
    """Remember that the address asked for a run that does not wait here, until another is open."""
    asked = desk.view.run
    if asked is not None and asked != run:
        desk.work.missed = (desk.suite, asked, run)


def missed_words(desk: Desk, run: str | None) -> str | None:
    """Say why not the run of the address is open, as long as the one in its place is."""
    suite, asked, instead = desk.work.missed
    if suite != desk.suite or instead != run:
        return None
    shown = "the next one stands below." if run else "nothing else is left."
    left_out = exclusion_of(shelf(desk.reviews), asked)
    if left_out is None:
        return f"The run in the address is not in this queue; {shown}"
    why = left_out.reason[:MAX_NOTE]
    return f"The run in the address is left out of the rates (“{why}”); {shown}"


def opened(desk: Desk, run: str) -> Block:
    """Describe the run that is open, with what others said once every score of mine is stored."""
    task, records = desk.task(run), shelf(desk.reviews)
    row = run_row(desk.ws, run)
    said = others(desk.ws, run, records, desk.who)
    return {
        **task_block(desk.ws, task, desk.view.file, desk.view.part),
        "column": column_words(row.version, row.configuration),
        "draft": desk.draft(run),
        "others": opinions(task, said, desk.who) if said is not None else {},
        "notes": notes_on(desk, task),
    }


def column_words(version: str | None, configuration: str | None) -> str:
    """Return which version and configuration made a run."""
    return " · ".join(each for each in (version, configuration) if each not in (None, "-"))


def notes_on(desk: Desk, task: Task) -> list[str]:
    """Return the notes on a run; those of others only once it is judged."""
    records = shelf(desk.reviews)
    mine = judged(task)
    told = [
        note_words(note)
        for note in notes_of(records, task.run_id)
        if mine or note.author == desk.who.id
    ]
    return told[-MAX_NOTES:]


def note_words(note: Note) -> str:
    """Return a note with its author and its time."""
    return f"{note.author}, {wording.moment(note.created_at)}: {note.text[:MAX_NOTE]}"


def last_drafts(desk: Desk) -> tuple[str, ...]:
    """Return the runs that this judge began, the one typed at last first."""

    def typed_at(run: str) -> float:
        at = (desk.draft(run) or {}).get("at")
        return at if isinstance(at, int | float) else 0

    return tuple(sorted(desk.drafts(), key=typed_at, reverse=True))
