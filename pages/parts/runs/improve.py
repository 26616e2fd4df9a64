"""The form that improves a skill, or lets a model compare two versions; then what it will do."""

from typing import Any, Final

import streamlit as st

from evalcore.engine.estimate import estimate
from evalcore.engine.plan import Limits
from evalcore.engine.templates import usual_executor
from evalcore.errors import EvalcoreError
from evalcore.views.runs.improve_form import (
    COMPARE,
    Chosen,
    ImproveOffer,
    improve_blocks,
    improve_offer,
    improve_plan,
    improve_words,
)
from evalcore.views.runs.state import View
from evalcore.workspace.opened import Workspace
from pages.parts.panels.components import sheet_panel
from pages.parts.runs.new_run import JUDGE_LABELS, start_button
from pages.parts.session_state import now
from pages.parts.state import Choice

BEFORE: Final = "the version before"


def improve_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form, what it would do, and the one button that starts it."""
    assert choice.suite is not None
    only_compares = view.form == COMPARE
    if only_compares and len(view.versions) != 2:
        start_button(choice, None, "")
        st.text("Choose two versions on Compare, then select Compare by a model.")
        return
    try:
        found = improve_offer(ws, choice.suite)
        _filled_first(ws, choice, view, found)
        _fields(found, only_compares=only_compares)
        chosen = _chosen(view if only_compares else View())
        plan = improve_plan(ws, choice.suite, found, chosen)
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    blocks = improve_blocks(ws, plan, estimate(ws.tables, plan))
    sheet_panel(blocks, choice.query(), "improve-plan")
    start_button(choice, plan, improve_words(plan))


def _filled_first(ws: Workspace, choice: Choice, view: View, found: ImproveOffer) -> None:
    """Fill the fields in when the form is opened for this suite and address."""
    asked = repr((choice.workspace, choice.suite, view))
    if now().get("improve-of") == asked:
        return
    values: dict[str, Any] = {
        "model": found.model or None,
        "executor": usual_executor(found.executors, ws.root),
        "judge": "rules",
        "against": BEFORE,
        "apply": True,
        "calls": None,
        "cost": None,
    }
    for name, value in values.items():
        st.session_state[f"improve-{name}"] = value
    st.session_state["improve-of"] = asked


def _fields(found: ImproveOffer, *, only_compares: bool) -> None:
    one, two = st.columns(2)
    with one:
        st.selectbox(
            "Model that compares",
            found.models,
            key="improve-model",
            accept_new_options=True,
            placeholder="a name from `evalcore models`",
        )
        st.number_input("Maximum calls", 1, None, key="improve-calls", placeholder="no limit")
        st.number_input(
            "Maximum cost (US dollars)", 0.01, None, key="improve-cost", placeholder="no limit"
        )
    if only_compares:
        return
    with two:
        st.selectbox(
            "Executed by (if outputs are missing)", list(found.executors), key="improve-executor"
        )
        st.selectbox(
            "Judged by",
            list(JUDGE_LABELS),
            key="improve-judge",
            format_func=JUDGE_LABELS.__getitem__,
        )
        st.selectbox("Compared with", [BEFORE, *found.versions], key="improve-against")
    st.checkbox("Apply the suggestions to a copy as the next version", key="improve-apply")


def _chosen(view: View) -> Chosen:
    """Return the form as it is filled in now; `view` names the versions that are only compared."""
    typed = now()
    against = typed.get("improve-against")
    executor = typed.get("improve-executor") if not view.versions else None
    return Chosen(
        model=str(typed.get("improve-model") or ""),
        versions=view.versions,
        executor=str(executor or "stored"),
        judge=typed.get("improve-judge") or "rules",
        against=None if against in (None, BEFORE) else str(against),
        apply=bool(typed.get("improve-apply")),
        limits=Limits(calls=typed.get("improve-calls"), cost_usd=typed.get("improve-cost")),
    )
