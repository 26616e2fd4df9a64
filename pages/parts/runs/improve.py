"""The form that improves a skill, or lets a model compare two versions; then what it will do."""

from typing import Any, Final

import streamlit as st

from evalcore.engine.estimate import estimate
from evalcore.engine.improving.planning import plan_comparison, plan_improvement
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.planning import Request
from evalcore.engine.templates import STORED, usual_executor
from evalcore.errors import EvalcoreError
from evalcore.views.runs.form import ModelOffer, improve_offer, plan_blocks, start_words
from evalcore.views.runs.state import COMPARE, View
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
        plan = _plan(ws, choice.suite, found, view.versions if only_compares else ())
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    blocks = plan_blocks(ws, plan, estimate(ws.tables, plan))
    sheet_panel(blocks, choice.query(), "improve-plan")
    start_button(choice, plan, start_words(plan))


def _filled_first(ws: Workspace, choice: Choice, view: View, found: ModelOffer) -> None:
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


def _fields(found: ModelOffer, *, only_compares: bool) -> None:
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


def _plan(ws: Workspace, suite: str, found: ModelOffer, versions: tuple[str, ...]) -> Plan:
    """Return the plan of the form as it is filled in now; two `versions` are only compared."""
    typed = now()
    against = typed.get("improve-against")
    executor = typed.get("improve-executor") if not versions else None
    model = str(typed.get("improve-model") or "")
    request = Request(
        executor=found.executors[str(executor or STORED)],
        judge=typed.get("improve-judge") or "rules",
        models=(model,) if model else (),
        limits=Limits(calls=typed.get("improve-calls"), cost_usd=typed.get("improve-cost")),
    )
    if versions:
        a, b = versions
        return plan_comparison(ws, suite, a, b, request)
    against = None if against in (None, BEFORE) else str(against)
    apply = bool(typed.get("improve-apply"))
    return plan_improvement(ws, suite, request, against=against, apply=apply)
