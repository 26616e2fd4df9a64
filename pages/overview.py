"""Where the chosen suite stands, and where to look."""

import streamlit as st

from evalcore.views.overview import overview, suite_lines
from evalcore.views.overview_panel import (
    benchmark_blocks,
    suite_blocks,
    top_blocks,
    weak_blocks,
)
from evalcore.views.version_panel import version_blocks
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame
from pages.parts.overview_chart import headline
from pages.parts.overview_doors import follow, leave
from pages.parts.panels.components import sheet_panel, taken
from pages.parts.state import Choice

shown = frame("Overview")
ws, choice = shown.workspace, shown.choice


def sheet(blocks: list[dict[str, object]], key: str, chosen: Choice = choice) -> None:
    sheet_panel(blocks, chosen.query(), key)


asked = follow(choice, taken(), "overview")
if asked:
    leave(choice, "overview", **asked)
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()

found = overview(ws, choice.suite, choice.version, choice.configuration)
sheet(top_blocks(found), "overview-top")
left, right = st.columns([7, 5], gap="large")
with left:
    drawn = headline(ws, choice, choice.suite, found.line.headline)
    if not drawn:
        st.text("The chart begins with a second version or configuration that has scores.")
with right:
    sheet(weak_blocks(found), "overview-weak")
sheet(version_blocks(found), "overview-versions")
sheet(benchmark_blocks(found), "overview-benchmarks")
sheet(suite_blocks(suite_lines(ws), choice.suite), "overview-suites")
