"""Trends: what is followed, its chart, and the benchmarks; what is chosen is in the address."""

from functools import partial
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.benchmarks.definitions import RETIRED, benchmark_named
from evalcore.charts.data import data_of
from evalcore.charts.figure import line_figure
from evalcore.comparing.sides import columns_of, side_of
from evalcore.counting.choices import case_ids
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.defining import Definition, create, retire
from evalcore.memory.taking import Asked
from evalcore.tables.exported import Listing
from evalcore.trends.benchmarks import followed_benchmarks
from evalcore.trends.lines import Place
from evalcore.views.charts.model import LineChart
from evalcore.views.series.chart import MAX_DRAWN, line_picture
from evalcore.views.series.regressions import done_sentences
from evalcore.views.trends.benchmarks import benchmark_table
from evalcore.views.trends.page import (
    Found,
    has_benchmark_runs,
    metric_names,
    offered_metrics,
    over_words,
)
from evalcore.views.trends.state import OVER
from pages.parts.address import change_address
from pages.parts.forms import Form, Sent, receipts
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import bound, now
from pages.parts.share import export, ground, report_of, share
from pages.parts.state import Choice

THRESHOLD: Final = 80
"""In percent, as rates are shown."""
_ELSEWHERE: Final = dict.fromkeys(("point", "page", "rows"))
"""Address parameters that name a part of what is shown: another metric begins without them."""


def pickers(ws: Workspace, suite: str, found: Found) -> None:
    """Offer the metrics, the headline first, and benchmark runs where there are any."""
    names, find = metric_names(ws, suite), "trends-find"
    with st.container(horizontal=True, vertical_alignment="bottom", key="trends-pickers"):
        offered, left = offered_metrics(names, found.metric, now().get(find, ""))
        with st.container(width=420, key="trends-pick"):
            bound(
                st.selectbox,
                "Metric",
                offered,
                name="trends-metric",
                value=found.metric.key,
                on_choice=lambda value: change_address(
                    **_ELSEWHERE, metric=None if value == "headline" else value
                ),
                format_func=lambda each: names[each],
            )
        if left or now().get(find):
            with st.container(width=260, key="trends-narrow"):
                st.text_input(f"Search {len(names):,} metrics ({left:,} not listed)", key=find)
        if has_benchmark_runs(ws, suite) or found.view.over != OVER[0]:
            ends = dict.fromkeys(("from", "to", "lines"))
            bound(
                st.segmented_control,
                "Points",
                OVER,
                name="trends-over",
                value=found.view.over,
                on_choice=lambda value: change_address(
                    **_ELSEWHERE, **ends, over=None if value == OVER[0] else value
                ),
                format_func=over_words().__getitem__,
                label_visibility="collapsed",
            )


def slider(found: Found) -> None:
    """Offer a range of places where more are known than fit into the chart."""
    drawn, total = found.drawn, len(found.places)
    if drawn is None or (total <= MAX_DRAWN and not (found.view.first or found.view.last)):
        return

    def changed(ends: tuple[int, int]) -> None:
        first, last = ends
        newest = found.places[last - 1] if last < total else None
        change_address(**{"from": found.places[first - 1], "to": newest, "rows": None})

    bound(
        st.slider,
        "Points shown (1 is the oldest)",
        1,
        total,
        name="trends-range",
        value=(drawn.first, drawn.last),
        on_choice=changed,
    )


def chart(ws: Workspace, choice: Choice, suite: str, found: Found, lines: LineChart) -> None:
    """Draw the chart; a clicked point becomes part of the address."""
    keys = [point.key for series in lines.series for point in series.points]
    open_key = next((key for key in keys if Place(*key).key == found.view.point), ())
    chosen: Any = st.plotly_chart(
        line_figure(lines, ground(), open_key),
        theme=None,
        alt=lines.sentence,
        # A new chart for each open point: what was clicked before is not clicked again.
        key=f"trends-{hash((suite, found.metric, found.view.over, found.view.point))}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": False},
    )
    with st.container(horizontal=True, vertical_alignment="center", key="sharing-trends"):
        picture = partial(line_picture, ws, suite, found.metric, lines, choice.scores)
        share(picture, "trends", report_of(ws, suite, choice.scores, trend=found.metric.key))
        export(lambda: Listing("points", *data_of(lines)), "points", "trends")
    points = chosen["selection"]["points"] if chosen else []
    key = tuple(map(str, (points[0].get("customdata") or []) if points else []))
    if key in keys:
        change_address(point=Place(*key).key, page=None)
        st.rerun()


def benchmark_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw the benchmarks of a suite, and the forms that create one and record a run of one."""
    found, reviews, of = (
        followed_benchmarks(ws, suite),
        review_folder(ws, suite),
        f"benchmark {suite}",
    )
    sheet_panel(benchmark_table(found), choice.query(), "trends-benchmarks")
    names = {
        each.benchmark.id: each.benchmark.name for each in found if each.benchmark.status != RETIRED
    }
    keys = [column.key for column in columns_of(ws, suite)]
    with st.container(horizontal=True, vertical_alignment="center", key="aside-benchmarks"):
        _creation(ws, suite, of).draw(reviews)
        if names and keys:
            _taking(ws, suite, of, names, keys).draw(reviews)
        if names:
            _retiring(ws, suite, of, names).draw(reviews)
        receipts(of)


def _creation(ws: Workspace, suite: str, of: str) -> Form:
    """Return the form that creates a benchmark."""

    def fields(submission: str) -> None:
        st.text_input("Name", key=f"benchmark-name-{submission}", max_chars=200)
        st.text_input("What it measures", key=f"benchmark-dimension-{submission}")
        st.multiselect(
            "Cases",
            case_ids(ws, suite),
            key=f"benchmark-cases-{submission}",
            placeholder="all cases of the suite",
        )
        st.number_input(
            "Target pass rate in %", 0, 100, THRESHOLD, 5, key=f"benchmark-threshold-{submission}"
        )
        st.text_input("Owner (you, if empty)", key=f"benchmark-owner-{submission}")

    def act(sent: Sent) -> str:
        asked = Definition(
            str(sent.given("benchmark-name") or ""),
            tuple(sent.given("benchmark-cases") or case_ids(ws, suite)),
            str(sent.given("benchmark-dimension") or ""),
            int(sent.given("benchmark-threshold")) / 100,
            str(sent.given("benchmark-owner") or sent.judge.id),
            sent.text,
        )
        receipt = create(ws.unmasked, suite, asked, sent.judge.id, replace=sent.ticked)
        return f"Created: {receipt.path}"

    return Form(
        "benchmark-create",
        of,
        "Create the benchmark",
        act,
        "Description",
        opens="Create a benchmark …",
        tick="Replace the benchmark with this name",
        fields=fields,
    )


def _retiring(ws: Workspace, suite: str, of: str, names: dict[str, str]) -> Form:
    """Return the form that retires a benchmark."""

    def fields(submission: str) -> None:
        st.selectbox(
            "Benchmark",
            list(names),
            format_func=lambda each: names[each],
            key=f"benchmark-retired-{submission}",
        )

    def act(sent: Sent) -> str:
        benchmark = benchmark_named(ws, suite, str(sent.given("benchmark-retired")))
        retire(ws.unmasked, benchmark, sent.judge.id)
        return f"Retired: {benchmark.name}."

    return Form(
        "benchmark-retire",
        of,
        "Retire it",
        act,
        opens="Retire a benchmark …",
        above="It stays with its history, and is run no more.",
        fields=fields,
    )


def _taking(ws: Workspace, suite: str, of: str, names: dict[str, str], keys: list[str]) -> Form:
    """Return the form that records a benchmark run of the runs of one version."""

    def fields(submission: str) -> None:
        st.selectbox(
            "Benchmark",
            list(names),
            format_func=lambda each: names[each],
            key=f"benchmark-of-{submission}",
        )
        st.selectbox("Runs of", keys, len(keys) - 1, key=f"benchmark-side-{submission}")

    def act(sent: Sent) -> str:
        benchmark = benchmark_named(ws, suite, str(sent.given("benchmark-of")))
        column = side_of(ws, suite, str(sent.given("benchmark-side"))).column
        asked = Asked(column, sent.judge.id, sent.text, sent.ticked)
        done = run_finished(ws, benchmark, asked, sent.judge.id)
        return " ".join(done_sentences(done.workspace, done))

    return Form(
        "benchmark-take",
        of,
        "Record the benchmark run",
        act,
        "Notes",
        opens="Record a benchmark run …",
        tick="Also use runs that were used before",
        fields=fields,
    )
