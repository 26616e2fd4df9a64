"""What a run of a page drew last reaches the browser before the next run of its session begins."""

from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

_SOON_SECONDS: Final = 0.002


def deliver_before_next_run() -> None:
    """Have every session pass on all that a run drew before it takes the next request.

    A run draws in a thread of its own and leaves its messages to the event loop. Asked for a part
    of the page between the end of the run and its last messages, Streamlit begins with a new runner
    and drops what is left of the former one: the end of the page or of a menu is never drawn. Our
    tick asks once a second.

    A part of a page that was left is not drawn. A browser names the page that it shows until it has
    drawn another; asked for a part of it meanwhile, Streamlit would go back to it.
    """
    take = AppSession.request_rerun
    waiting: WeakKeyDictionary[AppSession, deque[ClientState | None]] = WeakKeyDictionary()

    def in_turn(self: AppSession, client_state: ClientState | None) -> None:
        line = waiting.setdefault(self, deque())
        line.append(client_state)
        if len(line) == 1:
            serve(self, line)

    def serve(session: AppSession, line: deque[ClientState | None]) -> None:
        try:
            while line and not _has_more_to_say(session):
                asked = line.popleft()
                if not _is_of_another_page(session, asked):
                    take(session, asked)
        finally:
            if line:
                session._event_loop.call_later(_SOON_SECONDS, serve, session, line)

    AppSession.request_rerun = in_turn  # type: ignore[method-assign]


def _has_more_to_say(session: AppSession) -> bool:
    """Return whether the session's last run has ended, and not all of its messages are taken.

    A Streamlit that keeps this elsewhere is left to itself: the test would tell.
    """
    requests = getattr(getattr(session, "_scriptrunner", None), "_requests", None)
    return getattr(requests, "_state", None) is ScriptRequestType.STOP


def _is_of_another_page(session: AppSession, asked: ClientState | None) -> bool:
    """Return whether a part is asked for of a page that is neither run nor to be run next."""
    if asked is None or not asked.fragment_id:
        return False
    if asked.page_script_hash not in session.get_pages():
        return False  # a page that is not known is left to Streamlit
    runner = getattr(session, "_scriptrunner", None)
    last = getattr(getattr(runner, "_requests", None), "_rerun_data", session)
    # A first request has no page, only its name.
    return last.page_script_hash not in ("", asked.page_script_hash)
