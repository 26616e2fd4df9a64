"""The tabs beside the list of cases: rates, criteria and tags, texts, the open case, its steps."""

from typing import Final, NamedTuple

import streamlit as st

from evalcore.comparing.model import Comparison, Side
from evalcore.views.blocks.comparison import Tabs
from evalcore.views.blocks.page import Say
from evalcore.views.blocks.plain import BUDGET
from evalcore.views.compare.case import Home, OpenCase, open_case, pair_block
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
from evalcore.views.compare.steps import CHOOSE, step_measure_blocks, step_rows
from evalcore.views.compare.texts import (
    chosen_pair,
    chosen_text,
    file_pairs,
    missing_outputs,
    output_pair,
    outputs_block,
    portions_of,
    suggestion_blocks,
    text_block,
    text_labels,
    text_portions,
    texts,
    texts_sentence,
)
from evalcore.views.words.wording import line
from pages.parts.address import change_address
from pages.parts.frame import notice
from pages.parts.panels.components import compare_panel, diff_panel, sheet_panel
from pages.parts.session_state import bound
from pages.parts.state import Choice

HEIGHT: Final = 560
MAX_TEXT: Final = 20_000
LABELS: Final[dict[Tab, str]] = {
    "rates": "Rates and cost",
    "slices": "Criteria and tags",
    "texts": "Changed texts",
    "case": "Case",
    "steps": "Steps",
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
    tab, view = shown.view.open_tab, shown.view
    tabs = [
        {
            "key": each,
            "label": LABELS[each],
            "on": each == tab,
            "off": each == "case" and view.case is None,
        }
        for each in TABS
    ]
    compare_panel([Tabs(tabs)], "compare-tabs")
    with st.container(height=HEIGHT, border=False, key="compare-body"):
        if tab == "slices":
            compare_panel(slice_blocks(shown.found, view), "compare-slices")
        elif tab == "texts":
            texts_tab(shown.a, shown.b, view)
        elif tab == "steps":
            steps_tab(shown, choice)
        elif tab != "case":
            rates_tab(shown, choice)
        elif opened := open_case(shown.found, shown.a, shown.b, view):
            block = pair_block(shown.found, opened, shown.cases, view, shown.homes)
            compare_panel([block], "compare-case", budget=BUDGET)
            outputs_diff(opened, view)
        else:
            notice("The case in this address is on neither side; choose one from the list.")


def rates_tab(shown: Shown, choice: Choice) -> None:
    """Draw the rates, what was lost, and what both sides cost."""
    found = shown.found
    by_model = model_comparison_blocks(found, shown.a, shown.b)
    drawn = rate_blocks(found)
    if not drawn:
        st.text(f"{NOTHING} {SHARED}" if found.slices else NOTHING)
        sheet_panel(by_model, choice.query(), "compare-by-model")
        return
    compare_panel([*drawn, *dot_blocks(found, shown.view.case)], "compare-rates")
    bound(
        st.checkbox,
        "Include the judge's error",
        name="compare-judge-error",
        value=shown.view.error,
        on_choice=lambda asked: change_address(error="1" if asked else None),
        help="Widen the interval by how much people differ from the judge in random samples",
    )
    below = [*by_model, *lost_blocks(found), *measure_blocks(found), *repeat_blocks(found)]
    sheet_panel([*below, Say(scale_note(found), quiet=True)], choice.query(), "compare-measures")


def steps_tab(shown: Shown, choice: Choice) -> None:
    """Draw the steps of the open case on both sides; those of all runs are read when asked for."""
    opened = open_case(shown.found, shown.a, shown.b, shown.view)
    if opened is None:
        st.text(CHOOSE)
    else:
        rows = step_rows(shown.found, opened, shown.view.rows, shown.homes)
        compare_panel([rows], "compare-steps")
    box = st.expander(
        "Both versions: turns, tools, errors and tokens of all runs",
        key="compare-all-steps",
        on_change="rerun",
        expanded=opened is None,
    )
    if box.open:
        with box, st.spinner("Reading the transcripts …"):
            blocks = step_measure_blocks(shown.found, shown.a, shown.b)
            sheet_panel(blocks, choice.query(), "compare-step-measures")


def texts_tab(a: Side, b: Side, view: View) -> None:
    """Draw the changed texts of skill, prompt or description, and the applied suggestions."""
    found = texts(a, b)
    st.text(texts_sentence(found))
    file = chosen_text(found, view.text)
    if view.text is not None and (file is None or file.path != view.text):
        st.text("The text in this address did not change between these two, or is gone.")
    if file is not None:
        _choose("Text", "text", text_labels(found), file.path)
        number = _portion_number(text_portions(file), file.path)
        diff_panel(text_block(file, number), key="compare-text-diff")
    suggested = suggestion_blocks(found)
    if suggested:
        compare_panel(suggested, "compare-suggestions", budget=BUDGET)


def outputs_diff(opened: OpenCase, view: View) -> None:
    """Offer the outputs of the open runs and draw the differences of two of them."""
    for sentence in missing_outputs(opened):
        st.text(sentence)
    pairs = file_pairs(opened)
    if not pairs:
        return
    pair = chosen_pair(pairs, view.file)
    if view.file not in {None, pair.name}:
        st.text(f"These runs have no output called {line(view.file or '', 80)}; another is shown.")
    _choose("Output", "file", {one.name: one.label for one in pairs}, pair.name)
    found = output_pair(opened, pair)
    for note in found.notes:
        st.text(note)
    if found.difference is None:
        for place, output in zip(st.columns(2), (found.a, found.b), strict=True):
            with place:
                if output is not None and output.kind == "image" and output.data is not None:
                    st.image(output.data)
                elif output is not None and output.text is not None:
                    st.code(output.text[:MAX_TEXT], language=None, wrap_lines=True)
        return
    number = _portion_number(portions_of(found), pair.name)
    diff_panel(outputs_block(found, pair, number), key="compare-diff")


def _choose(label: str, name: str, labels: dict[str, str], chosen: str) -> None:
    """Offer files by their names; the choice goes to the address under `name`."""
    if len(labels) == 1:
        st.text(f"{label}: {labels[chosen]}")
        return
    bound(
        st.selectbox,
        label,
        list(labels),
        name=f"compare-{name}",
        value=chosen,
        on_choice=lambda value: change_address(**{name: value}),
        format_func=lambda path: labels.get(path, path),
        label_visibility="collapsed",
    )


def _portion_number(total: int, name: str) -> int:
    """Offer the portions of a long difference; return the chosen one."""
    if total == 1:
        return 1
    chosen = st.selectbox(
        "Part",
        list(range(1, total + 1)),
        key=f"compare-part-{hash(name)}",
        format_func=lambda n: f"part {n} of {total}",
        label_visibility="collapsed",
    )
    return int(chosen)
