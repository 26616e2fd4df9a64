"""The forms beside a failure: correct it, resolve it, open it again; and for all of a suite."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.failures.detail import Failure
from evalcore.failures.rules import SEVERITIES, TYPES
from evalcore.judging.answering.classifying import Classified, classify
from evalcore.judging.storing.stored_reviews import review_folder
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
from evalcore.views.judge.receipt import record_words
from evalcore.views.runs.state import to_ask
from evalcore.views.words.wording import count
from pages.parts.forms import Form, Sent, receipts
from pages.parts.state import Choice

_UNKNOWN: Final = "not-classified"


def forms(ws: Workspace, choice: Choice, found: Failure) -> None:
    """Draw the buttons that open the forms of one failure, and the reply to the last click."""
    reviews, of, said = review_folder(ws, found.suite), key_of(found), as_said(found)

    def store(new: Classified, sent: Sent, what: str) -> str:
        receipt = classify(
            ws, found.suite, new, sent.judge, found.replaces, submission=sent.submission
        )
        return record_words(what, receipt.id)

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

    def correct(sent: Sent) -> str:
        kind = sent.given("failure-type")
        new = said._replace(
            failure_type=None if kind == _UNKNOWN else kind,
            severity=sent.given("failure-severity"),
            criteria=tuple(sent.given("failure-criteria") or ()),
            description=str(sent.given("failure-words") or ""),
            root_cause=sent.text,
        )
        return store(new, sent, "Stored")

    correction = Form(
        "failure-correct",
        of,
        "Store my classification",
        correct,
        "Root cause",
        opens="Classify …" if found.origin == "guess" else "Correct …",
        value=said.root_cause,
        fields=fields,
    )
    resolution = Form(
        "failure-resolve",
        of,
        "Mark as resolved",
        lambda sent: store(said._replace(resolution=sent.text), sent, "Resolved"),
        "What resolved it",
        opens="Resolve …",
        required="Say in a few words what resolved it: who reads it later cannot ask you.",
        above=stored_words(found) if found.origin == "guess" else "",
    )
    reopened = said._replace(resolution=None, resolved_at=None)
    reopening = Form(
        "failure-reopen",
        of,
        "Reopen",
        lambda sent: store(reopened, sent, "Reopened"),
        opens="Reopen …",
        above="The earlier resolution stays in the history.",
    )
    with st.container(horizontal=True, vertical_alignment="center", key="aside-failure"):
        correction.draw(reviews)
        (resolution if found.resolved_at is None else reopening).draw(reviews)
        if found.run_id is not None and found.origin != "person":
            ask(choice, "Ask a model why", found.run_id)
        receipts(found.run_id or of)


def suite_acts(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw what can be done with all failures of a suite: record them, ask a model about them."""

    def record(_: Sent) -> str:
        return f"{count(len(record_failures(ws, suite)), 'failure')} recorded."

    if label := to_record(ws, suite):
        Form(
            "failures-record",
            suite,
            label,
            record,
            opens=f"{label} …",
            above=RECORD_WORDS,
            signed=False,
        ).draw(review_folder(ws, suite))
    receipts(suite)
    ask(choice, "Ask a model why …")


def ask(choice: Choice, label: str, *runs: str) -> None:
    """Draw the link to the form that asks a model about one failure, or about all open ones."""
    query = choice.query(**to_ask(*runs).query)
    st.page_link("pages/runs.py", label=label, query_params=query)
