"""What the list holds: the filters above it, and the export; both follow the address."""

from typing import Final

import streamlit as st

from evalcore.counting.focus import focus_columns
from evalcore.counting.outcomes import Column, outcomes
from evalcore.views.blocks.evidence import Lines
from evalcore.views.gradings.case_filter import offers
from evalcore.views.gradings.selected import cases_listing
from evalcore.views.gradings.state import MAX_TEXT, GradingsState
from evalcore.views.run.case_markdown import case_markdown, failing_markdown
from evalcore.views.run.evidence import evidence
from evalcore.views.words.wording import column_words, short
from pages.parts.address import change_address
from pages.parts.panels.components import grades_panel
from pages.parts.session_state import bound
from pages.parts.share import export_forms

ANY: Final = ""
MAX_LABEL: Final = 90
MAX_SHOWN: Final = 90_000
FAILING: Final = "Failing cases"
OPEN: Final = "This case"
KINDS: Final = {"criterion": "Criterion", "judge": "Judge", "tag": "Tag"}
HINTS: Final = {
    "criterion": "Cases that fail this criterion in the column in focus",
    "judge": "Cases that this judge judged",
    "tag": "Cases with this tag",
}
FEW: Final = {"criterion": 1, "judge": 2, "tag": 1}
"""A filter with fewer options than this would keep every case."""
FROM_START: Final = dict.fromkeys(("page", "run", "case", "file", "line"))
"""Address parameters without which the list begins at its start."""


def narrow(state: GradingsState, run: str | None) -> int:
    """Draw the filters; return the number of rows they take."""
    all_outcomes = outcomes(state.ws, state.suite)
    focus, _ = focus_columns(all_outcomes, state.version, state.configuration)
    known = offers(state.ws, state.suite, focus, state.scores)._asdict()
    set_to = {kind: getattr(state.view, kind) for kind in KINDS}
    kinds = [kind for kind in KINDS if len(known[kind]) >= FEW[kind] or set_to[kind]]
    apart = len(kinds) > 1
    with st.container(key="narrow"):
        first = [5, 3] if apart or not kinds else [3, 3, 2]
        row = st.columns(first, gap="small", vertical_alignment="bottom")
        with row[0]:
            bound(
                st.text_input,
                "Search",
                name="gradings-search",
                value=state.view.text,
                on_choice=lambda typed: change_address(**FROM_START, q=typed.strip() or None),
                placeholder="Search words",
                label_visibility="collapsed",
                max_chars=MAX_TEXT,
            )
        with row[-1]:
            box = st.popover("Export", width="stretch", key="export-cases", on_change="rerun")
            if box.open:
                with box:
                    _export(state, None if focus is None else all_outcomes.columns[focus], run)
        places = st.columns(len(kinds), gap="small") if apart else row[1:-1]
    for place, kind in zip(places, kinds, strict=True):
        with place:
            _pick(kind, dict(known[kind]), set_to[kind] or ANY)
    return 2 if apart else 1


def _pick(kind: str, counts: dict[str, int], value: str) -> None:
    """Offer the known words, each with its number of cases; they are shown as text only."""

    def label(option: str) -> str:
        if option == ANY:
            return f"{KINDS[kind]}: any"
        return f"{short(option, MAX_LABEL)} ({counts.get(option, 0)})"

    bound(
        st.selectbox,
        f"{KINDS[kind]}: {HINTS[kind]}",
        list(dict.fromkeys([ANY, *counts, value])),
        name=f"gradings-{kind}",
        value=value,
        on_choice=lambda chosen: change_address(**FROM_START, **{kind: chosen or None}),
        format_func=label,
        label_visibility="collapsed",
    )


def _export(state: GradingsState, column: Column | None, run: str | None) -> None:
    """Offer the failing cases of the column in focus, or one case, and the list itself."""
    if column is None:
        st.text("There is no run to export.")
        return
    which = st.segmented_control(
        "Which",
        (FAILING, OPEN),
        default=FAILING,
        required=True,
        key="export-which",
        label_visibility="collapsed",
    )
    if which == OPEN and run is not None:
        text, name = case_markdown(evidence(state.ws, run)), "case.md"
    else:
        recorded = "" if state.scores == "recorded" else " as recorded"
        st.text(f"Failing cases of {column_words(column)}{recorded}, as Markdown.")
        text, name = failing_markdown(state.ws, state.suite, *column), "failing-cases.md"
    # Shown as text to copy; the download holds the whole of a long one.
    st.download_button("Download", text, file_name=name, mime="text/markdown", on_click="ignore")
    shown = text[:MAX_SHOWN]
    cut = f", of which the first {len(shown):,} stand here" if len(shown) < len(text) else ""
    message = f"{len(text):,} characters{cut}"
    with st.container(height=360, border=False):
        lines = Lines(label="Markdown", message=message, text=shown)
        grades_panel([lines], "export-text", budget=None)
    st.text("The list under the filters that are on: a row for each case and version.")
    export_forms(lambda: cases_listing(state, state.grid()), "cases", "gradings")
