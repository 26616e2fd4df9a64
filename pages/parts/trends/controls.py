"""What is followed on Trends: the metric, over what, and which part; the choice is the address."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.views.series.chart import MAX_DRAWN
from evalcore.views.trends.page import (
    Found,
    has_benchmark_runs,
    metric_names,
    offered_metrics,
    over_words,
)
from evalcore.views.trends.state import OVER
from pages.parts.address import change_address
from pages.parts.session_state import now, on_choice, shown_key

_ELSEWHERE: Final = dict.fromkeys(("point", "page", "rows"))
"""Address parameters that name a part of what is shown: another metric begins without them."""


def pickers(ws: Workspace, suite: str, found: Found) -> None:
    """Offer the metrics, the headline first, and benchmark runs where there are any."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="trends-pickers"):
        _pick_metric(ws, suite, found)
        if has_benchmark_runs(ws, suite) or found.view.over != OVER[0]:
            _pick_over(found)


def slider(found: Found) -> None:
    """Offer a range of places where more are known than fit into the chart."""
    drawn, total = found.drawn, len(found.places)
    if drawn is None or (total <= MAX_DRAWN and not (found.view.first or found.view.last)):
        return
    key = shown_key("trends-range", (drawn.first, drawn.last))

    def changed(ends: tuple[int, int]) -> None:
        first, last = ends
        newest = found.places[last - 1] if last < total else None
        change_address(**{"from": found.places[first - 1], "to": newest, "rows": None})

    st.slider(
        "Points shown (1 is the oldest)", 1, total, key=key, on_change=on_choice(key, changed)
    )


def _pick_metric(ws: Workspace, suite: str, found: Found) -> None:
    names = metric_names(ws, suite)
    key, find = shown_key("trends-metric", found.metric.key), "trends-find"
    offered, left = offered_metrics(names, found.metric, now().get(find, ""))

    def changed(value: str) -> None:
        change_address(**_ELSEWHERE, metric=None if value == "headline" else value)

    with st.container(width=420, key="trends-pick"):
        st.selectbox(
            "Metric",
            offered,
            key=key,
            on_change=on_choice(key, changed),
            format_func=lambda each: names[each],
        )
    if left or now().get(find):
        with st.container(width=260, key="trends-narrow"):
            st.text_input(f"Search {len(names):,} metrics ({left:,} not listed)", key=find)


def _pick_over(found: Found) -> None:
    words, key = over_words(), shown_key("trends-over", found.view.over)

    def changed(value: str | None) -> None:
        ends = dict.fromkeys(("from", "to", "lines"))
        change_address(**_ELSEWHERE, **ends, over=None if value == OVER[0] else value)

    st.segmented_control(
        "Points", OVER, key=key, on_change=on_choice(key, changed), format_func=words.__getitem__,
        label_visibility="collapsed",
    )  # fmt: skip
