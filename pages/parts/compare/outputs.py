"""The outputs of both runs of the open case, compared word by word."""

import streamlit as st

from evalcore.views.compare.case import OpenCase
from evalcore.views.compare.state import View
from evalcore.views.compare.texts import (
    chosen_pair,
    file_pairs,
    missing_outputs,
    output_pair,
    outputs_block,
    portions_of,
)
from evalcore.views.gradings.reasons import line
from pages.parts.compare.texts import choose, portion_number
from pages.parts.panels.components import diff_panel


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
    choose("Output", "file", {one.name: one.label for one in pairs}, pair.name)
    found = output_pair(opened, pair)
    for note in found.notes:
        st.text(note)
    if found.difference is None:
        for place, output in zip(st.columns(2), (found.a, found.b), strict=True):
            with place:
                if output is not None and output.kind == "image" and output.data is not None:
                    st.image(output.data)
                elif output is not None and output.text is not None:
                    st.code(output.text[:20_000], language=None, wrap_lines=True)
        return
    number = portion_number(portions_of(found), pair.name)
    diff_panel(outputs_block(found, pair, number), key="compare-diff")
