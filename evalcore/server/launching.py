"""Serve the dashboard until it is stopped: what `evalcore open` does."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from evalcore.errors import CannotServe, WorkspaceNotFound
from evalcore.server.opening import forget_page, open_in_browser
from evalcore.server.process import ADDRESS, Dashboard, require_local, start
from evalcore.server.running import link_from_running, offering_links
from evalcore.server.view import view as parsed_view

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


Reading = AbstractContextManager[Callable[[int, int], None]]
"""Shows how many files are read, and of how many."""


def launch(
    workspace: Path,
    *,
    port: int | None = None,
    browser: bool = True,
    address: str = ADDRESS,
    view: str | None = None,
    reading: Reading | None = None,
    prepare: Callable[[], object] | None = None,
) -> int:
    """Serve the dashboard on `workspace` until it is stopped and return the exit code.

    `port` None takes the one that the folder had last time, else the usual or any free one; then a
    dashboard that already shows the folder only gives a new address. The address leads to `view`
    (`page?name=value&…`), else to the overview. `reading` is entered while the workspace is read,
    `prepare` makes the folder where it is not there yet.

    Raises `WorkspaceNotFound` when there is no such folder and `CannotServe` when the address, the
    port or the view cannot be used.
    """
    require_local(address)
    leading = parsed_view(view).at if view is not None else str
    if prepare is None and not workspace.is_dir():
        raise WorkspaceNotFound(workspace)
    if port is None and (link := link_from_running(workspace)) is not None:
        link = leading(link)
        _say(f"evalcore shows {workspace.resolve()} already\n\n    {link}\n")
        _say("This address works once, in one more browser.")
        _say("Stop it with Ctrl-C in the terminal where it was started.")
        if browser:
            open_in_browser(link, workspace)
        return 0
    # Without a wish, a second try takes any port: another dashboard may have taken the usual one
    # between our look at it and the child's.
    for chosen in [None, 0] if port is None else [port]:
        dashboard = start(workspace, port=chosen, tells=reading is not None, prepare=prepare)
        code = _serve(dashboard, workspace, leading, browser=browser, reading=reading)
        if code is not None:
            return code
    raise CannotServe("The dashboard did not start; see above.")


def _serve(
    dashboard: Dashboard,
    workspace: Path,
    leading: Callable[[str], str],
    *,
    browser: bool,
    reading: Reading | None,
) -> int | None:
    """Wait for the end of a dashboard and return its exit code; None when it never answered."""
    with _stopping_on_request(dashboard) as asked:
        if not dashboard.wait_until_ready():
            dashboard.stop()
            return 0 if asked else None
        with offering_links(workspace, dashboard.new_url):
            link = leading(dashboard.url)
            _say(f"evalcore shows {workspace.resolve()}\n\n    {link}\n")
            _say(
                "This address works once, in one browser. For another, run the same command again."
            )
            _say("Stop with Ctrl-C. Started again, it has the same port if that is free.")
            if browser:
                open_in_browser(link, workspace)
            if reading is not None:
                with reading as step:
                    for done, whole in dashboard.told():
                        step(done, whole)
            code = dashboard.process.wait()
            forget_page(workspace)
    return 0 if asked else code if code >= 0 else 128 - code


@contextmanager
def _stopping_on_request(dashboard: Dashboard) -> Iterator[list[int]]:
    """End the started process, and only it, when this one is asked to end.

    The list holds the received signals.
    """
    asked: list[int] = []

    def stop(number: int, _frame: object) -> None:
        asked.append(number)
        if dashboard.process.poll() is None:
            dashboard.process.terminate()

    # What is ignored, as `nohup` does with the end of the terminal, stays so.
    numbers = [each for each in _STOPPING if signal.getsignal(each) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        dashboard.stop()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
