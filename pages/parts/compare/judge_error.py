"""The choice to include the judge's error in the interval of a comparison."""

import streamlit as st

from pages.parts.address import change_address
from pages.parts.session_state import on_choice, shown_key


def choose_judge_error(*, asked: bool) -> None:
    """Offer the choice, which goes to the address."""
    key = shown_key("compare-judge-error", asked)

    def changed(value: bool) -> None:
        change_address(error="1" if value else None)

    st.checkbox(
        "Include the judge's error",
        key=key,
        on_change=on_choice(key, changed),
        help="Widen the interval by how much people differ from the judge in random samples",
    )
