"""Summary of the chosen suite, and what needs attention."""

from functools import partial

import streamlit as st

from evalcore.views.blocks.base import Block
from evalcore.views.first_steps import first_steps
from evalcore.views.overview.attention import look_blocks, weak_blocks
from evalcore.views.overview.pending import pending_blocks, pending_items
from evalcore.views.overview.summary import overview, suite_lines
from evalcore.views.overview.tables import benchmark_blocks, suite_blocks, version_blocks
from evalcore.views.overview.top import headline_comparisons, likely_range, top_blocks
from evalcore.views.series.regressions import regression_blocks
from evalcore.views.verdict.picture import verdict_picture
from evalcore.views.verdict.prepare import prepare_blocks
from pages.parts.first_steps import draw_steps
from pages.parts.full_check import check_behind, known_problems
from pages.parts.overview import headline
from pages.parts.page import follow_links, suite_page
from pages.parts.panels.components import sheet_panel
from pages.parts.share import report_of, share
from pages.parts.state import Choice

ws, choice, suite = suite_page("Overview")


def sheet(blocks: list[Block], key: str, chosen: Choice = choice) -> None:
    sheet_panel(blocks, chosen.query(), key)


follow_links(choice, "overview")
problems = known_problems(ws)
found = overview(ws, suite, choice.version, choice.configuration, choice.scores)
focus = found.line.focus
compared = headline_comparisons(ws, suite, choice.version, choice.configuration, choice.scores)
likely = focus and likely_range(ws, suite, focus, choice.scores)
top = top_blocks(found, compared, likely, problems)
if compared.first is not None:  # beside the verdict that asks for it
    top[1:1] = prepare_blocks(ws, compared.first)
top[1:1] = regression_blocks(ws, suite)
sheet(top, "overview-top")
if compared.first is not None:
    chosen = (compared.first.a.column.key, compared.first.b.column.key)
    report = report_of(ws, suite, choice.scores, chosen)
    share(partial(verdict_picture, ws, compared.first), "verdict", report, "verdict")
steps = () if compared.first is not None else first_steps(ws, suite)
if steps:
    draw_steps(steps, choice.query)
left, right = st.columns([1, 1], gap="large")
with left:
    drawn = headline(ws, choice, suite, found.line.headline)
    if not drawn and not steps:
        st.text("The chart begins with a second version or configuration that has scores.")
    if focus is not None:
        sheet(look_blocks(ws, found), "overview-look")
with right:
    waiting = pending_blocks(suite, pending_items(ws, suite, focus), problems)
    sheet([*weak_blocks(found), *waiting], "overview-weak")
# Each sheet carries its style and script: one for all lists makes the page 60 KB smaller.
below = (
    version_blocks(found),
    benchmark_blocks(found),
    suite_blocks(suite_lines(ws, choice.scores), suite, problems),
)
sheet([block for blocks in below for block in blocks], "overview-versions")
check_behind(ws)
