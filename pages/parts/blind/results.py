"""The results of a closed blind study, beside what the recorded scores say of the same two."""

import streamlit as st

from evalcore import Workspace
from evalcore.blind.closing import revealed
from evalcore.blind.results import results
from evalcore.comparing.compare import compare
from evalcore.comparing.sides import side_of
from evalcore.errors import EvalcoreError
from evalcore.judging.studies import Study
from evalcore.views.blind.results import result_blocks
from evalcore.views.blind.task import length_of
from evalcore.views.verdict.sentence import sentence
from pages.parts.links import follow
from pages.parts.panels.components import new_acts, sheet_panel
from pages.parts.state import Choice


def results_section(ws: Workspace, choice: Choice, study: Study) -> None:
    """Draw the results, or why there are none."""
    for did in new_acts():
        follow(choice, did, "blind")
    found, why_not = revealed(study)
    if why_not is not None:
        st.text(why_not)
        return
    counted = results(study, found, lambda run: length_of(ws, run))
    blocks = result_blocks(study, counted, _recorded(ws, study))
    sheet_panel(blocks, choice.query(), "blind-results")


def _recorded(ws: Workspace, study: Study) -> str | None:
    """Return the verdict by recorded scores; None where they cannot be compared."""
    try:
        a, b = (
            side_of(ws, study.suite, name) for name in (study.fields.side_a, study.fields.side_b)
        )
        return sentence(compare(a, b))
    except EvalcoreError:
        return None
