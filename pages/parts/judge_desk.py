"""The desk of a judge: one run beside the form for its scores, stored when it is sent."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.judging.storing.place import reviews_of
from evalcore.views.judge_queue import view_of
from evalcore.views.judge_sent import sent_of
from evalcore.views.outputs import load_output
from evalcore.views.panel import Block
from pages.parts.address import ask_for, take_up
from pages.parts.judge_acts import Desk, carried_out
from pages.parts.judge_data import panel_data
from pages.parts.judge_who import here
from pages.parts.judge_work import Work
from pages.parts.kept import kept
from pages.parts.panels.components import draft_kept, drafted, judge_panel, taken
from pages.parts.state import Choice, Seen, seen

_MOVES: Final = frozenset({"go", "filter", "store", "skip", "renew", "undo", "be"})


@st.fragment
def judge_desk(choice: Choice) -> None:
    """Draw the run that is open; what the judge does runs only this part of the page again."""
    found = seen(choice.workspace)
    if found is None or choice.suite is None:
        return
    place, desk = (choice.workspace, choice.suite), _desk(found, choice)
    work = desk.work
    # From here to the answer nothing may be broken off: what is taken is taken once.
    acts = [sent for did in taken() if (sent := sent_of(did)) is not None]
    draft = drafted()
    if not acts and draft and work.shown[0] == place:
        _keep(desk, draft)
        _draw(desk, work.shown[1])
        return
    for sent in acts:
        work.answer = (place, carried_out(desk, sent))
        ask_for(**desk.view.parameters())
    if work.answer[0] != place:
        work.answer = (place, None)
    done = {sent.act for sent in acts}
    if done & _MOVES and not desk.same:
        desk = replace(desk, ws=_newest(found, desk.suite))
    take_up("Judge")
    data = dict(work.shown[1]) if desk.same and work.shown[1] else panel_data(desk)
    work.shown = (place, data)
    data["answer"] = work.answer[1]
    _draw(desk, data)
    if done & {"be", "agreement"}:
        st.rerun(scope="app")


def _desk(found: Seen, choice: Choice) -> Desk:
    ws, suite = found.snapshot.workspace, choice.suite or ""
    view = view_of(st.query_params.to_dict())
    return Desk(ws, suite, reviews_of(ws, suite), here(), view, choice, kept(Work))


def _newest(found: Seen, suite: str) -> Workspace:
    """Return the newest reading, where it still has the suite: one's own scores are no news."""
    newest = found.live.newest.workspace
    if suite not in set(newest.tables.suites["suite"]):
        return found.snapshot.workspace
    found.show_newest()
    return newest


def _keep(desk: Desk, draft: dict[str, Any]) -> None:
    if draft.get("judge") not in (None, desk.who.id):
        return  # typed under another name, which another window of this browser changed
    why = desk.keep(draft)
    desk.work.draft = {"run": draft.get("run"), "at": draft.get("at"), "why": why}


def _draw(desk: Desk, data: Block) -> None:
    judge_panel(data)
    draft_kept(desk.work.draft)
    files = data["task"]["files"] if data.get("task") else []
    path = next((file["path"] for file in files if file["on"] and file["image"]), None)
    image = load_output(desk.ws, path).data if path else None
    if image is not None:
        st.image(image)
