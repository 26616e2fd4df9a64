"""What the list holds: the filters above it, and the export; both follow the address."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from evalcore.counting.focus import focus_columns
from evalcore.counting.outcomes import outcomes
from evalcore.families.reviews.saved_views import SIDEBAR
from evalcore.judging.answering.saved_views import SavedView, change_view, save_view, saved_views
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.blocks.evidence import Lines
from evalcore.views.gradings.case_filter import PERCENT, ScoreRange, case_scores, offers
from evalcore.views.gradings.grid import columns_block
from evalcore.views.gradings.notes import by_and_when
from evalcore.views.gradings.selected import cases_listing
from evalcore.views.gradings.state import MAX_TEXT, OF_RUN, GradingsState, kept
from evalcore.views.judge.receipt import record_words
from evalcore.views.run.case_markdown import case_markdown, failing_markdown
from evalcore.views.run.evidence import evidence
from evalcore.views.words.wording import column_words, number, short
from pages.parts.address import change_address, replace_address
from pages.parts.forms import Form, Sent, receipts
from pages.parts.panels.components import columns_panel, grades_panel
from pages.parts.session_state import bound
from pages.parts.share import export_forms
from pages.parts.state import Choice

ANY: Final = ""
MAX_LABEL: Final = 90
MAX_SHOWN: Final = 90_000
FAILING: Final = "Failing cases"
OPEN: Final = "This case"
KINDS: Final = {
    "criterion": "Fails the criterion",
    "judge": "Judged by",
    "tag": "Tag",
}
FEW: Final = {"criterion": 1, "judge": 2, "tag": 1}
"""A filter with fewer options than this would keep every case."""
KEEPS: Final = "A view keeps filters, columns, order and tab, with the suite; not the open case."
FROM_START: Final = dict.fromkeys(("page", *OF_RUN))
"""Address parameters without which the list begins at its start."""


def narrow(state: GradingsState, run: str | None, choice: Choice) -> None:
    """Draw the search and what opens: filters, columns, saved views and the export."""
    all_outcomes = outcomes(state.ws, state.suite)
    focus, _ = focus_columns(all_outcomes, state.version, state.configuration)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="narrow"):
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
        opens: dict[str, Callable[[], None]] = {
            "Filters": lambda: _filters(state, focus),
            "Columns": lambda: _columns(state),
            "Views": lambda: _views(state, choice),
            "Export": lambda: _export(state, focus, run),
        }
        for label, draw in opens.items():
            box = st.popover(label, key=f"gradings-{label.lower()}", on_change="rerun")
            if box.open:
                with box:
                    draw()


def _filters(state: GradingsState, focus: int | None) -> None:
    """Offer what narrows the list beside its chips: all that are chosen hold together."""
    known = offers(state.ws, state.suite, focus, state.scores)._asdict()
    view = state.view
    for kind, label in KINDS.items():
        if len(known[kind]) >= FEW[kind] or getattr(view, kind):
            _pick(label, kind, dict(known[kind]), getattr(view, kind) or ANY, "any")
    if focus is None:
        st.text("There is no run to filter by.")
        return
    given = view.score or ScoreRange(None, None)
    _, top = case_scores(state.ws, state.suite, view.score_of, focus, state.scores)
    _pick("Score of", "score_of", dict(known["score_of"]), view.score_of or ANY, "the case")
    for place, end in zip(st.columns(2), ScoreRange._fields, strict=True):

        def chosen(typed: float | None, end: str = end) -> None:
            ends = given._replace(**{end: typed})
            if ends.bounds[0] > ends.bounds[1]:  # what was typed last counts
                ends = ScoreRange(None, None)._replace(**{end: typed})
            change_address(**FROM_START, score=None if ends == (None, None) else str(ends))

        with place:
            bound(
                st.number_input,
                "from" if end == "low" else f"to{' (%)' if top is None else ''}",
                name=f"gradings-score-{end}",
                value=getattr(given, end),
                on_choice=chosen,
                min_value=0.0,
                step=0.5 if top is not None and top < 20 else 1.0,
                format="%g",
                placeholder="0" if end == "low" else number(top or PERCENT),
            )


def _pick(label: str, kind: str, counts: dict[str, int], value: str, without: str) -> None:
    """Offer the known words, each with its number of cases; they are shown as text only."""

    def shown(option: str) -> str:
        if option == ANY:
            return without
        return f"{short(option, MAX_LABEL)} ({counts.get(option, 0)})"

    bound(
        st.selectbox,
        label,
        list(dict.fromkeys([ANY, *counts, value])),
        name=f"gradings-{kind}",
        value=value,
        on_choice=lambda chosen: change_address(**FROM_START, **{kind: chosen or None}),
        format_func=shown,
    )


def _columns(state: GradingsState) -> None:
    """Offer the versions and configurations to show."""
    block = columns_block(state.outcomes, state.query())
    columns_panel({**block, "outputs": state.view.outputs})


def _views(state: GradingsState, choice: Choice) -> None:
    """Offer the saved views of the suite, and forms to save, rename and remove one."""
    ws, suite, here = state.ws, state.suite, kept({**choice.query(), **state.view.parameters()})
    reviews, of = review_folder(ws, suite), f"views {suite}"
    known = {view.id: view for view in saved_views(load_reviews(reviews))}
    open_view = next((each for each in known.values() if kept(each.address) == here), None)

    def shown(view: str) -> str:
        one = known[view]
        return f"{one.name} · {by_and_when(one.author, one.created_at)}"

    def chosen(view: str | None) -> None:
        if view is not None:
            query = choice.query(**dict.fromkeys(SIDEBAR)) | dict(known[view].address)
            replace_address(**query)

    def save(sent: Sent) -> str:
        receipt = save_view(
            ws, suite, sent.text, "gradings", here, sent.judge, submission=sent.submission
        )
        return record_words("The view is saved", receipt.id)

    def change(view: SavedView, sent: Sent) -> str:
        name = None if sent.ticked else sent.text
        receipt = change_view(ws, suite, view, name, sent.judge, submission=sent.submission)
        return record_words("The view is removed" if sent.ticked else "Renamed", receipt.id)

    if known:
        bound(
            st.selectbox,
            "Saved views",
            list(known),
            name="gradings-view",
            value=None if open_view is None else open_view.id,
            on_choice=chosen,
            format_func=shown,
            placeholder="Choose a view",
        )
    else:
        st.text("No view is saved yet.")
    if open_view is None:
        st.text(KEEPS)
        Form("view", of, "Save this view", save, "Name of this view").draw(reviews)
    else:
        Form(
            f"change {open_view.id}",
            of,
            "Change this view",
            partial(change, open_view),
            "Name",
            tick="Remove it",
            value=open_view.name,
        ).draw(reviews)
    receipts(of)


def _export(state: GradingsState, focus: int | None, run: str | None) -> None:
    """Offer the failing cases of the column in focus, or one case, and the list itself."""
    if focus is None:
        st.text("There is no run to export.")
        return
    column = state.outcomes.columns[focus]
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
