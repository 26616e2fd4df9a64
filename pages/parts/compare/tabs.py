"""The tabs beside the list of cases: rates, criteria and tags, texts, the open case, its steps."""

from typing import Final

import streamlit as st

from evalcore.comparing.model import Comparison, Side
from evalcore.texts import Diff
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
    chosen,
    file_pairs,
    missing_outputs,
    output_difference,
    outputs_of,
    suggestion_blocks,
    text_difference,
    text_labels,
    texts,
    texts_sentence,
)
from evalcore.views.files.diff import diff_block, diff_portions
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


def beside(
    found: Comparison,
    a: Side,
    b: Side,
    cases: Listed,
    view: View,
    homes: tuple[Home, Home],
    choice: Choice,
) -> None:
    """Draw the tabs and the open one of them; `homes` lead to the runs of A and of B."""
    tab = view.open_tab
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
            compare_panel(slice_blocks(found, view), "compare-slices")
        elif tab == "texts":
            texts_tab(a, b, view)
        elif tab == "rates":
            rates_tab(found, a, b, view, choice)
        elif tab == "steps":
            steps_tab(found, a, b, view, homes, choice)
        elif opened := open_case(found, a, b, view, homes):
            block = pair_block(found, opened, cases, view)
            compare_panel([block], "compare-case", budget=BUDGET)
            outputs_diff(opened, view)
        else:
            notice("The case in this address is on neither side; choose one from the list.")


def rates_tab(found: Comparison, a: Side, b: Side, view: View, choice: Choice) -> None:
    """Draw the rates, what was lost, and what both sides cost."""
    by_model = model_comparison_blocks(found, a, b)
    drawn = rate_blocks(found)
    if not drawn:
        st.text(f"{NOTHING} {SHARED}" if found.slices else NOTHING)
        sheet_panel(by_model, choice.query(), "compare-by-model")
        return
    compare_panel([*drawn, *dot_blocks(found, view.case)], "compare-rates")
    bound(
        st.checkbox,
        "Include the judge's error",
        name="compare-judge-error",
        value=view.error,
        on_choice=lambda asked: change_address(error="1" if asked else None),
        help="Widen the interval by how much people differ from the judge in random samples",
    )
    below = [*by_model, *lost_blocks(found), *measure_blocks(found), *repeat_blocks(found)]
    sheet_panel([*below, Say(scale_note(found), quiet=True)], choice.query(), "compare-measures")


def steps_tab(
    found: Comparison, a: Side, b: Side, view: View, homes: tuple[Home, Home], choice: Choice
) -> None:
    """Draw the steps of the open case on both sides; those of all runs are read when asked for."""
    opened = open_case(found, a, b, view, homes)
    if opened is None:
        st.text(CHOOSE)
    else:
        compare_panel([step_rows(opened, view.rows)], "compare-steps")
    box = st.expander(
        "Both versions: turns, tools, errors and tokens of all runs",
        key="compare-all-steps",
        on_change="rerun",
        expanded=opened is None,
    )
    if box.open:
        with box, st.spinner("Reading the transcripts …"):
            blocks = step_measure_blocks(found, a, b)
            sheet_panel(blocks, choice.query(), "compare-step-measures")


def texts_tab(a: Side, b: Side, view: View) -> None:
    """Draw the changed texts of skill, prompt or description, and the applied suggestions."""
    changes, suggested = texts(a, b)
    st.text(texts_sentence(changes))
    files = {file.path: file for file in changes.files}
    if view.text not in {None, *files}:
        st.text("The text in this address did not change between these two, or is gone.")
    if files:
        file = chosen(files, view.text)
        _choose("Text", "text", text_labels(changes), file.path)
        _draw(text_difference(file.a or "", file.b or ""), file.path, "compare-text-diff")
    if suggested:
        compare_panel(suggestion_blocks(suggested), "compare-suggestions", budget=BUDGET)


def outputs_diff(opened: OpenCase, view: View) -> None:
    """Offer the outputs of the open runs and draw the differences of two of them."""
    for sentence in missing_outputs(opened):
        st.text(sentence)
    pairs = file_pairs(opened)
    if not pairs:
        return
    if view.file not in {None, *pairs}:
        st.text(f"These runs have no output called {line(view.file or '', 80)}; another is shown.")
    pair = chosen(pairs, view.file)
    _choose("Output", "file", {name: one.label for name, one in pairs.items()}, pair.name)
    both = outputs_of(opened, pair)
    for letter, output in zip("AB", both, strict=True):
        if output is not None and output.note:
            st.text(f"{letter}: {output.note}")
    difference = output_difference(*both)
    if difference is not None:
        _draw(difference, pair.name, "compare-diff")
        return
    for place, output in zip(st.columns(2), both, strict=True):
        with place:
            if output is not None and output.kind == "image" and output.data is not None:
                st.image(output.data)
            elif output is not None and output.text is not None:
                st.code(output.text[:MAX_TEXT], language=None, wrap_lines=True)


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


def _draw(difference: Diff, name: str, key: str) -> None:
    """Draw a difference; of a long one the chosen portion."""
    total, number = diff_portions(difference), 1
    if total > 1:
        number = st.selectbox(
            "Part",
            list(range(1, total + 1)),
            key=f"compare-part-{hash(name)}",
            format_func=lambda n: f"part {n} of {total}",
            label_visibility="collapsed",
        )
    diff_panel(diff_block(difference, name, portion=number), key=key)
