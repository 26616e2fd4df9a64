"""Take the pictures of the README and the docs from the demo workspace.

    python -m tools.screenshots [--out docs/images] [--all]

Without `--all` there is one picture of each page; with it also every page, light and dark, on a
wide window and on a phone. A copy of the demo is shown, in which somebody judges, a blind study
has begun and a run was made.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from evalcore import server
from evalcore.demo import packaged
from evalcore.judging.storing.judges import remember_judge
from pages.parts.access.gate import browser_id
from tools.browser import find

ROOT = Path(__file__).resolve().parents[1]
JUDGE = "Ada"
KEY = "evalcore-key"
"""Where a browser keeps what tells pages which one it is."""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTLED_MS = 6000
WHOLE_MS = 60_000
DRAWN = """() => !document.querySelector('[data-testid=stSkeleton]')
  && document.querySelector('[data-test-script-state=notRunning]')"""
"""Charts are there, and the page has run to its end."""
COLOURS = 128
"""Of so few colours a page looks the same, at a third of the bytes."""


class Shot(NamedTuple):
    """One picture: a page with its address parameters, and how the window is."""

    name: str
    page: str
    query: dict[str, str]
    width: int = 1440
    height: int = 820
    scheme: str = "light"


NOTES = {"suite": "release-notes"}
PAGES = {
    "overview": NOTES,
    "gradings": {**NOTES, "v": "v2", "filter": "failing"},
    "compare": {**NOTES, "a": "v2", "b": "v3", "case": "breaking-change", "tab": "case"},
    "rubric": {"suite": "support-agent"},
    "trends": NOTES,
    "failures": {"suite": "commit-helper"},
    "data": {},
    "runs": {"suite": "commit-helper"},
    "judge": NOTES,
    "blind": NOTES,
}
"""In the order in which they are taken: who judges sees less on the other pages."""
LONG = ("breaking-change", "security-fix", "deprecation-notice", "known-issues", "minor-release")
"""Cases of a blind study, which begins with any of them: each has something to compare."""


def main() -> int:
    """Take the pictures and print their paths."""
    options = _options()
    browser_path = find()
    if browser_path is None:
        print("No Chromium was found; `python -m tools.browser` says how to get one.")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    with _demo() as folder, _dashboard(folder) as dashboard, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(browser_path), args=QUIET)
        admitted = _let_in(browser, dashboard)
        for name, query in PAGES.items():
            asked = query | _prepared(name, folder, admitted)
            for shot in _shots(name, asked, every=options.all):
                path = options.out / f"{shot.name}.png"
                _take(admitted, dashboard, shot, path)
                print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
        browser.close()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--all", action="store_true")
    return parser.parse_args()


def _shots(page: str, query: dict[str, str], *, every: bool) -> Iterator[Shot]:
    yield Shot(page, page, query)
    for scheme in ("light", "dark") if every else ():
        for width, height in ((1440, 900), (390, 844)):
            yield Shot(f"{page}-{width}-{scheme}", page, query, width, height, scheme)


@contextmanager
def _demo() -> Iterator[Path]:
    """Return a copy of the demo, with state of its own: nobody's folders are shown or changed."""
    with tempfile.TemporaryDirectory() as home:
        for name in ("STATE", "CACHE", "CONFIG"):
            os.environ[f"EVALCORE_{name}_DIR"] = str(Path(home, name))
        yield shutil.copytree(packaged(), Path(home, "demo"))


@contextmanager
def _dashboard(workspace: Path) -> Iterator[server.Dashboard]:
    dashboard = server.start(workspace, port=0)
    try:
        if not dashboard.wait_until_ready():
            sys.exit("The dashboard did not start.")
        yield dashboard
    finally:
        dashboard.stop()


def _let_in(browser: Browser, dashboard: server.Dashboard) -> BrowserContext:
    """Return a browser that was let in."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(dashboard.url)
    page.get_by_role("heading", level=1).wait_for()
    page.close()
    return context


def _prepared(page: str, folder: Path, admitted: BrowserContext) -> dict[str, str]:
    """Make what a page needs to show something; return what is added to its address."""
    if page == "runs":
        _evalcore("run", folder, "--suite", "commit-helper", "--executor", "demo")
    if page == "judge":
        (origin,) = admitted.storage_state()["origins"]
        kept = {each["name"]: each["value"] for each in origin["localStorage"]}
        remember_judge(JUDGE, browser_id(kept[KEY]))
    if page == "blind":
        cases = [part for case in LONG for part in ("--cases", case)]
        sides = ("v2", "v3", "--suite", "release-notes", *cases, "--judge", JUDGE, "--json")
        return {"study": str(json.loads(_evalcore("blind", "create", folder, *sides))["study"])}
    return {}


def _evalcore(*command: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "evalcore", *command], check=True, capture_output=True, text=True
    )
    return done.stdout


def _take(admitted: BrowserContext, dashboard: server.Dashboard, shot: Shot, path: Path) -> None:
    page = admitted.new_page()
    page.set_viewport_size({"width": shot.width, "height": shot.height})
    page.emulate_media(color_scheme="dark" if shot.scheme == "dark" else "light")
    query = urlencode({"w": dashboard.workspace, **shot.query})
    page.goto(f"http://127.0.0.1:{dashboard.port}/{shot.page}?{query}")
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_timeout(SETTLED_MS)
    page.wait_for_function(DRAWN, timeout=WHOLE_MS)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
