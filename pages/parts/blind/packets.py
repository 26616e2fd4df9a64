"""Packets: an open study as a file, for judges on another machine."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from evalcore import Workspace
from evalcore.blind.judging import invite
from evalcore.blind.packets import new_packet, packet_tasks
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.views.blind.packet import Packet, packet
from evalcore.views.blind.words import PACKETS, crowded_words, import_command
from pages.parts.session_state import session_object

Tell = Callable[[Study, Callable[[], str]], object]
"""Does something in a study, and shows on the page what it says, or why it failed."""


@dataclass
class MadePacket:
    """The newest packet that this window made, and its study."""

    study: str = ""
    packet: Packet | None = None


def packets(ws: Workspace, study: Study, tell: Tell) -> None:
    """Draw how somebody without evalcore can judge a study."""
    with st.popover("Judge without evalcore …", type="tertiary", key=f"blind-packets-{study.id}"):
        st.text(PACKETS)
        made = session_object(MadePacket)
        ready = made.packet if made.study == study.id else None
        if ready is not None:
            _download(ws, study, ready, tell)
        label = "Make a packet" if ready is None else "Make a packet for another judge"
        if st.button(label, key=f"blind-packet-{study.id}"):
            tell(study, lambda: _make(ws, study, made))
            st.rerun()
        st.code(import_command(ws.root), language=None)


def _download(ws: Workspace, study: Study, found: Packet, tell: Tell) -> None:
    def saved() -> None:
        tell(study, lambda: _saved(ws, study, found))

    st.download_button(
        "Save the packet",
        found.html,
        file_name=f"{found.judge}.html",
        mime="text/html",
        on_click=saved,
        key="blind-packet-file",
    )


def _make(ws: Workspace, study: Study, made: MadePacket) -> str:
    judge = new_packet()
    made.packet = packet(ws, study, judge, packet_tasks(ws, study, judge))
    made.study = study.id
    return f"{judge.id} is ready. Save it under Judge without evalcore: then it takes part."


def _saved(ws: Workspace, study: Study, found: Packet) -> str:
    invite(ws, study, Judge(found.judge, found.judge))
    joined = next(each for each in studies(ws, study.suite) if each.id == study.id)
    return f"{found.judge} takes part. Send the file. {crowded_words(joined)}".rstrip()
