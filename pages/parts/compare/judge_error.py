"""The choice to include the judge's error in the interval of a comparison."""

from typing import Final

import streamlit as st

from pages.parts.address import change_address
from pages.parts.session_state import now

KEY: Final = "compare-judge-error"


def choose_judge_error(*, asked: bool) -> None:
    """Offer the choice, which goes to the address."""

    def changed() -> None:
        change_address(error="1" if now()[KEY] else None)

    st.session_state[KEY] = asked
    st.checkbox(
        "Include the judge's error",
        key=KEY,
        on_change=changed,
        help="Widen the interval by how much people differ from the judge in random samples",
    )
