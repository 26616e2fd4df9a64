"""What a run of a page draws last arrives, also where the next request comes at the same moment."""

import asyncio
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import pytest
from streamlit import runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from pages.parts.last_messages import deliver_before_next_run

PAGE = """
import streamlit as st

@st.fragment
def tick():
    st.text("a tick")

tick()
st.text("the end of the page")
"""
PATIENCE_SECONDS = 60


async def _drawn(session: AppSession) -> list[tuple[str, str]]:
    """Return the texts that a session has for the browser once it rests, each with its part."""
    while session._scriptrunner is not None:
        await asyncio.sleep(0.01)
    deltas = [message.delta for message in session.flush_browser_queue()]
    texts = [(delta.new_element.text.body, delta.fragment_id) for delta in deltas]
    return [(text, part) for text, part in texts if text]


async def _asked_at_the_end(page: Path) -> list[str]:
    """Return what is drawn where a part is asked for while the page's last messages wait."""
    files = MemoryUploadedFileManager("/upload")
    session = AppSession(ScriptData(str(page), True), files, ScriptCache(), lambda: None, {})
    session.request_rerun(ClientState())
    part = dict(await _drawn(session))["a tick"]
    session.request_rerun(ClientState())
    end = time.monotonic() + PATIENCE_SECONDS
    while any("ScriptRunner" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)  # not awaited: the event loop takes no message meanwhile
    session.request_rerun(ClientState(fragment_id=part))
    await asyncio.sleep(0.05)
    drawn = await _drawn(session)
    session.shutdown()
    return [text for text, _ in drawn]


def test_the_end_of_a_page_is_drawn_though_a_tick_comes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit by itself loses it; with the requests taken in turn nothing is lost."""
    monkeypatch.setattr(runtime, "get_instance", Mock())
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)
    page = tmp_path / "page.py"
    page.write_text(PAGE, encoding="utf-8")
    assert asyncio.run(_asked_at_the_end(page)) == ["a tick"]
    deliver_before_next_run()
    assert asyncio.run(_asked_at_the_end(page)) == ["the end of the page", "a tick"]
