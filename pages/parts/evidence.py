"""The evidence beside the grid: the head of the case, and one tab below it."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.views.files.outputs import OutputFile
from evalcore.views.first_screen import ENOUGH, first_screen
from evalcore.views.gradings.grid import Grid, ends
from evalcore.views.gradings.state import TABS, GradingsState, Tab, place_in_list
from evalcore.views.run.case import case_blocks
from evalcore.views.run.case_markdown import case_markdown
from evalcore.views.run.evidence import Evidence, case_of, evidence, places_of
from evalcore.views.run.grading import grade_blocks, no_output
from evalcore.views.run.head import HeadData, head_block, head_of_case
from evalcore.views.run.human_activity import judged_runs
from pages.parts.files import file_panel, raw_panel
from pages.parts.gradings.single_score import score_forms
from pages.parts.panels.components import grades_panel, head_panel
from pages.parts.state import asked_workspace

HEIGHT: Final = 620
READING_WIDTH: Final = 860
MAX_COPIED: Final = 16_000


def evidence_panel(state: GradingsState, found: Grid, run: str, base: dict[str, str]) -> None:
    """Draw the evidence of one run: the head above the tabs, and the open tab.

    `base` are the parameters of every link.
    """
    seen = evidence(state.ws, run)
    head = _head_data(state, found, seen.case.case_id, _tabs(seen))
    head_panel(head_block(seen, head, _bounded(case_markdown(seen))))
    with st.container(height=HEIGHT, border=False, key="evidence-body"):
        _tab(state, seen, base)


def no_run_panel(state: GradingsState, found: Grid, case_id: str) -> None:
    """Draw a case without runs."""
    case = case_of(state.ws, state.suite, case_id)
    head = _head_data(state, found, case_id, tuple((tab, tab.capitalize()) for tab in TABS))
    head_panel(head_of_case(case, head))
    with st.container(height=HEIGHT, border=False, key="evidence-body"):
        if state.view.tab == "raw" and case.source:
            raw_panel(state, [(case.source, case.pointer)])
            return
        st.text("This case has no run in any version yet; this is how it is defined.")
        words = state.view.text
        grades_panel(case_blocks(state.ws, case), key="case-blocks", of=case_id, words=words)


def nothing_chosen(ws: Workspace) -> None:
    """Say what was looked for in a folder without suites, and the next step."""
    shown = first_screen(ws)
    with st.container(width=READING_WIDTH, key="first-screen"):
        for sentence in shown.said:
            st.text(sentence)
        if shown.command:
            st.text(shown.step)
            st.code(shown.command, language=None, wrap_lines=True)
        if shown.link:
            there = {"w": asked_workspace() or "", "dview": "problems", "code": shown.code}
            st.page_link("pages/data.py", label=shown.link, query_params=there)
        if shown.example:
            st.text(ENOUGH)
            st.code(shown.example, language=None, wrap_lines=True)


def _head_data(
    state: GradingsState, found: Grid, case_id: str, tabs: tuple[tuple[Tab, str], ...]
) -> HeadData:
    position, listed = place_in_list(state, found, case_id)
    messages = ends(found)
    marks = marks_in(state.ws, outcomes(state.ws, state.suite), case_id)
    people = judged_runs(state.ws, state.outcomes, case_id)
    return HeadData(state.view.tab, tabs, position, listed, messages, marks, people)


def _bounded(text: str) -> str:
    """Return the text for "copy as Markdown", bounded as it is sent with every case."""
    if len(text) <= MAX_COPIED:
        return text
    return f"{text[:MAX_COPIED]}\n\n(cut here; Export, This case, has the whole of it)\n"


def _tab(state: GradingsState, seen: Evidence, base: dict[str, str]) -> None:
    tab, run, words = state.view.tab, seen.run.run_id, state.view.text
    if tab == "grades":
        forms = score_forms(state.ws, run) if run else None
        blocks = grade_blocks(state.ws, seen)
        grades_panel(blocks, of=run, base=base, words=words, score=forms)
    elif tab == "case":
        blocks = case_blocks(state.ws, seen.case)
        grades_panel(blocks, key="case-blocks", of=seen.case.case_id, words=words)
    elif tab == "raw":
        raw_panel(state, places_of(state.ws, seen))
    elif tab == "transcript":
        _gone_file(state, seen)
        file_panel(state, _files(seen, tab), None, "No transcript saved for this run.")
    else:
        _gone_file(state, seen)
        first = seen.excerpt.path if seen.excerpt else None
        file_panel(state, _files(seen, tab), first, no_output(seen.run))


def _gone_file(state: GradingsState, seen: Evidence) -> None:
    """Say that the file in the address is not one of the run, in neither tab."""
    file = state.view.file
    if file is not None and all(file != one.path for one in seen.files):
        st.text("The file in this address is not one of this run's; another one is shown.")


def _tabs(seen: Evidence) -> tuple[tuple[Tab, str], ...]:
    def label(tab: Tab) -> str:
        files = f" {len(_files(seen, tab))}" if tab in ("output", "transcript") else ""
        return f"{tab.capitalize()}{files}"

    return tuple((tab, label(tab)) for tab in TABS)


def _files(seen: Evidence, tab: Tab) -> list[OutputFile]:
    return [file for file in seen.files if (file.role == "transcript") == (tab == "transcript")]
