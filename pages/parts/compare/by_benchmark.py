"""The comparisons of A and B by benchmarks, and the buttons that record one."""

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.comparing_versions import VersionComparison, record
from evalcore.views.compare.recorded import by_benchmark
from evalcore.workspace.opened import Workspace
from pages.parts.panels.components import grades_panel
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice


def compare_by_benchmark(a: Side, b: Side, choice: Choice) -> None:
    """Draw what benchmarks say of both versions, where the suite has any."""
    found = by_benchmark(a, b)
    if found is None:
        return
    grades_panel(found.blocks, "compare-by-benchmark", base=choice.query())
    for each in found.offers:
        for words in each.words:
            st.text(words)
        _record(a.ws, each.made)
    receipts(f"{a.column.key} {b.column.key}")


def _record(ws: Workspace, made: VersionComparison) -> None:
    def act(_: str, __: bool, judge: Judge, ___: str) -> str:
        first, *_rest = record(ws, made, judge.id)
        return f"Recorded as {first.id[:13]} …, with a message to who waits for it."

    of = f"{made.a.version} {made.b.version}"
    spec = FormSpec(f"record {made.benchmark.id}", of, "Record this comparison")
    with popover(f"Record it by {made.benchmark.name} …", spec):
        st.text(
            "Stored are both scores, the winner, and a recommendation by the verdict over exactly "
            "the runs of both benchmark runs."
        )
        store_form(spec, act, review_folder(ws, made.benchmark.suite))
