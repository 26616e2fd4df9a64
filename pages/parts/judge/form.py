"""One run next to the form for its scores: what a judge does with it, and what is shown then."""

from dataclasses import replace
from typing import Final

import streamlit as st

from evalcore.comparing.sides import default_sides
from evalcore.counting.run_criteria import run_row
from evalcore.errors import CannotJudge, EvalcoreError, NotAllStored, StaleTask
from evalcore.judging.answering.excluding import exclude, exclusion_of, lift
from evalcore.judging.answering.independent import reveal
from evalcore.judging.answering.notes import add_note, notes_of
from evalcore.judging.answering.submitting import skip, take_back, undo, unskip
from evalcore.judging.asking.names import file_named
from evalcore.judging.asking.other_scores import other_scores
from evalcore.judging.hiding import workspace_for
from evalcore.judging.limits import LIMITS, shortened
from evalcore.judging.model import Judge
from evalcore.judging.queueing.batches import progress_of
from evalcore.judging.storing.names import person
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import load_reviews
from evalcore.views.blocks.base import PanelData
from evalcore.views.files.outputs import load_output
from evalcore.views.first_steps import first_steps
from evalcore.views.judge.messages import answers_of, is_of, text_in, typed_before
from evalcore.views.judge.opinions import opinions
from evalcore.views.judge.queue import View, end_block, entry_of, following, head_block, resumed
from evalcore.views.judge.receipt import receipt_block, refusal
from evalcore.views.judge.task import task_block
from evalcore.views.words import wording
from pages.parts.address import apply_changes, change_address, set_parameters
from pages.parts.first_steps import draw_steps
from pages.parts.judge.session import JudgeSession, Work, write_answered
from pages.parts.judge_name import become, here, likely_name
from pages.parts.links import go_to_page
from pages.parts.own_acts import stored_for_later, stored_here
from pages.parts.panels.components import Did, confirm_draft, judge_panel, new_acts, new_draft
from pages.parts.session_state import session_object
from pages.parts.state import Choice, reader_workspace

SECTIONS: Final = ("agreement", "trust")
"""The acts that lead to another section of the page, each named like it."""
MAX_NUMBER: Final = 100
MAX_REASONS: Final = 6
MAX_NOTES: Final = 20
MAX_NOTE: Final = 600
_LOOKS: Final = frozenset({"go", "filter", "file", "renew", "be", *SECTIONS})
_MOVES: Final = frozenset({"go", "filter", "store", "skip", "renew", "undo", "be", "reveal"})


@st.fragment
def judge_form(choice: Choice) -> None:
    """Draw the open run; a judge's actions rerun only this part of the page."""
    found = reader_workspace(choice.workspace)
    if found is None or choice.suite is None:
        return
    apply_changes("Judge")  # an act that is sent again comes with the address from before it
    place, work = (choice.workspace, choice.suite), session_object(Work)
    view = View.of(st.query_params.to_dict())
    session = JudgeSession(found.snapshot.workspace, choice.suite, here(), view, choice, work)
    if view.run is not None:
        session.view = replace(view, run=session.run_of(view.run))
    # From here to the answer nothing may be broken off: what is taken is taken once.
    acts = [did for did in new_acts() if isinstance(did.get("act"), str)]
    draft = new_draft()
    if not acts and draft and work.shown[0] == place:
        if draft.get("judge") in (None, session.who.id):  # not under the name in another window
            why = session.keep(draft)
            work.draft = {"run": draft.get("run"), "at": draft.get("at"), "why": why}
        if work.shown[1].get("answer") == work.answer[1]:  # the last act is answered on screen
            _draw(session, work.shown[1])
            return
    for did in acts:
        work.answer = (place, reply_to(session, did))
        change_address(**session.parameters())
    if work.answer[0] != place:
        work.answer = (place, None)
    done = {did["act"] for did in acts}
    if done & _MOVES and not session.same:
        newest = found.newest.workspace
        if choice.suite in set(newest.tables.suites["suite"]):
            found.show_newest()  # one's own scores are no news
            session = replace(session, ws=newest)
    if acts:
        apply_changes("Judge")
    data = dict(work.shown[1]) if session.same and work.shown[1] else panel_data(session)
    work.shown = (place, data)
    data["answer"] = work.answer[1]
    if done - _LOOKS:  # the last score of all is on the page at once, others on the next page
        (stored_here if data["task"] is None else stored_for_later)()
    _draw(session, data)
    if data["task"] is None:
        _next_step(session)
    if done & {"be", *SECTIONS}:
        st.rerun(scope="app")


def _next_step(session: JudgeSession) -> None:
    """Draw what follows once nothing is left to judge: the comparison, or what leads to one."""
    ws, suite, query = session.ws, session.suite, session.choice.query
    sides = default_sides(ws, suite)
    if sides is None:
        draw_steps(first_steps(ws, suite), query)
    elif st.button("Compare the newest versions", key="judge-compare", shortcut="n"):
        a, b = (side.column.key for side in sides)
        go_to_page(session.choice, "compare", v=None, c=None, a=a, b=b)


def _draw(session: JudgeSession, data: PanelData) -> None:
    data = session.aliased(data)
    judge_panel(data)
    confirm_draft(session.work.draft)
    task = data.get("task") or {"files": []}
    name = next((file["name"] for file in task["files"] if file["on"] and file["image"]), None)
    path = file_named(session.task(session.run_of(task["run"])).files, name) if name else None
    image = load_output(session.whole, path).data if path else None
    if image is not None:
        st.image(image)


def reply_to(session: JudgeSession, did: Did) -> PanelData:
    """Do one act and return the reply to it; the session's view is what to show next."""
    if did["act"] != "store" and is_of(did, session.who.id):
        session.keep(did.get("draft"))
    reply: PanelData = {"seq": text_in(did, "seq")[:MAX_NUMBER], "ok": True, "message": ""}
    try:
        reply |= _do(session, did)
    except StaleTask as fault:
        session.same = True
        text = "Not stored; what you typed is kept."
        reply |= {"ok": False, "message": text, "changed": [str(fault)], "renew": True}
    except NotAllStored as fault:
        reply |= {"ok": False, "message": str(fault)}
    except (EvalcoreError, ValueError) as fault:
        reply |= {"ok": False, "message": refusal(fault)}
    return reply


def _do(session: JudgeSession, did: Did) -> PanelData:
    """Do one act; return what the reply says of it beside the usual."""
    view, whole = session.view, session.whole
    match did["act"]:
        case "be":
            judge = become(text_in(did, "name"))
            session.judge, session.ws = judge, workspace_for(whole, judge)
            session.work.receipt = (None, None)
            as_whom = f"You judge as {judge.name}; your scores are stored as {judge.id}."
            return {"message": as_whom}
        case "go" | "renew":
            to = did.get("to")
            session.view = view.at(session.run_of(to) if isinstance(to, str) else None)
        case "filter":
            asked = {name: text_in(did, name) for name in ("state", "reason") if name in did}
            session.view = View.of(view.parameters() | asked).at(None)
        case "file":
            which = {"file": text_in(did, "file"), "part": str(did.get("part"))}
            session.view = View.of(view.parameters() | which)
        case section if section in SECTIONS:
            change_address(view=section)
        case "store":
            return store_scores(session, did)
        case "undo":
            return withdraw_scores(session, did)
        case "note" | "suite-note":
            return store_note(session, did)
        case "skip":
            run, judge = _about(session, did)
            name = session.task(run).name
            skip(whole, run, judge, text_in(did, "reason"))
            session.view = view.at(following(session.queue(), view, run))
            return {"message": f"Skipped {name}; it waits under “skipped”."}
        case "unskip":
            run, judge = _about(session, did)
            unskip(whole, run, judge)
            session.view = view.at(run)
            return {"message": "It waits for your scores again."}
        case "exclude":
            run, judge = _about(session, did)
            name = session.task(run).name
            receipt = exclude(whole, run, text_in(did, "reason"), judge)
            session.view = view.at(following(session.queue(), view, run))
            stays = f"it stays visible in Gradings ({receipt.path})."
            return {"message": f"Excluded: {name} counts in no rate; {stays}", "lift": run}
        case "lift":
            run, judge = _about(session, did)
            lift(whole, run, judge)
            return {"message": f"{session.task(run).name} counts in the rates again."}
        case "reveal":
            run, judge = _about(session, did)
            reveal(whole, run, judge)
            session.view = view.at(run)
            on_record = "It is shown like any other run now. That you gave it up is on record."
            return {"message": on_record}
        case "drop":
            session.forget(_about(session, did)[0])
            return {"message": "What you typed was discarded; your stored scores stand."}
        case _:
            return {"ok": False, "message": "This window is of another version: reload."}
    return {}


def store_scores(session: JudgeSession, did: Did) -> PanelData:
    """Store all answers on the screen, and go on once they were read back from disk."""
    run, _ = _about(session, did)
    now = session.task(run)
    answers, partial = answers_of(now, did.get("answers")), did.get("some") is True
    if not answers:
        raise CannotJudge("No score arrived.")
    stored = session.store(now, did, answers, partial=partial)
    session.work.receipt = (session.suite, receipt_block(*stored, corrected=now.judged))
    written = write_answered(session.whole.root, run)
    done = not partial or session.task(run).judged
    if done:
        session.forget(run)
    if done and not now.judged:
        session.view = session.view.at(following(session.queue(), session.view, run))
    return {"message": written}


def withdraw_scores(session: JudgeSession, did: Did) -> PanelData:
    """Withdraw the scores of one receipt, or all scores of a run; they become a draft."""
    run, judge = _about(session, did)
    was, of = session.task(run), did.get("of")
    if isinstance(of, list):
        receipts = undo(session.whole, run, judge, [name for name in of if isinstance(name, str)])
    else:
        receipts = take_back(session.whole, run, judge)
    now = session.task(run)
    session.work.receipt = (None, None)
    session.view = session.view.at(run)
    what = wording.count(len(receipts), "score")
    if now.judged:
        return {"message": f"Undone: {what} as before."}
    session.keep(typed_before(was, now, did.get("at")))
    return {"message": f"Withdrawn: {what}. What you typed is a draft again."}


def store_note(session: JudgeSession, did: Did) -> PanelData:
    """Store a note; repeating the same words, as after a lost answer, stores it once."""
    of_run = did["act"] == "note"
    run, judge = _about(session, did) if of_run else (None, _judge(session, did))
    text, suite = text_in(did, "text"), session.suite
    if not text.strip():
        raise CannotJudge("The note is empty.")
    name = session.work.notes.setdefault((suite, run, text), new_id())
    receipt = add_note(session.whole, suite, run, text, judge, submission=name)
    of = "run" if of_run else "suite"
    return {"message": f"Your note on the {of} is stored: {receipt.path}"}


def _about(session: JudgeSession, did: Did) -> tuple[str, Judge]:
    """Return the run that a message is about, and its judge."""
    run = did.get("run")
    if not isinstance(run, str):
        raise CannotJudge("The window did not say which run it is about.")
    return session.run_of(run), _judge(session, did)


def _judge(session: JudgeSession, did: Did) -> Judge:
    """Return the judge; another tab of the same browser may have set another name."""
    if session.judge is None:
        raise CannotJudge("Enter your name first.")
    if not is_of(did, session.judge.id):
        raise CannotJudge(
            "This window judged under another name; this browser judges as "
            f"{session.judge.id} now. What you typed is kept: change the name back to store it."
        )
    return session.judge


def panel_data(session: JudgeSession) -> PanelData:
    """Return the content of the panel: the head of the queue, and the open run or the end."""
    queue, asked = session.queue(), session.view.run

    def typed_at(run: str) -> float:
        at = (session.draft(run) or {}).get("at")
        return at if isinstance(at, int | float) else 0

    drafts = tuple(sorted(session.drafts(), key=typed_at, reverse=True))
    run = resumed(queue, session.view, drafts)
    if asked not in (None, run):
        session.work.missed = (session.suite, asked, run)
    if run != asked:
        session.view = session.view.at(run)
    set_parameters(**session.parameters())
    about, receipt = session.work.receipt
    task, end = None, None
    entry = entry_of(queue, run)
    if run is None:
        end = end_block(queue, session.view)
    elif entry is not None:
        if run in session.ws.hidden.runs:
            entry = entry._replace(reasons=(*entry.reasons, *session.seen_already(run)))
        task = opened(session, run) | {"state": entry.state, "reasons": entry.reasons[:MAX_REASONS]}
    batch = ""
    if session.judge is not None:
        done, of = progress_of(session.ws, session.suite, session.judge)
        batch = f"{done:,} of {of:,} independently" if of else ""
    return {
        "w": f"{session.choice.workspace} {session.suite}",
        "judge": session.judge._asdict() if session.judge else None,
        "limits": LIMITS._asdict(),
        "likely": None if session.judge else likely_name(),
        "unwritable": unwritable(session.reviews),
        "head": head_block(queue, session.view, run) | {"batch": batch},
        "receipt": receipt if about == session.suite else None,
        "task": task,
        "end": end,
        "missed": missed_words(session, run),
        "answer": None,
    }


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
    others = other_scores(session.whole, task, records, session.who)
    column = " · ".join(
        each for each in (row.version, row.configuration) if each not in (None, "-")
    )
    mine = task.judged  # notes of others are shown once it is
    notes = [
        f"{person(note.author)}, {wording.moment(note.created_at)}: "
        f"{shortened(note.text, MAX_NOTE)}"
        for note in notes_of(records, run)
        if mine or note.author == session.who.id
    ]
    left = len(notes) - MAX_NOTES
    more = [f"{wording.count(left, 'earlier note')}: see the run in Gradings"] if left > 0 else []
    return {
        **task_block(session.whole, task, session.view.file, session.view.part),
        "column": "" if hidden else column,
        "reveal": wording.REVEAL if hidden else "",
        "draft": session.draft(run),
        "others": opinions(task, others) if others is not None else {},
        "notes": [*more, *notes[-MAX_NOTES:]],
    }
