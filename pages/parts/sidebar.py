"""The sidebar of every page: the pages, what is looked at, and who looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from evalcore import __version__
from evalcore.recent import recent_workspaces
from evalcore.views.bundles import bundle_words
from evalcore.views.runs.listing import running_now
from evalcore.views.verdict.prepare import to_new
from pages.parts.access.gate import GATE, MINUTES_FOR_ANOTHER
from pages.parts.access.guard import IN_ADDRESS
from pages.parts.address import change_address, parameters, replace_address
from pages.parts.judge_name import here
from pages.parts.panels.components import keys_panel
from pages.parts.session_state import bound, session_object
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
TICK_SECONDS: Final = 2.0
# No version or configuration has an empty name.
_ALL: Final = ""


@dataclass
class _Link:
    """The link for another browser that was made last in this session."""

    url: str = ""


def sidebar(
    choice: Choice, found: Offer, walking: str | None, waits: dict[str, str], root: Path
) -> None:
    """Draw the sidebar: the pages with what waits on each, the choice, and at the foot who looks.

    `walking` says why the folder is not watched, if so.
    """

    def change_suite(value: str) -> None:
        # A browser that has not drawn the first runs of a suite sends "name · no runs".
        if value in found.suites:
            # Versions, cases and runs are the suite's own: none means anything in another.
            replace_address(w=choice.workspace, suite=value)

    with st.sidebar:
        product_name()
        # The pages come first and never move: what can be chosen differs from suite to suite.
        _links(choice.query(), waits)
        with st.container(key="choice"):
            names = sorted(recent.name for recent in recent_workspaces())
            bound(
                st.selectbox,
                "Workspace",
                names,
                name="side-w",
                value=choice.workspace,
                on_choice=lambda value: replace_address(w=value),
            )
            _bundle(root)
            if choice.suite is not None:
                bound(
                    st.selectbox,
                    "Suite",
                    list(found.suites),
                    name="side-suite",
                    value=choice.suite,
                    format_func=found.suites.__getitem__,
                    on_choice=change_suite,
                )
            if found.versions:
                _choose_part("Version", "v", choice.version, found.versions)
            if found.configurations not in {(), ("-",)}:
                _choose_part("Configuration", "c", choice.configuration, found.configurations)
            if found.human_scores or choice.scores != SCORES[0]:
                bound(
                    st.selectbox,
                    "Whose scores",
                    SCORES,
                    name="side-scores",
                    value=choice.scores,
                    format_func=_WHOSE.__getitem__,
                    on_choice=lambda value: change_address(
                        scores=None if value == SCORES[0] else value
                    ),
                )
        if choice.suite is not None:
            with st.container(key="new-run"):
                query = choice.query(**to_new().query)
                st.page_link("pages/runs.py", label="New run", query_params=query)
            _going_on(choice, root)
        footer(walking, choice.workspace)


def _bundle(root: Path) -> None:
    """Say of a folder that is an opened bundle that it is one, and how to answer it."""
    found = bundle_words(root)
    if found is None:
        return
    with st.expander("Bundle, read-only"):
        for sentence in found.sentences:
            st.text(sentence)
        if found.reply is not None:
            st.code(found.reply, language=None, wrap_lines=True)


def _links(query: dict[str, str], waits: Mapping[str, str]) -> None:
    with st.container(key="pages"):
        for page, title in PAGES.items():
            label = f"{title} *{waits[page]}*" if page in waits else title
            icon = f":material/{_ICONS[page]}:"
            st.page_link(f"pages/{page}.py", label=label, icon=icon, query_params=query)


def _choose_part(label: str, parameter: str, chosen: str | None, known: Iterable[str]) -> None:
    """Offer all or one of `known`; the choice goes to the address, from where it is read."""
    options = (_ALL, *known)
    every = f"All {len(options) - 1}" if len(options) > 2 else "All"
    bound(
        st.selectbox,
        label,
        options,
        name=f"side-{parameter}",
        value=_ALL if chosen is None else chosen,
        format_func=lambda value: every if value == _ALL else value,
        on_choice=lambda value: change_address(**{parameter: value or None}),
    )


@st.fragment(run_every=TICK_SECONDS)
def _going_on(choice: Choice, root: Path) -> None:
    """Draw a line for each run that is going on here."""
    with st.container(key="running-now"):
        for each in running_now(root):
            st.progress(each.share, text=f"{each.done:,} of {each.total:,} done")
            query = choice.query(id=each.id)
            st.page_link("pages/runs.py", label="Show run", query_params=query)


def product_name() -> None:
    """Draw the product's name."""
    with st.container(key="product"):
        st.text("evalcore")


def footer(walking: str | None = None, workspace: str | None = None) -> None:
    """Draw the foot: how to let another browser in, the version, and who judges here."""
    with st.container(key="footer"):
        keys_panel()
        if workspace is not None:
            another_browser(workspace)
        if walking is not None:
            st.text(f"This folder cannot be watched, so changes show later: {walking}.")
        judge = here()
        who = f"judging as {judge.name}" if judge else "not signed in"
        st.text(f"Version {__version__} · {who}")


def another_browser(workspace: str) -> None:
    """Offer a link that lets one more browser see this view, and show it once it is made."""
    made, address = session_object(_Link), st.context.url
    label = "Link for another browser"
    if st.button(label, key="another-browser", type="tertiary") and isinstance(address, str):
        view = {"w": [workspace]} | {name: parameters(name) for name in st.query_params}
        query = urlencode(view | {IN_ADDRESS: GATE.new_token()}, doseq=True)
        made.url = urlsplit(address)._replace(query=query, fragment="").geturl()
    if made.url:
        st.code(made.url, language=None, wrap_lines=True)
        st.text(f"Opens this view in one more browser, once, within {MINUTES_FOR_ANOTHER} minutes.")


def shell(name: str) -> None:
    """Draw what is known of the sidebar before the workspace called `name` is read."""
    product_name()
    _links({"w": name}, {})
