"""The form of a new run: what is run, by what, within which limits; then what it will do."""

from collections.abc import Iterable
from typing import Any, Final

import streamlit as st

from evalcore.engine.cases import BENCHMARK
from evalcore.engine.estimate import Estimate, estimate
from evalcore.engine.plan import STEPS, JudgeKind, Limits, Plan
from evalcore.engine.planning import Request
from evalcore.engine.planning_models import MAX_STEPS
from evalcore.engine.store import new_run
from evalcore.engine.templates import STORED
from evalcore.errors import EvalcoreError
from evalcore.families.running import ONLY, Target
from evalcore.models.configuration import configuration
from evalcore.views.runs.configured import configured_blocks
from evalcore.views.runs.form import (
    CHOSEN,
    TYPED,
    Offered,
    chosen_executor,
    executor_label,
    file_blocks,
    offered,
    plan_blocks,
    plan_of,
    start_words,
    waiting_scripts,
)
from evalcore.views.runs.state import JUDGES, MAX_RUNS, View, to_run
from evalcore.workspace.opened import Workspace
from pages.parts.address import replace_address
from pages.parts.forms import fill_in_once
from pages.parts.judge_name import here
from pages.parts.own_acts import start_here
from pages.parts.panels.components import sheet_panel, source
from pages.parts.session_state import now, session_object
from pages.parts.state import Choice

NOBODY: Final = "none"
DASHBOARD: Final = "dashboard"
"""Who starts a run of a benchmark where nobody gave a name."""
JUDGE_LABELS: Final[dict[JudgeKind, str]] = {
    "rules": "Rules, then people",
    "model": "A model, then people",
    "human": "People",
    "none": "Structural checks only",
}
_STORED: Final = "stored-"
"""Versions and configurations of stored outputs are chosen in fields of their own."""
NO_LIMIT: Final = "no limit"
NAME_OF_MODEL: Final = "a name from `evalcore models`"
_CASE_WORDS: Final = {
    "all": "All cases",
    "failing": "Failing in the newest version",
    CHOSEN: "Selected cases",
}
_AGAIN: Final = (
    "Graded runs are judged a second time. Gradings and figures stay unchanged; the second "
    "judgment is shown next to them on the page of each run."
)
_KEPT: Final = (
    "It runs as your user in a fresh folder of each case. Once it has completed a case it is kept "
    "with your own executors."
)
_FOCUS: Final = st.components.v2.component("evalcore.focus", js=source("focus.js"))
_COMMANDS: Final = (
    "The model may run programs of this machine on the files of the case, in the sandbox: "
    "without network and without your files."
)
_CONTROLS: Final = (
    "This many outputs are judged twice more: unchanged, and with an instruction to the judge "
    "planted in them. The effect is shown next to the scores."
)
_REPEATS: Final = (
    "Each output is judged this many times. The newest score counts; together they show how "
    "consistent the judge is."
)


class _Started:
    """The plan that waits for the click, and why the last one could not be started."""

    plan: Plan | None = None
    fault = ""


def new_run_form(ws: Workspace, choice: Choice, view: View) -> None:
    """Draw the form, what it would do, and the button that starts it."""
    suite, judge = choice.suite or "", here()
    try:
        found = offered(ws, suite)
    except EvalcoreError as fault:
        st.text(str(fault))
        return
    fill_in_once("new", (choice.workspace, suite, view), lambda: _first(view, found))
    try:
        asked = _asked(found)
        plan = plan_of(ws, suite, asked, DASHBOARD if judge is None else judge.id)
    except EvalcoreError as fault:
        start_button(choice, None, "")
        st.text(str(fault))
        return
    expected = estimate(ws.tables, plan)
    offer_start(ws, choice, plan, expected, "new-run-plan")
    if plan.models or plan.agent:
        with st.expander("Your endpoints and models"):
            sheet_panel(configured_blocks(configuration()), choice.query(), "models")
    scripts = list(waiting_scripts(plan))
    if scripts:
        with st.expander("What the scripts would run"):
            for where, text in scripts:
                st.text(where)
                st.code(text, language=None)


def offer_start(
    ws: Workspace, choice: Choice, plan: Plan, expected: Estimate | None, key: str
) -> None:
    """Draw what a plan will do, the button that starts it, and folded the files it will write."""
    sheet_panel(plan_blocks(ws, plan, expected), choice.query(), key)
    start_button(choice, plan, start_words(plan, expected))
    title, files = file_blocks(plan)
    with st.expander(title):
        sheet_panel(files, choice.query(), f"{key}-files")


def start_button(choice: Choice, plan: Plan | None, words: str) -> None:
    """Draw the button that starts a plan; without one nothing waits for a click."""
    session_object(_Started).plan = plan
    if plan is None:
        return

    def clicked() -> None:
        # The address is asked for first. A second click may break this off at any access to the
        # session, and there is none between taking the plan and starting it: it finds none.
        waiting = session_object(_Started)
        if waiting.plan is None:
            return
        replace_address(**choice.query(**to_run(waiting.plan.id).query))
        plan, waiting.plan, waiting.fault = waiting.plan, None, ""
        try:
            start_here(new_run(plan))
        except EvalcoreError as fault:
            waiting.fault = str(fault)

    with st.form("start-run", border=False):
        st.form_submit_button(words, type="primary", on_click=clicked)


def start_fault() -> str:
    """Return why the last run could not be started; empty if it could."""
    return session_object(_Started).fault


def _first(view: View, found: Offered) -> dict[str, Any]:
    """Return what the fields are filled in with, from the address or as is usual."""
    chosen = [case for case in view.cases if case in found.case_ids]
    way = next((each for each in view.cases if each in found.cases), "all")
    values: dict[str, Any] = {
        "cases": CHOSEN if chosen else way,
        "ids": chosen,
        "runs": view.n or found.usual.runs,
        "executor": (view.executor if view.executor in found.executors else found.usual_way),
        "judge": view.judge or JUDGES[0],
        "judges": 1,
        "again": view.again and view.executor == STORED,
        "concurrency": 4,
        "minutes": 10.0,
        "retries": 2,
        **dict.fromkeys(("calls", "tokens", "cost", "total")),
        "models": list(view.judge_models) or _usual_models(found),
        "votes": 1,
        "controls": 0,
        "repeats": 1,
        "executing": view.model or found.executing or None,
        "steps": view.steps or STEPS,
        "commands": view.commands,
    }
    asked = {"versions": view.versions, "configurations": view.configurations}
    for prefix in ("", _STORED):
        known, usual = _targets(found, prefix)
        for name, first in usual.items():
            values[f"{prefix}{name}"] = [
                each for each in asked[name] if each in known[name]
            ] or first
    return values


def _targets(found: Offered, prefix: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the versions and configurations there are, and those chosen where nobody chooses."""

    def named(targets: Iterable[Target]) -> dict[str, list[str]]:
        return {
            "versions": list(dict.fromkeys(each.version for each in targets)),
            "configurations": list(dict.fromkeys(each.configuration for each in targets)),
        }

    if prefix == _STORED:
        known = named(found.graded)
        return known, known | {"versions": known["versions"][-1:]}
    known = {"versions": list(found.versions), "configurations": list(found.configurations)}
    return known, named(found.usual.chosen)


def _usual_models(found: Offered) -> list[str]:
    return [found.model] if found.model else []


def _asked(found: Offered) -> Request:
    """Draw the fields of the form and return what they ask for; one that is not drawn: nothing.

    Raises:
        CannotRun: what shall execute the cases cannot.
    """

    def case_words(value: str) -> str:
        if value.startswith(BENCHMARK):
            return f"Benchmark {found.benchmarks[value.removeprefix(BENCHMARK)]}"
        return _CASE_WORDS.get(value, f"Tag {value.partition(':')[2]}")

    asked: dict[str, Any] = {}
    one, two = st.columns(2)
    with two:  # which of the other fields there are depends on these
        name = st.selectbox(
            "Executed by",
            found.ways,
            key="new-executor",
            format_func=lambda name: executor_label(found, name),
        )
        is_stored, command = name == STORED, ""
        if name == TYPED:
            # Typed here only: a command in an address would be somebody else's.
            command = st.text_input(
                "Command", key="new-command", placeholder="my-agent --quiet", help=_KEPT
            )
        again = is_stored and st.checkbox(
            "Judge runs again that have a grading", key="new-again", help=_AGAIN
        )
        if name in found.executors and found.executors[name].kind == "model":
            asked |= _executing(found)
        judge = st.selectbox(
            "Judged by", JUDGES, key="new-judge", format_func=JUDGE_LABELS.__getitem__
        )
        if judge == "model":
            asked |= _judging(found, again=again)
        if judge != NOBODY and not again:
            asked["judges"] = st.number_input(
                "People per run, for what people judge", 1, 20, key="new-judges"
            )
    with one:
        way = st.selectbox("Cases", found.cases, key="new-cases", format_func=case_words)
        asked["cases"] = (way,)
        if way == CHOSEN:
            words = found.case_ids.__getitem__
            chosen = st.multiselect(
                "Selected cases", list(found.case_ids), key="new-ids", format_func=words
            )
            asked["cases"] = tuple(chosen)
        prefix = _STORED if is_stored else ""
        known, usual = _targets(found, prefix)
        for each, first in usual.items():
            key = f"new-{prefix}{each}"
            st.session_state.setdefault(key, first)  # forgotten while it was not drawn
            if each == "versions" or set(known[each]) != {ONLY}:
                asked[each] = tuple(st.multiselect(each.capitalize(), known[each], key=key))
        runs = st.number_input("Runs per case", 1, MAX_RUNS, key="new-runs", disabled=is_stored)
    with st.expander("Limits"):
        three, four = st.columns(2)
        at_once = three.number_input("Cases at the same time", 1, 256, key="new-concurrency")
        minutes = three.number_input("Minutes per case", 0.1, 1440.0, key="new-minutes")
        retries = three.number_input("Retries after an error", 0, 20, key="new-retries")
        no = NO_LIMIT
        calls = four.number_input("Maximum calls", 1, None, key="new-calls", placeholder=no)
        tokens = four.number_input("Maximum tokens", 1, None, key="new-tokens", placeholder=no)
        label = "Maximum cost (US dollars)"
        cost = four.number_input(label, 0.01, None, key="new-cost", placeholder=no)
        total = four.number_input("Maximum minutes", 0.1, None, key="new-total", placeholder=no)
    if name == TYPED and not command:
        _FOCUS(key="focus", data={"key": "new-command"})
    # Streamlit's types do not tell that a field without a number is None: then there is no bound.
    limits = Limits(at_once, minutes * 60, retries, calls, tokens, cost, total and total * 60)
    executor = chosen_executor(found, name, command)
    return Request(executor, runs=runs, judge=judge, limits=limits, again=again, **asked)


def _executing(found: Offered) -> dict[str, Any]:
    """Draw which model executes, in how many steps, and whether it may run commands."""
    st.session_state.setdefault("new-executing", found.executing or None)
    st.session_state.setdefault("new-steps", STEPS)  # forgotten while it was not drawn
    typed = now().get("new-executing")
    model = st.selectbox(
        "Model that executes",
        list(dict.fromkeys([*found.models, *([str(typed)] if typed else [])])),
        key="new-executing",
        accept_new_options=True,
        placeholder=NAME_OF_MODEL,
    )
    steps = st.number_input("Maximum steps per case", 1, MAX_STEPS, key="new-steps")
    commands = st.checkbox("May run commands in the sandbox", key="new-commands", help=_COMMANDS)
    return {"executing": model or "", "steps": steps, "commands": commands}


def _judging(found: Offered, *, again: bool) -> dict[str, Any]:
    """Draw which models judge, how often, and with which controls."""
    st.session_state.setdefault("new-models", _usual_models(found))
    models = st.multiselect(
        "Models that judge",
        list(dict.fromkeys([*found.models, *now().get("new-models", ())])),
        key="new-models",
        accept_new_options=True,
        placeholder=NAME_OF_MODEL,
        help="With several models, the median of their scores counts.",
    )
    one, two, three = st.columns(3)
    asked: dict[str, Any] = {
        "models": tuple(models),
        "votes": one.number_input("Votes per model", 1, 15, key="new-votes"),
        "controls": two.number_input("Controls", 0, 1000, key="new-controls", help=_CONTROLS),
    }
    if again:
        asked["repeats"] = three.number_input("Repeats", 1, 20, key="new-repeats", help=_REPEATS)
    return asked
