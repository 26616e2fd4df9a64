"""Criteria: where they are weak, how they changed over versions, and how they were scored."""

from functools import partial

import streamlit as st

from evalcore.rubrics.spread import spreads
from evalcore.views.rubric.changed import change_blocks
from evalcore.views.rubric.criteria import (
    criteria_blocks,
    criteria_listing,
    criteria_picture,
    focus_column,
    stored_blocks,
    top_blocks,
)
from evalcore.views.rubric.detail import detail_blocks
from evalcore.views.rubric.heat import heat_blocks, heat_picture
from evalcore.views.rubric.quality import quality_blocks
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import opened, suggestion_blocks
from evalcore.views.rubric.weighed import default_weighing, weight_blocks
from pages.parts.address import replace_address, set_parameters
from pages.parts.evidence import nothing_chosen
from pages.parts.export import export
from pages.parts.frame import frame
from pages.parts.links import follow
from pages.parts.panels.components import heat_panel, new_acts, sheet_panel
from pages.parts.rubric.forms import forms
from pages.parts.share import share

LOOK_HEIGHT = 620

shown = frame("Rubric")
ws, choice = shown.workspace, shown.choice
for did in new_acts():
    if asked := follow(choice, did, "rubric"):
        replace_address(**choice.query(**asked))
        st.rerun()
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()

suite, side, scores = choice.suite, choice.configuration, choice.scores
view = RubricView.of(st.query_params.to_dict())
set_parameters(**view.parameters())
focus = focus_column(ws, suite, choice.version, side, scores)
found = spreads(ws, suite, focus[0], scores) if focus is not None else ()
base = choice.query()
detail = detail_blocks(ws, suite, side, view, scores)
with st.container(key="stacks-rubric"):
    left, right = st.columns([7, 5], gap="medium") if detail else (st.container(), None)
# Each panel carries its style and script, so neighbours are one panel.
with left:
    top = top_blocks(found, focus[1], scores) if focus is not None and found else []
    heat = [*top, *heat_blocks(ws, suite, side, view, scores)]
    heat_panel(heat, base, "rubric-heat", scroll=f"{view.sort} {view.page} {view.columns}")
    if found:
        share(partial(heat_picture, ws, suite, side, view.sort, scores), "rubric-heat")
if right is not None:
    with right, st.container(height=LOOK_HEIGHT, border=False, key="rubric-detail"):
        sheet_panel(detail, base, "rubric-one")
if focus is not None and found:
    weighed = default_weighing(ws, suite, choice.version, side, scores)
    about = [
        *quality_blocks(ws, suite, view, scores),
        *suggestion_blocks(ws, suite, view),
    ]
    below = [
        *criteria_blocks(ws, suite, found, focus[1], view),
        *weight_blocks(ws, suite, weighed, view, scores),
        *change_blocks(ws, suite, side, view, scores),
        *stored_blocks(ws, suite, focus[1]),
    ]
    if (suggestion := opened(ws, suite, view)) is not None:
        sheet_panel(about, base, "rubric-quality")
        forms(ws, suite, suggestion)
        about = []
    sheet_panel([*about, *below], base, "rubric-criteria")
    with st.container(horizontal=True, vertical_alignment="center", key="sharing-rubric"):
        share(partial(criteria_picture, ws, suite, found, focus[1], scores), "rubric-criteria")
        export(partial(criteria_listing, ws, suite, found, scores), "criteria", "criteria")
