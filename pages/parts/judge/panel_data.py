"""Data of the judging panel; scores of others only once one's own are stored."""

from typing import Final

from evalcore.counting.run_criteria import run_row
from evalcore.judging.answering.excluding import exclusion_of
from evalcore.judging.answering.notes import Note, notes_of
from evalcore.judging.asking.other_scores import other_scores
from evalcore.judging.limits import LIMITS, shortened
from evalcore.judging.model import Task
from evalcore.judging.queueing.batches import progress_of
from evalcore.judging.storing.names import person
from evalcore.judging.storing.store import unwritable
from evalcore.judging.storing.stored_reviews import load_reviews
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.opinions import opinions
from evalcore.views.judge.queue import end_block, entry_block, entry_of, head_block, resumed
from evalcore.views.judge.task import judged, task_block
from evalcore.views.words import wording
from pages.parts.address import set_parameters
from pages.parts.judge.session import JudgeSession
from pages.parts.judge_name import likely_name

MAX_NOTES: Final = 20
MAX_NOTE: Final = 600


def panel_data(session: JudgeSession) -> PanelData:
    """Return the content of the panel: the head of the queue, and the open run or the end."""
    queue = session.queue()
    run = resumed(queue, session.view, last_drafts(session))
    _note_missed(session, run)
    if run != session.view.run:
        session.view = session.view.at(run)
    set_parameters(**session.parameters())
    about, receipt = session.work.receipt
    entry = entry_of(queue, run)
    if entry is not None and entry.run_id in session.ws.hidden.runs:
        told = session.seen_already(entry.run_id)
        entry = entry._replace(reasons=(*entry.reasons, *told))
    return {
        "w": f"{session.choice.workspace} {session.suite}",
        "judge": session.judge._asdict() if session.judge else None,
        "limits": LIMITS._asdict(),
        "likely": None if session.judge else likely_name(),
        "unwritable": unwritable(session.reviews),
        "head": head_block(queue, session.view, run) | {"batch": progress_words(session)},
        "receipt": receipt if about == session.suite else None,
        "task": None
        if entry is None or run is None
        else {**opened(session, run), **entry_block(entry)},
        "end": end_block(queue, session.view) if run is None else None,
        "missed": missed_words(session, run),
        "answer": None,
    }


def progress_words(session: JudgeSession) -> str:
    """Return how far the judge is with what they judge independently; empty without any."""
    if session.judge is None:
        return ""
    done, of = progress_of(session.ws, session.suite, session.judge)
    return f"{done:,} of {of:,} independently" if of else ""


def _note_missed(session: JudgeSession, run: str | None) -> None:
    """Remember that the run of the address is not in the queue, until another one is open."""
    asked = session.view.run
    if asked is not None and asked != run:
        session.work.missed = (session.suite, asked, run)


def missed_words(session: JudgeSession, run: str | None) -> str | None:
    """Return why the run of the address is not open, as long as its replacement is."""
    suite, asked, instead = session.work.missed
    if suite != session.suite or instead != run:
        return None
    shown = "the next one is shown below." if run else "nothing else is left."
    left_out = exclusion_of(load_reviews(session.reviews), asked)
    if left_out is None:
        return f"The run in the address is not in this queue; {shown}"
    why = shortened(left_out.reason, MAX_NOTE)
    return f"The run in the address is excluded (“{why}”); {shown}"


def opened(session: JudgeSession, run: str) -> PanelData:
    """Describe the open run, with others' scores once the judge's own are complete."""
    task, records = session.task(run), load_reviews(session.reviews)
    row, hidden = run_row(session.whole, run), run in session.ws.hidden.runs
    others = other_scores(session.whole, run, records, session.who)
    return {
        **task_block(session.whole, task, session.view.file, session.view.part),
        "column": "" if hidden else column_words(row.version, row.configuration),
        "reveal": wording.REVEAL if hidden else "",
        "draft": session.draft(run),
        "others": opinions(task, others) if others is not None else {},
        "notes": notes_on(session, task),
    }


def column_words(version: str | None, configuration: str | None) -> str:
    """Return the version and configuration of a run in words."""
    return " · ".join(each for each in (version, configuration) if each not in (None, "-"))


def notes_on(session: JudgeSession, task: Task) -> list[str]:
    """Return the notes on a run; those of others only once it is judged."""
    records = load_reviews(session.reviews)
    mine = judged(task)
    notes = [
        note_words(note)
        for note in notes_of(records, task.run_id)
        if mine or note.author == session.who.id
    ]
    left = len(notes) - MAX_NOTES
    more = [f"{wording.count(left, 'earlier note')}: see the run in Gradings"] if left > 0 else []
    return [*more, *notes[-MAX_NOTES:]]


def note_words(note: Note) -> str:
    """Return a note with its author and its time."""
    by = f"{person(note.author)}, {wording.moment(note.created_at)}"
    return f"{by}: {shortened(note.text, MAX_NOTE)}"


def last_drafts(session: JudgeSession) -> tuple[str, ...]:
    """Return the runs with drafts of this judge, the last edited first."""

    def typed_at(run: str) -> float:
        at = (session.draft(run) or {}).get("at")
        return at if isinstance(at, int | float) else 0

    return tuple(sorted(session.drafts(), key=typed_at, reverse=True))
