"""Compare two versions or configurations: did it get better, and where."""

from functools import partial

import streamlit as st

from evalcore.comparing.compare import compare
from evalcore.validating.compared import judge_error
from evalcore.views.compare.cases import counts_block, list_block, pairs_listing
from evalcore.views.compare.sides import SideSource, head_blocks, named, sides_of, too_few
from evalcore.views.compare.state import View, listed, reduce
from evalcore.views.verdict.picture import verdict_picture
from evalcore.views.verdict.prepare import prepare_blocks
from pages.parts.address import change_address, set_parameters
from pages.parts.compare.deciding import approval, ask_others, compare_by_benchmark, decisions
from pages.parts.compare.sides import elsewhere, pickers, side_sources
from pages.parts.compare.tabs import beside
from pages.parts.frame import end_page, notice
from pages.parts.links import follow
from pages.parts.page import suite_page
from pages.parts.panels.components import ShownView, compare_panel, new_acts
from pages.parts.session_state import session_object
from pages.parts.share import export, report_of, share

ws, choice, suite = suite_page("Compare")
view = View.of(st.query_params.to_dict())
here = SideSource(ws, suite, choice.workspace)
from_a, from_b = side_sources(here)
a, b, unmet = sides_of(from_a, from_b, (view.a, view.b), choice.version, choice.configuration)
for sentence in dict.fromkeys((*from_a.messages, *from_b.messages, *unmet)):
    notice(sentence)
if a is None or b is None:
    st.text(too_few(here))
    elsewhere(from_b, here, choice)
    end_page()

with st.spinner("Comparing …"):
    found = named(compare(a, b, choice.scores), from_a.name, from_b.name)
for did in new_acts():
    follow(choice, did, "compare")
    view = reduce(view, did, listed(found, b.ws, view).ids)
    change_address(**view.parameters())
set_parameters(**view.parameters())
session_object(ShownView).query |= {"a": a.column.key, "b": b.column.key}
cases = listed(found, b.ws, view)

with st.container(horizontal=True, vertical_alignment="center", key="compare-pickers"):
    pickers(from_a, from_b, a, b)
    elsewhere(from_b, here, choice)
    ask_others(a, b, choice)
    export(partial(pairs_listing, cases), "comparison", "compare")
    chosen = (a.column.key, b.column.key)
    here_only = a.ws is b.ws is ws and a.suite == b.suite == suite
    report = report_of(ws, suite, choice.scores, chosen) if here_only else None
    share(partial(verdict_picture, ws, found), "verdict", report, "verdict")
if a.ws is not b.ws:
    st.text(
        "To swap sides, judge blind or compare by a model, both must be in this folder as it is."
    )
error = judge_error(a, b, choice.scores) if view.error else None
head = [*head_blocks(found, error), *prepare_blocks(ws, found), counts_block(found, view)]
compare_panel(head, "compare-head")
decided = approval(a, b, choice)
left, right = st.columns([5, 9], gap="medium")
with left:
    compare_panel([list_block(found, cases, view)], "compare-list", keys=True, fill=True)
with right:
    beside(found, a, b, cases, view, (from_a.home, from_b.home), choice)
compare_by_benchmark(a, b, choice)
decisions(decided, choice)
