"""Forms that ask a model: improve a skill, compare two versions, or say why runs failed."""

from collections.abc import Callable, Iterable
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.counting.choices import version_names
from evalcore.engine.estimate import estimate
from evalcore.engine.failure_analysis.planning import plan_failures
from evalcore.engine.improving.planning import plan_comparison, plan_improvement
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.planning import Request, executors_of
from evalcore.engine.templates import STORED, usual_executor
from evalcore.errors import CannotRun, EvalcoreError
from evalcore.views.runs.form import models_of
from evalcore.views.runs.state import COMPARE, View
from evalcore.workspace.opened import Workspace
from pages.parts.forms import fill_in_once
from pages.parts.runs.new_run import (
    JUDGE_LABELS,
    NAME_OF_MODEL,
    NO_LIMIT,
    offer_start,
    start_button,
)
from pages.parts.state import Choice

BEFORE: Final = "the version before"


def improve_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form that improves a skill, or the one in which a model compares two versions."""
    suite = choice.suite or ""

    def plan() -> Plan:
        only_compares = view.form == COMPARE
        if only_compares and len(view.versions) != 2:
            raise CannotRun("Choose two versions on Compare, then select Compare by a model.")
        models, usual = models_of(ws, suite)
        executors = executors_of(ws, suite)

        def first() -> dict[str, object]:
            executor = usual_executor(executors, ws.root)
            others = {"executor": executor, "judge": "rules", "against": BEFORE, "apply": True}
            return _first(usual) | others

        fill_in_once("improve", (choice.workspace, suite, view), first)
        one, two = st.columns(2)
        model, limits = _model_fields("improve", "Model that compares", models, one, one, one)
        asked = (model,) if model else ()
        if only_compares:
            a, b = view.versions
            request = Request(executors[STORED], models=asked, limits=limits)
            return plan_comparison(ws, suite, a, b, request)
        with two:
            executes = st.selectbox(
                "Executed by (if outputs are missing)",
                list(executors),
                key="improve-executor",
            )
            judges = st.selectbox(
                "Judged by",
                list(JUDGE_LABELS),
                key="improve-judge",
                format_func=JUDGE_LABELS.__getitem__,
            )
            against = st.selectbox(
                "Compared with", [BEFORE, *version_names(ws, suite)], key="improve-against"
            )
        label = "Apply the suggestions to a copy as the next version"
        applies = st.checkbox(label, key="improve-apply")
        executor = executors[executes or STORED]
        request = Request(executor, judge=judges, models=asked, limits=limits)
        earlier = None if against == BEFORE else against
        return plan_improvement(ws, suite, request, against=earlier, apply=applies)

    _planned(ws, choice, "improve-plan", plan)


def failures_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form that asks a model why runs failed."""
    suite = choice.suite or ""

    def plan() -> Plan:
        models, usual = models_of(ws, suite)
        fill_in_once("explain", (choice.workspace, suite, view), lambda: _first(usual))
        whole = st.container()
        one, two = st.columns(2)
        model, limits = _model_fields("explain", "Model", models, whole, one, two)
        return plan_failures(ws, suite, view.failed, model, limits)

    _planned(ws, choice, "explain-plan", plan)


def _first(model: str) -> dict[str, object]:
    """Return what the fields of `_model_fields` are filled in with."""
    return {"model": model or None, "calls": None, "cost": None}


def _model_fields(
    form: str, label: str, models: Iterable[str], *places: DeltaGenerator
) -> tuple[str, Limits]:
    """Draw which model is asked and within which limits; return both as they are filled in."""
    first, second, third = places
    model = first.selectbox(
        label, models, key=f"{form}-model", accept_new_options=True, placeholder=NAME_OF_MODEL
    )
    calls = second.number_input("Maximum calls", 1, None, key=f"{form}-calls", placeholder=NO_LIMIT)
    cost = third.number_input(
        "Maximum cost (US dollars)", 0.01, None, key=f"{form}-cost", placeholder=NO_LIMIT
    )
    return str(model or ""), Limits(calls=calls, cost_usd=cost)


def _planned(ws: Workspace, choice: Choice, key: str, fields: Callable[[], Plan]) -> None:
    """Draw the fields of a form, what it would do, and the one button that starts it."""
    try:
        plan = fields()
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    expected = None if plan.failures is not None else estimate(ws.tables, plan)
    offer_start(ws, choice, plan, expected, key)
