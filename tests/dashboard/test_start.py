"""What is shown before a workspace is read: on the terminal, in the browser, on the page."""

import asyncio
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit import delta_generator, env_util
from streamlit.testing.v1 import AppTest

from pages.parts import warm
from tests.cli.command import ROOT
from tests.dashboard.live import Served, Visit

PATIENCE_SECONDS = 60


def test_the_terminal_says_what_is_read(small_workspace: Path, tmp_path: Path) -> None:
    """The address, how often it works, how to stop, then a bar, gone again once all is read."""
    ours, theirs = pty.openpty()
    environment = os.environ | {
        "EVALCORE_STATE_DIR": str(tmp_path / "state"),
        "EVALCORE_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
    }
    command = [sys.executable, "-m", "evalcore", "open", str(small_workspace), "--no-browser"]
    with subprocess.Popen(
        [*command, "--port", "0"], env=environment, stdout=theirs, stderr=theirs, cwd=tmp_path
    ) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # its end
            while b"\x1b[?25h" not in shown:  # the cursor is shown again after the bar
                shown += os.read(ours, 4096)
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    said = (b"http://", b"works once, in one browser", b"Stop with Ctrl-C", b"Reading documents")
    places = [shown.find(each) for each in said]
    assert places == sorted(places) and places[0] > 0


def test_a_frame_is_shown_before_anything_is_loaded(
    new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """The product's name and grey lines without any script; they go when the page is drawn."""
    visit = new_visit(dashboard)
    visit.page.route("**/static/js/**", lambda _route: None)  # held
    visit.page.goto(dashboard.address(), wait_until="commit")
    frame = visit.page.locator("#skeleton")
    expect(frame).to_be_visible()
    expect(frame).to_contain_text("evalcore")
    assert frame.locator("i").count() > 10
    visit.page.unroute("**/static/js/**")  # and let go
    expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
    expect(frame).to_be_hidden(timeout=5_000)  # before it gives up by itself


def test_a_page_says_how_far_reading_is() -> None:
    """Its title and the pages stand already; the bar names the documents and the share."""

    def page() -> None:
        import streamlit as st  # noqa: PLC0415 - this text is the page

        from pages.parts.frame import end_page  # noqa: PLC0415
        from pages.parts.state import wait_for  # noqa: PLC0415

        class Half:
            """An opening that is never more than half done; looking again ends the page."""

            done, whole, share, looks = 2_000, 4_000, 0.5, 0

            def wait(self, _seconds: float) -> bool:
                self.looks += 1
                if self.looks > 2:
                    end_page()
                return False

        wait_for(Half(), "Overview", lambda: st.text("aside"))  # type: ignore[arg-type]

    shown = AppTest.from_function(page, default_timeout=60).run()
    assert [title.value for title in shown.title] == ["Overview"]
    assert [text.value for text in shown.sidebar.text] == ["aside"]
    assert re.search(r"Reading 4,000 documents … 50 %", str(shown.get("progress")[0].proto))


def test_the_first_page_waits_only_for_what_it_shows() -> None:
    """Not for the forms of a run, the planner of runs, the full check, or a model's client."""
    code = (
        "import ast, importlib, sys\n"
        "for each in ast.parse(open('pages/overview.py', encoding='utf-8').read()).body:\n"
        "    if isinstance(each, ast.ImportFrom): importlib.import_module(each.module)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "evalcore.views.overview.top" in loaded
    later = {"pages.parts.judge", "evalcore.engine.planning", "evalcore.engine.finishing"}
    later |= {"evalcore.lint", "evalcore.views.run.grading", "dulwich", "openai", "scipy"}
    later |= {"pyarrow.parquet", "pydantic_core"}
    assert not later & loaded


def test_a_text_is_drawn_without_a_look_at_all_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit would look through two thousand for whether a person types at a prompt."""
    looked: list[None] = []
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    monkeypatch.setattr(env_util, "is_repl", lambda: looked.append(None))
    monkeypatch.setattr(warm, "_prepare", lambda: None)

    async def begin() -> None:
        async with warm.warm_up(None):
            pass

    turns = sys.getswitchinterval()
    with ThreadPoolExecutor() as beside:  # here, the browser's loop may run
        beside.submit(asyncio.run, begin()).result()
    sys.setswitchinterval(turns)
    AppTest.from_string("import streamlit as st; st.text('drawn')").run()
    assert not looked
