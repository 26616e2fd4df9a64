"""One run: followed while it goes on, with the buttons that stop it or go on with it."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from evalcore.engine.activity import activities
from evalcore.engine.progress import State
from evalcore.engine.store import RunFolder
from evalcore.errors import EvalcoreError
from evalcore.views.blocks.page import Links
from evalcore.views.runs.again import (
    again,
    can_go_on,
    can_retry,
    next_links,
    outputs_by_model,
)
from evalcore.views.runs.detail import head_blocks, journal_blocks, runs_blocks, written_blocks
from evalcore.views.runs.listing import listing_blocks
from evalcore.views.runs.model_blocks import (
    analysis_blocks,
    failure_blocks,
    model_blocks,
    step_blocks,
)
from evalcore.workspace.opened import Workspace
from pages.parts.links import go_to_page
from pages.parts.own_acts import start_here, stored_here
from pages.parts.panels.components import grades_panel, sheet_panel
from pages.parts.session_state import session_object
from pages.parts.state import Choice

TICK_SECONDS: Final = 1.0
_GOING_ON: Final = ("running", "planned")


class _Reply:
    """What the last click on a run did, or why it could not."""

    about = ""
    words = ""


def followed(ws: Workspace, choice: Choice, folders: list[RunFolder], folder: RunFolder) -> None:
    """Draw the list and one run; while a process works on it, both are read again every second."""
    try:
        before = folder.state()
    except EvalcoreError as fault:
        st.text(str(fault))
        return

    def drawn() -> None:
        with st.container(key="stacks-run"):
            left, right = st.columns([5, 8], gap="medium")
        with left:
            sheet_panel(listing_blocks(folders, folder), choice.query(), "runs-list")
        with right:
            state = _detail(ws, choice, folder, before)
        if (before in _GOING_ON) != (state in _GOING_ON):
            if state not in _GOING_ON:
                stored_here()
            st.rerun(scope="app")  # it ended, or somebody goes on with it

    st.fragment(drawn, run_every=TICK_SECONDS if before in _GOING_ON else None)()


def _detail(ws: Workspace, choice: Choice, folder: RunFolder, before: State) -> State:
    """Draw one run, in which state it was `before`, and what can be done; return its state."""
    found = folder.progress()
    plan, state = found.plan, folder.state(found)
    base, hidden = choice.query(), ws.hidden.runs
    head = head_blocks(plan, found, state, hidden)
    # What it leads to is there with the page that has read what it wrote.
    if before == state and (after := next_links(ws, plan, found, state)):
        head.append(Links("Next", after))
    sheet_panel(head, base, "run-head")
    if state == "running":
        st.progress(found.done / found.total if found.total else 1.0)
    with st.container(horizontal=True, vertical_alignment="center", key="run-acts"):
        if state == "running":
            _button(folder, "Stop after current cases", lambda: folder.ask_to_stop("gently"))
            _button(folder, "Stop now", lambda: folder.ask_to_stop("now"))
        elif can_go_on(found, state):
            _button(folder, "Resume", lambda: start_here(folder))
        elif can_retry(found):
            _button(folder, "Retry what failed", lambda: start_here(folder))
        # These two lead to the form of a new run.
        words = "Run again with these settings"
        if not plan.step_names and st.button(words, key="run-again", type="tertiary"):
            go_to_page(choice, "runs", **again(plan))
        wrote = state not in _GOING_ON and any(one.is_written for one in found.runs)
        words = "Judge its outputs with a model"
        if wrote and st.button(words, key="run-by-model", type="tertiary"):
            go_to_page(choice, "runs", **outputs_by_model(plan, found))
    reply = session_object(_Reply)
    if reply.about == folder.id:
        st.text(reply.words)
    blocks = [*step_blocks(plan, found, hidden), *failure_blocks(found, hidden)]
    sheet_panel(blocks, base, "run-steps")
    if analysis := analysis_blocks(ws, plan, found, hidden):
        grades_panel(analysis, "run-analysis", base=base)
    blocks = [
        *model_blocks(plan, found, hidden),
        *runs_blocks(plan, found, state, hidden, activities(folder.path, found)),
        *written_blocks(found),
        *journal_blocks(plan, found, hidden),
    ]
    sheet_panel(blocks, base, "run-detail")
    return state


def _button(folder: RunFolder, label: str, act: Callable[[], object]) -> None:
    """Draw a button that does something with a run; what it says stays until the next click."""

    def clicked() -> None:
        reply = session_object(_Reply)
        reply.about, reply.words = folder.id, ""
        try:
            act()
        except EvalcoreError as fault:
            reply.words = str(fault)

    st.button(label, key=f"run-{label}", on_click=clicked)
