"""The choice to have the judge's error in the interval of a comparison."""

from typing import Final

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.validating.compared import JudgeError, judge_error
from pages.parts.address import change_address
from pages.parts.session_state import now
from pages.parts.state import Choice

KEY: Final = "compare-judge-error"


def with_judge_error(a: Side, b: Side, choice: Choice, *, asked: bool) -> JudgeError | None:
    """Offer the choice; return the judge's error if it is asked for."""

    def changed() -> None:
        change_address(error="1" if now()[KEY] else None)

    st.session_state[KEY] = asked
    st.checkbox(
        "with the judge's error",
        key=KEY,
        on_change=changed,
        help="Widen the interval by how much people differ from the judge in random samples",
    )
    return judge_error(a, b, choice.scores) if asked else None
