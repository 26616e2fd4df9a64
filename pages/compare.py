"""Two versions or configurations compared: whether it got better, and where."""

import streamlit as st

from evalcore.comparing.compare import compare
from evalcore.views.compare.cases import counts_block, list_block
from evalcore.views.compare.head import head_blocks
from evalcore.views.compare.sides import Place, named, sides_of, too_few
from evalcore.views.compare.state import listed, reduce, view_of
from pages.parts.address import ask_for, set_parameters
from pages.parts.compare.elsewhere import elsewhere, places
from pages.parts.compare.pickers import pickers
from pages.parts.compare.tabs import Shown, beside
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame, notice
from pages.parts.links import follow
from pages.parts.panels.components import compare_panel, taken

shown = frame("Compare")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()

view = view_of(st.query_params.to_dict())
here = Place(ws, choice.suite)
from_a, from_b = places(here, choice)
sides = sides_of(from_a.place, from_b.place, (view.a, view.b), choice.version, choice.configuration)
for sentence in dict.fromkeys((*from_a.said, *from_b.said, *sides.said)):
    notice(sentence)
if sides.a is None or sides.b is None:
    st.text(too_few(here))
    elsewhere(from_b, here, choice)
    st.stop()

with st.spinner("Comparing …"):
    found = named(compare(sides.a, sides.b, choice.scores), from_a.name, from_b.name)
for did in taken():
    follow(choice, did, "compare")
    view = reduce(view, did, listed(found, sides.b.ws, view).ids)
    ask_for(**view.parameters())
set_parameters(**view.parameters())
cases = listed(found, sides.b.ws, view)

with st.container(horizontal=True, vertical_alignment="center", key="compare-pickers"):
    names = (from_a.name, from_b.name)
    pickers(from_a.place, from_b.place, sides.a, sides.b, names)
    elsewhere(from_b, here, choice)
compare_panel([*head_blocks(found), counts_block(found, view)], "compare-head")
left, right = st.columns([5, 9], gap="medium")
with left:
    compare_panel([list_block(found, cases, view)], "compare-list", keys=True, fill=True)
with right:
    homes = (from_a.home, from_b.home)
    beside(Shown(found, sides.a, sides.b, cases, view, homes), choice)
