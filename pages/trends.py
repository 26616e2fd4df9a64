"""A metric over versions or benchmark runs: its direction, alerts, and the runs of each point."""

import streamlit as st

from evalcore.trends.benchmarks import stored_trends
from evalcore.views.chains.block import chain_blocks
from evalcore.views.series.chart import chart_blocks
from evalcore.views.series.regressions import step_blocks
from evalcore.views.series.words import metric_words
from evalcore.views.trends.directions import stored_table
from evalcore.views.trends.page import drawn_lines, found_of, head_blocks, line_chips
from evalcore.views.trends.point import place_named, point_blocks, point_runs, table_blocks
from evalcore.views.trends.state import View
from pages.parts.address import change_address, set_parameters
from pages.parts.frame import notice
from pages.parts.links import follow
from pages.parts.page import suite_page
from pages.parts.panels.components import chain_panel, new_acts, sheet_panel
from pages.parts.trends import benchmark_section, chart, pickers, slider

ws, choice, suite = suite_page("Trends")
view = View.of(st.query_params.to_dict())
for did in new_acts():
    if asked := follow(choice, did, "trends"):
        view = View.of(asked)
        change_address(**view.parameters())
set_parameters(**view.parameters())

found = found_of(ws, suite, view, choice.configuration, choice.scores)
if found.message:
    notice(found.message)
pickers(ws, suite, found)
words, lines = metric_words(ws, suite, found.metric), drawn_lines(ws, suite, found, choice.scores)
# Each sheet carries its style and script: as few as the place of the chart allows.
head = [
    *head_blocks(ws, suite, found, choice.scores),
    *chart_blocks(lines),
    *line_chips(ws, suite, found, choice.scores),
]
sheet_panel(head, choice.query(), "trends-head")
place = place_named(ws, suite, found.metric, view.over, view.point, choice.scores)
if view.point and place is None:
    notice("The point in this link has no value here. Choose one in the chart.")
with st.container(key="stacks-trends"):
    left, right = st.columns([3, 2], gap="large") if place else (st.container(), None)
with left:
    if lines is not None:
        chart(ws, choice, suite, found, lines)
    slider(found)
    if place is not None and place.benchmark_run:
        chain_panel(
            chain_blocks(ws, suite, "benchmark-run", place.benchmark_run),
            choice.query(),
            "trends-chain",
        )
if right is not None and place is not None:
    with right:
        runs = point_runs(ws, suite, found.metric, place, choice.scores)
        at = f"{place.key} {view.page}"
        said = step_blocks(ws, suite, place.benchmark_run) if place.benchmark_run else ()
        blocks = point_blocks(ws, words, runs, view, said)
        sheet_panel(blocks, choice.query(), "trends-point", scroll=at)
if found.drawn is not None:
    below = (
        table_blocks(ws, suite, found.metric, found.drawn, view, choice.scores),
        stored_table(stored_trends(ws, suite)),
    )
    sheet_panel([block for blocks in below for block in blocks], choice.query(), "trends-table")
benchmark_section(ws, choice, suite)
