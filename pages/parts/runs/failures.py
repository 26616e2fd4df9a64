"""The form that asks a model why runs failed, and what it will do."""

from typing import Any

import streamlit as st

from evalcore.engine.failure_analysis.planning import plan_failures
from evalcore.engine.plan import Limits
from evalcore.errors import EvalcoreError
from evalcore.views.runs.form import ModelOffer, model_offer, plan_blocks, start_words
from evalcore.views.runs.state import View
from evalcore.workspace.opened import Workspace
from pages.parts.panels.components import sheet_panel
from pages.parts.runs.new_run import start_button
from pages.parts.session_state import now
from pages.parts.state import Choice


def failures_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form, what it would do, and the one button that starts it."""
    assert choice.suite is not None
    try:
        found = model_offer(ws, choice.suite)
        _filled_first(choice, view, found)
        st.selectbox(
            "Model",
            found.models,
            key="explain-model",
            accept_new_options=True,
            placeholder="a name from `evalcore models`",
        )
        one, two = st.columns(2)
        one.number_input("Maximum calls", 1, None, key="explain-calls", placeholder="no limit")
        two.number_input(
            "Maximum cost (US dollars)", 0.01, None, key="explain-cost", placeholder="no limit"
        )
        typed = now()
        limits = Limits(calls=typed.get("explain-calls"), cost_usd=typed.get("explain-cost"))
        model = str(typed.get("explain-model") or "")
        plan = plan_failures(ws, choice.suite, view.failed, model, limits)
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    sheet_panel(plan_blocks(ws, plan), choice.query(), "explain-plan")
    start_button(choice, plan, start_words(plan))


def _filled_first(choice: Choice, view: View, found: ModelOffer) -> None:
    """Fill the fields in when the form is opened for this suite and address."""
    asked = repr((choice.workspace, choice.suite, view))
    if now().get("explain-of") == asked:
        return
    values: dict[str, Any] = {"model": found.model or None, "calls": None, "cost": None}
    for name, value in values.items():
        st.session_state[f"explain-{name}"] = value
    st.session_state["explain-of"] = asked
