"""The benchmarks of a suite on Trends: the table, and the forms that create one and run one."""

from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.benchmarks.definitions import RETIRED, benchmark_named
from evalcore.comparing.sides import columns_of, side_of
from evalcore.counting.choices import case_ids
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.defining import Definition, create
from evalcore.memory.taking import Asked
from evalcore.trends.benchmarks import Followed, followed_benchmarks
from evalcore.views.series.regressions import done_sentences
from evalcore.views.trends.benchmarks import benchmark_table
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import now
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

THRESHOLD: Final = 0.8
ALL: Final = "all cases of the suite"


def benchmark_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw the benchmarks of a suite, and what can be done with them."""
    found = followed_benchmarks(ws, suite)
    sheet_panel(benchmark_table(found), choice.query(), "trends-benchmarks")
    active = [each for each in found if each.benchmark.status != RETIRED]
    of = f"benchmark {suite}"
    with st.container(horizontal=True, vertical_alignment="center", key="aside-benchmarks"):
        _create(ws, suite, of)
        if active and columns_of(ws, suite):
            _take(ws, suite, active, of)
        receipts(of)


def _create(ws: Workspace, suite: str, of: str) -> None:
    def fields(submission: str) -> None:
        st.text_input("Name", key=f"benchmark-name-{submission}", max_chars=200)
        st.text_input("What it measures", key=f"benchmark-dimension-{submission}")
        st.multiselect(
            "Cases", case_ids(ws, suite), key=f"benchmark-cases-{submission}", placeholder=ALL
        )
        st.number_input(
            "Target pass rate", 0.0, 1.0, THRESHOLD, 0.05, key=f"benchmark-threshold-{submission}"
        )
        st.text_input("Owner (you, if empty)", key=f"benchmark-owner-{submission}")

    def act(description: str, replace: bool, judge: Judge, submission: str) -> str:
        given = _given("benchmark", submission)
        asked = Definition(
            str(given("name") or ""),
            tuple(given("cases") or case_ids(ws, suite)),
            str(given("dimension") or ""),
            float(given("threshold")),
            str(given("owner") or judge.id),
            description,
        )
        receipt = create(ws.unmasked, suite, asked, judge.id, replace=replace)
        return f"Created: {receipt.path}"

    spec = FormSpec(
        "benchmark-create",
        of,
        "Create the benchmark",
        "Description",
        tick="Replace the benchmark with this name",
        fields=fields,
    )
    with popover("Create a benchmark …", spec):
        store_form(spec, act, review_folder(ws, suite))


def _take(ws: Workspace, suite: str, active: list[Followed], of: str) -> None:
    names = {each.benchmark.id: each.benchmark.name for each in active}
    keys = [column.key for column in columns_of(ws, suite)]

    def fields(submission: str) -> None:
        st.selectbox(
            "Benchmark",
            list(names),
            format_func=lambda each: names[each],
            key=f"benchmark-of-{submission}",
        )
        st.selectbox("Runs of", keys, len(keys) - 1, key=f"benchmark-side-{submission}")

    def act(notes: str, again: bool, judge: Judge, submission: str) -> str:
        given = _given("benchmark", submission)
        benchmark = benchmark_named(ws, suite, str(given("of")))
        column = side_of(ws, suite, str(given("side"))).column
        done = run_finished(ws, benchmark, Asked(column, judge.id, notes, again), judge.id)
        return " ".join(done_sentences(done.workspace, done))

    spec = FormSpec(
        "benchmark-take",
        of,
        "Record the benchmark run",
        "Notes",
        tick="Also use runs that were used before",
        fields=fields,
    )
    with popover("Record a benchmark run …", spec):
        store_form(spec, act, review_folder(ws, suite))


def _given(form: str, submission: str) -> Any:
    """Return what was typed into a form, by the name of its field."""
    typed = now()
    return lambda name: typed.get(f"{form}-{name}-{submission}")
