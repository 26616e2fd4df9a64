"""The address of a page: its state is read from there and written there.

A run of a page begins with the address that the browser had when the reader acted. Whoever acts
again at once breaks the run before off, or sends an address that does not know of it yet. What was
asked for is therefore noted first (`ask_for`) and written by every run (`take_up`), until the
browser sent an address that has it. For a moment two runs may go on side by side, as the older one
ends only at its next step: each knows what was noted when it began.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import get_ident
from time import monotonic
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.session_state import kept

_MOST_THREADS: Final = 50
_PATIENCE_SECONDS: Final = 60.0
"""A browser that does not know of a change after this long went elsewhere meanwhile."""

_Place = tuple[str, str | None, str | None]


@dataclass
class _Asked:
    """What the reader asked for that the browser's address need not have yet.

    `place` is the page, workspace and suite where it was asked, None before the first run; with
    `alone` nothing else stays in the address. `written`: this run wrote it into the address.
    `count` is how often something was noted, `shown` how much of that a run has written, `told` how
    much of it each thread knows of.
    """

    changes: dict[str, str | None] = field(default_factory=dict)
    alone: bool = False
    place: _Place | None = None
    at: float = 0.0
    written: bool = False
    count: int = 0
    shown: int = 0
    told: dict[int, int] = field(default_factory=dict)

    def meant_for(self, here: _Place) -> bool:
        """Say whether it was asked here, or led here, and not long ago."""
        if monotonic() - self.at > _PATIENCE_SECONDS:
            return False
        if self.place is None or self.place == here:
            return True
        page, workspace, suite = self.place
        changed = self.changes.get("w", workspace), self.changes.get("suite", suite)
        return (page, *changed) == here

    def note(self, changes: dict[str, str | None], *, alone: bool) -> None:
        """Add what is asked for now; with `alone` it replaces what was asked for before."""
        self.changes = changes if alone else self.changes | changes
        self.alone = self.alone or alone
        self.at = monotonic()
        self.count += 1
        self.tell()

    def tell(self) -> None:
        """Let the run that goes on in this thread know of everything."""
        if len(self.told) > _MOST_THREADS:
            self.told.clear()
        self.told[get_ident()] = self.count

    def told_all(self) -> bool:
        """Say whether nothing was noted by another run since this one was told."""
        return self.told.get(get_ident(), self.count) == self.count

    def known(self) -> bool:
        """Say whether the address has it."""
        return all(st.query_params.get(name) == value for name, value in self.changes.items())

    def forget(self) -> None:
        """Go on with the address as it is."""
        self.changes, self.alone = {}, False


def parameter(name: str, allowed: Iterable[str] | None = None) -> str | None:
    """Return one page's own address parameter; None where it is absent or not `allowed`."""
    value = st.query_params.get(name)
    return value if allowed is None or value in set(allowed) else None


def parameters(name: str) -> list[str]:
    """Return every value of an address parameter that may stand there more than once."""
    return st.query_params.get_all(name)


def set_parameters(**values: str | None) -> None:
    """Write one page's own parameters into the address; None takes one out."""
    asked = kept(_Asked)
    if not asked.told_all():
        st.rerun()  # by a run that was broken off: what is drawn would not show it
    asked.changes |= {name: value for name, value in values.items() if name in asked.changes}
    asked.shown = asked.count
    for name, value in values.items():
        if value is not None:
            if st.query_params.get(name) != value:
                st.query_params[name] = value
        elif name in st.query_params:
            del st.query_params[name]


def ask_for(**values: str | None) -> None:
    """Note what the reader asked for; this run of the page, or the next, writes it."""
    kept(_Asked).note(values, alone=False)


def ask_for_only(**values: str | None) -> None:
    """Note what the reader asked for; nothing else stays in the address."""
    kept(_Asked).note(values, alone=True)


def take_up(page: str) -> None:
    """Write what the reader asked for on this page and the browser does not know of yet."""
    asked = kept(_Asked)
    asked.tell()
    asked.shown = asked.count
    here = (page, st.query_params.get("w"), st.query_params.get("suite"))
    if not asked.changes or asked.known() or not asked.meant_for(here) or _went_back():
        asked.forget()
        asked.place = here
        return
    asked.written = True
    if asked.alone:
        st.query_params.from_dict(
            {name: value for name, value in asked.changes.items() if value is not None}
        )
    else:
        set_parameters(**asked.changes)


def look_again() -> None:
    """Forget what was asked for once the browser's address has it; show what no run has shown."""
    asked = kept(_Asked)
    if asked.shown != asked.count:
        st.rerun(scope="app")
    if asked.written:
        asked.written = False  # drawn by the run that wrote it: this is not the browser's yet
    elif asked.changes and asked.known():
        asked.forget()


def _went_back() -> bool:
    """Say whether the browser's buttons led here: then its address is what the reader wants."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))
