"""The frame of every page: sidebar, title, and the message if nothing can be shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import StopException

from evalcore import Workspace
from evalcore.errors import EvalcoreError
from evalcore.recent import recent_workspaces, resolve
from evalcore.views.first_screen import OPEN, closed_screen
from evalcore.views.waiting import Place, waiting
from pages.parts.address import apply_changes, fill_in, place, replace_address
from pages.parts.full_check import known_problems
from pages.parts.judge_name import here, scores_are_shown
from pages.parts.links import PageSwitch
from pages.parts.live import live_bar
from pages.parts.own_acts import OwnActs
from pages.parts.panels.components import ShownView
from pages.parts.session_state import session_object
from pages.parts.sidebar import PAGES, footer, product_name, shell, sidebar
from pages.parts.state import (
    Choice,
    ReaderWorkspace,
    asked_workspace,
    choose,
    offer,
    opening_of,
    reader_workspace,
    wait_for,
)

_WITH_SCORES: Final = frozenset(PAGES) - {"judge", "blind", "runs", "data"}
"""The pages that show scores of the chosen suite whatever is chosen on them."""


class Frame(NamedTuple):
    """The workspace a page shows and what of it is chosen."""

    workspace: Workspace
    choice: Choice


def frame(title: str) -> Frame:
    """Draw the frame of the page called `title` and return the workspace and choice it shows.

    Ends the script with a sentence and the next step if there is no workspace to show.
    """
    _begin(title)
    turned = session_object(PageSwitch).arrive(title.lower())
    apply_changes(title)
    name = asked_workspace()
    if name is None:
        _stop_without("No workspace is chosen.", "Choose one of those opened on this machine, or:")
    wait_for(opening_of(name), title, lambda: shell(name))
    found = _reader_or_stop(name)
    if session_object(OwnActs).take_in(found, turned=turned):
        found = _reader_or_stop(name)
    workspace = found.snapshot.workspace
    choice = choose(name, st.query_params.to_dict(), workspace)
    # A copied address must open the same suite when another one has become the first.
    fill_in(w=name, suite=choice.suite)
    session_object(ShownView).query = choice.query()
    if title.lower() in _WITH_SCORES:
        scores_are_shown(workspace, choice.suite)
    sidebar(
        choice,
        offer(workspace, choice.suite),
        found.live.walking,
        _waiting(workspace, choice),
        workspace.root,
    )
    with _title_line(title):
        live_bar(found, choice.suite, place())
    for sentence in choice.messages:
        notice(sentence)
    return Frame(workspace, choice)


def bare_frame(title: str) -> Frame:
    """Draw a frame that tells nothing of versions, scores or runs; else as `frame`."""
    _begin(title)
    session_object(PageSwitch).arrive(title.lower())
    apply_changes(title)
    name = asked_workspace()
    if name is None:
        _stop_without("No workspace is chosen.", "Choose one of those opened on this machine, or:")
    workspace = _reader_or_stop(name).snapshot.workspace
    choice = choose(name, st.query_params.to_dict(), workspace)
    with st.sidebar:
        if st.button("‹ All studies", key="back", type="tertiary"):
            replace_address(w=name, suite=choice.suite)
            st.rerun()
    _title_line(title)
    return Frame(workspace, choice)


def start_page() -> None:
    """Show the workspace that `evalcore open` named, or the list of those opened before."""
    name = asked_workspace()
    if name is not None and resolve(name) is not None:
        st.switch_page("pages/overview.py", query_params={"w": name})
    _begin("Workspaces")
    _stop_without("Choose a workspace.", "To open another folder:")


def notice(sentence: str) -> None:
    """Show one sentence that needs attention; it may quote untrusted text."""
    with st.container(key=f"notice-{hash(sentence)}"):
        st.text(sentence)


def failed(fault: Exception) -> bool:
    """Show that a page failed, in one sentence and a next step; True: nothing else is shown.

    The message of an unforeseen error may quote anything, so only its kind is named here; the
    terminal has the rest.
    """
    foreseen = isinstance(fault, EvalcoreError)
    notice(str(fault) if foreseen else f"This page could not be drawn ({type(fault).__name__}).")
    st.text("Load the page again. The terminal that runs evalcore says more; no file was changed.")
    return True


def end_page() -> NoReturn:
    """End a page here; what was asked for meanwhile is done next.

    `st.stop` also drops it: a key pressed while the page runs for a reason of its own was lost.
    """
    raise StopException


def _begin(title: str) -> None:
    st.set_page_config(page_title=f"{title} · evalcore", layout="wide")


def _waiting(workspace: Workspace, choice: Choice) -> dict[str, str]:
    """Return what waits on each page, in our own words and digits only."""
    if choice.suite is None:
        return {}
    place = Place(choice.suite, choice.version, choice.configuration, choice.scores, here())
    return waiting(workspace, place, known_problems(workspace))


def _title_line(title: str) -> DeltaGenerator:
    """Draw the title, and return the line that it stands in."""
    line = st.container(horizontal=True, vertical_alignment="center", key="title-line")
    line.title(title, anchor=False, width="content")
    return line


def _reader_or_stop(name: str) -> ReaderWorkspace:
    try:
        found = reader_workspace(name)
    except EvalcoreError as fault:
        _stop_without(str(fault), "Move the folder back, or open another one:")
    except OSError as fault:
        why = (fault.strerror or type(fault).__name__).lower()
        closed = closed_screen(resolve(name) or Path(name), f"could not be read: {why}.")
        _stop_without(closed.said[0], closed.step, closed.command)
    if found is None:
        _stop_without(
            f"No workspace called “{name[:80]}” was opened on this machine.",
            "Choose one of those that were, or open its folder:",
        )
    return found


def _stop_without(sentence: str, next_step: str, command: str = OPEN) -> NoReturn:
    """End the script with what is missing, the known workspaces, and the command to type."""
    with st.sidebar:
        product_name()
        footer()
    _title_line("Workspaces")
    st.text(sentence)
    _recents()
    st.text(next_step)
    st.code(command, language=None, wrap_lines=True)
    end_page()


def _recents() -> None:
    recents = recent_workspaces()
    if not recents:
        return
    with st.container(key="recents"):
        for recent in recents:
            row = st.container(
                horizontal=True, vertical_alignment="center", key=f"recent-{recent.name}"
            )
            with row:
                label, query = _plain(recent.name), {"w": recent.name}
                st.page_link("pages/overview.py", label=label, query_params=query)
                st.text(f"{recent.path}{'' if recent.is_there else ' · not found'}")


def _plain(text: str) -> str:
    """Return `text` with all Markdown escaped, for labels that accept nothing else."""
    return re.sub(r"([^\w\s]|_)", r"\\\1", text)
