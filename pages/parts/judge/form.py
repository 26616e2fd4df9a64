"""One run next to the form for its scores, which are stored when it is sent."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.judging.asking.names import file_named
from evalcore.views.blocks.base import PanelData
from evalcore.views.files.outputs import load_output
from evalcore.views.judge.messages import parse_message
from evalcore.views.judge.queue import view_of
from pages.parts.address import apply_changes, change_address
from pages.parts.judge.acts import SECTIONS, handle_message
from pages.parts.judge.panel_data import panel_data
from pages.parts.judge.session import JudgeSession, Work
from pages.parts.judge_name import here
from pages.parts.panels.components import confirm_draft, judge_panel, new_acts, new_draft
from pages.parts.session_state import session_object
from pages.parts.state import Choice, ReaderWorkspace, reader_workspace

_MOVES: Final = frozenset({"go", "filter", "store", "skip", "renew", "undo", "be", "reveal"})


@st.fragment
def judge_form(choice: Choice) -> None:
    """Draw the open run; a judge's actions rerun only this part of the page."""
    found = reader_workspace(choice.workspace)
    if found is None or choice.suite is None:
        return
    apply_changes("Judge")  # an act that is sent again comes with the address from before it
    place, session = (choice.workspace, choice.suite), _session(found, choice)
    work = session.work
    # From here to the answer nothing may be broken off: what is taken is taken once.
    acts = [message for did in new_acts() if (message := parse_message(did)) is not None]
    draft = new_draft()
    if not acts and draft and work.shown[0] == place:
        _keep(session, draft)
        if _answered(work):
            _draw(session, work.shown[1])
            return
    for message in acts:
        work.answer = (place, handle_message(session, message))
        change_address(**session.parameters())
    if work.answer[0] != place:
        work.answer = (place, None)
    done = {message.act for message in acts}
    if done & _MOVES and not session.same:
        session = replace(session, ws=_newest(found, session.suite))
    if acts:
        apply_changes("Judge")
    data = dict(work.shown[1]) if session.same and work.shown[1] else panel_data(session)
    work.shown = (place, data)
    data["answer"] = work.answer[1]
    _draw(session, data)
    if done & {"be", *SECTIONS}:
        st.rerun(scope="app")


def _session(found: ReaderWorkspace, choice: Choice) -> JudgeSession:
    ws, suite = found.snapshot.workspace, choice.suite or ""
    view = view_of(st.query_params.to_dict())
    session = JudgeSession(ws, suite, here(), view, choice, session_object(Work))
    if view.run is not None:
        session.view = view._replace(run=session.run_of(view.run))
    return session


def _answered(work: Work) -> bool:
    """Say whether what was drawn last has the answer to the last act."""
    return work.shown[1].get("answer") == work.answer[1]


def _newest(found: ReaderWorkspace, suite: str) -> Workspace:
    """Return the newest snapshot if it still has the suite, as one's own scores are no news."""
    newest = found.newest.workspace
    if suite not in set(newest.tables.suites["suite"]):
        return found.snapshot.workspace
    found.show_newest()
    return newest


def _keep(session: JudgeSession, draft: dict[str, Any]) -> None:
    if draft.get("judge") not in (None, session.who.id):
        return  # typed under another name, which another window of this browser changed
    why = session.keep(draft)
    session.work.draft = {"run": draft.get("run"), "at": draft.get("at"), "why": why}


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
