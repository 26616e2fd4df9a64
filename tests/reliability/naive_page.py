"""A control: the page that anybody would write first, which stores what was chosen before.

It is served in the place of the dashboard, never a part of it.
"""

import json
import os
import time
import uuid
from pathlib import Path

import streamlit as st

FOLDER = Path(os.environ["TESTS_WORKSPACE"])


def store(run: int, score: str) -> None:
    """Write what the button was made with."""
    (FOLDER / f"{run}-{uuid.uuid4()}.json").write_text(json.dumps(score), "utf-8")
    st.session_state["run"] = run + 1


time.sleep(float(os.environ["TESTS_SLOW_SECONDS"]))
number = int(st.session_state.get("run", 0))
chosen = st.radio("Score", ["0", "1"], horizontal=True, key=f"score-{number}")
st.button("Store", on_click=store, args=(number, chosen))
st.text(f"Run {number}.")
