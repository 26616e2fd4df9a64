"""The filters above the grid that are chosen from a list or typed."""

from dataclasses import replace
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.views.grid import focus_columns, offers
from evalcore.views.handoff import failing_markdown
from evalcore.views.moves import View
from evalcore.views.outcomes import outcomes
from pages.parts.state import Choice

ANY: Final = ""
KINDS: Final = {"criterion": "Failing criterion", "judge": "Judge", "tag": "Tag"}


def narrow(ws: Workspace, choice: Choice, view: View) -> View:
    """Draw the filters and return the view with what they are set to."""
    known = offers(ws, choice.suite or "", choice.version, choice.configuration)
    kinds = [kind for kind in KINDS if known[kind] or getattr(view, kind)]
    with st.container(key="narrow"):
        row = st.columns([3, *[3] * len(kinds), 2], gap="small", vertical_alignment="bottom")
    with row[0]:
        text = _search(view)
    picked = dict[str, str | None]()
    for place, kind in zip(row[1:], kinds, strict=False):
        with place:
            picked[kind] = _pick(kind, known[kind], getattr(view, kind))
    with row[-1]:
        _hand_over(ws, choice)
    after = replace(view, text=text, **picked)  # type: ignore[arg-type]
    return view if after == view else replace(after, page=1)


def _search(view: View) -> str:
    key = "gradings-search"
    if key not in st.session_state:
        st.session_state[key] = view.text
    return str(
        st.text_input(
            "Search",
            key=key,
            placeholder="Search words",
            label_visibility="collapsed",
            max_chars=200,
        )
    )


def _pick(kind: str, known: list[tuple[str, int]], value: str | None) -> str | None:
    """Offer the known words, each with how many cases it keeps; they are shown as text only."""
    counts = dict(known)
    options = [ANY, *dict.fromkeys([*counts, *([value] if value else [])])]
    key = f"gradings-{kind}"
    if key not in st.session_state or st.session_state[key] not in options:
        st.session_state[key] = value or ANY

    def label(option: str) -> str:
        return (
            f"{KINDS[kind]}: any" if option == ANY else f"{option[:120]} ({counts.get(option, 0)})"
        )

    chosen = st.selectbox(
        KINDS[kind], options, key=key, format_func=label, label_visibility="collapsed"
    )
    return chosen or None


def _hand_over(ws: Workspace, choice: Choice) -> None:
    """Offer all failing cases of the column in focus as one Markdown text."""
    suite = choice.suite or ""
    found = outcomes(ws, suite)
    focus, _ = focus_columns(found, choice.version, choice.configuration)
    with st.popover("Hand over", width="stretch"):
        if focus is None:
            st.text("There is no run to hand over.")
            return
        column = found.columns[focus]
        st.text(f"Failing cases of {column.key} as Markdown, for whoever must mend them.")
        if st.button("Write it", key="hand-over"):
            text = failing_markdown(ws, suite, column.version, column.configuration)
            st.code(text, language=None, height=320)
            st.download_button("Download", text, file_name="failing-cases.md", mime="text/markdown")
