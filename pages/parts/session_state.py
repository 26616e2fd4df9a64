"""State of one user's session between two script runs.

Streamlit interrupts a run at any access to its session state once the user acts again, even inside
a callback. Data that belongs together, such as a record on disk and the reply to it, is therefore
stored in a plain object: it is fetched once, and changing it cannot be interrupted.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import local
from typing import Any, Final, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

Kind = TypeVar("Kind")


class _Run(local):
    """What the run of this thread has asked for, and the run."""

    def __init__(self) -> None:
        self.begun: object = None
        self.answers: dict[object, Any] = {}


_run: Final = _Run()


def of_this_run() -> dict[object, Any]:
    """Return the answers that a run of a page keeps until it ends; none are kept outside of one."""
    run = get_script_run_ctx(suppress_warning=True)
    begun = None if run is None else run.cursors  # another one in each run
    if begun is None or _run.begun is not begun:
        _run.begun, _run.answers = begun, {}
    return _run.answers


def session_object(kind: type[Kind]) -> Kind:
    """Return this session's single object of a class, created at its first use.

    A run asks for it many times and looks for it once: it stays the same.
    """
    answers = of_this_run()
    found: Kind | None = answers.get(kind)
    if found is None:
        name = f"kept {kind.__module__} {kind.__qualname__}"
        found = now().get(name)
        if found is None:
            found = st.session_state[name] = kind()
        answers[kind] = found
    return found


def now() -> dict[str, Any]:
    """Return a copy of the session state; unlike an access to it, this is never interrupted."""
    return st.session_state.to_dict()


def end_if_replaced() -> None:
    """End this run if a newer one has begun.

    Until its next access to the session state an older run goes on beside the newer one. It must
    not take what the user did since: whatever it does with that ends with it.
    """
    _ = "replaced" in st.session_state


@dataclass
class _Shown:
    """The keys of the widgets that show a part of the address, by their names."""

    keys: dict[str, str] = field(default_factory=dict)
    changes: Counter[str] = field(default_factory=Counter)


def shown_key(name: str, value: object) -> str:
    """Return the key of a widget that shows a value: a new key where it has another value.

    Under the same key, a browser that has not drawn the value yet sends the former one with
    whatever it sends next, and that would count as the user's choice. A browser may also still know
    what the widget showed where this session knows no more of it. A widget that has the value is
    left alone: the browser would overwrite what the user typed in the meantime.
    """
    shown, known = session_object(_Shown), now()
    key = shown.keys.get(name)
    if key is None:
        key = shown.keys[name] = name
    elif key not in known or known[key] != value:
        shown.changes[name] += 1
        key = shown.keys[name] = f"{name}-{shown.changes[name]}"
    return key


def if_shown(key: str, act: Callable[[Any], None]) -> Callable[[], None]:
    """Return what a widget of `shown_key` calls: `act` with the value that the user chose in it.

    Streamlit still calls a widget that another one took the place of, where a browser sends it.
    """

    def changed() -> None:
        if key in session_object(_Shown).keys.values():
            act(now()[key])

    return changed


def bound(
    widget: Callable[..., object],
    label: str,
    *options: object,
    name: str,
    value: object,
    on_choice: Callable[[Any], None],
    **further: Any,
) -> None:
    """Draw a widget that shows a part of the address; what the user chooses goes to `on_choice`.

    `name` and `value` are as for `shown_key`, `options` and `further` are the widget's own.
    """
    key = shown_key(name, value)
    # What the widget begins with, not its state: Streamlit sends a state that was set with the next
    # run only, and a run that is broken off is never seen.
    begins: dict[str, object] = {"value": value}
    if widget.__name__ in ("segmented_control", "multiselect"):
        begins = {"default": value}
    elif widget.__name__ == "selectbox":
        offered: Any = options[0]
        begins = {"index": offered.index(value) if value in offered else None}
    widget(label, *options, key=key, on_change=if_shown(key, on_choice), **begins, **further)
