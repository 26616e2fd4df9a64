"""How a page about one suite begins, and what it does with the links of its panels."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.views.first_screen import ENOUGH, first_screen
from pages.parts.address import replace_address
from pages.parts.first_steps import draw_steps
from pages.parts.frame import end_page, frame
from pages.parts.links import follow
from pages.parts.panels.components import new_acts
from pages.parts.state import Choice, asked_workspace

LOOK_HEIGHT: Final = 620
"""The height of what is open beside a list, in pixels."""
READING_WIDTH: Final = 860


def suite_page(title: str) -> tuple[Workspace, Choice, str]:
    """Draw the frame of the page called `title`; return what it shows, and of that the suite.

    Ends the script with what was looked for and the next step if the folder has no suite.
    """
    shown = frame(title)
    if shown.choice.suite is None:
        nothing_chosen(shown.workspace)
        end_page()
    return shown.workspace, shown.choice, shown.choice.suite


def nothing_chosen(ws: Workspace) -> None:
    """Say what was looked for in a folder without suites, and the next step."""
    shown = first_screen(ws)
    with st.container(width=READING_WIDTH, key="first-screen"):
        for sentence in shown.said:
            st.text(sentence)
        if shown.steps:
            draw_steps(shown.steps, dict)
        if shown.command:
            st.text(shown.step)
            st.code(shown.command, language=None, wrap_lines=True)
        if shown.link:
            there = {"w": asked_workspace() or "", "dview": "problems", "code": shown.code}
            st.page_link("pages/data.py", label=shown.link, query_params=there)
        if shown.example:
            st.text(ENOUGH)
            st.code(shown.example, language=None, wrap_lines=True)


def follow_links(choice: Choice, here: str) -> None:
    """Follow the links that were clicked; one to this page replaces its address."""
    for did in new_acts():
        if asked := follow(choice, did, here):
            replace_address(**choice.query(**asked))
            st.rerun()
