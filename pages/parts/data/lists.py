"""The three lists of the Data page, each with the chosen entry next to it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore import Workspace
from evalcore.views.chains.block import chain_blocks_at
from evalcore.views.data.definitions import (
    case_list_blocks,
    cases_listing,
    definition_blocks,
    first_case,
    has_case,
)
from evalcore.views.data.documents import (
    documents_listing,
    file_blocks,
    kind_blocks,
    suite_of_file,
)
from evalcore.views.data.problems import opened, problem_blocks, problem_list, problems_listing
from evalcore.views.data.state import DataView
from evalcore.views.files.source_excerpt import source_excerpt
from evalcore.views.problems import Problems
from pages.parts.address import change_address
from pages.parts.export import export
from pages.parts.panels.components import chain_panel, grades_panel, sheet_panel
from pages.parts.session_state import on_choice, shown_key
from pages.parts.state import Choice
from pages.parts.viewed import scores_are_shown

LOOK_HEIGHT = 620
ANY = ""
NO_CASES = "Cases stand in evals/evals.json, eval_metadata.json, or as test-case records."


def search(view: DataView, placeholder: str) -> None:
    """Draw the search field; its text goes to the address, from where it is read."""
    key = shown_key("data-search", view.text)

    def changed(typed: str) -> None:
        fresh = replace(view, text=typed, page=1, file=None, at="", case=None)
        change_address(**fresh.parameters())

    st.text_input(
        "Search",
        key=key,
        on_change=on_choice(key, changed),
        placeholder=placeholder,
        label_visibility="collapsed",
        max_chars=200,
    )


def documents_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the documents, and the one that is chosen."""
    left, right = st.columns([7, 5], gap="medium")
    with left:
        search(view, "Search paths")
        sheet_panel(
            file_blocks(ws, view, problems),
            choice.query(),
            "data-files",
            scroll=_name(view),
        )
        export(partial(documents_listing, ws, view, problems), "documents", "documents")
    with right:
        if view.file is None:
            sheet_panel(kind_blocks(ws, view), choice.query(), "data-kinds")
        else:
            _look(ws, choice, view)


def problems_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the problems, and the place of the one that is chosen."""
    found = problem_list(problems, view)
    view = opened(found, view)
    left, right = st.columns([7, 5], gap="medium")
    with left:
        several = len(found.suites) > 1 or view.suite is not None
        words, suites = st.columns([3, 2], gap="small") if several else (st.container(), None)
        with words:
            search(view, "Search files, messages and codes")
        if suites is not None:
            with suites:
                _suite(view, dict(found.suites))
        sheet_panel(
            problem_blocks(found, view, problems.complete),
            choice.query(),
            "data-problems",
            scroll=_name(view),
        )
        export(partial(problems_listing, problems, view), "problems", "problems")
    with right:
        if view.file is not None:
            _look(ws, choice, view)


def cases_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the cases of the chosen suite, and the definition of one of them."""
    suite = choice.suite or ""
    case = view.case or first_case(ws, suite, view)
    if view.case is not None and not has_case(ws, suite, view.case):
        st.text("The case in this address is not in the suite; showing the first one.")
        case = first_case(ws, suite, view)
    view = replace(view, case=case)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        search(view, "Search cases, prompts and tags")
        sheet_panel(
            case_list_blocks(ws, suite, view, problems),
            choice.query(),
            "data-cases",
            scroll=_name(view),
        )
        export(partial(cases_listing, ws, suite, view), "cases", "cases")
    with right, st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
        if case is None:
            st.text(NO_CASES if not view.text else "No case matches, so none is shown.")
        else:
            grades_panel(definition_blocks(ws, suite, case, problems), key="data-case")


def _suite(view: DataView, counts: dict[str, int]) -> None:
    key = shown_key("data-suite", view.suite or ANY)
    options = list(dict.fromkeys([ANY, *counts, *([view.suite] if view.suite else [])]))

    def changed(chosen: str) -> None:
        fresh = replace(view, suite=chosen or None, page=1, file=None, at="")
        change_address(**fresh.parameters())

    st.selectbox(
        "Suite of the problems",
        options,
        key=key,
        on_change=on_choice(key, changed),
        label_visibility="collapsed",
        format_func=lambda name: f"{name} ({counts.get(name, 0):,})" if name else "In every suite",
    )


def _look(ws: Workspace, choice: Choice, view: DataView) -> None:
    scores_are_shown(ws, suite_of_file(ws, view.file))
    with st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
        found = source_excerpt(ws, view.file or "", view.at)
        place = f"{found.path}#{found.pointer}" if found.pointer else found.path
        st.code(place, language=None, wrap_lines=True)
        if found.note:
            st.text(found.note)
        if chain := chain_blocks_at(ws, view.file or "", view.at):
            chain_panel(chain, choice.query(), "data-chain")
        if found.text:
            st.code(found.text, language=found.language, wrap_lines=True)


def _name(view: DataView) -> str:
    """Return a key of the list, which does not depend on the entry open beside it."""
    return repr(replace(view, file=None, at="", case=None))
