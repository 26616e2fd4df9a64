"""Blind studies: list, create, judge without knowing which version made what, and read results."""

import streamlit as st

from evalcore.blind.ranking import may_see
from evalcore.judging.hiding import studies
from evalcore.views.blind.words import RESULTS_LATER
from pages.parts.address import apply_changes, parameter
from pages.parts.blind.judging import judging, results_section
from pages.parts.blind.studies import about, listing
from pages.parts.forms import receipts
from pages.parts.frame import bare_frame, end_page
from pages.parts.judge_name import here
from pages.parts.page import suite_page

apply_changes("Blind")  # which of both frames it is depends on the address
study_id = parameter("study")
if study_id is not None:
    bare = bare_frame("Blind")
    known = studies(bare.workspace, bare.choice.suite) if bare.choice.suite else ()
    study = next((each for each in known if each.id == study_id), None)
    judge = here()
    if study is None:
        st.text("This study does not exist. Go back to the list of studies.")
    elif study.closed is not None:
        receipts(about(study.suite))
        if may_see(known, judge):
            results_section(bare.workspace, bare.choice, study)
        else:
            st.text(RESULTS_LATER)
    elif judge is None:
        st.text("No name is set in this browser. Go back to the list of studies to set it.")
    else:
        judging(bare.workspace, study, judge)
    end_page()

ws, choice, suite = suite_page("Blind")
listing(ws, suite)
