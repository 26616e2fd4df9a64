"""What can be done with a comparison: ask others, approve B, record it by a benchmark."""

from datetime import date, timedelta
from typing import Final

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.families.running import ONLY
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.memory.approving import Outcome, Waiver, approve, waive, withdraw
from evalcore.memory.comparing_versions import VersionComparison, record
from evalcore.views.approvals import Offered, benchmarks_to_choose, offered
from evalcore.views.compare.recorded import by_benchmark
from evalcore.views.judge.receipt import record_words
from evalcore.views.runs.state import to_compare
from pages.parts.forms import Form, Sent, receipts
from pages.parts.panels.components import grades_panel, sheet_panel
from pages.parts.state import Choice

_DAYS: Final = 30
WHAT_IS_STORED: Final = (
    "Stored are both scores, the winner, and a recommendation by the verdict over exactly the runs "
    "of both benchmark runs."
)


def ask_others(a: Side, b: Side, choice: Choice) -> None:
    """Link to a blind study of both sides and, where a model can compare them, to its form."""
    if a.ws is not b.ws or a.suite != b.suite:
        return
    sides = {"a": a.column.key, "b": b.column.key}
    query = {"w": choice.workspace, "suite": a.suite, **sides}
    st.page_link("pages/blind.py", label="Judge blind", query_params=query)
    if {a.column.configuration, b.column.configuration} != {ONLY}:
        return
    link = to_compare(a.ws, a.suite, a.column.version, b.column.version)
    if link is not None:
        query = choice.query(**link.query)
        st.page_link("pages/runs.py", label="Compare by a model", query_params=query)


def approval(a: Side, b: Side, choice: Choice) -> Offered | None:
    """Draw the decision on B and its forms, where the suite has benchmarks or decisions."""
    if a.ws is not b.ws or a.suite != b.suite:
        return None
    names, benchmark = benchmarks_to_choose(a, b), None
    if len(names) > 1:  # the first is shown
        benchmark = st.selectbox(
            "Approve by benchmark", names, format_func=names.__getitem__, width=300
        )
    found = offered(a, b, benchmark)
    if found is None:
        return None
    sheet_panel(list(found.blocks), choice.query(), "compare-approval")
    of = f"approval {found.version} {found.baseline}"
    with st.container(horizontal=True, vertical_alignment="center", key="compare-approving"):
        if found.evidence is None and found.why:
            st.text(found.why)
        for form in _decisions_on(b, found, of):
            form.draw(review_folder(b.ws, found.suite))
        receipts(of)
    return found


def _decisions_on(b: Side, found: Offered, of: str) -> list[Form]:
    """Return the forms by which B is approved, the rule waived, and a decision withdrawn."""
    ws, suite, evidence, forms = b.ws, found.suite, found.evidence, list[Form]()

    def told(outcome: Outcome) -> str:
        return record_words(outcome.decision.capitalize(), outcome.receipt.id)

    if evidence is not None:

        def approved(sent: Sent) -> str:
            return told(approve(ws, suite, evidence, sent.judge, sent.text, sent.submission))

        def waived(sent: Sent) -> str:
            owner = str(sent.given("waiver-owner") or "")
            waiver = Waiver(owner, sent.text, str(sent.given("waiver-until") or ""))
            return told(waive(ws, suite, evidence, sent.judge, waiver, sent.submission))

        def fields(submission: str) -> None:
            st.text_input("Owner", key=f"waiver-owner-{submission}")
            ends = date.today() + timedelta(days=_DAYS)  # noqa: DTZ011 - a day as the reader has it
            st.date_input("Last day (UTC)", ends, key=f"waiver-until-{submission}")

        shows, opens = "Approve it", "Approve …"
        if evidence.refusal:
            shows, opens = "Record the refusal", "Record a refusal …"
        above = evidence.refusal or evidence.seen
        forms += [
            Form("approve", of, shows, approved, "Reason (optional)", opens, above),
            Form(
                "waive",
                of,
                "Store the waiver",
                waived,
                "Reason",
                "Waive the rule …",
                fields=fields,
            ),
        ]
    if found.to_withdraw:

        def withdrawn(sent: Sent) -> str:
            pair = found.version, found.baseline
            return told(withdraw(ws, suite, pair, sent.judge, sent.text, sent.submission))

        forms.append(Form("withdraw", of, "Withdraw it", withdrawn, "Reason", "Withdraw …"))
    return forms


def decisions(found: Offered | None, choice: Choice) -> None:
    """Draw all decisions on B, if there are any."""
    if found is not None and found.history:
        sheet_panel(list(found.history), choice.query(), "compare-decisions")


def compare_by_benchmark(a: Side, b: Side, choice: Choice) -> None:
    """Draw what benchmarks say of both versions, where the suite has any; it can be recorded."""
    found = by_benchmark(a, b)
    if found is None:
        return
    blocks, offers = found
    grades_panel(blocks, "compare-by-benchmark", base=choice.query())
    for made, words in offers:
        for sentence in words:
            st.text(sentence)
        _recording(a, made).draw(review_folder(a.ws, made.benchmark.suite))
    receipts(f"{a.column.key} {b.column.key}")


def _recording(a: Side, made: VersionComparison) -> Form:
    """Return the form that records a comparison by one benchmark."""

    def act(sent: Sent) -> str:
        first, *_rest = record(a.ws, made, sent.judge.id)
        return f"Recorded as {first.id[:13]} …, with a message to who waits for it."

    return Form(
        f"record {made.benchmark.id}",
        f"{made.a.version} {made.b.version}",
        "Record this comparison",
        act,
        opens=f"Record it by {made.benchmark.name} …",
        above=WHAT_IS_STORED,
    )
