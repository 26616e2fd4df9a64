"""What all tests share: browser, real workspaces, temporary folder, property tests' profile."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from tools import browser

ROOT = Path(__file__).resolve().parent.parent
REALWORLD = Path(os.environ.get("EVALCORE_REALWORLD", ROOT.parent / "shared" / "realworld"))

# Machines that run the tests are shared: how long one example takes says nothing about the code.
settings.register_profile(
    "evalcore",
    deadline=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("evalcore"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "evalcore"))


MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3
"""Many times what a whole run keeps at once."""


def pytest_configure() -> None:
    """Take interrupts, and keep temporary files in memory.

    A shell that starts the tests behind itself has them ignored, by all that the tests start too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    _keep_temporary_files_in_memory()


def _keep_temporary_files_in_memory() -> None:
    """Let temporary files lie in memory where there is room, unless TMPDIR names another folder.

    Tests make some ten thousand small folders: a disk's waits were nearly half of their time.
    """
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    programs_run = not os.statvfs(MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0)
    if programs_run and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


LONG = frozenset({"dashboard", "engine", "live", "reliability", "versions", "workspace"})
"""Folders with modules that take more than ten seconds: they start processes and servers."""

MAIN = sys.modules["__main__"]


def pytest_runtest_teardown() -> None:
    """Put the program's own module back where AppTest leaves that of its last page.

    A process started by a later test would run that page before its work, and die of it.
    """
    sys.modules["__main__"] = MAIN


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it needs, so that `-m "not browser"` leaves out just those.

    The modules that take longest come first, those that use a browser before all: begun last, one
    of them would keep one process busy for a minute after the others are done.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "browser_path" in fixtures:
            item.add_marker("browser")
        if "realworld" in fixtures:
            item.add_marker("realworld")
    browsing = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: (item.path not in browsing, item.path.parent.name not in LONG))


def pytest_collectstart() -> None:
    """Collect no garbage while tests are collected: there is next to none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all modules and tests, which live until the end anyway.

    Each full collection looked at some million objects of them, for half a second and more.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def commands_read_once() -> Iterator[None]:
    """Let typer make the program of its commands once, not at each call in this process.

    It reads the signature of every command anew, which takes as long as most of them take to run.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session")
def browser_path() -> Path:
    """Return the Chromium that `make test` found; the test is skipped where there is none."""
    if browser.PATH_FILE.is_file():
        recorded = Path(browser.PATH_FILE.read_text(encoding="utf-8").strip())
        if recorded.is_file():
            return recorded
    if found := browser.find():
        return found
    reason = "run `make test`, which fetches one"
    if browser.MISSING_FILE.is_file():
        reason = browser.MISSING_FILE.read_text(encoding="utf-8").strip()
    pytest.skip(f"no browser: {reason}")


@pytest.fixture(scope="session")
def realworld() -> Path:
    """Return the folder of other people's workspaces; the test is skipped where it is not there."""
    if not REALWORLD.is_dir():
        pytest.skip("no real workspaces here (EVALCORE_REALWORLD names their folder)")
    return REALWORLD
