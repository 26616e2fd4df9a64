"""Two workspaces that differ only by the side of the versions tell a blind judge the same."""

from collections.abc import Iterator
from contextlib import ExitStack
from copy import deepcopy
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.dashboard.live import DESK, PATIENCE_MS, Served, served
from tests.dashboard.twins import (
    CASES,
    MODEL,
    SECONDS,
    SUITE,
    Recording,
    begin,
    differences,
    entry,
    workspace,
)

STUDIES = ("01a20cbe-cb9a-7265-a956-2fad9e96e995", "01a20cbe-cb9a-7265-a956-2fad9e96e996")
CHANNELS = (
    "frame", "address", "header", "console", "title", "document", "accessible", "storage",
    "history", "media", "download",
)  # fmt: skip


def window(browser: Browser, at: Served) -> Page:
    """Return a window of the judge's browser."""
    context = browser.new_context(viewport=DESK)
    at.admit(context)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def named(browser: Browser, at: Served) -> None:
    """Say in the judge's browser who judges."""
    page = window(browser, at)
    page.goto(at.address("blind", suite=SUITE))
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Judge under this name").click()
    expect(page.get_by_text(f"Judge, {CASES} left").first).to_be_visible()
    page.context.close()


def judged(browser: Browser, at: Served, study: str, told: Recording) -> None:
    """Judge all pairs of a study by keyboard, and note what is told before each verdict."""
    page = window(browser, at)
    told.listen(page)
    page.goto(at.address("blind", suite=SUITE, study=study))
    for done in range(CASES):
        expect(page.get_by_text(f"{done} compared")).to_be_visible()
        page.keyboard.press("d")
        expect(page.get_by_text("hide the differences")).to_be_visible()
        expect(page.get_by_text("only in left")).to_be_visible()
        told.look(page)
        page.keyboard.press("lrtbl"[done])
        page.keyboard.press("w")
        page.keyboard.type("Kinder.")
        page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You have compared")).to_be_visible()
    told.look(page)
    page.context.close()


@pytest.fixture(scope="module")
def twins(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[tuple[Recording, Served]]]:
    """Judge two studies of five pairs on both twins."""
    found = []
    with ExitStack() as running:
        for swapped in (False, True):
            home = tmp_path_factory.mktemp("twin")
            root = workspace(home / "letters", swapped=swapped)
            state: Path = home / "state"
            for study in STUDIES:
                begin(root, state, study, swapped=swapped)
            at = running.enter_context(served(root, state))
            at.let_in()
            named(chromium, at)
            told = Recording()
            for study in STUDIES:
                judged(chromium, at, study, told)
            found.append((told, at))
        yield found


def test_what_is_told_is_the_same_whichever_version_stands_left(
    twins: list[tuple[Recording, Served]],
) -> None:
    """Ten comparisons: every frame, address, header, document, name and entry of the storage."""
    (one, at_one), (other, at_other) = twins
    assert differences(one.alike(at_one), other.alike(at_other)) == []


def test_nothing_tells_versions_runs_models_times_or_judges(
    twins: list[tuple[Recording, Served]],
) -> None:
    """In no channel, before the last verdict."""
    words = ["iteration-", "with_skill", MODEL, str(SECONDS), "verdict on", "::letter", "ben-77c0"]
    for told, _ in twins:
        assert told.found(words) == []
        assert not {"media", "download"} & told.channels.keys()


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_leak_in_any_channel_is_found(
    twins: list[tuple[Recording, Served]], channel: str
) -> None:
    """One entry more, which names a version or only differs."""
    (one, at_one), (other, at_other) = twins
    leaking = deepcopy(other)
    leaking.note(channel, entry(channel))
    assert leaking.found(["iteration-"])
    assert differences(one.alike(at_one), leaking.alike(at_other))
