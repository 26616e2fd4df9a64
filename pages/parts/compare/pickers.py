"""The one line above a comparison: which side is A, which is B, and the usual pairs."""

from typing import Final

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.views.compare.head import quick_pairs
from evalcore.views.compare.sides import Place
from pages.parts.address import ask_for
from pages.parts.session_state import now

OF_SIDES: Final = dict.fromkeys(
    ("filter", "criterion", "tag", "page", "slices", "case", "ra", "rb", "file", "text")
)
"""Address parameters that say what is open of the sides: other sides begin without them."""


def pickers(of_a: Place, of_b: Place, a: Side, b: Side, names: tuple[str, str]) -> None:
    """Offer the sides, their swap, and the usual pairs; the choice goes to the address.

    `names` say where each side is from; they are shown where that is not the same place.
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


def _pick(letter: str, name: str, place: Place, side: Side, where: str) -> None:
    key, labels = f"compare-{name}", place.labels
    of = f" · {where}" if where else ""

    def changed() -> None:
        ask_for(**OF_SIDES, **{name: now()[key]})

    st.session_state[key] = side.column.key
    role = "the baseline" if letter == "A" else "compared with it"
    with st.container(key=f"compare-side-{name}", width=380 if where else 270):
        st.selectbox(
            f"{letter}, {role}",
            list(reversed(labels)),
            key=key,
            on_change=changed,
            format_func=lambda column: f"{letter}  {labels.get(column, column)}{of}",
            label_visibility="collapsed",
        )


def _choose(**values: str | None) -> None:
    ask_for(**OF_SIDES, **values)
    st.rerun()
