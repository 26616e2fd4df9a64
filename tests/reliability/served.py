"""The process of a served dashboard that lets in as many browsers as come, or has faults.

The dashboard itself is not changed: what the variables of the environment name is changed in this
process alone. It imports nothing of the tests, which would take as long as half of Streamlit.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Any

SLOW = "TESTS_SLOW_SECONDS"
COOKIE_ALONE = "TESTS_COOKIE_ALONE"
STORE_LATER = "TESTS_STORE_LATER"
LATER_SECONDS = 60.0
"""Longer than a server goes on once it is told to end, however busy the machine is."""

SHOW_ALL = "TESTS_SHOW_ALL"
WORK_INSIDE = "TESTS_WORK_INSIDE"


def _keep_open() -> None:
    """Let the door take its token again and again: one server, many browsers."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415 - only the process that serves needs it

    exchange = Gate.exchange

    def again(self: Any, token: str) -> Any:
        admission = exchange(self, token)
        if admission is not None:
            self.accept(token)
        return admission

    setattr(Gate, "exchange", again)  # noqa: B010 - a method is replaced on purpose


def _ask_for_no_key() -> None:
    """Let the door be as it was before there was a key."""
    from pages.parts.access.gate import Gate  # noqa: PLC0415

    setattr(Gate, "opens", lambda self, cookie, _: self.admitted([cookie]))  # noqa: B010


def _store_later() -> None:
    """Let judgments be acknowledged first and written afterwards, as with a careless cache."""
    from evalcore.judging.answering import writing  # noqa: PLC0415

    store: Callable[..., Any] = vars(writing)["store"]

    def hasty(folder: Any, record: Any) -> Any:
        receipt = store(folder, record)
        path = folder.root / receipt.path
        path.rename(away := path.with_suffix(".later"))
        later = threading.Timer(LATER_SECONDS, away.rename, (path,))
        later.daemon = True  # it is lost with the server
        later.start()
        return receipt

    setattr(writing, "store", hasty)  # noqa: B010


def _slow_down(seconds: float) -> None:
    """Let the desk work for a while before it takes up what the judge did."""
    from pages.parts.judge import form  # noqa: PLC0415

    look: Callable[..., Any] = vars(form)["reader_workspace"]

    def slowly(name: str) -> Any:
        time.sleep(seconds)
        return look(name)

    setattr(form, "reader_workspace", slowly)  # noqa: B010 - a function is replaced on purpose


def _show_all() -> None:
    """Hide no run from anybody."""
    from pages.parts import state  # noqa: PLC0415

    def whole(ws: Any, _: Any) -> Any:
        return ws.unmasked

    setattr(state, "workspace_for", whole)  # noqa: B010 - a function is replaced on purpose


def _work_inside() -> None:
    """Let the server work on runs itself, in a thread, as if it never ended."""
    from evalcore.engine import process  # noqa: PLC0415

    def inside(folder: Any) -> None:
        threading.Thread(target=process.work, args=(folder.id,)).start()

    setattr(process, "start", inside)  # noqa: B010 - a function is replaced on purpose


def main() -> None:
    """Change what was asked for, then be Streamlit."""
    _keep_open()
    if os.environ.get(COOKIE_ALONE):
        _ask_for_no_key()
    if os.environ.get(STORE_LATER):
        _store_later()
    if seconds := float(os.environ.get(SLOW, "0")):
        _slow_down(seconds)
    if os.environ.get(SHOW_ALL):
        _show_all()
    if os.environ.get(WORK_INSIDE):
        _work_inside()
    from streamlit.web.cli import main as streamlit  # noqa: PLC0415

    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
