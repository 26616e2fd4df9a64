"""Packets of an open study, for judges elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from evalcore import Workspace
from evalcore.blind.packets import new_packet, packet_tasks
from evalcore.judging.hiding import studies
from evalcore.judging.studies import Study
from evalcore.views.blind.packet import Packet, packet
from evalcore.views.blind.words import PACKETS, crowded_words, import_command
from pages.parts.session_state import session_object

Act = Callable[[Study, Callable[[], str]], None]


@dataclass
class MadePacket:
    """The newest packet of this window, and the study that it is of."""

    study: str = ""
    packet: Packet | None = None


def packets(ws: Workspace, study: Study, act: Act) -> None:
    """Draw how somebody without evalcore can judge a study."""
    with st.popover("Judge without evalcore …", type="tertiary", key=f"blind-packets-{study.id}"):
        st.text(PACKETS)
        made = session_object(MadePacket)
        ready = made.packet if made.study == study.id else None
        if ready is not None:
            _download(ready)
        label = "Make a packet" if ready is None else "Make a packet for another judge"
        if st.button(label, key=f"blind-packet-{study.id}"):
            act(study, lambda: _make(ws, study, made))
        st.code(import_command(ws.root), language=None)


def _download(found: Packet) -> None:
    st.download_button(
        "Save the packet",
        found.html,
        file_name=f"{found.judge}.html",
        mime="text/html",
        on_click="ignore",
        key="blind-packet-file",
    )


def _make(ws: Workspace, study: Study, made: MadePacket) -> str:
    judge = new_packet()
    made.packet = packet(ws, study, judge, packet_tasks(ws, study, judge))
    made.study = study.id
    joined = next(each for each in studies(ws, study.suite) if each.id == study.id)
    said = f"{judge.id} takes part. Save it under Judge without evalcore, and send it."
    return f"{said} {crowded_words(joined)}".rstrip()
