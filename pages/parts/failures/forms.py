"""The forms beside a failure: correct it, resolve it, open it again."""

from functools import partial
from typing import Any

import streamlit as st

from evalcore import Workspace
from evalcore.failures.detail import Failure
from evalcore.failures.rules import SEVERITIES, TYPES
from evalcore.judging.answering.classifying import Classified, classify
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.memory.failures import record_failures
from evalcore.views.failures.words import (
    RECORD_WORDS,
    TYPE_WORDS,
    as_said,
    criteria_to_choose,
    key_of,
    stored_words,
    to_record,
)
from evalcore.views.runs.state import to_ask
from evalcore.views.words import wording
from pages.parts.session_state import now
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

_UNKNOWN = "not-classified"


def forms(ws: Workspace, choice: Choice, found: Failure) -> None:
    """Draw the buttons that open the forms of one failure, and the reply to the last click."""
    reviews = review_folder(ws, found.suite)
    of = key_of(found)
    with st.container(horizontal=True, vertical_alignment="center", key="aside-failure"):
        _correct(ws, found, of, reviews)
        if found.resolved_at is None:
            _resolve(ws, found, of, reviews)
        else:
            _reopen(ws, found, of, reviews)
        if found.run_id is not None and found.origin != "person":
            _ask(choice, "Ask a model why", found.run_id)
        receipts(found.run_id or of)


def suite_acts(ws: Workspace, choice: Choice) -> None:
    """Draw what can be done with all failures of a suite: record them, ask a model about them."""
    suite = choice.suite or ""
    if label := to_record(ws, suite):
        spec = FormSpec("failures-record", suite, label, signed=False)
        with popover(f"{label} …", spec):
            st.text(RECORD_WORDS)
            store_form(spec, partial(_recorded, ws, suite), review_folder(ws, suite))
    receipts(suite)
    _ask(choice, "Ask a model why …")


def _recorded(ws: Workspace, suite: str, *_: object) -> str:
    done = record_failures(ws, suite)
    return f"{wording.count(len(done), 'failure')} recorded."


def _ask(choice: Choice, label: str, *runs: str) -> None:
    """Draw the link to the form that asks a model about one failure, or about all open ones."""
    query = choice.query(**to_ask(*runs).query)
    st.page_link("pages/runs.py", label=label, query_params=query)


def _correct(ws: Workspace, found: Failure, of: str, reviews: ReviewFolder) -> None:
    said = as_said(found)

    def fields(submission: str) -> None:
        kinds = (*TYPES, _UNKNOWN)
        st.selectbox(
            "Type",
            kinds,
            kinds.index(found.type or _UNKNOWN),
            format_func=TYPE_WORDS.__getitem__,
            key=f"failure-type-{submission}",
        )
        severe = SEVERITIES.index(said.severity)
        st.selectbox("Severity", SEVERITIES, severe, key=f"failure-severity-{submission}")
        st.multiselect(
            "Affected criteria",
            criteria_to_choose(found),
            list(said.criteria),
            key=f"failure-criteria-{submission}",
        )
        st.text_area(
            "What is wrong", said.description, key=f"failure-words-{submission}", height=90
        )

    def act(cause: str, _: bool, judge: Judge, submission: str) -> str:
        typed = now()

        def given(name: str) -> Any:
            return typed.get(f"failure-{name}-{submission}")

        kind = given("type")
        new = said._replace(
            failure_type=None if kind == _UNKNOWN else kind,
            severity=given("severity"),
            criteria=tuple(given("criteria") or ()),
            description=str(given("words") or ""),
            root_cause=cause,
        )
        return _store(ws, found, new, judge, submission, "Stored")

    label = "Correct …" if found.origin != "guess" else "Classify …"
    button = "Store my classification"
    spec = FormSpec(
        "failure-correct", of, button, "Root cause", value=said.root_cause, fields=fields
    )
    with popover(label, spec):
        store_form(spec, act, reviews)


def _resolve(ws: Workspace, found: Failure, of: str, reviews: ReviewFolder) -> None:
    def act(notes: str, _: bool, judge: Judge, submission: str) -> str:
        new = as_said(found)._replace(resolution=notes)
        return _store(ws, found, new, judge, submission, "Resolved")

    spec = FormSpec("failure-resolve", of, "Mark as resolved", "What resolved it")
    with popover("Resolve …", spec):
        if found.origin == "guess":
            st.text(stored_words(found))
        store_form(spec, act, reviews)


def _reopen(ws: Workspace, found: Failure, of: str, reviews: ReviewFolder) -> None:
    def act(_: str, __: bool, judge: Judge, submission: str) -> str:
        new = as_said(found)._replace(resolution=None, resolved_at=None)
        return _store(ws, found, new, judge, submission, "Reopened")

    spec = FormSpec("failure-reopen", of, "Reopen")
    with popover("Reopen …", spec):
        st.text("The earlier resolution stays in the history.")
        store_form(spec, act, reviews)


def _store(
    ws: Workspace, found: Failure, new: Classified, judge: Judge, submission: str, what: str
) -> str:
    receipt = classify(ws, found.suite, new, judge, found.replaces, submission=submission)
    return f"{what} (record {receipt.id[:13]} …)."
