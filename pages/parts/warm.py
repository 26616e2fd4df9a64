"""Import what pages need, and read the workspace, while the server starts and a browser opens."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

from streamlit import delta_generator

from evalcore.errors import EvalcoreError

if TYPE_CHECKING:
    from evalcore.live import Opening

TELLS: Final = "EVALCORE_TELLS"
"""Set where `evalcore open` shows how far reading is: what this process prints is read there."""
_STEP_SECONDS: Final = 0.1
_TURN_SECONDS: Final = 0.0005
"""How long one thread computes while another waits. By Python's 5 ms each file that a browser asks
for while a page is prepared waits so long at every turn of the server."""


@asynccontextmanager
async def warm_up(app: object) -> AsyncIterator[None]:
    """Begin in the background while the server starts to listen, so that it answers at once."""
    del app
    # Else the first text of a page looks through all modules for whether it is drawn at a prompt.
    delta_generator._use_warning_has_been_displayed = True
    sys.setswitchinterval(_TURN_SECONDS)
    Thread(target=_prepare, name="warm-up", daemon=True).start()
    yield


def failed(fault: Exception) -> bool:
    """Show that a page failed; the frame that does so is imported only then."""
    from pages.parts.frame import failed as show  # noqa: PLC0415 - the server starts without it

    return show(fault)


def _prepare() -> None:
    """Import the modules of the first page, and compute what it begins with."""
    # While modules load, collecting looks at all their objects again and again and frees none of
    # them: that was a quarter of the time. Frozen afterwards, they are never looked at again.
    gc.disable()
    try:
        opening = _read_ahead()
        import pages.parts.frame  # noqa: PLC0415
        import pages.parts.overview  # noqa: F401, PLC0415
        from evalcore.counting.choices import suite_ids  # noqa: PLC0415
        from evalcore.views.overview.top import (  # noqa: PLC0415
            headline_comparisons,
        )
    finally:
        gc.freeze()
        gc.enable()
    if opening is None:
        return
    with suppress(EvalcoreError, OSError):  # the page says why it cannot be read
        workspace = opening.result().newest.workspace
        for suite in suite_ids(workspace)[:1]:
            headline_comparisons(workspace, suite, None, None, "recorded")


def _read_ahead() -> Opening | None:
    from pages.parts.state import read_ahead  # noqa: PLC0415 - the server starts without it

    opening = read_ahead()
    if os.environ.get(TELLS):
        Thread(target=_tell, args=(opening,), name="tells", daemon=True).start()
    return opening


def _tell(opening: Opening | None) -> None:
    """Print how far reading is, until the workspace is open; then let go of what reads that."""
    try:
        while opening is not None and not opening.wait(_STEP_SECONDS):
            sys.stdout.write(f"{opening.done} {opening.whole}\n")
            sys.stdout.flush()
    finally:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
