"""Handlers for judge-page events; each runs before rendering and returns a reply."""

from collections.abc import Callable, Mapping
from typing import Final

from evalcore.errors import CannotJudge, EvalcoreError, NotAllStored, StaleTask
from evalcore.judging.answering.excluding import exclude, lift
from evalcore.judging.answering.independent import reveal
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.submitting import read_back, skip, submit, take_back, undo, unskip
from evalcore.judging.hiding import workspace_for
from evalcore.judging.model import STATES, Judge
from evalcore.judging.storing.store import new_id
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.messages import Message, answers_of, task_as_shown, typed_before
from evalcore.views.judge.queue import following
from evalcore.views.judge.receipt import receipt_block, refusal
from evalcore.views.judge.task import judged
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.judge.answered import write_answered
from pages.parts.judge.session import JudgeSession
from pages.parts.judge_name import become

SECTIONS: Final = ("agreement", "trust")
"""The acts that lead to another section of the page, each named like it."""


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
    session.ws = workspace_for(session.whole, judge)
    session.work.receipt = (None, None)
    return {"message": f"You judge as {judge.name}; your scores are stored as {judge.id}."}


def _go(session: JudgeSession, message: Message) -> PanelData:
    to = message.body.get("to")
    session.view = session.view.at(session.run_of(to) if isinstance(to, str) else None)
    return {}


def _section(session: JudgeSession, message: Message) -> PanelData:  # noqa: ARG001 - an act like the others
    change_address(view=message.act)
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
    receipts = submit(
        session.whole, answered, answers, judge, partial=partial, seen=session.seen(now)
    )
    stored = read_back(session.reviews, receipts)
    session.work.receipt = (
        session.suite,
        receipt_block(answered, receipts, stored, corrected=judged(now)),
    )
    written = write_answered(session.whole.root, run)
    done = not partial or judged(session.task(run))
    if done:
        session.forget(run)
    if done and not judged(now):
        session.view = session.view.at(following(session.queue(), session.view, run))
    return {"message": written}


def _undo(session: JudgeSession, message: Message) -> PanelData:
    """Withdraw the scores of one receipt, or all scores of a run; they become a draft."""
    run, judge = _about(session, message)
    was = session.task(run)
    of = message.body.get("of")
    if isinstance(of, list):
        receipts = undo(session.whole, run, judge, [name for name in of if isinstance(name, str)])
    else:
        receipts = take_back(session.whole, run, judge)
    now = session.task(run)
    if not judged(now):
        session.keep(typed_before(was, now, message.body.get("at")))
    session.work.receipt = (None, None)
    session.view = session.view.at(run)
    what = wording.count(len(receipts), "score")
    if judged(now):
        return {"message": f"Undone: {what} as before."}
    return {"message": f"Withdrawn: {what}. What you typed is a draft again."}


def _skip(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    name = session.task(run).name
    skip(session.whole, run, judge, message.text("reason"))
    session.view = session.view.at(following(session.queue(), session.view, run))
    return {"message": f"Skipped {name}; it waits under “skipped”."}


def _unskip(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    unskip(session.whole, run, judge)
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
    receipt = add_note(session.whole, session.suite, run, text, judge, submission=name)
    what = "run" if run else "suite"
    return f"Your note on the {what} is stored: {receipt.path}"


def _exclude(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    name = session.task(run).name
    receipt = exclude(session.whole, run, message.text("reason"), judge)
    session.view = session.view.at(following(session.queue(), session.view, run))
    text = f"Excluded: {name} counts in no rate; it stays visible in Gradings ({receipt.path})."
    return {"message": text, "lift": run}


def _lift(session: JudgeSession, message: Message) -> PanelData:
    run, judge = _about(session, message)
    lift(session.whole, run, judge)
    return {"message": f"{session.task(run).name} counts in the rates again."}


def _reveal(session: JudgeSession, message: Message) -> PanelData:
    """Give up judging a run independently: from now on it is shown like any other."""
    run, judge = _about(session, message)
    reveal(session.whole, run, judge)
    session.view = session.view.at(run)
    return {"message": "It is shown like any other run now. That you gave it up is on record."}


def _drop(session: JudgeSession, message: Message) -> PanelData:
    run, _ = _about(session, message)
    session.forget(run)
    return {"message": "What you typed was discarded; your stored scores stand."}


def _about(session: JudgeSession, message: Message) -> tuple[str, Judge]:
    if message.run is None:
        raise CannotJudge("The window did not say which run it is about.")
    return session.run_of(message.run), _judge(session, message)


def _judge(session: JudgeSession, message: Message) -> Judge:
    """Return the judge; another tab of the same browser may have set another name."""
    if session.judge is None:
        raise CannotJudge("Enter your name first.")
    if not message.is_of(session.judge.id):
        raise CannotJudge(
            "This window judged under another name; this browser judges as "
            f"{session.judge.id} now. What you typed is kept: change the name back to store it."
        )
    return session.judge


ACTS: Final[Mapping[str, Callable[[JudgeSession, Message], PanelData]]] = {
    "be": _be,
    **dict.fromkeys(SECTIONS, _section),
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
    "reveal": _reveal,
}
