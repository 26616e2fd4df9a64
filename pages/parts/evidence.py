"""The evidence beside the grid: the head of the case, and one tab below it."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.views.evidence import Evidence, case_of, evidence, raw_text
from evalcore.views.grid import Grid
from evalcore.views.handoff import case_markdown
from evalcore.views.moves import TABS, View, place_in_list
from evalcore.views.outcomes import run_marks
from evalcore.views.outputs import OutputFile
from evalcore.views.panel import case_blocks, grade_blocks, head_block
from pages.parts.files import file_panel
from pages.parts.panels.components import grades_panel, head_panel
from pages.parts.state import Choice

HEIGHT: Final = 620


def evidence_panel(ws: Workspace, choice: Choice, found: Grid, view: View, run: str) -> None:
    """Draw the evidence of one run: what stays the same above every tab, and the open tab."""
    seen = evidence(ws, run)
    where = place_in_list(ws, found, choice.suite or "", seen.case.case_id)
    marks = run_marks(ws, choice.suite or "", seen.case.case_id)
    head_panel(head_block(seen, view.tab, _tabs(seen), where, case_markdown(seen), marks))
    with st.container(height=HEIGHT, border=False, key="evidence-body"):
        _tab(ws, seen, view)


def _tab(ws: Workspace, seen: Evidence, view: View) -> None:
    if view.tab == "grades":
        grades_panel(grade_blocks(seen))
    elif view.tab == "case":
        grades_panel(case_blocks(seen.case, ws), key="case-blocks")
    elif view.tab == "raw":
        _raw(ws, seen)
    else:
        role = "transcript" if view.tab == "transcript" else "output"
        file_panel(ws, _files(seen, role), view.file, role)


def _tabs(seen: Evidence) -> list[tuple[str, str]]:
    counts = {"output": len(_files(seen, "output")), "transcript": len(_files(seen, "transcript"))}
    return [(tab, f"{tab} {counts[tab]}" if tab in counts else tab) for tab in TABS]


def _files(seen: Evidence, role: str) -> list[OutputFile]:
    return [file for file in seen.files if (file.role == "transcript") == (role == "transcript")]


def _raw(ws: Workspace, seen: Evidence) -> None:
    """Show the run's document at the run's place, and the case's definition."""
    for source, pointer in (
        (seen.run.source, seen.run.pointer),
        (seen.case.source, seen.case.pointer),
    ):
        if source:
            st.code(f"{source}#{pointer}" if pointer else source, language=None)
            st.code(raw_text(ws, source, pointer or ""), language="json", wrap_lines=True)


def case_without_run(ws: Workspace, suite: str, case_id: str) -> None:
    """Show a case that nothing has run yet."""
    st.text("This case has no run in any version yet.")
    grades_panel(case_blocks(case_of(ws, suite, case_id), ws), key="case-blocks")


def nothing_chosen(ws: Workspace) -> None:
    """Say what was looked for in a folder without suites, and what to do next."""
    st.text(f"No evaluation was found in {ws.root}.")
    st.text(
        "Looked for evals/evals.json, iteration-N/…/grading.json, grading/<case>_v<N>_run<R>.json, "
        "eval/eval_metadata.json, and records with a type and fields, in every folder below it."
    )
    st.text(
        "See what was found and what could not be read on the Data page, or open another folder:"
    )
    st.code("evalcore open FOLDER", language=None)
