"""The sidebar of every page: the pages, what is looked at, and who looks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from evalcore import __version__
from evalcore.recent import recent_workspaces
from pages.parts.address import change_address, replace_address
from pages.parts.another_browser import another_browser
from pages.parts.judge_name import here
from pages.parts.panels.components import keys_panel
from pages.parts.runs.running import running
from pages.parts.session_state import on_choice, shown_key
from pages.parts.state import SCORES, Choice, Offer

PAGES: Final = {
    "overview": "Overview",
    "gradings": "Gradings",
    "compare": "Compare",
    "rubric": "Rubric",
    "trends": "Trends",
    "failures": "Failures",
    "judge": "Judge",
    "blind": "Blind",
    "runs": "Runs",
    "data": "Data",
}
_ICONS: Final = {
    "overview": "dashboard",
    "gradings": "checklist",
    "compare": "compare_arrows",
    "rubric": "grid_on",
    "trends": "show_chart",
    "failures": "error",
    "judge": "rate_review",
    "blind": "visibility_off",
    "runs": "play_circle",
    "data": "folder_open",
}
_WHOSE: Final = dict(
    zip(SCORES, ("As recorded", "By people", "By people, else as recorded"), strict=True)
)
# No version or configuration has an empty name.
_ALL: Final = ""


def sidebar(
    choice: Choice, found: Offer, walking: str | None, waits: dict[str, str], root: Path
) -> None:
    """Draw the sidebar: the pages with what waits on each, the choice, and at the foot who looks.

    `walking` says why the folder is not watched, if so.
    """
    with st.sidebar:
        product_name()
        # The pages come first and never move: what can be chosen differs from suite to suite.
        _links(choice.query(), waits)
        with st.container(key="choice"):
            _choose_workspace(choice)
            _choose_suite(choice, found.suites)
            if found.versions:
                _choose_part("Version", "v", choice.version, found.versions)
            if found.configurations not in {(), ("-",)}:
                _choose_part("Configuration", "c", choice.configuration, found.configurations)
            if found.human_scores or choice.scores != SCORES[0]:
                _choose_scores(choice.scores)
        if choice.suite is not None:
            running(choice, root)
        footer(walking, choice.workspace)


def _links(query: dict[str, str], waits: dict[str, str]) -> None:
    with st.container(key="pages"):
        for page, title in PAGES.items():
            label = f"{title} *{waits[page]}*" if page in waits else title
            icon = f":material/{_ICONS[page]}:"
            st.page_link(f"pages/{page}.py", label=label, icon=icon, query_params=query)


def product_name() -> None:
    """Draw the product's name."""
    with st.container(key="product"):
        st.text("evalcore")


def _choose_workspace(choice: Choice) -> None:
    names = [recent.name for recent in recent_workspaces()]
    key = shown_key("side-w", choice.workspace)

    def changed(value: str) -> None:
        replace_address(w=value)

    st.selectbox("Workspace", sorted(names), key=key, on_change=on_choice(key, changed))


def _choose_suite(choice: Choice, known: Mapping[str, str]) -> None:
    if choice.suite is None:
        return
    key = shown_key("side-suite", choice.suite)

    def changed(value: str) -> None:
        # Versions, cases and runs are the suite's own: none of them means anything in another.
        replace_address(w=choice.workspace, suite=value)

    st.selectbox(
        "Suite",
        list(known),
        key=key,
        on_change=on_choice(key, changed),
        format_func=known.__getitem__,
    )


def _choose_part(label: str, parameter: str, chosen: str | None, known: tuple[str, ...]) -> None:
    """Offer all or one of `known`; the choice goes to the address, from where it is read."""
    key = shown_key(f"side-{parameter}", chosen if chosen is not None else _ALL)

    def changed(value: str) -> None:
        change_address(**{parameter: value or None})

    every = f"All {len(known)}" if len(known) > 1 else "All"
    st.selectbox(
        label,
        (_ALL, *known),
        key=key,
        on_change=on_choice(key, changed),
        format_func=lambda value: every if value == _ALL else value,
    )


def _choose_scores(chosen: str) -> None:
    """Offer the score source if people have judged; the choice goes to the address."""
    key = shown_key("side-scores", chosen)

    def changed(value: str) -> None:
        change_address(scores=None if value == SCORES[0] else value)

    st.selectbox(
        "Whose scores",
        SCORES,
        key=key,
        on_change=on_choice(key, changed),
        format_func=_WHOSE.__getitem__,
    )


def footer(walking: str | None = None, workspace: str | None = None) -> None:
    """Draw the foot: how to let another browser in, the version, and who judges here."""
    with st.container(key="footer"):
        keys_panel()
        if workspace is not None:
            another_browser(workspace)
        if walking is not None:
            st.text(f"This folder cannot be watched, so changes show later: {walking}.")
        st.text(f"Version {__version__} · {_who()}")


def _who() -> str:
    """Ask for the name of the judge; only judging writes files."""
    judge = here()
    return f"judging as {judge.name}" if judge else "not signed in"


def shell(name: str) -> None:
    """Draw what is known of the sidebar before the workspace called `name` is read."""
    product_name()
    _links({"w": name}, {})
