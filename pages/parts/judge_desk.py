"""The desk of a judge: one run beside the form for its scores, stored when it is sent."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.judging.storing.place import reviews_of
from evalcore.views.judge_queue import view_of
from evalcore.views.judge_sent import Sent, sent_of
from evalcore.views.outputs import load_output
from evalcore.views.panel import Block
from pages.parts.judge_acts import Desk, carried_out
from pages.parts.judge_data import panel_data
from pages.parts.judge_who import here
from pages.parts.panels.components import draft_kept, drafted, judge_panel, taken
from pages.parts.state import Choice, Seen, seen, set_parameters

_SHOWN: Final = "judge-shown"
_ANSWER: Final = "judge-answer"
_KEPT: Final = "judge-draft"
_MOVES: Final = frozenset({"go", "filter", "store", "skip", "renew", "undo", "be"})


@st.fragment
def judge_desk(choice: Choice) -> None:
    """Draw the run that is open; what the judge does runs only this part of the page again."""
    found = seen(choice.workspace)
    if found is None or choice.suite is None:
        return
    place = (choice.workspace, choice.suite)
    sent, draft = sent_of(taken()), drafted()
    shown = st.session_state.get(_SHOWN)
    if sent is None and draft and shown is not None and shown[0] == place:
        _keep(_desk(found, choice), draft)
        _draw(found.snapshot.workspace, shown[1])
        return
    desk, answer = _answered(found, choice, sent)
    data = dict(shown[1]) if desk.same and shown else panel_data(desk)
    st.session_state[_SHOWN] = (place, data)
    if answer is not None or st.session_state.get(_ANSWER, (place,))[0] != place:
        st.session_state[_ANSWER] = (place, answer)
    data["answer"] = st.session_state.get(_ANSWER, (place, None))[1]
    _draw(desk.ws, data)
    if sent is not None and sent.act in ("be", "agreement"):
        st.rerun(scope="app")


def _desk(found: Seen, choice: Choice) -> Desk:
    ws, suite = found.snapshot.workspace, choice.suite or ""
    view = view_of(st.query_params.to_dict())
    return Desk(ws, suite, reviews_of(ws, suite), here(), view, choice)


def _answered(found: Seen, choice: Choice, sent: Sent | None) -> tuple[Desk, Block | None]:
    """Carry out what was sent, and look at the newest reading where a run is left for another."""
    desk = _desk(found, choice)
    if sent is None:
        return desk, None
    answer = carried_out(desk, sent)
    if sent.act in _MOVES and not desk.same:
        desk = replace(desk, ws=_newest(found, desk.suite))
    set_parameters(**desk.view.parameters())
    return desk, answer


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
    kept = {"run": draft.get("run"), "at": draft.get("at"), "why": why}
    st.session_state[_KEPT] = kept


def _draw(ws: Workspace, data: Block) -> None:
    judge_panel(data)
    draft_kept(st.session_state.get(_KEPT, {"run": None}))
    files = data["task"]["files"] if data.get("task") else []
    path = next((file["path"] for file in files if file["on"] and file["image"]), None)
    image = load_output(ws, path).data if path else None
    if image is not None:
        st.image(image)
