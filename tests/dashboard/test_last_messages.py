"""What a run of a page draws last arrives, also where the next request comes at the same moment."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest
from streamlit import runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
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
BOX = """
import streamlit as st
from pages.parts.session_state import bound

suite = st.query_params["suite"]
bound(st.selectbox, "Suite", ["first", "second"], name="suite", value=suite, on_choice=str)
"""
ENDED = """
import time
from pathlib import Path
import streamlit as st
from pages.parts.frame import end_page

@st.fragment
def tick():
    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    st.text(f"drawn {st.session_state['drawn']} times")

tick()
if st.query_params:
    Path(__file__).with_name("runs").touch()
    while Path(__file__).with_name("runs").exists():
        time.sleep(0.01)
end_page()
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
    session = _session(page)
    session.request_rerun(ClientState())
    part = dict(await _drawn(session))["a tick"]
    session.request_rerun(ClientState())
    _wait_for_its_end()
    session.request_rerun(ClientState(fragment_id=part))
    await asyncio.sleep(0.05)
    drawn = await _drawn(session)
    session.shutdown()
    return [text for text, _ in drawn]


async def _asked_twice(page: Path) -> list[str]:
    """Return what is drawn where the second request comes once the last messages are taken."""
    session = _session(page)
    session.request_rerun(ClientState())
    _wait_for_its_end()
    session.request_rerun(ClientState(query_string="n=1"))
    session._event_loop.call_soon(session.request_rerun, ClientState(query_string="n=2"))
    await asyncio.sleep(0.05)
    drawn = await _drawn(session)
    session.shutdown()
    return [text for text, _ in drawn]


async def _asked_before_the_end(page: Path) -> list[str]:
    """Return what is drawn where a part is asked for while the page runs that ends itself."""
    session = _session(page)
    session.request_rerun(ClientState())
    part = dict(await _drawn(session))["drawn 1 times"]
    session.request_rerun(ClientState(query_string="waits=1"))
    while not page.with_name("runs").exists():
        await asyncio.sleep(0.01)
    session.request_rerun(ClientState(query_string="waits=1", fragment_id=part))
    page.with_name("runs").unlink()
    drawn = await _drawn(session)
    session.shutdown()
    return [text for text, _ in drawn]


async def _left_and_asked_for(page: Path) -> list[str]:
    """Return where a session is that was asked for another page, then twice for a part of this one.

    The browser asks before that page is drawn, and its second request arrives after that.
    """
    session, pages = _session(page), []
    session.request_rerun(ClientState())
    part = ClientState(fragment_id=dict(await _drawn(session))["a tick"])
    part.page_script_hash = session.page_script_hash
    (other,) = session.get_pages().keys() - {session.page_script_hash}
    session.request_rerun(ClientState(page_script_hash=other))
    for _ in range(2):
        session.request_rerun(part)
        await _drawn(session)
        pages.append(session.get_pages()[session.page_script_hash]["page_name"])
    session.shutdown()
    return pages


async def _shown_by_two_runs(page: Path) -> list[str]:
    """Return what a browser shows in a box where the first run drew it, and only a second is seen.

    It knows nothing of the box yet, so it goes by what the box begins with.
    """
    session = _session(page)
    for _ in range(2):
        session.request_rerun(ClientState(query_string="suite=second"))
        _wait_for_its_end()
        await asyncio.sleep(0.05)
    elements = [message.delta.new_element for message in session.flush_browser_queue()]
    boxes = [element.selectbox for element in elements if element.HasField("selectbox")]
    session.shutdown()
    return [box.raw_value if box.set_value else box.options[box.default] for box in boxes]


def _session(page: Path) -> AppSession:
    files = MemoryUploadedFileManager("/upload")
    return AppSession(ScriptData(str(page), True), files, ScriptCache(), lambda: None, {})


def _wait_for_its_end() -> None:
    """Wait for the thread of the run, while the event loop takes no message."""
    end = time.monotonic() + PATIENCE_SECONDS
    while any("ScriptRunner" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page with a part that may be asked for alone; sessions are Streamlit's own."""
    monkeypatch.setattr(runtime, "get_instance", Mock())
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    path = tmp_path / "page.py"
    path.write_text(PAGE, encoding="utf-8")
    return path


def _in_a_thread(drawn: Coroutine[None, None, list[str]]) -> list[str]:
    """Return what is drawn: this thread has the event loop of the browser."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, drawn).result()


def test_the_end_of_a_page_is_drawn_though_a_tick_comes_with_it(page: Path) -> None:
    """Streamlit by itself loses it; with the requests taken in turn nothing is lost."""
    assert _in_a_thread(_asked_at_the_end(page)) == ["a tick"]
    deliver_before_next_run()
    assert _in_a_thread(_asked_at_the_end(page)) == ["the end of the page", "a tick"]


def test_what_is_asked_for_while_a_page_runs_that_ends_itself_is_done_after_it(page: Path) -> None:
    """`st.stop` in its place drops it: one press of a key in five was lost on Judge."""
    page.write_text(ENDED.replace("end_page()", "st.stop()"), encoding="utf-8")
    assert _in_a_thread(_asked_before_the_end(page)) == ["drawn 2 times"]
    page.write_text(ENDED, encoding="utf-8")
    assert _in_a_thread(_asked_before_the_end(page)) == ["drawn 3 times"]


def test_a_part_of_a_page_that_was_left_does_not_bring_it_back(page: Path) -> None:
    """Streamlit by itself goes back, as a browser names the page that it has drawn last."""
    elsewhere = page.parent / "pages" / "elsewhere.py"
    elsewhere.parent.mkdir()
    elsewhere.write_text(PAGE.replace("the end of the page", "elsewhere"), encoding="utf-8")
    assert _in_a_thread(_left_and_asked_for(page)) == ["page", "page"]
    deliver_before_next_run()
    assert _in_a_thread(_left_and_asked_for(page)) == ["elsewhere", "elsewhere"]


def test_requests_stay_in_order(page: Path) -> None:
    """One that comes while another waits is taken after it, though it need not wait itself."""
    deliver_before_next_run()
    page.write_text("import streamlit as st\nst.text(st.query_params.get('n', '0'))\n")
    assert _in_a_thread(_asked_twice(page))[-1] == "2"


def test_a_box_shows_what_the_address_says_though_the_run_that_drew_it_was_not_seen(
    page: Path,
) -> None:
    """A run that another one follows at once is never seen: the box must not begin with "first"."""
    deliver_before_next_run()
    page.write_text(BOX, encoding="utf-8")
    assert _in_a_thread(_shown_by_two_runs(page)) == ["second"]
