"""Open an address in the browser without telling it to other users of the machine.

The arguments of a browser can be read by everybody here, so it is only given the path of a page
that this user alone can read, and that leads on to the address.
"""

from __future__ import annotations

import html
import os
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Final

from evalcore.server.running import private_file

_SNAPS: Final = Path("/snap")
_PAGE: Final = """<!doctype html><meta charset="utf-8"><title>evalcore</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={url}">
<p><a href="{url}">Open the dashboard</a></p>
"""


def open_in_browser(url: str, workspace: Path) -> None:
    """Open `url` in the user's browser, where there is a screen."""
    if not _has_screen():
        return
    page = _page(workspace)
    try:
        page.unlink(missing_ok=True)
        handle = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=html.escape(url)))
    except OSError as error:
        sys.stderr.write(f"Open the address yourself: {page} was not written ({error.strerror}).\n")
        return
    webbrowser.open(page.as_uri())


def forget_page(workspace: Path) -> None:
    """Remove the page that led the browser to the dashboard on `workspace`, if there is one."""
    with suppress(OSError):
        _page(workspace).unlink()


def _page(workspace: Path) -> Path:
    page = private_file(workspace, ".html")
    # Browsers installed as snaps cannot read hidden folders of the home, nor those outside of it.
    return Path.home() / f"evalcore-{page.name}" if _SNAPS.is_dir() else page


def _has_screen() -> bool:
    # Without one, a browser that runs in the terminal would be found and would spend the token.
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform == "darwin" or any(os.environ.get(name) for name in named)
