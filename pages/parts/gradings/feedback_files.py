"""Write the notes where skill-creator's loop reads them, after showing what changes."""

import streamlit as st

from evalcore import Workspace
from evalcore.errors import EvalcoreError
from evalcore.ids import parse_run_id
from evalcore.proposals.proposal import Proposal, write
from evalcore.views.gradings.notes import feedback_proposals, loops, preview, will_do
from pages.parts.small_form import answer, receipts


def feedback_box(ws: Workspace, suite: str, run: str) -> None:
    """Offer `feedback.json` of a run's iteration, if the family has one."""
    key = parse_run_id(run)
    if key is None or not loops(ws, suite):
        return
    box = st.popover("feedback.json …", type="tertiary", key="aside-feedback", on_change="rerun")
    if not box.open:
        return
    with box:
        for proposal in feedback_proposals(ws, suite, key.version):
            _offered(ws, proposal)


def _offered(ws: Workspace, proposal: Proposal) -> None:
    """Show the proposed content, and write exactly that on a click."""
    about = proposal.path or ""
    st.text(will_do(proposal))
    if proposal.data is not None:
        with st.container(height=300, border=False):
            st.code(preview(proposal), language="diff" if proposal.read is not None else "json")

        def clicked() -> None:
            try:
                write(ws.root, proposal)
            except EvalcoreError as fault:
                answer(about, str(fault))
            except OSError as fault:
                answer(about, f"Nothing was written: {fault.strerror or 'a fault'}.")
            else:
                answer(about, "Written: " + " ".join(proposal.messages))

        st.button("Write this file", on_click=clicked, key="aside-feedback-write")
    receipts(about)
