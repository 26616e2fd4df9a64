"""The changed texts of skill, prompt or description, and the applied suggestions."""

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.views.blocks.plain import BUDGET
from evalcore.views.compare.state import View
from evalcore.views.compare.texts import (
    chosen_text,
    suggestion_blocks,
    text_block,
    text_labels,
    text_portions,
    texts,
    texts_sentence,
)
from pages.parts.address import change_address
from pages.parts.panels.components import compare_panel, diff_panel
from pages.parts.session_state import on_choice, shown_key


def texts_tab(a: Side, b: Side, view: View) -> None:
    """Draw the differences between the texts of two sides."""
    found = texts(a, b)
    st.text(texts_sentence(found))
    file = chosen_text(found, view.text)
    if view.text is not None and (file is None or file.path != view.text):
        st.text("The text in this address did not change between these two, or is gone.")
    if file is not None:
        choose("Text", "text", text_labels(found), file.path)
        number = portion_number(text_portions(file), file.path)
        diff_panel(text_block(file, number), key="compare-text-diff")
    suggested = suggestion_blocks(found)
    if suggested:
        compare_panel(suggested, "compare-suggestions", budget=BUDGET)


def choose(label: str, name: str, labels: dict[str, str], chosen: str) -> None:
    """Offer files by their names; the choice goes to the address under `name`."""
    if len(labels) == 1:
        st.text(f"{label}: {labels[chosen]}")
        return
    key = shown_key(f"compare-{name}", chosen)

    def changed(value: str) -> None:
        change_address(**{name: value})

    st.selectbox(
        label,
        list(labels),
        key=key,
        on_change=on_choice(key, changed),
        format_func=lambda path: labels.get(path, path),
        label_visibility="collapsed",
    )


def portion_number(total: int, name: str) -> int:
    """Offer the portions of a long difference; return the chosen one."""
    if total == 1:
        return 1
    numbers = list(range(1, total + 1))
    chosen = st.selectbox(
        "Part",
        numbers,
        key=f"compare-part-{hash(name)}",
        format_func=lambda n: f"part {n} of {total}",
        label_visibility="collapsed",
    )
    return int(chosen)
