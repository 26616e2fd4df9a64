"""Handlers for judge-page events; each runs before rendering and returns a reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalcore import Workspace
from evalcore.counting.cells import where
from evalcore.errors import CannotJudge, EvalcoreError, NotAllStored, StaleTask
from evalcore.families.reviews.review import Seen
from evalcore.judging.answering.excluding import exclude, lift
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.submitting import read_back, skip, submit, take_back, undo, unskip
from evalcore.judging.asking.seen import seen_before
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import STATES, Judge, Queue, Task
from evalcore.judging.queueing.queue import queue
from evalcore.judging.queueing.reasons import told_by
from evalcore.judging.storing.drafts import drop, load, runs_with_drafts, save
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.messages import Message, answers_of, draft_of, task_as_shown, typed_before
from evalcore.views.judge.queue import View, entry_of, following
from evalcore.views.judge.receipt import receipt_block, refusal
from evalcore.views.judge.task import judged
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.judge.session import Work
from pages.parts.judge_name import become
from pages.parts.state import Choice
from pages.parts.viewed import shown_here

AGREEMENT: Final = "agreement"
NOBODY: Final = Judge("", "")


@dataclass
class JudgeSession:
    """A judge's session: the suite, its records, and the view of the address.

    `same` says that the screen must stay as it is, although there may be something newer.
    """

    ws: Workspace
    suite: str
    reviews: ReviewFolder
    judge: Judge | None
    view: View
    choice: Choice
    work: Work
    same: bool = False

    @property
    def who(self) -> Judge:
        """The judge, None if no name is set."""
        return self.judge or NOBODY

    def queue(self) -> Queue:
        """Return the current queue of this judge over all runs of the suite."""
        only = self._chosen()
        return queue(self.ws, self.suite, self.who, load_reviews(self.reviews), self.drafts(), only)

    def _chosen(self) -> set[str] | None:
        """Return the runs of the chosen version and configuration; None for all."""
        parts = {"version": self.choice.version, "configuration": self.choice.configuration}
        wanted = {name: value for name, value in parts.items() if value is not None}
        if not wanted:
            return None
        rows = where(self.ws, "runs", suite=self.suite, **wanted)
        return set(self.ws.tables.runs["run_id"].iloc[rows].astype(str))

    def task(self, run: str) -> Task:
        """Return the judging task of a run for this judge."""
        return task(self.ws, run, self.who, load_reviews(self.reviews))

    def seen(self, of: Task) -> list[Seen]:
        """Return what this judge could have seen of a run before, as far as this server knows."""
        entry = entry_of(self.queue(), of.run_id)
        return seen_before(
            self.ws,
            of,
            load_reviews(self.reviews),
            self.who,
            shown_here(self.reviews, self.who),
            told_by(entry.why if entry else ()),
        )

    def drafts(self) -> frozenset[str]:
        """Return the runs for which this judge has a draft."""
        return runs_with_drafts(self.ws.root, self.judge.id) if self.judge else frozenset()

    def draft(self, run: str) -> dict[str, Any] | None:
        """Return this judge's draft for a run."""
        return load(self.ws.root, self.judge.id, run) if self.judge else None

    def keep(self, value: object) -> str | None:
        """Save a draft, or delete it if it is empty; return why that failed."""
        draft = draft_of(value)
        if self.judge is None or not isinstance(value, dict):
            return None
        if draft is None:
            self.forget(str(value.get("run")))
            return None
        try:
            save(self.ws.root, self.judge.id, draft["run"], draft)
        except EvalcoreError as fault:
            return f"The draft is saved in this window only: {fault}"
        return None

    def forget(self, run: str) -> None:
        """Delete the draft for a run."""
        if self.judge is not None:
            drop(self.ws.root, self.judge.id, run)


def handle_message(session: JudgeSession, message: Message) -> PanelData:
    """Handle one message and return the reply; the session's view is the page to show next."""
    act = ACTS.get(message.act)
    if act is None:
        return {
            "seq": message.seq,
            "ok": False,
            "message": "This window is of another version: reload.",
        }
    if message.act != "store" and message.is_of(session.who.id):
        session.keep(message.body.get("draft"))
    try:
        return {"seq": message.seq, "ok": True, "message": "", **act(session, message)}
    except StaleTask as fault:
        session.same = True
        text = "Not stored; what you typed is kept."
        return {
            "seq": message.seq,
            "ok": False,
            "message": text,
            "changed": [str(fault)],
            "renew": True,
        }
    except NotAllStored as fault:
        return {"seq": message.seq, "ok": False, "message": str(fault)}
    except (EvalcoreError, ValueError) as fault:
        return {"seq": message.seq, "ok": False, "message": refusal(fault)}


def _be(session: JudgeSession, message: Message) -> PanelData:
    judge = become(message.text("name"))
    session.judge = judge
    session.work.receipt = (None, None)
    return {"message": f"You judge as {judge.name}; your scores carry {judge.id}."}


def _go(session: JudgeSession, message: Message) -> PanelData:
    to = message.body.get("to")
    session.view = session.view.at(to if isinstance(to, str) else None)
    return {}


def _agreement(session: JudgeSession, message: Message) -> PanelData:  # noqa: ARG001 - an act like the others
    change_address(view=AGREEMENT)
    return {}


def _filter(session: JudgeSession, message: Message) -> PanelData:
    body, view = message.body, session.view
    if "state" in body:
        view = view._replace(state=next((one for one in STATES if one == body["state"]), None))
    if "reason" in body:
        view = view._replace(reason=message.text("reason") or None)
    session.view = view.at(None)
    return {}


def _file(session: JudgeSession, message: Message) -> PanelData:
    file, part = message.body.get("file"), message.body.get("part")
    session.view = session.view._replace(
        file=file if isinstance(file, str) else None, part=part if isinstance(part, int) else 1
    )
    return {}


def _store(session: JudgeSession, message: Message) -> PanelData:
    """Store all answers on the screen, and go on once they were read back from disk."""
    run, judge = _about(session, message)
    now = session.task(run)
    answers = answers_of(now, message.body.get("answers"))
    if not answers:
        raise CannotJudge("No score with a reason arrived.")
    partial = message.body.get("some") is True
    answered = task_as_shown(now, message.body)
    receipts = submit(session.ws, answered, answers, judge, partial=partial, seen=session.seen(now))
    stored = read_back(session.reviews, receipts)
    session.work.receipt = (
        session.suite,
        receipt_block(answered, receipts, stored, corrected=judged(now)),
    )
    done = not partial or judged(session.task(run))
    if done:
        session.forget(run)
    if done and not judged(now):
        session.view = session.view.at(following(session.queue(), session.view, run))
    return {}


def _undo(session: JudgeSession, message: Message) -> PanelData:
    """Withdraw the scores of one receipt, or all scores of a run; they become a draft."""
    run, judge = _about(session, message)
    was = session.task(run)
    of = message.body.get("of")
    if isinstance(of, list):
        receipts = undo(session.ws, run, judge, [name for name in of if isinstance(name, str)])
    else:
        receipts = take_back(session.ws, run, judge)
    now = session.task(run)
    if not judged(now):
        session.keep(typed_before(was, now, message.body.get("at")))
    session.work.receipt = (None, None)
    session.view = session.view.at(run)
    what = wording.count(len(receipts), "score")
    if judged(now):
        return {"message": f"Undone: {what} as before."}
    return {"message": f"Taken back: {what}. What you typed is a draft again."}


def _skip(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    name = session.task(run).name
    skip(session.ws, run, judge, message.text("reason"))
    session.view = session.view.at(following(session.queue(), session.view, run))
    return {"message": f"Skipped {name}; it waits under “skipped”."}


def _unskip(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    unskip(session.ws, run, judge)
    session.view = session.view.at(run)
    return {"message": "It waits for your scores again."}


def _note(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    return {"message": _noted(session, run, message.text("text"), judge)}


def _suite_note(session: JudgeSession, message: Message) -> PanelData:
    return {"message": _noted(session, None, message.text("text"), _judge(session, message))}


def _noted(session: JudgeSession, run: str | None, text: str, judge: Judge) -> str:
    """Store a note; repeating the same words, as after a lost answer, stores it once."""
    if not text.strip():
        raise CannotJudge("The note is empty.")
    name = session.work.notes.setdefault((session.suite, run, text), new_id())
    receipt = add_note(session.ws, session.suite, run, text, judge, submission=name)
    what = "run" if run else "suite"
    return f"Your note on the {what} is stored: {receipt.path}"


def _exclude(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    name = session.task(run).name
    receipt = exclude(session.ws, run, message.text("reason"), judge)
    session.view = session.view.at(following(session.queue(), session.view, run))
    text = f"{name} is out of all rates, and stays visible in Gradings ({receipt.path})."
    return {"message": text, "lift": run}


def _lift(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    lift(session.ws, run, judge)
    return {"message": f"{session.task(run).name} counts in the rates again."}


def _drop(session: JudgeSession, message: Message) -> PanelData:
    run, _ = _about(session, message)
    session.forget(run)
    return {"message": "What you typed is gone; your stored scores stand."}


def _about(session: JudgeSession, message: Message) -> tuple[str, Judge]:
    if message.run is None:
        raise CannotJudge("The window did not say which run it is about.")
    return message.run, _judge(session, message)


def _judge(session: JudgeSession, message: Message) -> Judge:
    """Return the judge; another tab of the same browser may have set another name."""
    if session.judge is None:
        raise CannotJudge("Say your name first.")
    if not message.is_of(session.judge.id):
        raise CannotJudge(
            "This window judged under another name; this browser judges as "
            f"{session.judge.id} now. What you typed is kept: change the name back to store it."
        )
    return session.judge


ACTS: Final[Mapping[str, Callable[[JudgeSession, Message], PanelData]]] = {
    "be": _be,
    "agreement": _agreement,
    "go": _go,
    "filter": _filter,
    "file": _file,
    "renew": _go,
    "store": _store,
    "undo": _undo,
    "skip": _skip,
    "unskip": _unskip,
    "note": _note,
    "suite-note": _suite_note,
    "exclude": _exclude,
    "lift": _lift,
    "drop": _drop,
}
