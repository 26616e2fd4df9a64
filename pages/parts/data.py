"""The lists of the Data page, each with the chosen entry next to it."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.answering import answer, set_done
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
from evalcore.views.data.messages import chosen_message, detail_blocks, message_blocks
from evalcore.views.data.problems import opened, problem_blocks, problem_list, problems_listing
from evalcore.views.data.rules import broken_blocks, chosen_rule, rule_blocks
from evalcore.views.data.state import DataView
from evalcore.views.files.source_excerpt import source_excerpt
from evalcore.views.judge.receipt import record_words
from evalcore.views.problems import Problems
from pages.parts.address import change_address
from pages.parts.case_editor import case_editor
from pages.parts.forms import Form, Sent, receipts
from pages.parts.judge_name import scores_are_shown
from pages.parts.page import LOOK_HEIGHT
from pages.parts.panels.components import chain_panel, grades_panel, sheet_panel
from pages.parts.session_state import bound
from pages.parts.share import export
from pages.parts.state import Choice

ANY: Final = ""
NO_CASES: Final = "Cases stand in evals/evals.json, eval_metadata.json, or as test-case records."


def documents_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the documents, and the one that is chosen."""
    left, right = st.columns([7, 5], gap="medium")
    with left:
        search(view, "Search paths")
        blocks = file_blocks(ws, view, problems)
        sheet_panel(blocks, choice.query(), "data-files", scroll=_name(view))
        export(partial(documents_listing, ws, view, problems), "documents", "documents")
    with right:
        if view.file is None:
            sheet_panel(kind_blocks(ws, view), choice.query(), "data-kinds")
        else:
            _look(ws, choice, view)


def problems_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the problems, and the place of the one that is chosen."""
    found = problem_list(problems, view)
    view, counts = opened(found, view), dict(found.suites)
    left, right = st.columns([7, 5], gap="medium")
    with left:
        several = len(found.suites) > 1 or view.suite is not None
        words, suites = st.columns([3, 2], gap="small") if several else (st.container(), None)
        with words:
            search(view, "Search files, messages and codes")
        if suites is not None:
            with suites:
                bound(
                    st.selectbox,
                    "Suite of the problems",
                    list(dict.fromkeys([ANY, *counts, view.suite or ANY])),
                    name="data-suite",
                    value=view.suite or ANY,
                    on_choice=lambda name: change_address(
                        **replace(view, suite=name or None, page=1, file=None, at="").parameters()
                    ),
                    format_func=lambda name: (
                        f"{name} ({counts.get(name, 0):,})" if name else "In every suite"
                    ),
                    label_visibility="collapsed",
                )
        blocks = problem_blocks(found, view, problems.complete)
        sheet_panel(blocks, choice.query(), "data-problems", scroll=_name(view))
        export(partial(problems_listing, problems, view), "problems", "problems")
    with right:
        if view.file is not None:
            _look(ws, choice, view)


def rules_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the hard rules, kept by the records of the chosen suite, and what breaks one of them."""
    del problems  # they are listed on the page, this says which rule they break
    if choice.suite is None:
        st.text("There is no suite in this folder whose records could keep a rule.")
        return
    view = replace(view, rule=chosen_rule(ws, choice.suite, view))
    left, right = st.columns([5, 7], gap="medium")
    with left:
        sheet_panel(rule_blocks(ws, choice.suite, view), choice.query(), "data-rules")
    with right:
        sheet_panel(broken_blocks(ws, choice.suite, view), choice.query(), "data-broken")


def messages_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw what was sent in the chosen suite, and one of it with what can be done."""
    del problems
    if choice.suite is None:
        st.text("There is no suite in this folder in which anything could be sent.")
        return
    now, chosen = datetime.now(UTC), chosen_message(ws, choice.suite, view)
    if chosen is None and view.message is not None:
        st.text("The message in this address is not in the suite.")
    view = replace(view, message=chosen.id if chosen is not None else None)
    left, right = st.columns([7, 5], gap="medium")
    with left:
        blocks = message_blocks(ws, choice.suite, view, now)
        name = repr(replace(view, message=None))
        sheet_panel(blocks, choice.query(), "data-messages", scroll=name)
    if chosen is None:
        return
    of, suite = chosen.id, chosen.suite

    def done(sent: Sent) -> str:
        return record_words("Done", set_done(ws, suite, of, sent.text, sent.judge.id).id)

    def answered(sent: Sent) -> str:
        return record_words("Answered", answer(ws, suite, of, sent.text, sent.judge.id).id)

    with right:
        with st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
            grades_panel(detail_blocks(ws, chosen, now), "data-message", of, base=choice.query())
        if chosen.kind == "message":
            form = Form("message-answer", of, "Answer it", answered, "Your answer", "Answer …")
            form.draw(review_folder(ws, suite))
        elif chosen.kind == "task" and (chosen.state != "done" or chosen.rivals):
            form = Form(
                "message-done", of, "Set it done", done, "What resolved it", "Set it done …"
            )
            form.draw(review_folder(ws, suite))
        receipts(of)


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
        blocks = case_list_blocks(ws, suite, view, problems)
        sheet_panel(blocks, choice.query(), "data-cases", scroll=_name(view))
        export(partial(cases_listing, ws, suite, view), "cases", "cases")
    with right, st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
        if case is None:
            st.text(NO_CASES if not view.text else "No case matches, so none is shown.")
        else:
            grades_panel(definition_blocks(ws, suite, case, problems), key="data-case")
            case_editor(ws, suite, case)


def search(view: DataView, placeholder: str) -> None:
    """Draw the search field; its text goes to the address, from where it is read."""
    bound(
        st.text_input,
        "Search",
        name="data-search",
        value=view.text,
        on_choice=lambda typed: change_address(
            **replace(view, text=typed, page=1, file=None, at="", case=None).parameters()
        ),
        placeholder=placeholder,
        label_visibility="collapsed",
        max_chars=200,
    )


def _look(ws: Workspace, choice: Choice, view: DataView) -> None:
    """Draw the document that is open beside the list, at its place."""
    scores_are_shown(ws, suite_of_file(ws, view.file))
    with st.container(height=LOOK_HEIGHT, border=False, key="data-look"):
        file = view.file or ""
        found = source_excerpt(ws, file, view.at)
        place = f"{file}#{found.pointer}" if found.pointer else file
        st.code(place, language=None, wrap_lines=True)
        if found.note:
            st.text(found.note)
        if chain := chain_blocks_at(ws, file, view.at):
            chain_panel(chain, choice.query(), "data-chain")
        if found.text:
            st.code(found.text, language=found.language, wrap_lines=True)


def _name(view: DataView) -> str:
    """Return a key of the list, which does not depend on the entry open beside it."""
    return repr(replace(view, file=None, at="", case=None))
