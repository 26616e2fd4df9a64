"""The steps to the first comparison: numbered, with a button and a command to copy."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.views.first_screen import Step


def draw_steps(steps: Sequence[Step], query: Callable[..., dict[str, str]]) -> None:
    """Draw steps; `query` makes the parameters of a link of those that are chosen."""
    with st.container(key="first-steps"):
        for number, step in enumerate(steps, 1):
            with st.container(key=f"step-{step.state}-{number}"):
                done = "✓ " if step.state == "done" else ""
                st.text(f"{number}. {done}{step.text}")
                if step.link is None and not step.command:
                    continue
                with st.container(horizontal=True, vertical_alignment="center"):
                    if step.link is not None:
                        page, wanted = step.link.page, query(**step.link.query)
                        st.page_link(f"pages/{page}.py", label=step.label, query_params=wanted)
                    if step.command:
                        st.code(step.command, language=None, wrap_lines=True)
