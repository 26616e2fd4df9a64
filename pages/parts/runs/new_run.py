"""The form of a new run: what is run, by what, within which limits; then what it will do."""

from functools import partial
from typing import Any, Final

import streamlit as st

from evalcore.engine.cases import BENCHMARK
from evalcore.engine.estimate import estimate
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.planning import Request
from evalcore.engine.process import start
from evalcore.engine.store import new_run
from evalcore.engine.templates import STORED, usual_executor
from evalcore.errors import EvalcoreError
from evalcore.families.running import ONLY
from evalcore.models.configuration import configuration
from evalcore.views.runs.configured import configured_blocks
from evalcore.views.runs.form import (
    CHOSEN,
    Offered,
    executor_label,
    offered,
    plan_blocks,
    plan_of,
    start_words,
    waiting_scripts,
)
from evalcore.views.runs.state import JUDGES, View, to_run
from evalcore.workspace.opened import Workspace
from pages.parts.address import replace_address
from pages.parts.judge_name import here
from pages.parts.panels.components import sheet_panel
from pages.parts.runs.model_fields import (
    executing_fields,
    filled,
    first_values,
    is_model,
    judging_fields,
)
from pages.parts.session_state import now, session_object
from pages.parts.state import Choice

NOBODY: Final = "none"
DASHBOARD: Final = "dashboard"
"""Who starts a run of a benchmark where nobody gave a name."""
_CASE_WORDS: Final = {
    "all": "All cases",
    "failing": "Failing in the newest version",
    CHOSEN: "Selected cases",
}
JUDGE_LABELS: Final = {
    "rules": "Rules, then people",
    "model": "A model, then people",
    "human": "People",
    "none": "Structural checks only",
}


_AGAIN: Final = (
    "Graded runs are judged a second time. Gradings and figures stay unchanged; the second "
    "judgment is shown next to them on the page of each run."
)
_CAPS: Final = (
    ("Maximum calls", 1, "calls"),
    ("Maximum tokens", 1, "tokens"),
    ("Maximum cost (US dollars)", 0.01, "cost"),
    ("Maximum minutes", 0.1, "total"),
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
    try:
        by = judge.id if (judge := here()) is not None else DASHBOARD
        plan = plan_of(ws, choice.suite, _filled(found), by)
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    expected = estimate(ws.tables, plan)
    sheet_panel(plan_blocks(ws, plan, expected), choice.query(), "new-run-plan")
    if plan.models or plan.agent:
        with st.expander("Your endpoints and models"):
            sheet_panel(configured_blocks(configuration()), choice.query(), "models")
    scripts = list(waiting_scripts(plan))
    if scripts:
        with st.expander("What the scripts would run"):
            for where, text in scripts:
                st.text(where)
                st.code(text, language=None)
    start_button(choice, plan, start_words(plan, expected))


def start_button(choice: Choice, plan: Plan | None, words: str) -> None:
    """Draw the button that starts a plan; without one nothing waits for a click."""
    session_object(_Started).plan = plan
    if plan is None:
        return
    with st.form("start-run", border=False):

        def clicked() -> None:
            _start(choice)

        st.form_submit_button(words, type="primary", on_click=clicked)


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
    chosen = [case for case in view.cases if case in found.case_ids]
    way = next((each for each in view.cases if each in found.cases), "all")
    known = found.executors
    values: dict[str, Any] = {
        "cases": CHOSEN if chosen else way,
        "ids": chosen,
        "runs": view.n or found.usual.runs,
        "executor": view.executor if view.executor in known else usual_executor(known, ws.root),
        "judge": view.judge or JUDGES[0],
        "judges": 1,
        "again": view.again and view.executor == STORED,
        "concurrency": 4,
        "minutes": 10.0,
        "retries": 2,
        "calls": None,
        "tokens": None,
        "cost": None,
        "total": None,
        **first_values(view, found),
    }
    for name, value in values.items():
        st.session_state[f"new-{name}"] = value
    for stored in (False, True):
        for name, chosen_first in _chosen_first(view, found, stored=stored).items():
            st.session_state[f"{_prefix(stored=stored)}{name}"] = chosen_first
    st.session_state["new-run-of"] = asked


def _is_stored() -> bool:
    """Return whether stored outputs are judged, and nothing is executed."""
    return now().get("new-executor") == STORED


def _is_again() -> bool:
    """Return whether stored outputs are judged again that have a grading."""
    return _is_stored() and bool(now().get("new-again"))


def _prefix(*, stored: bool) -> str:
    """Return what the keys of versions and configurations begin with: each way has its own."""
    return "new-stored-" if stored else "new-"


def _known(found: Offered, *, stored: bool) -> dict[str, list[str]]:
    """Return the versions and configurations that can be chosen."""
    if not stored:
        versions, configurations = found.versions, found.configurations
        return {"versions": list(versions), "configurations": list(configurations)}
    return {
        "versions": list(dict.fromkeys(each.version for each in found.graded)),
        "configurations": list(dict.fromkeys(each.configuration for each in found.graded)),
    }


def _usual(found: Offered, *, stored: bool) -> dict[str, list[str]]:
    """Return the versions and configurations that are chosen where nobody chooses."""
    if stored:
        known = _known(found, stored=True)
        return known | {"versions": known["versions"][-1:]}
    chosen = found.usual.chosen
    return {
        "versions": list(dict.fromkeys(each.version for each in chosen)),
        "configurations": list(dict.fromkeys(each.configuration for each in chosen)),
    }


def _chosen_first(view: View, found: Offered, *, stored: bool) -> dict[str, list[str]]:
    """Return what of the address can be chosen, else what is usual."""
    asked = {"versions": view.versions, "configurations": view.configurations}
    known = _known(found, stored=stored)
    return {
        name: [each for each in asked[name] if each in known[name]] or usual
        for name, usual in _usual(found, stored=stored).items()
    }


def _targets(found: Offered) -> None:
    """Draw what can be run, or whose stored outputs can be judged."""
    stored = _is_stored()
    prefix, known = _prefix(stored=stored), _known(found, stored=stored)
    for name, usual in _usual(found, stored=stored).items():
        st.session_state.setdefault(f"{prefix}{name}", usual)  # forgotten while it was not drawn
    st.multiselect("Versions", known["versions"], key=f"{prefix}versions")
    if set(known["configurations"]) != {ONLY}:
        st.multiselect("Configurations", known["configurations"], key=f"{prefix}configurations")


def _fields(found: Offered) -> None:
    """Draw the fields of the form."""
    one, two = st.columns(2)
    with one:
        words = partial(_case_words, found)
        st.selectbox("Cases", found.cases, key="new-cases", format_func=words)
        if now().get("new-cases") == CHOSEN:
            st.multiselect(
                "Selected cases",
                list(found.case_ids),
                key="new-ids",
                format_func=found.case_ids.__getitem__,
            )
        _targets(found)
        st.number_input("Runs per case", 1, 1000, key="new-runs", disabled=_is_stored())
    with two:
        known = list(found.executors)
        st.selectbox("Executed by", known, key="new-executor", format_func=executor_label)
        if _is_stored():
            st.checkbox("Judge runs again that have a grading", key="new-again", help=_AGAIN)
        if is_model(found):
            executing_fields(found)
        st.selectbox("Judged by", JUDGES, key="new-judge", format_func=JUDGE_LABELS.__getitem__)
        if now().get("new-judge") == "model":
            judging_fields(found, again=_is_again())
        if now().get("new-judge") != NOBODY and not _is_again():
            st.number_input("People per run, for what people judge", 1, 20, key="new-judges")
    with st.expander("Limits"):
        three, four = st.columns(2)
        with three:
            st.number_input("Cases at the same time", 1, 256, key="new-concurrency")
            st.number_input("Minutes per case", 0.1, 1440.0, key="new-minutes")
            st.number_input("Retries after an error", 0, 20, key="new-retries")
        with four:
            for label, low, name in _CAPS:
                st.number_input(label, low, None, key=f"new-{name}", placeholder="no limit")


def _case_words(found: Offered, value: str) -> str:
    if value.startswith(BENCHMARK):
        return f"Benchmark {found.benchmarks[value.removeprefix(BENCHMARK)]}"
    return _CASE_WORDS.get(value, f"Tag {value.partition(':')[2]}")


def _filled(found: Offered) -> Request:
    """Return the form as it is filled in now."""
    typed = now()
    way = str(typed["new-cases"])
    cases = tuple(typed.get("new-ids") or ()) if way == CHOSEN else (way,)
    prefix = _prefix(stored=_is_stored())
    has_some = set(_known(found, stored=_is_stored())["configurations"]) != {ONLY}
    configurations = tuple(typed.get(f"{prefix}configurations") or ()) if has_some else ()
    return Request(
        cases=cases,
        versions=tuple(typed[f"{prefix}versions"]),
        configurations=configurations,
        runs=int(typed["new-runs"]),
        executor=found.executors[str(typed["new-executor"])],
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
        again=_is_again(),
        **filled(found),
    )
