"""The address of a page, which holds its state.

A script run begins with the address that the browser had when the user acted. Another action at
once interrupts that run, or sends an address without the first change. Changes are therefore noted
first (`change_address`) and applied by every run (`apply_changes`) until the browser sends an
address that contains them. For a moment two runs may overlap, as the older one ends only at its
next step: each knows the changes noted when it began.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import get_ident
from time import monotonic
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.session_state import session_object

_MOST_THREADS: Final = 50
_PATIENCE_SECONDS: Final = 60.0
"""A browser that does not know of a change after this long went elsewhere meanwhile."""

_Place = tuple[str, str | None, str | None]


@dataclass
class _RequestedChanges:
    """Requested changes of the address that the browser may not have yet.

    `place` is the page, workspace and suite of the request, None before the first run; with `alone`
    nothing else stays in the address. `written`: this run wrote them into the address. `count` is
    the number of requests, `shown` how many of them a run has written, `known_by` how many each
    thread knows of.
    """

    changes: dict[str, str | None] = field(default_factory=dict)
    alone: bool = False
    place: _Place | None = None
    at: float = 0.0
    written: bool = False
    count: int = 0
    shown: int = 0
    known_by: dict[int, int] = field(default_factory=dict)

    def meant_for(self, here: _Place) -> bool:
        """Return whether it was requested for this page, and not long ago."""
        if monotonic() - self.at > _PATIENCE_SECONDS:
            return False
        if self.place is None or _same(self.place, here):
            return True
        page, workspace, suite = self.place
        changed = self.changes.get("w", workspace), self.changes.get("suite", suite)
        return _same((page, *changed), here)

    def note(self, changes: dict[str, str | None], *, alone: bool) -> None:
        """Add a request; with `alone` it replaces earlier ones."""
        self.changes = changes if alone else self.changes | changes
        self.alone = self.alone or alone
        self.at = monotonic()
        self.count += 1
        self.tell()

    def tell(self) -> None:
        """Mark all requests as known to the run in this thread."""
        if len(self.known_by) > _MOST_THREADS:
            self.known_by.clear()
        self.known_by[get_ident()] = self.count

    def knows_all(self) -> bool:
        """Return whether this run knows of all requests."""
        return self.known_by.get(get_ident(), self.count) == self.count

    def known(self) -> bool:
        """Return whether the address contains the changes."""
        return all(st.query_params.get(name) == value for name, value in self.changes.items())

    def forget(self) -> None:
        """Drop the requests."""
        self.changes, self.alone = {}, False


def parameter(name: str, allowed: Iterable[str] | None = None) -> str | None:
    """Return one page's own address parameter; None if it is absent or not `allowed`."""
    value = st.query_params.get(name)
    return value if allowed is None or value in set(allowed) else None


def parameters(name: str) -> list[str]:
    """Return every value of an address parameter that may be repeated."""
    return st.query_params.get_all(name)


def set_parameters(**values: str | None) -> None:
    """Write one page's own parameters into the address; None removes one."""
    asked = session_object(_RequestedChanges)
    if not asked.knows_all():
        st.rerun()  # by a run that was broken off: what is drawn would not show it
    asked.changes |= {name: value for name, value in values.items() if name in asked.changes}
    asked.shown = asked.count
    if any(st.query_params.get(name) != value for name, value in values.items()):
        # All at once: each message to the browser is a step of its history.
        all_of = {name: st.query_params.get_all(name) for name in st.query_params} | values
        given = {name: value for name, value in all_of.items() if value is not None}
        st.query_params.from_dict(given)


def fill_in(**chosen: str | None) -> None:
    """Write what the page chose by itself into the address, which keeps what it says."""
    missing = {
        name: value
        for name, value in chosen.items()
        if value is not None and name not in st.query_params
    }
    if missing:
        set_parameters(**missing)


def change_address(**values: str | None) -> None:
    """Request a change of the address; this run of the page, or the next, applies it."""
    session_object(_RequestedChanges).note(values, alone=False)


def replace_address(**values: str | None) -> None:
    """Request a new address; nothing else stays in it."""
    # What has to go is named too: else an address with more in it would look like the new one.
    gone = dict.fromkeys(st.query_params)
    session_object(_RequestedChanges).note(gone | values, alone=True)


def apply_changes(page: str) -> None:
    """Apply the requested changes that the browser does not have yet."""
    asked = session_object(_RequestedChanges)
    asked.tell()
    asked.shown = asked.count
    here = (page, *place())
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


def place() -> tuple[str | None, str | None]:
    """Return the workspace and the suite that the address names."""
    return st.query_params.get("w"), st.query_params.get("suite")


def settle_address() -> None:
    """Drop requests that the browser's address contains; rerun for those that no run has shown."""
    asked = session_object(_RequestedChanges)
    if asked.shown != asked.count:
        st.rerun(scope="app")
    if asked.written:
        asked.written = False  # drawn by the run that wrote it: this is not the browser's yet
    elif asked.changes and asked.known():
        asked.forget()


def follow_address(shown: tuple[str | None, str | None]) -> None:
    """Rerun where the browser's address names another place than the one that is `shown`.

    What a page wrote into its address may reach a browser that has gone back meanwhile: it then
    stands in the address of the page that the browser went back to.
    """
    asked = session_object(_RequestedChanges)
    if not asked.changes and not _same(("", *place()), ("", *shown)):
        st.rerun(scope="app")


def _same(one: _Place, other: _Place) -> bool:
    """Return whether two places are one; what an address does not name yet is filled in later."""
    return all(a == b or None in (a, b) for a, b in zip(one, other, strict=True))


def _went_back() -> bool:
    """Return whether the browser's back or forward button led here: then its address wins."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))
