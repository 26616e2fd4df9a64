"""The line above a comparison: the choice of A and B, and the default pairs."""

from typing import Final

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.views.compare.sides import SideSource, quick_pairs
from pages.parts.address import change_address
from pages.parts.session_state import on_choice, shown_key

OF_SIDES: Final = dict.fromkeys(
    ("filter", "criterion", "tag", "page", "slices", "case", "ra", "rb", "file", "text")
)
"""Address parameters that say what is open of the sides: other sides begin without them."""


def pickers(of_a: SideSource, of_b: SideSource, a: Side, b: Side, names: tuple[str, str]) -> None:
    """Offer the sides, their swap, and the default pairs; the choice goes to the address.

    `names` are those of the sources; they are shown if the sources differ.
    """
    from_a, from_b = ("", "") if of_a.ws is of_b.ws else names
    _pick("A", "a", of_a, a, from_a)
    if of_a.ws is of_b.ws and st.button("⇄", key="compare-swap", help="Swap A and B"):
        _choose(a=b.column.key, b=a.column.key)
    _pick("B", "b", of_b, b, from_b)
    if of_a.ws is of_b.ws:
        for words, first, second in quick_pairs(of_a.ws, of_a.suite, a, b):
            if st.button(words, key=f"compare-quick-{words}", type="tertiary"):
                _choose(a=first, b=second)


def _pick(letter: str, name: str, source: SideSource, side: Side, where: str) -> None:
    key, labels = shown_key(f"compare-{name}", side.column.key), source.labels
    of = f" · {where}" if where else ""

    def changed(value: str) -> None:
        change_address(**OF_SIDES, **{name: value})

    role = "Baseline" if letter == "A" else "Candidate"
    with st.container(key=f"compare-side-{name}", width=350 if where else 220):
        st.selectbox(
            f"{role} {letter}",
            list(reversed(labels)),
            key=key,
            on_change=on_choice(key, changed),
            format_func=lambda column: f"{letter}  {labels.get(column, column)}{of}",
            label_visibility="collapsed",
        )


def _choose(**values: str | None) -> None:
    change_address(**OF_SIDES, **values)
    st.rerun()
