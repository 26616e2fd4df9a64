"""The tabs beside the list of cases: rates, criteria and tags, changed texts, the open case."""

from typing import Final, NamedTuple

import streamlit as st

from evalcore.comparing.model import Comparison, Side
from evalcore.views.blocks.comparison import Tabs
from evalcore.views.blocks.page import Say
from evalcore.views.blocks.plain import BUDGET
from evalcore.views.compare.case import Home, open_case, pair_block
from evalcore.views.compare.dots import dot_blocks
from evalcore.views.compare.rates import (
    lost_blocks,
    measure_blocks,
    rate_blocks,
    repeat_blocks,
    scale_note,
)
from evalcore.views.compare.recorded import model_comparison_blocks
from evalcore.views.compare.slices import slice_blocks
from evalcore.views.compare.state import TABS, Listed, Tab, View
from pages.parts.compare.judge_error import choose_judge_error
from pages.parts.compare.outputs import outputs_diff
from pages.parts.compare.texts import texts_tab
from pages.parts.frame import notice
from pages.parts.panels.components import compare_panel, sheet_panel
from pages.parts.state import Choice

HEIGHT: Final = 560
LABELS: Final[dict[Tab, str]] = {
    "rates": "Rates and cost",
    "slices": "Criteria and tags",
    "texts": "Changed texts",
    "case": "Case",
}

SHARED: Final = "The criteria that both sides share are under “Criteria and tags”."
NOTHING: Final = (
    "A and B are not comparable, so no difference is shown. What each side says of a case can "
    "still be read: choose one from the list."
)


class Shown(NamedTuple):
    """The comparison, its view, and the parameters that lead to the runs of A and of B."""

    found: Comparison
    a: Side
    b: Side
    cases: Listed
    view: View
    homes: tuple[Home, Home]


def beside(shown: Shown, choice: Choice) -> None:
    """Draw the tabs and the open one of them."""
    tabs = [
        {
            "key": tab,
            "label": LABELS[tab],
            "on": tab == shown.view.open_tab,
            "off": tab == "case" and shown.view.case is None,
        }
        for tab in TABS
    ]
    compare_panel([Tabs(tabs)], "compare-tabs")
    with st.container(height=HEIGHT, border=False, key="compare-body"):
        tab = shown.view.open_tab
        if tab == "case":
            _case(shown)
        elif tab == "slices":
            compare_panel(slice_blocks(shown.found, shown.view), "compare-slices")
        elif tab == "texts":
            texts_tab(shown.a, shown.b, shown.view)
        else:
            _rates(shown, choice)


def _rates(shown: Shown, choice: Choice) -> None:
    found = shown.found
    by_model = model_comparison_blocks(found, shown.a, shown.b)
    drawn = rate_blocks(found)
    if not drawn:
        st.text(f"{NOTHING} {SHARED}" if found.slices else NOTHING)
        sheet_panel(by_model, choice.query(), "compare-by-model")
        return
    compare_panel([*drawn, *dot_blocks(found, shown.view.case)], "compare-rates")
    choose_judge_error(asked=shown.view.error)
    below = [*by_model, *lost_blocks(found), *measure_blocks(found), *repeat_blocks(found)]
    sheet_panel([*below, Say(scale_note(found), quiet=True)], choice.query(), "compare-measures")


def _case(shown: Shown) -> None:
    opened = open_case(shown.found, shown.a, shown.b, shown.view)
    if opened is None:
        notice("The case in this address is on neither side; choose one from the list.")
        return
    block = pair_block(shown.found, opened, shown.cases, shown.view, shown.homes)
    compare_panel([block], "compare-case", budget=BUDGET)
    outputs_diff(opened, shown.view)
