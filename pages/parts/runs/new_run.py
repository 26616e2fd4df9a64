"""The form of a new run: what is run, by what, within which limits; then what it will do."""

from typing import Any, Final

import streamlit as st

from evalcore.engine.estimate import estimate
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.process import start
from evalcore.engine.store import new_run
from evalcore.engine.templates import usual_executor
from evalcore.errors import EvalcoreError
from evalcore.views.runs.form import (
    CHOSEN,
    Filled,
    Offered,
    offered,
    plan_blocks,
    plan_of,
    start_words,
)
from evalcore.views.runs.state import JUDGES, View, to_run
from evalcore.workspace.opened import Workspace
from pages.parts.address import replace_address
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import now, session_object
from pages.parts.state import Choice

NOBODY: Final = "none"
_CASE_WORDS: Final = {
    "all": "All cases",
    "failing": "Failing in the newest version",
    CHOSEN: "Some",
}
_JUDGES: Final = {
    "rules": "Rules, then people",
    "human": "People",
    "none": "Structural checks only",
}


_CAPS: Final = (
    ("Calls at most", 1, "calls"),
    ("Tokens at most", 1, "tokens"),
    ("US dollars at most", 0.01, "cost"),
    ("Minutes at most", 0.1, "total"),
)


class _Started:
    """The plan that waits for the click, and why the last one could not be started."""

    plan: Plan | None = None
    fault = ""


def new_run_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form, what it would do, and the button that starts it."""
    assert choice.suite is not None
    try:
        found = offered(ws, choice.suite)
    except EvalcoreError as fault:
        st.text(str(fault))
        return
    _filled_first(ws, choice, view, found)
    _fields(found)
    started = session_object(_Started)
    try:
        plan = plan_of(ws, choice.suite, found, _filled(found))
    except EvalcoreError as fault:
        started.plan = None
        st.text(str(fault))
        return
    started.plan = plan
    expected = estimate(ws.tables, plan)
    sheet_panel(plan_blocks(ws, plan, expected), choice.query(), "new-run-plan")
    with st.form("start-run", border=False):

        def clicked() -> None:
            _start(choice)

        st.form_submit_button(start_words(plan, expected), type="primary", on_click=clicked)


def _start(choice: Choice) -> None:
    """Start the plan on screen once: a second click finds none.

    The address is asked for first. A second click may break this off at any access to the session,
    and there is none between taking the plan and starting it.
    """
    waiting = session_object(_Started)
    if waiting.plan is None:
        return
    replace_address(**choice.query(**to_run(waiting.plan.id).query))
    plan, waiting.plan, waiting.fault = waiting.plan, None, ""
    try:
        start(new_run(plan))
    except EvalcoreError as fault:
        waiting.fault = str(fault)


def start_fault() -> str:
    """Return why the last run could not be started; empty if it could."""
    return session_object(_Started).fault


def _filled_first(ws: Workspace, choice: Choice, view: View, found: Offered) -> None:
    """Fill the fields in from the address, when the form is opened for this suite and address."""
    asked = repr((choice.workspace, choice.suite, view))
    if now().get("new-run-of") == asked:
        return
    usual = found.usual.chosen
    chosen = [case for case in view.cases if case in found.case_ids]
    way = next((each for each in view.cases if each in found.cases), "all")
    known = found.executors
    values: dict[str, Any] = {
        "cases": CHOSEN if chosen else way,
        "ids": chosen,
        "versions": [v for v in view.versions if v in found.versions]
        or list(dict.fromkeys(each.version for each in usual)),
        "configurations": [c for c in view.configurations if c in found.configurations]
        or list(dict.fromkeys(each.configuration for each in usual)),
        "runs": view.n or found.usual.runs,
        "executor": view.executor if view.executor in known else usual_executor(known, ws.root),
        "judge": view.judge or JUDGES[0],
        "judges": 1,
        "concurrency": 4,
        "minutes": 10.0,
        "retries": 2,
        "calls": None,
        "tokens": None,
        "cost": None,
        "total": None,
    }
    for name, value in values.items():
        st.session_state[f"new-{name}"] = value
    st.session_state["new-run-of"] = asked


def _fields(found: Offered) -> None:
    """Draw the fields of the form."""
    one, two = st.columns(2)
    with one:
        st.selectbox("Cases", found.cases, key="new-cases", format_func=_case_words)
        if now().get("new-cases") == CHOSEN:
            st.multiselect(
                "Which", list(found.case_ids), key="new-ids", format_func=found.case_ids.__getitem__
            )
        st.multiselect("Versions", found.versions, key="new-versions")
        if set(found.configurations) != {"-"}:
            st.multiselect("Configurations", found.configurations, key="new-configurations")
    with two:
        st.number_input("Runs of each case", 1, 1000, key="new-runs")
        st.selectbox("Executed by", list(found.executors), key="new-executor")
        st.selectbox("Judged by", JUDGES, key="new-judge", format_func=_JUDGES.__getitem__)
        if now().get("new-judge") != NOBODY:
            st.number_input("People for each run that waits for people", 1, 20, key="new-judges")
    with st.expander("Limits"):
        three, four = st.columns(2)
        with three:
            st.number_input("At once", 1, 256, key="new-concurrency")
            st.number_input("Minutes for each case", 0.1, 1440.0, key="new-minutes")
            st.number_input("Tries after an error", 0, 20, key="new-retries")
        with four:
            for label, low, name in _CAPS:
                st.number_input(label, low, None, key=f"new-{name}", placeholder="no limit")


def _case_words(value: str) -> str:
    return _CASE_WORDS.get(value, f"Tag {value.partition(':')[2]}")


def _filled(found: Offered) -> Filled:
    """Return the form as it is filled in now."""
    typed = now()
    way = str(typed["new-cases"])
    cases = tuple(typed.get("new-ids") or ()) if way == CHOSEN else (way,)
    configurations = tuple(typed.get("new-configurations") or ())
    return Filled(
        cases=cases,
        versions=tuple(typed["new-versions"]),
        configurations=configurations if set(found.configurations) != {"-"} else (),
        runs=int(typed["new-runs"]),
        executor=str(typed["new-executor"]),
        judge=typed["new-judge"],
        judges=int(typed.get("new-judges") or 1),
        limits=Limits(
            concurrency=int(typed["new-concurrency"]),
            seconds=float(typed["new-minutes"]) * 60,
            retries=int(typed["new-retries"]),
            calls=typed["new-calls"],
            tokens=typed["new-tokens"],
            cost_usd=typed["new-cost"],
            total_seconds=None if typed["new-total"] is None else typed["new-total"] * 60,
        ),
    )
