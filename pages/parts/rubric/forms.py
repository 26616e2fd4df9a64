"""The forms below a suggestion of a grader: accept it, reject it, open it again."""

from typing import Final

import streamlit as st

from evalcore.families.reviews.review import Decision
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.rubrics.suggestions import Suggestion, run_ids
from evalcore.workspace.opened import Workspace
from pages.parts.small_form import FormSpec, popover, receipts, store_form

BUTTONS: Final[dict[Decision, tuple[str, str, str]]] = {
    "accepted": ("Accept …", "Accept", "What will be done about it (optional)"),
    "rejected": ("Reject …", "Reject", "Why not (optional)"),
    "open": ("Reopen …", "Reopen", ""),
}
REPLIES: Final[dict[Decision, str]] = {
    "accepted": "Accepted",
    "rejected": "Rejected",
    "open": "Reopened",
}


def forms(ws: Workspace, suite: str, found: Suggestion) -> None:
    """Draw the buttons that decide the open suggestion, and the reply to the last click."""
    reviews = review_folder(ws, suite)
    decided = found.decisions[0].decision if found.decisions else "open"
    with st.container(horizontal=True, vertical_alignment="center", key="aside-suggestion"):
        for decision in BUTTONS:
            if decision != decided:
                _form(ws, suite, found, decision, reviews)
        receipts(found.key)


def _form(
    ws: Workspace, suite: str, found: Suggestion, decision: Decision, reviews: ReviewFolder
) -> None:
    label, button, asks = BUTTONS[decision]

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        run = next(iter(run_ids(ws, found.runs[:1])), None)
        said = Decided(found.text, found.target, run, decision, reason)
        seen = [one.record for one in found.decisions]
        receipt = decide(ws, suite, said, judge, seen, submission=submission)
        return f"{REPLIES[decision]} (record {receipt.id[:13]} …)."

    spec = FormSpec(f"suggestion-{decision}", found.key, button, asks)
    with popover(label, spec):
        store_form(spec, act, reviews)
