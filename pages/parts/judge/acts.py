"""Handlers for judge-page events; each runs before rendering and returns a reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalcore import Workspace
from evalcore.counting.cells import where
from evalcore.errors import CannotJudge, EvalcoreError, NotAllStored, StaleTask
from evalcore.judging.answering.excluding import exclude, lift
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.submitting import read_back, skip, submit, take_back, undo, unskip
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import STATES, Judge, Queue, Task
from evalcore.judging.queueing.queue import queue
from evalcore.judging.storing.drafts import drop, load, runs_with_drafts, save
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.messages import Sent, answers_of, as_seen, draft_of, typed_before
from evalcore.views.judge.queue import View, following
from evalcore.views.judge.receipt import receipt_block
from evalcore.views.judge.task import judged
from evalcore.views.words import wording
from pages.parts.address import ask_for
from pages.parts.judge.session import Work
from pages.parts.judge_name import become
from pages.parts.state import Choice

AGREEMENT: Final = "agreement"
NOBODY: Final = Judge("", "")


@dataclass
class JudgeSession:
    """Where a judge works: the suite, its records, and what the address asks for.

    `same` says that what is on the screen must stay, although there may be something newer.
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
        """Return all runs of the suite as they wait for this judge now."""
        only = self._chosen()
        return queue(self.ws, self.suite, self.who, load_reviews(self.reviews), self.drafts(), only)

    def _chosen(self) -> set[str] | None:
        """Return the runs of the version and configuration that are chosen; None for all."""
        parts = {"version": self.choice.version, "configuration": self.choice.configuration}
        wanted = {name: value for name, value in parts.items() if value is not None}
        if not wanted:
            return None
        rows = where(self.ws, "runs", suite=self.suite, **wanted)
        return set(self.ws.tables.runs["run_id"].iloc[rows].astype(str))

    def task(self, run: str) -> Task:
        """Return a run as this judge may see it now."""
        return task(self.ws, run, self.who, load_reviews(self.reviews))

    def drafts(self) -> frozenset[str]:
        """Return the runs that this judge began."""
        return runs_with_drafts(self.ws.root, self.judge.id) if self.judge else frozenset()

    def draft(self, run: str) -> dict[str, Any] | None:
        """Return what this judge typed for a run and did not store."""
        return load(self.ws.root, self.judge.id, run) if self.judge else None

    def keep(self, value: object) -> str | None:
        """Keep what was typed, and forget it where all was erased; return why that failed."""
        draft = draft_of(value)
        if self.judge is None or not isinstance(value, dict):
            return None
        if draft is None:
            self.forget(str(value.get("run")))
            return None
        try:
            save(self.ws.root, self.judge.id, draft["run"], draft)
        except EvalcoreError as fault:
            return f"The draft is kept in this window only: {fault}"
        return None

    def forget(self, run: str) -> None:
        """Forget what was typed for a run."""
        if self.judge is not None:
            drop(self.ws.root, self.judge.id, run)


def carried_out(session: JudgeSession, sent: Sent) -> PanelData:
    """Handle one message and return the reply; the session's view is the page to show next."""
    act = ACTS.get(sent.act)
    if act is None:
        return {"seq": sent.seq, "ok": False, "said": "This window is of another version: reload."}
    if sent.act != "store" and sent.is_of(session.who.id):
        session.keep(sent.body.get("draft"))
    try:
        return {"seq": sent.seq, "ok": True, "said": "", **act(session, sent)}
    except StaleTask as fault:
        session.same = True
        said = "Not stored; what you typed is kept."
        return {"seq": sent.seq, "ok": False, "said": said, "changed": [str(fault)], "renew": True}
    except NotAllStored as fault:
        return {"seq": sent.seq, "ok": False, "said": str(fault)}
    except (EvalcoreError, ValueError) as fault:
        return {"seq": sent.seq, "ok": False, "said": f"Nothing was stored. {fault}"}


def _be(session: JudgeSession, sent: Sent) -> PanelData:
    judge = become(sent.text("name"))
    session.judge = judge
    session.work.receipt = (None, None)
    return {"said": f"You judge as {judge.name}; your scores carry {judge.id}."}


def _go(session: JudgeSession, sent: Sent) -> PanelData:
    to = sent.body.get("to")
    session.view = session.view.at(to if isinstance(to, str) else None)
    return {}


def _agreement(session: JudgeSession, sent: Sent) -> PanelData:  # noqa: ARG001 - an act like the others
    ask_for(view=AGREEMENT)
    return {}


def _filter(session: JudgeSession, sent: Sent) -> PanelData:
    body, view = sent.body, session.view
    if "state" in body:
        view = view._replace(state=next((one for one in STATES if one == body["state"]), None))
    if "reason" in body:
        view = view._replace(reason=sent.text("reason") or None)
    session.view = view.at(None)
    return {}


def _file(session: JudgeSession, sent: Sent) -> PanelData:
    file, part = sent.body.get("file"), sent.body.get("part")
    session.view = session.view._replace(
        file=file if isinstance(file, str) else None, part=part if isinstance(part, int) else 1
    )
    return {}


def _store(session: JudgeSession, sent: Sent) -> PanelData:
    """Store all that was on the screen, and go on once it was read back from the disk."""
    run, judge = _about(session, sent)
    now = session.task(run)
    answers = answers_of(now, sent.body.get("answers"))
    if not answers:
        raise CannotJudge("No score with a reason arrived.")
    partial = sent.body.get("some") is True
    seen = as_seen(now, sent.body)
    receipts = submit(session.ws, seen, answers, judge, partial=partial)
    stored = read_back(session.reviews, receipts)
    session.work.receipt = (
        session.suite,
        receipt_block(seen, receipts, stored, corrected=judged(now)),
    )
    done = not partial or judged(session.task(run))
    if done:
        session.forget(run)
    if done and not judged(now):
        session.view = session.view.at(following(session.queue(), session.view, run))
    return {}


def _undo(session: JudgeSession, sent: Sent) -> PanelData:
    """Take back what one receipt stands for, or all that is said of a run; it becomes a draft."""
    run, judge = _about(session, sent)
    was = session.task(run)
    of = sent.body.get("of")
    if isinstance(of, list):
        receipts = undo(session.ws, run, judge, [name for name in of if isinstance(name, str)])
    else:
        receipts = take_back(session.ws, run, judge)
    now = session.task(run)
    if not judged(now):
        session.keep(typed_before(was, now, sent.body.get("at")))
    session.work.receipt = (None, None)
    session.view = session.view.at(run)
    what = wording.count(len(receipts), "score")
    if judged(now):
        return {"said": f"Undone: {what} as before."}
    return {"said": f"Taken back: {what}. What you typed is a draft again."}


def _skip(session: JudgeSession, sent: Sent) -> PanelData:
    run, judge = _about(session, sent)
    name = session.task(run).name
    skip(session.ws, run, judge, sent.text("reason"))
    session.view = session.view.at(following(session.queue(), session.view, run))
    return {"said": f"Skipped {name}; it waits under “skipped”."}


def _unskip(session: JudgeSession, sent: Sent) -> PanelData:
    run, judge = _about(session, sent)
    unskip(session.ws, run, judge)
    session.view = session.view.at(run)
    return {"said": "It waits for your scores again."}


def _note(session: JudgeSession, sent: Sent) -> PanelData:
    run, judge = _about(session, sent)
    return {"said": _noted(session, run, sent.text("text"), judge)}


def _suite_note(session: JudgeSession, sent: Sent) -> PanelData:
    return {"said": _noted(session, None, sent.text("text"), _judge(session, sent))}


def _noted(session: JudgeSession, run: str | None, text: str, judge: Judge) -> str:
    """Store a note; the same words once more, as after a lost answer, are the same note."""
    if not text.strip():
        raise CannotJudge("The note is empty.")
    name = session.work.notes.setdefault((session.suite, run, text), new_id())
    receipt = add_note(session.ws, session.suite, run, text, judge, submission=name)
    what = "run" if run else "suite"
    return f"Your note on the {what} is stored: {receipt.path}"


def _exclude(session: JudgeSession, sent: Sent) -> PanelData:
    run, judge = _about(session, sent)
    name = session.task(run).name
    receipt = exclude(session.ws, run, sent.text("reason"), judge)
    session.view = session.view.at(following(session.queue(), session.view, run))
    said = f"{name} is out of all rates, and stays visible in Gradings ({receipt.path})."
    return {"said": said, "lift": run}


def _lift(session: JudgeSession, sent: Sent) -> PanelData:
    run, judge = _about(session, sent)
    lift(session.ws, run, judge)
    return {"said": f"{session.task(run).name} counts in the rates again."}


def _drop(session: JudgeSession, sent: Sent) -> PanelData:
    run, _ = _about(session, sent)
    session.forget(run)
    return {"said": "What you typed is gone; your stored scores stand."}


def _about(session: JudgeSession, sent: Sent) -> tuple[str, Judge]:
    if sent.run is None:
        raise CannotJudge("The window did not say which run it is about.")
    return sent.run, _judge(session, sent)


def _judge(session: JudgeSession, sent: Sent) -> Judge:
    """Return who judges; another window of the same browser may have said another name."""
    if session.judge is None:
        raise CannotJudge("Say your name first.")
    if not sent.is_of(session.judge.id):
        raise CannotJudge(
            "This window judged under another name; this browser judges as "
            f"{session.judge.id} now. What you typed is kept: change the name back to store it."
        )
    return session.judge


ACTS: Final[Mapping[str, Callable[[JudgeSession, Sent], PanelData]]] = {
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
