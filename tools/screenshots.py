"""Take the pictures of the README and the docs from the demo workspace.

    python -m tools.screenshots [--out docs/images] [--workspace FOLDER] [--all]

Without `--all` only the pictures of the README are taken; with it every page, light and dark, on a
wide window and on a phone.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from evalcore import server
from tools.browser import find

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "evalcore" / "demo" / "workspace"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTLED_MS = 1500


class Shot(NamedTuple):
    """One picture: a page with its address parameters, and how the window is."""

    name: str
    page: str
    query: dict[str, str]
    width: int = 1440
    height: int = 900
    scheme: str = "light"


README = (
    Shot(
        "gradings",
        "gradings",
        {"suite": "release-notes", "v": "v2", "filter": "failing"},
        height=820,
    ),
    Shot(
        "compare",
        "compare",
        {"suite": "release-notes", "a": "v1", "b": "v2", "case": "breaking-change", "tab": "case"},
        height=820,
    ),
)
PAGES = {
    "overview": {"suite": "release-notes"},
    "gradings": {"suite": "invoice-extractor"},
    "compare": {"suite": "release-notes", "a": "v0", "b": "v3"},
    "data": {},
}


def every_shot() -> Iterator[Shot]:
    """Yield each page, light and dark, on a wide window and on a phone."""
    for page, query in PAGES.items():
        for scheme in ("light", "dark"):
            for width, height in ((1440, 900), (390, 844)):
                yield Shot(f"{page}-{width}-{scheme}", page, query, width, height, scheme)


def main() -> int:
    """Take the pictures and print their paths."""
    options = _options()
    browser_path = find()
    if browser_path is None:
        print("No Chromium was found; `python -m tools.browser` says how to get one.")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    shots = [*README, *every_shot()] if options.all else README
    with _dashboard(options.workspace) as dashboard, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(browser_path), args=QUIET)
        admitted = _let_in(browser, dashboard.url)
        for shot in shots:
            path = options.out / f"{shot.name}.png"
            _take(browser, admitted, dashboard.port, shot, path)
            print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
        browser.close()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--workspace", type=Path, default=DEMO)
    parser.add_argument("--all", action="store_true")
    return parser.parse_args()


@contextmanager
def _dashboard(workspace: Path) -> Iterator[server.Dashboard]:
    """Serve a workspace with state of its own: nobody's recent folders are shown or changed."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["EVALCORE_STATE_DIR"] = os.environ["EVALCORE_CACHE_DIR"] = state
        dashboard = server.start(workspace)
        try:
            if not dashboard.wait_until_ready():
                sys.exit("The dashboard did not start.")
            yield dashboard
        finally:
            dashboard.stop()


def _let_in(browser: Browser, url: str) -> StorageState:
    """Return what a browser keeps that was let in."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.get_by_role("heading", level=1).wait_for()
    admitted = context.storage_state()
    context.close()
    return admitted


def _take(browser: Browser, admitted: StorageState, port: int, shot: Shot, path: Path) -> None:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
        storage_state=admitted,
    )
    page: Page = context.new_page()
    query = f"?{urlencode(shot.query)}" if shot.query else ""
    page.goto(f"http://127.0.0.1:{port}/{shot.page}{query}")
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=path)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
