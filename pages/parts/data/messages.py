"""What was sent to others on the Data page, one of it opened, and the forms that answer it."""

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from evalcore import Workspace
from evalcore.benchmarks.messages import Message
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.answering import answer, set_done
from evalcore.views.data.messages import chosen_message, detail_blocks, message_blocks
from evalcore.views.data.state import DataView
from evalcore.views.problems import Problems
from pages.parts.panels.components import grades_panel, sheet_panel
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

LOOK_HEIGHT = 620


def messages_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw what was sent in the chosen suite, and one of it with what can be done."""
    del problems
    if choice.suite is None:
        st.text("There is no suite in this folder in which anything could be sent.")
        return
    now, chosen = datetime.now(UTC), chosen_message(ws, choice.suite, view)
    if chosen is None and view.message is not None:
        st.text("The message in this address is not in the suite.")
    view = replace(view, message=chosen.id if chosen is not None else None)
    left, right = st.columns([7, 5], gap="medium")
    with left:
        blocks = message_blocks(ws, choice.suite, view, now)
        name = repr(replace(view, message=None))
        sheet_panel(blocks, choice.query(), "data-messages", scroll=name)
    if chosen is None:
        return
    with right:
        with st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
            blocks = detail_blocks(ws, chosen, now)
            grades_panel(blocks, "data-message", chosen.id, base=choice.query())
        _forms(ws, chosen)


def _forms(ws: Workspace, chosen: Message) -> None:
    """Draw the form that answers a message, or that sets a task done."""
    reviews = review_folder(ws, chosen.suite)
    is_task = chosen.kind == "task"

    def act(text: str, _: bool, judge: Judge, __: str) -> str:
        work = set_done if is_task else answer
        done = work(ws, chosen.suite, chosen.id, text, judge.id)
        return f"{'Done' if is_task else 'Answered'} (record {done.id[:13]} …)."

    if is_task and (chosen.state != "done" or chosen.rivals):
        spec = FormSpec("message-done", chosen.id, "Set it done", "What resolved it")
        with popover("Set it done …", spec):
            store_form(spec, act, reviews)
    elif chosen.kind == "message":
        spec = FormSpec("message-answer", chosen.id, "Answer it", "Your answer")
        with popover("Answer …", spec):
            store_form(spec, act, reviews)
    receipts(chosen.id)
