"""Fields of a new run for models: which one executes and how, and which ones judge."""

from typing import Any, Final

import streamlit as st

from evalcore.engine.plan import STEPS
from evalcore.engine.planning_models import MAX_STEPS
from evalcore.views.runs.form import Offered
from evalcore.views.runs.state import View
from pages.parts.session_state import now

_NAME: Final = "a name from `evalcore models`"
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


def first_values(view: View, found: Offered) -> dict[str, Any]:
    """Return what the fields are filled in with, from the address or as is usual."""
    return {
        "models": list(view.judge_models) or _usual(found),
        "votes": 1,
        "controls": 0,
        "repeats": 1,
        "executing": view.model or found.executing or None,
        "steps": view.steps or STEPS,
        "commands": view.commands,
    }


def _usual(found: Offered) -> list[str]:
    return [found.model] if found.model else []


def is_model(found: Offered) -> bool:
    """Return whether a model is chosen to execute the cases."""
    executor = found.executors.get(str(now().get("new-executor")))
    return executor is not None and executor.kind == "model"


def executing_fields(found: Offered) -> None:
    """Draw which model executes, in how many steps, and whether it may run commands."""
    st.session_state.setdefault("new-executing", found.executing or None)
    st.session_state.setdefault("new-steps", STEPS)  # forgotten while it was not drawn
    typed = now().get("new-executing")
    st.selectbox(
        "Model that executes",
        list(dict.fromkeys([*found.models, *([str(typed)] if typed else [])])),
        key="new-executing",
        accept_new_options=True,
        placeholder=_NAME,
    )
    st.number_input("Maximum steps per case", 1, MAX_STEPS, key="new-steps")
    st.checkbox("May run commands in the sandbox", key="new-commands", help=_COMMANDS)


def judging_fields(found: Offered, *, again: bool) -> None:
    """Draw which models judge, how often, and with which controls; repeats are for `again`."""
    st.session_state.setdefault("new-models", _usual(found))
    st.multiselect(
        "Models that judge",
        list(dict.fromkeys([*found.models, *now().get("new-models", ())])),
        key="new-models",
        accept_new_options=True,
        placeholder=_NAME,
        help="With several models, the median of their scores counts.",
    )
    one, two, three = st.columns(3)
    with one:
        st.number_input("Votes per model", 1, 15, key="new-votes")
    with two:
        st.number_input("Controls", 0, 1000, key="new-controls", help=_CONTROLS)
    with three:
        if again:
            st.number_input("Repeats", 1, 20, key="new-repeats", help=_REPEATS)


def filled(found: Offered) -> dict[str, Any]:
    """Return the fields as they are filled in now; those that are not drawn ask for nothing."""
    typed = now()
    judging: dict[str, Any] = {
        "models": tuple(typed.get("new-models") or ()),
        "votes": int(typed.get("new-votes") or 1),
        "controls": int(typed.get("new-controls") or 0),
        "repeats": int(typed.get("new-repeats") or 1),
    }
    if not is_model(found):
        return judging
    return judging | {
        "executing": str(typed.get("new-executing") or ""),
        "steps": int(typed.get("new-steps") or STEPS),
        "commands": bool(typed.get("new-commands")),
    }
