"""Whether B may replace A: what was decided, and the forms to decide."""

from datetime import date, timedelta

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.approving import Outcome, Waiver, approve, waive, withdraw
from evalcore.memory.evidence import Evidence
from evalcore.views.approvals import Offered, benchmarks_to_choose, offered
from evalcore.workspace.opened import Workspace
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import now
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

_DAYS = 30


def approval(a: Side, b: Side, choice: Choice) -> Offered | None:
    """Draw the decision on B and its forms, where the suite has benchmarks or decisions."""
    if a.ws is not b.ws or a.suite != b.suite:
        return None
    found = offered(a, b, _benchmark(a, b))
    if found is None:
        return None
    sheet_panel(list(found.blocks), choice.query(), "compare-approval")
    of = f"approval {found.version} {found.baseline}"
    with st.container(horizontal=True, vertical_alignment="center", key="compare-approving"):
        if found.evidence is not None:
            _approve(b.ws, found, found.evidence, of)
            _waive(b.ws, found, found.evidence, of)
        elif found.why:
            st.text(found.why)
        if found.to_withdraw:
            _withdraw(b.ws, found, of)
        receipts(of)
    return found


def _benchmark(a: Side, b: Side) -> str | None:
    """Let the reader choose where several benchmarks were run for both; the first is shown."""
    names = benchmarks_to_choose(a, b)
    if len(names) < 2:
        return None
    return st.selectbox("Approve by benchmark", names, format_func=names.__getitem__, width=300)


def decisions(found: Offered | None, choice: Choice) -> None:
    """Draw all decisions on B, if there are any."""
    if found is not None and found.history:
        sheet_panel(list(found.history), choice.query(), "compare-decisions")


def _approve(ws: Workspace, found: Offered, evidence: Evidence, of: str) -> None:
    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        return _told(approve(ws, found.suite, evidence, judge, reason, submission))

    shows = "Approve it" if not evidence.refusal else "Ask, and record the refusal"
    spec = FormSpec("approve", of, shows, "Reason (optional)")
    with popover("Approve …" if not evidence.refusal else "Ask for approval …", spec):
        st.text(evidence.refusal or evidence.seen)
        store_form(spec, act, review_folder(ws, found.suite))


def _waive(ws: Workspace, found: Offered, evidence: Evidence, of: str) -> None:
    def fields(submission: str) -> None:
        st.text_input("Owner", key=f"waiver-owner-{submission}")
        ends = date.today() + timedelta(days=_DAYS)  # noqa: DTZ011 - a day as the reader has it
        st.date_input("Until", ends, key=f"waiver-until-{submission}")

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        typed = now()
        owner = str(typed.get(f"waiver-owner-{submission}") or "")
        until = typed.get(f"waiver-until-{submission}")
        waiver = Waiver(owner, reason, str(until or ""))
        return _told(waive(ws, found.suite, evidence, judge, waiver, submission))

    spec = FormSpec("waive", of, "Store the waiver", "Reason", fields=fields)
    with popover("Waive the rule …", spec):
        store_form(spec, act, review_folder(ws, found.suite))


def _withdraw(ws: Workspace, found: Offered, of: str) -> None:
    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        pair = found.version, found.baseline
        return _told(withdraw(ws, found.suite, pair, judge, reason, submission))

    spec = FormSpec("withdraw", of, "Withdraw it", "Reason")
    with popover("Withdraw …", spec):
        store_form(spec, act, review_folder(ws, found.suite))


def _told(outcome: Outcome) -> str:
    return f"{outcome.decision.capitalize()} (record {outcome.receipt.id[:13]} …)."
